//! Tests for assertion files: the page's example parses, errors name their line, and no input
//! panics.

use super::*;
use crate::query::selector::Styled;
use crate::random::{Random, rounds};
use crate::{Backend, Size, emulator};

const PAGE: &str = include_str!("../../../../../docs/formats/assertions.md");

const HEAD: &str = "format = \"screentest-assertions\"\nversion = 1\ncassette = \"0123\"\n\
    sha256_of_manifest = \"0000000000000000000000000000000000000000000000000000000000000000\"\n";

/// Returns the first code block of the page in this syntax.
fn example(notation: &str) -> &'static str {
    let (_, after) = PAGE.split_once(&format!("```{notation}\n")).unwrap();
    after.split_once("```").unwrap().0
}

/// Parses assertions after the usual header, which has four lines.
fn parse(assertions: &str) -> Result<Assertions, AssertionsError> {
    Assertions::parse(&format!("{HEAD}{assertions}"), AssertionsSyntax::Toml)
}

#[track_caller]
fn refused(assertions: &str, message: &str) {
    assert_eq!(parse(assertions).unwrap_err().to_string(), message);
}

#[test]
fn the_pages_examples_in_toml_and_json_are_equal() {
    let toml = Assertions::parse(example("toml"), AssertionsSyntax::Toml).unwrap();
    let mut json = Assertions::parse(example("json"), AssertionsSyntax::Json).unwrap();
    let lines = |all: &Assertions| all.assertions.iter().map(|a| a.line).collect::<Vec<_>>();
    assert_eq!(lines(&toml), [6, 13, 19, 25, 30]);
    assert_eq!(lines(&json), [7, 14, 20, 21, 26]);
    for (json, toml) in json.assertions.iter_mut().zip(&toml.assertions) {
        json.line = toml.line;
    }
    assert_eq!(json, toml);
    let [menu, quit, by, between, end] = &toml.assertions[..] else {
        panic!("{toml:?}");
    };
    assert_eq!(menu.name.as_deref(), Some("the menu is drawn"));
    assert_eq!(menu.frames.to_string(), "at mark `drawn`");
    let open = Selector::exact("Open").and(Styled::new().inverse());
    assert_eq!(menu.visible, [Selector::exact("File"), open]);
    let properties: Vec<String> = menu
        .properties
        .iter()
        .map(ScreenProperty::to_string)
        .collect();
    assert_eq!(
        properties.join(", "),
        "cursor in row 2, cursor in column 1, cursor hidden, cursor a block"
    );
    assert_eq!(
        quit.frames.to_string(),
        "after mark `asked to quit`, within 1500 ms"
    );
    assert_eq!(by.frames.to_string(), "by 2000.5 ms");
    assert_eq!(by.quantifier, Quantifier::Every);
    assert_eq!(
        between.frames.to_string(),
        "after mark `drawn`, by mark `asked to quit`"
    );
    assert_eq!(
        (&end.frames, &end.exit),
        (&FrameRange::End, &Some(ExpectedExit::Code(0)))
    );
}

#[test]
fn unknown_fields_are_errors_with_their_line() {
    refused(
        "\n[[assert]]\nvisible = \"a\"\n\n[[assert]]\nvisble = \"b\"\n",
        "line 9: unknown field `visble`: did you mean `visible`?",
    );
    refused(
        "[[assert]]\nmodes = { alternate = true }\n",
        "line 5: unknown field `modes.alternate`: expected one of `alternate_screen`, `application_cursor`, `application_keypad`, \
         `bracketed_paste`, `focus_events`, `mouse`, `mouse_encoding`, `alternate_scroll`, `kitty_keyboard`, `autowrap`, `origin`, \
         `insert`, `newline`",
    );
    refused(
        "[[assert]]\nvisible = { type = \"regexp\" }\n",
        "line 5: `visible.type` is `regexp`: expected one of `exact`, `regex`, `at`, `within`, `nth`, `styled`, `image`",
    );
    refused(
        "[[asserts]]\nvisible = \"a\"\n",
        "line 5: unknown field `asserts`, expected one of `format`, `version`, `cassette`, `sha256_of_manifest`, `assert`",
    );
    let json = "{\"format\":\"screentest-assertions\",\"version\":1,\"cassette\":\"0123\",\n\"sha256_of_manifest\":\
        \"0000000000000000000000000000000000000000000000000000000000000000\",\n\"assert\":[\n{\"visible\":1}]}";
    let error = Assertions::parse(json, AssertionsSyntax::Json).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 4: `visible` is a number, not a table"
    );
}

