//! A wait ends for one of five reasons: yes, time, the program's end, a close, or an interrupt.

use std::thread;
use std::time::Duration;

use screentest::core::{Condition, Position};
use screentest::{Clock, ExitStatus, Interrupt, Signal, WaitError};

use super::{SOON, patient, scripted, sh, sh_with};
use crate::rounds::rounds;

#[test]
fn a_yes_returns_the_screen_that_was_asked_for() {
    let session = sh("read name; echo \"hello $name\"; read end");
    session.type_text("world\n").unwrap();
    let screen = session.wait_for("hello world", SOON).unwrap();
    assert_eq!(screen.text(), "world\nhello world\n");
}

#[test]
fn what_is_already_there_is_a_yes_at_once() {
    let session = sh("printf 'one\\ntwo'; read end");
    session.wait_for("one\ntwo", SOON).unwrap();
    let at = Condition::CursorAt(Position { row: 1, col: 3 });
    session.wait_for(at, Duration::ZERO).unwrap();
}

#[test]
fn what_is_already_written_is_found_without_any_patience() {
    for round in rounds(200, 2000) {
        let (pty, session) = scripted();
        pty.print(b"now");
        let found = session.wait_for("now", Duration::ZERO);
        assert!(found.is_ok(), "round {round}: {found:?}");
    }
}

#[test]
fn time_runs_out() {
    let session = sh("echo almost; read end");
    session.wait_for("almost", SOON).unwrap();
    let clock = Clock::system();
    let patience = Duration::from_millis(50);
    let error = session.wait_for("ready", patience).unwrap_err();
    assert!(clock.now() >= patience);
    assert!(matches!(error, WaitError::TimedOut { waited, .. } if waited == patience));
    assert_eq!(
        error.to_string(),
        "text \"ready\" did not appear within 50ms"
    );
}

#[test]
fn a_wait_that_cannot_come_true_ends_with_the_program() {
    let session = sh("echo almost; exit 3");
    let error = session.wait_for("ready", SOON).unwrap_err();
    assert!(matches!(
        error,
        WaitError::Ended {
            outcome: ExitStatus::Exited(3),
            ..
        }
    ));
    assert_eq!(
        error.to_string(),
        "the program ended (exit code 3) before text \"ready\" appeared"
    );
}

#[test]
fn last_words_can_be_waited_for() {
    for round in rounds(100, 1000) {
        let session = sh("printf 'last words'");
        let found = session.wait_for("last words", SOON);
        assert!(found.is_ok(), "round {round}: {found:?}");
    }
}

#[test]
fn a_close_ends_every_wait() {
    for round in rounds(20, 200) {
        let session = sh("echo ready; read end");
        session.wait_for("ready", SOON).unwrap();
        let errors = thread::scope(|scope| {
            let waits: Vec<_> = (0..3)
                .map(|_| scope.spawn(|| session.wait_for("more", SOON).unwrap_err()))
                .collect();
            session.close().unwrap();
            waits
                .into_iter()
                .map(|wait| wait.join().unwrap())
                .collect::<Vec<_>>()
        });
        for error in errors {
            assert!(
                matches!(error, WaitError::Closed { .. }),
                "round {round}: {error}"
            );
            assert_eq!(
                error.to_string(),
                "the session was closed before text \"more\" appeared"
            );
        }
    }
}

#[test]
fn a_close_lets_a_program_leave_that_waits_for_its_output_to_be_read() {
    // A clean exit needs the pump to read on while a thread waits, as the program has more to say than the kernel holds.
    let session = sh_with(
        "trap 'seq 1 30000; exit 5' HUP TERM; echo ready; while :; do sleep 0.01; done",
        patient(),
    );
    session.wait_for("ready", SOON).unwrap();
    thread::scope(|scope| {
        let wait = scope.spawn(|| session.wait_for("more", SOON).unwrap_err());
        session.close().unwrap();
        let error = wait.join().unwrap();
        assert!(matches!(error, WaitError::Closed { .. }), "{error}");
    });
    assert_eq!(session.outcome(), Some(ExitStatus::Exited(5)));
    assert!(session.screen().contains("30000"));
}

#[test]
fn a_wait_after_a_close_ends_at_once() {
    let session = sh("echo ready; exec sleep 1000");
    session.wait_for("ready", SOON).unwrap();
    session.close().unwrap();
    session.wait_for("ready", SOON).unwrap();
    let error = session.wait_for("more", SOON).unwrap_err();
    assert!(matches!(error, WaitError::Closed { .. }), "{error}");
    let outcome = session.wait_for_exit(SOON).unwrap();
    assert_eq!(outcome, ExitStatus::Signaled(Signal::HUP));
}

#[test]
fn a_condition_that_panics_harms_no_later_wait() {
    let (pty, session) = scripted();
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        session.wait_for(Condition::new("a mistake", |_| panic!("mistaken")), SOON)
    }));
    assert!(failed.is_err());
    pty.print(b"onward");
    session.wait_for("onward", SOON).unwrap();
    pty.print(b"\x1b[6n");
    // Nobody waits: the pump answers.
    let answer = pty.wait_for_input(SOON, |input| !input.is_empty());
    assert_eq!(answer, b"\x1b[1;7R");
}

#[test]
fn an_interrupt_ends_the_waits_that_were_given_it_and_no_others() {
    let (pty, session) = scripted();
    let interrupt = Interrupt::new();
    thread::scope(|scope| {
        let other = scope.spawn(|| session.wait_for("shown", SOON));
        let waits = [
            scope.spawn(|| session.wait_for("never", interrupt.within(SOON)).map(drop)),
            scope.spawn(|| {
                session
                    .wait_for_stable(SOON, interrupt.within(SOON * 2))
                    .map(drop)
            }),
            scope.spawn(|| session.wait_for_exit(interrupt.within(SOON)).map(drop)),
        ];
        interrupt.raise();
        for wait in waits {
            let ended = wait.join().unwrap();
            assert!(
                matches!(ended, Err(WaitError::Interrupted { .. })),
                "{ended:?}"
            );
        }
        pty.print(b"shown");
        assert!(other.join().unwrap().is_ok());
    });
    // It stays raised.
    let ended = session.wait_for("never", interrupt.within(SOON));
    assert!(
        matches!(ended, Err(WaitError::Interrupted { .. })),
        "{ended:?}"
    );
    // What is there already needs no wait.
    assert!(session.wait_for("shown", interrupt.within(SOON)).is_ok());
}
