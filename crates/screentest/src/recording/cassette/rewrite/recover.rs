//! Makes a cassette from the files of an interrupted recording.
//!
//! Streams are written front to back, so the files are valid up to a last line that may be
//! incomplete. Recovery drops everything after the last byte of output whose time is known, and
//! keeps no incomplete line. A stream that is damaged elsewhere ends at the damage. The remaining
//! streams form a cassette that can be verified.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::formats::cassette::manifest::RecordingStatus;
use screentest_core::formats::cassette::{
    self as format, Deriver, EventLine, FrameLine, FrameReader, InputLine, InputLineKind, MAX_LINE,
    Millis, OutputLine, RecordingEnd, ScrubReport, from_line,
};
use screentest_core::redact::scrub::Rules;
use screentest_core::{Screen, Size};

use crate::recording::cassette::directory::partial::{
    METADATA_FILE, PartialCassette, PartialCassetteError, RecordingMetadata,
};
use crate::recording::cassette::directory::paths;
use crate::recording::cassette::directory::{DirectoryState, allowed_files};
use crate::recording::cassette::directory::{file_length, read_small_file};
use crate::recording::cassette::streams::line_order::LineOrder;
use crate::recording::cassette::streams::line_reader::{LineReader, RawLine};
use crate::recording::cassette::streams::output_replay::{OutputReplay, RecordedResize};
use crate::recording::cassette::{Cassette, CassetteError, ScrubError};
use crate::recording::recorder::{ExistingRecording, RecordError, rescrub};

