//! The recorded events, in the order in which they must happen again.
//!
//! An input follows the output that had been written when it was received. Only the next chunk of
//! output is in memory, however much output there is.

use std::collections::VecDeque;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::derive::pinned;
use screentest_core::formats::cassette::manifest::PinnedEmulator;
use screentest_core::formats::cassette::{
    self as format, DeriveError, InputLine, InputLineKind, LineError, OutputLine,
};
use screentest_core::{Identity, Size};

use super::TerminalEvent;
use super::expected::{ExpectedInput, WithheldExtent};
use super::mismatch::{self, InputMismatch, ReceivedInput};
use super::options::{EmulatorCheck, FakeProgramError, FakeProgramOptions, Matching, SizeCheck};
use super::pattern::{InputPattern, VaryingText};
use crate::pty::signal::Signal;
use crate::recording::cassette::error::line_error;
use crate::recording::cassette::streams::jsonl_reader::JsonlReader;
use crate::recording::cassette::{Cassette, CassetteError};
use crate::session::exit_status::ExitStatus;
use screentest_core::input::token;

/// The recording of a program.
#[derive(Debug)]
pub(super) struct ReplayScript {
    cassette: Cassette,
    name: String,
    raw: File,
    written: u64,
    lines: JsonlReader<OutputLine>,
    /// The output line that covers the next output.
    current_line: Option<OutputLine>,
    steps: VecDeque<ReplayStep>,
    inputs: usize,
    /// Typed keys that look like answers of a terminal.
    keys: Vec<Vec<u8>>,
    /// The recorded signals that have been received again.
    received_signals: Vec<Signal>,
}

/// An event that must happen, and when.
#[derive(Debug, Clone)]
pub(super) struct ReplayStep {
    number: usize,
    at: u64,
    pub(super) time: Duration,
    pub(super) event: ExpectedEvent,
    description: Arc<str>,
}

/// An event that a step waits for.
#[derive(Debug, Clone)]
pub(super) enum ExpectedEvent {
    Input(ExpectedInput),
    /// This number of answers of the terminal.
    Answers(usize),
    Resize(Size),
    Signal(Signal),
}

impl ReplayScript {
    pub(super) fn open(
        options: &FakeProgramOptions,
        size: Option<Size>,
        emulator: Option<Identity>,
    ) -> Result<ReplayScript, FakeProgramError> {
        let cassette = Cassette::open(&options.path)?;
        // Replay only a cassette that has not changed since it was recorded: a changed byte would
        // fail a test for no visible reason.
        cassette.verify_digests()?;
        if options.emulator == EmulatorCheck::Pinned {
            check_emulator(&cassette, emulator)?;
        }
        let terminal = &cassette.manifest().terminal;
        let recorded = Size {
            cols: terminal.cols,
            rows: terminal.rows,
        };
        if let Some(actual) =
            size.filter(|size| options.sizes == SizeCheck::Recorded && *size != recorded)
        {
            return Err(FakeProgramError::Size {
                path: options.path.clone(),
                recorded,
                actual,
            });
        }
        let raw = cassette.output()?;
        let lines = cassette.inputs()?;
        let inputs = lines.len();
        let has_redactions = cassette
            .scrub_report()?
            .rules
            .values()
            .any(|hits| *hits > 0);
        let mut builder = StepBuilder::new(options, has_redactions, &raw)?;
        let length = cassette.output_len();
        for (number, line) in (1..).zip(&lines) {
            builder.add(number, line, length)?;
        }
        let StepBuilder { steps, keys, .. } = builder;
        let name = options.path.file_name().unwrap_or(options.path.as_os_str());
        Ok(ReplayScript {
            name: name.to_string_lossy().into_owned(),
            lines: cassette.jsonl(format::OUTPUT)?,
            current_line: None,
            raw,
            written: 0,
            steps,
            inputs,
            keys,
            received_signals: Vec::new(),
            cassette,
        })
    }

    /// The next event that must happen. It is due once all output before it has been written.
    pub(super) fn next(&self) -> Option<&ReplayStep> {
        self.steps.front()
    }

    /// Removes the next step, which has happened.
    pub(super) fn complete_step(&mut self) {
        if let Some(ReplayStep {
            event: ExpectedEvent::Signal(signal),
            ..
        }) = self.steps.pop_front()
        {
            self.received_signals.push(signal);
        }
    }

    /// The length of the next input in bytes; 0 if it is unknown, or if another event is next.
    pub(super) fn next_len(&self) -> usize {
        match self.next().map(|step| &step.event) {
            Some(ExpectedEvent::Input(expected)) => expected.length(),
            _ => 0,
        }
    }

