use serde_json::{Value, json};

use super::*;
use crate::emulator::{self, Backend};
use crate::random::{Random, rounds};
use crate::screen::row::StyleId;
use crate::{Hyperlink, Palette, PaletteEntry, Position, Size};

/// Returns the state after a program wrote `bytes` to a terminal of 10 columns and 4 rows.
fn state(bytes: &str) -> State {
    let size = Size { cols: 10, rows: 4 };
    let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
    emulator.feed(bytes.as_bytes());
    emulator.state(100)
}

fn options() -> StateJsonOptions {
    StateJsonOptions {
        theme: Theme {
            bg: Rgb::hex(0x102040),
            ..Theme::SCREENTEST
        },
        ..StateJsonOptions::default()
    }
}

fn written(state: &State) -> Value {
    serde_json::from_str(&StateJson::from_state(state, &options()).to_string()).unwrap()
}

/// Checks the spans and styles that are written for a screen, and that they read back as the
/// screen, reduced to what the format stores.
#[track_caller]
#[expect(
    clippy::needless_pass_by_value,
    reason = "each test gives its values once, and they read as data"
)]
fn check(bytes: &str, viewport: Value, styles: Value) {
    let state = state(bytes);
    let json = written(&state);
    assert_eq!(json["viewport"], viewport);
    assert_eq!(json.get("styles").cloned().unwrap_or(json!([])), styles);
    let read = StateJson::parse(json.to_string()).unwrap();
    assert_eq!(read, reduce(&state, &options()));
}

/// A minimal valid file, for tests that change one thing.
fn file() -> Value {
    json!({
        "size": [10, 4],
        "total_rows": 4,
        "scrollback_rows": 0,
        "cursor": { "x": 0, "y": 0, "visible": true },
        "default_style": { "fg": "#dddddd", "bg": "#102040" },
        "viewport_text": "",
        "scrollback_text": "",
        "viewport": [],
        "scrollback": [],
    })
}

fn changed(place: &str, value: Value) -> Value {
    let mut file = file();
    match file.pointer_mut(place) {
        Some(old) => *old = value,
        None => file[place.trim_start_matches('/')] = value,
    }
    file
}

#[track_caller]
fn check_error(file: &Value, message: &str) {
    let error = StateJson::parse(file.to_string()).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_whole_file() {
    let state = state("one\r\n\r\n\x1b[1mthree\x1b[m\r\n\x1b]2;demo\x07\x1b[34mok\x1b[m x\r\nlast");
    let text = StateJson::from_state(&state, &options()).to_string();
    assert_eq!(
        text,
        r##"{
  "size": [
    10,
    4
  ],
  "total_rows": 5,
  "scrollback_rows": 1,
  "title": "demo",
  "cursor": {
    "x": 4,
    "y": 3,
    "visible": true
  },
  "default_style": {
    "fg": "#dddddd",
    "bg": "#102040"
  },
  "styles": [
    {
      "bold": true
    },
    {
      "fg": "#8056ff"
    }
  ],
  "viewport_text": "\nthree\nok x\nlast\n",
  "scrollback_text": "one\n",
  "viewport": [
    [],
    [
      [
        "three",
        0
      ]
    ],
    [
      [
        "ok",
        1
      ],
      " x"
    ],
    [
      "last"
    ]
  ],
  "scrollback": [
    [
      "one"
    ]
  ]
}"##
    );
    assert_eq!(StateJson::parse(&text).unwrap(), reduce(&state, &options()));
}

#[test]
fn a_blank_screen_has_empty_texts_and_no_styles() {
    let mut empty = file();
    assert_eq!(written(&state("")), empty);
    // The title and the directory are present only if they are not empty.
    empty["title"] = json!("t");
    empty["working_directory"] = json!("/tmp");
    assert_eq!(written(&state("\x1b]2;t\x07\x1b]7;file:///tmp\x07")), empty);
}

#[test]
fn adjacent_cells_with_one_style_are_one_span() {
    check(
        "\x1b[38;2;90;86;224m> \x1b[mecho",
        json!([[["> ", 0], "echo"]]),
        json!([{"fg": "#5a56e0"}]),
    );
}

