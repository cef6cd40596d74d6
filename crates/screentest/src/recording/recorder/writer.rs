//! Writes events as lines of the streams.
//!
//! All bytes pass a redactor before they are written. Times and frames that belong to held-back
//! bytes wait for them, so that no frame shows anything that is still held back. Until the first
//! redaction, the session's own screens become the frames. From then on, frames are derived from
//! the redacted bytes. In a recording that starts mid-session, all frames are derived.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::formats::cassette::manifest::RecordingStatus;
use screentest_core::formats::cassette::scrub_report::RedactedRange;
use screentest_core::formats::cassette::{
    self as format, Deriver, EventLine, FrameWriter, InputLine, InputLineKind as RecordedInput,
    Millis, OutputLine, ScrubReport, to_line,
};
use screentest_core::redact::scrub::on_screen::shows_secret;
use screentest_core::redact::scrub::{RedactedSecret, Rules, ScrubOutput, Scrubber, StreamKind};
use screentest_core::{Screen, Size};
use serde_json::Value;

use super::event_queue::{EventQueue, QueuedEvent, RecorderEvent};
use super::frame_sampling::FrameSampler;
use super::input_redaction::{InputRedaction, ReleasedInput};
use super::{RecordError, on_screen_secrets, publish, redact, stretches};
use crate::recording::cassette::directory::partial::{PartialCassette, RecordingMetadata, STREAMS};
use crate::recording::cassette::streams::output_replay::{OutputReplay, RecordedResize};
use crate::session::exit_status::ExitStatus;

/// Facts that are known at the end.
#[derive(Debug, Default)]
pub(super) struct RecordingEnd {
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<String>,
    /// The status of a recording that is written again; otherwise `None`, which means complete.
    pub(super) status: Option<RecordingStatus>,
}

/// Output is appended to the previous write up to this size: a write takes about as long as copying
/// this many bytes.
const MAX_JOINED: usize = 16 << 10;

/// The writer of a recording.
pub(super) struct RecordingWriter {
    pub(super) partial: PartialCassette,
    pub(super) metadata: RecordingMetadata,
    pub(super) secrets: Arc<Rules>,
    hostname: String,
    pub(super) seq: u64,
    pub(super) last_time: Millis,
    output: Scrubber,
    /// The number of bytes of output that were added.
    pub(super) output_length: u64,
    pub(super) index: VecDeque<OutputLine>,
    pub(super) shown: VecDeque<(FrameTime, Screen)>,
    sampler: FrameSampler,
    frames: FrameWriter,
    input: InputRedaction,
    pub(super) resizes: Vec<RecordedResize>,
    /// Derives frames from the redacted bytes once those differ from the original.
    redacted_replay: Option<OutputReplay<Deriver>>,
    /// Frames must be derived: the redacted bytes differ from the original, or the initial bytes
    /// may not reproduce the starting screen.
    must_derive: bool,
    pub(super) report: ScrubReport,
    /// Output was overwritten after it was written, so earlier frames no longer match it.
    are_frames_stale: bool,
    /// A frame shows a secret that was written with cursor movements.
    pub(super) is_secret_on_screen: bool,
    pub(super) end: RecordingEnd,
    /// The last screen and its moment.
    last_frame: Option<(FrameTime, Screen)>,
    /// Output that is not in its file yet.
    raw: Vec<Vec<u8>>,
    pending_lines: Vec<(&'static str, Vec<u8>)>,
}

impl RecordingWriter {
    pub(super) fn new(
        partial: PartialCassette,
        metadata: RecordingMetadata,
        secrets: Arc<Rules>,
        hostname: String,
    ) -> RecordingWriter {
        let report = ScrubReport {
            rules: secrets
                .names()
                .iter()
                .map(|rule| (rule.clone(), 0))
                .collect(),
            ..ScrubReport::default()
        };
        RecordingWriter {
            partial,
            hostname,
            seq: 0,
            last_time: Millis::default(),
            output: Scrubber::new(Arc::clone(&secrets), StreamKind::Output),
            output_length: 0,
            index: VecDeque::new(),
            shown: VecDeque::new(),
            sampler: FrameSampler::default(),
            frames: FrameWriter::new(),
            input: InputRedaction::new(&secrets),
            resizes: Vec::new(),
            redacted_replay: None,
            // The initial bytes may not reproduce everything on the screen. The frames must match
            // the bytes, so they are derived.
            must_derive: metadata.provenance.portrait_bytes.is_some(),
            report,
            are_frames_stale: false,
            is_secret_on_screen: false,
            end: RecordingEnd::default(),
            last_frame: None,
            metadata,
            raw: Vec::new(),
            pending_lines: STREAMS.map(|name| (name, Vec::new())).to_vec(),
            secrets,
        }
    }

