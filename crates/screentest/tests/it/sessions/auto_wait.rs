//! Input waits until the program is ready for it.
//!
//! The program is a script that does one thing per look ([`ScriptedPty::act`]), so that the tests own
//! what it does; real programs are in `crates/cli/tests/it/keys`.

use std::time::Duration;

use screentest::core::Key;
use screentest::core::input::mouse::Button;
use screentest::core::{Modifiers, Position};
use screentest::pty::{Activity, LineFlags, LineSettings, Relay, Waiting};
use screentest::{
    AutoWait, Cassette, InputError, InputOptions, Interrupt, Options, RecordOptions, Unready,
};
use screentest_fixtures::scratch::Scratch;

use super::*;

const NOW: Waiting = Waiting {
    timers: Vec::new(),
    nap: None,
    naps: 0,
    state: 0,
    relay: None,
    text_at_once: true,
};

fn waiting() -> Activity {
    Activity::Waiting(NOW)
}

/// A program that waits with a timer of so many milliseconds.
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

/// The input, once so many bytes have arrived.
fn arrived(pty: &ScriptedPty, count: usize) -> Vec<u8> {
    pty.wait_for_input(SOON, |input| input.len() >= count)
}

/// Presses a key while the program does this. Returns how much input there was at each look, and how
/// long the press took by the system's clock.
fn press_while(activities: impl IntoIterator<Item = Activity>) -> (Vec<usize>, Duration) {
    let (pty, session) = scripted();
    pty.act(activities);
    let clock = Clock::system();
    session.press('x').unwrap();
    assert_eq!(arrived(&pty, 1), b"x");
    (pty.looks(), clock.now())
}

#[test]
fn a_program_that_waits_is_looked_at_once() {
    assert_eq!(press_while([waiting()]).0, [0]);
    // Long timers, such as of a cursor that blinks, are not waited for.
    assert_eq!(press_while([timed(100)]).0, [0]);
}

#[test]
fn nothing_is_sent_before_the_program_has_read_and_waits() {
    let (looks, _) = press_while([
        Activity::Unread,
        Activity::Busy,
        Activity::Unread,
        Activity::Busy,
        waiting(),
    ]);
    assert_eq!(looks, [0; 5]);
}

#[test]
fn a_short_timer_must_run_out_without_output() {
    let (_, took) = press_while([timed(40)]);
    assert!(took >= Duration::from_millis(40), "{took:?}");
    // A program that was seen in another wait has done something, and is waited for anew.
    let turns = [timed(40), timed(10), timed(40), waiting()];
    assert!(press_while(turns).0.len() >= 4);
}

#[test]
fn a_program_that_is_still_is_not_waited_for_twice() {
    let (pty, session) = scripted();
    pty.act([timed(50)]);
    assert!(session.wait_until_idle(SOON));
    assert!(pty.looks().len() > 1);
    let looks = pty.looks().len();
    session.press('x').unwrap();
    assert_eq!(pty.looks().len(), looks + 1);
    // What it does with the key is waited for.
    session.press('y').unwrap();
    assert!(pty.looks().len() > looks + 2);
    // So is what it does by itself.
    pty.print(b"drawn");
    let looks = pty.looks().len();
    assert!(session.wait_until_idle(SOON));
    assert!(pty.looks().len() > looks + 1);
}

#[test]
fn a_program_that_never_comes_to_rest_is_waited_for_in_vain_and_not_for_long() {
    let (pty, session) = scripted();
    // Ten presses at a bound of a second each would take ten; every one is given half of the one before.
    let clock = Clock::system();
    for key in 'a'..='j' {
        pty.act((0..100_000).map(|turn| timed(1 + turn % 7)));
        session.press(key).unwrap();
        if key == 'a' {
            assert!(clock.now() >= Duration::from_secs(1), "{:?}", clock.now());
        }
    }
    assert!(clock.now() < Duration::from_secs(10), "{:?}", clock.now());
    // That is how the program is, and nothing to report.
    let report = session.wait_for("never", Duration::ZERO).unwrap_err();
    let report = report.report().unwrap().to_string();
    assert!(!report.contains("sent after waiting"), "{report}");
}

