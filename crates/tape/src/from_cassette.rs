//! Writes a tape that repeats the actions recorded in a cassette and waits for their results.
//!
//! A tape runs on other days and other machines, so it must not depend on the clock: between two
//! actions it waits for text that appeared on the screen after the first action and before the
//! second. Input that the cassette does not have, and actions that a tape cannot express, are left
//! to the reader: a comment in their place and a warning say so.
//!
//! See also: `from_cassette/actions.rs` (the actions), `from_cassette/redacted.rs` (redacted
//! secrets in them), `from_cassette/wait.rs` (the waits), `from_cassette/volatile.rs` and
//! `from_cassette/numbers.rs` (text that differs between runs), `from_cassette/writer.rs` (the
//! lines of the tape), `language.rs` (the language).

use std::iter::repeat;
use std::path::Path;
use std::time::Duration;

use crate::language::{self, Dialect};
use screentest_core::formats::cassette::manifest::{Manifest, RecordedCommand};
use screentest_core::formats::cassette::{InputLine, InputLineKind};
use screentest_core::{Action, Appeared, Key, Screen, Size};

use screentest::recording::cassette::{Cassette, CassetteError};
use screentest::recording::player::{PlayError, Player};

mod actions;
mod numbers;
mod redacted;
mod volatile;
mod wait;
mod writer;

use actions::{ActionCollector, EventKind, RecordedAction};
use numbers::NumberStability;
use volatile::VolatileText;
use wait::{EffectArea, ScreenPair, WaitCondition};
use writer::TapeWriter;

/// A tape made from a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeFromCassette {
    /// The text of the tape.
    pub text: String,
    /// Parts of the recording that the tape does not reproduce, each with its line.
    pub warnings: Vec<TapeWarning>,
}

/// A part of the recording that the tape does not reproduce.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeWarning {
    /// The line of the tape with the comment about it, from 1.
    pub line: usize,
    /// The missing part, and how to add it.
    pub message: String,
}

/// Why no tape could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// The cassette cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The tape language cannot express the command.
    #[error("a tape cannot start `{word}`: a word of its command contains a line break")]
    Command {
        /// The word that it cannot express.
        word: String,
    },
    /// The recording does not name its program.
    #[error("the recording does not name its program")]
    NoProgram,
    /// The recording has more input than a tape may hold.
    #[error("{bytes} bytes were typed; a tape can be made of at most {MAX_TYPED}")]
    TooMuch {
        /// The number of bytes typed or pasted.
        bytes: usize,
    },
    /// The text would not parse as a tape.
    #[error("the resulting tape is invalid: {0}")]
    Unread(String),
}

impl From<CassetteError> for TapeError {
    fn from(error: CassetteError) -> TapeError {
        TapeError::Play(error.into())
    }
}

/// The number of bytes that may have been typed or pasted: a quarter of the longest tape, far more
/// than people type.
const MAX_TYPED: usize = language::MAX_TAPE_LENGTH / 4;

/// Returns the tape line that starts a program with arguments.
pub fn launch_line(program: &str, args: &[String]) -> Result<String, TapeError> {
    if program.is_empty() {
        return Err(TapeError::NoProgram);
    }
    let mut line = String::from("Launch");
    for word in [program].into_iter().chain(args.iter().map(String::as_str)) {
        if word.contains(['\n', '\r']) {
            let word = word.to_owned();
            return Err(TapeError::Command { word });
        }
        let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
        line.push(' ');
        if !word.is_empty() && word.chars().all(plain) {
            line.push_str(word);
        } else {
            line.push_str(&format!("'{}'", word.replace('\'', r"'\''")));
        }
    }
    Ok(line)
}

