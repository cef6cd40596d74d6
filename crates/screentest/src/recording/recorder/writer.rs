//! Writes events as lines of the streams.
//!
//! All bytes pass a redactor before they are written. Times and frames that belong to held-back
//! bytes wait for them, so that no frame shows anything that is still held back. Until the first
//! redaction, the session's own screens become the frames; from then on, frames are derived from
//! the redacted bytes.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::frames::Shown;
use screentest_core::formats::cassette::manifest::Status;
use screentest_core::formats::cassette::scrub_report::Covered as CoveredLine;
use screentest_core::formats::cassette::{
    self as format, Deriver, EventLine, FrameWriter, InputKind as Given, InputLine, Millis,
    OutputLine, ScrubReport, to_line,
};
use screentest_core::redact::scrub::trace::shows_secret;
use screentest_core::redact::scrub::{Covered, Kind, Rules, Scrubbed, Scrubber};
use screentest_core::{Screen, Size};
use serde_json::Value;

use super::event_queue::{Happening, Tap, What};
use super::frame_sampling::Flood;
use super::typing::{Through, Typing};
use super::{RecordError, cover, on_screen_secrets, publish};
use crate::recording::cassette::iter::{Resize, Walk};
use crate::recording::cassette::partial::{Part, Start};
use crate::session::exit_status::ExitStatus;

/// Facts that are known at the end.
#[derive(Debug, Default)]
pub(super) struct Ends {
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<String>,
    /// The status of the original, for a recording that is written again.
    pub(super) status: Option<Status>,
}

/// Output up to this size is appended to the previous write: a write takes about as long as copying
/// this many bytes.
const SMALL: usize = 16 << 10;

/// The writer of a recording.
pub(super) struct Writer {
    pub(super) part: Part,
    pub(super) start: Start,
    pub(super) secrets: Arc<Rules>,
    hostname: String,
    pub(super) seq: u64,
    pub(super) last: Millis,
    output: Scrubber,
    /// The number of bytes that the program has written.
    pub(super) came: u64,
    pub(super) index: VecDeque<OutputLine>,
    pub(super) shown: VecDeque<(Shown, Screen)>,
    flood: Flood,
    frames: FrameWriter,
    typing: Typing,
    pub(super) resizes: Vec<Resize>,
    /// Derives frames from the redacted bytes once those differ from the original.
    shadow: Option<Walk<Deriver>>,
    dirty: bool,
    pub(super) report: ScrubReport,
    /// Output was overwritten after it was written, so earlier frames no longer match it.
    stale: bool,
    /// Cursor movements put a secret together on the screen.
    pub(super) late: bool,
    pub(super) ends: Ends,
    /// The last screen and its moment.
    newest: Option<(Shown, Screen)>,
    /// Output that is not in its file yet.
    raw: Vec<Vec<u8>>,
    waiting: Vec<(&'static str, Vec<u8>)>,
}

impl Writer {
    pub(super) fn new(part: Part, start: Start, secrets: Arc<Rules>, hostname: String) -> Writer {
        let report = ScrubReport {
            rules: secrets
                .names()
                .iter()
                .map(|rule| (rule.clone(), 0))
                .collect(),
            ..ScrubReport::default()
        };
        Writer {
            part,
            hostname,
            seq: 0,
            last: Millis::default(),
            output: Scrubber::new(Arc::clone(&secrets), Kind::Output),
            came: 0,
            index: VecDeque::new(),
            shown: VecDeque::new(),
            flood: Flood::default(),
            frames: FrameWriter::new(),
            typing: Typing::new(&secrets),
            resizes: Vec::new(),
            shadow: None,
            // The initial bytes may not reproduce everything on the screen. The frames must match
            // the bytes, so they are derived.
            dirty: start.provenance.portrait_bytes.is_some(),
            report,
            stale: false,
            late: false,
            ends: Ends::default(),
            newest: None,
            start,
            raw: Vec::new(),
            waiting: [
                format::OUTPUT,
                format::INPUT,
                format::FRAMES,
                format::EVENTS,
            ]
            .map(|name| (name, Vec::new()))
            .to_vec(),
            secrets,
        }
    }

