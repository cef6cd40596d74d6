//! Stopped programs.

use std::time::Duration;

use screentest::session::{SessionOptions, WaitReport};
use screentest::{App, Session, Signal};

use super::{TIMEOUT, sh};
use crate::harness::processes::{processes_with_tag, unique_tag, wait_until};

/// Returns the report of a wait that times out at once.
#[track_caller]
fn report(session: &Session) -> WaitReport {
    let message = session.wait_for("never", Duration::ZERO).unwrap_err();
    message.report().unwrap().clone()
}

/// A wait times out, and its report says that the program is stopped and how to continue it. After
/// SIGCONT the program continues, and reports no longer say so.
#[test]
fn a_program_that_stops_itself_is_reported_as_stopped() {
    let session = sh("printf before; kill -STOP $$; printf ' after'; read x");
    session.wait_for("before", TIMEOUT).unwrap();
    wait_until(|| report(&session).stopped);
    let message = report(&session).to_string();
    let stopped = "the program is stopped (by SIGSTOP or Ctrl+Z); SIGCONT continues it\n";
    assert!(message.contains(stopped), "{message}");
    session.signal(Signal::CONT).unwrap();
    session.wait_for("before after", TIMEOUT).unwrap();
    let message = report(&session).to_string();
    assert!(message.contains("the program is running\n"), "{message}");
}

#[test]
fn a_shell_that_waits_for_a_stopped_child_is_reported_as_stopped() {
    let session = sh("sh -c 'kill -STOP $$'; printf after; read x");
    wait_until(|| report(&session).stopped);
    let message = report(&session).to_string();
    assert!(message.contains("it has not shown anything\n"), "{message}");
    session.signal(Signal::CONT).unwrap();
    session.wait_for("after", TIMEOUT).unwrap();
}

/// An interactive shell whose background job is stopped is reported as running.
#[test]
fn a_shell_with_a_stopped_job_is_running() {
    let bash = App::new("bash").args(["--norc", "--noprofile", "-i"]);
    let bash = bash.env("HISTFILE", "").env("PS1", "> ");
    let session = Session::start(&bash, SessionOptions::default()).unwrap();
    session.type_text("sh -c 'kill -STOP $$'\n").unwrap();
    session.wait_for("Stopped", TIMEOUT).unwrap();
    session.type_text("echo go''es on\n").unwrap();
    session.wait_for("goes on", TIMEOUT).unwrap();
    // The shell has the terminal back.
    assert!(!report(&session).stopped);
}

/// Closing ends a stopped program and everything it has started.
#[test]
fn a_stopped_program_is_closed() {
    for stop in ["kill -STOP $$", "kill -STOP 0"] {
        let tag = unique_tag();
        let script = format!("sh -c 'sleep $0; :' {tag} & echo ready; {stop}; sleep {tag}");
        let session = sh(&script);
        session.wait_for("ready", TIMEOUT).unwrap();
        wait_until(|| report(&session).stopped);
        session.close().unwrap();
        assert!(session.exit_status().is_some(), "{stop}");
        assert_eq!(processes_with_tag(&tag), [], "{stop}");
    }
}