/// Makes a tape that repeats the actions recorded in a cassette and waits for their results.
/// First compares the digest of every file of the cassette.
pub fn from_cassette(cassette: &Cassette) -> Result<TapeFromCassette, TapeError> {
    cassette.verify_digests()?;
    let volatile = VolatileText::of_recording(cassette.manifest());
    let secrets: u64 = cassette.scrub_report()?.rules.values().sum();
    let inputs = cassette.inputs()?;
    let bytes = inputs.iter().map(|input| typed_bytes(&input.kind)).sum();
    if bytes > MAX_TYPED {
        return Err(TapeError::TooMuch { bytes });
    }
    let mut screens = RecordedScreens::of(cassette)?;
    let mut actions = ActionCollector::new(screens.size, secrets > 0);
    for (input, resized) in inputs.iter().zip(resizes(&inputs)) {
        let (screen, shown) = screens.before(InputMoment {
            seq: input.seq,
            at: input.at,
            resized,
        })?;
        if let InputLineKind::Signal { name } = &input.kind
            && ["SIGHUP", "SIGKILL"].contains(&name.as_str())
        {
            // A session is closed with these signals. What the program does after them is not
            // the result of a user's action.
            actions.closed(&screen, shown);
            break;
        }
        actions.add(input, screen, shown);
    }
    let ended = cassette.ending().ended();
    let (screen, shown) = screens.before(InputMoment::END)?;
    let actions = actions.finish(ended, &screen, shown);
    let mut writer = TapeWriter::default();
    write_head(cassette.manifest(), secrets > 0, &mut writer)?;
    write_steps(
        &actions,
        &Screen::blank(screens.size),
        &volatile,
        &mut writer,
    );
    read_back(writer.finish())
}

/// Returns the number of bytes that a user typed or pasted. Another event of a user counts as one,
/// so that the number of events is limited too.
fn typed_bytes(kind: &InputLineKind) -> usize {
    match kind {
        // The terminal's own answers, whose number depends on the program.
        InputLineKind::Reply { .. } => 0,
        InputLineKind::Mouse { .. } | InputLineKind::Focus { .. } => 1,
        kind => kind.bytes().map_or(0, <[u8]>::len),
    }
}

/// Returns, for each input, the `seq` of the first size change at or after this input.
fn resizes(inputs: &[InputLine]) -> Vec<u64> {
    let mut next = u64::MAX;
    let backwards = inputs.iter().rev().map(|input| {
        if let InputLineKind::Resize { .. } = input.kind {
            next = input.seq;
        }
        next
    });
    let mut resizes: Vec<u64> = backwards.collect();
    resizes.reverse();
    resizes
}

/// The moment of an action.
#[derive(Debug, Clone, Copy)]
struct InputMoment {
    /// Its sequence number.
    seq: u64,
    /// The number of bytes of output before it.
    at: u64,
    /// The `seq` of the next size change, after which the same output is laid out differently.
    resized: u64,
}

impl InputMoment {
    const END: InputMoment = InputMoment {
        seq: u64::MAX,
        at: u64::MAX,
        resized: u64::MAX,
    };

    /// Returns whether a frame with this `seq` and this amount of output was visible at this
    /// moment. If the output is also shown in another terminal, a user may react to it before the
    /// frame is recorded.
    fn includes(self, (seq, at): (u64, u64)) -> bool {
        seq < self.seq || at <= self.at && seq < self.resized
    }
}

/// The screens of a recording, read in order.
struct RecordedScreens<'a> {
    player: Player<'a>,
    size: Size,
}

