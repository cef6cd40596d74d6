//! Reports of failed waits, which must explain the failure without another run.

use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::input::focus::Focus;
use screentest::core::input::mouse::{Button, MouseEvent, MouseKind};
use screentest::core::query::selector::Styled;
use screentest::core::{Condition, Key, Modifiers, Paint, Position, Rect, Selector, Size};
use screentest::session::{SessionOptions, WaitDiagnosis, WaitError, WaitReport};
use screentest::{ExitStatus, Session, Signal};

use super::timeline::Timeline;
use super::{TIMEOUT, scripted, sh};

/// Long enough to read pending output first. On the manual clock, reports contain exactly this
/// time.
const SHORT_TIMEOUT: Duration = Duration::from_millis(20);

/// Returns the report of a wait of 20 ms, after a program has printed something and `act` was
/// called on its session.
#[track_caller]
fn report(
    printed: &str,
    act: impl FnOnce(&Session),
    condition: impl Into<Condition>,
) -> WaitReport {
    let timeline = Timeline::new(&[]);
    timeline.pty.print(printed.as_bytes());
    let session = timeline.session(SessionOptions::default());
    session.screen();
    timeline.drive();
    act(&session);
    timed_out(&session, condition)
}

#[track_caller]
fn timed_out(session: &Session, condition: impl Into<Condition>) -> WaitReport {
    match session.wait_for(condition, SHORT_TIMEOUT) {
        Err(WaitError::TimedOut { report, .. }) => *report,
        other => panic!("{other:?}"),
    }
}

/// Checks everything in a report after the last screen and the state of the program.
#[track_caller]
fn check(printed: &str, condition: impl Into<Condition>, expected: &str) {
    let report = report(printed, |_| (), condition);
    let start = "the program is running\nthe screen last changed 20ms ago\n";
    assert_eq!(report.details().to_string(), format!("{start}{expected}"));
}

#[test]
fn text_that_the_terminal_does_not_echo_is_not_shown() {
    let session = sh("stty -echo; printf 'Password: '; read password; echo; exec cat");
    session.wait_for("Password: ", TIMEOUT).unwrap();
    session.type_text("hunter2").unwrap();
    session.press(Key::Enter).unwrap();
    let report = timed_out(&session, "never").to_string();
    assert!(!report.contains("hunter2"), "{report}");
    assert!(
        report.contains("typed text that the terminal does not echo"),
        "{report}"
    );
}

#[test]
fn the_last_screen_is_shown() {
    let report = report("one\r\ntwo", |_| (), "three");
    assert_eq!(report.last.text(), "one\ntwo\n");
    assert_eq!(report.exit_status, None);
    assert_eq!(report.unchanged, Some(SHORT_TIMEOUT));
    assert_eq!(
        report.to_string(),
        "the last screen (80x24):\n  │ one\n  │ two|\n\
         the program is running\n\
         the screen last changed 20ms ago\n"
    );
}

#[test]
fn unwrapping_prints_the_error_and_the_report() {
    let timeline = Timeline::new(&[(5, "Ready")]);
    let session = timeline.session(SessionOptions::default());
    timeline.drive();
    let error = session.wait_for("ready", SHORT_TIMEOUT).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "text \"ready\" did not appear within 20ms\n\
         the last screen (80x24):\n  │ Ready|\n\
         the program is running\n\
         the screen last changed 15ms ago\n\
         closest match: \"Ready\" at row 1, column 1"
    );
}

#[test]
fn a_report_for_a_terminal_has_the_colours_of_the_screen() {
    let report = report("\x1b[31mred\x1b[m plain", |_| (), "Red");
    assert_eq!(
        report.to_text(Paint::Ansi),
        "the last screen (80x24):\n  │ \x1b[0;31mred\x1b[0m plain\n\
         the program is running\n\
         the screen last changed 20ms ago\n\
         closest match: \"red\" at row 1, column 1\n"
    );
}

#[test]
fn near_misses_are_reported() {
    check(
        "\r\n is it READY?",
        "ready",
        "closest match: \"READY\" at row 2, column 8\n",
    );
    check(
        "Save",
        Selector::exact("Save").and(Selector::styled(Styled::new().bold())),
        "closest match: \"Save\" at row 1, column 1, not bold\n",
    );
    check(
        "\r\n\r\nReady",
        Selector::exact("Ready").within(Rect::across(0..2)),
        "closest match: \"Ready\" at row 3, column 1, outside the rectangle\n",
    );
    check(
        "a a",
        Selector::exact("a").nth(3),
        "closest match: only 2 were found, no match number 3 (counted from 0)\n",
    );
    check(
        "\x1b]2;shell\x07x",
        Condition::title("vim"),
        "closest match: the title is \"shell\"\n",
    );
    check(
        "one\r\ntwo",
        !Condition::text("one"),
        "closest match: \"one\" at row 1, column 1\n",
    );
}

#[test]
fn of_several_conditions_the_failing_ones_are_named() {
    check(
        "one\r\ntwo",
        Condition::all(["one", "TWO", "three"]),
        "did not hold: text \"TWO\"\n\
         closest match: \"two\" at row 2, column 1\n\
         did not hold: text \"three\"\n",
    );
}

#[test]
fn text_in_the_scrollback_is_reported() {
    let lines: Vec<String> = (1..=30).map(|n| format!("line {n}\r\n")).collect();
    // 31 rows in 24: the first 7 are in the scrollback, and line 5 is the third of them from below.
    check(
        &lines.concat(),
        "line 5\n",
        "closest match: it scrolled out, 3 rows above the top\n",
    );
    // The alternate screen has no scrollback.
    check(&(lines.concat() + "\x1b[?1049h\x1b[Hx"), "line 5\n", "");
}

