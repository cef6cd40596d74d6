//! Writes an existing recording again through the redaction rules, for secrets that were not named
//! at recording time and for interrupted recordings.
//!
//! All events are replayed to a writer in their old order, with their old numbers and times. This
//! way, old and new redactions apply alike to every file.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use screentest_core::formats::cassette::manifest::RecordingStatus;
use screentest_core::formats::cassette::{
    self as format, EventLine, FrameLine, FrameReader, InputLine, InputLineKind, LineError, Millis,
    OutputLine, ScrubReport,
};
use screentest_core::redact::scrub::Rules;
use screentest_core::{Size, SizeError};

use super::writer::{RecordingWriter, StreamFiles};
use super::{RecordError, metadata};
use crate::recording::cassette::directory::partial::{
    PartialCassette, PartialCassetteError, RecordingMetadata,
};
use crate::recording::cassette::directory::{allowed_files, paths};
use crate::recording::cassette::error::{line_error, read_error};
use crate::recording::cassette::streams::jsonl_reader::JsonlReader;
use crate::recording::cassette::streams::line_reader::LineReader;
use crate::recording::cassette::streams::output_replay::RecordedResize;
use crate::recording::cassette::{CassetteError, ScrubError};

/// The number of bytes read at once.
const CHUNK: u64 = 64 << 10;

/// An existing recording: the streams in a directory, and its metadata.
pub(crate) struct ExistingRecording<'a> {
    pub(crate) directory: &'a Path,
    /// The valid length of each stream. A stream that is not listed is valid as a whole.
    pub(crate) lengths: &'a [(&'static str, u64)],
    pub(crate) report: ScrubReport,
    pub(crate) status: RecordingStatus,
    pub(crate) seq: u64,
    pub(crate) time: Millis,
    pub(crate) exit_code: Option<i32>,
    pub(crate) signal: Option<String>,
    /// Whether a program reported its working directory and host (OSC 7).
    pub(crate) reports_host: bool,
}

impl ExistingRecording<'_> {
    fn file(&self, name: &str) -> Result<File, CassetteError> {
        let path = self.directory.join(name);
        paths::open_no_follow(&path, File::options().read(true)).map_err(read_error(&path))
    }

    fn lines(&self, name: &str) -> Result<LineReader, CassetteError> {
        let length = self.lengths.iter().find(|(known, _)| *known == name);
        let length = length.map_or(u64::MAX, |(_, length)| *length);
        Ok(LineReader::with_limit(self.file(name)?, length))
    }
}

/// Writes a recording again with these redaction rules, into a directory that `create` makes, and
/// publishes it.
pub(crate) fn rescrub(
    existing: ExistingRecording<'_>,
    metadata: RecordingMetadata,
    secrets: Arc<Rules>,
    create: impl FnOnce(&RecordingMetadata) -> Result<PartialCassette, PartialCassetteError>,
) -> Result<PathBuf, ScrubError> {
    let mut metadata = metadata::redacted(metadata, &secrets);
    let partial = create(&metadata).map_err(RecordError::from)?;
    let directory = partial.path().to_owned();
    // As in a normal recording, the host name is stored only if the output names a host.
    let hostname = metadata.terminal.hostname.clone().unwrap_or_default();
    if !existing.reports_host {
        metadata.terminal.hostname = None;
    }
    let writer = RecordingWriter::new(partial, metadata, secrets, hostname);
    let published = Rescrub::new(existing, writer).and_then(Rescrub::run);
    match &published {
        // The error tells the user to remove the directory.
        Ok(_)
        | Err(ScrubError::Record(
            RecordError::SecretLeft { .. } | RecordError::SecretShown { .. },
        )) => {}
        // Removing it loses nothing: everything was copied from the existing recording.
        Err(_) => drop(allowed_files::remove(&directory)),
    }
    published
}

/// The streams of a recording while they are copied to a writer.
struct Rescrub<'a> {
    existing: ExistingRecording<'a>,
    writer: RecordingWriter,
    files: StreamFiles,
    raw: File,
    reader: FrameReader,
}

