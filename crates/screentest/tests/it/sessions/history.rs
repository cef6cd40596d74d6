//! The history of screens, however brief.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use screentest::core::Condition;
use screentest::pty::scripted::ScriptedPty;
use screentest::session::{Forgotten, SessionOptions};
use screentest::{Mark, Session, SessionFrame};

use super::{TIMEOUT, scripted, sh};

/// Returns the texts of all frames since a mark.
fn frames(session: &Session, since: Mark) -> Vec<String> {
    let last = session.mark();
    let mut texts = Vec::new();
    let mut mark = since;
    while mark < last {
        let frame = session.wait_for_frame(mark, TIMEOUT).unwrap();
        texts.push(frame.screen.text());
        mark = frame.mark();
    }
    texts
}

#[test]
fn text_shown_and_erased_in_one_chunk_is_found() {
    let (pty, session) = scripted();
    let mark = session.mark();
    pty.print(b"toast\r\x1b[Kplain");
    assert_eq!(session.screen().text(), "plain\n");
    let frame = session.saw("toast", mark).unwrap().unwrap();
    assert_eq!(frame.screen.text(), "toast\n");
    assert_eq!(session.never("toast", mark), Ok(false));
    assert_eq!(session.never("jam", mark), Ok(true));
}

#[test]
fn a_wait_since_a_mark_finds_text_that_is_already_gone() {
    let (pty, session) = scripted();
    let mark = session.mark();
    pty.print(b"toast\r\x1b[Kplain");
    assert_eq!(session.screen().text(), "plain\n");
    let frame = session.wait_since("toast", mark, TIMEOUT).unwrap();
    assert_eq!(frame.screen.text(), "toast\n");
    let next = session.wait_since("plain", frame.mark(), TIMEOUT).unwrap();
    assert!(next.revision > frame.revision);
    // Without the mark, only screens from now on count.
    assert!(session.wait_for("toast", Duration::ZERO).is_err());
    assert!(
        session
            .wait_since("toast", next.mark(), Duration::ZERO)
            .is_err()
    );
}

#[test]
fn overwritten_text_is_found() {
    let (pty, session) = scripted();
    let mark = session.mark();
    pty.print(b"Working\rDone   ");
    assert!(session.saw("Working", mark).unwrap().is_some());
}

#[test]
fn text_that_scrolled_off_is_found_without_a_scrollback() {
    let options = SessionOptions {
        scrollback: 0,
        ..SessionOptions::default()
    };
    let pty = ScriptedPty::new(options.size);
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    let mark = session.mark();
    pty.print(format!("toast{}bread", "\r\n".repeat(40)).as_bytes());
    assert_eq!(session.screen().find("toast"), None);
    assert!(session.saw("toast", mark).unwrap().is_some());
    assert_eq!(session.never("toast", mark), Ok(false));
}

#[test]
fn a_mark_includes_the_current_screen() {
    let (pty, session) = scripted();
    pty.print(b"old");
    session.screen();
    pty.print(b"\r\x1b[Knew");
    let mark = session.mark();
    pty.print(b"\r\x1b[Knewer");
    assert_eq!(session.never("old", mark), Ok(true));
    assert!(session.saw("new", mark).unwrap().is_some());
    assert!(session.saw("newer", mark).unwrap().is_some());
}

#[test]
fn frames_are_returned_in_the_order_they_were_shown() {
    let (pty, session) = scripted();
    let mark = session.mark();
    for text in ["one", "\r\x1b[Ktwo", "\r\x1b[Kthree"] {
        pty.print(text.as_bytes());
        session.screen();
    }
    let texts = frames(&session, mark);
    let words: Vec<&str> = texts.iter().map(|text| text.trim_end()).collect();
    assert_eq!(words, ["one", "two", "three"]);
}

