//! Progress in a terminal: one bar per running tape, removed at the end.

use std::time::Duration;

use screentest::core::{Condition, Screen};
use screentest::session::SessionOptions;
use screentest::{App, ExitStatus, Session, Signal};

use super::{mask_durations, tapes};
use crate::harness::cli::{Folder, TOOL, command_in};

/// Timeout of one wait. Long enough for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Two tapes that run until the file `go` exists.
fn two_running_tapes() -> Folder {
    let slow = "Launch sh -c 'echo here; until test -e go; do sleep 0.01; done; echo gone; cat'\nExpect 'here'\nExpect@20s 'gone'\n";
    tapes(&[("first.tape", slow), ("second.tape", slow)])
}

fn start_run(folder: &Folder, words: &[&str]) -> Session {
    let app = App::new(TOOL)
        .args(["run", "--workers", "2"])
        .args(words)
        .args(["first.tape", "second.tape"])
        .cwd(folder.path())
        .env("SCREENTEST_PROJECT_ROOT", folder.path())
        .unset_env("CI");
    Session::start(&app, SessionOptions::default()).unwrap()
}

#[track_caller]
fn shows(session: &Session, words: &'static [&'static str]) -> Screen {
    let shown = Condition::new(format!("{words:?}"), move |screen: &Screen| {
        words.iter().all(|word| screen.contains(word))
    });
    session.wait_for(shown, TIMEOUT).unwrap()
}

#[test]
fn each_running_tape_has_a_progress_bar() {
    let folder = two_running_tapes();
    let session = start_run(&folder, &[]);
    let screen = shows(
        &session,
        &["first.tape ", "second.tape ", "1 of 2 Expect@20s"],
    );
    assert_eq!(screen.text().lines().count(), 2, "{screen}");
    // The bars are aligned.
    let text = screen.text();
    let bars = text
        .lines()
        .map(|line| line.chars().position(|c| "█░".contains(c)));
    assert_eq!(bars.collect::<Vec<_>>(), [Some(12); 2], "{text}");
    folder.file("go", "");
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(0)
    );
    let text = mask_durations(&session.screen().text());
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "note: 2 passed in T s",
            "passed: first.tape: 2 steps, T s",
            "passed: second.tape: 2 steps, T s",
        ]
    );
}

#[test]
fn line_reporter_shows_one_progress_line() {
    let folder = two_running_tapes();
    let session = start_run(&folder, &["--reporter", "line"]);
    let screen = shows(&session, &["  0 of 2 "]);
    assert_eq!(screen.text().lines().count(), 1, "{screen}");
    folder.file("go", "");
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(0)
    );
    let text = mask_durations(&session.screen().text());
    assert_eq!(text, "note: 2 passed in T s\n");
}

#[test]
fn quiet_run_shows_no_progress() {
    let folder = two_running_tapes();
    folder.file("go", "");
    let session = start_run(&folder, &["--quiet"]);
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(0)
    );
    let text = mask_durations(&session.screen().text());
    assert_eq!(text, "note: 2 passed in T s\n");
    let drawn = session.output_tail().bytes;
    let drawn = String::from_utf8_lossy(&drawn);
    assert!(!drawn.contains(".tape"), "{drawn:?}");
}

#[test]
fn interrupt_while_writing_pictures_leaves_no_output_and_no_file() {
    // Writing these pictures takes far longer than an interrupted run may take to clean up.
    let long = "Output frames/\nSet Width 1600\nSet Height 1200\nLaunch cat\nType 'a'\nSleep 20m\n";
    let folder = tapes(&[("long.tape", long)]);
    std::fs::create_dir(folder.path().join("passing")).unwrap();
    let app = App::new(TOOL)
        .args(["run", "--fast", "long.tape"])
        .cwd(folder.path())
        .env("SCREENTEST_PROJECT_ROOT", folder.path())
        .env("TMPDIR", folder.path().join("passing"))
        .unset_env("CI");
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    shows(&session, &["writing frames/"]);
    session.send(b"\x03").unwrap();
    let ended = session.wait_for_exit(TIMEOUT).unwrap();
    assert_eq!(ended, ExitStatus::Signaled(Signal::INT));
    let text = mask_durations(&session.screen().text());
    assert_eq!(
        text,
        "stopped: long.tape: 2 of 2 steps, T s\nnote: 1 stopped in T s\n"
    );
    assert_eq!(folder.names(), ["long.tape", "passing"]);
    let left = std::fs::read_dir(folder.path().join("passing")).unwrap();
    assert_eq!(left.count(), 0);
}

/// Runs a program in a terminal, closes the terminal when a word appears, and prints the program's
/// exit status.
const CLOSES_TERMINAL: &str = "
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shown = b''
while sys.argv[1].encode() not in shown:
    shown += os.read(terminal, 4096)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

#[test]
fn report_is_written_when_the_terminal_closes() {
    let folder = two_running_tapes();
    let words = ["run", "--reporter", "list", "--reporter", "json=r.json"];
    let words = [
        &["-c", CLOSES_TERMINAL, "Expect@20s", TOOL],
        &words[..],
        &["first.tape", "second.tape"],
    ];
    let ended = command_in(folder.path(), "python3", words.concat());
    assert_eq!(ended, "-1\n");
    let report: serde_json::Value = serde_json::from_slice(&folder.read("r.json")).unwrap();
    assert_eq!(report["tapes"][1]["status"], "stopped", "{report}");
}
