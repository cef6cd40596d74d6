//! Tests of the replay rules, without a terminal.

use std::sync::Arc;

use screentest_core::Position;
use screentest_core::input::mouse::{Button, MouseEvent, MouseKind};
use screentest_fixtures::scratch::Scratch;

use super::*;
use crate::pty::scripted::ScriptedPty;
use crate::pty::{LineFlags, LineSettings};
use crate::{Clock, Options, RecordOptions, Session};

const SIZE: Size = Size { cols: 40, rows: 8 };
const SOON: Duration = Duration::from_secs(20);

/// A session that is being recorded; the test acts as its program.
struct RecordedSession {
    pty: ScriptedPty,
    session: Session,
    clock: Clock,
}

impl RecordedSession {
    /// Writes output and lets the session process it.
    fn print(&self, text: &str) {
        self.pty.print(text.as_bytes());
        self.session.screen();
    }

    fn at(&self, millis: u64) {
        let time = Duration::from_millis(millis);
        self.clock.advance(time.saturating_sub(self.clock.now()));
    }

    fn echo(&self, on: bool) {
        let mut settings = LineSettings::COOKED;
        settings.flags.set(LineFlags::ECHO, on);
        self.pty.set_line(settings);
    }

    fn end(&self, outcome: Outcome) {
        self.pty.end(outcome);
        self.session.wait_exit(SOON).unwrap();
    }
}

/// Records the actions of `script`.
fn record(script: impl FnOnce(&RecordedSession)) -> Scratch {
    let scratch = Scratch::new();
    let clock = Clock::manual();
    let pty = ScriptedPty::new(SIZE);
    let options = Options {
        size: SIZE,
        clock: clock.clone(),
        record: Some(RecordOptions::new(scratch.path().join("x.cassette"))),
        ..Options::default()
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    let recorded = RecordedSession {
        pty,
        session,
        clock,
    };
    script(&recorded);
    recorded.session.finish_recording().unwrap().unwrap();
    scratch
}

/// A shell that asks for a name and greets.
fn greeting() -> Scratch {
    record(|it| {
        it.print("name? ");
        it.at(500);
        it.session.type_text("Bob").unwrap();
        it.print("Bob");
        it.at(700);
        it.session.press("Enter").unwrap();
        it.at(1000);
        it.print("\r\nhello ");
        it.at(1200);
        it.print("Bob\r\n");
        it.end(Outcome::Exited(3));
    })
}

/// A replay of a recording, and the current time.
struct Replay {
    program: FakeProgram,
    now: Duration,
}

fn options_for(scratch: &Scratch) -> FakeProgramOptions {
    FakeProgramOptions::of(scratch.path().join("x.cassette"))
}

fn start(options: &FakeProgramOptions) -> Replay {
    Replay {
        program: FakeProgram::open(options, Some(SIZE), None).unwrap(),
        now: Duration::from_secs(100),
    }
}

impl Replay {
    /// Returns all output until the replay waits or ends, and that last action.
    fn output(&mut self) -> (Vec<String>, FakeProgramAction) {
        let mut output = Vec::new();
        loop {
            match self.program.next_action(self.now).unwrap() {
                FakeProgramAction::Write(bytes) => {
                    output.push(String::from_utf8_lossy(&bytes).into_owned())
                }
                action => return (output, action),
            }
        }
    }

    fn send(&mut self, event: FakeProgramEvent) -> (Vec<String>, FakeProgramAction) {
        self.program.receive(event, self.now);
        self.output()
    }

    fn type_text(&mut self, text: &str) -> (Vec<String>, FakeProgramAction) {
        self.send(FakeProgramEvent::Bytes(text.as_bytes().to_vec()))
    }

    /// Returns the mismatch report, after waiting until it is certain.
    #[track_caller]
    fn mismatch_report(&mut self) -> String {
        if let (_, FakeProgramAction::Wait { until: Some(until) }) = self.output() {
            self.now = until;
        }
        let (_, action) = self.output();
        assert_eq!(action, FakeProgramAction::Exit(Outcome::Exited(MISMATCH)));
        self.program.mismatch().unwrap().to_string()
    }
}

const WAIT: FakeProgramAction = FakeProgramAction::Wait { until: None };

#[test]
fn output_comes_when_its_input_has_come() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.output(), (vec!["name? ".to_owned()], WAIT));
    assert_eq!(replay.type_text("Bo"), (vec![], WAIT));
    assert_eq!(replay.type_text("b"), (vec!["Bob".to_owned()], WAIT));
    let (output, action) = replay.type_text("\r");
    assert_eq!(output, ["\r\nhello ", "Bob\r\n"]);
    assert_eq!(action, FakeProgramAction::Exit(Outcome::Exited(3)));
}

