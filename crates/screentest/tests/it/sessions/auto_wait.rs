//! Auto-wait: input waits until the program is ready for it.
//!
//! The scripted PTY reports one activity per query ([`ScriptedPty::set_activities`]), so that each
//! test controls the program's behaviour. Tests with real programs are in
//! `crates/cli/tests/it/keys`.

use std::time::Duration;

use screentest::AutoWait;
use screentest::core::Key;
use screentest::core::input::mouse::Button;
use screentest::core::{Modifiers, Position};
use screentest::pty::{Activity, LineFlags, LineSettings, Relay, Waiting};
use screentest::recording::{Cassette, RecordOptions};
use screentest::session::{InputError, InputOptions, Interrupt, SessionOptions, Unready};
use screentest_fixtures::scratch::Scratch;

use super::*;

const NOW: Waiting = Waiting {
    timers: Vec::new(),
    nap: None,
    naps: 0,
    runs: None,
    state: 0,
    relay: None,
    text_at_once: true,
};

fn waiting() -> Activity {
    Activity::Waiting(NOW)
}

/// Returns the activity of a program that waits with a timer of this many milliseconds.
fn timed(milliseconds: u64) -> Activity {
    Activity::Waiting(Waiting {
        timers: vec![Duration::from_millis(milliseconds)],
        state: milliseconds,
        ..NOW
    })
}

fn relay(relay: Relay) -> Activity {
    Activity::Waiting(Waiting {
        relay: Some(relay),
        ..NOW
    })
}

/// Waits until at least this many bytes of input have arrived, and returns them.
fn arrived(pty: &ScriptedPty, count: usize) -> Vec<u8> {
    pty.wait_for_input(TIMEOUT, |input| input.len() >= count)
}

/// Presses a key while the program has these activities. Returns the number of input bytes at each
/// query, and the duration of the press by the system's clock.
fn press_while(activities: impl IntoIterator<Item = Activity>) -> (Vec<usize>, Duration) {
    let (pty, session) = scripted();
    pty.set_activities(activities);
    let clock = Clock::system();
    session.press('x').unwrap();
    assert_eq!(arrived(&pty, 1), b"x");
    (pty.activity_queries(), clock.now())
}

#[test]
fn a_waiting_program_is_queried_once() {
    assert_eq!(press_while([waiting()]).0, [0]);
    // Input does not wait for long timers, such as that of a blinking cursor.
    assert_eq!(press_while([timed(100)]).0, [0]);
}

#[test]
fn nothing_is_sent_before_the_program_has_read_and_waits() {
    let (queries, _) = press_while([
        Activity::Unread,
        Activity::Busy,
        Activity::Unread,
        Activity::Busy,
        waiting(),
    ]);
    assert_eq!(queries, [0; 5]);
}

#[test]
fn a_short_timer_must_expire_without_output() {
    let (_, took) = press_while([timed(40)]);
    assert!(took >= Duration::from_millis(40), "{took:?}");
    // A program that waits differently has done something in between, so the wait starts again.
    let turns = [timed(40), timed(10), timed(40), waiting()];
    assert!(press_while(turns).0.len() >= 4);
}

/// Returns the activity of a program that waits with a timer of 25 ms. Its threads have run this
/// often.
fn timed_after(runs: u64) -> Activity {
    Activity::Waiting(Waiting {
        timers: vec![Duration::from_millis(25)],
        runs: Some(runs),
        ..NOW
    })
}

/// A busy machine wakes a thread long after its timer.
#[test]
fn a_timer_is_pending_until_a_thread_has_run() {
    let late = || std::iter::repeat_n(timed_after(1), 30).chain([timed_after(2)]);
    let (queries, _) = press_while(late());
    assert!(queries.len() > 30, "{}", queries.len());

    // After an Escape, the program decides when its timer wakes it.
    let (pty, session) = scripted();
    session.press(Key::Esc).unwrap();
    pty.set_activities(late());
    session.press('x').unwrap();
    assert_eq!(arrived(&pty, 2), b"\x1bx");
    let queries = pty.activity_queries().len();
    assert!(queries > 30, "{queries}");
}

#[test]
fn an_idle_program_is_not_waited_for_twice() {
    let (pty, session) = scripted();
    pty.set_activities([timed(50)]);
    assert!(session.wait_until_idle(TIMEOUT));
    assert!(pty.activity_queries().len() > 1);
    let queries = pty.activity_queries().len();
    session.press('x').unwrap();
    assert_eq!(pty.activity_queries().len(), queries + 1);
    // Input waits for the program's reaction to the key.
    session.press('y').unwrap();
    assert!(pty.activity_queries().len() > queries + 2);
    // Input also waits after output without any input.
    pty.print(b"drawn");
    let queries = pty.activity_queries().len();
    assert!(session.wait_until_idle(TIMEOUT));
    assert!(pty.activity_queries().len() > queries + 1);
}

