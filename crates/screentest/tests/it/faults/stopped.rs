//! Programs that stand still because somebody stopped them.

use std::time::Duration;

use screentest::{App, Options, Report, Session, Signal};

use super::{SOON, sh};
use crate::harness::processes::{unique_word, wait_until, with_word};

/// What a wait says that gives up at once.
#[track_caller]
fn report(session: &Session) -> Report {
    let told = session.wait_for("never", Duration::ZERO).unwrap_err();
    told.report().unwrap().clone()
}

/// A wait for what a stopped program does not show ends with its time, and says that it is stopped and what continues it. Once continued it goes on, and
/// is not called stopped any more.
#[test]
fn a_program_that_stops_itself_is_said_to_be_stopped() {
    let session = sh("printf before; kill -STOP $$; printf ' after'; read x");
    session.wait_for("before", SOON).unwrap();
    wait_until(|| report(&session).stopped);
    let told = report(&session).to_string();
    let stopped = "the program is stopped (by SIGSTOP or Ctrl+Z); SIGCONT continues it\n";
    assert!(told.contains(stopped), "{told}");
    session.signal(Signal::CONT).unwrap();
    session.wait_for("before after", SOON).unwrap();
    let told = report(&session).to_string();
    assert!(told.contains("the program is running\n"), "{told}");
}

/// The same where the program is a shell that waits for what it started.
#[test]
fn what_a_script_waits_for_is_said_to_be_stopped() {
    let session = sh("sh -c 'kill -STOP $$'; printf after; read x");
    wait_until(|| report(&session).stopped);
    let told = report(&session).to_string();
    assert!(told.contains("it has not shown anything\n"), "{told}");
    session.signal(Signal::CONT).unwrap();
    session.wait_for("after", SOON).unwrap();
}

/// A job that an interactive shell has stopped and put behind itself is none of that: the shell runs.
#[test]
fn a_shell_with_a_stopped_job_is_running() {
    let bash = App::new("bash").args(["--norc", "--noprofile", "-i"]);
    let bash = bash.env("HISTFILE", "").env("PS1", "> ");
    let session = Session::start(&bash, Options::default()).unwrap();
    session.type_text("sh -c 'kill -STOP $$'\n").unwrap();
    session.wait_for("Stopped", SOON).unwrap();
    session.type_text("echo go''es on\n").unwrap();
    session.wait_for("goes on", SOON).unwrap();
    // It has the terminal back.
    assert!(!report(&session).stopped);
}

/// Closing ends what is stopped as it ends all else, with what it has started.
#[test]
fn a_stopped_program_is_closed_all_the_same() {
    for stop in ["kill -STOP $$", "kill -STOP 0"] {
        let word = unique_word();
        let script = format!("sh -c 'sleep $0; :' {word} & echo ready; {stop}; sleep {word}");
        let session = sh(&script);
        session.wait_for("ready", SOON).unwrap();
        wait_until(|| report(&session).stopped);
        session.close().unwrap();
        assert!(session.outcome().is_some(), "{stop}");
        assert_eq!(with_word(&word), [], "{stop}");
    }
}
