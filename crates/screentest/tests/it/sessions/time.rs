//! When waits end, to the millisecond of a clock that the test owns.

use std::sync::mpsc;
use std::time::Duration;

use screentest::core::{Condition, Screen};
use screentest::pty::scripted::ScriptedPty;
use screentest::{Clock, ExitStatus, Options, Session, WaitError};

use super::timeline::Timeline;
use super::{SIZE, SOON, meet_pump, until};
use crate::rounds::rounds;

/// Plays a script while `wait` waits; says how that ended and at which millisecond.
#[track_caller]
fn check(
    script: &[(u64, &str)],
    wait: impl FnOnce(&Session) -> Result<Screen, WaitError>,
    ended: &str,
    millis: u64,
) {
    let timeline = Timeline::new(script);
    let session = timeline.session(Options::default());
    timeline.drive();
    let outcome = match wait(&session) {
        Ok(screen) => screen.text(),
        Err(error) => error.to_string(),
    };
    assert_eq!(outcome, ended);
    assert_eq!(timeline.clock.now(), Duration::from_millis(millis));
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_wait_times_out_when_its_time_has_come_and_not_before() {
    let wait = |session: &Session| session.wait_for("x", ms(100));
    check(&[], wait, "text \"x\" did not appear within 100ms", 100);
    check(
        &[(50, "y")],
        wait,
        "text \"x\" did not appear within 100ms",
        100,
    );
    check(
        &[(101, "x")],
        wait,
        "text \"x\" did not appear within 100ms",
        100,
    );
    check(&[(1, "x")], wait, "x\n", 1);
    check(&[(99, "x")], wait, "x\n", 99);
    // At the very moment counts: it was there when the time had come.
    check(&[(100, "x")], wait, "x\n", 100);
}

#[test]
fn rest_is_counted_from_the_last_change() {
    let wait = |session: &Session| session.wait_for_stable(ms(100), SOON);
    // From now at the earliest: what was quiet before may have been about to begin.
    check(&[], wait, "", 100);
    check(&[(30, "a"), (60, "b")], wait, "ab\n", 160);
    check(&[(99, "a"), (198, "b")], wait, "ab\n", 298);
    check(&[(30, "a"), (131, "b")], wait, "a\n", 130);
}

#[test]
fn what_nobody_sees_does_not_disturb_rest() {
    let wait = |session: &Session| session.wait_for_stable(ms(100), SOON);
    check(&[(30, "a"), (60, "\x07\x1b[1m")], wait, "a\n", 130);
    check(&[(30, "a"), (60, "\ra")], wait, "a\n", 130);
}

#[test]
fn what_never_rests_times_out() {
    let script: Vec<(u64, &str)> = (1..100).map(|n| (n * 50, "x")).collect();
    let wait = |session: &Session| session.wait_for_stable(ms(100), ms(1000));
    check(
        &script,
        wait,
        "a screen unchanged for 100ms did not appear within 1s",
        1000,
    );
}

#[test]
fn a_screen_that_should_not_change_is_watched_from_now_on() {
    let wait = |session: &Session| session.unchanged_for(ms(100));
    check(&[], wait, "", 100);
    check(&[(101, "late")], wait, "", 100);
    check(&[(30, "\x07\x1b[?2004h")], wait, "", 100);
    let changed = |after| {
        format!("the screen changed after {after}ms, but a screen unchanged for 100ms was expected")
    };
    // It does not wait for the rest to begin again, nor for the end of its time.
    check(&[(30, "a"), (31, "b")], wait, &changed(30), 30);
    check(&[(100, "a")], wait, &changed(100), 100);
    // What is gone again was there; a cursor that moves is seen.
    check(&[(30, "toast\r\x1b[K")], wait, &changed(30), 30);
    check(&[(30, "\x1b[5G")], wait, &changed(30), 30);
}

#[test]
fn what_was_written_before_is_no_change() {
    let timeline = Timeline::new(&[(50, "")]);
    let session = timeline.session(Options::default());
    timeline.drive();
    timeline.pty.print(b"before");
    let screen = session.unchanged_for(ms(100)).unwrap();
    assert_eq!(screen.text(), "before\n");
}

#[test]
fn what_has_ended_rests_at_once() {
    let timeline = Timeline::new(&[]);
    let session = timeline.session(Options::default());
    timeline.drive();
    timeline.pty.print(b"done");
    timeline.pty.end(ExitStatus::Exited(0));
    let screen = session.wait_for_stable(ms(100), SOON).unwrap();
    assert_eq!(screen.text(), "done\n");
    assert_eq!(timeline.clock.now(), Duration::ZERO);
}

const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";

#[test]
fn a_synchronized_update_is_shown_when_it_ends() {
    let wait = |session: &Session| session.wait_for("a", SOON);
    let script = [(10, BEGIN), (20, "a"), (30, "b"), (40, END)];
    check(&script, wait, "ab\n", 40);
}

#[test]
fn a_synchronized_update_that_never_ends_is_shown_after_150_ms() {
    let wait = |session: &Session| session.wait_for("half", SOON);
    check(&[(10, "\x1b[?2026hhalf")], wait, "half\n", 160);
    check(&[(10, BEGIN), (100, "half")], wait, "half\n", 160);
    check(&[(10, BEGIN), (200, "half")], wait, "half\n", 200);
}

#[test]
fn each_synchronized_update_has_its_own_150_ms() {
    // The second begins in the same chunk in which the first ends, so that no moment between them is seen.
    let script = [
        (10, "\x1b[?2026hfirst"),
        (110, "\x1b[?2026l\x1b[?2026h\x1b[2K\rsecond"),
        (200, " half\x1b[?2026l"),
    ];
    let wait = |session: &Session| session.wait_for("second", SOON);
    check(&script, wait, "second half\n", 200);
}

#[test]
fn an_unfinished_update_is_shown_whoever_took_its_beginning() {
    for _ in rounds(5, 50) {
        let pty = ScriptedPty::new(SIZE);
        let session = Session::over(std::sync::Arc::new(pty.clone()), Options::default()).unwrap();
        meet_pump(&pty);
        pty.print(b"\x1b[?2026hhalf");
        // Looking takes what is there, before the pump has seen it.
        until("the unfinished update", || {
            session.screen().contains("half")
        });
    }
}

#[test]
fn every_wait_hears_the_clock() {
    // Two threads wait; one of them reads, the other is told. Both must notice the time, whatever they were just doing.
    for round in rounds(300, 3000) {
        let pty = ScriptedPty::new(SIZE);
        let clock = Clock::manual();
        let options = Options {
            clock: clock.clone(),
            ..Options::default()
        };
        let session = Session::over(std::sync::Arc::new(pty), options).unwrap();
        let (asked, asking) = mpsc::channel();
        let (done, ended) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                let (asked, done, session) = (asked.clone(), done.clone(), &session);
                scope.spawn(move || {
                    let never = Condition::new("nothing", move |_| {
                        let _ = asked.send(());
                        false
                    });
                    let error = session.wait_for(never, ms(100)).unwrap_err();
                    let _ = done.send(error);
                });
            }
            // A wait asks after it has looked at the clock, so from here on both must end when this moves.
            for _ in 0..2 {
                asking.recv_timeout(SOON).unwrap();
            }
            clock.advance(ms(100));
            for _ in 0..2 {
                let error = ended.recv_timeout(SOON);
                if error.is_err() {
                    // Frees the threads, so that the failure is told.
                    clock.advance(ms(100));
                }
                let error =
                    error.unwrap_or_else(|_| panic!("round {round}: a wait missed its time"));
                assert!(matches!(error, WaitError::TimedOut { .. }), "{error}");
            }
        });
    }
}