    /// The number of bytes that may be written before the next event, and their time in the
    /// recording. If `in_pieces`, only the bytes up to the end of one recorded chunk.
    pub(super) fn ready_output(
        &mut self,
        in_pieces: bool,
    ) -> Result<Option<(u64, Duration)>, FakeProgramError> {
        let end = self
            .next()
            .map_or(self.cassette.output_len(), |step| step.at);
        let left = end.saturating_sub(self.written);
        if left == 0 {
            return Ok(None);
        }
        if !in_pieces {
            return Ok(Some((left, Duration::ZERO)));
        }
        while self
            .current_line
            .is_none_or(|line| line.end() <= self.written)
        {
            let Some(line) = self.lines.next()? else {
                // Output without its own line belongs to the last line.
                let time = self.current_line.map(|line| line.t_ms.time());
                return Ok(Some((left, time.unwrap_or_default())));
            };
            self.current_line = Some(line);
        }
        let (length, time) = self.current_line.map_or((left, Duration::ZERO), |line| {
            (line.end() - self.written, line.t_ms.time())
        });
        Ok(Some((left.min(length), time)))
    }

    /// Reads the next output.
    pub(super) fn read_output(&mut self, length: u64) -> Result<Vec<u8>, FakeProgramError> {
        // A chunk has at most 64 KiB.
        let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
        let read = self.raw.read_exact_at(&mut bytes, self.written);
        read.map_err(|source| CassetteError::Read {
            path: self.cassette.path().join(format::OUTPUT_RAW),
            source,
        })?;
        self.written += length;
        Ok(bytes)
    }

    /// Returns whether these bytes, which look like an answer of a terminal, were typed.
    pub(super) fn is_key(&self, bytes: &[u8]) -> bool {
        self.keys.iter().any(|key| key == bytes)
    }

    /// Returns whether this signal is the next event, apart from answers of the terminal.
    pub(super) fn expects_signal(&self, signal: Signal) -> bool {
        let mut next = self.steps.iter();
        let next = next.find(|step| !matches!(step.event, ExpectedEvent::Answers(_)));
        matches!(next.map(|step| &step.event), Some(ExpectedEvent::Signal(next)) if *next == signal)
    }

    /// Returns whether this signal was recorded and has been received again.
    pub(super) fn has_received(&self, signal: Signal) -> bool {
        self.received_signals.contains(&signal)
    }

    /// The number of steps that wait for an event like this one.
    pub(super) fn waits_for(&self, event: TerminalEvent) -> usize {
        let steps = self.steps.iter();
        let waits = steps.filter(|step| match step.event {
            ExpectedEvent::Resize(size) => event.is_like(TerminalEvent::Resize(size)),
            ExpectedEvent::Signal(signal) => event.is_like(TerminalEvent::Signal(signal)),
            ExpectedEvent::Input(_) | ExpectedEvent::Answers(_) => false,
        });
        waits.count()
    }

    /// Returns whether, after the next step, the terminal is resized to this size before any input.
    pub(super) fn soon_resizes_to(&self, size: Size) -> bool {
        let after = self.steps.iter().skip(1);
        let mut soon = after.take_while(|step| !matches!(step.event, ExpectedEvent::Input(_)));
        soon.any(|step| matches!(step.event, ExpectedEvent::Resize(soon) if soon == size))
    }

    /// The recorded exit status; exit code 0 if it is unknown.
    pub(super) fn exit_status(&self) -> ExitStatus {
        let ending = self.cassette.ending();
        match (ending.exit_code, self.fatal_signal()) {
            (Some(code), _) => ExitStatus::Exited(code),
            (None, Some(signal)) => ExitStatus::Signaled(signal),
            (None, None) => ExitStatus::Exited(0),
        }
    }

    /// Returns whether the program exits once all output is written. A program that was killed from
    /// outside waits until it is killed again, unless that has happened already.
    pub(super) fn ends_by_itself(&self) -> bool {
        match (self.cassette.ending().exit_code, self.fatal_signal()) {
            (Some(_), _) => true,
            (None, Some(signal)) if EXTERNAL_SIGNALS.contains(&signal) => {
                // A program may be asked to exit by one of these signals and be killed by another.
                self.received_signals
                    .iter()
                    .any(|signal| EXTERNAL_SIGNALS.contains(signal))
            }
            (None, Some(_)) => true,
            (None, None) => false,
        }
    }