#[test]
fn assertions_that_assert_nothing_are_refused() {
    refused("", "line 1: missing field `assert`");
    refused(
        "[[assert]]\nat = 5\n",
        "line 5: the assertion asserts nothing: add `visible`, `not_visible`, a condition such as `cursor`, or `exit_code`",
    );
    refused("[[assert]]\nvisible = \"\"\n", "line 5: `visible` is empty");
    refused(
        "[[assert]]\nnot_visible = []\n",
        "line 5: `not_visible` is an empty list, which asserts nothing",
    );
    refused(
        "[[assert]]\nvisible = { type = \"styled\" }\n",
        "line 5: `visible.type` is `styled`, but no style field is set",
    );
    refused(
        "[[assert]]\nnot_visible = { type = \"regex\", pattern = \"[t]wo\" }\n",
        "line 5: `[t]wo` looks like a regular expression: set `not_visible.syntax` to `full` if it is one, or to `light` if these characters are literal",
    );
}

#[test]
fn invalid_combinations_of_times_are_refused() {
    for (fields, message) in [
        (
            "at = 1\nafter = 2",
            "`at` is a single moment: it cannot be combined with `after`, `by` or `within`",
        ),
        (
            "after = 1\nby = 2\nwithin = 3",
            "`by` and `within` both set the end of the interval: use only one of them",
        ),
        ("within = 3", "`within` requires `after`"),
        ("at = -1", "`at`: `-1` ms is out of range (0 to one year)"),
        (
            "at = true",
            "`at` is true or false, not a time in milliseconds or the name of a mark",
        ),
        (
            "at = 1\nexit_code = 0",
            "`exit_code` and `signal` apply to the end of the recording: use them without `at` and `after`, or with `by`",
        ),
    ] {
        let message = format!("line 5: {message}");
        refused(
            &format!("[[assert]]\nvisible = \"a\"\n{fields}\n"),
            &message,
        );
    }
}

#[test]
fn each_kind_of_invalid_file_has_its_own_error() {
    let message = |from: &str, to: &str| {
        let text = format!("{HEAD}[[assert]]\nvisible = \"a\"\n");
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        Assertions::parse(&changed, AssertionsSyntax::Toml)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        message("version = 1", "version = 2"),
        "unsupported version `2` (expected at most 1); a newer screentest may read it"
    );
    assert_eq!(
        message("screentest-assertions", "vcr"),
        "`format` is `vcr`, not `screentest-assertions`"
    );
    assert_eq!(
        message("\"00", "\"0"),
        format!(
            "line 4: `{}` is not a digest (64 digits, 0-9 and a-f)",
            "0".repeat(63)
        )
    );
    let huge = " ".repeat(MAX_FILE + 1);
    assert_eq!(
        Assertions::parse(&huge, AssertionsSyntax::Json),
        Err(AssertionsError::TooLarge(MAX_FILE + 1))
    );
}

#[test]
fn a_failed_property_reports_the_actual_state() {
    let size = Size { cols: 20, rows: 3 };
    let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
    emulator.feed(b"\x1b]2;shell\x07\x1b[?1049h\x1b[?1000h\x1b[?25l\x1b[5 q\x1b[2;3H");
    let screen = emulator.screen();
    for (fact, instead) in [
        (
            "cursor = { row = 2, col = 3, visible = false, shape = \"bar\" }",
            "",
        ),
        (
            "cursor = { row = 3 }",
            "the cursor is at row 2, column 3, hidden",
        ),
        (
            "cursor = { visible = true }",
            "the cursor is at row 2, column 3, hidden",
        ),
        ("cursor = { shape = \"block\" }", "the cursor is a bar"),
        ("size = { cols = 20, rows = 3 }", ""),
        ("size = { rows = 4 }", "the size is 20x3"),
        ("title = \"hel\"", ""),
        ("title = \"\"", "the title is \"shell\""),
        (
            "modes = { alternate_screen = true, mouse = \"clicks\", autowrap = true }",
            "",
        ),
        ("modes = { mouse = \"off\" }", "mouse is \"clicks\""),
        ("scrollback_rows = 0", ""),
        ("scrollback_rows = 2", "0 rows have scrolled out"),
    ] {
        let read = parse(&format!("[[assert]]\n{fact}\n")).unwrap();
        let assertion = &read.assertions[0];
        let mut failing = assertion
            .properties
            .iter()
            .filter(|fact| !fact.holds(&screen));
        let found = failing
            .next()
            .map_or(String::new(), |property| property.instead(&screen));
        assert_eq!(found, instead, "{fact}");
        assert_eq!(assertion.met(&screen), instead.is_empty(), "{fact}");
    }
}