#[test]
fn auto_wait_is_bounded_for_a_program_that_never_becomes_idle() {
    let (pty, session) = scripted();
    // Ten presses with a bound of one second each would take ten seconds; each press gets half the
    // bound of the one before.
    let clock = Clock::system();
    for key in 'a'..='j' {
        pty.set_activities((0..100_000).map(|turn| timed(1 + turn % 7)));
        session.press(key).unwrap();
        if key == 'a' {
            assert!(clock.now() >= Duration::from_secs(1), "{:?}", clock.now());
        }
    }
    assert!(clock.now() < Duration::from_secs(10), "{:?}", clock.now());
    // This is the program's normal behaviour and is not reported.
    let report = session.wait_for("never", Duration::ZERO).unwrap_err();
    let report = report.report().unwrap().to_string();
    assert!(!report.contains("sent after waiting"), "{report}");
}

/// Returns the activity of a program that sleeps for 20 ms in a raw terminal, for the `naps`-th
/// time.
fn asleep(naps: u64) -> Activity {
    Activity::Waiting(Waiting {
        nap: Some(Duration::from_millis(20)),
        naps,
        ..NOW
    })
}

#[test]
fn a_program_that_sleeps_once_is_not_waiting_for_input() {
    // The program wakes up late, as on a busy machine.
    let turns = std::iter::repeat_n(asleep(1), 30);
    let turns = turns.chain([Activity::Busy, waiting()]);
    assert_eq!(press_while(turns).0.len(), 32);
    let (_, took) = press_while([asleep(1), asleep(2)]);
    assert!(took >= Duration::from_millis(20), "{took:?}");
}

#[test]
fn with_a_relay_the_screen_must_be_unchanged() {
    let (_, seen) = press_while([relay(Relay::Waiting)]);
    assert!(seen >= Duration::from_millis(10), "{seen:?}");
    let (_, hidden) = press_while([relay(Relay::Hidden)]);
    assert!(hidden >= Duration::from_millis(60), "{hidden:?}");
    let (_, working) = press_while([relay(Relay::Working)]);
    assert!(working >= Duration::from_millis(60), "{working:?}");
    let (_, starting) = press_while([relay(Relay::Starting)]);
    assert!(starting >= Duration::from_secs(1), "{starting:?}");
    let (queries, _) = press_while([relay(Relay::Starting), waiting()]);
    assert_eq!(queries, [0, 0]);
    let (_, busy) = press_while([relay(Relay::Busy)]);
    assert!(busy >= Duration::from_secs(1), "{busy:?}");
}

/// Returns the report of a failed wait, which lists the last inputs.
fn reported(session: &Session) -> String {
    let failed = session.wait_for("never", Duration::ZERO).unwrap_err();
    failed.report().unwrap().to_string()
}

#[test]
fn a_screen_that_never_settles_is_reported_with_a_hidden_relay() {
    let (pty, session) = scripted();
    pty.set_activities((0..100_000).map(|turn| {
        Activity::Waiting(Waiting {
            state: turn,
            relay: Some(Relay::Hidden),
            ..NOW
        })
    }));
    session.press('x').unwrap();
    let report = reported(&session);
    assert!(
        report.contains("the program was still drawing)"),
        "{report}"
    );
}

#[test]
fn ctrl_c_does_not_wait_for_a_busy_program_in_a_relay() {
    let (pty, session) = scripted();
    let raw = LineFlags::empty();
    pty.set_line(LineSettings {
        flags: raw,
        ..LineSettings::COOKED
    });
    pty.set_activities([relay(Relay::Waiting)]);
    session.press('x').unwrap();
    pty.set_activities([Activity::Busy]);
    let hour = InputOptions {
        auto_wait: AutoWait::UpTo(Duration::from_secs(3600)),
        ..InputOptions::default()
    };
    session.input_with(hour).press("Ctrl+C").unwrap();
    assert_eq!(arrived(&pty, 2), b"x\x03");
}

#[test]
fn mark_before_input_is_the_screen_before_the_last_input() {
    let (pty, session) = scripted();
    pty.print(b"a suggestion");
    session.type_text("ls").unwrap();
    let mark = session.mark_before_input();
    assert_eq!(mark, session.mark());
    pty.print(b" and its answer");
    session.wait_since("answer", mark, TIMEOUT).unwrap();
    assert_eq!(session.mark_before_input(), mark);
}