/// A program that sleeps for 20 ms in a raw terminal, and has done so this often.
fn asleep(naps: u64) -> Activity {
    Activity::Waiting(Waiting {
        nap: Some(Duration::from_millis(20)),
        naps,
        ..NOW
    })
}

#[test]
fn a_program_that_sleeps_once_does_not_wait_for_input() {
    // It wakes up late, as on a busy machine.
    let turns = std::iter::repeat_n(asleep(1), 30);
    let turns = turns.chain([Activity::Busy, waiting()]);
    assert_eq!(press_while(turns).0.len(), 32);
    let (_, took) = press_while([asleep(1), asleep(2)]);
    assert!(took >= Duration::from_millis(20), "{took:?}");
}

#[test]
fn behind_a_relay_the_screen_must_be_still() {
    let (_, seen) = press_while([relay(Relay::Waiting)]);
    assert!(seen >= Duration::from_millis(10), "{seen:?}");
    let (_, hidden) = press_while([relay(Relay::Hidden)]);
    assert!(hidden >= Duration::from_millis(60), "{hidden:?}");
    let (_, working) = press_while([relay(Relay::Working)]);
    assert!(working >= Duration::from_millis(60), "{working:?}");
    let (_, starting) = press_while([relay(Relay::Starting)]);
    assert!(starting >= Duration::from_secs(1), "{starting:?}");
    let (looks, _) = press_while([relay(Relay::Starting), waiting()]);
    assert_eq!(looks, [0, 0]);
    let (_, busy) = press_while([relay(Relay::Busy)]);
    assert!(busy >= Duration::from_secs(1), "{busy:?}");
}

/// What the report says of the last inputs.
fn reported(session: &Session) -> String {
    let failed = session.wait_for("never", Duration::ZERO).unwrap_err();
    failed.report().unwrap().to_string()
}

