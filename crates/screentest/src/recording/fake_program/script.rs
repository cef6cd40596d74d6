//! The recorded events, in the order in which they must happen again.
//!
//! An input belongs after the output that had been written when it was received. Only the next
//! chunk of output is in memory, however much output there is.

use std::collections::VecDeque;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::derive::pinned;
use screentest_core::formats::cassette::manifest::Pin;
use screentest_core::formats::cassette::{
    self as format, InputKind, InputLine, LineError, OtherEmulator, OutputLine,
};
use screentest_core::{Identity, Size};

use super::Event;
use super::expected::{Expected, Until};
use super::mismatch::{self, Came, Mismatch};
use super::options::{Emulator, ImpersonateError, Impersonation, Matching, Sizes};
use super::pattern::{Pattern, Varying};
use crate::pty::signal::Signal;
use crate::recording::cassette::stream::Stream;
use crate::recording::cassette::{Cassette, CassetteError, wrong};
use crate::session::exit_status::ExitStatus;
use screentest_core::input::token;

/// The recording of a program.
#[derive(Debug)]
pub(super) struct Script {
    cassette: Cassette,
    name: String,
    raw: File,
    said: u64,
    lines: Stream<OutputLine>,
    /// The output line that covers the next output.
    piece: Option<OutputLine>,
    steps: VecDeque<Step>,
    inputs: usize,
    /// Typed keys that look like answers of a terminal.
    keys: Vec<Vec<u8>>,
    /// The recorded signals that have been received again.
    sent: Vec<Signal>,
}

/// An event that must happen.
#[derive(Debug, Clone)]
pub(super) struct Step {
    number: usize,
    at: u64,
    pub(super) time: Duration,
    pub(super) what: Wanted,
    told: Arc<str>,
}

#[derive(Debug, Clone)]
pub(super) enum Wanted {
    Given(Expected),
    /// This number of answers of the terminal.
    Answers(usize),
    Resize(Size),
    Signal(Signal),
}

impl Script {
    pub(super) fn open(
        how: &Impersonation,
        size: Option<Size>,
        emulator: Option<Identity>,
    ) -> Result<Script, ImpersonateError> {
        let cassette = Cassette::open(&how.path)?;
        // Replay only what has not changed since: a changed byte would fail a test for no visible
        // reason.
        cassette.verify_digests()?;
        if how.emulator == Emulator::Pinned {
            check_emulator(&cassette, emulator)?;
        }
        let terminal = &cassette.manifest().terminal;
        let recorded = Size {
            cols: terminal.cols,
            rows: terminal.rows,
        };
        if let Some(here) = size.filter(|here| how.sizes == Sizes::Recorded && *here != recorded) {
            return Err(ImpersonateError::Size {
                path: how.path.clone(),
                recorded,
                here,
            });
        }
        let raw = cassette.output()?;
        let lines = cassette.inputs()?;
        let inputs = lines.len();
        let covered = cassette
            .scrub_report()?
            .rules
            .values()
            .any(|hits| *hits > 0);
        let mut steps = Steps::new(how, covered, &raw)?;
        let length = cassette.output_len();
        for (number, line) in (1..).zip(&lines) {
            steps.add(number, line, length)?;
        }
        let Steps { steps, keys, .. } = steps;
        let name = how.path.file_name().unwrap_or(how.path.as_os_str());
        Ok(Script {
            name: name.to_string_lossy().into_owned(),
            lines: cassette.stream(format::OUTPUT)?,
            piece: None,
            raw,
            said: 0,
            steps,
            inputs,
            keys,
            sent: Vec::new(),
            cassette,
        })
    }

    /// The next event that must happen. It is due once all output before it has been written.
    pub(super) fn next(&self) -> Option<&Step> {
        self.steps.front()
    }

    /// Removes the next step, which has happened.
    pub(super) fn pass(&mut self) {
        if let Some(Step {
            what: Wanted::Signal(signal),
            ..
        }) = self.steps.pop_front()
        {
            self.sent.push(signal);
        }
    }

    /// The length of the next input in bytes.
    pub(super) fn next_len(&self) -> usize {
        match self.next().map(|step| &step.what) {
            Some(Wanted::Given(expected)) => expected.length(),
            _ => 0,
        }
    }

