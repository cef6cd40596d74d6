//! After Enter, a wait accepts only new text.

use std::time::Duration;

use screentest::WaitLimits;
use screentest::core::{Condition, Key};

use super::{TIMEOUT, scripted, sh};

/// Timeout of waits that are expected to fail.
const SHORT_TIMEOUT: Duration = Duration::from_millis(30);

/// A shell that prints its prompt when it is ready for a line.
const SHELL: &str = "while printf '$ '; read -r line; do eval \"$line\"; done";

#[test]
fn an_echoed_command_does_not_satisfy_the_wait_for_its_output() {
    let session = sh(SHELL);
    session.wait_for("$ ", TIMEOUT).unwrap();
    session.type_text("read x; echo done").unwrap();
    session.wait_for("echo done", TIMEOUT).unwrap();
    session.press(Key::Enter).unwrap();
    let error = session.wait_for("done", SHORT_TIMEOUT).unwrap_err();
    assert_eq!(
        error.to_string(),
        "text \"done\" did not appear within 30ms after Enter: it was already on the screen before Enter (row 1) and did not appear again; accept it with `WaitOptions::anytime()`"
    );
    session
        .wait_for("done", WaitLimits::from(TIMEOUT).anytime())
        .unwrap();
    session.press(Key::Enter).unwrap();
    let screen = session.wait_for("done", TIMEOUT).unwrap();
    assert!(screen.text().contains("\ndone\n"), "{}", screen.text());
}

#[test]
fn the_echo_of_typed_ahead_input_does_not_satisfy_a_wait() {
    let (pty, session) = scripted();
    pty.print(b"$ ");
    session.wait_for("$ ", TIMEOUT).unwrap();
    session.type_text("echo done").unwrap();
    session.press(Key::Enter).unwrap();
    pty.print(b"echo done\r\n");
    session.wait_for("done", SHORT_TIMEOUT).unwrap_err();
    pty.print(b"done\r\n");
    session.wait_for("done", TIMEOUT).unwrap();
}

#[test]
fn line_ends_in_text_and_bytes_count_as_enter() {
    for sent in ["text", "bytes"] {
        let (pty, session) = scripted();
        pty.print(b"old $ ");
        session.wait_for("old", TIMEOUT).unwrap();
        match sent {
            "text" => session.type_text("x\n").unwrap(),
            _ => session.send(b"x\r").unwrap(),
        }
        session.wait_for("old", SHORT_TIMEOUT).unwrap_err();
        // Conditions on the whole screen are not affected.
        session
            .wait_for(
                Condition::new("old", |screen| screen.contains("old")),
                TIMEOUT,
            )
            .unwrap();
        session.wait_for(!Condition::text("new"), TIMEOUT).unwrap();
        // Any other input ends the restriction.
        session.press(Key::Up).unwrap();
        session.wait_for("old", TIMEOUT).unwrap();
    }
}

#[test]
fn a_wait_since_a_mark_ignores_text_shown_while_typing() {
    let (pty, session) = scripted();
    let mark = session.mark();
    session.type_text("done").unwrap();
    pty.print(b"don");
    session.wait_for("don", TIMEOUT).unwrap();
    pty.print(b"e");
    session.wait_for("done", TIMEOUT).unwrap();
    session.press(Key::Enter).unwrap();
    session.wait_since("do", mark, SHORT_TIMEOUT).unwrap_err();
    pty.print(b"\r\nundo");
    session.wait_since("do", mark, TIMEOUT).unwrap();
}

#[test]
fn on_the_alternate_screen_typed_text_counts() {
    let (pty, session) = scripted();
    pty.print(b"\x1b[?1049htyped");
    session.wait_for("typed", TIMEOUT).unwrap();
    session.press(Key::Enter).unwrap();
    session.wait_for("typed", TIMEOUT).unwrap();
}