    /// Writes until no more events come, and publishes the cassette.
    pub(super) fn run(mut self, tap: &Tap) -> Result<PathBuf, RecordError> {
        let mut files = Files::open(&self.part)?;
        loop {
            let deadlines = [
                self.output.deadline(),
                self.typing.deadline(),
                self.flood.settles(),
            ];
            let (happened, more) = tap.take(deadlines.into_iter().flatten().min());
            for happening in happened {
                self.happened(happening)?;
            }
            self.expire(tap.now())?;
            self.flush(&mut files)?;
            if !more {
                break;
            }
        }
        self.finish(&mut files)
    }

    fn happened(&mut self, Happening { time, what }: Happening) -> Result<(), RecordError> {
        self.seq += 1;
        let (seq, t_ms) = (self.seq, Millis::new(time));
        self.last = t_ms;
        if !matches!(what, What::Output(_) | What::Shown { .. }) {
            // An input applies to the screen that is shown, so that screen becomes a frame.
            self.settle(None)?;
        }
        match what {
            What::Output(bytes) => {
                let length = bytes.len() as u64;
                self.came_in(OutputLine {
                    seq,
                    t_ms,
                    offset: self.came,
                    length,
                });
                self.flood.wrote(&bytes);
                self.wrote(bytes, time)?;
            }
            What::Shown { screen, unfinished } => {
                let shown = Shown {
                    seq,
                    time: t_ms,
                    at: self.came,
                    unfinished,
                };
                self.shown.extend(self.flood.show(shown, screen));
                self.described()?;
            }
            What::Resized(size) => {
                let at = self.came;
                self.resized(Resize { seq, at, size });
                // Later frames cannot be derived without the size change, so it must not wait for
                // held-back input.
                let through = self.typing.finish();
                self.typed(&through);
                let Size { cols, rows } = size;
                let kind = Given::Resize { cols, rows };
                self.given(InputLine {
                    seq,
                    t_ms,
                    at,
                    kind,
                });
            }
            What::Input(kind) => {
                let at = self.came;
                self.given(InputLine {
                    seq,
                    t_ms,
                    at,
                    kind,
                });
            }
            What::Event { mark, data } => {
                let at = self.came;
                self.said(EventLine {
                    seq,
                    t_ms,
                    at,
                    mark,
                    data,
                });
            }
            What::Ended(ExitStatus::Exited(code)) => self.ends.exit_code = Some(code),
            What::Ended(ExitStatus::Signaled(signal)) => {
                self.ends.signal = Some(signal.to_string())
            }
        }
        Ok(())
    }

    /// Adds an output line. If the recording starts in the middle of a session, the first one
    /// redraws the screen.
    pub(super) fn came_in(&mut self, line: OutputLine) {
        if let Some(portrait @ 0) = &mut self.start.provenance.portrait_bytes {
            *portrait = line.length;
        }
        self.index.push_back(line);
    }

    /// Adds an input.
    pub(super) fn given(&mut self, mut line: InputLine) {
        match &mut line.kind {
            Given::Withheld => self.report.withheld_inputs += 1,
            // Answers of the terminal are not part of the user's input stream, and are redacted on
            // their own.
            Given::Reply { bytes } => bytes.0 = self.secrets.scrub(&bytes.0).0,
            _ => {}
        }
        let through = self.typing.push(line);
        self.typed(&through);
    }

    /// Adds an event of the caller.
    pub(super) fn said(&mut self, mut line: EventLine) {
        line.mark = line.mark.map(|mark| cover(&self.secrets, &mark));
        line.data = covered(&self.secrets, line.data);
        self.line(format::EVENTS, &to_line(&line));
    }

    /// Adds a size change.
    pub(super) fn resized(&mut self, resize: Resize) {
        self.resizes.push(resize);
        if let Some(shadow) = &mut self.shadow {
            shadow.resizes.push_back(resize);
        }
    }