    /// The number of bytes that may be written before the next event, and their time in the
    /// recording. `in_pieces`: only up to the end of one recorded write.
    pub(super) fn ahead(
        &mut self,
        in_pieces: bool,
    ) -> Result<Option<(u64, Duration)>, ImpersonateError> {
        let end = self
            .next()
            .map_or(self.cassette.output_len(), |step| step.at);
        let left = end.saturating_sub(self.said);
        if left == 0 {
            return Ok(None);
        }
        if !in_pieces {
            return Ok(Some((left, Duration::ZERO)));
        }
        while self.piece.is_none_or(|piece| piece.end() <= self.said) {
            let Some(piece) = self.lines.next()? else {
                // Output without a line of its own belongs to the last line.
                let time = self.piece.map(|piece| piece.t_ms.time());
                return Ok(Some((left, time.unwrap_or_default())));
            };
            self.piece = Some(piece);
        }
        let piece = self.piece.map_or((left, Duration::ZERO), |piece| {
            (piece.end() - self.said, piece.t_ms.time())
        });
        Ok(Some((left.min(piece.0), piece.1)))
    }

    /// Reads the next output.
    pub(super) fn say(&mut self, length: u64) -> Result<Vec<u8>, ImpersonateError> {
        // A chunk has at most 64 KiB.
        let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
        let read = self.raw.read_exact_at(&mut bytes, self.said);
        read.map_err(|source| CassetteError::Read {
            path: self.cassette.path().join(format::OUTPUT_RAW),
            source,
        })?;
        self.said += length;
        Ok(bytes)
    }

    /// Returns whether these bytes, which look like an answer of a terminal, were typed.
    pub(super) fn is_key(&self, bytes: &[u8]) -> bool {
        self.keys.iter().any(|key| key == bytes)
    }

    /// Returns whether this signal is the next event, apart from answers of the terminal.
    pub(super) fn expects_signal(&self, signal: Signal) -> bool {
        let mut next = self.steps.iter();
        let next = next.find(|step| !matches!(step.what, Wanted::Answers(_)));
        matches!(next.map(|step| &step.what), Some(Wanted::Signal(next)) if *next == signal)
    }

    /// Returns whether this signal was recorded and has been received again.
    pub(super) fn was_sent(&self, signal: Signal) -> bool {
        self.sent.contains(&signal)
    }

    /// The number of steps that wait for an event like this one.
    pub(super) fn waits_for(&self, event: Event) -> usize {
        let steps = self.steps.iter();
        let waits = steps.filter(|step| match step.what {
            Wanted::Resize(size) => event.is_like(Event::Resize(size)),
            Wanted::Signal(signal) => event.is_like(Event::Signal(signal)),
            Wanted::Given(_) | Wanted::Answers(_) => false,
        });
        waits.count()
    }

    /// Returns whether, after the next step, the terminal is resized to this size before any input.
    pub(super) fn soon_resizes_to(&self, size: Size) -> bool {
        let after = self.steps.iter().skip(1);
        let mut soon = after.take_while(|step| !matches!(step.what, Wanted::Given(_)));
        soon.any(|step| matches!(step.what, Wanted::Resize(soon) if soon == size))
    }

    /// The recorded exit status.
    pub(super) fn outcome(&self) -> ExitStatus {
        let ending = self.cassette.ending();
        match (ending.exit_code, self.killer()) {
            (Some(code), _) => ExitStatus::Exited(code),
            (None, Some(signal)) => ExitStatus::Signaled(signal),
            (None, None) => ExitStatus::Exited(0),
        }
    }

    /// Returns whether the program exits once all output is written. A program that was killed from
    /// outside waits for that, unless it has happened already.
    pub(super) fn ends_by_itself(&self) -> bool {
        match (self.cassette.ending().exit_code, self.killer()) {
            (Some(_), _) => true,
            (None, Some(signal)) if FROM_OUTSIDE.contains(&signal) => {
                // A program may be asked to exit by one of these signals and be killed by another.
                self.sent.iter().any(|sent| FROM_OUTSIDE.contains(sent))
            }
            (None, Some(_)) => true,
            (None, None) => false,
        }
    }