#[test]
fn only_blank_rows_at_the_end_are_omitted() {
    check("a\r\n\r\nb\r\n", json!([["a"], [], ["b"]]), json!([]));
    assert_eq!(
        written(&state("a\r\n\r\nb\r\n"))["viewport_text"],
        "a\n\nb\n"
    );
}

#[test]
fn every_attribute_has_its_field() {
    for (sgr, style) in [
        ("1", json!({"bold": true})),
        ("3", json!({"italic": true})),
        ("2", json!({"faint": true})),
        ("5", json!({"blink": true})),
        ("6", json!({"blink": true})),
        ("8", json!({"invisible": true})),
        ("9", json!({"strikethrough": true})),
        ("53", json!({"overline": true})),
        ("4", json!({"underline": "single"})),
        ("4:2", json!({"underline": "double"})),
        ("4:3", json!({"underline": "curly"})),
        ("4:4", json!({"underline": "dotted"})),
        ("4:5", json!({"underline": "dashed"})),
        ("41", json!({"bg": "#d74e6f"})),
        ("38;5;196", json!({"fg": "#ff0000"})),
        ("48;2;40;70;100", json!({"bg": "#284664"})),
    ] {
        check(
            &format!("\x1b[{sgr}mx"),
            json!([[["x", 0]]]),
            json!([style]),
        );
    }
}

#[test]
fn the_keys_of_a_style_have_a_fixed_order() {
    let style = StyleJson {
        fg: Some(Rgb::hex(1)),
        bg: Some(Rgb::hex(2)),
        bold: true,
        italic: true,
        faint: true,
        blink: true,
        inverse: true,
        invisible: true,
        strikethrough: true,
        overline: true,
        underline: Underline::Curly,
    };
    assert_eq!(
        serde_json::to_string(&style).unwrap(),
        r##"{"fg":"#000001","bg":"#000002","bold":true,"italic":true,"faint":true,"blink":true,"inverse":true,"##
            .to_owned()
            + r##""invisible":true,"strikethrough":true,"overline":true,"underline":"curly"}"##
    );
}

#[test]
fn inverse_colours_are_written_as_displayed_and_read_as_set() {
    check(
        "\x1b[7mx",
        json!([[["x", 0]]]),
        json!([{"fg": "#102040", "bg": "#dddddd", "inverse": true}]),
    );
    check(
        "\x1b[7;31mx",
        json!([[["x", 0]]]),
        json!([{"fg": "#102040", "bg": "#d74e6f", "inverse": true}]),
    );
    let read = StateJson::parse(written(&state("\x1b[7mx")).to_string()).unwrap();
    let style = *read.screen.cell(Position::default()).style;
    let expected = Style {
        attributes: Attributes::INVERSE,
        ..Style::default()
    };
    assert_eq!(style, expected);
}

#[test]
fn rgb_colours_are_never_looked_up_in_the_palette() {
    // The first equals the theme's red, the second colour 16 of the palette; both are written
    // unchanged.
    check(
        "\x1b[38;2;215;78;111mr\x1b[38;2;0;0;0mb",
        json!([[["r", 0], ["b", 1]]]),
        json!([{"fg": "#d74e6f"}, {"fg": "#000000"}]),
    );
}

#[test]
fn a_colour_equal_to_the_default_is_written_as_default() {
    check(
        "\x1b[38;2;221;221;221;48;2;16;32;64mx  ",
        json!([["x"]]),
        json!([]),
    );
}

#[test]
fn visible_spaces_at_the_end_of_a_row_are_kept() {
    let background = json!([{"bg": "#d74e6f"}]);
    check("x\x1b[41m  ", json!([["x", ["  ", 0]]]), background.clone());
    check("x\r\n\x1b[41m  ", json!([["x"], [["  ", 0]]]), background);
    // They are not text, so the text fields may have fewer rows.
    let json = written(&state("x\r\n\x1b[41m  "));
    assert_eq!(json["viewport_text"], "x\n");
    let underline = json!([{"underline": "single"}]);
    check("\x1b[4m  ", json!([[["  ", 0]]]), underline);
}

