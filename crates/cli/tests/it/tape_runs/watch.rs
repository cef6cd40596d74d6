//! `--watch`: only changed tapes run again.

use std::time::Duration;

use screentest::core::{Condition, Screen};
use screentest::session::SessionOptions;
use screentest::{App, ExitStatus, Session, Signal, Size};

use super::tapes;
use crate::harness::cli::{Folder, TOOL};

/// Timeout of one wait. Long enough for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A watching run in a terminal that is large enough for all its output.
struct WatchRun {
    session: Session,
}

impl WatchRun {
    fn start(folder: &Folder, words: &[&str]) -> WatchRun {
        let app = App::new(TOOL)
            .args(["run", "--watch", "--fast", "--workers", "1"])
            .args(words)
            .cwd(folder.path())
            .env("SCREENTEST_PROJECT_ROOT", folder.path())
            .unset_env("CI");
        let size = Size {
            cols: 100,
            rows: 200,
        };
        let options = SessionOptions {
            size,
            ..SessionOptions::default()
        };
        WatchRun {
            session: Session::start(&app, options).unwrap(),
        }
    }

    /// Waits for the Nth "watching" note and returns the start of each result line so far.
    #[track_caller]
    fn rounds(&self, count: usize) -> Vec<String> {
        let watching = Condition::new(format!("round {count}"), move |screen: &Screen| {
            screen.text().matches("note: watching ").count() == count
        });
        let screen = self.session.wait_for(watching, TIMEOUT).unwrap();
        let text = screen.text();
        let results = text.lines().filter(|line| {
            let heads = ["passed: ", "failed: ", "error: "];
            heads.iter().any(|head| line.starts_with(head))
        });
        let heads = results.map(|line| line.split(": ").take(2).collect::<Vec<_>>().join(": "));
        heads.collect()
    }
}

#[test]
fn changed_tape_runs_again() {
    let tape = |text: &str| format!("Launch cat\nType '{text}'\nExpect@50ms \"a\"\n");
    let folder = tapes(&[
        ("a.tape", &tape("a")),
        ("b.tape", "Launch cat\nSource part.tape\n"),
        ("part.tape", "Type 'b'\n"),
    ]);
    let watching = WatchRun::start(&folder, &["a.tape", "b.tape"]);
    let mut results = vec!["passed: a.tape", "passed: b.tape"];
    assert_eq!(watching.rounds(1), results);
    // Overwritten in place, as some editors do.
    folder.file("a.tape", tape("x"));
    results.extend([
        "failed: a.tape",
        "error: text \"a\" did not appear within 50ms",
        "error: 1 of 1 tape failed",
    ]);
    assert_eq!(watching.rounds(2), results);
    // Replaced by a rename, as other editors do.
    folder.file("a.new", tape("a"));
    std::fs::rename(folder.join("a.new"), folder.join("a.tape")).unwrap();
    results.push("passed: a.tape");
    assert_eq!(watching.rounds(3), results);
    // A change of a sourced file counts as a change of the tape. A change of an unrelated file does
    // not.
    folder.file("other.txt", "");
    folder.file("part.tape", "Type 'c'\n");
    results.push("passed: b.tape");
    assert_eq!(watching.rounds(4), results);
    // An invalid tape is reported and still watched.
    folder.file("a.tape", "Slep 1\n");
    results.extend(["error: unknown command `Slep`", "error: nothing was run"]);
    assert_eq!(watching.rounds(5), results);
    folder.file("a.tape", tape("a"));
    results.push("passed: a.tape");
    assert_eq!(watching.rounds(6), results);
    watching.session.send(b"\x03").unwrap();
    let ended = watching.session.wait_for_exit(TIMEOUT).unwrap();
    assert_eq!(ended, ExitStatus::Signaled(Signal::INT));
}

#[test]
fn config_change_runs_all_and_new_tapes_are_found() {
    let folder = tapes(&[
        ("a.tape", "Launch cat\nType 'a'\n"),
        ("screentest.toml", "[run]\ntapes = \"*.tape\"\n"),
    ]);
    let watching = WatchRun::start(&folder, &[]);
    let mut results = vec!["passed: a.tape"];
    assert_eq!(watching.rounds(1), results);
    folder.file("b.tape", "Launch cat\nType 'b'\n");
    results.push("passed: b.tape");
    assert_eq!(watching.rounds(2), results);
    folder.file(
        "screentest.toml",
        "[run]\ntapes = \"*.tape\"\nstrict = true\n",
    );
    results.extend(["passed: a.tape", "passed: b.tape"]);
    assert_eq!(watching.rounds(3), results);
}