#[test]
fn input_typed_ahead_is_buffered() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    let (output, action) = replay.type_text("Bob\r");
    assert_eq!(output.concat(), "name? Bob\r\nhello Bob\r\n");
    assert_eq!(action, FakeProgramAction::Exit(Outcome::Exited(3)));
}

#[test]
fn a_mismatch_reports_expected_and_received_input() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    let (output, _) = replay.type_text("Bill\x1b[A");
    let report = "the input differs from the recording\n\
                x.cassette, input 1 of 2, at 0.500 s:\n  \
                expected  \"Bob\"\n  \
                received  \"Bill\" Up (Bill\\x1b[A)";
    assert_eq!(replay.mismatch_report(), report);
    assert!(output.concat().contains(&report.replace('\n', "\r\n")));
    let mut replay = start(&options_for(&scratch));
    replay.type_text("Bob");
    replay.type_text("!");
    let report = replay.mismatch_report();
    assert!(
        report.contains("input 2 of 2, at 0.700 s:\n  expected  Enter (\\r)\n  received  \"!\""),
        "{report}"
    );
}

#[test]
fn a_different_line_end_gets_a_hint() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    replay.output();
    replay.type_text("Bob\n");
    let report = replay.mismatch_report();
    let hint = "\n  hint      Enter sends \\r, but \\n was received: end lines with \\r";
    assert!(report.ends_with(hint), "{report}");
    // Other differences are not explained by the line end.
    let mut replay = start(&options_for(&scratch));
    replay.output();
    replay.type_text("Eve\n");
    let report = replay.mismatch_report();
    assert!(!report.contains("hint"), "{report}");
    let scratch = record(|it| {
        it.print("? ");
        it.session.send(b"a\nb").unwrap();
        it.end(Outcome::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    replay.output();
    replay.type_text("a\rb");
    let report = replay.mismatch_report();
    let hint = "\n  hint      \\n was recorded, but \\r was received: end lines with \\n";
    assert!(report.ends_with(hint), "{report}");
}

#[test]
fn unexpected_resizes_and_signals_do_not_accumulate() {
    let scratch = record(|it| {
        it.print("$ ");
        it.session.signal(Signal::HUP).unwrap();
        it.end(Outcome::Signaled(Signal::HUP));
    });
    for options in [options_for(&scratch), options_for(&scratch).any_size()] {
        let mut replay = start(&options);
        for cols in 0..10_000 {
            let size = Size {
                cols: 40 + cols % 7,
                rows: 8,
            };
            replay
                .program
                .receive(FakeProgramEvent::Resize(size), replay.now);
            for signal in [Signal::WINCH, Signal::CONT, Signal::USR1, Signal::HUP] {
                replay
                    .program
                    .receive(FakeProgramEvent::Signal(signal), replay.now);
            }
        }
        let stored = replay.program.events.len();
        assert!(stored < 10, "{stored}");
    }
}

#[test]
fn a_wrong_escape_key_is_reported_after_a_second() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    let (_, action) = replay.type_text("\x1b");
    let until = replay.now + ARRIVAL_TIMEOUT;
    assert_eq!(action, FakeProgramAction::Wait { until: Some(until) });
    assert!(replay.mismatch_report().contains("received  Esc (\\x1b)"));
}

#[test]
fn matching_any_accepts_any_keys() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch).matching(Matching::Any));
    replay.type_text("\x1b[A\x1b[A");
    assert_eq!(replay.type_text("x").0, ["Bob"]);
    assert_eq!(
        replay.type_text("y").1,
        FakeProgramAction::Exit(Outcome::Exited(3))
    );
}

