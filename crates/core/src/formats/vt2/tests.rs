use super::*;
use crate::random::{Random, rounds};
use crate::screen::row::StyleId;
use crate::{Position, Rgb, Size, SizeError};

/// Parses hexadecimal digits; `|` and spaces are separators for readability.
fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Returns a short header for `rows` rows of `cols` cells.
fn header(cols: u32, rows: u32) -> Vec<u8> {
    let mut bytes = hex("5654 02 00");
    bytes.extend(cols.to_le_bytes());
    bytes.extend(rows.to_le_bytes());
    bytes.extend([0; 16]);
    bytes
}

fn style(change: impl FnOnce(&mut Style)) -> Style {
    let mut style = Style::default();
    change(&mut style);
    style
}

/// Builds a row from pieces of text, each with a style.
fn row(pieces: &[(&str, Style)]) -> Arc<Row> {
    let mut builder = RowBuilder::new();
    for (text, style) in pieces {
        let id = builder.style(style);
        for c in text.chars() {
            builder.push(c, id, LinkId::NONE);
        }
    }
    Arc::new(builder.finish())
}

fn screen(cols: u16, rows: Vec<Arc<Row>>) -> Screen {
    let size = Size {
        cols,
        rows: rows.len() as u16,
    };
    Screen {
        rows,
        ..Screen::blank(size)
    }
}

/// Checks the cells that a row is encoded as, and that they decode to `back`.
#[track_caller]
fn check_row_as(cols: u16, row: &Arc<Row>, cells: &str, back: &Arc<Row>) {
    let bytes = encode(&screen(cols, vec![Arc::clone(row)]), HeaderLength::Short).bytes;
    let written: Vec<String> = bytes[28..].iter().map(|b| format!("{b:02x}")).collect();
    let wanted: Vec<String> = hex(cells).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(written.join(" "), wanted.join(" "));
    let read = decode(&bytes, Strictness::Strict).unwrap();
    assert_eq!(read.rows[0], *back);
}

#[track_caller]
fn check_row(cols: u16, row: &Arc<Row>, cells: &str) {
    check_row_as(cols, row, cells, row);
}

/// Checks the error of strict parsing for some cells after a header.
#[track_caller]
fn check_error(cols: u32, rows: u32, cells: &str, error: Vt2Error) {
    let bytes = [header(cols, rows), hex(cells)].concat();
    assert_eq!(decode_rows(&bytes, Strictness::Strict), Err(error));
}

fn hello() -> Screen {
    let mut rows = Screen::blank(Size { cols: 80, rows: 24 }).rows;
    rows[0] = row(&[("Hello", Style::default())]);
    let mut screen = screen(80, rows);
    screen.cursor.position = Position { row: 0, col: 5 };
    screen
}

const HELLO_HEADER: &str = "56540200 50000000 18000000 00000000 05000000 00000000 00000000";
const HELLO_CELLS: &str = "48000700 65000700 6C000700 6C000700 6F000700 | FF4B 20000700 | FE17";

#[test]
fn the_formats_own_example_is_encoded_byte_for_byte() {
    let short = encode(&hello(), HeaderLength::Short).bytes;
    assert_eq!(short, [hex(HELLO_HEADER), hex(HELLO_CELLS)].concat());
    assert_eq!(short.len(), 56);

    let full = encode(&hello(), HeaderLength::Full).bytes;
    assert_eq!(
        full,
        [hex(HELLO_HEADER), vec![0; 4], hex(HELLO_CELLS)].concat()
    );
    assert_eq!(full.len(), 60);
}

#[test]
fn both_headers_are_read() {
    for header in [HeaderLength::Full, HeaderLength::Short] {
        let bytes = encode(&hello(), header).bytes;
        assert_eq!(decode(&bytes, Strictness::Strict), Ok(hello()));
    }
}

#[test]
fn a_snapshot_without_rows_is_read_with_both_headers() {
    let window = SnapshotWindow {
        cols: 0,
        viewport_y: 3,
        cursor_x: 0,
        cursor_y: -3,
    };
    for header in [HeaderLength::Full, HeaderLength::Short] {
        let bytes = encode_rows(&[Arc::default()], window, header).bytes;
        assert_eq!(
            decode_rows(&bytes, Strictness::Strict),
            Ok((window, vec![]))
        );
        let error = decode(&bytes, Strictness::Strict).unwrap_err();
        assert_eq!(error, Vt2Error::Size(SizeError::Cols(0)));
    }
}

