//! Options and variables that disable auto-wait or set an input delay: `snap` and `run` here, the
//! other interfaces in their own `auto_wait.rs`.
//!
//! The report of a failed wait lists the last inputs and marks each input that was sent before the
//! program was ready. The tests read that report, so they need no clock.

use crate::harness::cli::{Folder, Run, run_in_with_env};

/// Prints "ready", then sleeps without reading input, for longer than any test runs.
pub(crate) const BUSY_SCRIPT: &str = "printf ready; exec sleep 1000";

/// Enables bracketed paste, so that a text arrives in one read, and prints each read.
pub(crate) const READ_LOGGER: &str = r"
import os, tty
tty.setraw(0)
os.write(1, b'\x1b[?2004hready')
while True: os.write(1, ('<%s>' % repr(os.read(0, 99))[2:-1]).encode())
";

/// Returns whether any of the last inputs was sent although the program was not ready.
#[track_caller]
pub(crate) fn last_input_was_late(report: &str) -> bool {
    assert!(report.contains("the last inputs:"), "{report}");
    total_wait_ms(report) > 0.0
}

/// Returns the total milliseconds that the inputs of a report waited for a program that did not
/// become ready.
pub(crate) fn total_wait_ms(report: &str) -> f64 {
    let waits = report.split("(sent after waiting ").skip(1);
    let time = |text: &str| {
        let word = text.split(':').next().unwrap_or_default();
        match word.strip_suffix("ms") {
            Some(millis) => millis.parse::<f64>().unwrap(),
            None => word.trim_end_matches('s').parse::<f64>().unwrap() * 1000.0,
        }
    };
    waits.map(time).sum()
}

fn run_with_auto_wait(folder: &Folder, auto_wait: &str, words: &[&str]) -> Run {
    run_in_with_env(folder, &[("SCREENTEST_AUTO_WAIT", auto_wait)], words)
}

#[test]
fn snap_flag_overrides_environment() {
    for (variable, flag, late) in [
        ("0.3", None, true),
        ("off", None, false),
        ("0.3", Some("--no-auto-wait"), false),
    ] {
        let mut words = vec!["snap"];
        words.extend(flag);
        words.extend(["--wait", "ready", "--key", "x", "--timeout", "1"]);
        words.extend(["--wait", "never", "--", "sh", "-c", BUSY_SCRIPT]);
        let said = run_with_auto_wait(&Folder::new(), variable, &words).failed(1);
        assert_eq!(
            last_input_was_late(&said),
            late,
            "{variable} {flag:?}: {said}"
        );
    }
}

#[test]
fn run_flag_overrides_environment_and_environment_overrides_tape() {
    for (variable, flag, setting, late) in [
        ("0.3", None, "", true),
        ("", None, "Set AutoWait false\n", false),
        ("0.3", None, "Set AutoWait false\n", true),
        ("0.3", Some("--no-auto-wait"), "", false),
    ] {
        let folder = Folder::new();
        let tape = format!(
            "{setting}Launch sh -c '{BUSY_SCRIPT}'\nWait+Screen /ready/\nType 'x'\nExpect@50ms \"never\"\n"
        );
        folder.file("busy.tape", tape);
        let mut words = vec!["run", "--fast"];
        words.extend(flag);
        words.push("busy.tape");
        let said = run_with_auto_wait(&folder, variable, &words).failed(1);
        assert_eq!(
            last_input_was_late(&said),
            late,
            "{variable} {flag:?} {setting}: {said}"
        );
    }
}

#[test]
fn passing_tape_notes_late_input() {
    let folder = Folder::new();
    let tape = format!("Launch sh -c '{BUSY_SCRIPT}'\nWait+Screen /ready/\nType 'xyz'\n");
    folder.file("busy.tape", tape);
    let run = run_with_auto_wait(&folder, "0.3", &["run", "--fast", "busy.tape"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let note = "line 3: input was sent after waiting";
    assert_eq!(run.stderr.matches(note).count(), 1, "{}", run.stderr);
}

#[test]
fn servers_reject_invalid_auto_wait_environment() {
    for words in [
        &["server", "--artifact-dir", "artifacts"][..],
        &["mcp"],
        &["web"],
    ] {
        let said = run_with_auto_wait(&Folder::new(), "banana", words).failed(2);
        assert!(said.contains("SCREENTEST_AUTO_WAIT=banana"), "{said}");
    }
}

#[test]
fn auto_wait_limit_has_the_same_maximum_everywhere() {
    let limit = "`SCREENTEST_AUTO_WAIT=700`: expected `on`, `off`, or a maximum in seconds, up to 600, such as `2.5`";
    let folder = Folder::new();
    folder.file("one.tape", "Type 'x'\n");
    for words in [
        &["snap", "--", "true"][..],
        &["run", "one.tape"],
        &["open", "--", "true"],
    ] {
        let said = run_with_auto_wait(&folder, "700", words).failed(2);
        assert!(said.contains(limit), "{words:?}: {said}");
    }
}

#[test]
fn delay_types_text_character_by_character() {
    for (variable, flag, shown) in [
        ("", None, "ready<abc>\n"),
        ("1", None, "ready<a><b><c>\n"),
        ("1", Some("--delay=0"), "ready<abc>\n"),
        ("", Some("--delay=1"), "ready<a><b><c>\n"),
    ] {
        let mut words = vec!["snap"];
        words.extend(flag);
        words.extend(["--wait", "ready", "--type", "abc", "--wait", "c>"]);
        words.extend(["--", "python3", "-c", READ_LOGGER]);
        let variables = [("SCREENTEST_INPUT_DELAY_MS", variable)];
        let said = run_in_with_env(&Folder::new(), &variables, &words).text();
        assert_eq!(said, shown, "{variable} {flag:?}");
    }
}