#[test]
fn wait_is_longer_after_input_without_effect_if_the_program_cannot_be_inspected() {
    for activity in [relay(Relay::Hidden), Activity::Unknown] {
        let (pty, session) = scripted();
        pty.print(b"ready");
        pty.set_activities([activity]);
        session.press('a').unwrap();
        let clock = Clock::system();
        session.press('b').unwrap();
        let without = clock.now();
        pty.print(b"shown");
        session.press('c').unwrap();
        let with = clock.now() - without;
        assert!(without >= Duration::from_millis(250), "{without:?}");
        assert!(with >= Duration::from_millis(60), "{with:?}");
    }
}

#[test]
fn the_bound_is_kept_reported_and_recorded() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let pty = ScriptedPty::new(SIZE);
    let options = SessionOptions::default().record(RecordOptions::new(&path));
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    pty.set_activities([Activity::Busy]);
    let short = InputOptions {
        auto_wait: AutoWait::UpTo(Duration::from_millis(150)),
        ..InputOptions::default()
    };
    let input = session.input_with(short);
    let clock = Clock::system();
    input.press(Key::Enter).unwrap();
    assert!(clock.now() >= Duration::from_millis(150));
    pty.set_activities([Activity::Unread]);
    input.type_text("x").unwrap();
    let report = session.wait_for("never", Duration::ZERO).unwrap_err();
    let report = report.report().unwrap();
    let why: Vec<Unready> = report
        .inputs
        .iter()
        .filter_map(|input| Some(input.auto_wait_timeout?.why))
        .collect();
    assert_eq!(why, [Unready::Busy, Unready::Unread]);
    let message = report.to_string();
    assert!(
        message.contains("pressed Enter (sent after waiting "),
        "{message}"
    );
    assert!(
        message.contains("the program was not waiting for input)"),
        "{message}"
    );
    assert!(
        message.contains("the program had not read the input before)"),
        "{message}"
    );
    session.finish_recording().unwrap().unwrap();
    let events = Cassette::open(&path).unwrap().events().unwrap();
    let programs: Vec<&str> = events
        .iter()
        .filter_map(|event| event.data["autoWait"]["program"].as_str())
        .collect();
    assert_eq!(
        programs,
        ["was not waiting for input", "had not read the input before"]
    );
}

#[test]
fn a_reached_bound_is_shorter_the_next_time() {
    let (pty, session) = scripted();
    let second = Duration::from_secs(1);
    let input = session.input_with(InputOptions {
        auto_wait: AutoWait::UpTo(second),
        ..InputOptions::default()
    });
    pty.set_activities([Activity::Busy]);
    let clock = Clock::system();
    // Twenty times the whole bound would take twenty seconds.
    ('a'..='t').for_each(|key| input.press(key).unwrap());
    assert!(
        clock.now() >= second && clock.now() < 20 * second,
        "{clock:?}"
    );
    // Once the program has waited again, the whole bound applies.
    pty.set_activities([Activity::Waiting(Waiting::default())]);
    input.press('u').unwrap();
    pty.set_activities([Activity::Busy]);
    let start = clock.now();
    input.press('v').unwrap();
    assert!(clock.now() - start >= second);
}

#[test]
fn closing_the_session_ends_waiting_input_with_an_error() {
    let (pty, session) = scripted();
    pty.set_activities([Activity::Busy]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| session.press('x'));
        while pty.activity_queries().is_empty() {
            std::thread::yield_now();
        }
        session.close().unwrap();
        let error = waiting.join().unwrap().unwrap_err();
        assert!(
            matches!(error, InputError::Closed | InputError::Ended(_)),
            "{error}"
        );
    });
    assert_eq!(pty.input(), b"");
}

#[test]
fn auto_wait_off_sends_at_once() {
    let (pty, session) = scripted();
    pty.set_activities([Activity::Busy]);
    let input = session.input_with(InputOptions::AT_ONCE);
    input.press('x').unwrap();
    input.type_text("yz\n").unwrap();
    input.paste("p").unwrap();
    assert_eq!(pty.activity_queries(), [0; 0]);
    assert_eq!(arrived(&pty, 5), b"xyz\rp");
}

