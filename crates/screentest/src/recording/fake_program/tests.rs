//! Tests of the replay rules, without a terminal.

use std::sync::Arc;

use screentest_core::Position;
use screentest_core::input::mouse::{Button, MouseEvent, MouseKind};
use screentest_fixtures::scratch::Scratch;

use super::*;
use crate::Session;
use crate::clock::Clock;
use crate::pty::scripted::ScriptedPty;
use crate::pty::{LineFlags, LineSettings};
use crate::recording::RecordOptions;
use crate::session::SessionOptions;

mod answers_and_secrets;
mod resizes_and_signals;

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

    fn end(&self, exit_status: ExitStatus) {
        self.pty.end(exit_status);
        self.session.wait_for_exit(SOON).unwrap();
    }
}

/// Records the actions of `script`.
fn record(script: impl FnOnce(&RecordedSession)) -> Scratch {
    let scratch = Scratch::new();
    let clock = Clock::manual();
    let pty = ScriptedPty::new(SIZE);
    let options = SessionOptions {
        size: SIZE,
        clock: clock.clone(),
        ..SessionOptions::default().record(RecordOptions::new(scratch.path().join("x.cassette")))
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
        it.end(ExitStatus::Exited(3));
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
                    output.push(String::from_utf8_lossy(&bytes).into_owned());
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
        assert_eq!(
            action,
            FakeProgramAction::Exit(ExitStatus::Exited(MISMATCH))
        );
        self.program.mismatch().unwrap().to_string()
    }
}

const WAIT: FakeProgramAction = FakeProgramAction::Wait { until: None };

#[test]
fn output_is_written_after_its_input_was_received() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    assert_eq!(replay.output(), (vec!["name? ".to_owned()], WAIT));
    assert_eq!(replay.type_text("Bo"), (vec![], WAIT));
    assert_eq!(replay.type_text("b"), (vec!["Bob".to_owned()], WAIT));
    let (output, action) = replay.type_text("\r");
    assert_eq!(output, ["\r\nhello ", "Bob\r\n"]);
    assert_eq!(action, FakeProgramAction::Exit(ExitStatus::Exited(3)));
}

#[test]
fn input_typed_ahead_is_buffered() {
    let scratch = greeting();
    let mut replay = start(&options_for(&scratch));
    let (output, action) = replay.type_text("Bob\r");
    assert_eq!(output.concat(), "name? Bob\r\nhello Bob\r\n");
    assert_eq!(action, FakeProgramAction::Exit(ExitStatus::Exited(3)));
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
        it.end(ExitStatus::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    replay.output();
    replay.type_text("a\rb");
    let report = replay.mismatch_report();
    let hint = "\n  hint      \\n was recorded, but \\r was received: end lines with \\n";
    assert!(report.ends_with(hint), "{report}");
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
        FakeProgramAction::Exit(ExitStatus::Exited(3))
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
        FakeProgramAction::Exit(ExitStatus::Exited(3))
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
            FakeProgramAction::Exit(ExitStatus::Exited(3))
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
        report.contains("was recorded with the emulator `screentest-vt"),
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
        it.end(ExitStatus::Exited(0));
    });
    let mut replay = start(&options_for(&scratch));
    assert_eq!(
        replay.type_text("\x1b[<0;4;3M").1,
        FakeProgramAction::Exit(ExitStatus::Exited(0))
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
