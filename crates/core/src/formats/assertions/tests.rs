//! What must hold for every file of assertions: the page's example is read, what is wrong is told with its line, and nothing panics.

use super::*;
use crate::query::selector::Styled;
use crate::random::{Random, rounds};
use crate::{Backend, Size, emulator};

const PAGE: &str = include_str!("../../../../../docs/formats/assertions.md");

const HEAD: &str = "format = \"screentest-assertions\"\nversion = 1\ncassette = \"0123\"\n\
    sha256_of_manifest = \"0000000000000000000000000000000000000000000000000000000000000000\"\n";

/// The first block of the page in this notation.
fn example(notation: &str) -> &'static str {
    let (_, after) = PAGE.split_once(&format!("```{notation}\n")).unwrap();
    after.split_once("```").unwrap().0
}

/// Some assertions behind the usual head, which has four lines.
fn parse(assertions: &str) -> Result<Assertions, AssertionsError> {
    Assertions::parse(&format!("{HEAD}{assertions}"), Notation::Toml)
}

#[track_caller]
fn refused(assertions: &str, told: &str) {
    assert_eq!(parse(assertions).unwrap_err().to_string(), told);
}

#[test]
fn the_example_of_the_page_is_read_the_same_in_both_notations() {
    let toml = Assertions::parse(example("toml"), Notation::Toml).unwrap();
    let mut json = Assertions::parse(example("json"), Notation::Json).unwrap();
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
    assert_eq!(menu.stretch.to_string(), "at mark `drawn`");
    let open = Selector::exact("Open").and(Styled::new().inverse());
    assert_eq!(menu.visible, [Selector::exact("File"), open]);
    let facts: Vec<String> = menu.facts.iter().map(Fact::to_string).collect();
    assert_eq!(
        facts.join(", "),
        "cursor in row 2, cursor in column 1, cursor hidden, cursor a block"
    );
    assert_eq!(
        quit.stretch.to_string(),
        "after mark `asked to quit`, within 1500 ms"
    );
    assert_eq!(by.stretch.to_string(), "by 2000.5 ms");
    assert_eq!(by.reach, Reach::Every);
    assert_eq!(
        between.stretch.to_string(),
        "after mark `drawn`, by mark `asked to quit`"
    );
    assert_eq!(
        (&end.stretch, &end.exit),
        (&Stretch::End, &Some(Exit::Code(0)))
    );
}

#[test]
fn what_is_misspelt_is_told_with_its_line() {
    refused(
        "\n[[assert]]\nvisible = \"a\"\n\n[[assert]]\nvisble = \"b\"\n",
        "line 9: unknown field `visble`: did you mean `visible`?",
    );
    refused(
        "[[assert]]\nmodes = { alternate = true }\n",
        "line 5: unknown field `modes.alternate`: there are `alternate_screen`, `application_cursor`, `application_keypad`, \
         `bracketed_paste`, `focus_events`, `mouse`, `mouse_encoding`, `alternate_scroll`, `kitty_keyboard`, `autowrap`, `origin`, \
         `insert`, `newline`",
    );
    refused(
        "[[assert]]\nvisible = { type = \"regexp\" }\n",
        "line 5: `visible.type` is `regexp`: it is one of `exact`, `regex`, `at`, `within`, `nth`, `styled`",
    );
    refused(
        "[[asserts]]\nvisible = \"a\"\n",
        "line 5: unknown field `asserts`, expected one of `format`, `version`, `cassette`, `sha256_of_manifest`, `assert`",
    );
    let json = "{\"format\":\"screentest-assertions\",\"version\":1,\"cassette\":\"0123\",\n\"sha256_of_manifest\":\
        \"0000000000000000000000000000000000000000000000000000000000000000\",\n\"assert\":[\n{\"visible\":1}]}";
    let told = Assertions::parse(json, Notation::Json).unwrap_err();
    assert_eq!(
        told.to_string(),
        "line 4: `visible` is a number, not a table"
    );
}

#[test]
fn what_would_assert_nothing_is_refused() {
    refused("", "line 1: missing field `assert`");
    refused(
        "[[assert]]\nat = 5\n",
        "line 5: it asserts nothing: give it `visible`, `not_visible`, a fact such as `cursor`, or `exit_code`",
    );
    refused("[[assert]]\nvisible = \"\"\n", "line 5: `visible` is empty");
    refused(
        "[[assert]]\nnot_visible = []\n",
        "line 5: `not_visible` is an empty list, which asserts nothing",
    );
    refused(
        "[[assert]]\nvisible = { type = \"styled\" }\n",
        "line 5: `visible.type` says nothing of a style",
    );
    refused(
        "[[assert]]\nnot_visible = { type = \"regex\", pattern = \"[t]wo\" }\n",
        "line 5: `[t]wo` has signs of a regular expression: `not_visible.syntax` says whether it is one (`full`) or whether they stand for themselves (`light`)",
    );
}

