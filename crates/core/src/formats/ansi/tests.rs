use super::*;
use crate::random::{Random, rounds};
use crate::screen::row::StyleId;
use crate::{Attributes, Position, Style};

const SIZE: Size = Size { cols: 8, rows: 3 };

/// Returns the screen after a program wrote `bytes` to a terminal of 8 columns and 3 rows.
fn screen(bytes: &str) -> Screen {
    let mut emulator = Backend::Vt.emulator(SIZE, emulator::EmulatorOptions::default());
    emulator.feed(bytes.as_bytes());
    emulator.screen()
}

/// Checks that a screen is written as `text`, and that `text` loads as the same cells.
#[track_caller]
fn check(bytes: &str, text: &str) {
    let screen = screen(bytes);
    assert_eq!(write(&screen), text);
    assert_eq!(read(text.as_bytes(), SIZE), reduce(&screen));
}

#[test]
fn blank_rows_at_the_end_are_omitted() {
    check("", "");
    check("ab", "ab\n");
    check("ab\r\n\r\ncd", "ab\n\ncd\n");
    check("ab\r\n\r\n", "ab\n");
}

#[test]
fn every_style_is_set_in_full_and_reset_at_the_end_of_its_row() {
    check(
        "a\x1b[1mb\x1b[31mc\x1b[22md",
        "a\x1b[0;1mb\x1b[0;1;31mc\x1b[0;31md\x1b[0m\n",
    );
    check("\x1b[1ma\r\nb", "\x1b[0;1ma\x1b[0m\n\x1b[0;1mb\x1b[0m\n");
    check("\x1b[1ma\x1b[mb", "\x1b[0;1ma\x1b[0mb\n");
}

#[test]
fn every_attribute_and_colour_is_written_as_its_sgr_code() {
    for sgr in [
        "1",
        "2",
        "3",
        "4",
        "4:2",
        "4:3",
        "4:4",
        "4:5",
        "5",
        "6",
        "7",
        "8",
        "9",
        "53",
        "30",
        "37",
        "90",
        "97",
        "38;5;16",
        "38;5;255",
        "38;2;1;2;3",
        "40",
        "47",
        "100",
        "107",
        "48;5;16",
        "48;2;1;2;3",
        "58:5:0",
        "58:5:200",
        "58:2::1:2:3",
        "1;2;3;4:3;6;7;8;9;53;38;2;1;2;3;48;2;4;5;6;58:2::7:8:9",
    ] {
        check(
            &format!("\x1b[{sgr}mx"),
            &format!("\x1b[0;{sgr}mx\x1b[0m\n"),
        );
    }
    // The first sixteen colours have only one form.
    check("\x1b[38;5;1;48;5;9mx", "\x1b[0;31;101mx\x1b[0m\n");
}

#[test]
fn styled_spaces_are_written_up_to_the_right_edge() {
    check("a\x1b[44m\x1b[K", "a\x1b[0;44m       \x1b[0m\n");
    check("\x1b[31m  ", "\x1b[0;31m  \x1b[0m\n");
    let row = "\x1b[0;42m        \x1b[0m\n".repeat(3);
    check("\x1b[42m\x1b[2J", &row);
}

#[test]
fn a_full_row_does_not_wrap_and_the_last_one_does_not_scroll() {
    check(
        "01234567\r\n89abcdef\r\nghijklmn",
        "01234567\n89abcdef\nghijklmn\n",
    );
    // In the terminal the text wrapped into the next row; in the file it is two rows.
    check("0123456789", "01234567\n89\n");
    check("012345界界", "012345界\n界\n");
    check("0123456界", "0123456\n界\n");
}

#[test]
fn wide_and_joined_characters_keep_their_columns() {
    check("界e\u{301}x日\u{302}y", "界e\u{301}x日\u{302}y\n");
    // A mark on a cell that was never written.
    check("\x1b[2G\u{301}\x1b[3Gx", " \u{301} x\n");
}

