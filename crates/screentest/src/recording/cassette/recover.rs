//! Recovering what a recorder left that was cut off.
//!
//! Streams are written on and handed to the system at once, so that what is there is true up to a last line that may be broken. Everything behind
//! the last byte of output whose time is known is dropped, and nothing half is kept. A stream that was damaged elsewhere ends there too: what is
//! made of the rest can be verified.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use screentest_core::formats::cassette::frames::Shown;
use screentest_core::formats::cassette::manifest::Status;
use screentest_core::formats::cassette::{
    self as format, Deriver, Ending, EventLine, FrameLine, FrameReader, InputKind, InputLine,
    Millis, OutputLine, ScrubReport, from_line,
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
    /// Something was recorded, but what describes it is gone.
    #[error(
        "`{path}` has neither `manifest.json` nor `start.json`, one of which a cassette is made of; what the program wrote is in its `output.raw`",
        path = path.display()
    )]
    NoStart {
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
    /// Rules were looked for whose values are not known here.
    #[error("`{path}` may hold the values of {}, which were covered while recording: set those variables and name each with `--secret`", told(missing), path = path.display())]
    Rules {
        /// Where.
        path: PathBuf,
        /// What they are called.
        missing: Vec<String>,
    },
    /// Something in it is not what a recorder leaves there.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
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

fn told(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl From<PartError> for RecoverError {
    fn from(error: PartError) -> RecoverError {
        RecoverError::Record(error.into())
    }
}

/// Makes a cassette of an unpublished folder (`NAME.cassette.part`).
///
/// It is written once more, through the same scrubber: a recorder that was cut off has not covered what is known to be a secret only at the
/// end. Values to look for are not stored with a recording, only their names, so that who had some gives them again.
/// The folder is read only, and removed once the cassette is there.
pub fn recover(path: &Path, secrets: &Rules) -> Result<Recovered, RecoverError> {
    let Some(mut start) = started(path)? else {
        // It was finished, and only its name was not changed yet.
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
    // What draws what was shown when it began may have been cut off itself, where a recording was written again.
    if let Some(bytes) = &mut start.provenance.portrait_bytes {
        *bytes = left.output.min(*bytes);
    }
    let finished = left.finished(path, &start);
    let status = match &finished {
        Some(_) => Status::Complete,
        None => Status::Recovered {
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

/// What is known of how a recording began; `None` where it was finished but for its name. Everything that is there is one of its files.
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
            Err(match written.is_ok_and(|output| output.len() > 0) {
                true => RecoverError::NoStart { path },
                false => RecoverError::Nothing { path },
            })
        }
        Err(error) => Err(error.into()),
    }
}

/// Why it was not published, where what is left is the folder that there was before.
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

/// What a recorder left.
#[derive(Debug, Default)]
struct Left {
    /// Bytes of output whose time is known, and those that are there besides.
    output: u64,
    dropped: u64,
    dropped_lines: u64,
    /// The numbers of everything that is kept, and the latest time.
    seqs: BTreeSet<u64>,
    time: Millis,
    resizes: Vec<Resize>,
    /// Whether a program said in which directory of which machine it is.
    says_where: bool,
    /// How long each file is without what is dropped.
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

    /// Takes the number and the time of a line that is kept. None is of one that goes back in its stream, tells of output that is not there, or has
    /// the number of something else; and the last number of all leaves none for the ending.
    fn follow(&mut self, order: &mut Order, seq: u64, time: Millis, at: u64) -> Option<()> {
        if at > self.output || seq == u64::MAX || self.seqs.contains(&seq) {
            return None;
        }
        order.next(seq, time, at).ok()?;
        self.seqs.insert(seq);
        self.time = self.time.max(time);
        Some(())
    }

    /// The number of what happened last.
    fn seq(&self) -> u64 {
        self.seqs.last().copied().unwrap_or(0)
    }

    /// Reads a stream up to the first line that is not what it should be; what lies behind goes.
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
            match good {
                true => end = line.offset + line.text.len() as u64 + 1,
                false => self.dropped_lines += 1,
            }
        }
        self.lengths.push((name, end));
        Ok(())
    }

    /// The ending and the report, which a recorder writes once all streams are whole.
    fn finished(&self, path: &Path, start: &Start) -> Option<(Ending, ScrubReport)> {
        let ending = Ending::parse(&small(path, format::FINAL).ok()?).ok()?;
        let report = small(path, format::SCRUB_REPORT).ok()?;
        let report = from_line::<ScrubReport>(&report, 1).ok()?;
        let whole = ending.id == start.id && self.dropped_lines == 0 && self.dropped == 0;
        let is_last = ending.seq > self.seq() && ending.t_ms >= self.time;
        (whole && is_last).then_some((ending, report))
    }

    /// Derives the frames again, keeps those that are what was shown, and gives what was shown last.
    ///
    /// A frame that cannot be derived from what is left, as where a change of size was lost, is not kept, nor is any after it.
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
        let last = Shown {
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