    /// Adds output of the program.
    pub(super) fn wrote(&mut self, mut bytes: Vec<u8>, time: Duration) -> Result<(), RecordError> {
        self.came += bytes.len() as u64;
        let mut out = Scrubbed::default();
        // Nearly all output has no secrets and is written without a copy.
        let plain = self.output.pass(&bytes);
        self.output.push(&bytes[plain..], time, &mut out);
        bytes.truncate(plain);
        self.keep(bytes);
        self.through(out)
    }

    /// Buffers output until it is written, and joins small pieces.
    fn keep(&mut self, bytes: Vec<u8>) {
        match self.raw.last_mut() {
            Some(last) if last.len() + bytes.len() <= SMALL => last.extend_from_slice(&bytes),
            _ => self.raw.push(bytes),
        }
    }

    /// Makes the current screen a frame if it has been shown long enough at the time `by`; with
    /// `None`, in any case.
    fn settle(&mut self, by: Option<Duration>) -> Result<(), RecordError> {
        self.shown.extend(self.flood.settle(by));
        self.described()
    }

    fn expire(&mut self, now: Duration) -> Result<(), RecordError> {
        self.settle(Some(now))?;
        let mut out = Scrubbed::default();
        self.output.expire(now, &mut out);
        self.through(out)?;
        let through = self.typing.expire(now);
        self.typed(&through);
        Ok(())
    }

    /// Handles output that the redactor released.
    fn through(&mut self, mut out: Scrubbed) -> Result<(), RecordError> {
        self.keep(std::mem::take(&mut out.bytes));
        self.dirty |= out.changed;
        self.count(&out.covered, true);
        if !out.patches.is_empty() {
            self.stale = true;
            self.flush_raw()?;
            for (at, byte) in out.patches {
                let patched = self.part.raw.write_all_at(&[byte], at);
                patched.map_err(|error| self.unwritten(format::OUTPUT_RAW, error))?;
            }
        }
        while let Some(line) = self.index.front()
            && line.end() <= self.output.released()
        {
            let line = to_line(line);
            self.line(format::OUTPUT, &line);
            self.index.pop_front();
        }
        self.described()
    }

    /// Writes the frames that show no held-back bytes.
    pub(super) fn described(&mut self) -> Result<(), RecordError> {
        while let Some((shown, _)) = self.shown.front()
            && shown.at <= self.output.released()
            && let Some((shown, screen)) = self.shown.pop_front()
        {
            let screen = if self.dirty {
                self.derived(&shown)?
            } else {
                screen
            };
            if !screen.working_directory.is_empty() {
                let hostname = self.hostname.clone();
                self.start.terminal.hostname.get_or_insert(hostname);
            }
            if let Some(line) = self.frames.line(shown, &screen) {
                self.late |= shows_secret(&screen, &self.secrets).is_some();
                self.line(format::FRAMES, &line);
            }
            self.newest = Some((shown, screen));
        }
        Ok(())
    }

    fn derived(&mut self, shown: &Shown) -> Result<Screen, RecordError> {
        self.flush_raw()?;
        let shadow = match &mut self.shadow {
            Some(shadow) => shadow,
            None => {
                let mut terminal = self.start.terminal.clone();
                terminal.hostname = Some(self.hostname.clone());
                let deriver = publish::deriver(&terminal, self.part.path())?;
                let walk = Walk::new(deriver, self.resizes.iter().copied());
                self.shadow.insert(walk)
            }
        };
        let derived = shadow.screen(&self.part.raw, shown);
        derived.map_err(|error| self.unwritten(format::OUTPUT_RAW, error))
    }

    /// Handles input that the redactor released.
    fn typed(&mut self, through: &Through) {
        self.count(&through.covered, false);
        for line in &through.lines {
            self.line(format::INPUT, &to_line(line));
        }
    }