#[test]
fn a_pattern_matches_in_any_pieces() {
    let scratch = greeting();
    let options = options_for(&scratch).pattern("[A-Z][a-z]+");
    let mut replay = start(&options);
    // A partial name is enough for the first output.
    assert_eq!(replay.type_text("Wi").0.concat(), "name? Bob");
    assert_eq!(replay.type_text("lliam"), (vec![], WAIT));
    assert_eq!(
        replay.type_text("\r").1,
        FakeProgramAction::Exit(Outcome::Exited(3))
    );
    let mut replay = start(&options);
    replay.type_text("Wi7");
    assert!(replay.mismatch_report().contains("input 2 of 2"));
    let mut replay = start(&options);
    replay.type_text("will");
    assert!(replay.mismatch_report().contains("input 1 of 2"));
    let refused = FakeProgram::open(&options_for(&scratch).pattern("["), None, None).unwrap_err();
    assert!(
        refused
            .to_string()
            .starts_with("the pattern `[` cannot be used: "),
        "{refused}"
    );
}

#[test]
fn terminal_answers_may_differ_and_come_at_any_time() {
    let scratch = record(|it| {
        it.print("\x1b[c\x1b[5n");
        it.print("> ");
        it.session.type_text("ls").unwrap();
        it.print("ok");
        it.end(Outcome::Exited(0));
    });
    for order in [
        ["\x1b[?6c\x1b[0n", "ls"],
        ["l\x1b[?1;2", "c\x1b[0ns"],
        ["ls\x1b]11;rgb:0/0/0\x07", "\x1b[3n"],
    ] {
        let mut replay = start(&options_for(&scratch));
        let (_, action) = replay.output();
        let until = replay.now + ARRIVAL_TIMEOUT;
        assert_eq!(action, FakeProgramAction::Wait { until: Some(until) });
        replay.type_text(order[0]);
        assert_eq!(
            replay.type_text(order[1]).1,
            FakeProgramAction::Exit(Outcome::Exited(0)),
            "{order:?}"
        );
    }
    // A terminal that did not answer once is not waited for again.
    let mut mute = start(&options_for(&scratch));
    mute.output();
    mute.now += ARRIVAL_TIMEOUT;
    assert_eq!(mute.output(), (vec!["> ".to_owned()], WAIT));
    let mut ignored = start(&options_for(&scratch).without_replies());
    assert_eq!(ignored.output().1, WAIT);
}