#[test]
fn invisible_styles_of_spaces_are_not_in_the_table() {
    check(
        "\x1b[31m   \x1b[32mx\x1b[33m  ",
        json!([[["   ", 0], ["x", 1]]]),
        json!([
            {"fg": "#d74e6f"},
            {"fg": "#31bb71"},
        ]),
    );
    check("\x1b[1;31m  ", json!([]), json!([]));
}

#[test]
fn a_wide_character_is_written_once() {
    check("界X", json!([["界X"]]), json!([]));
    check(
        "日\x1b[1m本\x1b[mx",
        json!([["日", ["本", 0], "x"]]),
        json!([{"bold": true}]),
    );
}

#[test]
fn combining_characters_stay_with_their_base() {
    check(
        "e\u{301}X\x1b[1m界\u{301}",
        json!([["e\u{301}X", ["界\u{301}", 0]]]),
        json!([{"bold": true}]),
    );
}

#[test]
fn other_space_characters_are_text() {
    check("a\u{a0}\u{3000}", json!([["a\u{a0}\u{3000}"]]), json!([]));
}

#[test]
fn unusual_widths_keep_later_cells_in_their_columns() {
    let mut builder = RowBuilder::new();
    let mut row = |text: &str, width| {
        builder.push_cluster(text, width, StyleId::PLAIN, LinkId::NONE);
        builder.push('x', StyleId::PLAIN, LinkId::NONE);
        Arc::new(builder.finish())
    };
    for (text, width, written) in [
        ("❤\u{fe0f}", Width::Wide, "❤\u{fe0f} x"),
        ("界", Width::Narrow, "\u{fffd}x"),
        ("\u{301}", Width::Narrow, " \u{301}x"),
        ("\u{7}", Width::Narrow, " x"),
        ("👩\u{200d}🚀", Width::Wide, "👩\u{200d}x"),
    ] {
        let mut state = state("");
        state.screen.rows[0] = row(text, width);
        let json = self::written(&state);
        assert_eq!(json["viewport"], json!([[written]]));
        let read = StateJson::parse(json.to_string()).unwrap();
        let last = state.screen.rows[0].len() - 1;
        assert_eq!(read.screen.rows[0].cell(last).char(), 'x');
        assert_eq!(read.screen.rows[0].len(), last + 1);
    }
}

#[test]
fn styles_of_the_viewport_are_numbered_first() {
    let state = state("\x1b[31mtop\r\n\x1b[32m2\r\n3\r\n4\r\n\x1b[33m5");
    let json = written(&state);
    assert_eq!(
        json["styles"],
        json!([{"fg": "#31bb71"}, {"fg": "#d3e561"}, {"fg": "#d74e6f"}])
    );
    assert_eq!(json["scrollback"], json!([[["top", 2]]]));
}

#[test]
fn blank_scrollback_rows_next_to_the_viewport_round_trip() {
    let state = state("a\r\n\r\n\r\nb\r\nc\r\nd\r\ne");
    let json = written(&state);
    assert_eq!(
        (&json["scrollback"], &json["scrollback_rows"]),
        (&json!([["a"]]), &json!(3))
    );
    assert_eq!(json["scrollback_text"], "a\n");
    let read = StateJson::parse(json.to_string()).unwrap();
    assert_eq!(read.scrollback.len(), 3);
    assert_eq!(read, reduce(&state, &options()));
}

#[test]
fn the_newest_scrollback_rows_are_written_up_to_the_limit() {
    let state = state("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7");
    for (limit, scrollback) in [
        (0, json!([])),
        (2, json!([["2"], ["3"]])),
        (9, json!([["1"], ["2"], ["3"]])),
    ] {
        let options = StateJsonOptions {
            scrollback: limit,
            ..options()
        };
        let file = StateJson::from_state(&state, &options);
        assert_eq!(serde_json::to_value(&file.scrollback).unwrap(), scrollback);
        assert_eq!(file.scrollback_rows, file.scrollback.len());
        assert_eq!(file.total_rows, file.scrollback.len() + 4);
        assert_eq!(
            StateJson::parse(file.to_string()).unwrap(),
            reduce(&state, &options)
        );
    }
}

