//! Makes a cassette of what an interrupted recorder left.
//!
//! Streams are written front to back and every write goes to the system at once, so the files are
//! valid up to a last line that may be incomplete. Recovery drops everything after the last byte of
//! output whose time is known, and keeps no incomplete line. A stream that is damaged elsewhere
//! ends at the damage. The remaining streams form a cassette that can be verified.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::formats::cassette::manifest::RecordingStatus;
use screentest_core::formats::cassette::{
    self as format, Deriver, EventLine, FrameLine, FrameReader, InputKind, InputLine, Millis,
    OutputLine, RecordingEnd, ScrubReport, from_line,
};
use screentest_core::redact::scrub::Rules;
use screentest_core::{Screen, Size};

use super::contents::{self, Stage};
use super::iter::{Resize, Walk};
use super::lines::{Line, Lines};
use super::open::{kind, small};
use super::order::Order;
use super::partial::{Part, PartError, START, Start};
use super::{Cassette, CassetteError, ScrubError, paths};
use crate::recording::recorder::{Kept, RecordError, again};

/// The result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The path of the cassette.
    pub path: PathBuf,
    /// Whether the recording is complete, or how much was dropped.
    pub status: RecordingStatus,
}

/// Why nothing was recovered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecoverError {
    /// The path is a finished cassette.
    #[error("`{path}` is a finished cassette: there is nothing to recover", path = path.display())]
    Finished {
        /// The path.
        path: PathBuf,
    },
    /// The recorder was interrupted before it recorded anything.
    #[error(
        "`{path}` was interrupted before anything was recorded; remove it",
        path = path.display()
    )]
    Nothing {
        /// The path.
        path: PathBuf,
    },
    /// Something was recorded, but the file that describes it is gone.
    #[error(
        "`{path}` has neither `manifest.json` nor `start.json`, so no cassette can be made of it; the program's output is in its `output.raw`",
        path = path.display()
    )]
    NoStart {
        /// The path.
        path: PathBuf,
    },
    /// The file that describes the recording is invalid.
    #[error("`{path}` was not written by a recorder", path = path.display())]
    Start {
        /// The path of that file.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// The recording redacted secrets whose values were not given here.
    #[error(
        "`{path}` may hold the values of {}, which the recorder redacted: set these variables and name each with `--secret`",
        told(missing),
        path = path.display()
    )]
    Rules {
        /// The path.
        path: PathBuf,
        /// The names of these secrets.
        missing: Vec<String>,
    },
    /// The directory holds something that a recorder does not write.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The recorder is still running, or the cassette could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file could not be read.
    #[error("could not read `{path}`", path = path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

