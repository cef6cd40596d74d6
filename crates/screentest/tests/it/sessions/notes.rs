//! Notes: events that change no cell, such as bells and clipboard copies. They are counted since a
//! mark, and waits can wait for them.

use std::sync::mpsc;
use std::time::Duration;

use screentest::core::Condition;
use screentest::core::emulator::Notes;
use screentest::session::{SessionOptions, WaitError};
use screentest::{ExitStatus, Mark, Session};

use super::timeline::Timeline;
use super::{TIMEOUT, scripted, sh, sync_with_background_reader};
use screentest_fixtures::cpu_load::CpuLoad;
use screentest_fixtures::random::quick_or_full;

fn has_bells(count: u64) -> impl Fn(&Notes) -> bool {
    move |notes| notes.counts.bells >= count
}

#[test]
fn a_bell_is_counted_although_no_cell_changes() {
    let (pty, session) = scripted();
    pty.print(b"\x07text");
    let mark = session.mark();
    assert_eq!(session.counts_since(mark).bells, 0);
    pty.print(b"\x07\x07");
    assert_eq!(session.counts_since(mark).bells, 2);
    assert_eq!(session.counts().bells, 3);
    assert_eq!(session.counts_since(Mark::START).bells, 3);
    // A bell makes no new frame.
    assert_eq!(session.mark(), mark);
    assert_eq!(session.mark().revision(), mark.revision());
}

#[test]
fn a_mark_counts_notes_up_to_its_frame() {
    let (pty, session) = scripted();
    let start = session.mark();
    pty.print(b"\x07toast\x1b[2J\x07\x1b[Hplain");
    let toast = session.wait_since("toast", start, TIMEOUT).unwrap();
    assert_eq!(toast.counts.bells, 1);
    let after = session.counts_since(toast.mark());
    assert_eq!((after.bells, after.clears), (1, 1));
}

#[test]
fn a_wait_for_a_note_is_woken_without_a_new_screen() {
    let script = [(10, "\x07"), (20, "a"), (30, "\x07")];
    let timeline = Timeline::new(&script);
    let session = timeline.session(SessionOptions::default());
    timeline.drive();
    let notes = session
        .wait_for_notes("two bells", has_bells(2), TIMEOUT)
        .unwrap();
    assert_eq!(notes.counts.bells, 2);
    assert_eq!(timeline.clock.now(), Duration::from_millis(30));
    // A condition that already holds returns at once.
    session
        .wait_for_notes("two bells", has_bells(2), Duration::ZERO)
        .unwrap();
}

#[test]
fn every_thread_that_waits_for_a_note_is_woken() {
    // Either one of these threads or the background reader reads the terminal, and must wake the
    // others although the screen does not change.
    let load = CpuLoad::start();
    for round in quick_or_full(100, 1000) {
        let (pty, session) = scripted();
        if round % 2 == 0 {
            sync_with_background_reader(&pty);
        }
        let (checked, checks) = mpsc::channel();
        std::thread::scope(|scope| {
            let never = Condition::new("nothing", |_| false);
            let waits: Vec<_> = (0..3)
                .map(|_| {
                    let (checked, session) = (checked.clone(), &session);
                    scope.spawn(move || {
                        let has_bell = move |notes: &Notes| {
                            let _ = checked.send(());
                            notes.counts.bells > 0
                        };
                        session
                            .wait_for_notes("a bell", has_bell, TIMEOUT)
                            .map(|_| ())
                    })
                })
                .collect();
            let other = scope.spawn(|| session.wait_for(never, TIMEOUT).unwrap_err());
            for _ in 0..3 {
                checks.recv_timeout(TIMEOUT).unwrap();
            }
            pty.print(b"\x07");
            for wait in waits {
                let ended = wait.join().unwrap();
                assert!(ended.is_ok(), "round {round}: {ended:?}");
            }
            pty.end(ExitStatus::Exited(0));
            assert!(matches!(other.join().unwrap(), WaitError::Ended { .. }));
        });
    }
    drop(load);
}

