//! `replay`: in a person's terminal, and through a pipe.

use std::time::Duration;

use screentest::{App, Options, Outcome, Session};

use crate::tool::{Folder, TOOL, run};

const SOON: Duration = Duration::from_secs(60);

/// A recording with these events, a second apart.
fn recording(events: &[(&str, &str)]) -> String {
    let lines = events
        .iter()
        .zip(1_000_000_u64..)
        .map(|((direction, line), index)| {
            let time = 1_771_887_600_000_000 + (index - 1_000_000) * 1_000_000;
            let event =
                serde_json::json!({"direction": direction, "line": line, "timestampMicros": time});
            format!("{event}\n")
        });
    lines.collect()
}

const KEY: &str = r#"{"jsonrpc":"2.0","id":1,"method":"sendKey","params":{"key":"Enter"}}"#;

fn demo() -> String {
    recording(&[
        ("frame", "one\nsecond row"),
        ("request", KEY),
        ("response", "{}"),
        ("frame-delta", r#"[[0,"two"]]"#),
        ("frame", "three"),
    ])
}

#[test]
fn a_pipe_gets_every_screen_over_the_one_before() {
    let folder = Folder::new();
    let file = folder.file("demo.jsonl", demo());
    let said = run([
        "replay",
        "--speed",
        "as-fast-as-possible",
        "--show-input",
        &file,
    ]);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (Some(0), "note: replayed 3 frames\n")
    );
    assert_eq!(
        String::from_utf8(said.stdout).unwrap(),
        "\x1b[?25l\x1b[Hone\x1b[K\r\nsecond row\x1b[K\x1b[J\x1b[?25h\
         \x1b[?25l\x1b[Htwo\x1b[K\r\nsecond row\x1b[K\x1b[J\r\n\x1b[7m Key: Enter \x1b[m\x1b[?25h\
         \x1b[?25l\x1b[Hthree\x1b[K\x1b[J\r\n\x1b[7m Key: Enter \x1b[m\x1b[?25h"
    );
}

#[test]
fn without_frames_the_requests_are_printed() {
    let folder = Folder::new();
    let file = folder.file(
        "keys.jsonl",
        recording(&[("request", KEY), ("response", "{}"), ("request", KEY)]),
    );
    let said = run(["replay", &file]);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (Some(0), "note: no frames; 2 requests\n")
    );
    assert_eq!(
        String::from_utf8(said.stdout).unwrap(),
        format!("{KEY}\n{KEY}\n")
    );
}

#[test]
fn what_is_no_recording_is_named_with_its_line() {
    let folder = Folder::new();
    let file = folder.file("broken.jsonl", format!("{}garbage\n", demo()));
    let said = folder.masked(&run(["replay", &file]).failed(2));
    assert!(
        said.starts_with(
            "error: could not read `FOLDER/broken.jsonl`: line 6 is no event of a recording"
        ),
        "{said}"
    );
    let said = run(["replay", "no-such.jsonl"]).failed(2);
    assert!(
        said.starts_with("error: could not read `no-such.jsonl`"),
        "{said}"
    );
    run(["replay", "/dev/zero"]).failed(2);
    // Whoever recorded was killed in the midst of a line.
    let file = folder.file("cut.jsonl", format!("{}{{\"direction\":\"fra", demo()));
    let said = run(["replay", "--speed", "as-fast-as-possible", &file]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}

/// Starts a replay in a terminal.
fn play(folder: &Folder, options: &[&str]) -> Session {
    let file = folder.file("demo.jsonl", demo());
    let app = App::new(TOOL).arg("replay").args(options).arg(file);
    Session::start(&app, Options::default()).unwrap()
}

#[test]
fn a_person_steps_and_leaves_the_terminal_as_it_was() {
    let folder = Folder::new();
    let session = play(&folder, &["--show-input", "--speed", "as-fast-as-possible"]);
    let wait = |text: &str| {
        session
            .wait_for(text, SOON)
            .unwrap_or_else(|error| panic!("{error:?}"))
    };
    // The last frame stays.
    let screen = wait("3/3  paused");
    assert!(screen.contains("three\n"), "{screen}");
    assert!(screen.contains("Key: Enter"), "{screen}");
    session.press("Left").unwrap();
    let screen = wait("2/3");
    assert!(screen.contains("two\nsecond row"), "{screen}");
    session.press("Up").unwrap();
    let screen = wait("1/3");
    assert!(
        screen.contains("one\nsecond row") && !screen.contains("Key"),
        "{screen}"
    );
    session.press("Right").unwrap();
    wait("2/3");
    session.press("Down").unwrap();
    wait("3/3");
    session.press("r").unwrap();
    session.press("q").unwrap();
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    assert_eq!(session.leftovers(), []);
    assert_eq!(session.screen().text(), "");
}

#[test]
fn a_pause_holds_the_frame_and_other_ways_out_restore_too() {
    let folder = Folder::new();
    let session = play(&folder, &[]);
    session.wait_for("1/3", SOON).unwrap();
    session.press("Space").unwrap();
    session.wait_for("paused", SOON).unwrap();
    session.press("Space").unwrap();
    session
        .wait_for(!screentest::Condition::text("paused"), SOON)
        .unwrap();
    session.press("Ctrl+C").unwrap();
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    assert_eq!(session.leftovers(), []);
    let session = play(&folder, &[]);
    session.wait_for("1/3", SOON).unwrap();
    session.signal(screentest::Signal::TERM).unwrap();
    assert_eq!(
        session.wait_exit(SOON).unwrap(),
        Outcome::Signaled(screentest::Signal::TERM)
    );
    assert_eq!(session.leftovers(), []);
}

#[test]
fn a_cassette_is_told_from_a_recording() {
    let folder = Folder::new();
    let cassette = folder.join("x.cassette");
    let recorded = ["record", "-o", &cassette, "--", "true"];
    assert_eq!(run(recorded).code, Some(0));
    let said = run(["replay", &cassette]).failed(2);
    assert!(said.contains("`screentest cassette inspect"), "{said}");
}