    /// Writes until no more events come, and publishes the cassette.
    pub(super) fn run(mut self, queue: &EventQueue) -> Result<PathBuf, RecordError> {
        let mut files = StreamFiles::open(&self.partial)?;
        loop {
            let deadlines = [
                self.output.deadline(),
                self.input.deadline(),
                self.sampler.deadline(),
            ];
            let (events, more) = queue.take(deadlines.into_iter().flatten().min());
            for event in events {
                self.handle(event)?;
            }
            self.expire(queue.now())?;
            self.flush(&mut files)?;
            if !more {
                break;
            }
        }
        self.finish(&mut files)
    }

    fn handle(&mut self, QueuedEvent { time, event }: QueuedEvent) -> Result<(), RecordError> {
        self.seq += 1;
        let (seq, t_ms) = (self.seq, Millis::new(time));
        self.last_time = t_ms;
        if !matches!(
            event,
            RecorderEvent::Output(_) | RecorderEvent::Screen { .. }
        ) {
            // An input applies to the screen that is shown, so that screen becomes a frame.
            self.write_pending_frame(None)?;
        }
        match event {
            RecorderEvent::Output(bytes) => {
                let length = bytes.len() as u64;
                self.add_output_line(OutputLine {
                    seq,
                    t_ms,
                    offset: self.output_length,
                    length,
                });
                self.sampler.count_lines(&bytes);
                self.add_output(bytes, time)?;
            }
            RecorderEvent::Screen { screen, unfinished } => {
                let shown = FrameTime {
                    seq,
                    time: t_ms,
                    at: self.output_length,
                    unfinished,
                };
                self.shown.extend(self.sampler.show(shown, screen));
                self.write_ready_frames()?;
            }
            RecorderEvent::Resized(size) => {
                let at = self.output_length;
                self.add_resize(RecordedResize { seq, at, size });
                // Later frames cannot be derived without the size change, so it must not wait for
                // held-back input.
                let released = self.input.finish();
                self.write_released_input(&released);
                let Size { cols, rows } = size;
                let kind = RecordedInput::Resize { cols, rows };
                self.add_input(InputLine {
                    seq,
                    t_ms,
                    at,
                    kind,
                });
            }
            RecorderEvent::Input(kind) => {
                let at = self.output_length;
                self.add_input(InputLine {
                    seq,
                    t_ms,
                    at,
                    kind,
                });
            }
            RecorderEvent::Event { mark, data } => {
                let at = self.output_length;
                self.add_event(EventLine {
                    seq,
                    t_ms,
                    at,
                    mark,
                    data,
                });
            }
            RecorderEvent::Ended(ExitStatus::Exited(code)) => self.end.exit_code = Some(code),
            RecorderEvent::Ended(ExitStatus::Signaled(signal)) => {
                self.end.signal = Some(signal.to_string());
            }
        }
        Ok(())
    }

    /// Adds an output line. If the recording starts in the middle of a session, the first one
    /// redraws the screen.
    pub(super) fn add_output_line(&mut self, line: OutputLine) {
        if let Some(portrait @ 0) = &mut self.metadata.provenance.portrait_bytes {
            *portrait = line.length;
        }
        self.index.push_back(line);
    }

    /// Adds an input.
    pub(super) fn add_input(&mut self, mut line: InputLine) {
        match &mut line.kind {
            RecordedInput::Withheld => self.report.withheld_inputs += 1,
            // Answers of the terminal are not part of the user's input stream, and are redacted on
            // their own.
            RecordedInput::Reply { bytes } => bytes.0 = self.secrets.scrub(&bytes.0).0,
            _ => {}
        }
        let released = self.input.push(line);
        self.write_released_input(&released);
    }

    /// Adds an event of the caller.
    pub(super) fn add_event(&mut self, mut line: EventLine) {
        line.mark = line.mark.map(|mark| redact(&self.secrets, &mark));
        line.data = redacted(&self.secrets, line.data);
        self.line(format::EVENTS, &to_line(&line));
    }

    /// Adds a size change.
    pub(super) fn add_resize(&mut self, resize: RecordedResize) {
        self.resizes.push(resize);
        if let Some(replay) = &mut self.redacted_replay {
            replay.resizes.push_back(resize);
        }
    }

