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
struct Rehearsal {
    pty: ScriptedPty,
    session: Session,
    clock: Clock,
}

impl Rehearsal {
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

    fn end(&self, outcome: ExitStatus) {
        self.pty.end(outcome);
        self.session.wait_for_exit(SOON).unwrap();
    }
}

/// Records the actions of `script`.
fn record(script: impl FnOnce(&Rehearsal)) -> Scratch {
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
    let rehearsal = Rehearsal {
        pty,
        session,
        clock,
    };
    script(&rehearsal);
    rehearsal.session.finish_recording().unwrap().unwrap();
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
struct Play {
    impersonator: Impersonator,
    now: Duration,
}

fn of(scratch: &Scratch) -> Impersonation {
    Impersonation::of(scratch.path().join("x.cassette"))
}

fn play(how: &Impersonation) -> Play {
    Play {
        impersonator: Impersonator::open(how, Some(SIZE), None).unwrap(),
        now: Duration::from_secs(100),
    }
}

impl Play {
    /// Returns all output until the replay waits or ends, and that last action.
    fn said(&mut self) -> (Vec<String>, Cue) {
        let mut said = Vec::new();
        loop {
            match self.impersonator.cue(self.now).unwrap() {
                Cue::Say(bytes) => said.push(String::from_utf8_lossy(&bytes).into_owned()),
                cue => return (said, cue),
            }
        }
    }

    fn hear(&mut self, heard: Heard) -> (Vec<String>, Cue) {
        self.impersonator.hear(heard, self.now);
        self.said()
    }

    fn typed(&mut self, text: &str) -> (Vec<String>, Cue) {
        self.hear(Heard::Bytes(text.as_bytes().to_vec()))
    }

    /// Returns the mismatch report, after waiting until it is certain.
    #[track_caller]
    fn complaint(&mut self) -> String {
        if let (_, Cue::Wait { until: Some(until) }) = self.said() {
            self.now = until;
        }
        let (_, cue) = self.said();
        assert_eq!(cue, Cue::End(ExitStatus::Exited(MISMATCH)));
        self.impersonator.mismatch().unwrap().to_string()
    }
}

const WAIT: Cue = Cue::Wait { until: None };

#[test]
fn output_comes_when_its_input_has_come() {
    let scratch = greeting();
    let mut play = play(&of(&scratch));
    assert_eq!(play.said(), (vec!["name? ".to_owned()], WAIT));
    assert_eq!(play.typed("Bo"), (vec![], WAIT));
    assert_eq!(play.typed("b"), (vec!["Bob".to_owned()], WAIT));
    let (said, cue) = play.typed("\r");
    assert_eq!(said, ["\r\nhello ", "Bob\r\n"]);
    assert_eq!(cue, Cue::End(ExitStatus::Exited(3)));
}

#[test]
fn input_typed_ahead_is_buffered() {
    let scratch = greeting();
    let mut play = play(&of(&scratch));
    let (said, cue) = play.typed("Bob\r");
    assert_eq!(said.concat(), "name? Bob\r\nhello Bob\r\n");
    assert_eq!(cue, Cue::End(ExitStatus::Exited(3)));
}

#[test]
fn a_mismatch_reports_expected_and_received_input() {
    let scratch = greeting();
    let mut play = play(&of(&scratch));
    let (said, _) = play.typed("Bill\x1b[A");
    let told = "the input differs from the recording\n\
                x.cassette, input 1 of 2, at 0.500 s:\n  \
                expected  \"Bob\"\n  \
                received  \"Bill\" Up (Bill\\x1b[A)";
    assert_eq!(play.complaint(), told);
    assert!(said.concat().contains(&told.replace('\n', "\r\n")));
    let mut play = self::play(&of(&scratch));
    play.typed("Bob");
    play.typed("!");
    let told = play.complaint();
    assert!(
        told.contains("input 2 of 2, at 0.700 s:\n  expected  Enter (\\r)\n  received  \"!\""),
        "{told}"
    );
}

#[test]
fn a_different_line_end_gets_a_hint() {
    let scratch = greeting();
    let mut play_it = play(&of(&scratch));
    play_it.said();
    play_it.typed("Bob\n");
    let told = play_it.complaint();
    let hint = "\n  hint      Enter sends \\r, but \\n was received: end lines with \\r";
    assert!(told.ends_with(hint), "{told}");
    // Other differences are not explained by the line end.
    let mut play_it = play(&of(&scratch));
    play_it.said();
    play_it.typed("Eve\n");
    let told = play_it.complaint();
    assert!(!told.contains("hint"), "{told}");
    let scratch = record(|it| {
        it.print("? ");
        it.session.send(b"a\nb").unwrap();
        it.end(ExitStatus::Exited(0));
    });
    let mut play_it = play(&of(&scratch));
    play_it.said();
    play_it.typed("a\rb");
    let told = play_it.complaint();
    let hint = "\n  hint      \\n was recorded, but \\r was received: end lines with \\n";
    assert!(told.ends_with(hint), "{told}");
}

#[test]
fn unexpected_resizes_and_signals_do_not_accumulate() {
    let scratch = record(|it| {
        it.print("$ ");
        it.session.signal(Signal::HUP).unwrap();
        it.end(ExitStatus::Signaled(Signal::HUP));
    });
    for how in [of(&scratch), of(&scratch).any_size()] {
        let mut play_it = play(&how);
        for cols in 0..10_000 {
            let size = Size {
                cols: 40 + cols % 7,
                rows: 8,
            };
            play_it.impersonator.hear(Heard::Resize(size), play_it.now);
            for signal in [Signal::WINCH, Signal::CONT, Signal::USR1, Signal::HUP] {
                play_it
                    .impersonator
                    .hear(Heard::Signal(signal), play_it.now);
            }
        }
        let kept = play_it.impersonator.happened.len();
        assert!(kept < 10, "{kept}");
    }
}

#[test]
fn a_wrong_escape_key_is_reported_after_a_second() {
    let scratch = greeting();
    let mut play = play(&of(&scratch));
    let (_, cue) = play.typed("\x1b");
    let until = play.now + PATIENCE;
    assert_eq!(cue, Cue::Wait { until: Some(until) });
    assert!(play.complaint().contains("received  Esc (\\x1b)"));
}

#[test]
fn matching_any_accepts_any_keys() {
    let scratch = greeting();
    let mut play = play(&of(&scratch).matching(Matching::Any));
    play.typed("\x1b[A\x1b[A");
    assert_eq!(play.typed("x").0, ["Bob"]);
    assert_eq!(play.typed("y").1, Cue::End(ExitStatus::Exited(3)));
}

#[test]
fn a_pattern_matches_in_any_pieces() {
    let scratch = greeting();
    let how = of(&scratch).pattern("[A-Z][a-z]+");
    let mut play = play(&how);
    // A partial name is enough for the first output.
    assert_eq!(play.typed("Wi").0.concat(), "name? Bob");
    assert_eq!(play.typed("lliam"), (vec![], WAIT));
    assert_eq!(play.typed("\r").1, Cue::End(ExitStatus::Exited(3)));
    let mut play = self::play(&how);
    play.typed("Wi7");
    assert!(play.complaint().contains("input 2 of 2"));
    let mut play = self::play(&how);
    play.typed("will");
    assert!(play.complaint().contains("input 1 of 2"));
    let refused = Impersonator::open(&of(&scratch).pattern("["), None, None).unwrap_err();
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
        it.end(ExitStatus::Exited(0));
    });
    for order in [
        ["\x1b[?6c\x1b[0n", "ls"],
        ["l\x1b[?1;2", "c\x1b[0ns"],
        ["ls\x1b]11;rgb:0/0/0\x07", "\x1b[3n"],
    ] {
        let mut play = play(&of(&scratch));
        let (_, cue) = play.said();
        let until = play.now + PATIENCE;
        assert_eq!(cue, Cue::Wait { until: Some(until) });
        play.typed(order[0]);
        assert_eq!(
            play.typed(order[1]).1,
            Cue::End(ExitStatus::Exited(0)),
            "{order:?}"
        );
    }
    // A terminal that did not answer once is not waited for again.
    let mut mute = play(&of(&scratch));
    mute.said();
    mute.now += PATIENCE;
    assert_eq!(mute.said(), (vec!["> ".to_owned()], WAIT));
    let mut ignored = play(&of(&scratch).without_replies());
    assert_eq!(ignored.said().1, WAIT);
}