#[test]
fn frames_have_the_time_at_which_they_were_shown() {
    let session = sh("echo one; read x; echo two; read x");
    let first = session.mark();
    session.wait_for("one", TIMEOUT).unwrap();
    session.type_text("\n").unwrap();
    session.wait_for("two", TIMEOUT).unwrap();
    let time = |frame: Option<Arc<SessionFrame>>| frame.unwrap().time;
    let one = time(session.saw("one", first).unwrap());
    let two = time(session.saw("two", first).unwrap());
    assert!(one < two, "{one:?} {two:?}");
}

#[test]
fn an_exceeded_history_is_an_error() {
    let (pty, session) = scripted();
    let mark = session.mark();
    for n in 0..5000 {
        pty.print(format!("\r{n}").as_bytes());
        session.screen();
    }
    // A screen that is still in the history is found. For other texts the answer is unknown, since
    // older screens are no longer stored.
    assert!(session.saw("4321", mark).unwrap().is_some());
    assert_eq!(session.saw("never shown", mark), Err(Forgotten::TooLong));
    assert_eq!(session.never("never shown", mark), Err(Forgotten::TooLong));
    let later = session.mark();
    assert_eq!(session.never("never shown", later), Ok(true));
}

#[test]
fn an_exceeded_history_of_one_chunk_is_not_a_false_negative() {
    let (pty, session) = scripted();
    let mark = session.mark();
    let toasts: Vec<String> = (0..3000).map(|n| format!("\rtoast {n}\x1b[K")).collect();
    pty.print(toasts.concat().as_bytes());
    assert!(session.screen().contains("toast 2999"));
    match session.saw("toast 7", mark) {
        Ok(Some(_)) | Err(_) => {}
        Ok(None) => panic!("the text was shown, but the history reports that it was not"),
    }
}

/// A synchronized update that erases and redraws both rows, so that any partial state would be
/// visible.
const UPDATE: &str = "\x1b[?2026h\x1b[2J\x1b[Hnew one\r\nnew two\x1b[?2026l";

#[test]
fn a_synchronized_update_is_one_frame_however_it_is_cut() {
    for size in [1, 2, 3, 7, 1000] {
        let (pty, session) = scripted();
        pty.print(b"old one\r\nold two");
        let mark = session.mark();
        for chunk in UPDATE.as_bytes().chunks(size) {
            pty.print(chunk);
            session.screen();
        }
        assert_eq!(
            frames(&session, mark),
            ["new one\nnew two\n"],
            "chunks of {size}"
        );
        let torn = Condition::new("half an update", |screen| {
            !matches!(
                screen.text().as_str(),
                "old one\nold two\n" | "new one\nnew two\n"
            )
        });
        assert_eq!(session.never(torn, mark), Ok(true), "chunks of {size}");
    }
}

#[test]
fn two_synchronized_updates_in_one_chunk_are_two_frames() {
    let (pty, session) = scripted();
    let mark = session.mark();
    let update = |text: &str| format!("\x1b[?2026h\x1b[2J\x1b[H{text}\x1b[?2026l");
    pty.print([update("one"), update("two")].concat().as_bytes());
    session.screen();
    assert_eq!(frames(&session, mark), ["one\n", "two\n"]);
}

#[test]
fn a_condition_may_use_its_own_session() {
    let (pty, session) = scripted();
    let session = Arc::new(session);
    let mark = session.mark();
    pty.print(b"here");
    let asked = Arc::downgrade(&session);
    let curious = Condition::new("the same as is shown now", move |screen| {
        let session = asked.upgrade().expect("the session is asked");
        session.screen() == *screen && screen.contains("here")
    });
    let (done, ended) = mpsc::channel();
    // In a thread, so that a deadlock is a failure.
    std::thread::spawn(move || {
        session.wait_for(&curious, TIMEOUT).unwrap();
        assert!(session.saw(&curious, mark).unwrap().is_some());
        pty.print(b"\r\x1b[K");
        let error = session.wait_for(&curious, Duration::ZERO).unwrap_err();
        let _ = done.send(error);
    });
    let error = ended.recv_timeout(TIMEOUT).unwrap();
    assert!(error.report().is_some());
}
