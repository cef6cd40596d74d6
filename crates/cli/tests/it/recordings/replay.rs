//! `replay`, in a terminal and through a pipe.

use std::fs;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::Size;
use screentest::core::formats::ansi;
use screentest::core::formats::cassette::Manifest;
use screentest::recording::RecordOptions;
use screentest::session::SessionOptions;
use screentest::{App, Condition, ExitStatus, Session};

use crate::harness::cli::{Folder, TOOL, run, run_with_env};

const SOON: Duration = Duration::from_secs(60);

/// Returns a recording with these events at intervals of one second.
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

const KEY_REQUEST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"sendKey","params":{"key":"Enter"}}"#;

fn demo() -> String {
    recording(&[
        ("frame", "one\nsecond row"),
        ("request", KEY_REQUEST),
        ("response", "{}"),
        ("frame-delta", r#"[[0,"two"]]"#),
        ("frame", "three"),
    ])
}

#[test]
fn pipe_receives_each_screen_over_the_previous_one() {
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
        "\x1b[?25l\x1b[H\x1b[Kone\r\n\x1b[Jsecond row\x1b[?25h\
         \x1b[?25l\x1b[H\x1b[Ktwo\r\n\x1b[Jsecond row\r\n\x1b[7m Key: Enter \x1b[m\x1b[?25h\
         \x1b[?25l\x1b[H\x1b[Jthree\r\n\x1b[7m Key: Enter \x1b[m\x1b[?25h"
    );
}

#[test]
fn notes_use_singular_and_name_empty_recordings() {
    let folder = Folder::new();
    for (recorded, note) in [
        (recording(&[("frame", "one")]), "replayed 1 frame"),
        (
            recording(&[("request", KEY_REQUEST)]),
            "no frames; 1 request",
        ),
        (String::new(), "the recording is empty"),
    ] {
        let file = folder.file("short.jsonl", recorded);
        let said = run(["replay", &file]);
        assert_eq!(said.stderr, format!("note: {note}\n"));
    }
}

#[test]
fn recording_without_frames_prints_its_requests() {
    let folder = Folder::new();
    let file = folder.file(
        "keys.jsonl",
        recording(&[
            ("request", KEY_REQUEST),
            ("response", "{}"),
            ("request", KEY_REQUEST),
        ]),
    );
    let said = run(["replay", &file]);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (Some(0), "note: no frames; 2 requests\n")
    );
    assert_eq!(
        String::from_utf8(said.stdout).unwrap(),
        format!("{KEY_REQUEST}\n{KEY_REQUEST}\n")
    );
}