#[test]
fn a_recorded_key_that_looks_like_an_answer_is_a_key() {
    let scratch = record(|it| {
        it.session.press("Shift+F3").unwrap();
        it.print("ok");
        it.end(ExitStatus::Exited(0));
    });
    let mut play = play(&of(&scratch));
    assert_eq!(play.typed("\x1b[1;2R").1, Cue::End(ExitStatus::Exited(0)));
}

#[test]
fn answers_recorded_as_input_count_as_answers() {
    let scratch = record(|it| {
        it.print("? ");
        it.session.send(b"\x1b[?62;4cl\x1b[1;").unwrap();
        it.session.send(b"1Rs").unwrap();
        it.print("ok");
        it.end(ExitStatus::Exited(0));
    });
    let mut play = play(&of(&scratch));
    play.typed("\x1b[?6c");
    play.typed("l");
    assert_eq!(play.typed("\x1b[1;3Rs").1, Cue::End(ExitStatus::Exited(0)));
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
        it.end(ExitStatus::Exited(0));
    });
    let mut play = play(&of(&scratch));
    // Nothing is written before the line has ended.
    assert_eq!(play.typed("other").1, WAIT);
    assert_eq!(play.typed("\r").0, ["\r\nwelcome\r\n$ "]);
    assert_eq!(play.typed("ls").0, ["ls"]);
    assert_eq!(play.typed("k").0, ["down"]);
    assert_eq!(play.typed("x").1, Cue::End(ExitStatus::Exited(0)));
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
        it.end(ExitStatus::Exited(0));
    });
    let mut play = play(&of(&scratch));
    assert_eq!(play.typed("oth").0, ["welcome"]);
    assert_eq!(play.typed("er\r").1, WAIT);
    assert_eq!(play.typed("ls").1, Cue::End(ExitStatus::Exited(0)));
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
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap();
    let mut play = play(&of(&scratch));
    assert_eq!(
        play.typed("login dummy\r").1,
        Cue::End(ExitStatus::Exited(0))
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
        it.end(ExitStatus::Exited(0));
    });
    let mut play = play(&of(&scratch));
    assert_eq!(play.said(), (vec![], WAIT));
    assert_eq!(play.hear(Heard::Resize(other)).0, ["resized"]);
    assert_eq!(play.hear(Heard::Signal(Signal::CONT)).0, [""; 0]);
    assert_eq!(play.hear(Heard::Signal(Signal::INT)).0, ["interrupted"]);
    assert_eq!(play.typed("q").1, Cue::End(ExitStatus::Exited(0)));
    // Events may arrive in another order than they were sent.
    let mut play = self::play(&of(&scratch));
    play.typed("q");
    play.hear(Heard::Signal(Signal::INT));
    let (said, cue) = play.hear(Heard::Resize(other));
    assert_eq!(said, ["resized", "interrupted"]);
    assert_eq!(cue, Cue::End(ExitStatus::Exited(0)));
}

