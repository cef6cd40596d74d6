//! `impersonate`: plays a recorded program in a terminal and through pipes, and rejects other
//! input.

use std::fs;
use std::path::Path;
use std::time::Duration;

use screentest::core::Size;
use screentest::core::formats::cassette::Manifest;
use screentest::recording::RecordOptions;
use screentest::session::SessionOptions;
use screentest::{App, ExitStatus, Session, Signal};

use crate::harness::cli::{Folder, TOOL, run, run_after_setup, run_with};

const SOON: Duration = Duration::from_secs(20);
const SIZE: Size = Size { cols: 60, rows: 12 };

fn options() -> SessionOptions {
    SessionOptions {
        size: SIZE,
        grace: SOON,
        ..SessionOptions::default()
    }
}

/// Records a shell script while `drive` sends its input.
#[track_caller]
fn record(folder: &Folder, script: &str, drive: impl FnOnce(&Session)) -> String {
    let path = folder.join("x.cassette");
    let recorded = options().record(RecordOptions::new(&path).keep_keys());
    let app = App::new("sh").args(["-c", script]).hermetic();
    let session = Session::start(&app, recorded).unwrap();
    drive(&session);
    session.close().unwrap();
    session.finish_recording().unwrap().unwrap();
    path
}

/// Starts `impersonate` with these arguments in a terminal.
#[track_caller]
fn play(words: &[&str]) -> Session {
    let app = App::new(TOOL).arg("impersonate").args(words);
    Session::start(&app, options()).unwrap()
}

const GREETING: &str = "printf 'name? '; read a; echo \"hello $a\"; read b; exit 3";

fn drive(session: &Session) {
    session.wait_for("name?", SOON).unwrap();
    session.type_text("Bob\r").unwrap();
    session.wait_for("hello Bob", SOON).unwrap();
    session.press("Enter").unwrap();
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(3));
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

#[test]
fn driver_works_with_the_recorded_program() {
    let folder = Folder::new();
    let path = record(&folder, GREETING, drive);
    for chunks in ["original", "bytes", "coalesced", "random", "random:7"] {
        drive(&play(&["--chunks", chunks, &path]));
    }
    for pace in ["real", "1000"] {
        drive(&play(&["--pace", pace, &path]));
    }
}

#[test]
fn recorded_vim_works_with_the_same_driver() {
    let folder = Folder::new();
    let words = "exec vim -u NONE -N -i NONE -n --cmd 'set ttimeout ttimeoutlen=50'";
    let drive = |session: &Session| {
        session.wait_for("VIM - Vi IMproved", SOON).unwrap();
        session.type_text("ihello").unwrap();
        session.wait_for("hello", SOON).unwrap();
        session.press("Esc").unwrap();
        session.type_text(":q!\r").unwrap();
        assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
        assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
    };
    let large = SessionOptions {
        size: Size { cols: 80, rows: 24 },
        ..options()
    };
    let path = folder.join("vim.cassette");
    let recorded = large.clone().record(RecordOptions::new(&path).keep_keys());
    let app = App::new("sh").args(["-c", words]).hermetic();
    let session = Session::start(&app, recorded).unwrap();
    drive(&session);
    session.finish_recording().unwrap().unwrap();
    for chunks in ["original", "bytes", "random:3"] {
        let app = App::new(TOOL).args(["impersonate", "--chunks", chunks, &path]);
        drive(&Session::start(&app, large.clone()).unwrap());
    }
}

#[test]
fn stdin_of_a_pipe_is_typed() {
    let folder = Folder::new();
    let path = record(&folder, GREETING, drive);
    let run = run_with(["impersonate", &path], b"Bob\r\r");
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert_eq!(run.stderr, "");
    assert_eq!(
        run.stdout,
        fs::read(Path::new(&path).join("output.raw")).unwrap()
    );
}

