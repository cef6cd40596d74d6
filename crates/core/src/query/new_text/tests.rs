use super::*;
use crate::{Backend, Condition, Emulator, Selector, Size, emulator};

fn terminal(scrollback: usize) -> Box<dyn Emulator> {
    let size = Size { cols: 20, rows: 5 };
    let options = emulator::EmulatorOptions {
        scrollback,
        ..emulator::EmulatorOptions::default()
    };
    Backend::Vt.emulator(size, options)
}

/// Checks the matches on the screen after `after` that are new since Enter was pressed on the
/// screen after `before`.
#[track_caller]
fn check(before: &str, after: &str, selector: impl Into<Selector>, found: &[&str]) {
    check_typed(before, "", after, selector, found);
}

#[track_caller]
fn check_typed(
    before: &str,
    typed: &str,
    after: &str,
    selector: impl Into<Selector>,
    found: &[&str],
) {
    let mut emulator = terminal(100);
    emulator.feed(before.as_bytes());
    let clears = emulator.notes().counts.clears;
    let baseline = Baseline::new(emulator.screen())
        .typed(typed)
        .scrollback_limit(100);
    emulator.feed(after.as_bytes());
    let cleared = if emulator.notes().counts.clears == clears {
        ClearState::NotCleared
    } else {
        ClearState::Cleared
    };
    let screen = emulator.screen();
    assert_found(&baseline, &screen, cleared, selector, found);
}

#[track_caller]
fn assert_found(
    baseline: &Baseline,
    screen: &Screen,
    cleared: ClearState,
    selector: impl Into<Selector>,
    found: &[&str],
) {
    let changes = baseline.changes(screen, cleared);
    let selector = selector.into();
    let matches = selector.matches_in(&changes);
    let shown: Vec<String> = matches.iter().map(Match::to_string).collect();
    assert_eq!(shown, found);
    let visible = Condition::visible(selector);
    assert_eq!(visible.holds_in(&changes), !found.is_empty());
}

#[test]
fn the_echo_of_a_command_is_old_and_its_output_is_new() {
    check("$ echo done", "\r\n", "done", &[]);
    check(
        "$ echo done",
        "\r\ndone\r\n$ ",
        "done",
        &["\"done\" at row 2, column 1"],
    );
    check(
        "$ echo done",
        "\r\nno\r\n$ ",
        "$ ",
        &["\"$ \" at row 3, column 1"],
    );
}

#[test]
fn a_row_is_new_when_its_text_changes() {
    check(
        "10%\r\n$ x",
        "\x1b[1;1H20%",
        "%",
        &["\"%\" at row 1, column 3"],
    );
    // Other colours alone do not make a row new.
    check("10%\r\n$ x", "\x1b[1;1H\x1b[31m10%", "%", &[]);
}

#[test]
fn scrolling_does_not_make_a_row_new() {
    let five = "one\r\ntwo\r\nthree\r\nfour\r\n$ go";
    check(five, "\r\nnew\r\n$ ", "o", &[]);
    check(
        five,
        "\r\nfour\r\n$ ",
        "four",
        &["\"four\" at row 4, column 1"],
    );
}

#[test]
fn a_full_scrollback_is_aligned_by_its_text() {
    let check = |after: &str, found: &[&str]| {
        let mut emulator = terminal(3);
        (0..20).for_each(|number| emulator.feed(format!("line {number}\r\n").as_bytes()));
        emulator.feed(b"$ echo done");
        let baseline = Baseline::new(emulator.screen()).scrollback_limit(3);
        emulator.feed(after.as_bytes());
        assert_found(
            &baseline,
            &emulator.screen(),
            ClearState::NotCleared,
            "done",
            found,
        );
    };
    check("\r\n", &[]);
    check("\r\ndone\r\n$ ", &["\"done\" at row 4, column 1"]);
    check(
        "\r\n1\r\n2\r\n3\r\n4\r\ndone",
        &["\"done\" at row 5, column 1"],
    );
}

#[test]
fn a_wrapped_command_line_is_old_in_all_its_rows() {
    let long = "$ echo one two three done";
    check(long, "\r\n", "done", &[]);
    check(
        long,
        "\r\nthree done",
        "three done",
        &["\"three done\" at row 3, column 1"],
    );
}

#[test]
fn an_echo_that_comes_after_enter_is_old() {
    check_typed("$ ", "echo done", "echo done\r\n", "done", &[]);
    check_typed("$ echo", "echo done", " done\r\n", "done", &[]);
    let long = "echo one two three done";
    check_typed("$ ", long, &format!("{long}\r\n"), "done", &[]);
    check_typed(
        "$ ",
        "echo done",
        "echo done\r\ndone\r\n",
        "done",
        &["\"done\" at row 2, column 1"],
    );
    // Text that a program writes after its prompt is not echo.
    check_typed(
        "Name: ",
        "Ada",
        "hello Ada",
        "Ada",
        &["\"Ada\" at row 1, column 13"],
    );
}