#[test]
fn a_signal_key_does_not_wait_for_a_busy_program() {
    let (pty, session) = scripted();
    pty.set_activities([Activity::Busy]);
    let hour = InputOptions {
        auto_wait: AutoWait::UpTo(Duration::from_secs(3600)),
        ..InputOptions::default()
    };
    session.input_with(hour).press("Ctrl+C").unwrap();
    let report = session.wait_for("never", Duration::ZERO).unwrap_err();
    assert!(!report.report().unwrap().to_string().contains("sent after"));
    // A program that reads Ctrl+C as a key is waited for.
    let raw = LineFlags::empty();
    pty.set_line(LineSettings {
        flags: raw,
        ..LineSettings::COOKED
    });
    pty.set_activities([Activity::Busy, Activity::Busy, waiting()]);
    session.press("Ctrl+C").unwrap();
    assert_eq!(pty.activity_queries().len(), 3);
}

#[test]
fn nothing_follows_a_lone_escape_before_its_timer_expires() {
    let (pty, session) = scripted();
    session.press("Esc").unwrap();
    let clock = Clock::system();
    pty.set_activities([timed(80)]);
    session.press('x').unwrap();
    assert!(
        clock.now() >= Duration::from_millis(80),
        "{:?}",
        clock.now()
    );
    assert_eq!(arrived(&pty, 2), b"\x1bx");
}

#[test]
fn an_escape_within_a_text_is_sent_as_a_key() {
    let (pty, session) = scripted();
    pty.set_activities([timed(80)]);
    let clock = Clock::system();
    session.type_text("ab\x1bcd").unwrap();
    assert!(clock.now() >= Duration::from_millis(80), "{clock:?}");
    let queries = pty.activity_queries();
    assert!(queries.contains(&2) && queries.contains(&3), "{queries:?}");
}

#[test]
fn an_unfinished_line_is_not_queried_again() {
    let (pty, session) = scripted();
    session.type_text("a line").unwrap();
    session.press('!').unwrap();
    session.press(Key::Enter).unwrap();
    // A program that is blocked until the end of the line does nothing before it.
    assert_eq!(pty.activity_queries(), [0]);
    session.press('x').unwrap();
    assert_eq!(pty.activity_queries(), [0, 8]);
}

#[test]
fn an_interrupt_stops_typing_within_a_text() {
    let (pty, session) = scripted();
    let interrupt = Interrupt::new();
    let slow = InputOptions {
        delay: Duration::from_secs(1),
        auto_wait: AutoWait::Off,
    };
    std::thread::scope(|scope| {
        let input = session
            .input_with(slow)
            .interrupted_by(Some(interrupt.clone()));
        let typing = scope.spawn(move || input.type_text("abcdefghijklmnopqrstuvwxyz"));
        arrived(&pty, 1);
        interrupt.raise();
        assert!(matches!(
            typing.join().unwrap(),
            Err(InputError::Interrupted)
        ));
    });
    assert!(pty.input().len() < 26, "{:?}", pty.input());
}

#[test]
fn a_late_text_is_reported_once() {
    let (pty, session) = scripted();
    pty.set_activities([Activity::Busy]);
    pty.set_line(LineSettings {
        flags: LineFlags::empty(),
        ..LineSettings::COOKED
    });
    let input = session.input_with(InputOptions {
        auto_wait: AutoWait::UpTo(Duration::from_millis(200)),
        ..InputOptions::default()
    });
    // A thousand characters with a wait of 0.1 s each would take 100 seconds.
    let clock = Clock::system();
    input.type_text(&"x".repeat(1000)).unwrap();
    assert!(clock.now() < Duration::from_secs(50), "{clock:?}");
    assert_eq!(arrived(&pty, 1000).len(), 1000);
    let report = reported(&session);
    assert_eq!(report.matches("sent after waiting").count(), 1, "{report}");
}

#[test]
fn waits_of_one_text_share_its_time() {
    let (pty, session) = scripted();
    pty.set_activities([Activity::Busy]);
    pty.set_line(LineSettings {
        flags: LineFlags::empty(),
        ..LineSettings::COOKED
    });
    let clock = Clock::system();
    // Forty characters with the minimum bound of 0.1 s each would take four seconds.
    let input = session.input().within(Duration::from_millis(200));
    input.type_text(&"x".repeat(40)).unwrap();
    assert!(clock.now() < Duration::from_secs(4), "{clock:?}");
    assert_eq!(arrived(&pty, 40).len(), 40);
}

#[test]
fn in_canonical_mode_a_text_is_a_single_write() {
    for activity in [Activity::Unknown, Activity::Busy] {
        let (pty, session) = scripted();
        pty.print(b"ready");
        pty.set_activities([activity]);
        let input = session.input().within(Duration::from_millis(300));
        input.type_text("a whole line").unwrap();
        let report = session.wait_for("never", Duration::ZERO).unwrap_err();
        assert_eq!(report.report().unwrap().inputs.len(), 1);
        assert_eq!(pty.input(), b"a whole line");
    }
}

