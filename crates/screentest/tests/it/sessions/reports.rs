//! What a wait that failed says, so that nobody has to run it again to understand.

use std::time::Duration;

use screentest::core::{Condition, Position};
use screentest::{Clock, Miss, Options, Outcome, Report, Session, WaitError};

use super::timeline::Timeline;
use super::{SOON, scripted, sh};

/// Long enough that output which is there is seen first; no outcome depends on it.
const BRIEFLY: Duration = Duration::from_millis(20);

/// The report of a wait for `text` on what a program has printed.
#[track_caller]
fn report(printed: &str, text: &str) -> Report {
    let (pty, session) = scripted();
    pty.print(printed.as_bytes());
    session.screen();
    timed_out(&session, text)
}

#[track_caller]
fn timed_out(session: &Session, condition: impl Into<Condition>) -> Report {
    match session.wait_for(condition, BRIEFLY) {
        Err(WaitError::TimedOut { report, .. }) => *report,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_last_screen_is_shown() {
    let report = report("one\r\ntwo", "three");
    assert_eq!(report.last.text(), "one\ntwo\n");
    assert_eq!(report.outcome, None);
    assert_eq!(
        report.to_string(),
        "the last screen (80x24):\n  │ one\n  │ two|\nthe program is running\n"
    );
}

#[test]
fn unwrapping_prints_the_error_and_the_report() {
    let (pty, session) = scripted();
    pty.print(b"Ready");
    let error = session.wait_for("ready", BRIEFLY).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "text \"ready\" not seen within 20ms\n\
         the last screen (80x24):\n  │ Ready|\n\
         the program is running\n\
         near miss: \"Ready\" stands at row 1, column 1\n"
    );
}

#[test]
fn the_same_letters_in_another_case_are_pointed_at() {
    let report = report("\r\n is it READY?", "ready");
    let miss = Miss::OtherCase {
        position: Position { row: 1, col: 7 },
        found: "READY".to_owned(),
    };
    assert_eq!(report.misses, [miss]);
}

#[test]
fn what_scrolled_out_is_pointed_at() {
    let lines: Vec<String> = (1..=30).map(|n| format!("line {n}\r\n")).collect();
    let report = report(&lines.concat(), "line 5");
    // 31 rows in 24: the first 7 are above, and line 5 is the third of them from below.
    assert_eq!(report.misses, [Miss::ScrolledOut { rows_above: 3 }]);
    let shown = report.to_string();
    assert!(
        shown.contains("near miss: it scrolled out, 3 rows above the top"),
        "{shown}"
    );
}

#[test]
fn what_was_shown_and_vanished_is_told_with_its_times() {
    let timeline = Timeline::new(&[(30, "toast"), (70, "\r\x1b[K")]);
    let session = timeline.session(Options::default());
    timeline.drive();
    // The wait begins when the toast is gone.
    session
        .wait_stable(Duration::from_millis(50), SOON)
        .unwrap();
    let error = session
        .wait_for("toast", Duration::from_millis(100))
        .unwrap_err();
    let report = error.report().unwrap();
    let miss = Miss::Vanished {
        from: Duration::from_millis(30),
        to: Duration::from_millis(70),
    };
    assert_eq!(report.misses, [miss]);
    let shown = report.to_string();
    assert!(
        shown.contains("near miss: it was shown from 30.000ms to 70.000ms and is gone"),
        "{shown}"
    );
}

#[test]
fn a_question_without_an_answer_is_named() {
    // A program that asks for the window's title and waits for the answer for ever.
    let session = sh("stty raw -echo; printf 'asking\\033[21t'; head -c 1; printf answered");
    session.wait_for("asking", SOON).unwrap();
    let report = timed_out(&session, "answered");
    assert_eq!(report.unanswered, ["CSI 21 t"]);
    let shown = report.to_string();
    assert!(
        shown.contains("the program asked CSI 21 t and got no answer"),
        "{shown}"
    );
}

#[test]
fn how_the_program_ended_is_told() {
    let session = sh("echo almost; kill -SEGV $$");
    let error = session.wait_for("ready", SOON).unwrap_err();
    let report = error.report().unwrap();
    assert!(matches!(report.outcome, Some(Outcome::Signaled(_))));
    assert_eq!(report.last.text(), "almost\n");
    let shown = report.to_string();
    assert!(
        shown.contains("the program has ended: killed by SIGSEGV"),
        "{shown}"
    );
}

#[test]
fn input_that_was_not_read_is_counted() {
    let (pty, session) = scripted();
    pty.limit_input(3);
    session.type_text("hello").unwrap();
    let report = timed_out(&session, "hello");
    assert_eq!(report.unread_input, 2);
    let shown = report.to_string();
    assert!(shown.contains("2 bytes of input were not read"), "{shown}");
}

#[test]
fn an_empty_screen_is_said_to_be_blank() {
    let report = report("\x1b[?25l", "ready");
    assert!(report.to_string().contains("  │ (blank)\n"), "{report}");
}

#[test]
fn other_waits_explain_themselves_too() {
    let clock = Clock::system();
    let session = sh("while :; do printf x; sleep 0.001; done");
    let error = session.wait_stable(SOON, BRIEFLY).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("a screen unchanged for 20s not seen"),
        "{error}"
    );
    assert!(error.report().is_some());
    let error = session.wait_exit(BRIEFLY).unwrap_err();
    assert_eq!(error.to_string(), "the program's end not seen within 20ms");
    drop(session);
    let session = sh("read end");
    let error = session.wait_frame(session.mark(), BRIEFLY).unwrap_err();
    assert_eq!(error.to_string(), "another screen not seen within 20ms");
    assert!(clock.now() < SOON);
}
