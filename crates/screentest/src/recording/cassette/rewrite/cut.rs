//! Copies a time range of a cassette into a new cassette.
//!
//! A terminal's screen depends on every byte it has ever received: modes, margins, the contents of
//! the other screen, scrollback. Not every emulator can dump all of that as escape sequences. A cut
//! therefore keeps the output from the very beginning, as if the part before the range had arrived
//! at once at its start, and keeps the size changes. Inputs, events and frames from before the
//! range are left out, and times count from its start. The frames are derived from the cut's own
//! bytes.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use screentest_core::Screen;
use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::formats::cassette::manifest::RecordingStatus;
use screentest_core::formats::cassette::{
    self as format, Deriver, EventLine, FrameLine, FrameReader, FrameWriter, InputLine,
    InputLineKind, Millis, OutputLine, RecordingEnd, ScrubReport, to_line,
};
use screentest_core::redact::scrub::Rules;

use crate::recording::cassette::directory::access::CassetteAccess;
use crate::recording::cassette::directory::partial::{PartialCassette, RecordingMetadata};
use crate::recording::cassette::error::read_error;
use crate::recording::cassette::streams::output_replay::OutputReplay;
use crate::recording::cassette::verify::describe_difference;
use crate::recording::cassette::{Cassette, CassetteError};
use crate::recording::player::{Moment, PlayError, Player};
use crate::recording::recorder::{ExistingCassette, RecordError, publish_cassette};

