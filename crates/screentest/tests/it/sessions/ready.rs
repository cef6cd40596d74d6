//! Waiting until a program waits for input.

use std::time::Duration;

use screentest::pty::Activity;

use super::*;

const BRIEFLY: Duration = Duration::from_millis(200);

#[test]
fn who_reads_is_at_rest_and_all_it_wrote_is_shown() {
    let session = sh("echo one; sleep 0.2; echo two; read line; echo three; read line");
    assert!(session.wait_until_idle(SOON));
    assert_eq!(session.screen().text().trim_end(), "one\ntwo");
    session.type_text("\r").unwrap();
    assert!(session.wait_until_idle(SOON));
    assert!(session.screen().contains("three"));
}

#[test]
fn who_works_is_not_at_rest_however_long_it_is_waited_for() {
    let session = sh("echo on; while :; do sleep 0.01; done");
    session.wait_for("on", SOON).unwrap();
    assert!(!session.wait_until_idle(Duration::ZERO));
    assert!(!session.wait_until_idle(BRIEFLY));
}

#[test]
fn who_has_ended_is_at_rest() {
    let session = sh("sleep 0.1; echo bye");
    assert!(session.wait_until_idle(SOON));
    assert!(session.screen().contains("bye"));
    assert!(session.wait_until_idle(Duration::ZERO));
}

#[test]
fn a_screen_that_stands_still_is_at_rest_where_nobody_can_tell() {
    let (pty, session) = scripted();
    pty.act([Activity::Unknown]);
    pty.print(b"drawn");
    // What has been there for no time may go on.
    assert!(!session.wait_until_idle(Duration::ZERO));
    assert!(session.wait_until_idle(SOON));
    assert!(session.screen().contains("drawn"));
}

#[test]
fn a_closed_session_holds_nobody_up() {
    let session = sh("sleep 60");
    session.close().unwrap();
    assert!(session.wait_until_idle(SOON));
}