#[test]
fn unexpected_resizes_signals_and_keys_are_reported() {
    let other = Size { cols: 50, rows: 9 };
    let scratch = record(|it| {
        it.session.resize(other).unwrap();
        it.session.signal(Signal::USR1).unwrap();
        it.end(ExitStatus::Exited(0));
    });
    let complaint = |heard: &[Heard]| {
        let mut play = play(&of(&scratch));
        for heard in heard {
            play.hear(heard.clone());
        }
        play.complaint()
    };
    let third = Heard::Resize(Size { cols: 60, rows: 9 });
    let told = complaint(&[third]);
    assert!(
        told.contains("expected  a resize to 50x9\n  received  a resize to 60x9"),
        "{told}"
    );
    let told = complaint(&[Heard::Bytes(b"x".to_vec())]);
    assert!(
        told.contains("expected  a resize to 50x9\n  received  \"x\""),
        "{told}"
    );
    let told = complaint(&[Heard::Resize(other), Heard::Signal(Signal::USR2)]);
    assert!(
        told.contains("expected  SIGUSR1\n  received  SIGUSR2"),
        "{told}"
    );
    let mut any = play(&of(&scratch).any_size());
    assert_eq!(
        any.hear(Heard::Signal(Signal::USR1)).1,
        Cue::End(ExitStatus::Exited(0))
    );
    // A resize while a key is expected.
    let scratch = greeting();
    let mut play = play(&of(&scratch));
    play.hear(Heard::Resize(other));
    let told = play.complaint();
    assert!(
        told.contains("expected  \"Bob\"\n  received  a resize to 50x9"),
        "{told}"
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
        it.end(ExitStatus::Exited(0));
    });
    let mut play = play(&of(&scratch));
    assert_eq!(play.hear(Heard::Resize(two)).0, ["one", "two"]);
}

#[test]
fn signals_that_kill_do_so_unless_they_were_recorded() {
    let scratch = greeting();
    for signal in [Signal::HUP, Signal::TERM, Signal::KILL] {
        let mut play = play(&of(&scratch));
        play.said();
        let (_, cue) = play.hear(Heard::Signal(signal));
        assert_eq!(cue, Cue::End(ExitStatus::Signaled(signal)));
    }
    let scratch = record(|it| {
        it.session.signal(Signal::TERM).unwrap();
        it.print("bye");
        it.end(ExitStatus::Exited(143));
    });
    let mut play = play(&of(&scratch));
    assert_eq!(
        play.hear(Heard::Signal(Signal::TERM)),
        (vec!["bye".to_owned()], Cue::End(ExitStatus::Exited(143)))
    );
}

