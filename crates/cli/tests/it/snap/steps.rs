//! Steps of `snap`: order, waits and failures.

use crate::harness::cli::{Run, run};

fn snap(options: &[&str], script: &str) -> Run {
    let mut words = vec!["snap"];
    words.extend(options);
    words.extend(["--", "sh", "-c", script]);
    run(words)
}

/// Prompts for three lines, then prints all of them.
const THREE_LINES: &str =
    "stty -echo; for n in a b c; do printf \"$n? \"; read $n; done; echo; echo \"[$a][$b][$c]\"";

#[test]
fn steps_run_in_the_given_order() {
    let lines = [
        "--wait", "a?", "--type", "one", "--key", "Enter", "--wait", "b?", "--key", "2", "--type",
        "two", "--key", "Enter", "--type", "three", "--key", "Enter", "--wait", "]",
    ];
    assert_eq!(
        snap(&lines, THREE_LINES).text(),
        "a? b? c?\n[one][2two][three]\n"
    );
}

#[test]
fn options_between_steps_keep_their_order() {
    let lines = [
        "--wait",
        "a?",
        "--type",
        "one",
        "--cols",
        "40",
        "--key=Enter",
        "--timeout=20",
        "--type=two",
        "--key",
        "Enter",
        "--rows",
        "5",
        "--key",
        "Enter",
        "--wait",
        "]",
    ];
    assert_eq!(snap(&lines, THREE_LINES).text(), "a? b? c?\n[one][two][]\n");
}

#[test]
fn texts_may_begin_with_a_hyphen() {
    let steps = [
        "--wait", "-?", "--type", "--x", "--key", "-", "--key", "Enter", "--wait", "-x-]",
    ];
    assert_eq!(
        snap(&steps, "stty -echo; printf -- '-?'; read a; echo \"[$a]\"").text(),
        "-?[--x-]\n"
    );
}

#[test]
fn keys_are_sent_in_the_program_encoding() {
    // In application cursor mode, Up is sent as SS3 A.
    let script = r"stty raw -echo; printf '\033[?1hready'; head -c 3 | tr '\033' E";
    assert_eq!(
        snap(&["--wait", "ready", "--key", "Up", "--wait", "EO"], script).text(),
        "readyEOA\n"
    );
}

#[test]
fn screen_of_the_last_wait_is_captured_although_it_is_gone() {
    let script = r"printf first; printf '\033[H\033[2Jsecond'; cat";
    assert_eq!(snap(&["--wait", "first"], script).text(), "first\n");
    assert_eq!(
        snap(&["--wait", "first", "--wait", "second"], script).text(),
        "second\n"
    );
}

