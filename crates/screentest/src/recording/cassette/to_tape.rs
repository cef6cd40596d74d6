//! A cassette as a tape: what somebody did, with waits for what came of it.
//!
//! A tape is run on other days and other machines, so nothing in it follows from the clock: between two things that were done
//! stands a wait for what the screen showed when the second was done and not yet when the first was. What was typed and is not in
//! the cassette, and what a tape cannot say, is left to whoever reads it: a comment in its place and a warning say so.
//!
//! Elsewhere: what was done (`to_tape/deeds.rs`), secrets in it (`to_tape/covered.rs`), what is waited for (`to_tape/wait.rs`), what
//! differs from run to run (`to_tape/varying.rs`, `to_tape/numbers.rs`), lines of the tape (`to_tape/sheet.rs`); the language (`screentest_core::tape`).

use std::iter::repeat;
use std::path::Path;
use std::time::Duration;

use screentest_core::formats::cassette::manifest::{Command, Manifest};
use screentest_core::formats::cassette::{InputKind, InputLine};
use screentest_core::tape::{self, Dialect};
use screentest_core::{Screen, Size};

use super::error::CassetteError;
use super::open::Cassette;
use crate::recording::player::{PlayError, Player};

mod covered;
mod deeds;
mod numbers;
mod sheet;
mod varying;
mod wait;

use deeds::{Deed, Deeds, What};
use numbers::Numbers;
use sheet::Sheet;
use varying::Varying;
use wait::{Awaited, Between, Reach};

/// A tape of what was done in a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Taped {
    /// Its text.
    pub text: String,
    /// What whoever runs it must know, each with its line.
    pub warnings: Vec<TapeWarning>,
}

/// Something that a tape does not say as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeWarning {
    /// The line of the tape in which a comment says the same, from 1.
    pub line: usize,
    /// What is missing, and what to do.
    pub message: String,
}

/// Why there is no tape.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// The cassette is not one that can be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A tape has no way to name what was started.
    #[error("a tape cannot start `{word}`: a word of its command has a line end")]
    Command {
        /// The word.
        word: String,
    },
    /// There is nobody who could be asked what it was.
    #[error("the recording does not say which program it is of")]
    NoProgram,
    /// Nobody types so much.
    #[error("{bytes} bytes were typed, and a tape is made of at most {MOST_TYPED}")]
    TooMuch {
        /// How much was typed.
        bytes: usize,
    },
    /// It would be none that can be read.
    #[error("the tape would be no tape: {0}")]
    Unread(String),
}

impl From<CassetteError> for TapeError {
    fn from(error: CassetteError) -> TapeError {
        TapeError::Play(error.into())
    }
}

/// How many bytes may have been typed or pasted: a quarter of the longest tape, and more than anybody types.
const MOST_TYPED: usize = tape::LONGEST / 4;

/// The line of a tape that starts a program with its arguments.
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
        match !word.is_empty() && word.chars().all(plain) {
            true => line.push_str(word),
            false => line.push_str(&format!("'{}'", word.replace('\'', r"'\''"))),
        }
    }
    Ok(line)
}

impl Cassette {
    /// What was done, as a tape that does it again and waits for what it brought about. Every digest is compared first.
    pub fn to_tape(&self) -> Result<Taped, TapeError> {
        self.verify_digests()?;
        let varying = Varying::here(self.manifest());
        let secrets: u64 = self.scrub_report()?.rules.values().sum();
        let inputs = self.inputs()?;
        let bytes = inputs.iter().filter_map(|input| input.kind.bytes());
        let bytes = bytes.map(<[u8]>::len).sum();
        if bytes > MOST_TYPED {
            return Err(TapeError::TooMuch { bytes });
        }
        let mut screens = Screens::of(self)?;
        let mut deeds = Deeds::new(screens.size, secrets > 0);
        for (input, resized) in inputs.iter().zip(resizes(&inputs)) {
            let (screen, shown) = screens.before(Moment {
                seq: input.seq,
                at: input.at,
                resized,
            })?;
            if let InputKind::Signal { name } = &input.kind
                && ["SIGHUP", "SIGKILL"].contains(&name.as_str())
            {
                // So a session is closed: what the program does then, nobody did.
                deeds.closed(&screen, shown);
                break;
            }
            deeds.add(input, screen, shown);
        }
        let ended = self.ending().ended();
        let (screen, shown) = screens.before(Moment::END)?;
        let deeds = deeds.finish(ended, &screen, shown);
        let mut sheet = Sheet::default();
        head(self.manifest(), secrets > 0, &mut sheet)?;
        steps(&deeds, &Screen::blank(screens.size), &varying, &mut sheet);
        read_back(sheet.finish())
    }
}

/// For each thing that was given to the program, the number of the change of size that it is, or that came next.
fn resizes(inputs: &[InputLine]) -> Vec<u64> {
    let mut next = u64::MAX;
    let backwards = inputs.iter().rev().map(|input| {
        if let InputKind::Resize { .. } = input.kind {
            next = input.seq;
        }
        next
    });
    let mut resizes: Vec<u64> = backwards.collect();
    resizes.reverse();
    resizes
}

/// When something was done.
#[derive(Debug, Clone, Copy)]
struct Moment {
    /// Its number among all that happened.
    seq: u64,
    /// How much output had come.
    at: u64,
    /// The number of the next change of size, after which the same output looks otherwise.
    resized: u64,
}

impl Moment {
    const END: Moment = Moment {
        seq: u64::MAX,
        at: u64::MAX,
        resized: u64::MAX,
    };

