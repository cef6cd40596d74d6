//! A wait ends for one of five reasons: success, timeout, exit of the program, close, or interrupt.

use std::thread;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::{Condition, Position};
use screentest::session::{Interrupt, WaitError};
use screentest::{ExitStatus, Signal};

use super::{TIMEOUT, patient, scripted, sh, sh_with};
use screentest_fixtures::random::quick_or_full;

#[test]
fn a_successful_wait_returns_the_matching_screen() {
    let session = sh("read name; echo \"hello $name\"; read end");
    session.type_text("world\n").unwrap();
    let screen = session.wait_for("hello world", TIMEOUT).unwrap();
    assert_eq!(screen.text(), "world\nhello world\n");
}

#[test]
fn visible_text_is_found_at_once() {
    let session = sh("printf 'one\\ntwo'; read end");
    session.wait_for("one\ntwo", TIMEOUT).unwrap();
    let at = Condition::CursorAt(Position { row: 1, col: 3 });
    session.wait_for(at, Duration::ZERO).unwrap();
}

#[test]
fn pending_output_is_found_with_a_timeout_of_zero() {
    for round in quick_or_full(200, 2000) {
        let (pty, session) = scripted();
        pty.print(b"now");
        let found = session.wait_for("now", Duration::ZERO);
        assert!(found.is_ok(), "round {round}: {found:?}");
    }
}

#[test]
fn a_wait_times_out() {
    let session = sh("echo almost; read end");
    session.wait_for("almost", TIMEOUT).unwrap();
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
fn a_wait_ends_when_the_program_exits() {
    let session = sh("echo almost; exit 3");
    let error = session.wait_for("ready", TIMEOUT).unwrap_err();
    assert!(matches!(
        error,
        WaitError::Ended {
            exit_status: ExitStatus::Exited(3),
            ..
        }
    ));
    assert_eq!(
        error.to_string(),
        "the program ended (exit code 3) before text \"ready\" appeared"
    );
}

#[test]
fn the_last_output_can_be_waited_for() {
    for round in quick_or_full(100, 1000) {
        let session = sh("printf 'last words'");
        let found = session.wait_for("last words", TIMEOUT);
        assert!(found.is_ok(), "round {round}: {found:?}");
    }
}

#[test]
fn close_ends_every_wait() {
    for round in quick_or_full(20, 200) {
        let session = sh("echo ready; read end");
        session.wait_for("ready", TIMEOUT).unwrap();
        let errors = thread::scope(|scope| {
            let waits: Vec<_> = (0..3)
                .map(|_| scope.spawn(|| session.wait_for("more", TIMEOUT).unwrap_err()))
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
fn close_reads_on_so_that_a_program_can_exit() {
    // The program prints more than the kernel buffers, so it can exit cleanly only if the
    // background reader continues while a thread waits.
    let session = sh_with(
        "trap 'seq 1 30000; exit 5' HUP TERM; echo ready; while :; do sleep 0.01; done",
        patient(),
    );
    session.wait_for("ready", TIMEOUT).unwrap();
    thread::scope(|scope| {
        let wait = scope.spawn(|| session.wait_for("more", TIMEOUT).unwrap_err());
        session.close().unwrap();
        let error = wait.join().unwrap();
        assert!(matches!(error, WaitError::Closed { .. }), "{error}");
    });
    assert_eq!(session.exit_status(), Some(ExitStatus::Exited(5)));
    assert!(session.screen().contains("30000"));
}

#[test]
fn a_wait_after_close_ends_at_once() {
    let session = sh("echo ready; exec sleep 1000");
    session.wait_for("ready", TIMEOUT).unwrap();
    session.close().unwrap();
    session.wait_for("ready", TIMEOUT).unwrap();
    let error = session.wait_for("more", TIMEOUT).unwrap_err();
    assert!(matches!(error, WaitError::Closed { .. }), "{error}");
    let exit_status = session.wait_for_exit(TIMEOUT).unwrap();
    assert_eq!(exit_status, ExitStatus::Signaled(Signal::HUP));
}

#[test]
fn a_panicking_condition_does_not_affect_later_waits() {
    let (pty, session) = scripted();
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        session.wait_for(Condition::new("a mistake", |_| panic!("mistaken")), TIMEOUT)
    }));
    assert!(failed.is_err());
    pty.print(b"onward");
    session.wait_for("onward", TIMEOUT).unwrap();
    pty.print(b"\x1b[6n");
    // No thread waits, so the background reader replies.
    let answer = pty.wait_for_input(TIMEOUT, |input| !input.is_empty());
    assert_eq!(answer, b"\x1b[1;7R");
}

#[test]
fn an_interrupt_ends_only_its_own_waits() {
    let (pty, session) = scripted();
    let interrupt = Interrupt::new();
    thread::scope(|scope| {
        let other = scope.spawn(|| session.wait_for("shown", TIMEOUT));
        let waits = [
            scope.spawn(|| {
                session
                    .wait_for("never", interrupt.within(TIMEOUT))
                    .map(drop)
            }),
            scope.spawn(|| {
                session
                    .wait_for_stable(TIMEOUT, interrupt.within(TIMEOUT * 2))
                    .map(drop)
            }),
            scope.spawn(|| session.wait_for_exit(interrupt.within(TIMEOUT)).map(drop)),
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
    // The interrupt stays raised.
    let ended = session.wait_for("never", interrupt.within(TIMEOUT));
    assert!(
        matches!(ended, Err(WaitError::Interrupted { .. })),
        "{ended:?}"
    );
    // A condition that already holds succeeds.
    assert!(session.wait_for("shown", interrupt.within(TIMEOUT)).is_ok());
}