#[test]
fn a_shortened_bound_does_not_affect_the_next() {
    let (pty, session) = scripted();
    pty.set_activities([Activity::Busy]);
    session.press("Ctrl+C").unwrap();
    session
        .input()
        .within(Duration::from_millis(1))
        .press('a')
        .unwrap();
    let second = Duration::from_secs(1);
    let input = session.input_with(InputOptions {
        auto_wait: AutoWait::UpTo(second),
        ..InputOptions::default()
    });
    let clock = Clock::system();
    input.press('b').unwrap();
    assert!(clock.now() >= second, "{clock:?}");
}

#[test]
fn texts_of_two_threads_are_not_interleaved() {
    let (pty, session) = scripted();
    // With a delay, every character of a text is a separate write.
    let slow = InputOptions {
        delay: Duration::from_millis(2),
        ..InputOptions::default()
    };
    std::thread::scope(|scope| {
        for text in ["aaaaa", "bbbbb"] {
            let input = session.input_with(slow);
            scope.spawn(move || input.type_text(text).unwrap());
        }
    });
    let input = pty.input();
    assert!(
        input == b"aaaaabbbbb" || input == b"bbbbbaaaaa",
        "{input:?}"
    );
}

#[test]
fn control_characters_in_a_text_are_sent_as_keys() {
    let (pty, session) = scripted();
    session.type_text("one\ntwo\r\n\tthree").unwrap();
    assert_eq!(arrived(&pty, 14), b"one\rtwo\r\tthree");
    // An Enter directly after its line needs no query.
    assert_eq!(pty.activity_queries(), [0, 4, 8, 9]);
}

#[test]
fn a_delay_separates_characters() {
    let (pty, session) = scripted();
    let delay = Duration::from_millis(30);
    let input = session.input_with(InputOptions {
        delay,
        ..InputOptions::default()
    });
    let clock = Clock::system();
    input.type_text("abc").unwrap();
    assert!(clock.now() >= 2 * delay, "{:?}", clock.now());
    assert_eq!(arrived(&pty, 3), b"abc");
}

#[test]
fn a_click_is_one_input() {
    let (pty, session) = scripted();
    pty.print(b"\x1b[?1000;1006h");
    session
        .wait_for(
            screentest::core::Condition::new("mouse", |screen| {
                screen.modes.mouse != screentest::core::MouseTracking::Off
            }),
            TIMEOUT,
        )
        .unwrap();
    let position = Position { row: 0, col: 1 };
    let input = session.input();
    input
        .click(position, Button::Left, Modifiers::empty())
        .unwrap();
    assert_eq!(pty.activity_queries(), [0]);
    assert_eq!(arrived(&pty, 18), b"\x1b[<0;2;1M\x1b[<0;2;1m");
}

#[test]
fn input_uses_the_modes_of_the_ready_program() {
    // The program turns on application cursor keys after a while.
    let session = sh("stty raw -echo; sleep 0.1; printf '\\033[?1hready'; exec cat -v");
    session.press(Key::Up).unwrap();
    session.wait_for("^[OA", TIMEOUT).unwrap();
}

#[test]
fn a_program_that_flushes_its_input_gets_every_answer() {
    every_answer_arrives(20, "sum(range(20000))");
}

/// The kernel reports only the remaining time of such a sleep. Near its end, it looks like a short
/// one.
#[test]
fn a_program_that_sleeps_before_it_flushes_its_input_gets_every_answer() {
    every_answer_arrives(8, "time.sleep(0.15)");
}

/// Answers the questions of a program that does some work after each question and then discards its
/// pending input.
fn every_answer_arrives(count: usize, work: &str) {
    let questions = format!(
        "import sys, termios, time, tty\n\
        tty.setcbreak(0)\n\
        for n in range({count}):\n\
        \x20   print('question', n, end=': ', flush=True)\n\
        \x20   {work}\n\
        \x20   termios.tcflush(0, termios.TCIFLUSH)\n\
        \x20   print(sys.stdin.read(1), flush=True)\n\
        print('all answered', flush=True)"
    );
    let app = App::new("python3").args(["-u", "-c", &questions]);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    for n in 0..count {
        session
            .wait_for(format!("question {n}: ").as_str(), TIMEOUT)
            .unwrap();
        session.press('y').unwrap();
    }
    session.wait_for("all answered", TIMEOUT).unwrap();
}