#[test]
fn the_magic_number_is_read_in_either_byte_order() {
    let mut bytes = encode(&hello(), HeaderLength::Full).bytes;
    bytes.swap(0, 1);
    assert_eq!(decode(&bytes, Strictness::Strict), Ok(hello()));
    bytes[0] = b'X';
    let found = *b"XV";
    assert_eq!(
        decode(&bytes, Strictness::Strict),
        Err(Vt2Error::Magic { found })
    );
}

#[test]
fn an_unsupported_version_is_an_error() {
    let mut bytes = encode(&hello(), HeaderLength::Full).bytes;
    bytes[2] = 1;
    let error = decode(&bytes, Strictness::Strict).unwrap_err();
    assert_eq!(error, Vt2Error::Version { version: 1 });
    assert_eq!(error.to_string(), "unsupported version `1` (expected `2`)");
}

#[test]
fn flags_and_reserved_bytes_are_ignored() {
    let mut bytes = encode(&hello(), HeaderLength::Full).bytes;
    bytes[3] = 0xff;
    bytes[24..28].fill(0xff);
    assert_eq!(decode(&bytes, Strictness::Strict), Ok(hello()));
}

#[test]
fn palette_colours_and_attributes_take_four_bytes() {
    let bold = style(|s| {
        s.attributes = Attributes::BOLD;
        s.fg = Color::Indexed(196);
    });
    check_row(2, &row(&[("A", bold)]), "41 01 C4 00 | 20 00 07 00");
}

#[test]
fn every_attribute_has_its_bit() {
    let attributes = [
        (Attributes::BOLD, 0x01),
        (Attributes::ITALIC, 0x02),
        (Attributes::FAINT, 0x08),
        (Attributes::INVERSE, 0x10),
        (Attributes::INVISIBLE, 0x20),
        (Attributes::STRIKETHROUGH, 0x40),
    ];
    for (attribute, bit) in attributes {
        let styled = row(&[("A", style(|s| s.attributes = attribute))]);
        check_row(2, &styled, &format!("41 {bit:02x} 07 00 | 20 00 07 00"));
    }
    let kinds = [
        Underline::Single,
        Underline::Double,
        Underline::Curly,
        Underline::Dotted,
    ];
    let single = row(&[("A", style(|s| s.underline = Underline::Single))]);
    for kind in kinds {
        let underlined = row(&[("A", style(|s| s.underline = kind))]);
        check_row_as(2, &underlined, "41 04 07 00 | 20 00 07 00", &single);
    }
}

#[test]
fn rgb_colours_are_written_exactly() {
    let orange = style(|s| s.fg = Color::Rgb(Rgb::new(255, 136, 0)));
    check_row(
        2,
        &row(&[("A", orange)]),
        "20 80 41 FF 88 00 00 | 20 00 07 00",
    );
    let navy = style(|s| s.bg = Color::Rgb(Rgb::new(0, 0, 5)));
    check_row(
        2,
        &row(&[("A", navy)]),
        "10 80 41 07 00 00 05 | 20 00 07 00",
    );
}

#[test]
fn non_ascii_characters_are_written_with_their_length() {
    check_row(
        2,
        &row(&[("é", Style::default())]),
        "40 80 C3 A9 07 00 | 20 00 07 00",
    );
    check_row(
        2,
        &row(&[("─", Style::default())]),
        "80 80 E2 94 80 07 00 | 20 00 07 00",
    );
}

#[test]
fn a_wide_character_is_followed_by_a_spacer_in_its_style() {
    let mut builder = RowBuilder::new();
    builder.push_wide('日', StyleId::PLAIN, LinkId::NONE);
    check_row(
        2,
        &Arc::new(builder.finish()),
        "80 80 E6 97 A5 07 00 | 00 00 07 00",
    );

    let both = builder.style(&style(|s| {
        s.fg = Color::Rgb(Rgb::new(1, 2, 3));
        s.bg = Color::Rgb(Rgb::new(4, 5, 6));
    }));
    builder.push_wide('😀', both, LinkId::NONE);
    let cells = "F0 80 F0 9F 98 80 01 02 03 04 05 06 | 30 80 00 01 02 03 04 05 06";
    check_row(2, &Arc::new(builder.finish()), cells);
}

#[test]
fn a_spacer_without_a_wide_character_is_a_space() {
    // After ASCII, in another style, and at the start of a row.
    let spacers = "61 00 07 00 | 00 00 07 00 | C0 80 F0 9F 98 80 07 00 | 00 01 07 00 | 00 00 07 00 | 62 00 07 00";
    let bytes = [header(2, 3), hex(spacers)].concat();
    let read = decode(&bytes, Strictness::Strict).unwrap();
    assert_eq!(read.text(), "a\n😀\n b\n");
    assert!(
        read.rows
            .iter()
            .all(|row| row.cells().all(|cell| cell.width == Width::Narrow))
    );
}