#[test]
fn links_keep_their_ids_and_end_at_the_end_of_their_row() {
    check(
        "\x1b]8;id=n;https://example.org/;x\x07ab\x1b]8;;\x07c",
        "\x1b]8;id=n;https://example.org/;x\x1b\\ab\x1b]8;;\x1b\\c\n",
    );
    check(
        "\x1b[1m\x1b]8;;file:///a\x07a\r\nb",
        "\x1b]8;;file:///a\x1b\\\x1b[0;1ma\x1b]8;;\x1b\\\x1b[0m\n\x1b]8;;file:///a\x1b\\\x1b[0;1mb\x1b]8;;\x1b\\\x1b[0m\n",
    );
    // One link directly followed by another.
    check(
        "\x1b]8;;x:\x07a\x1b]8;;y:\x07b",
        "\x1b]8;;x:\x1b\\a\x1b]8;;y:\x1b\\b\x1b]8;;\x1b\\\n",
    );
}

#[test]
fn a_link_that_would_end_its_own_sequence_is_omitted() {
    for (id, uri, text) in [
        (None, "", "x\n"),
        (None, "a\x1b\\b", "x\n"),
        (Some("a;b"), "u:", "\x1b]8;;u:\x1b\\x\x1b]8;;\x1b\\\n"),
        (Some(""), "u:", "\x1b]8;;u:\x1b\\x\x1b]8;;\x1b\\\n"),
    ] {
        let mut builder = RowBuilder::new();
        let link = builder.link(&Hyperlink {
            id: id.map(Arc::from),
            uri: Arc::from(uri),
        });
        builder.push('x', StyleId::PLAIN, link);
        let mut screen = Screen::blank(SIZE);
        screen.rows[0] = Arc::new(builder.finish());
        assert_eq!(write(&screen), text);
        assert_eq!(read(text.as_bytes(), SIZE), reduce(&screen));
    }
}

#[test]
fn styles_and_links_with_the_same_text_share_one_sequence() {
    let mut builder = RowBuilder::new();
    for attributes in [
        Attributes::RAPID_BLINK,
        Attributes::RAPID_BLINK | Attributes::BLINK,
    ] {
        let style = builder.style(&Style {
            attributes,
            ..Style::default()
        });
        builder.push('x', style, LinkId::NONE);
    }
    for id in [None, Some("a;b"), Some("\u{80}")] {
        let link = builder.link(&Hyperlink {
            id: id.map(Arc::from),
            uri: Arc::from("u:"),
        });
        builder.push('y', StyleId::PLAIN, link);
    }
    let mut screen = Screen::blank(SIZE);
    screen.rows[0] = Arc::new(builder.finish());
    let text = "\x1b[0;6mxx\x1b]8;;u:\x1b\\\x1b[0myyy\x1b]8;;\x1b\\\n";
    assert_eq!(write(&screen), text);
    assert_eq!(write(&read(text.as_bytes(), SIZE)), text);
}

#[test]
fn the_last_newline_may_be_missing() {
    assert_eq!(read(b"a\nb", SIZE), read(b"a\nb\n", SIZE));
    assert_eq!(read(b"a\nb\nc\n", SIZE).text(), "a\nb\nc\n");
}

#[test]
fn a_programs_own_output_loads_as_the_terminal_showed_it() {
    for bytes in [
        // The newline after the last row made the terminal scroll.
        "a\r\nb\r\nc\r\n",
        "\x1b[2J\x1b[3;3Hx",
        // Without a carriage return the next row starts at the column where this one ended.
        "ab\x1b[mc\nd\x1b[1;1He",
        "\x1b]2;title\x07a\n",
        "a\tb\x08c\x7f",
        "\x1b[?25la\n\x1b[?25h",
        "\x1b]8;;u:\x1b",
    ] {
        assert_eq!(
            read(bytes.as_bytes(), SIZE),
            Screen {
                scrollback_rows: 0,
                ..screen(bytes)
            }
        );
    }
    assert_eq!(read(b"a\r\nb\r\nc\r\n", SIZE).text(), "b\nc\n");
}

#[test]
fn metadata_is_one_line_of_json() {
    let meta = Meta::new(Size {
        cols: 134,
        rows: 40,
    });
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        meta.to_string(),
        format!(r#"{{"cols":134,"rows":40,"version":"{version}"}}"#)
    );
    assert_eq!(Meta::parse(meta.to_string()).unwrap(), meta);
}

