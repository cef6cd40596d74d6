//! A recording through the scrubber once more, long after it was made: for a secret that nobody thought of then.
//!
//! Everything that happened is told to a writer in its old order, with its old numbers and times, as if it happened now; so what was covered while
//! recording and what is covered now is covered in the same way, in every file.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use screentest_core::formats::cassette::manifest::{Command, Environment, Manifest};
use screentest_core::formats::cassette::{
    self as format, EventLine, FrameLine, FrameReader, InputKind, InputLine, LineError, OutputLine,
    from_line,
};
use screentest_core::scrub::Secrets;
use screentest_core::{Size, SizeError};

use super::writer::{Files, Writer};
use super::{Existing, RecordError, cover, id};
use crate::cassette::lines::Lines;
use crate::cassette::part::{Part, Start};
use crate::cassette::walk::Resize;
use crate::cassette::{Cassette, ScrubError, unread, wrong};

/// How much is read at once.
const CHUNK: u64 = 64 << 10;

/// Writes a cassette once more, without these secrets.
pub(crate) fn again(
    cassette: &Cassette,
    secrets: Secrets,
    target: &Path,
) -> Result<PathBuf, ScrubError> {
    let secrets = Arc::new(secrets);
    let manifest = cassette.manifest();
    let mut start = Start {
        id: id(),
        command: command(&manifest.command, &secrets),
        environment: environment(&manifest.environment, &secrets),
        terminal: manifest.terminal.clone(),
        provenance: manifest.provenance.clone(),
    };
    let part = Part::create(target, Existing::Kept, &start).map_err(RecordError::from)?;
    let folder = part.path().to_owned();
    // It is kept only where it matters, as while recording.
    let hostname = start.terminal.hostname.take().unwrap_or_default();
    let writer = Writer::new(part, start, secrets, hostname);
    let made = Again::new(cassette, writer).and_then(|again| again.run(manifest));
    match &made {
        // Who reads that is told to remove it.
        Ok(_) | Err(ScrubError::Record(RecordError::SecretLeft { .. })) => {}
        // Nothing in it is lost: it all came from the cassette.
        Err(_) => drop(std::fs::remove_dir_all(folder)),
    }
    made
}

fn command(command: &Command, secrets: &Arc<Secrets>) -> Command {
    let covered = |text: &String| cover(secrets, text);
    Command {
        program: covered(&command.program),
        args: command.args.iter().map(covered).collect(),
        cwd: command.cwd.as_ref().map(covered),
    }
}

fn environment(environment: &Environment, secrets: &Arc<Secrets>) -> Environment {
    let set = environment.set.iter().map(|(name, value)| {
        let value = match secrets.rules().contains(name) {
            true => "*".repeat(8),
            false => cover(secrets, value),
        };
        (name.clone(), value)
    });
    Environment {
        set: set.collect(),
        ..environment.clone()
    }
}

/// The streams of a cassette, on their way to a writer.
struct Again<'a> {
    cassette: &'a Cassette,
    writer: Writer,
    files: Files,
    raw: File,
    reader: FrameReader,
}

impl<'a> Again<'a> {
    fn new(cassette: &'a Cassette, mut writer: Writer) -> Result<Again<'a>, ScrubError> {
        let before = cassette.scrub_report()?;
        for (rule, hits) in before.rules {
            *writer.report.rules.entry(rule).or_default() += hits;
        }
        writer.report.covered = before.covered;
        writer.report.more = before.more;
        Ok(Again {
            files: Files::open(&writer.part)?,
            raw: cassette.output()?,
            reader: FrameReader::new(),
            cassette,
            writer,
        })
    }

    fn run(mut self, manifest: &Manifest) -> Result<PathBuf, ScrubError> {
        let mut outputs = Stream::new(self.cassette, format::OUTPUT, |line: &OutputLine| line.seq)?;
        let mut inputs = Stream::new(self.cassette, format::INPUT, |line: &InputLine| line.seq)?;
        let mut frames = Stream::new(self.cassette, format::FRAMES, |line: &FrameLine| line.seq)?;
        let mut events = Stream::new(self.cassette, format::EVENTS, |line: &EventLine| line.seq)?;
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
                let line = frames.number;
                self.frame(frames.take()?, line)?;
            } else if let Some(line) = events.take()? {
                self.writer.said(line);
            }
            self.writer.flush(&mut self.files)?;
        }
        let ending = self.cassette.ending();
        let mut writer = self.writer;
        // The ending has the number after the last.
        writer.seq = ending.seq.saturating_sub(1);
        writer.last = ending.t_ms;
        writer.ends.exit_code = ending.exit_code;
        writer.ends.signal.clone_from(&ending.signal);
        writer.ends.status = Some(manifest.status.clone());
        Ok(writer.finish(&mut self.files)?)
    }

    fn output(&mut self, line: Option<OutputLine>) -> Result<(), ScrubError> {
        let Some(line) = line else { return Ok(()) };
        self.writer.index.push_back(line);
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
        // In a part, a frame may show less than came at once before its start, and come before it.
        self.feed(line.at)?;
        self.writer.shown.push_back((line.shown(), screen));
        Ok(self.writer.described()?)
    }

    /// Gives the writer the output up to a place.
    fn feed(&mut self, until: u64) -> Result<(), ScrubError> {
        let path = self.cassette.path().join(format::OUTPUT_RAW);
        while self.writer.came < until {
            let length = (until - self.writer.came).min(CHUNK);
            let mut bytes = vec![0; length as usize];
            let read = self.raw.read_exact_at(&mut bytes, self.writer.came);
            read.map_err(unread(&path))?;
            // Time does not pass: nothing has to be let go before it is known what it is.
            self.writer.wrote(&bytes, self.writer.last.time())?;
        }
        Ok(())
    }
}

/// The lines of one file, of which the next is known.
struct Stream<T> {
    name: &'static str,
    path: PathBuf,
    lines: Lines,
    next: Option<T>,
    /// Which line that is.
    number: usize,
    seq_of: fn(&T) -> u64,
}

impl<T: serde::de::DeserializeOwned> Stream<T> {
    fn new(
        cassette: &Cassette,
        name: &'static str,
        seq_of: fn(&T) -> u64,
    ) -> Result<Stream<T>, ScrubError> {
        let mut stream = Stream {
            name,
            path: cassette.path().join(name),
            lines: cassette.lines(name)?,
            next: None,
            number: 0,
            seq_of,
        };
        stream.take()?;
        Ok(stream)
    }

    fn seq(&self) -> Option<u64> {
        self.next.as_ref().map(self.seq_of)
    }

    /// Gives the next line, and reads the one after it.
    fn take(&mut self) -> Result<Option<T>, ScrubError> {
        let taken = self.next.take();
        if let Some(line) = self.lines.next().map_err(unread(&self.path))? {
            self.number = line.number;
            self.next = Some(from_line(line.text, line.number).map_err(wrong(self.name))?);
        }
        Ok(taken)
    }
}