#[test]
fn times_that_do_not_go_together_are_refused() {
    for (fields, told) in [
        (
            "at = 1\nafter = 2",
            "`at` is one moment: it stands without `after`, `by` and `within`",
        ),
        (
            "after = 1\nby = 2\nwithin = 3",
            "`by` and `within` both say when a stretch ends: give one of them",
        ),
        (
            "within = 3",
            "`within` counts from `after`, which is missing",
        ),
        ("at = -1", "`at`: `-1` ms: times are from 0 to a year"),
        (
            "at = true",
            "`at` is true or false, not a time in milliseconds or the name of a mark",
        ),
        (
            "at = 1\nexit_code = 0",
            "how the program ended is asserted at the end, without `at` and `after`, or with `by`",
        ),
    ] {
        let told = format!("line 5: {told}");
        refused(&format!("[[assert]]\nvisible = \"a\"\n{fields}\n"), &told);
    }
}

#[test]
fn each_kind_of_wrong_file_is_told_apart() {
    let told = |from: &str, to: &str| {
        let text = format!("{HEAD}[[assert]]\nvisible = \"a\"\n");
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        Assertions::parse(&changed, Notation::Toml)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        told("version = 1", "version = 2"),
        "version `2`: versions up to 1 are read; a newer screentest may read it"
    );
    assert_eq!(
        told("screentest-assertions", "vcr"),
        "`format` is `vcr`, not `screentest-assertions`"
    );
    assert_eq!(
        told("\"00", "\"0"),
        format!(
            "line 4: `{}` is not a digest: 64 of 0-9 and a-f",
            "0".repeat(63)
        )
    );
    let huge = " ".repeat(MAX_FILE + 1);
    assert_eq!(
        Assertions::parse(&huge, Notation::Json),
        Err(AssertionsError::TooLarge(MAX_FILE + 1))
    );
}

#[test]
fn facts_hold_or_say_what_is_so_instead() {
    let size = Size { cols: 20, rows: 3 };
    let mut emulator = Backend::Alacritty.emulator(size, emulator::Options::default());
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
        let mut failing = assertion.facts.iter().filter(|fact| !fact.holds(&screen));
        let told = failing
            .next()
            .map_or(String::new(), |fact| fact.instead(&screen));
        assert_eq!(told, instead, "{fact}");
        assert_eq!(assertion.met(&screen), instead.is_empty(), "{fact}");
    }
}

#[test]
fn what_is_outside_the_screen_is_neither_there_nor_surely_gone() {
    let screen = Screen::blank(Size { cols: 20, rows: 3 });
    let at = "{ type = \"at\", col = 1, row = 9 }";
    let there = parse(&format!("[[assert]]\nvisible = {at}\n")).unwrap();
    let gone = parse(&format!("[[assert]]\nnot_visible = {at}\n")).unwrap();
    assert!(!there.assertions[0].met(&screen));
    assert!(!gone.assertions[0].clean(&screen));
}

#[test]
fn binding_to_another_recording_changes_nothing_else() {
    let toml = example("toml");
    let digest = Digest::of(b"other");
    for (text, notation) in [(toml, Notation::Toml), (example("json"), Notation::Json)] {
        let bound = rebound(text, notation, "fedc", digest).unwrap();
        let before = Assertions::parse(text, notation).unwrap();
        let after = Assertions::parse(&bound, notation).unwrap();
        assert_eq!((&*after.cassette, after.manifest), ("fedc", digest));
        assert_eq!(after.assertions, before.assertions);
        assert_eq!(bound.lines().count(), text.lines().count());
    }
    let single = HEAD.replace("\"0123\"", "'0123'") + "[[assert]]\nvisible = \"a\"\n";
    let bound = rebound(&single, Notation::Toml, "fedc", digest).unwrap();
    let after = Assertions::parse(&bound, Notation::Toml).unwrap();
    assert_eq!(after.cassette, "fedc");
}

#[test]
fn garbage_is_refused_without_a_panic() {
    let mut random = Random::new(7);
    for notation in ["toml", "json"] {
        let good = example(notation).as_bytes();
        let kind = match notation {
            "toml" => Notation::Toml,
            _ => Notation::Json,
        };
        for _ in 0..rounds() {
            let bytes = random.damage(good);
            let _ = Assertions::parse(&String::from_utf8_lossy(&bytes), kind);
        }
    }
    for deep in ["[", "{\"assert\":[", "{\"a\":"] {
        let _ = Assertions::parse(&deep.repeat(100_000), Notation::Json);
    }
    let deep = format!("{HEAD}a = {}", "[".repeat(100_000));
    assert!(Assertions::parse(&deep, Notation::Toml).is_err());
}