/// The result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
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
    NoMetadata {
        /// The path.
        path: PathBuf,
    },
    /// The file that describes the recording is invalid.
    #[error("`{path}` was not written by a recorder", path = path.display())]
    Metadata {
        /// The path of that file.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// The recording redacted secrets whose values were not given here.
    #[error(
        "`{path}` may hold the values of {}, which the recorder redacted: set these variables and name each with `--secret`",
        list(missing),
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

/// Lists names for a message.
fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl From<PartialCassetteError> for RecoverError {
    fn from(error: PartialCassetteError) -> RecoverError {
        RecoverError::Record(error.into())
    }
}

/// Makes a cassette of an unpublished directory (`NAME.cassette.part`).
///
/// The recording is written again through the redaction rules, because an interrupted recorder has
/// not redacted values that become known as secrets only at the end. A recording stores the names
/// of its secrets but not their values, so the caller must give the values again. The directory is
/// only read, and is removed once the cassette is published. A complete cassette that only lacks
/// its final name is renamed instead.
pub fn recover(path: &Path, secrets: &Rules) -> Result<Recovery, RecoverError> {
    let Some(mut metadata) = read_metadata(path)? else {
        // The cassette was finished but not renamed yet.
        let status = Cassette::open(path)?.manifest().status.clone();
        let published = PartialCassette::open(path)?.publish();
        let path = published.map_err(|error| match error {
            PartialCassetteError::Exists { path: target } => {
                PartialCassetteError::InterruptedReplace {
                    path: path.to_owned(),
                    target,
                }
            }
            error => error,
        })?;
        return Ok(Recovery { path, status });
    };
    let missing = metadata.secrets.iter();
    let missing = missing.filter(|name| !secrets.names().contains(name));
    let missing: Vec<String> = missing.cloned().collect();
    if !missing.is_empty() {
        return Err(RecoverError::Rules {
            path: path.to_owned(),
            missing,
        });
    }
    let partial = PartialCassette::open(path)?;
    let mut recording = InterruptedRecording::read(path)?;
    let screen = recording.derive(path, &partial, &metadata)?;
    // The interrupted process may have been rewriting a recording.
    metadata.limit_portrait(recording.output);
    let ending_and_report = recording.ending_and_report(path, &metadata);
    let status = match &ending_and_report {
        Some(_) => RecordingStatus::Complete,
        None => RecordingStatus::Recovered {
            dropped_output: recording.dropped,
            dropped_lines: recording.dropped_lines,
        },
    };
    let (ending, report) = ending_and_report.unzip();
    let existing = ExistingRecording {
        directory: path,
        lengths: &recording.lengths,
        report: report.unwrap_or_else(|| ScrubReport {
            of_recovery: true,
            ..ScrubReport::default()
        }),
        status: status.clone(),
        seq: recording.seq() + 1,
        time: ending.as_ref().map_or(recording.time, |ending| ending.t_ms),
        exit_code: ending.as_ref().and_then(|ending| ending.exit_code),
        signal: ending.and_then(|ending| ending.signal),
        reports_host: recording.reports_host || !screen.working_directory.is_empty(),
    };
    let secrets = Arc::new(secrets.clone());
    let published = rescrub(existing, metadata, secrets, |metadata| {
        PartialCassette::create_beside(&partial, metadata)
    });
    let published = published.map_err(|error| convert_error(error, path))?;
    partial.discard()?;
    Ok(Recovery {
        path: published,
        status,
    })
}

/// Returns what is known about the start of the recording; `None` if the recording only lacks its
/// final name. Every file in the directory must belong there.
fn read_metadata(path: &Path) -> Result<Option<RecordingMetadata>, RecoverError> {
    let is_part = path.extension().is_some_and(|name| name == "part");
    let exists = |name: &str| path.join(name).symlink_metadata().is_ok();
    if exists(format::MANIFEST) && !exists(METADATA_FILE) && !is_part {
        return Err(RecoverError::Finished {
            path: path.to_owned(),
        });
    }
    allowed_files::check(path, DirectoryState::Unpublished)?;
    match read_small_file(path, METADATA_FILE) {
        Ok(bytes) => RecordingMetadata::parse(&bytes)
            .map(Some)
            .map_err(|source| RecoverError::Metadata {
                path: path.join(METADATA_FILE),
                source,
            }),
        Err(CassetteError::Missing { .. }) if exists(format::MANIFEST) => Ok(None),
        Err(CassetteError::Missing { .. }) => {
            let written = path.join(format::OUTPUT_RAW).metadata();
            let path = path.to_owned();
            Err(if written.is_ok_and(|output| output.len() > 0) {
                RecoverError::NoMetadata { path }
            } else {
                RecoverError::Nothing { path }
            })
        }
        Err(error) => Err(error.into()),
    }
}

/// Converts an error. If secrets are left in the new directory, it is removed, and the error names
/// the original one.
fn convert_error(error: ScrubError, partial: &Path) -> RecoverError {
    match error {
        ScrubError::Cassette(error) => error.into(),
        ScrubError::Record(mut error) => {
            if let RecordError::SecretLeft { path, .. } | RecordError::SecretShown { path, .. } =
                &mut error
            {
                let _ = allowed_files::remove(path);
                partial.clone_into(path);
            }
            error.into()
        }
    }
}

/// The valid parts of an interrupted recording.
#[derive(Debug, Default)]
struct InterruptedRecording {
    /// Bytes of output whose time is known. `dropped` counts the bytes after them.
    output: u64,
    dropped: u64,
    dropped_lines: u64,
    /// The sequence numbers of everything that is kept; `time` is the latest time.
    seqs: BTreeSet<u64>,
    time: Millis,
    resizes: Vec<RecordedResize>,
    /// Whether the program reported its working directory and host (OSC 7).
    reports_host: bool,
    /// The length of each file without the dropped part.
    lengths: Vec<(&'static str, u64)>,
}

impl InterruptedRecording {
    fn read(path: &Path) -> Result<InterruptedRecording, RecoverError> {
        let mut recording = InterruptedRecording::default();
        let raw_length = file_length(&path.join(format::OUTPUT_RAW))?;
        recording.read_stream(path, format::OUTPUT, |recording, order, line| {
            let line: OutputLine = from_line(line.text, line.number).ok()?;
            if line.offset != recording.output || line.end() > raw_length {
                return None;
            }
            recording.accept(order, line.seq, line.t_ms, 0)?;
            recording.output = line.end();
            Some(())
        })?;
        recording.dropped = raw_length - recording.output;
        recording
            .lengths
            .push((format::OUTPUT_RAW, recording.output));
        recording.read_stream(path, format::INPUT, |recording, order, line| {
            let line: InputLine = from_line(line.text, line.number).ok()?;
            let (seq, at) = (line.seq, line.at);
            let size = match line.kind {
                InputLineKind::Resize { cols, rows } => {
                    Some(Size::checked(cols.into(), rows.into()).ok()?)
                }
                _ => None,
            };
            recording.accept(order, seq, line.t_ms, at)?;
            let resize = size.map(|size| RecordedResize { seq, at, size });
            recording.resizes.extend(resize);
            Some(())
        })?;
        recording.read_stream(path, format::EVENTS, |recording, order, line| {
            let line: EventLine = from_line(line.text, line.number).ok()?;
            recording.accept(order, line.seq, line.t_ms, line.at)
        })?;
        Ok(recording)
    }

    /// Accepts the number and the time of a line. Returns `None` if the line goes backwards in its
    /// stream, refers to output that is not there, or repeats a sequence number. `u64::MAX` is not
    /// allowed either, because the ending needs a higher number.
    fn accept(&mut self, order: &mut LineOrder, seq: u64, time: Millis, at: u64) -> Option<()> {
        if at > self.output || seq == u64::MAX || self.seqs.contains(&seq) {
            return None;
        }
        order.check_next(seq, time, at).ok()?;
        self.seqs.insert(seq);
        self.time = self.time.max(time);
        Some(())
    }

    /// The last sequence number.
    fn seq(&self) -> u64 {
        self.seqs.last().copied().unwrap_or(0)
    }

    /// Reads a stream up to the first invalid line. The rest of the stream is dropped. The dropped
    /// lines are counted, as far as they begin within [`MAX_LINE`] bytes after the valid part.
    fn read_stream(
        &mut self,
        path: &Path,
        name: &'static str,
        mut accept_line: impl FnMut(
            &mut InterruptedRecording,
            &mut LineOrder,
            &RawLine<'_>,
        ) -> Option<()>,
    ) -> Result<(), RecoverError> {
        let path = path.join(name);
        file_length(&path)?;
        let read_error = |source| RecoverError::Read {
            path: path.clone(),
            source,
        };
        let file = paths::open_no_follow(&path, File::options().read(true)).map_err(read_error)?;
        let mut lines = LineReader::new(file);
        let mut order = LineOrder::default();
        let mut end = 0;
        let mut is_valid = true;
        while let Some(line) = lines.next().map_err(read_error)? {
            if !is_valid && line.offset - end > MAX_LINE as u64 {
                break;
            }
            is_valid =
                is_valid && line.is_complete && accept_line(self, &mut order, &line).is_some();
            if is_valid {
                end = line.offset + line.text.len() as u64 + 1;
            } else {
                self.dropped_lines += 1;
            }
        }
        self.lengths.push((name, end));
        Ok(())
    }

    /// The ending and the redaction report, which a recorder writes once all streams are complete.
    /// Returns `None` if either is missing or does not fit the streams.
    fn ending_and_report(
        &self,
        path: &Path,
        metadata: &RecordingMetadata,
    ) -> Option<(RecordingEnd, ScrubReport)> {
        let ending = RecordingEnd::parse(&read_small_file(path, format::FINAL).ok()?).ok()?;
        let report = read_small_file(path, format::SCRUB_REPORT).ok()?;
        let report = from_line::<ScrubReport>(&report, 1).ok()?;
        let is_complete = ending.id == metadata.id && self.dropped_lines == 0 && self.dropped == 0;
        let is_last = ending.seq > self.seq() && ending.t_ms >= self.time;
        (is_complete && is_last).then_some((ending, report))
    }

    /// Derives the frames again, keeps the stored frames that match, and returns the last screen.
    ///
    /// A frame that cannot be derived again, for example after a lost size change, is dropped, and
    /// so are all later frames.
    fn derive(
        &mut self,
        path: &Path,
        partial: &PartialCassette,
        metadata: &RecordingMetadata,
    ) -> Result<Screen, RecoverError> {
        let deriver = Deriver::pinned(&metadata.terminal).map_err(CassetteError::from)?;
        let mut replay = OutputReplay::new(deriver, self.resizes.iter().copied());
        let mut reader = FrameReader::new();
        self.read_stream(path, format::FRAMES, |recording, order, line| {
            let line = FrameLine::parse(line.text, line.number).ok()?;
            let stored = reader.screen(&line).ok()?;
            let shown = line.shown();
            if shown.at > recording.output || replay.screen(&partial.raw, &shown).ok()? != *stored {
                return None;
            }
            recording.accept(order, line.seq, line.t_ms, line.at)?;
            recording.reports_host |= !stored.working_directory.is_empty();
            Some(())
        })?;
        let last = FrameTime {
            seq: self.seq() + 1,
            time: self.time,
            at: self.output,
            unfinished: false,
        };
        let path = path.join(format::OUTPUT_RAW);
        replay
            .screen(&partial.raw, &last)
            .map_err(|source| RecoverError::Read { path, source })
    }
}