impl<'a> RecordedScreens<'a> {
    fn of(cassette: &'a Cassette) -> Result<RecordedScreens<'a>, TapeError> {
        // Frames of any emulator are accepted: only their text, cursor and modes are used.
        let player = Player::of_any_emulator(cassette)?;
        let size = cassette.manifest().terminal.size();
        let size = size.map_err(CassetteError::from)?;
        Ok(RecordedScreens { player, size })
    }

    /// Returns the screen at a moment, and the time at which it appeared.
    fn before(&mut self, moment: InputMoment) -> Result<(Screen, Duration), TapeError> {
        while self
            .player
            .next_position()?
            .is_some_and(|next| moment.includes(next))
        {
            self.player.forward()?;
        }
        let screen = self.player.screen().cloned();
        let screen = screen.unwrap_or_else(|| Screen::blank(self.size));
        Ok((screen, self.player.time()))
    }
}

/// Writes the actions and the waits between them.
fn write_steps(
    actions: &[RecordedAction],
    blank: &Screen,
    volatile: &VolatileText,
    writer: &mut TapeWriter,
) {
    let actions = without_idle_moves(actions, volatile);
    // The text typed last, which the program echoes, and whether another action came after it.
    let mut typed = String::new();
    let mut is_line_over = false;
    // A random number may show up on any later line once the user has typed a command that prints
    // one.
    let mut numbers = NumberStability::Trusted;
    let mut before: Option<&RecordedAction> = None;
    // After input that was typed ahead, the awaited text may belong to any Enter since the last
    // wait, not only to the last Enter.
    let mut enters_since_wait = 0;
    for action in actions {
        let (old, effect_area, since) = match before {
            None => (blank, EffectArea::Screen, Duration::ZERO),
            Some(before) => (&*before.screen, before.kind.effect_area(), before.time),
        };
        let pair = ScreenPair::new(old, &action.screen, effect_area, &typed, volatile);
        let pair = pair.with(numbers);
        let waits = match action.kind {
            // The program does not wait for input at the end, but its last output is still visible.
            EventKind::ProgramEnded => pair.answer().into_iter().collect(),
            _ => pair.waits(),
        };
        let again = before.is_some_and(|before| before.kind == action.kind);
        // Only the first wait takes time: the others look for text that is visible by then.
        let took = [action.shown.saturating_sub(since)].into_iter();
        for (wait, took) in waits.iter().zip(took.chain(repeat(Duration::ZERO))) {
            if !(again && *wait == WaitCondition::Stable) {
                let appeared = if enters_since_wait > 1 {
                    Appeared::Anytime
                } else {
                    Appeared::AfterEnter
                };
                writer.wait(wait, appeared, took);
            }
        }
        if !waits.is_empty() {
            enters_since_wait = 0;
        }
        if action.kind == EventKind::Action(Action::Press(Key::Enter.into())) {
            enters_since_wait += 1;
        }
        let text = action.kind.text();
        if std::mem::replace(&mut is_line_over, text.is_none()) && text.is_some() {
            numbers = numbers.and(NumberStability::of(&[&typed]));
            typed.clear();
        }
        typed.extend(text);
        if let EventKind::Action(Action::Paste(text)) = &action.kind {
            numbers = text.lines().fold(numbers, |numbers, line| {
                numbers.and(NumberStability::of(&[line]))
            });
        }
        writer.event(&action.kind);
        before = Some(action);
    }
}

/// The actions without mouse movements after which nothing on the screen changed. Clicks do not
/// need these movements: they have positions of their own.
fn without_idle_moves<'a>(
    actions: &'a [RecordedAction],
    volatile: &VolatileText,
) -> Vec<&'a RecordedAction> {
    let nexts = actions.iter().skip(1).map(Some).chain([None]);
    let effective = actions.iter().zip(nexts).filter(|(action, next)| {
        let has_effect = |next: &RecordedAction| {
            let pair = ScreenPair::new(
                &action.screen,
                &next.screen,
                EffectArea::Screen,
                "",
                volatile,
            );
            !pair.waits().is_empty()
        };
        !action.kind.is_hover() || next.is_some_and(has_effect)
    });
    effective.map(|(action, _)| action).collect()
}

/// Checks that the tape parses without errors.
fn read_back(tape: TapeFromCassette) -> Result<TapeFromCassette, TapeError> {
    let (_, report) = language::parse(&tape.text, "the tape", Some(Dialect::Vhs));
    if report.has_errors() {
        Err(TapeError::Unread(report.to_string()))
    } else {
        Ok(tape)
    }
}

/// Writes the lines before the first step: size, variables, program. If no secrets were redacted,
/// text that looks redacted is taken literally.
fn write_head(
    manifest: &Manifest,
    secrets: bool,
    writer: &mut TapeWriter,
) -> Result<(), TapeError> {
    let Manifest {
        command: RecordedCommand { program, args, cwd },
        environment,
        terminal,
        ..
    } = manifest;
    let launch = launch_line(program, args)?;
    let is_redacted = |text: &str| secrets && redacted::is_redacted(text);
    writer.line("# Made from a recording: `screentest run` repeats its actions and waits for their results.");
    writer.line(&format!("Set Columns {}", terminal.cols));
    writer.line(&format!("Set Rows {}", terminal.rows));
    for (name, value) in &environment.set {
        let known = !is_redacted(value) && is_name(name);
        match language::quote(value, Dialect::Vhs).filter(|_| known) {
            Some(value) => writer.line(&format!("Env {name} {value}")),
            None => writer.warn(&format!(
                "`{name}` had a value that is not in the recording: insert `Env {name} \"…\"`"
            )),
        }
    }
    for name in &environment.unset {
        writer.warn(&format!(
            "`{name}` was removed from the environment, which a tape cannot do: run the tape where it is not set"
        ));
    }
    if let Some(cwd) = cwd {
        let cwd = Path::new(cwd).display();
        writer.warn(&format!(
            "the program was started in `{cwd}`: run the tape there"
        ));
    }
    if args.iter().any(|arg| is_redacted(arg)) {
        writer.warn("the next line has a redacted secret: insert its value");
    }
    writer.line(&launch);
    writer.line("");
    Ok(())
}

/// Returns whether a tape can set a variable of this name.
fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests;