    /// Adds redactions to the report; for output also their offsets.
    pub(super) fn count(&mut self, covered: &[Covered], output: bool) {
        for Covered { rule, pieces } in covered {
            let rule = &self.secrets.names()[*rule];
            *self.report.rules.entry(rule.clone()).or_default() += 1;
            for piece in pieces.iter().filter(|_| output) {
                if self.report.covered.len() >= ScrubReport::MAX_COVERED {
                    self.report.more = true;
                    break;
                }
                self.report.covered.push(CoveredLine {
                    offset: piece.start,
                    length: piece.end - piece.start,
                    rule: rule.clone(),
                });
            }
        }
    }

    fn line(&mut self, name: &'static str, line: &[u8]) {
        let stream = self.waiting.iter_mut().find(|(known, _)| *known == name);
        if let Some((_, waiting)) = stream {
            waiting.extend_from_slice(line);
        }
    }

    fn flush_raw(&mut self) -> Result<(), RecordError> {
        for bytes in &self.raw {
            let written = (&self.part.raw).write_all(bytes);
            written.map_err(|error| self.unwritten(format::OUTPUT_RAW, error))?;
        }
        self.raw.clear();
        Ok(())
    }

    /// Hands everything to the system, so that it survives if this process is killed. The bytes
    /// come first, then the lines that describe them.
    pub(super) fn flush(&mut self, files: &mut Files) -> Result<(), RecordError> {
        self.flush_raw()?;
        for (name, waiting) in &mut self.waiting {
            if waiting.is_empty() {
                continue;
            }
            let written = files.of(name).write_all(waiting);
            written.map_err(|source| RecordError::Write {
                path: self.part.path().join(*name),
                source,
            })?;
            waiting.clear();
        }
        Ok(())
    }

    pub(super) fn finish(mut self, files: &mut Files) -> Result<PathBuf, RecordError> {
        self.settle(None)?;
        let mut out = Scrubbed::default();
        self.output.finish(&mut out);
        self.through(out)?;
        let through = self.typing.finish();
        self.typed(&through);
        self.flush(files)?;
        let patched = self.typing.patch(&self.part);
        patched.map_err(|error| self.unwritten(format::INPUT, error))?;
        let shown = Shown {
            seq: self.seq + 1,
            time: self.last,
            at: self.came,
            unfinished: false,
        };
        // In a recovered recording whose last frames were lost, a size change may follow the newest
        // frame.
        let resized = self.resizes.last().map_or(0, |resize| resize.seq);
        let is_last = |newest: &Shown| newest.at == shown.at && newest.seq > resized;
        let screen = match self.newest.take() {
            Some((newest, screen)) if is_last(&newest) && !self.stale && !self.late => screen,
            _ => on_screen_secrets::settle(&mut self, &shown)?,
        };
        publish::ended(self, shown, &screen)
    }

    pub(super) fn unwritten(&self, name: &str, source: io::Error) -> RecordError {
        RecordError::Write {
            path: self.part.path().join(name),
            source,
        }
    }
}

/// The open streams.
pub(super) struct Files(Vec<(&'static str, File)>);

impl Files {
    pub(super) fn open(part: &Part) -> Result<Files, RecordError> {
        let names = [
            format::OUTPUT,
            format::INPUT,
            format::FRAMES,
            format::EVENTS,
        ];
        let open = |name| Ok((name, part.stream(name)?));
        names
            .into_iter()
            .map(open)
            .collect::<Result<_, _>>()
            .map(Files)
    }

    fn of(&mut self, name: &str) -> &mut File {
        let found = self.0.iter_mut().find(|(known, _)| *known == name);
        &mut found.expect("every stream was opened").1
    }
}

/// Redacts the secrets in the texts of a JSON value.
fn covered(secrets: &Arc<Rules>, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(cover(secrets, &text)),
        Value::Array(values) => {
            let values = values.into_iter().map(|value| covered(secrets, value));
            Value::Array(values.collect())
        }
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let fields =
                fields.map(|(name, value)| (cover(secrets, &name), covered(secrets, value)));
            Value::Object(fields.collect())
        }
        // A number may be the secret too.
        Value::Number(number) => {
            let text = number.to_string();
            match cover(secrets, &text) {
                covered if covered == text => Value::Number(number),
                covered => Value::String(covered),
            }
        }
        value => value,
    }
}
