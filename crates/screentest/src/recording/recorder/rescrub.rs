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
    self as format, EventLine, FrameLine, FrameReader, InputKind, InputLine, LineError, Millis,
    OutputLine, ScrubReport,
};
use screentest_core::redact::scrub::Rules;
use screentest_core::{Size, SizeError};

use super::writer::{Files, Writer};
use super::{RecordError, start};
use crate::recording::cassette::iter::Resize;
use crate::recording::cassette::lines::Lines;
use crate::recording::cassette::partial::{Part, PartError, Start};
use crate::recording::cassette::stream::Stream;
use crate::recording::cassette::{CassetteError, ScrubError, contents, paths, unread, wrong};

/// The number of bytes read at once.
const CHUNK: u64 = 64 << 10;

/// An existing recording: the streams in a directory, and its metadata.
pub(crate) struct Kept<'a> {
    pub(crate) folder: &'a Path,
    /// The valid length of each stream. A stream that is not listed is valid as a whole.
    pub(crate) lengths: &'a [(&'static str, u64)],
    pub(crate) report: ScrubReport,
    pub(crate) status: RecordingStatus,
    pub(crate) seq: u64,
    pub(crate) time: Millis,
    pub(crate) exit_code: Option<i32>,
    pub(crate) signal: Option<String>,
    /// Whether a program reported its working directory and host (OSC 7).
    pub(crate) says_where: bool,
}

impl Kept<'_> {
    fn file(&self, name: &str) -> Result<File, CassetteError> {
        let path = self.folder.join(name);
        paths::open(&path, File::options().read(true)).map_err(unread(&path))
    }

    fn lines(&self, name: &str) -> Result<Lines, CassetteError> {
        let length = self.lengths.iter().find(|(known, _)| *known == name);
        let length = length.map_or(u64::MAX, |(_, length)| *length);
        Ok(Lines::up_to(self.file(name)?, length))
    }
}

/// Writes a recording again with these redaction rules, into a directory that `create` makes, and
/// publishes it.
pub(crate) fn again(
    kept: Kept<'_>,
    start: Start,
    secrets: Arc<Rules>,
    create: impl FnOnce(&Start) -> Result<Part, PartError>,
) -> Result<PathBuf, ScrubError> {
    let mut start = start::covered(start, &secrets);
    let part = create(&start).map_err(RecordError::from)?;
    let folder = part.path().to_owned();
    // As in a normal recording, the host name is stored only if the output names a host.
    let hostname = start.terminal.hostname.clone().unwrap_or_default();
    if !kept.says_where {
        start.terminal.hostname = None;
    }
    let writer = Writer::new(part, start, secrets, hostname);
    let made = Again::new(kept, writer).and_then(Again::run);
    match &made {
        // The error tells the user to remove the directory.
        Ok(_)
        | Err(ScrubError::Record(
            RecordError::SecretLeft { .. } | RecordError::SecretShown { .. },
        )) => {}
        // Nothing in it is lost: everything was copied from the existing recording.
        Err(_) => drop(contents::remove(&folder)),
    }
    made
}

/// The streams of a recording while they are copied to a writer.
struct Again<'a> {
    kept: Kept<'a>,
    writer: Writer,
    files: Files,
    raw: File,
    reader: FrameReader,
}