#[test]
fn reading_counts_does_not_hide_a_note_from_a_wait() {
    let _load = CpuLoad::start();
    for round in quick_or_full(100, 1000) {
        let (pty, session) = scripted();
        std::thread::scope(|scope| {
            let wait = scope.spawn(|| session.wait_for_notes("a bell", has_bells(1), TIMEOUT));
            pty.print(b"\x07");
            session.counts();
            let ended = wait.join().unwrap();
            assert!(ended.is_ok(), "round {round}: {:?}", ended.err());
        });
    }
}

#[test]
fn a_wait_for_a_note_ends_like_any_other() {
    let (pty, session) = scripted();
    let wait = |session: &Session, timeout| {
        let ended = session.wait_for_notes("a bell", has_bells(1), timeout);
        ended.unwrap_err()
    };
    pty.print(b"shown");
    let error = wait(&session, Duration::ZERO);
    assert_eq!(error.to_string(), "a bell did not appear within 0ms");
    assert_eq!(error.report().unwrap().last.text(), "shown\n");
    pty.end(ExitStatus::Exited(3));
    let error = wait(&session, TIMEOUT);
    assert_eq!(
        error.to_string(),
        "the program ended (exit code 3) before a bell appeared"
    );

    let (_pty, session) = scripted();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| wait(&session, TIMEOUT));
        session.close().unwrap();
        let error = waiting.join().unwrap();
        assert!(matches!(error, WaitError::Closed { .. }), "{error}");
    });
}

#[test]
fn a_condition_on_notes_may_use_its_own_session() {
    let (pty, session) = scripted();
    let (done, ended) = mpsc::channel();
    // Runs in a thread with a timeout, so that a deadlock fails the test instead of blocking it.
    std::thread::spawn(move || {
        pty.print(b"\x07");
        let same_counts =
            |notes: &Notes| notes.counts == session.counts() && notes.counts.bells == 1;
        let _ = done.send(
            session
                .wait_for_notes("the counts of the session", same_counts, TIMEOUT)
                .is_ok(),
        );
    });
    assert_eq!(ended.recv_timeout(TIMEOUT), Ok(true));
}

#[test]
fn a_clipboard_copy_can_be_waited_for() {
    let session = sh("printf '\\033]52;c;aGVsbG8=\\033\\\\'; read end");
    let copied = |notes: &Notes| notes.clipboard() == Some("hello");
    let notes = session.wait_for_notes("a copy of `hello`", copied, TIMEOUT);
    assert_eq!(notes.unwrap().counts.copies, 1);
}

#[test]
fn an_image_can_be_waited_for_and_adds_no_text() {
    let session = sh("printf 'before\\033Pq\"1;1;8;6#0~~@@\\033\\\\after'; read end");
    let sent = |notes: &Notes| notes.counts.images > 0;
    let notes = session.wait_for_notes("a picture", sent, TIMEOUT).unwrap();
    let place = notes.images().next().unwrap().position;
    assert_eq!((place.row, place.col), (0, 6));
    session.wait_for("beforeafter", TIMEOUT).unwrap();
}

#[test]
fn unchanged_for_reports_the_change() {
    let (pty, session) = scripted();
    pty.print(b"Ready");
    session.wait_for("Ready", TIMEOUT).unwrap();
    let error = std::thread::scope(|scope| {
        let wait = scope.spawn(|| session.unchanged_for(TIMEOUT).unwrap_err());
        // If the wait begins after `Busy` is printed, `Busy` is not a change for it. So the text
        // changes back and forth until the wait ends.
        super::poll_until("the wait to end", || {
            pty.print(b"\rBusy \x1b[K");
            pty.print(b"\rReady");
            session.screen();
            wait.is_finished()
        });
        wait.join().unwrap()
    });
    assert!(matches!(error, WaitError::Changed { .. }), "{error}");
    let text = format!("{error:?}");
    assert!(text.contains("row 1"), "{text}");
    assert!(text.contains("the last screen (80x24):"), "{text}");
}