#[test]
fn metadata_requires_only_columns_and_rows() {
    let meta = Meta::parse(r#"{"rows":40,"cols":134}"#).unwrap();
    assert_eq!(
        meta.size(),
        Size {
            cols: 134,
            rows: 40
        }
    );
    assert_eq!(meta.to_string(), r#"{"cols":134,"rows":40}"#);
    let odd = r#"{"cols":134,"rows":40,"version":3,"cursor":"here","more":[]}"#;
    assert_eq!(Meta::parse(odd).unwrap(), meta);
}

#[test]
fn a_missing_or_invalid_size_is_an_error() {
    let message = |json: &str| {
        let error = Meta::parse(json).unwrap_err();
        let source = std::error::Error::source(&error).unwrap();
        format!("{error}: {source}")
    };
    assert_eq!(
        message(r#"{"rows":40}"#),
        "not an object with `cols` and `rows`: missing field `cols` at line 1 column 11"
    );
    assert_eq!(
        message(r#"{"cols":134,"rows":0}"#),
        "invalid `cols` or `rows`: `0` rows: a screen has 1 to 2000"
    );
    let too_many = format!(r#"{{"cols":134,"rows":{}}}"#, u64::MAX);
    assert!(matches!(Meta::parse(too_many), Err(MetaError::Size(_))));
}

#[test]
fn the_cursor_round_trips_through_the_metadata() {
    let original = screen("abc\x1b[?25l");
    let meta = Meta::new(SIZE).with_cursor(&original.cursor);
    assert!(
        meta.to_string()
            .ends_with(r#","cursor":{"x":3,"y":0,"visible":false}}"#)
    );
    let mut loaded = read(write(&original).as_bytes(), SIZE);
    loaded.cursor.visible = true;
    Meta::parse(meta.to_string())
        .unwrap()
        .place_cursor(&mut loaded);
    assert_eq!(loaded.cursor, original.cursor);

    // A position outside the screen moves to the nearest cell.
    let far = r#"{"cols":8,"rows":3,"cursor":{"x":9,"y":9,"visible":true}}"#;
    Meta::parse(far).unwrap().place_cursor(&mut loaded);
    assert_eq!(loaded.cursor.position, Position { row: 2, col: 7 });
}

#[test]
fn every_screen_round_trips_as_its_reduction() {
    for seed in 0..rounds() {
        let screen = Random::new(seed).screen();
        let text = write(&screen);
        let reduced = reduce(&screen);
        assert_eq!(read(text.as_bytes(), screen.size), reduced, "seed {seed}");
        assert_eq!(write(&reduced), text, "seed {seed}");
    }
}

#[test]
fn each_line_reads_alone_as_its_row() {
    for seed in 0..rounds() / 10 {
        let screen = Random::new(seed).screen();
        let reduced = reduce(&screen);
        for (line, row) in write(&screen).lines().zip(&reduced.rows) {
            let alone = read(
                line.as_bytes(),
                Size {
                    rows: 1,
                    ..screen.size
                },
            );
            assert_eq!(alone.rows[0], *row, "seed {seed}");
        }
    }
}

#[test]
fn damaged_files_and_random_bytes_never_panic() {
    let mut random = Random::new(13);
    for _ in 0..rounds() {
        let text = write(&random.screen());
        let size = random.size();
        let len = random.below(64);
        for bytes in [random.damage(text.as_bytes()), random.bytes(len)] {
            let screen = read(&bytes, size);
            assert_eq!(screen.rows.len(), usize::from(size.rows));
            let _ = Meta::parse(&bytes);
        }
        let meta = Meta::new(size)
            .with_cursor(&random.screen().cursor)
            .to_string();
        let _ = Meta::parse(random.damage(meta.as_bytes()));
    }
}

#[test]
fn grapheme_clusters_round_trip() {
    for screen in crate::screen::cluster::tests::screens() {
        let read = read(write(&screen).as_bytes(), screen.size);
        assert_eq!(read.rows, screen.rows);
        assert_eq!(reduce(&screen).rows, screen.rows);
    }
}