    fn killer(&self) -> Option<Signal> {
        signal(self.cassette.ending().signal.as_deref()?)
    }

    /// Makes the report of an unexpected event.
    pub(super) fn mismatch(&self, came: &Came) -> Mismatch {
        let next = self.next();
        Mismatch {
            cassette: self.name.clone(),
            number: next.map_or(self.inputs + 1, |step| step.number),
            inputs: self.inputs,
            time: next.map_or(Duration::ZERO, |step| step.time),
            expected: next.map_or("nothing more".to_owned(), |step| step.told.to_string()),
            came: came.to_string(),
            hint: match next.map(|step| &step.what) {
                Some(Wanted::Given(Expected::Exact(bytes))) => came.hint(bytes),
                _ => None,
            },
        }
    }
}

/// Signals that end a program from outside; programs hardly ever send them to themselves.
const FROM_OUTSIDE: [Signal; 3] = [Signal::HUP, Signal::TERM, Signal::KILL];

/// Parses the name of a signal in a cassette.
fn signal(name: &str) -> Option<Signal> {
    name.strip_prefix("signal ").unwrap_or(name).parse().ok()
}

fn check_emulator(cassette: &Cassette, here: Option<Identity>) -> Result<(), ImpersonateError> {
    let recorded = &cassette.manifest().terminal.emulator;
    let here = match here {
        Some(here) if Pin::of(here) == *recorded => return Ok(()),
        Some(here) => format!("`{here}`"),
        None => match pinned(recorded) {
            Ok(_) => return Ok(()),
            Err(OtherEmulator::Mismatch { built, .. }) => {
                let built: Vec<String> = built.iter().map(|one| format!("`{one}`")).collect();
                built.join(" and ")
            }
            Err(error) => return Err(CassetteError::Emulator(error).into()),
        },
    };
    Err(ImpersonateError::Emulator {
        path: cassette.path().to_owned(),
        recorded: recorded.to_string(),
        here,
    })
}

/// Collects the steps.
struct Steps<'a> {
    steps: VecDeque<Step>,
    keys: Vec<Vec<u8>>,
    matching: Matching,
    varying: Vec<Varying>,
    raw: &'a File,
    /// The beginning of an answer that continues in the next input.
    begun: Vec<u8>,
}

/// Matches a redacted secret in typed text.
const COVERED: &str = r"\*{4,}";
/// The text that is accepted in its place: a replay does not have the secret.
const ANYTHING: &str = r"[^\r\n]+";