    /// Whether a frame of this number and of so much output was seen by then. Who sees the output in another terminal may be quicker to
    /// answer it than the frame is to be recorded.
    fn has(self, (seq, at): (u64, u64)) -> bool {
        seq < self.seq || at <= self.at && seq < self.resized
    }
}

/// What was shown, moment by moment.
struct Screens<'a> {
    player: Player<'a>,
    size: Size,
}

impl<'a> Screens<'a> {
    fn of(cassette: &'a Cassette) -> Result<Screens<'a>, TapeError> {
        // What is read of a frame is its text, on which emulators agree.
        let player = Player::of_any_emulator(cassette)?;
        let size = cassette.manifest().terminal.size();
        let size = size.map_err(|error| CassetteError::Emulator(error.into()))?;
        Ok(Screens { player, size })
    }

    /// What was shown at a moment, and since when.
    fn before(&mut self, moment: Moment) -> Result<(Screen, Duration), TapeError> {
        while self
            .player
            .next_place()?
            .is_some_and(|next| moment.has(next))
        {
            self.player.forward()?;
        }
        let screen = self.player.screen().cloned();
        let screen = screen.unwrap_or_else(|| Screen::blank(self.size));
        Ok((screen, self.player.time()))
    }
}

/// Writes what was done, with what is waited for between.
fn steps(deeds: &[Deed], blank: &Screen, varying: &Varying, sheet: &mut Sheet) {
    let deeds = without_passing_by(deeds, varying);
    // What was typed last, of which the program shows an echo, and whether something else was done since.
    let mut typed = String::new();
    let mut over = false;
    // A number that somebody got from chance may be said to any line behind that one.
    let mut numbers = Numbers::Trusted;
    let mut before: Option<&Deed> = None;
    for deed in deeds {
        let (old, reach, since) = match before {
            None => (blank, Reach::Screen, Duration::ZERO),
            Some(before) => (&*before.screen, before.what.reach(), before.time),
        };
        let between = Between::new(old, &deed.screen, reach, &typed, varying);
        let between = between.with(numbers);
        let waits = match deed.what {
            // Nothing asks for more input, but what it said last is still there.
            What::Ended => between.answer().into_iter().collect(),
            _ => between.waits(),
        };
        let again = before.is_some_and(|before| before.what == deed.what);
        // What stands behind another wait is there already.
        let took = [deed.shown.saturating_sub(since)].into_iter();
        for (wait, took) in waits.iter().zip(took.chain(repeat(Duration::ZERO))) {
            if !(again && *wait == Awaited::Stable) {
                sheet.wait(wait, took);
            }
        }
        let text = deed.what.text();
        if std::mem::replace(&mut over, text.is_none()) && text.is_some() {
            numbers = numbers.and(Numbers::of(&[&typed]));
            typed.clear();
        }
        typed.extend(text);
        if let What::Paste(text) = &deed.what {
            numbers = text
                .lines()
                .fold(numbers, |numbers, line| numbers.and(Numbers::of(&[line])));
        }
        sheet.deed(&deed.what);
        before = Some(deed);
    }
}

/// What was done but for a mouse that only passed by: it is told where it stops, or where something comes of it.
fn without_passing_by<'a>(deeds: &'a [Deed], varying: &Varying) -> Vec<&'a Deed> {
    let nexts = deeds.iter().skip(1).map(Some).chain([None]);
    let kept = deeds.iter().zip(nexts).filter(|(deed, next)| {
        let comes_of_it = |next: &Deed| {
            let between = Between::new(&deed.screen, &next.screen, Reach::Screen, "", varying);
            !between.waits().is_empty()
        };
        !matches!(deed.what, What::Hover(_)) || next.is_some_and(comes_of_it)
    });
    kept.map(|(deed, _)| deed).collect()
}

/// A tape that is one.
fn read_back(taped: Taped) -> Result<Taped, TapeError> {
    let (_, report) = tape::parse(&taped.text, "the tape", Some(Dialect::Vhs));
    match report.has_errors() {
        true => Err(TapeError::Unread(report.to_string())),
        false => Ok(taped),
    }
}

/// What stands before the first step: the size, the variables, the program. Where no secrets were covered, what looks like a cover is
/// none.
fn head(manifest: &Manifest, secrets: bool, sheet: &mut Sheet) -> Result<(), TapeError> {
    let Manifest {
        command: Command { program, args, cwd },
        environment,
        terminal,
        ..
    } = manifest;
    let launch = launch_line(program, args)?;
    let is_covered = |text: &str| secrets && covered::is_covered(text);
    sheet.line("# What was done in a recording: `screentest run` does it again, and waits for what came of it then.");
    sheet.line(&format!("Set Columns {}", terminal.cols));
    sheet.line(&format!("Set Rows {}", terminal.rows));
    for (name, value) in &environment.set {
        let known = !is_covered(value) && is_name(name);
        match tape::quoted(value, Dialect::Vhs).filter(|_| known) {
            Some(value) => sheet.line(&format!("Env {name} {value}")),
            None => sheet.warn(&format!(
                "`{name}` was set to what is not known here: put in `Env {name} \"…\"`"
            )),
        }
    }
    for name in &environment.unset {
        sheet.warn(&format!(
            "`{name}` was kept from the program, which a tape cannot do: run it where it is not set"
        ));
    }
    if let Some(cwd) = cwd {
        let cwd = Path::new(cwd).display();
        sheet.warn(&format!(
            "the program was started in `{cwd}`: run the tape there"
        ));
    }
    if args.iter().any(|arg| is_covered(arg)) {
        sheet.warn("a secret is covered in the next line: put it in");
    }
    sheet.line(&launch);
    sheet.line("");
    Ok(())
}

/// Whether a tape can name a variable so.
fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests;
