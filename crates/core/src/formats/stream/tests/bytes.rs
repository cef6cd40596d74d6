//! The bytes of messages, as `docs/formats/stream.md` gives them.

use super::*;

/// Checks the bytes of a keyframe on channel 7 at revision 1.
#[track_caller]
fn check(seen: &WireScreen, bytes: &str) {
    assert_eq!(digits(&keyframe(7, 1, seen)), digits(&hex(bytes)));
    shown(seen);
}

/// Checks the bytes of a row of 20 columns, after the table.
#[track_caller]
fn check_row(row: Row, table: &str, written: &str) {
    let seen = WireScreen::new(screen(20, vec![Arc::new(row)]), 0);
    check(
        &seen,
        &format!("01 01 07 01 14 01 | 00 00 | {table} | 01 00 {written}"),
    );
}

#[test]
fn a_blank_screen_takes_eleven_bytes() {
    let blank = WireScreen::new(Screen::blank(Size { cols: 80, rows: 24 }), 0);
    check(&blank, "01 01 07 01 50 18 | 00 | 00 | 00 | 00 | 00");
}

#[test]
fn the_documents_example_is_encoded_byte_for_byte() {
    let mut screen = screen(80, vec![Arc::default(); 24]);
    let red = Style {
        fg: Color::Indexed(1),
        attributes: Attributes::BOLD,
        ..Style::default()
    };
    screen.rows[0] = styled(&[("Hello ", Style::default()), ("red", red)]);
    screen.rows[2] = plain(&"=".repeat(80));
    screen.cursor.position = Position { row: 0, col: 9 };
    let before = WireScreen::new(screen.clone(), 0);
    check(
        &before,
        "01 01 07 01 50 18 | 01 00 09 01 | 00 | 00 | 01 41 01 01 |
         02 | 00 20 00 06 48 65 6C 6C 6F 20 08 03 72 65 64 | 01 10 02 50 3D",
    );
    screen.rows[0] = styled(&[("Hello ", Style::default()), ("redo", red)]);
    screen.cursor.position.col = 10;
    let after = WireScreen::new(screen, 1);
    assert_eq!(
        digits(&check_delta(&before, &after)),
        digits(&hex(
            "01 02 07 02 01 | 21 00 0A 01 01 | 00 | 00 | 01 41 01 01 | 01 | 00 14 09 08 01 6F"
        ))
    );
    assert_eq!(
        digits(&ended(7, 2, &ProgramExit::Exited(1))),
        digits(&hex("01 03 07 02 01 02"))
    );
    let signal = ProgramExit::Signaled(Arc::from("SIGTERM"));
    assert_eq!(
        digits(&ended(7, 2, &signal)),
        digits(&hex("01 03 07 02 02 07 53 49 47 54 45 52 4D"))
    );
    assert_eq!(digits(&closed(300, 200)), digits(&hex("01 04 AC 02 C8 01")));
}

#[test]
fn every_kind_of_piece_has_its_number() {
    let mut builder = RowBuilder::new();
    let (style, link) = (StyleId::PLAIN, LinkId::NONE);
    builder.push('a', style, link);
    builder.push_wide('界', style, link);
    (0..7).for_each(|_| builder.push('-', style, link));
    builder.push_cluster("e\u{301}", Width::Narrow, style, link);
    builder.push_cluster("界\u{301}", Width::Wide, style, link);
    builder.push_spacer(style, link);
    builder.wrapped(true);
    check_row(
        builder.finish(),
        "00 00",
        "61 | 00 01 61 | 01 03 E7 95 8C | 02 07 2D | 03 03 65 CC 81 | 04 05 E7 95 8C CC 81 | 05 01",
    );
}

#[test]
fn seven_equal_characters_are_written_as_a_count() {
    check_row(
        Row::clone(&plain("------")),
        "00 00",
        "10 00 06 2D 2D 2D 2D 2D 2D",
    );
    check_row(Row::clone(&plain("-------")), "00 00", "10 02 07 2D");
    // Of characters of three bytes, three are written as a count.
    check_row(Row::clone(&plain("───")), "00 00", "10 02 03 E2 94 80");
}