#[test]
fn a_row_cut_within_a_wide_character_ends_in_a_space() {
    let mut builder = RowBuilder::new();
    builder.push('a', StyleId::PLAIN, LinkId::NONE);
    builder.push_wide('日', StyleId::PLAIN, LinkId::NONE);
    let a = row(&[("a", Style::default())]);
    check_row_as(
        2,
        &Arc::new(builder.finish()),
        "61 00 07 00 | 20 00 07 00",
        &a,
    );
}

#[test]
fn combining_characters_are_dropped_and_counted() {
    let mut builder = RowBuilder::new();
    builder.push_cluster("e\u{301}", Width::Narrow, StyleId::PLAIN, LinkId::NONE);
    builder.push_cluster("界\u{301}", Width::Wide, StyleId::PLAIN, LinkId::NONE);
    builder.push('x', StyleId::PLAIN, LinkId::NONE);
    let encoded = encode(
        &screen(4, vec![Arc::new(builder.finish())]),
        HeaderLength::Full,
    );
    assert_eq!(encoded.cut, 2);
    let read = decode(&encoded.bytes, Strictness::Strict).unwrap();
    assert_eq!(read.text(), "e界x\n");
    assert_eq!(encode(&hello(), HeaderLength::Full).cut, 0);
}

#[test]
fn two_equal_cells_are_single_cells_and_three_are_a_run() {
    let plain = Style::default();
    check_row(2, &row(&[("ll", plain)]), "6C000700 6C000700");
    check_row(3, &row(&[("lll", plain)]), "FF03 6C000700");
}

#[test]
fn a_long_run_is_split() {
    let long = row(&[("c".repeat(600).as_str(), Style::default())]);
    check_row(600, &long, "FFFF 63000700 FFFF 63000700 FF5A 63000700");
    // A run holds 255 cells; the 256th is written as a single cell.
    let long = row(&[("c".repeat(256).as_str(), Style::default())]);
    check_row(256, &long, "FFFF 63000700 63000700");
}

#[test]
fn runs_end_with_their_row_but_may_cross_rows_when_read() {
    let full = row(&[("xxx", Style::default())]);
    let two = screen(3, vec![Arc::clone(&full), full]);
    let bytes = encode(&two, HeaderLength::Short).bytes;
    assert_eq!(bytes[28..], hex("FF03 78000700 FF03 78000700"));
    let across = [header(3, 2), hex("FF06 78000700")].concat();
    assert_eq!(decode(&across, Strictness::Strict), Ok(two.clone()));
    // A run of one cell is also valid.
    let across = [header(3, 2), hex("FF05 78000700 FF01 78000700")].concat();
    assert_eq!(decode(&across, Strictness::Strict), Ok(two));
}

#[test]
fn more_than_255_blank_rows_are_split() {
    let blank = Screen::blank(Size { cols: 9, rows: 600 });
    let bytes = encode(&blank, HeaderLength::Short).bytes;
    assert_eq!(bytes[28..], hex("FEFF FEFF FE5A"));
    assert_eq!(decode(&bytes, Strictness::Strict), Ok(blank));
}

#[test]
fn a_row_of_coloured_spaces_is_not_a_blank_row() {
    let blue = style(|s| s.bg = Color::Indexed(4));
    check_row(3, &row(&[("   ", blue)]), "FF03 20000704");
}

#[test]
fn control_characters_are_spaces_both_ways() {
    let plain = Style::default();
    let spaces = row(&[("   x", plain)]);
    check_row_as(
        4,
        &row(&[("\u{7}\u{7f}\u{9b}x", plain)]),
        "FF03 20000700 78000700",
        &spaces,
    );
    let bytes = [header(4, 1), hex("1B000700 7F000700 4080C29B0700 78000700")].concat();
    assert_eq!(decode(&bytes, Strictness::Strict).unwrap().rows[0], spaces);
}

#[test]
fn explicit_white_on_black_reads_as_the_defaults() {
    let explicit = style(|s| {
        s.fg = Color::Indexed(7);
        s.bg = Color::Indexed(0);
    });
    let plain = row(&[("a", Style::default())]);
    check_row_as(2, &row(&[("a", explicit)]), "61000700 20000700", &plain);
}