#[test]
fn the_alternate_screen_has_no_scrollback() {
    let mut state = state("1\r\n2\r\n3\r\n4\r\n5");
    assert_eq!(written(&state)["scrollback_rows"], 1);
    state.screen.modes.alternate_screen = true;
    let json = written(&state);
    assert_eq!(
        (&json["scrollback_rows"], &json["total_rows"]),
        (&json!(0), &json!(4))
    );
    assert_eq!(json["scrollback"], json!([]));
}

#[test]
fn the_cursor_is_counted_from_zero_in_the_viewport() {
    let json = written(&state("1\r\n2\r\n3\r\n4\r\n55\x1b[?25l"));
    assert_eq!(json["cursor"], json!({"x": 2, "y": 3, "visible": false}));
    // With a pending wrap the cursor is still on the last column.
    let json = written(&state("0123456789"));
    assert_eq!(json["cursor"], json!({"x": 9, "y": 0, "visible": true}));
    let after = changed("/cursor/x", json!(10));
    let read = StateJson::parse(after.to_string()).unwrap();
    assert_eq!(read.screen.cursor.position.col, 9);
}

#[test]
fn links_and_underline_colours_are_lost() {
    let state = state("\x1b]8;;https://example.org/\x1b\\ab\x1b]8;;\x1b\\\x1b[58;5;1mc");
    let link: Option<&Hyperlink> = state.screen.cell(Position::default()).link;
    assert!(link.is_some());
    let json = written(&state);
    assert_eq!(json["viewport"], json!([["abc"]]));
}

#[test]
fn spaces_after_wide_characters_are_text_unless_the_row_is_too_wide() {
    let cells = |row: &str| {
        let file = changed("/viewport", json!([[row]]));
        StateJson::parse(file.to_string()).map(|state| state.screen.rows[0].text().to_owned())
    };
    // 9 columns: the row fits, so the space is read as text of the program.
    assert_eq!(cells("界 abcdef").unwrap(), "界 abcdef");
    // 14 and 13 columns: the rows do not fit, so one space after each wide character is read as the
    // character's second column. Then they have 10 columns.
    assert_eq!(cells("日 本 日 本 日").unwrap(), "日本日本日");
    assert_eq!(cells("日 本  a日\u{301} 本").unwrap(), "日本 a日\u{301}本");
    // 14 columns, but some wide characters have no space after them. So the spaces are text, and
    // the row is too wide.
    let error = cells("日本 日本 日本").unwrap_err().to_string();
    assert_eq!(
        error,
        "`viewport[0]` is `14` columns wide, but the screen has 10 columns"
    );
}

#[test]
fn combining_characters_join_across_spans() {
    let mut file = changed("/viewport", json!([["\u{301}a", ["\u{302}b", 0]]]));
    file["styles"] = json!([{"bold": true}]);
    let read = StateJson::parse(file.to_string()).unwrap();
    let row = &read.screen.rows[0];
    assert_eq!(row.text(), " \u{301}a\u{302}b");
    assert_eq!(row.len(), 3);
    assert!(!row.cell(1).style.is(Attributes::BOLD));
}

#[test]
fn unknown_fields_are_ignored_and_optional_ones_may_be_absent() {
    let mut file = changed("/version", json!({"major": 3}));
    for name in [
        "total_rows",
        "viewport_text",
        "scrollback_text",
        "scrollback_rows",
        "scrollback",
    ] {
        file.as_object_mut().unwrap().remove(name);
    }
    file["styles"] =
        json!([{"bold": false, "underline": "none", "glow": 4}, {"underline": "unknown"}]);
    file["viewport"] = json!([[["a", 0], ["b", 1]]]);
    let read = StateJson::parse(file.to_string()).unwrap();
    let cell = |col| *read.screen.rows[0].cell(col).style;
    assert_eq!(
        (cell(0), cell(1).underline),
        (Style::default(), Underline::Single)
    );
}