    fn fatal_signal(&self) -> Option<Signal> {
        signal(self.cassette.ending().signal.as_deref()?)
    }

    /// Makes the report of an unexpected event.
    pub(super) fn mismatch(&self, received: &ReceivedInput) -> InputMismatch {
        let next = self.next();
        InputMismatch {
            cassette: self.name.clone(),
            number: next.map_or(self.inputs + 1, |step| step.number),
            inputs: self.inputs,
            time: next.map_or(Duration::ZERO, |step| step.time),
            expected: next.map_or("nothing more".to_owned(), |step| {
                step.description.to_string()
            }),
            received: received.to_string(),
            hint: match next.map(|step| &step.event) {
                Some(ExpectedEvent::Input(ExpectedInput::Exact(bytes))) => received.hint(bytes),
                _ => None,
            },
        }
    }
}

/// Signals that end a program from outside; programs hardly ever send them to themselves.
const EXTERNAL_SIGNALS: [Signal; 3] = [Signal::HUP, Signal::TERM, Signal::KILL];

/// Parses the name of a signal in a cassette.
fn signal(name: &str) -> Option<Signal> {
    name.strip_prefix("signal ").unwrap_or(name).parse().ok()
}

fn check_emulator(
    cassette: &Cassette,
    available: Option<Identity>,
) -> Result<(), FakeProgramError> {
    let recorded = &cassette.manifest().terminal.emulator;
    let available = match available {
        Some(available) if PinnedEmulator::of(available) == *recorded => return Ok(()),
        Some(available) => format!("`{available}`"),
        None => match pinned(recorded) {
            Ok(_) => return Ok(()),
            Err(DeriveError::Mismatch { built, .. }) => {
                let built: Vec<String> = built.iter().map(|one| format!("`{one}`")).collect();
                built.join(" and ")
            }
            Err(error) => return Err(CassetteError::from(error).into()),
        },
    };
    Err(FakeProgramError::Emulator {
        path: cassette.path().to_owned(),
        recorded: recorded.to_string(),
        actual: available,
    })
}

/// Collects the steps.
struct StepBuilder<'a> {
    steps: VecDeque<ReplayStep>,
    keys: Vec<Vec<u8>>,
    matching: Matching,
    varying: Vec<VaryingText>,
    raw: &'a File,
    /// The beginning of an answer that continues in the next input.
    incomplete_answer: Vec<u8>,
}

/// Matches a redacted secret in typed text.
const REDACTED: &str = r"\*{4,}";
/// The text that is accepted in its place: a replay does not have the secret.
const ANY_TEXT: &str = r"[^\r\n]+";