#[test]
fn invalid_recording_is_reported_with_its_line() {
    let folder = Folder::new();
    let file = folder.file("broken.jsonl", format!("{}garbage\n", demo()));
    let said = folder.masked(&run(["replay", &file]).failed(2));
    assert!(
        said.starts_with(
            "error: could not read `FOLDER/broken.jsonl`: line 6 is not an event of a recording"
        ),
        "{said}"
    );
    let said = run(["replay", "no-such.jsonl"]).failed(2);
    assert!(
        said.starts_with("error: could not read `no-such.jsonl`"),
        "{said}"
    );
    run(["replay", "/dev/zero"]).failed(2);
    // A recorder that was killed can leave an incomplete last line.
    let file = folder.file("cut.jsonl", format!("{}{{\"direction\":\"fra", demo()));
    let said = run(["replay", "--speed", "as-fast-as-possible", &file]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}

/// Starts a replay in a terminal.
fn play(folder: &Folder, options: &[&str]) -> Session {
    let file = folder.file("demo.jsonl", demo());
    let app = App::new(TOOL).arg("replay").args(options).arg(file);
    Session::start(&app, SessionOptions::default()).unwrap()
}

#[test]
fn terminal_replay_steps_with_keys_and_restores_the_terminal() {
    let folder = Folder::new();
    let session = play(&folder, &["--show-input", "--speed", "as-fast-as-possible"]);
    let wait = |text: &str| {
        session
            .wait_for(text, SOON)
            .unwrap_or_else(|error| panic!("{error:?}"))
    };
    // The last frame stays on the screen.
    let screen = wait("paused 3/3");
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
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
    assert_eq!(session.leftovers(), []);
    assert_eq!(session.screen().text(), "");
}

#[test]
fn space_pauses_and_signals_restore_the_terminal() {
    let folder = Folder::new();
    let session = play(&folder, &[]);
    session.wait_for("1/3", SOON).unwrap();
    session.press("Space").unwrap();
    session.wait_for("paused", SOON).unwrap();
    session.press("Space").unwrap();
    session.wait_for(!Condition::text("paused"), SOON).unwrap();
    session.press("Ctrl+C").unwrap();
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
    assert_eq!(session.leftovers(), []);
    let session = play(&folder, &[]);
    session.wait_for("1/3", SOON).unwrap();
    session.signal(screentest::Signal::TERM).unwrap();
    assert_eq!(
        session.wait_for_exit(SOON).unwrap(),
        ExitStatus::Signaled(screentest::Signal::TERM)
    );
    assert_eq!(session.leftovers(), []);
}

/// Records three frames at intervals of one minute, with a mark at the second frame, a colour and
/// input.
fn cassette(folder: &Folder) -> String {
    let clock = Clock::manual();
    let path = folder.join("demo.cassette");
    let script =
        "printf 'one\\n'; read -r a; printf '\\033[31mtwo\\033[m\\n'; read -r a; printf 'three\\n'";
    let session = Session::start(
        &App::new("sh").args(["-c", script]),
        SessionOptions {
            clock: clock.clone(),
            ..SessionOptions::default().record(RecordOptions::new(&path))
        },
    )
    .unwrap();
    let minute = Duration::from_secs(60);
    session.wait_for("one", SOON).unwrap();
    clock.advance(minute);
    session.press("Enter").unwrap();
    session.wait_for("two", SOON).unwrap();
    session.record_mark("second");
    clock.advance(minute);
    session.press("Enter").unwrap();
    session.wait_for("three", SOON).unwrap();
    session.wait_for_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap();
    path
}

#[test]
fn cassette_replay_shows_colours_marks_and_times() {
    let folder = Folder::new();
    let app = App::new(TOOL)
        .args(["replay", "--show-input"])
        .arg(cassette(&folder));
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    let wait = |text: &str| {
        session
            .wait_for(text, SOON)
            .unwrap_or_else(|error| panic!("{error:?}"))
    };
    wait("of 2:00.");
    session.press("Space").unwrap();
    wait("paused 0:0");
    session.press("]").unwrap();
    let screen = wait("◆ second");
    assert!(screen.contains("paused 1:00.0 of 2:00."), "{screen}");
    assert!(screen.contains("one\n\ntwo\n"), "{screen}");
    assert!(screen.contains("Key: Enter"), "{screen}");
    let painted = ansi::write(&screen);
    assert!(painted.contains("\n\x1b[0;31mtwo\x1b[0m\n"), "{painted:?}");
    session.press("+").unwrap();
    wait(" 2x  ◆ second");
    session.press("End").unwrap();
    wait("three");
    session.press("Left").unwrap();
    session
        .wait_for(!Condition::text("three"), SOON)
        .unwrap_or_else(|error| panic!("{error:?}"));
    session.press("Home").unwrap();
    let screen = wait("paused 0:00.0");
    assert!(!screen.contains("two"), "{screen}");
    session.press("q").unwrap();
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
    assert_eq!(session.leftovers(), []);
}

#[test]
fn narrow_terminal_shows_the_start_of_each_row() {
    let folder = Folder::new();
    let path = folder.join("wide.cassette");
    let text = "a line of which only the beginning fits, until its end";
    let words = ["record", "-o", &path, "--", "printf", "\\033[31m%s"];
    let recorded = run(words.into_iter().chain([text]));
    assert_eq!(recorded.code, Some(0), "{}", recorded.stderr);
    let app = App::new(TOOL).args(["replay", "--speed", "as-fast-as-possible", &path]);
    let options = SessionOptions {
        size: Size { cols: 20, rows: 5 },
        ..SessionOptions::default()
    };
    let session = Session::start(&app, options).unwrap();
    // Text right of the edge does not appear in the last column.
    session.wait_for("a line of which only", SOON).unwrap();
}

#[test]
fn pipe_receives_each_frame_of_a_cassette() {
    let folder = Folder::new();
    let path = cassette(&folder);
    let said = run(["replay", "--speed", "as-fast-as-possible", &path]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let text = String::from_utf8(said.stdout).unwrap();
    let last = text.rsplit("\x1b[H").next().unwrap();
    assert!(
        last.starts_with(
            "\x1b[Kone\r\n\x1b[K\r\n\x1b[K\x1b[0;31mtwo\x1b[0m\r\n\x1b[K\r\n\x1b[Jthree"
        ),
        "{last:?}"
    );
    // Frames of another emulator are rejected.
    let manifest = folder.path().join("demo.cassette/manifest.json");
    let mut other = Manifest::parse(&fs::read(&manifest).unwrap()).unwrap();
    other.terminal.emulator.name = "some_other_terminal".to_owned();
    fs::write(&manifest, other.to_file()).unwrap();
    let said = run(["replay", &path]).failed(2);
    assert!(said.contains("some_other_terminal"), "{said}");
    assert!(said.contains("`--any-emulator`"), "{said}");
    let said = run([
        "replay",
        "--any-emulator",
        "--speed",
        "as-fast-as-possible",
        &path,
    ]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}

#[test]
fn asciicast_replay_shows_all_input_between_frames() {
    let folder = Folder::new();
    let cast = [
        r#"{"version":2,"width":20,"height":4}"#,
        r#"[0.1,"o","> "]"#,
        r#"[0.2,"i","l"]"#,
        r#"[0.3,"i","s"]"#,
        r#"[0.4,"o","ls"]"#,
        r#"[0.5,"o","!"]"#,
        r#"[0.6,"i","\r"]"#,
        r#"[0.7,"o","\r\ndone"]"#,
    ];
    // The format does not depend on the file name.
    for name in ["x.cast", "x.recording"] {
        let file = folder.file(name, cast.join("\n"));
        let words = ["replay", "--speed", "as-fast-as-possible"];
        let words = words.into_iter().chain(["--show-input", &file]);
        let scratch = folder.path().to_str().unwrap();
        let said = run_with_env(&[("TMPDIR", scratch)], words);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let text = String::from_utf8(said.stdout).unwrap();
        let labels: Vec<&str> = text
            .split("\x1b[H")
            .map(|frame| frame.split_once("\x1b[7m ").map_or("", |(_, label)| label))
            .map(|label| label.split_once(" \x1b[m").map_or("", |(label, _)| label))
            .collect();
        let typed = r#"Text: "ls""#;
        assert_eq!(
            labels[labels.len() - 4..],
            ["", typed, typed, r#"Text: "\r""#]
        );
        assert!(text.contains("> ls!"), "{text:?}");
        fs::remove_file(file).unwrap();
        assert_eq!(folder.names(), [""; 0]);
    }
}

#[test]
fn seeking_back_shows_the_same_input() {
    let folder = Folder::new();
    let cast = [
        r#"{"version":2,"width":20,"height":4}"#,
        r#"[0,"o","one"]"#,
        r#"[1,"i","a"]"#,
        r#"[1,"i","b"]"#,
        r#"[2,"o","\r\ntwo"]"#,
        r#"[3,"o","\r\nthree"]"#,
        r#"[60,"o","\r\nlast"]"#,
    ];
    let file = folder.file("x.cast", cast.join("\n"));
    let app = App::new(TOOL).args(["replay", "--show-input", &file]);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    session.wait_for("one", SOON).unwrap();
    session.press("End").unwrap();
    session.wait_for("last", SOON).unwrap();
    session.press("Left").unwrap();
    session.press("Left").unwrap();
    let two = Condition::all([
        Condition::text("two"),
        !Condition::text("three"),
        Condition::text("Text: \"ab\""),
    ]);
    session.wait_for(two, SOON).unwrap();
    session.press("q").unwrap();
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
}

#[test]
fn invalid_replay_arguments_are_reported() {
    let folder = Folder::new();
    let file = folder.file("demo.jsonl", demo());
    let said = run(["replay", "--any-emulator", &file]).failed(2);
    assert!(
        said.contains("`--any-emulator` applies to cassettes only"),
        "{said}"
    );
    let said = run(["replay", "--speed", "0", &file]).failed(2);
    assert!(said.contains("a number from 0.125 to 64"), "{said}");
    let empty = folder.path().to_str().unwrap();
    let said = run(["replay", empty]).failed(2);
    assert!(said.contains("has no manifest"), "{said}");
}