#[test]
fn errors_name_the_position() {
    let error = StateJson::parse("{\"size\": [1,").unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(error.to_string(), "the text is not JSON");
    assert_eq!(source, "EOF while parsing a value at line 1 column 12");

    check_error(&json!([1]), "`the document` is `[…]`, not an object");
    check_error(&json!({}), "`size` is missing");
    check_error(
        &changed("/size", json!([80])),
        "`size` is `[…]`, not columns and rows",
    );
    check_error(
        &changed("/size/1", json!(-1)),
        "`size[1]` is `-1`, not a whole number of 0 or more",
    );
    check_error(&changed("/size/0", json!(2001)), "invalid `size`");
    check_error(
        &changed("/cursor", json!({"x": 1})),
        "`cursor.y` is missing",
    );
    check_error(
        &changed("/cursor/x", json!(11)),
        "`cursor.x` is `11`, more than the maximum of 10",
    );
    check_error(
        &changed("/cursor/y", json!(4)),
        "`cursor.y` is `4`, more than the maximum of 3",
    );
    check_error(
        &changed("/cursor/visible", json!("yes")),
        "`cursor.visible` is `\"yes\"`, not true or false",
    );
    let message = "`default_style.bg` is `\"navy\"`, not a colour (`#rrggbb`)";
    check_error(&changed("/default_style/bg", json!("navy")), message);
    check_error(
        &changed("/styles", json!([{}, {"bold": 1}])),
        "`styles[1].bold` is `1`, not true or false",
    );
    let message =
        "`styles[0].underline` is `\"wavy\"`, not single, double, curly, dotted, dashed or none";
    check_error(&changed("/styles", json!([{"underline": "wavy"}])), message);
    let message = "`viewport` has `5` rows, but at most 4 are allowed";
    check_error(&changed("/viewport", json!([[], [], [], [], []])), message);
    let message = "`viewport[0][1]` is `7`, not a string, or a string and a style number";
    check_error(&changed("/viewport", json!([["a", 7]])), message);
    let message = "`viewport[1][0][1]` is style `0`, but there are 0 styles";
    check_error(&changed("/viewport", json!([[], [["a", 0]]])), message);
    let message = "`viewport[0][1]` contains the control character `\\u{9}`";
    check_error(&changed("/viewport", json!([["a", "\t"]])), message);
    let message = "`viewport[3]` is `11` columns wide, but the screen has 10 columns";
    check_error(
        &changed("/viewport", json!([[], [], [], ["123456789", "界"]])),
        message,
    );
    let message = "`scrollback` has `100001` rows, but at most 100000 are allowed";
    check_error(
        &changed("/scrollback", json!(vec![json!([]); 100_001])),
        message,
    );
    let message = "`scrollback_rows` is `100001`, more than the maximum of 100000";
    check_error(&changed("/scrollback_rows", json!(100_001)), message);
    // A long value is shortened.
    let long = changed("/default_style/fg", json!("x".repeat(1000)));
    let error = StateJson::parse(long.to_string()).unwrap_err().to_string();
    assert_eq!(
        error.len(),
        "`default_style.fg` is ``, not a colour (`#rrggbb`)".len() + 40 + '…'.len_utf8()
    );
}

#[test]
fn every_state_round_trips_as_its_reduction() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        let state = random.state();
        let options = StateJsonOptions {
            theme: random.pick(&[Theme::DARK, Theme::LIGHT]).clone(),
            scrollback: *random.pick(&[0, 5, 10_000]),
        };
        let text = StateJson::from_state(&state, &options).to_string();
        let reduced = reduce(&state, &options);
        assert_eq!(StateJson::parse(&text).unwrap(), reduced, "seed {seed}");
        let again = StateJson::from_state(&reduced, &options).to_string();
        assert_eq!(again, text, "seed {seed}");
    }
}

#[test]
fn the_text_fields_agree_with_the_rows() {
    for seed in 0..rounds() / 10 {
        let state = Random::new(seed).state();
        let reduced = reduce(&state, &options());
        let file = StateJson::from_state(&state, &options());
        assert_eq!(file.viewport_text, reduced.screen.text(), "seed {seed}");
    }
}