#[test]
fn a_program_closed_from_outside_waits_for_that() {
    let scratch = record(|it| {
        it.print("ready");
        it.session.close().unwrap();
    });
    let mut play = play(&of(&scratch));
    assert_eq!(play.said(), (vec!["ready".to_owned()], WAIT));
    assert_eq!(
        play.hear(Heard::Signal(Signal::HUP)).1,
        Cue::End(ExitStatus::Signaled(Signal::HUP))
    );
    // If the end is unknown, the last screen stays.
    let scratch = record(|it| it.print("ready"));
    let mut play = self::play(&of(&scratch));
    assert_eq!(play.said(), (vec!["ready".to_owned()], WAIT));
    play.typed("x");
    let told = play.complaint();
    assert!(
        told.contains("after the last of 0 inputs:\n  expected  nothing more\n  received  \"x\""),
        "{told}"
    );
}

#[test]
fn a_program_that_killed_itself_does_so_again() {
    let scratch = record(|it| it.end(ExitStatus::Signaled(Signal::SEGV)));
    let mut play = play(&of(&scratch));
    assert_eq!(play.said().1, Cue::End(ExitStatus::Signaled(Signal::SEGV)));
}

#[test]
fn an_early_end_of_input_is_reported() {
    let scratch = greeting();
    let mut play = play(&of(&scratch));
    play.typed("Bo");
    play.hear(Heard::Closed);
    assert!(
        play.complaint()
            .contains("received  \"Bo\" and the end of the input")
    );
}

#[test]
fn output_keeps_its_delay_after_the_input() {
    let scratch = greeting();
    for (pace, times) in [(Pace::Real, 1), (Pace::Scaled(2.0), 2)] {
        let mut play = play(&of(&scratch).pace(pace));
        play.said();
        play.now += Duration::from_secs(1000);
        play.typed("Bob");
        play.now += Duration::from_secs(1000);
        let typed = play.now;
        let due = |millis: u64| Cue::Wait {
            until: Some(typed + Duration::from_millis(millis) / times),
        };
        assert_eq!(play.typed("\r"), (vec![], due(300)));
        play.now = typed + Duration::from_millis(300) / times;
        assert_eq!(play.said(), (vec!["\r\nhello ".to_owned()], due(500)));
        play.now = typed + Duration::from_millis(500) / times;
        assert_eq!(play.said().1, Cue::End(ExitStatus::Exited(3)));
    }
}

#[test]
fn output_is_split_as_requested() {
    let scratch = greeting();
    let said = |chunks| play(&of(&scratch).chunks(chunks)).typed("Bob\r").0;
    assert_eq!(
        said(Chunks::Coalesced),
        ["name? ", "Bob", "\r\nhello Bob\r\n"]
    );
    assert!(said(Chunks::EveryByte).iter().all(|piece| piece.len() == 1));
    assert_eq!(
        said(Chunks::Random(5)).concat(),
        said(Chunks::EveryByte).concat()
    );
}

#[test]
fn other_terminals_are_rejected_unless_allowed() {
    let scratch = greeting();
    let wide = Size { cols: 80, rows: 24 };
    let told = Impersonator::open(&of(&scratch), Some(wide), None)
        .unwrap_err()
        .to_string();
    assert!(
        told.ends_with("was recorded at 40x8, but this terminal has 80x24"),
        "{told}"
    );
    Impersonator::open(&of(&scratch).any_size(), Some(wide), None).unwrap();
    let other = Identity {
        name: "other",
        version: "1.0",
        revision: 1,
    };
    let told = Impersonator::open(&of(&scratch), None, Some(other))
        .unwrap_err()
        .to_string();
    assert!(
        told.contains("was recorded with the emulator `alacritty_terminal"),
        "{told}"
    );
    assert!(told.contains("but this one is `other"), "{told}");
    Impersonator::open(&of(&scratch).any_emulator(), None, Some(other)).unwrap();
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
    let mut play = play(&of(&scratch));
    assert_eq!(
        play.typed("\x1b[<0;4;3M").1,
        Cue::End(ExitStatus::Exited(0))
    );
    let mut play = self::play(&of(&scratch));
    play.typed("x");
    let told = play.complaint();
    assert!(told.contains("(\\x1b[<0;4;3M)"), "{told}");
}

#[test]
fn any_input_ends_the_replay() {
    let scratch = greeting();
    for seed in 0..500 {
        let mut random = screentest_fixtures::random::Random::new(seed);
        let mut play = play(&of(&scratch).chunks(Chunks::Random(seed)));
        for _ in 0..random.below(8) {
            let length = random.below(6);
            let bytes = (0..length).map(|_| random.bits() as u8).collect();
            play.hear(match random.below(5) {
                0 => Heard::Resize(Size {
                    cols: 2 + random.below(90) as u16,
                    rows: 5,
                }),
                1 => Heard::Signal(Signal::from_number(1 + random.below(31) as i32).unwrap()),
                _ => Heard::Bytes(bytes),
            });
            play.now += Duration::from_millis(random.below(900) as u64);
        }
        play.hear(Heard::Closed);
        play.now += PATIENCE * 2;
        assert!(matches!(play.said().1, Cue::End(_)), "{seed}");
    }
}