impl StepBuilder<'_> {
    fn new<'a>(
        options: &FakeProgramOptions,
        has_redactions: bool,
        raw: &'a File,
    ) -> Result<StepBuilder<'a>, FakeProgramError> {
        let mut varying = Vec::new();
        for pattern in &options.patterns {
            let text = VaryingText::new(pattern).map_err(pattern_error(pattern))?;
            varying.push(text);
        }
        if has_redactions {
            let text =
                VaryingText::replacing(REDACTED, ANY_TEXT).map_err(pattern_error(REDACTED))?;
            varying.push(text);
        }
        Ok(StepBuilder {
            steps: VecDeque::new(),
            keys: Vec::new(),
            matching: options.matching,
            varying,
            raw,
            incomplete_answer: Vec::new(),
        })
    }

    fn add(
        &mut self,
        number: usize,
        line: &InputLine,
        length: u64,
    ) -> Result<(), FakeProgramError> {
        let line_problem = |problem: String| {
            line_error(format::INPUT)(LineError {
                line: number,
                problem,
            })
        };
        let before = self.steps.back().map_or(0, |step| step.at);
        if line.at < before || line.at > length {
            let at = line.at;
            let problem = format!("`at` is {at}, but must be from {before} to {length}");
            return Err(line_problem(problem).into());
        }
        let (at, time) = (line.at, line.t_ms.time());
        let description: Arc<str> = mismatch::describe_recorded(&line.kind).into();
        let push =
            |steps: &mut VecDeque<ReplayStep>, event: ExpectedEvent, description: Arc<str>| {
                steps.push_back(ReplayStep {
                    number,
                    at,
                    time,
                    event,
                    description,
                });
            };
        match &line.kind {
            InputLineKind::Reply { bytes } => {
                push(
                    &mut self.steps,
                    ExpectedEvent::Answers(token::count(&bytes.0)),
                    description,
                );
            }
            InputLineKind::Resize { cols, rows } => {
                let size = Size::checked((*cols).into(), (*rows).into());
                let size = size.map_err(|error| line_problem(error.to_string()))?;
                push(&mut self.steps, ExpectedEvent::Resize(size), description);
            }
            InputLineKind::Signal { name } => {
                let signal = signal(name);
                let signal =
                    signal.ok_or_else(|| line_problem(format!("unknown signal `{name}`")))?;
                push(&mut self.steps, ExpectedEvent::Signal(signal), description);
            }
            InputLineKind::Withheld => {
                let extent = self.withheld_extent(at);
                match self.steps.back() {
                    // Several withheld inputs at one prompt are one step.
                    Some(ReplayStep {
                        event: ExpectedEvent::Input(ExpectedInput::Withheld(_)),
                        at: before,
                        ..
                    }) if *before == at => {}
                    _ => push(
                        &mut self.steps,
                        ExpectedEvent::Input(ExpectedInput::Withheld(extent)),
                        description,
                    ),
                }
            }
            // If the recording was made through another terminal, the answers of that terminal may
            // have been recorded as typed input.
            InputLineKind::Bytes { bytes } => {
                let bytes = [std::mem::take(&mut self.incomplete_answer), bytes.0.clone()].concat();
                let (pieces, incomplete_answer) = split_answers(&bytes);
                self.incomplete_answer = incomplete_answer;
                for piece in pieces {
                    let event = match piece {
                        InputPiece::Answer => ExpectedEvent::Answers(1),
                        InputPiece::Typed(typed) => ExpectedEvent::Input(self.expected(&typed)?),
                    };
                    push(&mut self.steps, event, Arc::clone(&description));
                }
            }
            kind => {
                let bytes = kind.bytes().unwrap_or_default();
                self.store_answer_like_keys(bytes);
                if !bytes.is_empty() {
                    let expected = self.expected(bytes)?;
                    push(&mut self.steps, ExpectedEvent::Input(expected), description);
                }
            }
        }
        Ok(())
    }

    fn expected(&self, bytes: &[u8]) -> Result<ExpectedInput, FakeProgramError> {
        if self.matching == Matching::Any {
            return Ok(ExpectedInput::Keys(token::count(bytes)));
        }
        let pattern = InputPattern::of(bytes, &self.varying).map_err(|problem| {
            let patterns: Vec<&str> = self.varying.iter().map(VaryingText::text).collect();
            pattern_error(&patterns.join("`, `"))(problem)
        })?;
        Ok(match pattern {
            Some(pattern) => ExpectedInput::Pattern(pattern),
            None => ExpectedInput::Exact(bytes.into()),
        })
    }

    /// Stores typed keys that look like answers.
    fn store_answer_like_keys(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(token) = token::first(&bytes[at..]) {
            if token.kind == token::TokenKind::Answer {
                self.keys.push(bytes[at..at + token.length].to_vec());
            }
            at += token.length;
        }
    }

    /// Returns how much belongs to an input that was not stored. If the output continues with a new
    /// line, the input was a line.
    fn withheld_extent(&self, at: u64) -> WithheldExtent {
        let mut next = [0; 2];
        let read = self.raw.read_at(&mut next, at).unwrap_or_default();
        match &next[..read.min(2)] {
            [b'\n', ..] | b"\r\n" => WithheldExtent::LineEnd,
            _ => WithheldExtent::Anything,
        }
    }
}

/// A piece of input that was recorded through another terminal.
enum InputPiece {
    Answer,
    Typed(Vec<u8>),
}

/// Splits input recorded through another terminal into typed input and answers. Also returns the
/// beginning of an answer at its end.
fn split_answers(bytes: &[u8]) -> (Vec<InputPiece>, Vec<u8>) {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(found) = token::first(&bytes[at..]) {
        let token = &bytes[at..at + found.length];
        at += found.length;
        match (found.kind, pieces.last_mut()) {
            (token::TokenKind::Answer, _) => pieces.push(InputPiece::Answer),
            (token::TokenKind::Part, _) if token.len() > 1 => return (pieces, token.to_vec()),
            (_, Some(InputPiece::Typed(typed))) => typed.extend_from_slice(token),
            _ => pieces.push(InputPiece::Typed(token.to_vec())),
        }
    }
    (pieces, Vec::new())
}

fn pattern_error(pattern: &str) -> impl Fn(String) -> FakeProgramError {
    move |problem| FakeProgramError::Pattern {
        pattern: pattern.to_owned(),
        problem,
    }
}