#[test]
fn inverse_colours_are_not_swapped() {
    let inverse = style(|s| {
        s.attributes = Attributes::INVERSE;
        s.fg = Color::Indexed(1);
        s.bg = Color::Indexed(2);
    });
    check_row(2, &row(&[("ab", inverse)]), "61100102 62100102");
}

#[test]
fn a_pending_wrap_keeps_the_cursor_on_the_last_column() {
    let mut screen = hello();
    screen.cursor.position = Position { row: 3, col: 79 };
    screen.cursor.pending_wrap = true;
    let bytes = encode(&screen, HeaderLength::Short).bytes;
    assert_eq!(bytes[16..20], 79_i32.to_le_bytes());

    // Other writers store the column after the last one.
    let mut bytes = bytes;
    bytes[16..20].copy_from_slice(&80_i32.to_le_bytes());
    assert_eq!(
        decode(&bytes, Strictness::Strict).unwrap().cursor,
        screen.cursor
    );
}

#[test]
fn the_cursor_is_counted_from_the_first_row_and_may_be_above_it() {
    let mut screen = hello();
    screen.scrollback_rows = 46;
    assert_eq!(SnapshotWindow::of(&screen, 46).cursor_y, 0);
    assert_eq!(SnapshotWindow::of(&screen, 0).cursor_y, 46);
    screen.scrollback_rows = 0;
    let window = SnapshotWindow::of(&screen, 46);
    assert_eq!((window.viewport_y, window.cursor_y), (46, -46));

    let bytes = encode_rows(&screen.rows[..2], window, HeaderLength::Full).bytes;
    let (read, rows) = decode_rows(&bytes, Strictness::Strict).unwrap();
    assert_eq!((read, rows.as_slice()), (window, &screen.rows[..2]));
    let shown = decode(&bytes, Strictness::Strict).unwrap();
    assert!(!shown.cursor.visible);
    assert_eq!((shown.cursor.position.row, shown.scrollback_rows), (0, 46));
}

#[test]
fn more_rows_than_a_screen_has_are_read_as_rows() {
    let rows = vec![row(&[("x", Style::default())]); 70_000];
    let window = SnapshotWindow {
        cols: 2,
        viewport_y: 0,
        cursor_x: 0,
        cursor_y: 69_999,
    };
    let bytes = encode_rows(&rows, window, HeaderLength::Full).bytes;
    assert_eq!(decode_rows(&bytes, Strictness::Strict), Ok((window, rows)));
    let error = decode(&bytes, Strictness::Strict).unwrap_err();
    assert_eq!(error, Vt2Error::Size(SizeError::Rows(70_000)));
}

#[test]
fn sizes_are_refused_before_a_cell_is_read() {
    let claims = [
        (2001, 1),
        (2, MAX_ROWS + 1),
        (2000, 8389),
        (u32::MAX, u32::MAX),
    ];
    for (cols, rows) in claims {
        check_error(cols, rows, "", Vt2Error::TooLarge { cols, rows });
    }
    check_error(0, 5, "", Vt2Error::NoColumns { rows: 5 });
    // Within the limits, memory grows with the input: this header announces 128 MB of cells, but
    // none follow.
    check_error(
        2000,
        8388,
        "",
        Vt2Error::Truncated {
            offset: 28,
            needed: 2,
        },
    );
}

#[test]
fn truncated_input_is_an_error_with_its_offset() {
    assert_eq!(
        decode(b"VT\x02", Strictness::Strict),
        Err(Vt2Error::Truncated {
            offset: 3,
            needed: 1
        })
    );
    let cases = [
        ("61 00 07", 31, 1),
        ("61 00 07 00", 32, 2),
        ("FF", 29, 1),
        ("FF 02 61 00", 32, 2),
        ("40 80 C3", 31, 1),
        ("20 80 41 FF 88", 33, 1),
    ];
    for (cells, offset, needed) in cases {
        check_error(2, 1, cells, Vt2Error::Truncated { offset, needed });
    }
}

