//! What no cell shows: counted since a mark, and waited for.

use std::sync::mpsc;
use std::time::Duration;

use screentest::core::Condition;
use screentest::core::emulator::Notes;
use screentest::{ExitStatus, Mark, Options, Session, WaitError};

use super::timeline::Timeline;
use super::{SOON, meet_pump, scripted, sh};
use crate::busy::Busy;
use crate::rounds::rounds;

fn rings(count: u64) -> impl Fn(&Notes) -> bool {
    move |notes| notes.counts.bells >= count
}

#[test]
fn a_bell_is_counted_though_no_cell_changes() {
    let (pty, session) = scripted();
    pty.print(b"\x07text");
    let mark = session.mark();
    assert_eq!(session.counts_since(mark).bells, 0);
    pty.print(b"\x07\x07");
    assert_eq!(session.counts_since(mark).bells, 2);
    assert_eq!(session.counts().bells, 3);
    assert_eq!(session.counts_since(Mark::START).bells, 3);
    // No frame was shown meanwhile.
    assert_eq!(session.mark(), mark);
    assert_eq!(session.mark().revision(), mark.revision());
}

#[test]
fn a_mark_is_the_moment_of_its_frame_though_the_screen_is_gone() {
    let (pty, session) = scripted();
    let start = session.mark();
    pty.print(b"\x07toast\x1b[2J\x07\x1b[Hplain");
    let toast = session.wait_since("toast", start, SOON).unwrap();
    assert_eq!(toast.counts.bells, 1);
    let after = session.counts_since(toast.mark());
    assert_eq!((after.bells, after.clears), (1, 1));
}

#[test]
fn a_wait_for_a_note_is_woken_without_a_new_screen() {
    let script = [(10, "\x07"), (20, "a"), (30, "\x07")];
    let timeline = Timeline::new(&script);
    let session = timeline.session(Options::default());
    timeline.drive();
    let notes = session.wait_for_notes("two bells", rings(2), SOON).unwrap();
    assert_eq!(notes.counts.bells, 2);
    assert_eq!(timeline.clock.now(), Duration::from_millis(30));
    // What is noted already is a yes at once.
    session
        .wait_for_notes("two bells", rings(2), Duration::ZERO)
        .unwrap();
}

#[test]
fn every_thread_that_waits_for_a_note_is_woken() {
    // One of them reads the terminal, or the pump does; the others must be told, though no screen changes.
    let busy = Busy::start();
    for round in rounds(100, 1000) {
        let (pty, session) = scripted();
        if round % 2 == 0 {
            meet_pump(&pty);
        }
        let (asked, asking) = mpsc::channel();
        std::thread::scope(|scope| {
            let never = Condition::new("nothing", |_| false);
            let waits: Vec<_> = (0..3)
                .map(|_| {
                    let (asked, session) = (asked.clone(), &session);
                    scope.spawn(move || {
                        let rung = move |notes: &Notes| {
                            let _ = asked.send(());
                            notes.counts.bells > 0
                        };
                        session.wait_for_notes("a bell", rung, SOON).map(|_| ())
                    })
                })
                .collect();
            let other = scope.spawn(|| session.wait_for(never, SOON).unwrap_err());
            for _ in 0..3 {
                asking.recv_timeout(SOON).unwrap();
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
    drop(busy);
}

#[test]
fn somebody_who_looks_does_not_take_a_note_from_who_waits() {
    let _busy = Busy::start();
    for round in rounds(100, 1000) {
        let (pty, session) = scripted();
        std::thread::scope(|scope| {
            let wait = scope.spawn(|| session.wait_for_notes("a bell", rings(1), SOON));
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
        let ended = session.wait_for_notes("a bell", rings(1), timeout);
        ended.unwrap_err()
    };
    pty.print(b"shown");
    let error = wait(&session, Duration::ZERO);
    assert_eq!(error.to_string(), "a bell did not appear within 0ms");
    assert_eq!(error.report().unwrap().last.text(), "shown\n");
    pty.end(ExitStatus::Exited(3));
    let error = wait(&session, SOON);
    assert_eq!(
        error.to_string(),
        "the program ended (exit code 3) before a bell appeared"
    );

    let (_pty, session) = scripted();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| wait(&session, SOON));
        session.close().unwrap();
        let error = waiting.join().unwrap();
        assert!(matches!(error, WaitError::Closed { .. }), "{error}");
    });
}

#[test]
fn a_question_about_notes_may_look_at_the_session() {
    let (pty, session) = scripted();
    let (done, ended) = mpsc::channel();
    // In a thread of its own, so that standing still for ever is a failure.
    std::thread::spawn(move || {
        pty.print(b"\x07");
        let curious = |notes: &Notes| notes.counts == session.counts() && notes.counts.bells == 1;
        let _ = done.send(session.wait_for_notes("the same", curious, SOON).is_ok());
    });
    assert_eq!(ended.recv_timeout(SOON), Ok(true));
}

#[test]
fn what_a_program_copies_can_be_waited_for() {
    let session = sh("printf '\\033]52;c;aGVsbG8=\\033\\\\'; read end");
    let copied = |notes: &Notes| notes.clipboard() == Some("hello");
    let notes = session.wait_for_notes("a copy of `hello`", copied, SOON);
    assert_eq!(notes.unwrap().counts.copies, 1);
}

#[test]
fn a_picture_can_be_waited_for_and_is_no_text() {
    let session = sh("printf 'before\\033Pq\"1;1;8;6#0~~@@\\033\\\\after'; read end");
    let sent = |notes: &Notes| notes.counts.images > 0;
    let notes = session.wait_for_notes("a picture", sent, SOON).unwrap();
    let place = notes.images().next().unwrap().position;
    assert_eq!((place.row, place.col), (0, 6));
    session.wait_for("beforeafter", SOON).unwrap();
}

#[test]
fn a_change_that_should_not_be_says_what_changed() {
    let (pty, session) = scripted();
    pty.print(b"Ready");
    session.wait_for("Ready", SOON).unwrap();
    let error = std::thread::scope(|scope| {
        let wait = scope.spawn(|| session.unchanged_for(SOON).unwrap_err());
        // The wait may begin before or after this: only the second change is sure to be one.
        super::until("the wait to end", || {
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