fn told(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl From<PartError> for RecoverError {
    fn from(error: PartError) -> RecoverError {
        RecoverError::Record(error.into())
    }
}

/// Makes a cassette of an unpublished directory (`NAME.cassette.part`).
///
/// All of it is written again through the redaction rules, because an interrupted recorder has not
/// redacted values that become known as secrets only at the end. A recording stores the names of
/// its secrets but not their values, so the caller must give the values again. The directory is
/// only read, and is removed once the cassette is published.
pub fn recover(path: &Path, secrets: &Rules) -> Result<Recovered, RecoverError> {
    let Some(mut start) = started(path)? else {
        // The cassette was finished but not renamed yet.
        let status = Cassette::open(path)?.manifest().status.clone();
        let published = Part::open(path)?.publish();
        let path = published.map_err(|error| match error {
            PartError::Exists { path: target } => PartError::Aside {
                path: path.to_owned(),
                target,
            },
            error => error,
        })?;
        return Ok(Recovered { path, status });
    };
    let missing = start.secrets.iter();
    let missing = missing.filter(|name| !secrets.names().contains(name));
    let missing: Vec<String> = missing.cloned().collect();
    if !missing.is_empty() {
        return Err(RecoverError::Rules {
            path: path.to_owned(),
            missing,
        });
    }
    let part = Part::open(path)?;
    let mut left = Left::read(path)?;
    let screen = left.derive(path, &part, &start)?;
    // The initial bytes that draw the starting screen may be truncated too, if the recording had
    // been written again.
    if let Some(bytes) = &mut start.provenance.portrait_bytes {
        *bytes = left.output.min(*bytes);
    }
    let finished = left.finished(path, &start);
    let status = match &finished {
        Some(_) => RecordingStatus::Complete,
        None => RecordingStatus::Recovered {
            dropped_output: left.dropped,
            dropped_lines: left.dropped_lines,
        },
    };
    let (ending, report) = finished.unzip();
    let kept = Kept {
        folder: path,
        lengths: &left.lengths,
        report: report.unwrap_or_else(|| ScrubReport {
            of_recovery: true,
            ..ScrubReport::default()
        }),
        status: status.clone(),
        seq: left.seq() + 1,
        time: ending.as_ref().map_or(left.time, |ending| ending.t_ms),
        exit_code: ending.as_ref().and_then(|ending| ending.exit_code),
        signal: ending.and_then(|ending| ending.signal),
        says_where: left.says_where || !screen.working_directory.is_empty(),
    };
    let secrets = Arc::new(secrets.clone());
    let made = again(kept, start, secrets, |start| {
        Part::create_beside(&part, start)
    });
    let made = made.map_err(|error| unpublished(error, path))?;
    part.discard()?;
    Ok(Recovered { path: made, status })
}

/// Returns what is known about the start of the recording; `None` if the recording only lacks its
/// final name. Every file in the directory must belong there.
fn started(path: &Path) -> Result<Option<Start>, RecoverError> {
    let is_part = path.extension().is_some_and(|name| name == "part");
    let there = |name: &str| path.join(name).symlink_metadata().is_ok();
    if there(format::MANIFEST) && !there(START) && !is_part {
        return Err(RecoverError::Finished {
            path: path.to_owned(),
        });
    }
    contents::check(path, Stage::Unpublished)?;
    match small(path, START) {
        Ok(bytes) => Start::parse(&bytes)
            .map(Some)
            .map_err(|source| RecoverError::Start {
                path: path.join(START),
                source,
            }),
        Err(CassetteError::Missing { .. }) if there(format::MANIFEST) => Ok(None),
        Err(CassetteError::Missing { .. }) => {
            let written = path.join(format::OUTPUT_RAW).metadata();
            let path = path.to_owned();
            Err(if written.is_ok_and(|output| output.len() > 0) {
                RecoverError::NoStart { path }
            } else {
                RecoverError::Nothing { path }
            })
        }
        Err(error) => Err(error.into()),
    }
}

/// Converts an error. If secrets are left in the new directory, it is removed, and the error names
/// the original one.
fn unpublished(error: ScrubError, part: &Path) -> RecoverError {
    match error {
        ScrubError::Cassette(error) => error.into(),
        ScrubError::Record(mut error) => {
            if let RecordError::SecretLeft { path, .. } | RecordError::SecretShown { path, .. } =
                &mut error
            {
                let _ = contents::remove(path);
                part.clone_into(path);
            }
            error.into()
        }
    }
}

/// Everything that a recorder left.
#[derive(Debug, Default)]
struct Left {
    /// Bytes of output whose time is known. `dropped` counts the bytes after them.
    output: u64,
    dropped: u64,
    dropped_lines: u64,
    /// The sequence numbers of everything that is kept; `time` is the latest time.
    seqs: BTreeSet<u64>,
    time: Millis,
    resizes: Vec<Resize>,
    /// Whether the program reported its working directory and host (OSC 7).
    says_where: bool,
    /// The length of each file without the dropped part.
    lengths: Vec<(&'static str, u64)>,
}

impl Left {
    fn read(path: &Path) -> Result<Left, RecoverError> {
        let mut left = Left::default();
        let raw = kind(&path.join(format::OUTPUT_RAW))?;
        left.stream(path, format::OUTPUT, |left, order, line| {
            let line: OutputLine = from_line(line.text, line.number).ok()?;
            if line.offset != left.output || line.end() > raw {
                return None;
            }
            left.follow(order, line.seq, line.t_ms, 0)?;
            left.output = line.end();
            Some(())
        })?;
        left.dropped = raw - left.output;
        left.lengths.push((format::OUTPUT_RAW, left.output));
        left.stream(path, format::INPUT, |left, order, line| {
            let line: InputLine = from_line(line.text, line.number).ok()?;
            let (seq, at) = (line.seq, line.at);
            let size = match line.kind {
                InputKind::Resize { cols, rows } => {
                    Some(Size::checked(cols.into(), rows.into()).ok()?)
                }
                _ => None,
            };
            left.follow(order, seq, line.t_ms, at)?;
            let resize = size.map(|size| Resize { seq, at, size });
            left.resizes.extend(resize);
            Some(())
        })?;
        left.stream(path, format::EVENTS, |left, order, line| {
            let line: EventLine = from_line(line.text, line.number).ok()?;
            left.follow(order, line.seq, line.t_ms, line.at)
        })?;
        Ok(left)
    }

    /// Accepts the number and the time of a line. Returns `None` if the line goes backwards in its
    /// stream, refers to output that is not there, or repeats a sequence number. The highest number
    /// is not allowed either, because the ending needs a higher one.
    fn follow(&mut self, order: &mut Order, seq: u64, time: Millis, at: u64) -> Option<()> {
        if at > self.output || seq == u64::MAX || self.seqs.contains(&seq) {
            return None;
        }
        order.next(seq, time, at).ok()?;
        self.seqs.insert(seq);
        self.time = self.time.max(time);
        Some(())
    }

    /// The last sequence number.
    fn seq(&self) -> u64 {
        self.seqs.last().copied().unwrap_or(0)
    }

    /// Reads a stream up to the first invalid line. The rest of the stream is dropped.
    fn stream(
        &mut self,
        path: &Path,
        name: &'static str,
        mut take: impl FnMut(&mut Left, &mut Order, &Line<'_>) -> Option<()>,
    ) -> Result<(), RecoverError> {
        let path = path.join(name);
        kind(&path)?;
        let unread = |source| RecoverError::Read {
            path: path.clone(),
            source,
        };
        let file = paths::open(&path, File::options().read(true)).map_err(unread)?;
        let mut lines = Lines::new(file);
        let mut order = Order::default();
        let mut end = 0;
        let mut good = true;
        while let Some(line) = lines.next().map_err(unread)? {
            good = good && line.whole && take(self, &mut order, &line).is_some();
            if good {
                end = line.offset + line.text.len() as u64 + 1;
            } else {
                self.dropped_lines += 1;
            }
        }
        self.lengths.push((name, end));
        Ok(())
    }

    /// The ending and the redaction report, which a recorder writes once all streams are complete.
    fn finished(&self, path: &Path, start: &Start) -> Option<(RecordingEnd, ScrubReport)> {
        let ending = RecordingEnd::parse(&small(path, format::FINAL).ok()?).ok()?;
        let report = small(path, format::SCRUB_REPORT).ok()?;
        let report = from_line::<ScrubReport>(&report, 1).ok()?;
        let whole = ending.id == start.id && self.dropped_lines == 0 && self.dropped == 0;
        let is_last = ending.seq > self.seq() && ending.t_ms >= self.time;
        (whole && is_last).then_some((ending, report))
    }

    /// Derives the frames again, keeps the stored frames that match, and returns the last screen.
    ///
    /// A frame that cannot be derived again, for example after a lost size change, is dropped, and
    /// so are all later frames.
    fn derive(&mut self, path: &Path, part: &Part, start: &Start) -> Result<Screen, RecoverError> {
        let deriver = Deriver::pinned(&start.terminal).map_err(CassetteError::Emulator)?;
        let mut walk = Walk::new(deriver, self.resizes.iter().copied());
        let mut reader = FrameReader::new();
        self.stream(path, format::FRAMES, |left, order, line| {
            let line = FrameLine::parse(line.text, line.number).ok()?;
            let kept = reader.screen(&line).ok()?;
            let shown = line.shown();
            if shown.at > left.output || walk.screen(&part.raw, &shown).ok()? != *kept {
                return None;
            }
            left.follow(order, line.seq, line.t_ms, line.at)?;
            left.says_where |= !kept.working_directory.is_empty();
            Some(())
        })?;
        let last = FrameTime {
            seq: self.seq() + 1,
            time: self.time,
            at: self.output,
            unfinished: false,
        };
        let path = path.join(format::OUTPUT_RAW);
        walk.screen(&part.raw, &last)
            .map_err(|source| RecoverError::Read { path, source })
    }
}