#[test]
fn every_colour_attribute_and_underline_has_its_bits() {
    let look = |style: Style, bytes: &str| {
        check_row(
            Row::clone(&styled(&[("x", style)])),
            &format!("00 01 {bytes}"),
            "10 08 01 78",
        );
    };
    let plain = Style::default();
    let indexed = |index| Color::Indexed(index);
    let exact = Color::Rgb(Rgb::new(1, 2, 3));
    let colours = [
        (indexed(200), Color::Default, Color::Default, "01 C8"),
        (exact, Color::Default, Color::Default, "02 01 02 03"),
        (Color::Default, indexed(0), Color::Default, "04 00"),
        (Color::Default, exact, Color::Default, "08 01 02 03"),
        (Color::Default, Color::Default, indexed(9), "10 09"),
        (indexed(4), indexed(5), exact, "25 04 05 01 02 03"),
    ];
    for (fg, bg, underline_color, bytes) in colours {
        let style = Style {
            fg,
            bg,
            underline_color,
            ..plain
        };
        look(style, bytes);
    }
    let attributes = [
        (Attributes::BOLD, "40 01"),
        (Attributes::FAINT, "40 02"),
        (Attributes::ITALIC, "40 04"),
        (Attributes::BLINK, "40 08"),
        (Attributes::RAPID_BLINK, "40 10"),
        (Attributes::INVERSE, "40 20"),
        (Attributes::INVISIBLE, "40 40"),
        (Attributes::STRIKETHROUGH, "40 80 01"),
        (Attributes::OVERLINE, "40 80 02"),
    ];
    for (attributes, bytes) in attributes {
        look(
            Style {
                attributes,
                ..plain
            },
            bytes,
        );
    }
    let underlines = [
        (Underline::Single, "40 80 04"),
        (Underline::Double, "40 80 08"),
        (Underline::Curly, "40 80 0C"),
        (Underline::Dotted, "40 80 10"),
        (Underline::Dashed, "40 80 14"),
    ];
    for (underline, bytes) in underlines {
        look(Style { underline, ..plain }, bytes);
    }
}

#[test]
fn links_are_written_once_with_their_ids() {
    let link = |id: Option<&str>| Hyperlink {
        id: id.map(Arc::from),
        uri: Arc::from("u:"),
    };
    let mut builder = RowBuilder::new();
    let bold = builder.style(&Style {
        attributes: Attributes::BOLD,
        ..Style::default()
    });
    for (style, id) in [
        (StyleId::PLAIN, None),
        (bold, None),
        (StyleId::PLAIN, Some("")),
        (StyleId::PLAIN, Some("n")),
    ] {
        let link = builder.link(&link(id));
        builder.push('x', style, link);
    }
    check_row(
        builder.finish(),
        "03 | 02 75 3A 00 | 02 75 3A 01 | 02 75 3A 02 6E | 04 | 80 00 | C0 01 00 | 80 01 | 80 02",
        "40 | 08 01 78 | 10 01 78 | 18 01 78 | 20 01 78",
    );
}

#[test]
fn shell_zones_are_written_with_the_row() {
    let mut builder = RowBuilder::new();
    builder.zone(Zone::Prompt);
    builder.push('$', StyleId::PLAIN, LinkId::NONE);
    builder.push(' ', StyleId::PLAIN, LinkId::NONE);
    builder.zone(Zone::Input);
    check_row(builder.finish(), "00 00", "12 02 01 0A 00 01 24");
}

#[test]
fn every_metadata_field_has_its_bit() {
    let mut all = screen(20, vec![Arc::default()]);
    all.cursor.position.col = 3;
    all.cursor.visible = false;
    all.cursor.blinking = true;
    all.cursor.pending_wrap = true;
    all.cursor.shape = CursorShape::Bar;
    all.title = Arc::from("t");
    all.working_directory = Arc::from("/");
    all.scrollback_rows = 200;
    all.modes.mouse = MouseTracking::Motion;
    all.modes.mouse_encoding = MouseEncoding::Sgr;
    all.modes.kitty_keyboard = KittyKeyboard::DISAMBIGUATE;
    check(
        &WireScreen::new(all, 5),
        "01 01 07 01 14 01 | 3F | 00 03 16 | 01 74 | 01 2F | E0 B0 03 | C8 01 | 05 | 00 00 00 00",
    );
}

#[test]
fn changed_colours_are_listed_in_version_2() {
    let mut changed = screen(20, vec![Arc::default()]);
    changed
        .palette
        .set(PaletteEntry::Background, Rgb::hex(0x102040));
    changed
        .palette
        .set(PaletteEntry::Indexed(1), Rgb::hex(0xd74e6f));
    let before = WireScreen::new(changed.clone(), 0);
    check(
        &before,
        "02 01 07 01 14 01 | 40 02 | 01 D7 4E 6F | 81 02 10 20 40 | 00 00 00 00",
    );
    changed.palette.reset_indexed();
    let after = WireScreen::new(changed.clone(), 0);
    assert_eq!(
        digits(&check_delta(&before, &after)),
        digits(&hex(
            "02 02 07 02 01 | 40 01 | 81 02 10 20 40 | 00 00 00 00"
        ))
    );
    // Unchanged colours are not repeated, and the message is of version 1.
    changed.title = Arc::from("t");
    let titled = WireScreen::new(changed.clone(), 0);
    assert_eq!(
        digits(&check_delta(&after, &titled)),
        digits(&hex("01 02 07 02 01 | 02 01 74 | 00 00 00 00"))
    );
    changed.palette = Palette::default();
    assert_eq!(
        digits(&check_delta(&titled, &WireScreen::new(changed, 0))),
        digits(&hex("02 02 07 02 01 | 40 00 | 00 00 00 00"))
    );
}