#[test]
fn damaged_files_and_random_bytes_never_panic() {
    let mut random = Random::new(12);
    for _ in 0..rounds() {
        let text = StateJson::from_state(&random.state(), &options()).to_string();
        let damaged = random.damage(text.as_bytes());
        let len = random.below(64);
        for bytes in [damaged, random.bytes(len)] {
            if let Ok(state) = StateJson::parse(&bytes) {
                let size = state.screen.size;
                assert_eq!(state.screen.rows.len(), usize::from(size.rows));
                assert!(state.scrollback.len() <= MAX_SCROLLBACK);
                let mut rows = state.screen.rows.iter().chain(&state.scrollback);
                assert!(rows.all(|row| row.len() <= usize::from(size.cols)));
            }
        }
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = "[".repeat(100_000);
    assert!(matches!(
        StateJson::parse(deep),
        Err(StateJsonError::Syntax(_))
    ));
}

#[test]
fn colours_that_the_program_changed_are_those_that_are_written() {
    let changed = state(
        "\x1b]4;1;#aa0000;200;#00aa00\x07\x1b]10;#eeeeee\x07\x1b]11;#222222\x07\x1b]12;#ff00ff\x07a\x1b[31mb\x1b[48;5;200mc\x1b[0;7md",
    );
    let json = written(&changed);
    assert_eq!(
        json["default_style"],
        json!({ "fg": "#eeeeee", "bg": "#222222" })
    );
    assert_eq!(
        json["viewport"],
        json!([["a", ["b", 0], ["c", 1], ["d", 2]]])
    );
    assert_eq!(
        json["styles"],
        json!([
            { "fg": "#aa0000" },
            { "fg": "#aa0000", "bg": "#00aa00" },
            { "fg": "#222222", "bg": "#eeeeee", "inverse": true },
        ])
    );
    assert_eq!(
        json["palette"],
        json!({ "1": "#aa0000", "200": "#00aa00", "foreground": "#eeeeee", "background": "#222222", "cursor": "#ff00ff" })
    );
    let read = StateJson::parse(json.to_string()).unwrap();
    assert_eq!(read, reduce(&changed, &options()));
    assert_eq!(read.screen.palette, changed.screen.palette);
    // What is displayed counts, and other programs may write other names.
    let mut json = json;
    json["palette"] = json!({ "background": "#999999", "border": "#999999", "01": "#999999" });
    let read = StateJson::parse(json.to_string()).unwrap();
    let background = (PaletteEntry::Background, Rgb::hex(0x222222));
    assert_eq!(read.screen.palette, Palette::from_iter([background]));
    json["palette"] = json!({ "1": "red" });
    let error = StateJson::parse(json.to_string()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`palette.1` is `\"red\"`, not a colour (`#rrggbb`)"
    );
    // A reset colour is that of the theme again.
    let json = written(&state(
        "\x1b]11;#222222\x07\x1b]12;red\x07\x1b]111\x07\x1b]112\x07a",
    ));
    assert_eq!(json["default_style"]["bg"], "#102040");
    assert_eq!(json.get("palette"), None);
}

#[test]
fn an_indexed_colour_equal_to_the_background_is_the_background() {
    let json = written(&state("\x1b]4;4;#102040\x07\x1b[44ma \x1b[m"));
    assert_eq!(json["viewport"], json!([["a"]]));
}

#[test]
fn images_are_listed_and_not_read() {
    let blank = Screen::blank(Size { cols: 9, rows: 4 });
    let screen = Random::new(7).with_images(blank.clone());
    let images = screen.images.iter().take(1).cloned().collect();
    let hash = screen.images[0].image.hash().to_hex();
    let state = |images| State {
        screen: Screen {
            images,
            ..blank.clone()
        },
        scrollback: Vec::new(),
    };
    let options = StateJsonOptions::default();
    let text = StateJson::from_state(&state(images), &options).to_string();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        value["images"],
        json!([
            { "kind": "kitty", "hash": hash, "pixels": [1, 1], "x": -2, "y": -2, "size": [10, 4] }
        ])
    );
    let without = StateJson::from_state(&state(Arc::default()), &options).to_string();
    assert!(!without.contains("images"));
    assert_eq!(
        StateJson::parse(&text).unwrap(),
        StateJson::parse(&without).unwrap()
    );
}