#[test]
fn replaced_folder_is_still_watched() {
    let folder = tapes(&[]);
    let place = |name: &str| folder.path().join(name);
    // Renamed into place at once, as a checkout may do.
    let make = |name: &str, text: &str| {
        std::fs::create_dir_all(place("made/tests")).unwrap();
        let tape = format!("Launch cat\nType '{text}'\n");
        folder.file("made/tests/a.tape", tape);
        std::fs::rename(
            place(&format!("made/{name}")),
            place(&format!("deep/{name}")),
        )
        .unwrap();
    };
    std::fs::create_dir(place("deep")).unwrap();
    make("tests", "a");
    let watching = WatchRun::start(&folder, &["deep/tests/a.tape"]);
    let mut results = vec!["passed: deep/tests/a.tape"];
    assert_eq!(watching.rounds(1), results);
    // The folder is replaced by another.
    std::fs::rename(place("deep/tests"), place("old")).unwrap();
    make("tests", "b");
    results.push("passed: deep/tests/a.tape");
    assert_eq!(watching.rounds(2), results);
    // The folder is removed and created again.
    std::fs::remove_dir_all(place("deep/tests")).unwrap();
    results.extend([
        "error: `deep/tests/a.tape` cannot be read",
        "error: nothing was run",
    ]);
    assert_eq!(watching.rounds(3), results);
    make("tests", "c");
    results.push("passed: deep/tests/a.tape");
    assert_eq!(watching.rounds(4), results);
    // Its parent folder is renamed away and back.
    std::fs::rename(place("deep"), place("older")).unwrap();
    std::fs::rename(place("older"), place("deep")).unwrap();
    results.push("passed: deep/tests/a.tape");
    assert_eq!(watching.rounds(5), results);
    // Later changes in it are noticed.
    folder.file("deep/tests/a.new", "Launch cat\nType 'd'\n");
    std::fs::rename(place("deep/tests/a.new"), place("deep/tests/a.tape")).unwrap();
    results.push("passed: deep/tests/a.tape");
    assert_eq!(watching.rounds(6), results);
}

#[test]
fn unrelated_file_changes_do_not_delay_a_run() {
    let folder = tapes(&[("a.tape", "Launch cat\nType 'a'\n")]);
    let watching = WatchRun::start(&folder, &["a.tape"]);
    assert_eq!(watching.rounds(1), ["passed: a.tape"]);
    let log = App::new("sh")
        .args(["-c", "while date > log; do echo on; sleep 0.02; done"])
        .cwd(folder.path());
    let log = Session::start(&log, SessionOptions::default()).unwrap();
    log.wait_for(Condition::text("on"), TIMEOUT).unwrap();
    folder.file("a.tape", "Launch cat\nType 'b'\n");
    assert_eq!(watching.rounds(2), ["passed: a.tape"; 2]);
}

#[test]
fn change_during_an_error_runs_after_the_error_is_fixed() {
    let folder = tapes(&[
        ("a.tape", "Launch cat\nType 'a'\n"),
        ("screentest.toml", "[run]\ntapes = \"*.tape\"\n"),
    ]);
    let watching = WatchRun::start(&folder, &["-o", "a.txt"]);
    assert_eq!(watching.rounds(1), ["passed: a.tape"]);
    let refused = |count: usize| {
        let results = Condition::new("one tape only", move |screen: &Screen| {
            let fault = "error: `-o` needs exactly one tape, got 2";
            screen.text().matches(fault).count() >= count
        });
        watching.session.wait_for(results, TIMEOUT).unwrap();
    };
    folder.file("b.tape", "Launch cat\nType 'b'\n");
    refused(1);
    folder.file("a.tape", "Launch cat\nType 'c'\n");
    refused(2);
    std::fs::remove_file(folder.join("b.tape")).unwrap();
    let results = watching.rounds(2);
    assert_eq!(results.last().map(String::as_str), Some("passed: a.tape"));
    assert!(folder.read("a.txt").starts_with(b"c\n"));
}