#[test]
fn a_screen_that_is_never_still_is_reported_where_nothing_else_tells() {
    let (pty, session) = scripted();
    pty.act((0..100_000).map(|turn| {
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
fn ctrl_c_does_not_wait_for_a_program_that_works_behind_a_relay() {
    let (pty, session) = scripted();
    let raw = LineFlags::empty();
    pty.set_line(LineSettings {
        flags: raw,
        ..LineSettings::COOKED
    });
    pty.act([relay(Relay::Waiting)]);
    session.press('x').unwrap();
    pty.act([Activity::Busy]);
    let hour = InputOptions {
        auto_wait: AutoWait::UpTo(Duration::from_secs(3600)),
        ..InputOptions::default()
    };
    session.input_with(hour).press("Ctrl+C").unwrap();
    assert_eq!(arrived(&pty, 2), b"x\x03");
}

#[test]
fn a_mark_before_an_input_is_the_screen_that_the_program_was_ready_on() {
    let (pty, session) = scripted();
    pty.print(b"a suggestion");
    session.type_text("ls").unwrap();
    let mark = session.mark_before_input();
    assert_eq!(mark, session.mark());
    pty.print(b" and its answer");
    session.wait_since("answer", mark, SOON).unwrap();
    assert_eq!(session.mark_before_input(), mark);
}

#[test]
fn an_input_without_effect_is_waited_for_longer_where_only_the_screen_tells() {
    for activity in [relay(Relay::Hidden), Activity::Unknown] {
        let (pty, session) = scripted();
        pty.print(b"ready");
        pty.act([activity]);
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
fn the_bound_is_kept_and_reported_and_recorded() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let pty = ScriptedPty::new(SIZE);
    let options = Options {
        record: Some(RecordOptions::new(&path)),
        ..Options::default()
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    pty.act([Activity::Busy]);
    let half = InputOptions {
        auto_wait: AutoWait::UpTo(Duration::from_millis(150)),
        ..InputOptions::default()
    };
    let input = session.input_with(half);
    let clock = Clock::system();
    input.press(Key::Enter).unwrap();
    assert!(clock.now() >= Duration::from_millis(150));
    pty.act([Activity::Unread]);
    input.type_text("x").unwrap();
    let report = session.wait_for("never", Duration::ZERO).unwrap_err();
    let report = report.report().unwrap();
    let why: Vec<Unready> = report
        .inputs
        .iter()
        .filter_map(|input| Some(input.auto_wait_timeout?.why))
        .collect();
    assert_eq!(why, [Unready::Busy, Unready::Unread]);
    let told = report.to_string();
    assert!(
        told.contains("pressed Enter (sent after waiting 1"),
        "{told}"
    );
    assert!(
        told.contains("the program was not waiting for input)"),
        "{told}"
    );
    assert!(
        told.contains("the program had not read the input before)"),
        "{told}"
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
fn a_bound_that_was_reached_is_shorter_the_next_time() {
    let (pty, session) = scripted();
    let second = Duration::from_secs(1);
    let input = session.input_with(InputOptions {
        auto_wait: AutoWait::UpTo(second),
        ..InputOptions::default()
    });
    pty.act([Activity::Busy]);
    let clock = Clock::system();
    // Twenty times the whole bound would be twenty seconds.
    ('a'..='t').for_each(|key| input.press(key).unwrap());
    assert!(
        clock.now() >= second && clock.now() < 20 * second,
        "{clock:?}"
    );
    // A program that waits again has the whole bound.
    pty.act([Activity::Waiting(Waiting::default())]);
    input.press('u').unwrap();
    pty.act([Activity::Busy]);
    let start = clock.now();
    input.press('v').unwrap();
    assert!(clock.now() - start >= second);
}

#[test]
fn input_that_waits_when_the_session_is_closed_is_an_error() {
    let (pty, session) = scripted();
    pty.act([Activity::Busy]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| session.press('x'));
        while pty.looks().is_empty() {
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
fn off_means_at_once() {
    let (pty, session) = scripted();
    pty.act([Activity::Busy]);
    let input = session.input_with(InputOptions::AT_ONCE);
    input.press('x').unwrap();
    input.type_text("yz\n").unwrap();
    input.paste("p").unwrap();
    assert_eq!(pty.looks(), [0; 0]);
    assert_eq!(arrived(&pty, 5), b"xyz\rp");
}

#[test]
fn a_key_that_becomes_a_signal_does_not_wait_for_a_program_that_works() {
    let (pty, session) = scripted();
    pty.act([Activity::Busy]);
    let hour = InputOptions {
        auto_wait: AutoWait::UpTo(Duration::from_secs(3600)),
        ..InputOptions::default()
    };
    session.input_with(hour).press("Ctrl+C").unwrap();
    let report = session.wait_for("never", Duration::ZERO).unwrap_err();
    assert!(!report.report().unwrap().to_string().contains("sent after"));
    // In a program that reads it as a key it waits like one.
    let raw = LineFlags::empty();
    pty.set_line(LineSettings {
        flags: raw,
        ..LineSettings::COOKED
    });
    pty.act([Activity::Busy, Activity::Busy, waiting()]);
    session.press("Ctrl+C").unwrap();
    assert_eq!(pty.looks().len(), 3);
}

#[test]
fn a_lone_escape_is_followed_by_nothing_before_its_timer_has_run_out() {
    let (pty, session) = scripted();
    session.press("Esc").unwrap();
    let clock = Clock::system();
    pty.act([timed(80)]);
    session.press('x').unwrap();
    assert!(
        clock.now() >= Duration::from_millis(80),
        "{:?}",
        clock.now()
    );
    assert_eq!(arrived(&pty, 2), b"\x1bx");
}

#[test]
fn an_escape_in_a_text_is_a_key_of_its_own() {
    let (pty, session) = scripted();
    pty.act([timed(80)]);
    let clock = Clock::system();
    session.type_text("ab\x1bcd").unwrap();
    assert!(clock.now() >= Duration::from_millis(80), "{clock:?}");
    let looks = pty.looks();
    assert!(looks.contains(&2) && looks.contains(&3), "{looks:?}");
}

#[test]
fn a_line_that_was_begun_is_not_looked_at_again() {
    let (pty, session) = scripted();
    session.type_text("a line").unwrap();
    session.press('!').unwrap();
    session.press(Key::Enter).unwrap();
    // A program that is blocked until the line ends does nothing before it.
    assert_eq!(pty.looks(), [0]);
    session.press('x').unwrap();
    assert_eq!(pty.looks(), [0, 8]);
}

#[test]
fn an_interrupt_ends_a_text_where_it_is() {
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
fn a_text_that_is_late_is_late_once() {
    let (pty, session) = scripted();
    pty.act([Activity::Busy]);
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
    pty.act([Activity::Busy]);
    pty.set_line(LineSettings {
        flags: LineFlags::empty(),
        ..LineSettings::COOKED
    });
    let clock = Clock::system();
    // Forty characters at the least bound of 0.1 s would take four seconds.
    let input = session.input().within(Duration::from_millis(200));
    input.type_text(&"x".repeat(40)).unwrap();
    assert!(clock.now() < Duration::from_secs(4), "{clock:?}");
    assert_eq!(arrived(&pty, 40).len(), 40);
}

#[test]
fn a_text_is_one_write_to_a_terminal_that_edits_lines_whatever_its_program_does() {
    for activity in [Activity::Unknown, Activity::Busy] {
        let (pty, session) = scripted();
        pty.print(b"ready");
        pty.act([activity]);
        let input = session.input().within(Duration::from_millis(300));
        input.type_text("a whole line").unwrap();
        let report = session.wait_for("never", Duration::ZERO).unwrap_err();
        assert_eq!(report.report().unwrap().inputs.len(), 1);
        assert_eq!(pty.input(), b"a whole line");
    }
}

#[test]
fn a_bound_that_was_cut_short_says_nothing_of_the_next() {
    let (pty, session) = scripted();
    pty.act([Activity::Busy]);
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
fn two_threads_do_not_send_into_each_other() {
    let (pty, session) = scripted();
    // Every character of a text is a write of its own.
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
fn control_characters_in_a_text_are_keys_of_their_own() {
    let (pty, session) = scripted();
    session.type_text("one\ntwo\r\n\tthree").unwrap();
    assert_eq!(arrived(&pty, 14), b"one\rtwo\r\tthree");
    // An Enter after its line needs no look.
    assert_eq!(pty.looks(), [0, 4, 8, 9]);
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
            SOON,
        )
        .unwrap();
    let position = Position { row: 0, col: 1 };
    let input = session.input();
    input
        .click(position, Button::Left, Modifiers::empty())
        .unwrap();
    assert_eq!(pty.looks(), [0]);
    assert_eq!(arrived(&pty, 18), b"\x1b[<0;2;1M\x1b[<0;2;1m");
}

#[test]
fn the_modes_are_those_of_a_program_that_is_ready() {
    // It asks for application cursor keys after a moment.
    let session = sh("stty raw -echo; sleep 0.1; printf '\\033[?1hready'; exec cat -v");
    session.press(Key::Up).unwrap();
    session.wait_for("^[OA", SOON).unwrap();
}

#[test]
fn a_program_that_flushes_its_input_gets_every_answer() {
    every_answer_arrives(20, "sum(range(20000))");
}

/// A sleep until a moment is seen as one of what is left of it, which is short at its end.
#[test]
fn a_program_that_sleeps_before_it_flushes_its_input_gets_every_answer() {
    every_answer_arrives(8, "time.sleep(0.15)");
}

/// Answers the questions of a program that does something after each, and then throws away what was typed.
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
    let session = Session::start(&app, Options::default()).unwrap();
    for n in 0..count {
        session
            .wait_for(format!("question {n}: ").as_str(), SOON)
            .unwrap();
        session.press('y').unwrap();
    }
    session.wait_for("all answered", SOON).unwrap();
}