    /// Adds output of the program.
    pub(super) fn add_output(
        &mut self,
        mut bytes: Vec<u8>,
        time: Duration,
    ) -> Result<(), RecordError> {
        self.output_length += bytes.len() as u64;
        let mut out = ScrubOutput::default();
        // Nearly all output has no secrets and is written without a copy.
        let unchanged = self.output.skip_harmless(&bytes);
        self.output.push(&bytes[unchanged..], time, &mut out);
        bytes.truncate(unchanged);
        self.buffer_output(bytes);
        self.write_released_output(out)
    }

    /// Buffers output until it is written, and joins small pieces.
    fn buffer_output(&mut self, bytes: Vec<u8>) {
        match self.raw.last_mut() {
            Some(last) if last.len() + bytes.len() <= MAX_JOINED => last.extend_from_slice(&bytes),
            _ => self.raw.push(bytes),
        }
    }

    /// Makes the current screen a frame if it has been shown long enough at the time `by`; with
    /// `None`, in any case.
    fn write_pending_frame(&mut self, by: Option<Duration>) -> Result<(), RecordError> {
        self.shown.extend(self.sampler.take_pending(by));
        self.write_ready_frames()
    }

    fn expire(&mut self, now: Duration) -> Result<(), RecordError> {
        self.write_pending_frame(Some(now))?;
        let mut out = ScrubOutput::default();
        self.output.expire(now, &mut out);
        self.write_released_output(out)?;
        let released = self.input.expire(now);
        self.write_released_input(&released);
        Ok(())
    }

    /// Handles output that the redactor released.
    fn write_released_output(&mut self, mut out: ScrubOutput) -> Result<(), RecordError> {
        self.buffer_output(std::mem::take(&mut out.bytes));
        self.must_derive |= out.changed;
        self.count(&out.covered, true);
        if !out.patches.is_empty() {
            self.are_frames_stale = true;
            self.flush_raw()?;
            for (at, byte) in out.patches {
                let patched = self.partial.raw.write_all_at(&[byte], at);
                patched.map_err(|error| self.write_error(format::OUTPUT_RAW, error))?;
            }
        }
        while let Some(line) = self.index.front()
            && line.end() <= self.output.released()
        {
            let line = to_line(line);
            self.line(format::OUTPUT, &line);
            self.index.pop_front();
        }
        self.write_ready_frames()
    }

    /// Writes the frames that show no held-back bytes.
    pub(super) fn write_ready_frames(&mut self) -> Result<(), RecordError> {
        while let Some((shown, _)) = self.shown.front()
            && shown.at <= self.output.released()
            && let Some((shown, screen)) = self.shown.pop_front()
        {
            let screen = if self.must_derive {
                self.derive(&shown)?
            } else {
                screen
            };
            if !screen.working_directory.is_empty() {
                let hostname = self.hostname.clone();
                self.metadata.terminal.hostname.get_or_insert(hostname);
            }
            if let Some(line) = self.frames.line(shown, &screen) {
                self.is_secret_on_screen |= shows_secret(&screen, &self.secrets).is_some();
                self.line(format::FRAMES, &line);
            }
            self.last_frame = Some((shown, screen));
        }
        Ok(())
    }

    fn derive(&mut self, shown: &FrameTime) -> Result<Screen, RecordError> {
        self.flush_raw()?;
        let replay = match &mut self.redacted_replay {
            Some(replay) => replay,
            None => {
                let mut terminal = self.metadata.terminal.clone();
                terminal.hostname = Some(self.hostname.clone());
                let deriver = publish::deriver(&terminal, self.partial.path())?;
                let replay = OutputReplay::new(deriver, self.resizes.iter().copied());
                self.redacted_replay.insert(replay)
            }
        };
        let derived = replay.screen(&self.partial.raw, shown);
        derived.map_err(|error| self.write_error(format::OUTPUT_RAW, error))
    }

    /// Handles input that the redactor released.
    fn write_released_input(&mut self, released: &ReleasedInput) {
        self.count(&released.redactions, false);
        for line in &released.lines {
            self.line(format::INPUT, &to_line(line));
        }
    }

    /// Adds redactions to the report; for output also their offsets.
    pub(super) fn count(&mut self, redactions: &[RedactedSecret], output: bool) {
        for RedactedSecret { rule, pieces } in redactions {
            let rule = &self.secrets.names()[*rule];
            *self.report.rules.entry(rule.clone()).or_default() += 1;
            for piece in pieces.iter().filter(|_| output) {
                if self.report.covered.len() >= ScrubReport::MAX_COVERED {
                    self.report.more = true;
                    break;
                }
                self.report.covered.push(RedactedRange {
                    offset: piece.start,
                    length: piece.end - piece.start,
                    rule: rule.clone(),
                });
            }
        }
    }