#[test]
fn positions_outside_the_screen_fail_both_ways() {
    let screen = Screen::blank(Size { cols: 20, rows: 3 });
    let at = "{ type = \"at\", col = 1, row = 9 }";
    let there = parse(&format!("[[assert]]\nvisible = {at}\n")).unwrap();
    let gone = parse(&format!("[[assert]]\nnot_visible = {at}\n")).unwrap();
    assert!(!there.assertions[0].met(&screen));
    assert!(!gone.assertions[0].clean(&screen));
}

#[test]
fn rebinding_changes_only_the_id_and_the_digest() {
    let toml = example("toml");
    let digest = Digest::of(b"other");
    for (text, notation) in [
        (toml, AssertionsSyntax::Toml),
        (example("json"), AssertionsSyntax::Json),
    ] {
        let bound = rebound(text, notation, "fedc", digest).unwrap();
        let before = Assertions::parse(text, notation).unwrap();
        let after = Assertions::parse(&bound, notation).unwrap();
        assert_eq!((&*after.cassette, after.manifest), ("fedc", digest));
        assert_eq!(after.assertions, before.assertions);
        assert_eq!(bound.lines().count(), text.lines().count());
    }
}

#[test]
fn rebinding_replaces_any_notation_of_the_id_and_no_other_text() {
    let digest = Digest::of(b"other");
    let assert = "[[assert]]\nvisible = [\"0123\", '0123']\n";
    let toml = HEAD.to_owned() + assert;
    let json = example("json");
    let json_id = r#""0123456789abcdef0123456789abcdef""#;
    for (text, id, notation) in [
        (&*toml, "'0123'", AssertionsSyntax::Toml),
        (&*toml, r#""""0123""""#, AssertionsSyntax::Toml),
        (&*toml, r#""\u0030123""#, AssertionsSyntax::Toml),
        (json, r#""a\"b\/""#, AssertionsSyntax::Json),
    ] {
        let old = match notation {
            AssertionsSyntax::Toml => r#""0123""#,
            AssertionsSyntax::Json => json_id,
        };
        let text = text.replacen(old, id, 1);
        let bound = rebound(&text, notation, "fedc", digest).unwrap();
        let before = Assertions::parse(&text, notation).unwrap();
        let after = Assertions::parse(&bound, notation).unwrap();
        assert_eq!((&*after.cassette, after.manifest), ("fedc", digest), "{id}");
        assert_eq!(after.assertions, before.assertions, "{id}");
    }
}

#[test]
fn garbage_is_refused_without_a_panic() {
    let mut random = Random::new(7);
    for notation in ["toml", "json"] {
        let good = example(notation).as_bytes();
        let kind = match notation {
            "toml" => AssertionsSyntax::Toml,
            _ => AssertionsSyntax::Json,
        };
        for _ in 0..rounds() {
            let bytes = random.damage(good);
            let _ = Assertions::parse(&String::from_utf8_lossy(&bytes), kind);
        }
    }
    for deep in ["[", "{\"assert\":[", "{\"a\":"] {
        let _ = Assertions::parse(&deep.repeat(100_000), AssertionsSyntax::Json);
    }
    let deep = format!("{HEAD}a = {}", "[".repeat(100_000));
    assert!(Assertions::parse(&deep, AssertionsSyntax::Toml).is_err());
}

#[test]
fn images_are_asserted_by_place_size_and_hash() {
    let image = |fields: &str| {
        let assertions = parse(&format!(
            "[[assert]]\nvisible = {{ type = \"image\"{fields} }}"
        ));
        assertions.map(|all| all.assertions[0].visible[0].to_string())
    };
    assert_eq!(image("").unwrap(), "image");
    assert_eq!(
        image(
            ", kind = \"kitty\", hash = \"3FA4\", row = 2, col = 5, \
             cells = { cols = 6, rows = 2 }, pixels = { width = 48, height = 32 }"
        )
        .unwrap(),
        "kitty image 3fa4 at row 2, column 5 of 6x2 cells and 48x32 pixels"
    );
    for (fields, message) in [
        (
            ", kind = \"png\"",
            "`visible.kind` is `png`: expected one of `sixel`, `kitty`, `iterm`",
        ),
        (
            ", hash = \"x\"",
            "`x` is not the hash of an image: expected 4 to 64 hexadecimal digits",
        ),
        (", row = 2", "`visible.col` is missing"),
        (", cells = { cols = 6 }", "`visible.cells.rows` is missing"),
        (
            ", pixels = { width = 48, height = 0 }",
            "`visible.pixels.height` is 0: expected 1 to 10000",
        ),
        (
            ", pixel = 3",
            "unknown field `visible.pixel`: did you mean `pixels`?",
        ),
    ] {
        let error = image(fields).unwrap_err().to_string();
        assert_eq!(error, format!("line 5: {message}"));
    }
}