impl<'a> Rescrub<'a> {
    fn new(
        existing: ExistingRecording<'a>,
        mut writer: RecordingWriter,
    ) -> Result<Rescrub<'a>, ScrubError> {
        let before = existing.report.clone();
        for (rule, hits) in before.rules {
            *writer.report.rules.entry(rule).or_default() += hits;
        }
        writer.report.covered = before.covered;
        writer.report.more = before.more;
        writer.report.of_recovery = before.of_recovery;
        Ok(Rescrub {
            files: StreamFiles::open(&writer.partial)?,
            raw: existing.file(format::OUTPUT_RAW)?,
            reader: FrameReader::new(),
            existing,
            writer,
        })
    }

    fn run(mut self) -> Result<PathBuf, ScrubError> {
        let mut outputs =
            Lookahead::new(&self.existing, format::OUTPUT, |line: &OutputLine| line.seq)?;
        let mut inputs =
            Lookahead::new(&self.existing, format::INPUT, |line: &InputLine| line.seq)?;
        let mut frames =
            Lookahead::new(&self.existing, format::FRAMES, |line: &FrameLine| line.seq)?;
        let mut events =
            Lookahead::new(&self.existing, format::EVENTS, |line: &EventLine| line.seq)?;
        loop {
            let seqs = [outputs.seq(), inputs.seq(), frames.seq(), events.seq()];
            let Some(first) = seqs.into_iter().flatten().min() else {
                break;
            };
            if outputs.seq() == Some(first) {
                self.output(outputs.take()?)?;
            } else if inputs.seq() == Some(first) {
                let line = inputs.lines.number();
                self.input(inputs.take()?, line)?;
            } else if frames.seq() == Some(first) {
                let line = frames.lines.number();
                self.frame(frames.take()?, line)?;
            } else if let Some(line) = events.take()? {
                self.writer.add_event(line);
            }
            self.writer.flush(&mut self.files)?;
        }
        let Rescrub {
            existing,
            mut writer,
            ..
        } = self;
        // The ending has the number after the last one.
        writer.seq = existing.seq.saturating_sub(1);
        writer.last_time = existing.time;
        writer.end.exit_code = existing.exit_code;
        writer.end.signal = existing.signal;
        writer.end.status = Some(existing.status);
        Ok(writer.finish(&mut self.files)?)
    }

    fn output(&mut self, line: Option<OutputLine>) -> Result<(), ScrubError> {
        let Some(line) = line else { return Ok(()) };
        self.writer.add_output_line(line);
        self.feed(line.end())
    }

    fn input(&mut self, line: Option<InputLine>, number: usize) -> Result<(), ScrubError> {
        let Some(line) = line else { return Ok(()) };
        if let InputLineKind::Resize { cols, rows } = line.kind {
            let size = Size::checked(cols.into(), rows.into());
            let size = size.map_err(|error: SizeError| {
                let (line, problem) = (number, error.to_string());
                line_error(format::INPUT)(LineError { line, problem })
            })?;
            let (seq, at) = (line.seq, line.at);
            self.writer.add_resize(RecordedResize { seq, at, size });
        }
        self.writer.add_input(line);
        Ok(())
    }

    fn frame(&mut self, line: Option<FrameLine>, number: usize) -> Result<(), ScrubError> {
        let Some(line) = line else { return Ok(()) };
        let screen = self.reader.screen(&line).map_err(|problem| {
            let line = number;
            line_error(format::FRAMES)(LineError { line, problem })
        })?;
        let screen = screen.clone();
        // In a cut, a frame may come before the line with the early output, and show only a part of
        // it.
        self.feed(line.at)?;
        self.writer.shown.push_back((line.shown(), screen));
        Ok(self.writer.write_ready_frames()?)
    }

    /// Sends the output up to an offset to the writer.
    fn feed(&mut self, until: u64) -> Result<(), ScrubError> {
        let path = self.existing.directory.join(format::OUTPUT_RAW);
        while self.writer.output_length < until {
            let length = (until - self.writer.output_length).min(CHUNK);
            let mut bytes = vec![0; length as usize];
            let read = self
                .raw
                .read_exact_at(&mut bytes, self.writer.output_length);
            read.map_err(read_error(&path))?;
            // Time does not advance here, so the redactor never releases held bytes early.
            self.writer
                .add_output(bytes, self.writer.last_time.time())?;
        }
        Ok(())
    }
}

/// The lines of one file, with one line of lookahead.
struct Lookahead<T> {
    lines: JsonlReader<T>,
    next: Option<T>,
    seq_of: fn(&T) -> u64,
}

impl<T: serde::de::DeserializeOwned> Lookahead<T> {
    fn new(
        existing: &ExistingRecording<'_>,
        name: &'static str,
        seq_of: fn(&T) -> u64,
    ) -> Result<Lookahead<T>, ScrubError> {
        let mut lookahead = Lookahead {
            lines: JsonlReader::new(existing.lines(name)?, existing.directory, name),
            next: None,
            seq_of,
        };
        lookahead.take()?;
        Ok(lookahead)
    }

    fn seq(&self) -> Option<u64> {
        self.next.as_ref().map(self.seq_of)
    }

    /// Returns the next line, and reads the one after it.
    fn take(&mut self) -> Result<Option<T>, ScrubError> {
        let line = self.next.take();
        self.next = self.lines.next()?;
        Ok(line)
    }
}