impl Steps<'_> {
    fn new<'a>(
        how: &Impersonation,
        covered: bool,
        raw: &'a File,
    ) -> Result<Steps<'a>, ImpersonateError> {
        let mut varying = Vec::new();
        for pattern in &how.patterns {
            let one = Varying::new(pattern).map_err(unusable(pattern))?;
            varying.push(one);
        }
        if covered {
            let one = Varying::found_by(COVERED, ANYTHING).map_err(unusable(COVERED))?;
            varying.push(one);
        }
        Ok(Steps {
            steps: VecDeque::new(),
            keys: Vec::new(),
            matching: how.matching,
            varying,
            raw,
            begun: Vec::new(),
        })
    }

    fn add(
        &mut self,
        number: usize,
        line: &InputLine,
        length: u64,
    ) -> Result<(), ImpersonateError> {
        let refuse = |problem: String| {
            wrong(format::INPUT)(LineError {
                line: number,
                problem,
            })
        };
        let before = self.steps.back().map_or(0, |step| step.at);
        if line.at < before || line.at > length {
            let at = line.at;
            let problem = format!("`at` is {at}, but must be from {before} to {length}");
            return Err(refuse(problem).into());
        }
        let (at, time) = (line.at, line.t_ms.time());
        let told: Arc<str> = mismatch::recorded(&line.kind).into();
        let push = |steps: &mut VecDeque<Step>, what: Wanted, told: Arc<str>| {
            steps.push_back(Step {
                number,
                at,
                time,
                what,
                told,
            });
        };
        match &line.kind {
            InputKind::Reply { bytes } => {
                push(
                    &mut self.steps,
                    Wanted::Answers(token::count(&bytes.0)),
                    told,
                );
            }
            InputKind::Resize { cols, rows } => {
                let size = Size::checked((*cols).into(), (*rows).into());
                let size = size.map_err(|error| refuse(error.to_string()))?;
                push(&mut self.steps, Wanted::Resize(size), told);
            }
            InputKind::Signal { name } => {
                let signal = signal(name);
                let signal = signal.ok_or_else(|| refuse(format!("unknown signal `{name}`")))?;
                push(&mut self.steps, Wanted::Signal(signal), told);
            }
            InputKind::Withheld => {
                let until = self.until(at);
                match self.steps.back() {
                    // Several withheld inputs at one prompt are one step.
                    Some(Step {
                        what: Wanted::Given(Expected::Withheld(_)),
                        at: before,
                        ..
                    }) if *before == at => {}
                    _ => push(
                        &mut self.steps,
                        Wanted::Given(Expected::Withheld(until)),
                        told,
                    ),
                }
            }
            // The recording was made through another terminal, whose answers were recorded as typed
            // input.
            InputKind::Bytes { bytes } => {
                let bytes = [std::mem::take(&mut self.begun), bytes.0.clone()].concat();
                let (pieces, begun) = pieces(&bytes);
                self.begun = begun;
                for piece in pieces {
                    let what = match piece {
                        Piece::Answer => Wanted::Answers(1),
                        Piece::Typed(typed) => Wanted::Given(self.expected(&typed)?),
                    };
                    push(&mut self.steps, what, Arc::clone(&told));
                }
            }
            kind => {
                let bytes = kind.bytes().unwrap_or_default();
                self.note_keys(bytes);
                if !bytes.is_empty() {
                    let expected = self.expected(bytes)?;
                    push(&mut self.steps, Wanted::Given(expected), told);
                }
            }
        }
        Ok(())
    }

    fn expected(&self, bytes: &[u8]) -> Result<Expected, ImpersonateError> {
        if self.matching == Matching::Any {
            return Ok(Expected::Keys(token::count(bytes)));
        }
        let pattern = Pattern::of(bytes, &self.varying).map_err(|problem| {
            let patterns: Vec<&str> = self.varying.iter().map(Varying::text).collect();
            unusable(&patterns.join("`, `"))(problem)
        })?;
        Ok(match pattern {
            Some(pattern) => Expected::Pattern(pattern),
            None => Expected::Exact(bytes.into()),
        })
    }

    /// Remembers typed keys that look like answers.
    fn note_keys(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(token) = token::first(&bytes[at..]) {
            if token.kind == token::Kind::Answer {
                self.keys.push(bytes[at..at + token.length].to_vec());
            }
            at += token.length;
        }
    }

    /// Returns how much belongs to an input that was not stored. If the output continues with a new
    /// line, it was a line.
    fn until(&self, at: u64) -> Until {
        let mut next = [0; 2];
        let read = self.raw.read_at(&mut next, at).unwrap_or_default();
        match &next[..read.min(2)] {
            [b'\n', ..] | b"\r\n" => Until::LineEnd,
            _ => Until::Anything,
        }
    }
}

enum Piece {
    Answer,
    Typed(Vec<u8>),
}

/// Splits input recorded through another terminal into typed input and answers. Also returns the
/// beginning of an answer at its end.
fn pieces(bytes: &[u8]) -> (Vec<Piece>, Vec<u8>) {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(found) = token::first(&bytes[at..]) {
        let token = &bytes[at..at + found.length];
        at += found.length;
        match (found.kind, pieces.last_mut()) {
            (token::Kind::Answer, _) => pieces.push(Piece::Answer),
            (token::Kind::Part, _) if token.len() > 1 => return (pieces, token.to_vec()),
            (_, Some(Piece::Typed(typed))) => typed.extend_from_slice(token),
            _ => pieces.push(Piece::Typed(token.to_vec())),
        }
    }
    (pieces, Vec::new())
}

fn unusable(pattern: &str) -> impl Fn(String) -> ImpersonateError {
    move |problem| ImpersonateError::Pattern {
        pattern: pattern.to_owned(),
        problem,
    }
}