/// Why a cassette could not be cut.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CutError {
    /// The start or the end of the range is after the end of the recording.
    #[error("{time:?} is after the end of the cassette, at {end:?}")]
    AfterEnd {
        /// The requested time.
        time: Duration,
        /// The end of the recording.
        end: Duration,
    },
    /// The range would end before it begins.
    #[error("the part would end at {to:?}, before it begins at {from:?}")]
    Backwards {
        /// The requested start.
        from: Duration,
        /// The requested end.
        to: Duration,
    },
    /// The cassette does not have the requested moment.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The cassette could not be read or verified.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The new cassette could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl Cassette {
    /// Writes what was shown between two moments as a new cassette, and returns its path. All
    /// earlier output is included, because the screen depends on it.
    pub fn cut(&self, from: &Moment, to: &Moment, target: &Path) -> Result<PathBuf, CutError> {
        self.verify_digests()?;
        let range = CutRange {
            from: self.cut_point(from)?,
            to: self.cut_point(to)?,
        };
        let (from, to) = (range.from.time, range.to.time);
        if to < from {
            return Err(CutError::Backwards { from, to });
        }
        let metadata = RecordingMetadata::of_copy(self.manifest());
        let access = CassetteAccess::of(self.path());
        let partial = PartialCassette::create(target, ExistingCassette::Keep, access, &metadata)
            .map_err(RecordError::from)?;
        let directory = partial.path().to_owned();
        let result = self.write_cut(&range, partial, metadata);
        if result.is_err() {
            // This loses nothing: everything in the directory is a copy.
            let _ = fs::remove_dir_all(directory);
        }
        result
    }

    fn cut_point(&self, moment: &Moment) -> Result<CutPoint, CutError> {
        let end = self.ending().t_ms.time();
        let at = |time| CutPoint { seq: None, time };
        match moment {
            Moment::Start => Ok(at(Duration::ZERO)),
            Moment::End => Ok(at(end)),
            Moment::Time(time) if *time > end => Err(CutError::AfterEnd { time: *time, end }),
            // Times in a cassette are whole microseconds.
            Moment::Time(time) => Ok(at(Millis::new(*time).time())),
            Moment::Mark(_) | Moment::Seq(_) => {
                let mut player = Player::of_any_emulator(self)?;
                if let Moment::Mark(name) = moment
                    && let Some((seq, time)) = player.mark(name)
                {
                    let seq = Some(seq);
                    return Ok(CutPoint { seq, time });
                }
                // For an unknown mark, `seek` returns the error that lists the known ones.
                player.seek(moment)?;
                let shown = player.shown();
                Ok(CutPoint {
                    seq: shown.map(|shown| shown.seq),
                    time: player.time(),
                })
            }
        }
    }

    fn write_cut(
        &self,
        range: &CutRange,
        partial: PartialCassette,
        mut metadata: RecordingMetadata,
    ) -> Result<PathBuf, CutError> {
        let mut last_seq = 0;
        let length = self.cut_output(range, &partial, &mut last_seq)?;
        metadata.limit_portrait(length);
        let report = self.cut_inputs(range, &partial, length, &mut last_seq)?;
        self.cut_events(range, &partial, &mut last_seq)?;
        let ending = self.cut_frames(range, &partial, &metadata.id, length, last_seq)?;
        let from = self.manifest().id.clone();
        let status = RecordingStatus::Cut { from };
        Ok(publish_cassette(
            partial,
            metadata,
            status,
            &ending,
            &report,
            &Rules::none(),
        )?)
    }

    /// Copies the output up to the end of the range. Output from before the range becomes a single
    /// chunk. Returns the length of the copied output.
    fn cut_output(
        &self,
        range: &CutRange,
        partial: &PartialCassette,
        last_seq: &mut u64,
    ) -> Result<u64, CutError> {
        let mut lines = Vec::new();
        let mut before: Option<OutputLine> = None;
        let mut length = 0;
        self.for_each_line_while(format::OUTPUT, |line: OutputLine| {
            if range.to.is_before(line.seq, line.t_ms) {
                return false;
            }
            length = line.end();
            *last_seq = line.seq.max(*last_seq);
            if range.from.has(line.seq, line.t_ms) {
                before = Some(OutputLine {
                    offset: 0,
                    length: line.end(),
                    t_ms: Millis::default(),
                    ..line
                });
            } else {
                lines.extend(before.take().map_or_else(Vec::new, |line| to_line(&line)));
                let t_ms = range.relative(line.t_ms);
                lines.extend(to_line(&OutputLine { t_ms, ..line }));
            }
            true
        })?;
        lines.extend(before.map_or_else(Vec::new, |line| to_line(&line)));
        replace_file(partial, format::OUTPUT, &lines)?;
        let copied = io::copy(&mut self.output()?.take(length), &mut &partial.raw);
        copied.map_err(|source| RecordError::Write {
            path: partial.path().join(format::OUTPUT_RAW),
            source,
        })?;
        Ok(length)
    }

    /// Copies the inputs within the range. Of earlier inputs, only size changes are copied.
    fn cut_inputs(
        &self,
        range: &CutRange,
        partial: &PartialCassette,
        length: u64,
        last_seq: &mut u64,
    ) -> Result<ScrubReport, CutError> {
        let mut report = self.scrub_report()?;
        report.withheld_inputs = 0;
        let is_included = |offset: u64, covered: u64| offset.saturating_add(covered) <= length;
        report
            .covered
            .retain(|covered| is_included(covered.offset, covered.length));
        let mut lines = Vec::new();
        self.for_each_line_while(format::INPUT, |line: InputLine| {
            if range.to.is_before(line.seq, line.t_ms) || line.at > length {
                return false;
            }
            let is_size = matches!(line.kind, InputLineKind::Resize { .. });
            if is_size || !range.from.is_after(line.seq, line.t_ms) {
                *last_seq = line.seq.max(*last_seq);
                report.withheld_inputs += u64::from(matches!(line.kind, InputLineKind::Withheld));
                let t_ms = range.relative(line.t_ms);
                lines.extend(to_line(&InputLine { t_ms, ..line }));
            }
            true
        })?;
        replace_file(partial, format::INPUT, &lines)?;
        Ok(report)
    }

    fn cut_events(
        &self,
        range: &CutRange,
        partial: &PartialCassette,
        last_seq: &mut u64,
    ) -> Result<(), CutError> {
        let mut lines = Vec::new();
        self.for_each_line_while(format::EVENTS, |line: EventLine| {
            if range.to.is_before(line.seq, line.t_ms) {
                return false;
            }
            if !range.from.is_after(line.seq, line.t_ms) {
                *last_seq = line.seq.max(*last_seq);
                let t_ms = range.relative(line.t_ms);
                lines.extend(to_line(&EventLine { t_ms, ..line }));
            }
            true
        })?;
        replace_file(partial, format::EVENTS, &lines)
    }

    /// Derives the frames again and returns the ending. The first frame is the screen at the start
    /// of the range.
    fn cut_frames(
        &self,
        range: &CutRange,
        partial: &PartialCassette,
        id: &str,
        length: u64,
        last_seq: u64,
    ) -> Result<RecordingEnd, CutError> {
        let terminal = &self.manifest().terminal;
        let deriver = Deriver::pinned(terminal).map_err(CassetteError::from)?;
        let sizes = self.resizes()?.into_iter();
        let sizes = sizes.take_while(|size| size.seq <= last_seq);
        let mut frames = CutFrames {
            range,
            replay: OutputReplay::new(deriver, sizes),
            writer: FrameWriter::new(),
            file: partial.stream(format::FRAMES).map_err(RecordError::from)?,
            directory: partial.path(),
            raw: &partial.raw,
            emulator: terminal.emulator.to_string(),
            seq: last_seq,
        };
        let mut reader = FrameReader::new();
        let mut lines = self.jsonl::<FrameLine>(format::FRAMES)?;
        // The last frame so far that is not after the start of the range. It shows the screen at
        // the start unless a later such frame replaces it.
        let mut before = None;
        while let Some(line) = lines.next()? {
            let stored = reader.screen(&line);
            let stored = stored.map_err(|problem| lines.error(problem))?;
            let shown = line.shown();
            if range.to.is_before(shown.seq, shown.time) || shown.at > length {
                break;
            }
            // An unfinished frame shows a synchronized update that took too long. It is kept even
            // before the start: deriving the later frames must end the update at the same byte.
            if range.from.has(shown.seq, shown.time) && !shown.unfinished {
                before = Some((shown, stored.clone()));
                continue;
            }
            if let Some((shown, stored)) = before.take() {
                frames.add(&shown, &stored)?;
            }
            frames.add(&shown, stored)?;
        }
        if let Some((shown, stored)) = before {
            frames.add(&shown, &stored)?;
        }
        let original = self.ending();
        let is_to_the_end = !range.to.is_before(original.seq, original.t_ms);
        let seq = if is_to_the_end {
            original.seq
        } else {
            frames.seq + 1
        };
        let time = range.relative(Millis::new(range.to.time));
        let last = FrameTime {
            seq,
            time,
            at: length,
            unfinished: false,
        };
        let screen = frames.replay.screen(&partial.raw, &last);
        let screen = screen.map_err(read_error(&partial.path().join(format::OUTPUT_RAW)))?;
        let mut ending = RecordingEnd::new(id, seq, time, length, &screen);
        if is_to_the_end {
            ending.exit_code = original.exit_code;
            ending.signal.clone_from(&original.signal);
        }
        Ok(ending)
    }

    /// Calls `visit` with every line until it returns `false`.
    fn for_each_line_while<T: serde::de::DeserializeOwned>(
        &self,
        name: &'static str,
        mut visit: impl FnMut(T) -> bool,
    ) -> Result<(), CassetteError> {
        let mut lines = self.jsonl(name)?;
        while let Some(value) = lines.next()? {
            if !visit(value) {
                break;
            }
        }
        Ok(())
    }
}