#[test]
fn scrollback_of_a_past_screen_excludes_later_rows() {
    // One write, so that everything is read when the wait succeeds.
    let script = r#"printf "$(seq 26)\nmark\033[H\033[2J$(seq 40)\nend"; cat"#;
    let json = snap(&["--wait", "mark", "--format", "json"], script).text();
    assert!(
        json.contains(r#""scrollback_text": "1\n2\n3\n","#),
        "{json}"
    );
    assert!(json.contains("26\\nmark\\n"), "{json}");
}

#[test]
fn stable_step_waits_for_a_stable_screen() {
    let script = "for n in 1 2 3; do printf $n; sleep 0.05; done; cat";
    assert_eq!(snap(&["--stable", "400"], script).text(), "123\n");
}

#[test]
fn blank_screen_is_not_stable() {
    let script = "sleep 0.7; printf late; cat";
    assert_eq!(snap(&["--stable", "100"], script).text(), "late\n");
    // The terminal does not echo Ctrl+Q, which resumes output.
    assert_eq!(snap(&["--key", "Ctrl+Q"], script).text(), "late\n");
}

#[test]
fn unencodable_modifiers_are_noted() {
    let note = |key: &str| snap(&["--key", key, "--wait", "a"], "printf a; cat").stderr;
    assert_eq!(
        note("Ctrl+1"),
        "note: step 1 (`--key \"Ctrl+1\"`): sent as `1`: the terminal cannot send Ctrl with this key\n"
    );
    assert_eq!(
        note("Super+Ctrl+Shift+X"),
        "note: step 1 (`--key \"Super+Ctrl+Shift+X\"`): sent as `Ctrl+X`: the terminal cannot send Shift and Super with this key\n"
    );
    for key in ["Ctrl+X", "Shift+X", "Alt+x", "Ctrl+Shift+Up", "F5"] {
        assert_eq!(note(key), "");
    }
}

#[test]
fn timed_out_wait_reports_the_screen() {
    assert_eq!(
        snap(
            &[
                "--wait",
                "> ",
                "--key",
                "x",
                "--wait",
                "READY",
                "--timeout",
                "1"
            ],
            "printf 'ready\n> '; cat"
        )
        .failed(1),
        "\
error: step 3 (`--wait \"READY\"`): text \"READY\" did not appear within 1s
the last screen (80x24):
  │ ready
  │ > x|
the program is running
the screen last changed <time> ago
closest match: \"ready\" at row 1, column 1
the last inputs:
  at <time>, pressed x
hint: `--timeout S` sets the timeout of each step in seconds
"
    );
}

#[test]
fn wait_fails_at_once_when_the_program_has_ended() {
    assert_eq!(
        snap(&["--wait", "done"], "echo almost; exit 3").failed(1),
        "\
error: step 1 (`--wait \"done\"`): the program ended (exit code 3) before text \"done\" appeared
the last screen (80x24):
  │ almost
  │ |
the program has ended: exit code 3
"
    );
}

#[test]
fn input_to_an_ended_program_fails() {
    assert_eq!(
        snap(&["--stable", "20000", "--key", "q"], "printf bye").failed(1),
        "\
error: step 2 (`--key \"q\"`): the program has ended (exit code 0)
the last screen (80x24):
  │ bye|
the program has ended: exit code 0
"
    );
}

#[test]
fn silent_running_program_fails() {
    assert_eq!(
        snap(&["--timeout", "0.2"], "cat").failed(1),
        "\
error: the program showed nothing within 200ms
the last screen (80x24):
  │ |
the program is running, and has not shown anything
hint: `--wait TEXT` as the last step captures the screen with TEXT; `--timeout S` waits longer
"
    );
}

#[test]
fn never_stable_screen_fails() {
    let said = snap(&["--stable", "900", "--timeout", "1"], "yes").failed(1);
    let first = said.lines().next();
    assert_eq!(
        first,
        Some(
            "error: step 1 (`--stable \"900\"`): a screen unchanged for 900ms did not appear within 1s"
        )
    );
    assert!(said.contains("  │ y\n"), "{said}");
}

#[test]
fn failed_step_writes_no_file() {
    let folder = crate::harness::cli::Folder::new();
    let file = folder.file("kept.txt", "before");
    snap(&["--wait", "x", "--timeout", "0.1", "-o", &file], "cat").failed(1);
    assert_eq!(folder.read("kept.txt"), b"before");
    assert_eq!(folder.names(), ["kept.txt"]);
}

#[test]
fn waits_after_enter_need_new_text() {
    let script = "printf 'name? '; read n; exec sleep 100";
    let steps = ["--wait", "name?", "--type", "Ada", "--key", "Enter"];
    let with = |more: &[&'static str]| [&steps[..], more].concat();
    let said = snap(&with(&["--timeout", "0.2", "--wait", "Ada"]), script).failed(1);
    assert!(said.contains("before Enter (row 1)"), "{said}");
    let hint = "accept it with `--wait-anytime TEXT`";
    assert!(said.contains(hint), "{said}");
    let shown = snap(&with(&["--wait-anytime", "Ada"]), script).text();
    assert_eq!(shown, "name? Ada\n");
}