impl<'a> Again<'a> {
    fn new(kept: Kept<'a>, mut writer: Writer) -> Result<Again<'a>, ScrubError> {
        let before = kept.report.clone();
        for (rule, hits) in before.rules {
            *writer.report.rules.entry(rule).or_default() += hits;
        }
        writer.report.covered = before.covered;
        writer.report.more = before.more;
        writer.report.of_recovery = before.of_recovery;
        Ok(Again {
            files: Files::open(&writer.part)?,
            raw: kept.file(format::OUTPUT_RAW)?,
            reader: FrameReader::new(),
            kept,
            writer,
        })
    }

    fn run(mut self) -> Result<PathBuf, ScrubError> {
        let mut outputs = Ahead::new(&self.kept, format::OUTPUT, |line: &OutputLine| line.seq)?;
        let mut inputs = Ahead::new(&self.kept, format::INPUT, |line: &InputLine| line.seq)?;
        let mut frames = Ahead::new(&self.kept, format::FRAMES, |line: &FrameLine| line.seq)?;
        let mut events = Ahead::new(&self.kept, format::EVENTS, |line: &EventLine| line.seq)?;
        loop {
            let seqs = [outputs.seq(), inputs.seq(), frames.seq(), events.seq()];
            let Some(first) = seqs.into_iter().flatten().min() else {
                break;
            };
            if outputs.seq() == Some(first) {
                self.output(outputs.take()?)?;
            } else if inputs.seq() == Some(first) {
                self.input(inputs.take()?)?;
            } else if frames.seq() == Some(first) {
                let line = frames.stream.number();
                self.frame(frames.take()?, line)?;
            } else if let Some(line) = events.take()? {
                self.writer.said(line);
            }
            self.writer.flush(&mut self.files)?;
        }
        let Again {
            kept, mut writer, ..
        } = self;
        // The ending has the number after the last one.
        writer.seq = kept.seq.saturating_sub(1);
        writer.last = kept.time;
        writer.ends.exit_code = kept.exit_code;
        writer.ends.signal = kept.signal;
        writer.ends.status = Some(kept.status);
        Ok(writer.finish(&mut self.files)?)
    }

    fn output(&mut self, line: Option<OutputLine>) -> Result<(), ScrubError> {
        let Some(line) = line else { return Ok(()) };
        self.writer.came_in(line);
        self.feed(line.end())
    }

    fn input(&mut self, line: Option<InputLine>) -> Result<(), ScrubError> {
        let Some(line) = line else { return Ok(()) };
        if let InputKind::Resize { cols, rows } = line.kind {
            let size = Size::checked(cols.into(), rows.into());
            let size = size.map_err(|error: SizeError| {
                let problem = error.to_string();
                wrong(format::INPUT)(LineError { line: 0, problem })
            })?;
            let (seq, at) = (line.seq, line.at);
            self.writer.resized(Resize { seq, at, size });
        }
        self.writer.given(line);
        Ok(())
    }

    fn frame(&mut self, line: Option<FrameLine>, number: usize) -> Result<(), ScrubError> {
        let Some(line) = line else { return Ok(()) };
        let screen = self.reader.screen(&line).map_err(|problem| {
            let line = number;
            wrong(format::FRAMES)(LineError { line, problem })
        })?;
        let screen = screen.clone();
        // In a cut, a frame may come before the line with the early output, and show only a part of
        // it.
        self.feed(line.at)?;
        self.writer.shown.push_back((line.shown(), screen));
        Ok(self.writer.described()?)
    }

    /// Sends the output up to an offset to the writer.
    fn feed(&mut self, until: u64) -> Result<(), ScrubError> {
        let path = self.kept.folder.join(format::OUTPUT_RAW);
        while self.writer.came < until {
            let length = (until - self.writer.came).min(CHUNK);
            let mut bytes = vec![0; length as usize];
            let read = self.raw.read_exact_at(&mut bytes, self.writer.came);
            read.map_err(unread(&path))?;
            // Time does not advance here, so the redactor never releases held bytes early.
            self.writer.wrote(bytes, self.writer.last.time())?;
        }
        Ok(())
    }
}

/// The lines of one file, with one line of lookahead.
struct Ahead<T> {
    stream: Stream<T>,
    next: Option<T>,
    seq_of: fn(&T) -> u64,
}

impl<T: serde::de::DeserializeOwned> Ahead<T> {
    fn new(
        kept: &Kept<'_>,
        name: &'static str,
        seq_of: fn(&T) -> u64,
    ) -> Result<Ahead<T>, ScrubError> {
        let mut ahead = Ahead {
            stream: Stream::new(kept.lines(name)?, kept.folder, name),
            next: None,
            seq_of,
        };
        ahead.take()?;
        Ok(ahead)
    }

    fn seq(&self) -> Option<u64> {
        self.next.as_ref().map(self.seq_of)
    }

    /// Returns the next line, and reads the one after it.
    fn take(&mut self) -> Result<Option<T>, ScrubError> {
        let taken = self.next.take();
        self.next = self.stream.next()?;
        Ok(taken)
    }
}