#[test]
fn invalid_bytes_are_errors_with_their_offset() {
    let zero = Vt2Error::ZeroCount { offset: 29 };
    check_error(2, 1, "FF 00 61 00 07 00", zero.clone());
    check_error(2, 1, "FE 00", zero);
    let beyond = |count| Vt2Error::PastLastRow {
        offset: 29,
        count,
        rows: 1,
    };
    check_error(2, 1, "FE 02", beyond(2));
    check_error(2, 1, "FF 03 61 00 07 00", beyond(3));
    let within = Vt2Error::WithinRow { offset: 32, col: 1 };
    check_error(2, 2, "61 00 07 00 FE 01", within);
    for value in [0xfe, 0xff] {
        let mark = Vt2Error::Mark { offset: 30, value };
        check_error(2, 2, &format!("FF 02 {value:02x} 01"), mark);
    }
    let no_cell = |value| Vt2Error::FirstByte { offset: 28, value };
    check_error(2, 1, "80 00 07 00 20 00 07 00", no_cell(0x80));
    check_error(2, 1, "41 80 C3 A9 07 00", no_cell(0x41));
    let broken = |value| Vt2Error::Utf8 { offset: 30, value };
    check_error(2, 1, "80 80 ED A0 80 07 00", broken(0xed));
    check_error(2, 1, "00 80 80 07 00", broken(0x80));
    let trailing = Vt2Error::Trailing {
        offset: 30,
        count: 3,
    };
    check_error(2, 1, "FE 01 00 00 00", trailing);
}

#[test]
fn lenient_parsing_accepts_the_first_writers_lengths() {
    // The first writers set a wrong length in the upper two bits of a cell's header.
    for (cells, header, actual, text) in [
        ("A0 80 41 FF 88 00 00", 3, 1, "A\n"),
        ("C0 80 C3 A9 07 00", 4, 2, "é\n"),
    ] {
        let error = Vt2Error::Length {
            offset: 28,
            value: hex(cells)[0],
            header,
            actual,
        };
        let cells = format!("{cells} 20 00 07 00");
        check_error(2, 1, &cells, error);
        let bytes = [self::header(2, 1), hex(&cells)].concat();
        assert_eq!(decode(&bytes, Strictness::Lenient).unwrap().text(), text);
    }
}

#[test]
fn lenient_parsing_fills_missing_cells_with_blanks() {
    let bytes = [header(3, 3), hex("61 00 07 00 62 00 07 00")].concat();
    assert_eq!(decode(&bytes, Strictness::Lenient).unwrap().text(), "ab\n");
    // An incomplete cell is still an error, and so are bytes after the last cell.
    let cut = Vt2Error::Truncated {
        offset: 37,
        needed: 1,
    };
    let bytes = [bytes, vec![0x63]].concat();
    assert_eq!(decode(&bytes, Strictness::Lenient), Err(cut));
    let bytes = [header(2, 1), hex("FE01 20000700")].concat();
    let trailing = Vt2Error::Trailing {
        offset: 30,
        count: 4,
    };
    assert_eq!(decode(&bytes, Strictness::Lenient), Err(trailing));
}

#[test]
fn every_screen_round_trips_as_its_reduction() {
    for seed in 0..rounds() {
        let screen = Random::new(seed).screen();
        let reduced = reduce(&screen);
        for header in [HeaderLength::Full, HeaderLength::Short] {
            let bytes = encode(&screen, header).bytes;
            let read = decode(&bytes, Strictness::Strict);
            assert_eq!(read.as_ref(), Ok(&reduced), "seed {seed}");
            assert_eq!(encode(&reduced, header).bytes, bytes, "seed {seed}");
            assert_eq!(decode(&bytes, Strictness::Lenient), read, "seed {seed}");
        }
    }
}

#[test]
fn grapheme_clusters_keep_their_columns() {
    for screen in crate::screen::cluster::tests::screens() {
        let bytes = encode(&screen, HeaderLength::Full).bytes;
        let read = decode(&bytes, Strictness::Strict).unwrap();
        assert_eq!(
            read.rows[0].len(),
            screen.rows[0].len(),
            "{}",
            screen.text()
        );
        assert_eq!(read, reduce(&screen));
    }
}

#[test]
fn damaged_snapshots_and_random_bytes_never_panic() {
    let mut random = Random::new(11);
    for _ in 0..rounds() {
        let bytes = encode(&random.screen(), HeaderLength::Full).bytes;
        let damaged = random.damage(&bytes);
        let len = random.below(200);
        // Bytes with a meaning in the format get further than random ones.
        let meaningful =
            (0..len).map(|_| *random.pick(b"a \x00\x01\x03\x07\x40\x80\xc3\xa9\xfe\xff"));
        let noise = [header(4, 4), meaningful.collect()].concat();
        let len = random.below(64);
        for bytes in [damaged, noise, random.bytes(len)] {
            for reading in [Strictness::Strict, Strictness::Lenient] {
                if let Ok(screen) = decode(&bytes, reading) {
                    assert_eq!(screen.rows.len(), usize::from(screen.size.rows));
                    assert!(
                        screen
                            .rows
                            .iter()
                            .all(|row| row.len() <= usize::from(screen.size.cols))
                    );
                }
                let _ = decode_rows(&bytes, reading);
            }
        }
    }
}