#[test]
fn readme_example_works() {
    let readme = crate::harness::cli::project_file("README.md");
    let typed = "echo $((6 * 7))\\nexit\\n";
    for command in ["record -o sum.cassette -- sh", "impersonate sum.cassette"] {
        let line = format!("printf '{typed}' | screentest {command}\n");
        assert!(readme.contains(&line), "{line}");
    }
    let folder = Folder::new();
    let path = folder.join("sum.cassette");
    let typed = b"echo $((6 * 7))\nexit\n";
    let recorded = run_with(["record", "-o", &path, "--", "sh"], typed);
    let played = run_with(["impersonate", &path], typed);
    assert_eq!((played.code, played.stderr.as_str()), (Some(0), ""));
    assert!(String::from_utf8_lossy(&played.stdout).contains("42"));
    assert_eq!(recorded.stdout, played.stdout);
}

#[test]
fn other_input_is_reported_on_the_screen() {
    let folder = Folder::new();
    let path = record(&folder, GREETING, drive);
    let session = play(&[&path]);
    session.wait_for("name?", SOON).unwrap();
    let input = session.input_with(screentest::session::InputOptions::AT_ONCE);
    input.type_text("Bill\r").unwrap();
    assert_eq!(
        session.wait_for_exit(SOON).unwrap(),
        ExitStatus::Exited(125)
    );
    let shown = session.screen().text();
    for words in [
        "screentest: the input differs from the recording\nx.cassette, input 1 of 3, at ",
        "  expected  \"Bob\"\n  received  \"Bill\" Enter (Bill\\r)\n",
    ] {
        assert!(shown.contains(words), "{shown}");
    }
    // Printed once: stderr is the same terminal.
    assert_eq!(shown.matches("the input differs").count(), 1, "{shown}");
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

#[test]
fn other_input_through_a_pipe_is_reported_on_stderr() {
    let folder = Folder::new();
    let path = record(&folder, GREETING, drive);
    for (typed, came) in [
        (b"Bill\r".as_slice(), "\"Bill\" Enter (Bill\\r)"),
        (b"Bo", "\"Bo\" and the end of the input"),
        (b"", "the end of the input"),
    ] {
        let run = run_with(["impersonate", &path], typed);
        assert_eq!(run.code, Some(125), "{}", run.stderr);
        let said = "error: the input differs from the recording\nx.cassette, input 1 of 3, at ";
        assert!(run.stderr.starts_with(said), "{}", run.stderr);
        let expected = format!("  expected  \"Bob\"\n  received  {came}\n");
        assert!(run.stderr.ends_with(&expected), "{}", run.stderr);
    }
}

#[test]
fn other_input_is_reported_once_if_stderr_is_stdout() {
    let folder = Folder::new();
    let path = record(&folder, GREETING, drive);
    let run = run_after_setup("exec 2>&1", ["impersonate", &path]);
    let shown = String::from_utf8_lossy(&run.stdout);
    assert_eq!(run.code, Some(125), "{shown}");
    assert_eq!(shown.matches("the input differs").count(), 1, "{shown}");
}

#[test]
fn options_accept_other_input() {
    let folder = Folder::new();
    let path = record(&folder, GREETING, drive);
    let pattern = run_with(
        ["impersonate", "--pattern", "[A-Z][a-z]+", &path],
        b"Wilhelmina\r\r",
    );
    assert_eq!(pattern.code, Some(3), "{}", pattern.stderr);
    let any = run_with(["impersonate", "--input", "any", &path], b"12345");
    assert_eq!(any.code, Some(3), "{}", any.stderr);
}

#[test]
fn resizes_and_signals_are_matched() {
    let folder = Folder::new();
    let script = "trap 'stty size' WINCH; trap 'echo signalled' USR1; echo ready; until [ \"$a\" = end ]; do read a; done; kill -ABRT $$";
    let drive = |session: &Session| {
        session.wait_for("ready", SOON).unwrap();
        session.resize(Size { cols: 50, rows: 9 }).unwrap();
        session.wait_for("9 50", SOON).unwrap();
        session.signal(Signal::USR1).unwrap();
        session.wait_for("signalled", SOON).unwrap();
        session.type_text("end\r").unwrap();
        let exit_status = session.wait_for_exit(SOON).unwrap();
        assert_eq!(exit_status, ExitStatus::Signaled(Signal::ABRT));
    };
    let path = record(&folder, script, drive);
    drive(&play(&[&path]));
    let session = play(&[&path]);
    session.wait_for("ready", SOON).unwrap();
    session.resize(Size { cols: 33, rows: 9 }).unwrap();
    session.wait_for_exit(SOON).unwrap();
    let shown = session.screen().text();
    assert!(
        shown.contains("expected  a resize to 50x9\n  received  a resize to"),
        "{shown}"
    );
}

#[test]
fn recorded_program_can_be_closed_at_any_time() {
    let folder = Folder::new();
    let script =
        "trap '' TERM; trap 'echo hung up; exit 9' HUP; echo ready; while :; do read a; done";
    let path = record(&folder, script, |session| {
        session.wait_for("ready", SOON).unwrap();
    });
    let session = play(&[&path]);
    session.wait_for("ready", SOON).unwrap();
    session.close().unwrap();
    assert_eq!(session.exit_status(), Some(ExitStatus::Exited(9)));
    let other = Folder::new();
    let path = record(&other, GREETING, drive);
    let session = play(&[&path]);
    session.wait_for("name?", SOON).unwrap();
    session.close().unwrap();
    let by = [Signal::HUP, Signal::TERM].map(|signal| Some(ExitStatus::Signaled(signal)));
    assert!(
        by.contains(&session.exit_status()),
        "{:?}",
        session.exit_status()
    );
}

#[test]
fn unplayable_cassettes_are_rejected_with_a_reason() {
    let folder = Folder::new();
    let path = record(&folder, GREETING, drive);
    let refused = |words: &[&str]| {
        let words = ["impersonate"].iter().chain(words);
        folder.masked(&run(words).failed(2))
    };
    assert_eq!(
        refused(&[&folder.join("no.cassette")]),
        "error: `FOLDER/no.cassette` is not a cassette: there is no such directory\n"
    );
    assert!(
        refused(&["--pattern", "[", &path]).starts_with("error: the pattern `[` cannot be used: ")
    );
    for (words, expected) in [
        (
            ["--chunks", "random:x"],
            "expected original, bytes, coalesced, random, or random:SEED",
        ),
        (
            ["--pace", "-1"],
            "expected collapsed, real, or a number above 0",
        ),
        (
            ["--pace", "NaN"],
            "expected collapsed, real, or a number above 0",
        ),
    ] {
        let said = refused(&[words[0], words[1], &path]);
        assert!(said.contains(expected), "{said}");
    }
    // The terminal has another size than the recording.
    let app = App::new(TOOL).args(["impersonate", &path]);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(2));
    // The message wraps, so it is searched in the screen instead of its rows.
    let screen = session.screen();
    for text in [
        "60x12, but this terminal has 80x24",
        "hint: `--any-size` plays it anyway",
    ] {
        assert!(screen.contains(text), "{screen}");
    }
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());

    let file = Path::new(&path).join("manifest.json");
    let manifest = fs::read(&file).unwrap();
    let mut other = Manifest::parse(&manifest).unwrap();
    other.terminal.emulator.name = "other".to_owned();
    fs::write(&file, other.to_file()).unwrap();
    let said = refused(&[&path]);
    assert!(
        said.starts_with("error: `FOLDER/x.cassette` was recorded with the emulator `other "),
        "{said}"
    );
    assert!(
        said.ends_with("hint: `--any-emulator` plays it anyway\n"),
        "{said}"
    );
    let any = run_with(["impersonate", "--any-emulator", &path], b"Bob\r\r");
    assert_eq!(any.code, Some(3), "{}", any.stderr);

    fs::write(&file, manifest).unwrap();
    let raw = Path::new(&path).join("output.raw");
    fs::write(&raw, fs::read(&raw).unwrap().to_ascii_uppercase()).unwrap();
    let said = refused(&[&path]);
    assert!(
        said.contains("`FOLDER/x.cassette/output.raw` was changed"),
        "{said}"
    );
}