#[test]
fn vanished_text_is_reported_with_its_times() {
    let toasts = [
        (30, "toast"),
        (70, "\r\x1b[K"),
        (80, "toast"),
        (95, "\r\x1b[K"),
    ];
    for (shown, expected) in [
        (2, "closest match: shown from 20ms to 60ms, then gone\n"),
        (
            4,
            "closest match: shown 2 times, last from 70ms to 85ms, then gone\n",
        ),
    ] {
        let timeline = Timeline::new(&toasts[..shown]);
        // A session's times start with the session, not with the clock.
        timeline.clock.advance(Duration::from_millis(10));
        let session = timeline.session(SessionOptions::default());
        timeline.drive();
        // The wait begins when the toast is gone.
        session
            .wait_for_stable(Duration::from_millis(50), TIMEOUT)
            .unwrap();
        let report = timed_out(&session, "toast");
        let WaitDiagnosis::Vanished { times, .. } = report.unmet[0].diagnoses[0] else {
            panic!("{report}");
        };
        assert_eq!(times, shown / 2);
        let details = report.details().to_string();
        let (_, rest) = details.split_once(" ago\n").unwrap();
        assert_eq!(rest, expected);
    }
}

#[test]
fn a_program_without_output_is_reported() {
    let report = report("", |_| (), "ready");
    assert_eq!(report.unchanged, None);
    assert_eq!(
        report.to_string(),
        "the last screen (80x24):\n  │ |\nthe program is running, and has not shown anything\n"
    );
}

#[test]
fn the_last_inputs_are_listed() {
    let mouse = |kind| MouseEvent {
        kind,
        position: Position { row: 2, col: 4 },
        modifiers: Modifiers::empty(),
    };
    let act = |session: &Session| {
        session.type_text("hello").unwrap();
        session.press("Ctrl+C").unwrap();
        session.press(Key::Down).unwrap();
        session.press(Key::Down).unwrap();
        session.paste("two\nlines").unwrap();
        session
            .wait_for("?", Duration::from_millis(1500))
            .unwrap_err();
        session
            .mouse(mouse(MouseKind::Press(Button::Left)))
            .unwrap();
        session
            .mouse(mouse(MouseKind::Release(Button::Left)))
            .unwrap();
        // Focus events are not enabled, so nothing is sent.
        session.focus(Focus::Lost).unwrap();
        session.mouse(mouse(MouseKind::Move(None))).unwrap_err();
        session.press("Entre").unwrap_err();
        session
            .resize(Size {
                cols: 100,
                rows: 30,
            })
            .unwrap();
        session.signal(Signal::INT).unwrap();
        session.send(b"\x1b[0n\n").unwrap();
    };
    // The terminal's reply to the query is not an input.
    let report = report("\x1b[?1000h\x1b[5n> ", act, "ready");
    assert_eq!(
        report.to_string(),
        "the last screen (100x30):\n  │ > |\n\
         the program is running\n\
         the screen last changed 20ms ago\n\
         the last inputs:\n  \
           at 0ms, typed \"hello\"\n  \
           at 0ms, pressed Ctrl+C\n  \
           at 0ms, pressed Down, 2 times\n  \
           at 0ms, pasted 9 characters\n  \
           at 1.5s, clicked row 3, column 5\n  \
           at 1.5s, resized to 100x30\n  \
           at 1.5s, sent signal SIGINT\n  \
           at 1.5s, sent 5 bytes\n"
    );
}

#[test]
fn an_unanswered_query_is_named() {
    // A program that queries an unknown state and waits for the reply forever.
    let session = sh("stty raw -echo; printf 'asking\\033[?99n'; head -c 1; printf answered");
    session.wait_for("asking", TIMEOUT).unwrap();
    let report = timed_out(&session, "answered");
    assert_eq!(report.unanswered, ["CSI ? 99 n"]);
    let shown = report.to_string();
    assert!(
        shown.contains("the program asked CSI ? 99 n and got no answer"),
        "{shown}"
    );
}

#[test]
fn the_exit_status_is_reported() {
    let session = sh("echo almost; kill -SEGV $$");
    let error = session.wait_for("ready", TIMEOUT).unwrap_err();
    let report = error.report().unwrap();
    assert!(matches!(report.exit_status, Some(ExitStatus::Signaled(_))));
    assert_eq!(report.last.text(), "almost\n");
    let shown = report.to_string();
    assert!(
        shown.contains("the program has ended: killed by SIGSEGV"),
        "{shown}"
    );
}

#[test]
fn unread_input_is_counted() {
    let (pty, session) = scripted();
    pty.limit_input(3);
    session.type_text("hello").unwrap();
    let report = timed_out(&session, "hello");
    assert_eq!(report.unread_input, 2);
    let shown = report.to_string();
    assert!(shown.contains("2 bytes of input were not read"), "{shown}");
}

#[test]
fn an_empty_screen_is_reported_as_blank() {
    let report = report("\x1b[?25l", |_| (), "ready");
    assert!(report.to_string().contains("  │ (blank)\n"), "{report}");
}

#[test]
fn other_waits_have_reports_too() {
    let clock = Clock::system();
    let session = sh("while :; do printf x; sleep 0.001; done");
    let error = session.wait_for_stable(TIMEOUT, SHORT_TIMEOUT).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("a screen unchanged for 20s did not appear"),
        "{error}"
    );
    assert!(error.report().is_some());
    let error = session.wait_for_exit(SHORT_TIMEOUT).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program's end did not appear within 20ms"
    );
    drop(session);
    let session = sh("read end");
    let error = session
        .wait_for_frame(session.mark(), SHORT_TIMEOUT)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "another screen did not appear within 20ms"
    );
    assert!(clock.now() < TIMEOUT);
}
