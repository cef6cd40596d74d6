//! The times at which waits end, to the millisecond of a manual clock.

use std::sync::mpsc;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::{Condition, Screen};
use screentest::pty::scripted::ScriptedPty;
use screentest::session::{SessionOptions, WaitError};
use screentest::{ExitStatus, Session};

use super::timeline::Timeline;
use super::{SIZE, TIMEOUT, poll_until, sync_with_background_reader};
use screentest_fixtures::random::quick_or_full;

/// Plays a script during `wait`; checks its result and the millisecond at which it ended.
#[track_caller]
fn check(
    script: &[(u64, &str)],
    wait: impl FnOnce(&Session) -> Result<Screen, WaitError>,
    ended: &str,
    millis: u64,
) {
    let timeline = Timeline::new(script);
    let session = timeline.session(SessionOptions::default());
    timeline.drive();
    let result = match wait(&session) {
        Ok(screen) => screen.text(),
        Err(error) => error.to_string(),
    };
    assert_eq!(result, ended);
    assert_eq!(timeline.clock.now(), Duration::from_millis(millis));
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_wait_ends_exactly_at_its_timeout() {
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
    // Output exactly at the timeout still counts.
    check(&[(100, "x")], wait, "x\n", 100);
}

#[test]
fn stability_is_counted_from_the_last_change() {
    let wait = |session: &Session| session.wait_for_stable(ms(100), TIMEOUT);
    // The count starts at the call at the earliest: a program that was quiet before may have been
    // about to print.
    check(&[], wait, "", 100);
    check(&[(30, "a"), (60, "b")], wait, "ab\n", 160);
    check(&[(99, "a"), (198, "b")], wait, "ab\n", 298);
    check(&[(30, "a"), (131, "b")], wait, "a\n", 130);
}

#[test]
fn invisible_changes_do_not_affect_stability() {
    let wait = |session: &Session| session.wait_for_stable(ms(100), TIMEOUT);
    check(&[(30, "a"), (60, "\x07\x1b[1m")], wait, "a\n", 130);
    check(&[(30, "a"), (60, "\ra")], wait, "a\n", 130);
}

#[test]
fn a_screen_that_never_settles_times_out() {
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
fn unchanged_for_counts_from_now() {
    let wait = |session: &Session| session.unchanged_for(ms(100));
    check(&[], wait, "", 100);
    check(&[(101, "late")], wait, "", 100);
    check(&[(30, "\x07\x1b[?2004h")], wait, "", 100);
    let changed = |after| {
        format!("the screen changed after {after}ms, but a screen unchanged for 100ms was expected")
    };
    // It fails at the first change, without waiting for another quiet period or for its timeout.
    check(&[(30, "a"), (31, "b")], wait, &changed(30), 30);
    check(&[(100, "a")], wait, &changed(100), 100);
    // Text that disappears again counts, and so does a moving cursor.
    check(&[(30, "toast\r\x1b[K")], wait, &changed(30), 30);
    check(&[(30, "\x1b[5G")], wait, &changed(30), 30);
}

#[test]
fn pending_output_is_not_a_change() {
    let timeline = Timeline::new(&[(50, "")]);
    let session = timeline.session(SessionOptions::default());
    timeline.drive();
    timeline.pty.print(b"before");
    let screen = session.unchanged_for(ms(100)).unwrap();
    assert_eq!(screen.text(), "before\n");
}

#[test]
fn after_the_exit_the_screen_is_stable_at_once() {
    let timeline = Timeline::new(&[]);
    let session = timeline.session(SessionOptions::default());
    timeline.drive();
    timeline.pty.print(b"done");
    timeline.pty.end(ExitStatus::Exited(0));
    let screen = session.wait_for_stable(ms(100), TIMEOUT).unwrap();
    assert_eq!(screen.text(), "done\n");
    assert_eq!(timeline.clock.now(), Duration::ZERO);
}

const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";

#[test]
fn a_synchronized_update_is_shown_when_it_ends() {
    let wait = |session: &Session| session.wait_for("a", TIMEOUT);
    let script = [(10, BEGIN), (20, "a"), (30, "b"), (40, END)];
    check(&script, wait, "ab\n", 40);
}

#[test]
fn a_synchronized_update_that_never_ends_is_shown_after_150_ms() {
    let wait = |session: &Session| session.wait_for("half", TIMEOUT);
    check(&[(10, "\x1b[?2026hhalf")], wait, "half\n", 160);
    check(&[(10, BEGIN), (100, "half")], wait, "half\n", 160);
    check(&[(10, BEGIN), (200, "half")], wait, "half\n", 200);
}

#[test]
fn each_synchronized_update_has_its_own_150_ms() {
    // The second update begins in the chunk in which the first ends, so there is no screen between
    // them.
    let script = [
        (10, "\x1b[?2026hfirst"),
        (110, "\x1b[?2026l\x1b[?2026h\x1b[2K\rsecond"),
        (200, " half\x1b[?2026l"),
    ];
    let wait = |session: &Session| session.wait_for("second", TIMEOUT);
    check(&script, wait, "second half\n", 200);
}

#[test]
fn an_unfinished_update_is_shown_whichever_thread_read_it() {
    for _ in quick_or_full(5, 50) {
        let pty = ScriptedPty::new(SIZE);
        let session =
            Session::over(std::sync::Arc::new(pty.clone()), SessionOptions::default()).unwrap();
        sync_with_background_reader(&pty);
        pty.print(b"\x1b[?2026hhalf");
        // Reading the screen takes the output before the background reader.
        poll_until("the unfinished update", || {
            session.screen().contains("half")
        });
    }
}

#[test]
fn the_clock_wakes_every_wait() {
    // Two threads wait: one reads, and the other is notified. Both must notice the timeout,
    // whatever they are doing.
    for round in quick_or_full(300, 3000) {
        let pty = ScriptedPty::new(SIZE);
        let clock = Clock::manual();
        let options = SessionOptions {
            clock: clock.clone(),
            ..SessionOptions::default()
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
            // A wait evaluates its condition after it has read the clock, so from here on the clock
            // must end both.
            for _ in 0..2 {
                asking.recv_timeout(TIMEOUT).unwrap();
            }
            clock.advance(ms(100));
            for _ in 0..2 {
                let error = ended.recv_timeout(TIMEOUT);
                if error.is_err() {
                    // Ends the remaining waits, so that the failure is reported.
                    clock.advance(ms(100));
                }
                let error =
                    error.unwrap_or_else(|_| panic!("round {round}: a wait missed its time"));
                assert!(matches!(error, WaitError::TimedOut { .. }), "{error}");
            }
        });
    }
}