    fn line(&mut self, name: &'static str, line: &[u8]) {
        let stream = self
            .pending_lines
            .iter_mut()
            .find(|(known, _)| *known == name);
        if let Some((_, lines)) = stream {
            lines.extend_from_slice(line);
        }
    }

    fn flush_raw(&mut self) -> Result<(), RecordError> {
        for bytes in &self.raw {
            let written = (&self.partial.raw).write_all(bytes);
            written.map_err(|error| self.write_error(format::OUTPUT_RAW, error))?;
        }
        self.raw.clear();
        Ok(())
    }

    /// Writes all buffered data to the files, so that it survives if this process is killed. The
    /// bytes come first, then the lines that describe them.
    pub(super) fn flush(&mut self, files: &mut StreamFiles) -> Result<(), RecordError> {
        self.flush_raw()?;
        for (name, lines) in &mut self.pending_lines {
            if lines.is_empty() {
                continue;
            }
            let written = files.of(name).write_all(lines);
            written.map_err(|source| RecordError::Write {
                path: self.partial.path().join(*name),
                source,
            })?;
            lines.clear();
        }
        Ok(())
    }

    pub(super) fn finish(mut self, files: &mut StreamFiles) -> Result<PathBuf, RecordError> {
        self.write_pending_frame(None)?;
        let mut out = ScrubOutput::default();
        self.output.finish(&mut out);
        self.write_released_output(out)?;
        let released = self.input.finish();
        self.write_released_input(&released);
        self.flush(files)?;
        let shown = FrameTime {
            seq: self.seq + 1,
            time: self.last_time,
            at: self.output_length,
            unfinished: false,
        };
        // Secrets on screens come before stretches: once a part of a secret is redacted, the rest
        // is no longer recognised.
        let derived = if self.is_secret_on_screen {
            Some(on_screen_secrets::redact_and_derive(&mut self, &shown)?)
        } else {
            None
        };
        self.is_secret_on_screen = false;
        let is_changed = stretches::redact_output(&mut self)?;
        let patched = self.input.patch(&self.partial);
        let patched = patched.map_err(|error| self.write_error(format::INPUT, error))?;
        self.count(&patched, false);
        // In a recovered recording whose last frames were lost, a size change may follow the newest
        // frame.
        let resized = self.resizes.last().map_or(0, |resize| resize.seq);
        let is_last = |frame: &FrameTime| frame.at == shown.at && frame.seq > resized;
        let screen = match (derived, self.last_frame.take()) {
            (Some(screen), _) if !is_changed => screen,
            (None, Some((frame, screen)))
                if is_last(&frame) && !self.are_frames_stale && !is_changed =>
            {
                screen
            }
            _ => on_screen_secrets::redact_and_derive(&mut self, &shown)?,
        };
        publish::publish_recording(self, shown, &screen)
    }

    pub(super) fn write_error(&self, name: &str, source: io::Error) -> RecordError {
        RecordError::Write {
            path: self.partial.path().join(name),
            source,
        }
    }
}

/// The open streams.
pub(super) struct StreamFiles(Vec<(&'static str, File)>);

impl StreamFiles {
    pub(super) fn open(partial: &PartialCassette) -> Result<StreamFiles, RecordError> {
        let open = |name| Ok((name, partial.stream(name)?));
        STREAMS
            .into_iter()
            .map(open)
            .collect::<Result<_, _>>()
            .map(StreamFiles)
    }

    fn of(&mut self, name: &str) -> &mut File {
        let found = self.0.iter_mut().find(|(known, _)| *known == name);
        &mut found.expect("every stream was opened").1
    }
}

/// Redacts the secrets in the texts of a JSON value.
fn redacted(secrets: &Arc<Rules>, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(redact(secrets, &text)),
        Value::Array(values) => {
            let values = values.into_iter().map(|value| redacted(secrets, value));
            Value::Array(values.collect())
        }
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let fields =
                fields.map(|(name, value)| (redact(secrets, &name), redacted(secrets, value)));
            Value::Object(fields.collect())
        }
        // A number may be the secret too.
        Value::Number(number) => {
            let text = number.to_string();
            match redact(secrets, &text) {
                redacted if redacted == text => Value::Number(number),
                redacted => Value::String(redacted),
            }
        }
        value => value,
    }
}
