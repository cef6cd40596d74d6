//! Recovering what a recorder left that was cut off.
//!
//! Streams are written on and handed to the system at once, so that what is there is true up to a last line that may be broken. Everything behind
//! the last byte of output whose time is known is dropped, and nothing half is kept.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use screentest_core::formats::cassette::frames::Shown;
use screentest_core::formats::cassette::manifest::Status;
use screentest_core::formats::cassette::{
    self as format, Deriver, Ending, EventLine, FrameLine, FrameReader, InputKind, InputLine,
    Millis, OutputLine, ScrubReport, from_line,
};
use screentest_core::scrub::Secrets;
use screentest_core::{Screen, Size};

use super::Cassette;
use super::lines::{Line, Lines};
use super::part::{Part, PartError, START, Start};
use super::walk::{Resize, Walk};
use crate::recorder::{RecordError, seal};

/// What was recovered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// Where the cassette is.
    pub path: PathBuf,
    /// Whether all is there, or how much is not.
    pub status: Status,
}

/// Why nothing was recovered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecoverError {
    /// It is a cassette already.
    #[error("`{path}` is a finished cassette: there is nothing to recover", path = path.display())]
    Finished {
        /// Where.
        path: PathBuf,
    },
    /// It was cut off before it began.
    #[error("`{path}` was cut off before anything was recorded; remove it", path = path.display())]
    Nothing {
        /// Where.
        path: PathBuf,
    },
    /// What describes the recording is not what a recorder writes.
    #[error("`{path}` is not what a recorder writes", path = path.display())]
    Start {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Somebody still records, or the cassette could not be made.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Something could not be read.
    #[error("could not read `{path}`", path = path.display())]
    Read {
        /// What.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl From<PartError> for RecoverError {
    fn from(error: PartError) -> RecoverError {
        RecoverError::Record(error.into())
    }
}

/// Makes a cassette of an unpublished folder (`NAME.cassette.part`). Values to look for are not stored with a recording, so that who had
/// some gives them again: a cassette in which one is found is not published.
pub fn recover(path: &Path, secrets: &Secrets) -> Result<Recovered, RecoverError> {
    let nothing = || RecoverError::Nothing {
        path: path.to_owned(),
    };
    let unread = |name: &str| {
        let path = path.join(name);
        move |source| RecoverError::Read { path, source }
    };
    fs::read_dir(path).map_err(unread(""))?;
    if !path.join(format::OUTPUT_RAW).exists() {
        return Err(nothing());
    }
    let manifest = path.join(format::MANIFEST);
    let mut start = match fs::read(path.join(START)) {
        Ok(bytes) => Start::parse(&bytes).map_err(|source| RecoverError::Start {
            path: path.join(START),
            source,
        })?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => match Cassette::open(path) {
            // It was finished, and only its name was not changed yet.
            Ok(cassette) if path.extension().is_some_and(|name| name == "part") => {
                let status = cassette.manifest().status.clone();
                let path = Part::open(path)?.publish()?;
                return Ok(Recovered { path, status });
            }
            _ if manifest.exists() => {
                return Err(RecoverError::Finished {
                    path: path.to_owned(),
                });
            }
            _ => return Err(nothing()),
        },
        Err(source) => return Err(unread(START)(source)),
    };
    let part = Part::open(path)?;
    let mut left = Left::read(path).map_err(unread(format::OUTPUT))?;
    let screen = left.derive(path, &part, &start);
    let screen = screen.map_err(unread(format::OUTPUT_RAW))?;
    left.cut(path).map_err(unread(format::FRAMES))?;
    // A recorder writes the ending once all streams are whole.
    let finished = fs::read(path.join(format::FINAL)).ok();
    let finished = finished
        .and_then(|bytes| Ending::parse(&bytes).ok())
        .filter(|ending| ending.id == start.id && left.dropped_lines == 0 && left.dropped == 0);
    let (ending, status) = match finished {
        Some(ending) => (ending, Status::Complete),
        None => {
            let seq = left.seq + 1;
            let ending = Ending::new(&start.id, seq, left.time, left.output, &screen);
            let status = Status::Recovered {
                dropped_output: left.dropped,
                dropped_lines: left.dropped_lines,
            };
            (ending, status)
        }
    };
    if !left.says_where
        && !ending
            .screen()
            .is_ok_and(|last| !last.working_directory.is_empty())
    {
        start.terminal.hostname = None;
    }
    let report = fs::read(path.join(format::SCRUB_REPORT)).ok();
    let report = report.and_then(|bytes| from_line::<ScrubReport>(&bytes, 1).ok());
    let path = seal(
        part,
        start,
        status.clone(),
        &ending,
        &report.unwrap_or_default(),
        secrets,
    )?;
    Ok(Recovered { path, status })
}

/// What a recorder left.
#[derive(Debug, Default)]
struct Left {
    /// Bytes of output whose time is known, and those that are there besides.
    output: u64,
    dropped: u64,
    dropped_lines: u64,
    seq: u64,
    time: Millis,
    resizes: Vec<Resize>,
    /// Whether a program said in which directory of which machine it is.
    says_where: bool,
    /// How long each file is without what is dropped.
    lengths: Vec<(&'static str, u64)>,
}

impl Left {
    fn read(path: &Path) -> io::Result<Left> {
        let mut left = Left::default();
        let raw = fs::metadata(path.join(format::OUTPUT_RAW))?.len();
        left.stream(path, format::OUTPUT, |left, line| {
            let line: OutputLine = from_line(line.text, line.number).ok()?;
            if line.offset != left.output || line.end() > raw {
                return None;
            }
            left.output = line.end();
            Some((line.seq, line.t_ms))
        })?;
        left.dropped = raw - left.output;
        left.lengths.push((format::OUTPUT_RAW, left.output));
        left.stream(path, format::INPUT, |left, line| {
            let line: InputLine = from_line(line.text, line.number).ok()?;
            if let InputKind::Resize { cols, rows } = line.kind {
                let size = Size::checked(cols.into(), rows.into()).ok()?;
                let (seq, at) = (line.seq, line.at);
                if at <= left.output {
                    left.resizes.push(Resize { seq, at, size });
                }
            }
            (line.at <= left.output).then_some((line.seq, line.t_ms))
        })?;
        left.stream(path, format::EVENTS, |left, line| {
            let line: EventLine = from_line(line.text, line.number).ok()?;
            (line.at <= left.output).then_some((line.seq, line.t_ms))
        })?;
        Ok(left)
    }

    /// Reads a stream up to the first line that is not what it should be; what lies behind goes.
    fn stream(
        &mut self,
        path: &Path,
        name: &'static str,
        mut take: impl FnMut(&mut Left, &Line<'_>) -> Option<(u64, Millis)>,
    ) -> io::Result<()> {
        let mut lines = Lines::new(File::open(path.join(name))?);
        let mut end = 0;
        let mut good = true;
        let mut last = 0;
        while let Some(line) = lines.next()? {
            good = good && line.whole;
            let taken = match good {
                true => take(self, &line).filter(|(seq, _)| *seq > last),
                false => None,
            };
            match taken {
                Some((seq, time)) => {
                    last = seq;
                    self.seq = self.seq.max(seq);
                    self.time = self.time.max(time);
                    end = line.offset + line.text.len() as u64 + 1;
                }
                None => {
                    good = false;
                    self.dropped_lines += 1;
                }
            }
        }
        self.lengths.push((name, end));
        Ok(())
    }

    fn cut(&mut self, path: &Path) -> io::Result<()> {
        for (name, length) in &self.lengths {
            let file = File::options().write(true).open(path.join(name))?;
            file.set_len(*length)?;
        }
        Ok(())
    }

    /// Derives the frames again, keeps those that are what was shown, and gives what was shown last.
    ///
    /// A frame that cannot be derived from what is left, as where a change of size was lost, is not kept, nor is any after it.
    fn derive(&mut self, path: &Path, part: &Part, start: &Start) -> io::Result<Screen> {
        let deriver = Deriver::pinned(&start.terminal).map_err(io::Error::other)?;
        let mut walk = Walk::new(deriver, self.resizes.iter().copied());
        let mut reader = FrameReader::new();
        let mut good = true;
        self.stream(path, format::FRAMES, |left, line| {
            let line = FrameLine::parse(line.text, line.number).ok()?;
            let kept = reader.screen(&line).ok()?;
            let shown = line.shown();
            good = good
                && shown.at <= left.output
                && walk
                    .screen(&part.raw, &shown)
                    .is_ok_and(|screen| screen == *kept);
            if !good {
                return None;
            }
            left.says_where |= !kept.working_directory.is_empty();
            Some((line.seq, line.t_ms))
        })?;
        let last = Shown {
            seq: self.seq + 1,
            time: self.time,
            at: self.output,
            unfinished: false,
        };
        walk.screen(&part.raw, &last)
    }
}
