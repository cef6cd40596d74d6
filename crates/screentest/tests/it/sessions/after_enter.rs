//! After Enter, only what is new counts.

use std::time::Duration;

use screentest::WaitLimits;
use screentest::core::{Condition, Key};

use super::{SOON, scripted, sh};

/// Short, for waits that are to fail.
const BRIEFLY: Duration = Duration::from_millis(30);

/// A shell that shows its prompt once it is ready for a line.
const SHELL: &str = "while printf '$ '; read -r line; do eval \"$line\"; done";

#[test]
fn an_echoed_command_does_not_satisfy_the_wait_for_its_output() {
    let session = sh(SHELL);
    session.wait_for("$ ", SOON).unwrap();
    session.type_text("read x; echo done").unwrap();
    session.wait_for("echo done", SOON).unwrap();
    session.press(Key::Enter).unwrap();
    let error = session.wait_for("done", BRIEFLY).unwrap_err();
    assert_eq!(
        error.to_string(),
        "text \"done\" did not appear within 30ms after Enter: it was already on the screen before Enter (row 1) and did not appear again; accept it with `WaitOptions::anytime()`"
    );
    session
        .wait_for("done", WaitLimits::from(SOON).anytime())
        .unwrap();
    session.press(Key::Enter).unwrap();
    let screen = session.wait_for("done", SOON).unwrap();
    assert!(screen.text().contains("\ndone\n"), "{}", screen.text());
}

#[test]
fn the_echo_of_a_line_that_was_typed_at_once_does_not_count() {
    let (pty, session) = scripted();
    pty.print(b"$ ");
    session.wait_for("$ ", SOON).unwrap();
    session.type_text("echo done").unwrap();
    session.press(Key::Enter).unwrap();
    pty.print(b"echo done\r\n");
    session.wait_for("done", BRIEFLY).unwrap_err();
    pty.print(b"done\r\n");
    session.wait_for("done", SOON).unwrap();
}

#[test]
fn a_line_end_in_typed_text_and_in_bytes_is_enter() {
    for sent in ["text", "bytes"] {
        let (pty, session) = scripted();
        pty.print(b"old $ ");
        session.wait_for("old", SOON).unwrap();
        match sent {
            "text" => session.type_text("x\n").unwrap(),
            _ => session.send(b"x\r").unwrap(),
        }
        session.wait_for("old", BRIEFLY).unwrap_err();
        // What is asked of the whole screen still is.
        session
            .wait_for(Condition::new("old", |screen| screen.contains("old")), SOON)
            .unwrap();
        session.wait_for(!Condition::text("new"), SOON).unwrap();
        // Any other input ends it.
        session.press(Key::Up).unwrap();
        session.wait_for("old", SOON).unwrap();
    }
}

#[test]
fn a_wait_since_a_mark_ignores_what_was_shown_while_the_line_was_typed() {
    let (pty, session) = scripted();
    let mark = session.mark();
    session.type_text("done").unwrap();
    pty.print(b"don");
    session.wait_for("don", SOON).unwrap();
    pty.print(b"e");
    session.wait_for("done", SOON).unwrap();
    session.press(Key::Enter).unwrap();
    session.wait_since("do", mark, BRIEFLY).unwrap_err();
    pty.print(b"\r\nundo");
    session.wait_since("do", mark, SOON).unwrap();
}

#[test]
fn a_line_that_was_typed_in_an_editor_counts() {
    let (pty, session) = scripted();
    pty.print(b"\x1b[?1049htyped");
    session.wait_for("typed", SOON).unwrap();
    session.press(Key::Enter).unwrap();
    session.wait_for("typed", SOON).unwrap();
}
