//! Waits until a program waits for input.

use std::time::Duration;

use screentest::pty::Activity;

use super::*;

const SHORT_TIMEOUT: Duration = Duration::from_millis(200);

#[test]
fn a_program_that_reads_is_idle_and_its_output_is_shown() {
    let session = sh("echo one; sleep 0.2; echo two; read line; echo three; read line");
    assert!(session.wait_until_idle(TIMEOUT));
    assert_eq!(session.screen().text().trim_end(), "one\ntwo");
    session.type_text("\r").unwrap();
    assert!(session.wait_until_idle(TIMEOUT));
    assert!(session.screen().contains("three"));
}

#[test]
fn a_busy_program_is_never_idle() {
    let session = sh("echo on; while :; do sleep 0.01; done");
    session.wait_for("on", TIMEOUT).unwrap();
    assert!(!session.wait_until_idle(Duration::ZERO));
    assert!(!session.wait_until_idle(SHORT_TIMEOUT));
}

#[test]
fn a_program_that_has_exited_is_idle() {
    let session = sh("sleep 0.1; echo bye");
    assert!(session.wait_until_idle(TIMEOUT));
    assert!(session.screen().contains("bye"));
    assert!(session.wait_until_idle(Duration::ZERO));
}

#[test]
fn without_activity_information_an_unchanged_screen_is_idle() {
    let (pty, session) = scripted();
    pty.set_activities([Activity::Unknown]);
    pty.print(b"drawn");
    // The output may continue: it has only just appeared.
    assert!(!session.wait_until_idle(Duration::ZERO));
    assert!(session.wait_until_idle(TIMEOUT));
    assert!(session.screen().contains("drawn"));
}

#[test]
fn a_wait_on_a_closed_session_returns_at_once() {
    let session = sh("sleep 60");
    session.close().unwrap();
    assert!(session.wait_until_idle(TIMEOUT));
}