#[test]
fn a_recorded_key_that_looks_like_an_answer_is_a_key() {
    let scratch = record(|it| {
        it.session.press("Shift+F3").unwrap();
        it.print("ok");
        it.end(Outcome::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.type_text("\x1b[1;2R").1,
        FakeProgramAction::Exit(Outcome::Exited(0))
    );
}

#[test]
fn answers_recorded_as_input_count_as_answers() {
    let scratch = record(|it| {
        it.print("? ");
        it.session.send(b"\x1b[?62;4cl\x1b[1;").unwrap();
        it.session.send(b"1Rs").unwrap();
        it.print("ok");
        it.end(Outcome::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    replay.type_text("\x1b[?6c");
    replay.type_text("l");
    assert_eq!(
        replay.type_text("\x1b[1;3Rs").1,
        FakeProgramAction::Exit(Outcome::Exited(0))
    );
}

#[test]
fn withheld_input_may_be_any_line() {
    let scratch = record(|it| {
        it.print("password: ");
        it.echo(false);
        it.session.type_text("sesame").unwrap();
        it.session.press("Enter").unwrap();
        it.echo(true);
        it.print("\r\nwelcome\r\n$ ");
        it.session.type_text("ls").unwrap();
        it.print("ls");
        it.echo(false);
        it.session.press("j").unwrap();
        it.print("down");
        it.session.press("q").unwrap();
        it.end(Outcome::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    // Nothing is written before the line has ended.
    assert_eq!(replay.type_text("other").1, WAIT);
    assert_eq!(replay.type_text("\r").0, ["\r\nwelcome\r\n$ "]);
    assert_eq!(replay.type_text("ls").0, ["ls"]);
    assert_eq!(replay.type_text("k").0, ["down"]);
    assert_eq!(
        replay.type_text("x").1,
        FakeProgramAction::Exit(Outcome::Exited(0))
    );
}

#[test]
fn a_withheld_line_ends_before_the_next_input() {
    let scratch = record(|it| {
        it.echo(false);
        it.session.type_text("sesame\r").unwrap();
        it.echo(true);
        it.print("welcome");
        it.session.type_text("ls").unwrap();
        it.print("!");
        it.end(Outcome::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.type_text("oth").0, ["welcome"]);
    assert_eq!(replay.type_text("er\r").1, WAIT);
    assert_eq!(
        replay.type_text("ls").1,
        FakeProgramAction::Exit(Outcome::Exited(0))
    );
}

#[test]
fn a_redacted_secret_may_be_anything() {
    let scratch = Scratch::new();
    let pty = ScriptedPty::new(SIZE);
    let record = RecordOptions::new(scratch.path().join("x.cassette"));
    let options = Options {
        size: SIZE,
        record: Some(record.secret_value("WORD", b"open sesame")),
        ..Options::default()
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    session.type_text("login open sesame\r").unwrap();
    pty.print(b"ok");
    session.wait_for("ok", SOON).unwrap();
    pty.end(Outcome::Exited(0));
    session.wait_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap();
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.type_text("login dummy\r").1,
        FakeProgramAction::Exit(Outcome::Exited(0))
    );
}

#[test]
fn resizes_and_signals_are_waited_for() {
    let other = Size { cols: 50, rows: 9 };
    let scratch = record(|it| {
        it.session.resize(other).unwrap();
        it.print("resized");
        it.session.signal(Signal::INT).unwrap();
        it.print("interrupted");
        it.session.type_text("q").unwrap();
        it.end(Outcome::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.output(), (vec![], WAIT));
    assert_eq!(replay.send(FakeProgramEvent::Resize(other)).0, ["resized"]);
    assert_eq!(
        replay.send(FakeProgramEvent::Signal(Signal::CONT)).0,
        [""; 0]
    );
    assert_eq!(
        replay.send(FakeProgramEvent::Signal(Signal::INT)).0,
        ["interrupted"]
    );
    assert_eq!(
        replay.type_text("q").1,
        FakeProgramAction::Exit(Outcome::Exited(0))
    );
    // Events may arrive in another order than they were sent.
    let mut replay = start(&options_for(&scratch));
    replay.type_text("q");
    replay.send(FakeProgramEvent::Signal(Signal::INT));
    let (output, action) = replay.send(FakeProgramEvent::Resize(other));
    assert_eq!(output, ["resized", "interrupted"]);
    assert_eq!(action, FakeProgramAction::Exit(Outcome::Exited(0)));
}

#[test]
fn unexpected_resizes_signals_and_keys_are_reported() {
    let other = Size { cols: 50, rows: 9 };
    let scratch = record(|it| {
        it.session.resize(other).unwrap();
        it.session.signal(Signal::USR1).unwrap();
        it.end(Outcome::Exited(0));
    });
    let mismatch_report = |event: &[FakeProgramEvent]| {
        let mut replay = start(&options_for(&scratch));
        for event in event {
            replay.send(event.clone());
        }
        replay.mismatch_report()
    };
    let third = FakeProgramEvent::Resize(Size { cols: 60, rows: 9 });
    let report = mismatch_report(&[third]);
    assert!(
        report.contains("expected  a resize to 50x9\n  received  a resize to 60x9"),
        "{report}"
    );
    let report = mismatch_report(&[FakeProgramEvent::Bytes(b"x".to_vec())]);
    assert!(
        report.contains("expected  a resize to 50x9\n  received  \"x\""),
        "{report}"
    );
    let report = mismatch_report(&[
        FakeProgramEvent::Resize(other),
        FakeProgramEvent::Signal(Signal::USR2),
    ]);
    assert!(
        report.contains("expected  SIGUSR1\n  received  SIGUSR2"),
        "{report}"
    );
    let mut any = start(&options_for(&scratch).any_size());
    assert_eq!(
        any.send(FakeProgramEvent::Signal(Signal::USR1)).1,
        FakeProgramAction::Exit(Outcome::Exited(0))
    );
    // A resize while a key is expected.
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    replay.send(FakeProgramEvent::Resize(other));
    let report = replay.mismatch_report();
    assert!(
        report.contains("expected  \"Bob\"\n  received  a resize to 50x9"),
        "{report}"
    );
}

#[test]
fn two_resizes_received_as_one_satisfy_both_steps() {
    let [one, two] = [50, 60].map(|cols| Size { cols, rows: 9 });
    let scratch = record(|it| {
        it.session.resize(one).unwrap();
        it.print("one");
        it.session.resize(two).unwrap();
        it.print("two");
        it.end(Outcome::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.send(FakeProgramEvent::Resize(two)).0, ["one", "two"]);
}

#[test]
fn signals_that_kill_do_so_unless_they_were_recorded() {
    let scratch = greeting();
    for signal in [Signal::HUP, Signal::TERM, Signal::KILL] {
        let mut replay = start(&options_for(&scratch));
        replay.output();
        let (_, action) = replay.send(FakeProgramEvent::Signal(signal));
        assert_eq!(action, FakeProgramAction::Exit(Outcome::Signaled(signal)));
    }
    let scratch = record(|it| {
        it.session.signal(Signal::TERM).unwrap();
        it.print("bye");
        it.end(Outcome::Exited(143));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.send(FakeProgramEvent::Signal(Signal::TERM)),
        (
            vec!["bye".to_owned()],
            FakeProgramAction::Exit(Outcome::Exited(143))
        )
    );
}

#[test]
fn a_program_closed_from_outside_waits_for_that() {
    let scratch = record(|it| {
        it.print("ready");
        it.session.close().unwrap();
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.output(), (vec!["ready".to_owned()], WAIT));
    assert_eq!(
        replay.send(FakeProgramEvent::Signal(Signal::HUP)).1,
        FakeProgramAction::Exit(Outcome::Signaled(Signal::HUP))
    );
    // If the end is unknown, the last screen stays.
    let scratch = record(|it| it.print("ready"));
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.output(), (vec!["ready".to_owned()], WAIT));
    replay.type_text("x");
    let report = replay.mismatch_report();
    assert!(
        report.contains("after the last of 0 inputs:\n  expected  nothing more\n  received  \"x\""),
        "{report}"
    );
}

#[test]
fn a_program_that_killed_itself_does_so_again() {
    let scratch = record(|it| it.end(Outcome::Signaled(Signal::SEGV)));
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.output().1,
        FakeProgramAction::Exit(Outcome::Signaled(Signal::SEGV))
    );
}

#[test]
fn an_early_end_of_input_is_reported() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    replay.type_text("Bo");
    replay.send(FakeProgramEvent::Closed);
    assert!(
        replay
            .mismatch_report()
            .contains("received  \"Bo\" and the end of the input")
    );
}

#[test]
fn output_keeps_its_delay_after_the_input() {
    let scratch = greeting();
    for (pace, times) in [(Pace::Real, 1), (Pace::Scaled(2.0), 2)] {
        let mut replay = start(&options_for(&scratch).pace(pace));
        replay.output();
        replay.now += Duration::from_secs(1000);
        replay.type_text("Bob");
        replay.now += Duration::from_secs(1000);
        let typed = replay.now;
        let due = |millis: u64| FakeProgramAction::Wait {
            until: Some(typed + Duration::from_millis(millis) / times),
        };
        assert_eq!(replay.type_text("\r"), (vec![], due(300)));
        replay.now = typed + Duration::from_millis(300) / times;
        assert_eq!(replay.output(), (vec!["\r\nhello ".to_owned()], due(500)));
        replay.now = typed + Duration::from_millis(500) / times;
        assert_eq!(
            replay.output().1,
            FakeProgramAction::Exit(Outcome::Exited(3))
        );
    }
}

#[test]
fn output_is_split_as_requested() {
    let scratch = greeting();
    let output = |chunks| {
        start(&options_for(&scratch).chunks(chunks))
            .type_text("Bob\r")
            .0
    };
    assert_eq!(
        output(Chunks::Coalesced),
        ["name? ", "Bob", "\r\nhello Bob\r\n"]
    );
    assert!(
        output(Chunks::EveryByte)
            .iter()
            .all(|piece| piece.len() == 1)
    );
    assert_eq!(
        output(Chunks::Random(5)).concat(),
        output(Chunks::EveryByte).concat()
    );
}

#[test]
fn other_terminals_are_rejected_unless_allowed() {
    let scratch = greeting();
    let wide = Size { cols: 80, rows: 24 };
    let report = FakeProgram::open(&options_for(&scratch), Some(wide), None)
        .unwrap_err()
        .to_string();
    assert!(
        report.ends_with("was recorded at 40x8, but this terminal has 80x24"),
        "{report}"
    );
    FakeProgram::open(&options_for(&scratch).any_size(), Some(wide), None).unwrap();
    let other = Identity {
        name: "other",
        version: "1.0",
        revision: 1,
    };
    let report = FakeProgram::open(&options_for(&scratch), None, Some(other))
        .unwrap_err()
        .to_string();
    assert!(
        report.contains("was recorded with the emulator `alacritty_terminal"),
        "{report}"
    );
    assert!(report.contains("but this one is `other"), "{report}");
    FakeProgram::open(&options_for(&scratch).any_emulator(), None, Some(other)).unwrap();
}

#[test]
fn mouse_input_is_reported_with_its_bytes() {
    let scratch = record(|it| {
        it.print("\x1b[?1000h\x1b[?1006h");
        let event = MouseEvent {
            kind: MouseKind::Press(Button::Left),
            position: Position { row: 2, col: 3 },
            modifiers: screentest_core::Modifiers::empty(),
        };
        it.session.mouse(event).unwrap();
        it.end(Outcome::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.type_text("\x1b[<0;4;3M").1,
        FakeProgramAction::Exit(Outcome::Exited(0))
    );
    let mut replay = start(&options_for(&scratch));
    replay.type_text("x");
    let report = replay.mismatch_report();
    assert!(report.contains("(\\x1b[<0;4;3M)"), "{report}");
}

#[test]
fn any_input_ends_the_replay() {
    let scratch = greeting();
    for seed in 0..500 {
        let mut random = screentest_fixtures::random::Random::new(seed);
        let mut replay = start(&options_for(&scratch).chunks(Chunks::Random(seed)));
        for _ in 0..random.below(8) {
            let length = random.below(6);
            let bytes = (0..length).map(|_| random.bits() as u8).collect();
            replay.send(match random.below(5) {
                0 => FakeProgramEvent::Resize(Size {
                    cols: 2 + random.below(90) as u16,
                    rows: 5,
                }),
                1 => FakeProgramEvent::Signal(
                    Signal::from_number(1 + random.below(31) as i32).unwrap(),
                ),
                _ => FakeProgramEvent::Bytes(bytes),
            });
            replay.now += Duration::from_millis(random.below(900) as u64);
        }
        replay.send(FakeProgramEvent::Closed);
        replay.now += ARRIVAL_TIMEOUT * 2;
        assert!(
            matches!(replay.output().1, FakeProgramAction::Exit(_)),
            "{seed}"
        );
    }
}