#[test]
fn a_line_stays_old_when_a_suggestion_disappears() {
    check("$ make done --all\x1b[6D", "\x1b[K\r\n", "done", &[]);
}

#[test]
fn everything_counts_on_the_alternate_screen() {
    let editor = "\x1b[?1049hSaved\r\n\r\n> Saved";
    let both = [
        "\"Saved\" at row 1, column 1",
        "\"Saved\" at row 3, column 3",
    ];
    check(editor, "", "Saved", &both);
}

#[test]
fn everything_is_new_on_the_other_screen() {
    check(
        "done $ vi",
        "\x1b[?1049h\x1b[Hdone",
        "done",
        &["\"done\" at row 1, column 1"],
    );
    check("\x1b[?1049hdone", "\x1b[?1049l", "done", &[]);
    check(
        "done\x1b[?1049hx",
        "\x1b[?1049l",
        "done",
        &["\"done\" at row 1, column 1"],
    );
}

#[test]
fn rows_redrawn_after_a_clear_are_new() {
    check(
        "$ \r\n$ clear",
        "\x1b[H\x1b[2J$ ",
        "$",
        &["\"$\" at row 1, column 1"],
    );
    // The command line is still there after a pager that clears only its own screen.
    check("$ less done", "\r\n\x1b[?1049hdone\x1b[?1049l", "done", &[]);
}

#[test]
fn a_match_counts_when_one_of_its_rows_is_new() {
    check(
        "one\r\n$ go",
        "\r\ntwo",
        "go\ntwo",
        &["\"go\\ntwo\" at row 2, column 3"],
    );
}

#[test]
fn nth_counts_new_matches_and_relations_use_the_whole_screen() {
    let done = || Selector::exact("done");
    let after = "\r\ndone\r\ndone\r\n";
    check(
        "$ echo done",
        after,
        done().nth(0),
        &["\"done\" at row 2, column 1"],
    );
    check(
        "$ echo done",
        after,
        done().nth(1),
        &["\"done\" at row 3, column 1"],
    );
    // Counted among all visible matches, the last one is new as well.
    check(
        "$ echo done",
        after,
        done().nth(2),
        &["\"done\" at row 3, column 1"],
    );
    check("$ echo done", "\r\n", done().nth(0), &[]);
    check("done\r\n$ echo done", "\r\n", done().nth(1), &[]);
    check("$ echo done", after, done().nth(3), &[]);
    let below = done().below("$ echo").nth(0);
    check(
        "$ echo done",
        after,
        below,
        &["\"done\" at row 2, column 1"],
    );
}

#[test]
fn conditions_on_the_whole_screen_ignore_the_baseline() {
    let mut emulator = terminal(100);
    emulator.feed(b"\x1b]2;shell\x07$ echo done");
    let baseline = Baseline::new(emulator.screen());
    emulator.feed(b"\r\n");
    let screen = emulator.screen();
    let changes = baseline.changes(&screen, ClearState::NotCleared);
    let done = || Condition::text("done");
    for (condition, holds) in [
        (done(), false),
        (!done(), false),
        (Condition::title("shell"), true),
        (Condition::all([Condition::title("shell"), done()]), false),
        (Condition::any([Condition::title("shell"), done()]), true),
        (
            Condition::new("done", |screen| screen.contains("done")),
            true,
        ),
    ] {
        assert_eq!(condition.holds_in(&changes), holds, "{condition}");
    }
    let misses = done().near_misses_in(&changes, &[]);
    let shown: Vec<String> = misses.iter().map(|miss| miss.to_string()).collect();
    let before = "was already on the screen before Enter and did not appear again";
    assert_eq!(shown, [format!("\"done\" at row 1, column 8 {before}")]);
}

#[test]
fn another_width_compares_whole_lines() {
    let mut emulator = terminal(100);
    emulator.feed(b"old line of text\r\n$ echo done");
    let baseline = Baseline::new(emulator.screen());
    emulator.resize(Size { cols: 10, rows: 5 });
    let check = |screen: &Screen, text: &str, found: &[&str]| {
        assert_found(&baseline, screen, ClearState::NotCleared, text, found);
    };
    check(&emulator.screen(), "text", &[]);
    check(&emulator.screen(), "done", &[]);
    emulator.feed(b"\r\ndone");
    check(&emulator.screen(), "done", &["\"done\" at row 5, column 1"]);
}