/// The start or the end of a cut.
#[derive(Debug, Clone, Copy)]
struct CutPoint {
    /// The `seq` of the mark or frame that the moment selects, if any. It orders things that
    /// happened in the same microsecond.
    seq: Option<u64>,
    time: Duration,
}

impl CutPoint {
    /// Returns whether something happened at or before this point.
    fn has(self, seq: u64, time: Millis) -> bool {
        match self.seq {
            Some(own_seq) => seq <= own_seq,
            None => time.time() <= self.time,
        }
    }

    /// Returns whether this point is before something.
    fn is_before(self, seq: u64, time: Millis) -> bool {
        !self.has(seq, time)
    }

    /// Returns whether this point is after something. Something that happened at this very moment
    /// is neither before nor after it.
    fn is_after(self, seq: u64, time: Millis) -> bool {
        match self.seq {
            Some(own_seq) => seq < own_seq,
            None => time.time() < self.time,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct CutRange {
    from: CutPoint,
    to: CutPoint,
}

impl CutRange {
    /// Converts a time to one that counts from the start of the cut.
    fn relative(&self, time: Millis) -> Millis {
        Millis::new(time.time().saturating_sub(self.from.time))
    }
}

/// The frames of a cut while it is written.
struct CutFrames<'a> {
    range: &'a CutRange,
    replay: OutputReplay<Deriver>,
    writer: FrameWriter,
    file: File,
    directory: &'a Path,
    raw: &'a File,
    emulator: String,
    seq: u64,
}

impl CutFrames<'_> {
    fn add(&mut self, shown: &FrameTime, stored: &Screen) -> Result<(), CutError> {
        let raw = self.directory.join(format::OUTPUT_RAW);
        let screen = self
            .replay
            .screen(self.raw, shown)
            .map_err(read_error(&raw))?;
        if screen != *stored {
            return Err(CutError::Cassette(CassetteError::Frame {
                seq: shown.seq,
                time: shown.time,
                emulator: self.emulator.clone(),
                difference: describe_difference(stored, &screen),
            }));
        }
        self.seq = self.seq.max(shown.seq);
        let time = self.range.relative(shown.time);
        let Some(line) = self.writer.line(FrameTime { time, ..*shown }, &screen) else {
            return Ok(());
        };
        let path = self.directory.join(format::FRAMES);
        let written = self.file.write_all(&line);
        Ok(written.map_err(|source| RecordError::Write { path, source })?)
    }
}

fn replace_file(partial: &PartialCassette, name: &str, lines: &[u8]) -> Result<(), CutError> {
    Ok(partial
        .replace_file(name, lines)
        .map_err(RecordError::from)?)
}
