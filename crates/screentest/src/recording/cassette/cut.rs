//! Cuts a time range out of a cassette, as a new cassette.
//!
//! A terminal's screen depends on every byte it has ever received: modes, margins, the contents of
//! the other screen, scrollback. No prefix of escape sequences could restore all of that. A cut
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
    self as format, Deriver, EventLine, FrameLine, FrameReader, FrameWriter, InputKind, InputLine,
    Millis, OutputLine, RecordingEnd, ScrubReport, to_line,
};
use screentest_core::redact::scrub::Rules;

use super::iter::Walk;
use super::open::unread;
use super::partial::{Part, Start};
use super::verify::difference;
use super::{Cassette, CassetteError};
use crate::recording::player::{Moment, PlayError, Player};
use crate::recording::recorder::{Existing, RecordError, id, seal};

/// Why a cassette could not be cut.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CutError {
    /// The range ends after the recording.
    #[error("{time:?} is after the end of the cassette, at {end:?}")]
    BehindEnd {
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
    /// The cassette is damaged.
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
        let edges = Edges {
            from: self.edge(from)?,
            to: self.edge(to)?,
        };
        let (from, to) = (edges.from.time, edges.to.time);
        if to < from {
            return Err(CutError::Backwards { from, to });
        }
        let manifest = self.manifest();
        let start = Start {
            id: id(),
            command: manifest.command.clone(),
            environment: manifest.environment.clone(),
            terminal: manifest.terminal.clone(),
            provenance: manifest.provenance.clone(),
            secrets: Vec::new(),
        };
        let part = Part::create(target, Existing::Kept, &start).map_err(RecordError::from)?;
        let folder = part.path().to_owned();
        let made = self.write(&edges, part, start);
        if made.is_err() {
            // This loses nothing: everything in it is a copy.
            let _ = fs::remove_dir_all(folder);
        }
        made
    }

    fn edge(&self, moment: &Moment) -> Result<Edge, CutError> {
        let end = self.ending().t_ms.time();
        let at = |time| Edge { seq: None, time };
        match moment {
            Moment::Start => Ok(at(Duration::ZERO)),
            Moment::End => Ok(at(end)),
            Moment::Time(time) if *time > end => Err(CutError::BehindEnd { time: *time, end }),
            // Times in a cassette are whole microseconds.
            Moment::Time(time) => Ok(at(Millis::new(*time).time())),
            Moment::Mark(_) | Moment::Seq(_) => {
                let mut player = Player::of_any_emulator(self)?;
                if let Moment::Mark(name) = moment
                    && let Some((seq, time)) = player.mark(name)
                {
                    let seq = Some(seq);
                    return Ok(Edge { seq, time });
                }
                // For an unknown mark, `seek` returns the error that lists the known ones.
                player.seek(moment)?;
                let shown = player.shown();
                Ok(Edge {
                    seq: shown.map(|shown| shown.seq),
                    time: player.time(),
                })
            }
        }
    }

    fn write(&self, edges: &Edges, part: Part, start: Start) -> Result<PathBuf, CutError> {
        let mut seqs = 0;
        let length = self.cut_output(edges, &part, &mut seqs)?;
        let report = self.cut_inputs(edges, &part, length, &mut seqs)?;
        self.cut_events(edges, &part, &mut seqs)?;
        let ending = self.cut_frames(edges, &part, &start.id, length, seqs)?;
        let from = self.manifest().id.clone();
        let status = RecordingStatus::Cut { from };
        Ok(seal(part, start, status, &ending, &report, &Rules::none())?)
    }

    /// Copies the output up to the end of the range; output from before the range arrives at once.
    /// Returns its length.
    fn cut_output(&self, edges: &Edges, part: &Part, seqs: &mut u64) -> Result<u64, CutError> {
        let mut lines = Vec::new();
        let mut before: Option<OutputLine> = None;
        let mut length = 0;
        self.lines_of(format::OUTPUT, |line: OutputLine| {
            if edges.to.is_before(line.seq, line.t_ms) {
                return false;
            }
            length = line.end();
            *seqs = line.seq.max(*seqs);
            if edges.from.has(line.seq, line.t_ms) {
                before = Some(OutputLine {
                    offset: 0,
                    length: line.end(),
                    t_ms: Millis::default(),
                    ..line
                });
            } else {
                lines.extend(before.take().map_or_else(Vec::new, |line| to_line(&line)));
                let t_ms = edges.since(line.t_ms);
                lines.extend(to_line(&OutputLine { t_ms, ..line }));
            }
            true
        })?;
        lines.extend(before.map_or_else(Vec::new, |line| to_line(&line)));
        write(part, format::OUTPUT, &lines)?;
        let copied = io::copy(&mut self.output()?.take(length), &mut &part.raw);
        copied.map_err(|source| RecordError::Write {
            path: part.path().join(format::OUTPUT_RAW),
            source,
        })?;
        Ok(length)
    }

    /// Copies the inputs within the range. Of earlier inputs, only size changes are copied.
    fn cut_inputs(
        &self,
        edges: &Edges,
        part: &Part,
        length: u64,
        seqs: &mut u64,
    ) -> Result<ScrubReport, CutError> {
        let mut report = self.scrub_report()?;
        report.withheld_inputs = 0;
        let inside = |offset: u64, covered: u64| offset.saturating_add(covered) <= length;
        report
            .covered
            .retain(|covered| inside(covered.offset, covered.length));
        let mut lines = Vec::new();
        self.lines_of(format::INPUT, |line: InputLine| {
            if edges.to.is_before(line.seq, line.t_ms) || line.at > length {
                return false;
            }
            let is_size = matches!(line.kind, InputKind::Resize { .. });
            if is_size || !edges.from.is_after(line.seq, line.t_ms) {
                *seqs = line.seq.max(*seqs);
                report.withheld_inputs += u64::from(matches!(line.kind, InputKind::Withheld));
                let t_ms = edges.since(line.t_ms);
                lines.extend(to_line(&InputLine { t_ms, ..line }));
            }
            true
        })?;
        write(part, format::INPUT, &lines)?;
        Ok(report)
    }

    fn cut_events(&self, edges: &Edges, part: &Part, seqs: &mut u64) -> Result<(), CutError> {
        let mut lines = Vec::new();
        self.lines_of(format::EVENTS, |line: EventLine| {
            if edges.to.is_before(line.seq, line.t_ms) {
                return false;
            }
            if !edges.from.is_after(line.seq, line.t_ms) {
                *seqs = line.seq.max(*seqs);
                let t_ms = edges.since(line.t_ms);
                lines.extend(to_line(&EventLine { t_ms, ..line }));
            }
            true
        })?;
        write(part, format::EVENTS, &lines)
    }

    /// Derives the frames again and returns the ending. The first frame is the screen at the start
    /// of the range.
    fn cut_frames(
        &self,
        edges: &Edges,
        part: &Part,
        id: &str,
        length: u64,
        seqs: u64,
    ) -> Result<RecordingEnd, CutError> {
        let terminal = &self.manifest().terminal;
        let deriver = Deriver::pinned(terminal).map_err(CassetteError::Emulator)?;
        let sizes = self.resizes()?.into_iter();
        let sizes = sizes.take_while(|size| size.seq <= seqs);
        let mut frames = Frames {
            edges,
            walk: Walk::new(deriver, sizes),
            writer: FrameWriter::new(),
            file: part.stream(format::FRAMES).map_err(RecordError::from)?,
            folder: part.path(),
            raw: &part.raw,
            emulator: terminal.emulator.to_string(),
            seq: seqs,
        };
        let mut reader = FrameReader::new();
        let mut lines = self.stream::<FrameLine>(format::FRAMES)?;
        // The last screen before the start: the first frame, unless another one replaces it.
        let mut before = None;
        while let Some(line) = lines.next()? {
            let kept = reader.screen(&line);
            let kept = kept.map_err(|problem| lines.wrong(problem))?;
            let shown = line.shown();
            if edges.to.is_before(shown.seq, shown.time) || shown.at > length {
                break;
            }
            // An unfinished frame shows a synchronized update that took too long. To derive the
            // output after it, the update must be ended at the same place, so the frame is kept.
            if edges.from.has(shown.seq, shown.time) && !shown.unfinished {
                before = Some((shown, kept.clone()));
                continue;
            }
            if let Some((shown, kept)) = before.take() {
                frames.put(&shown, &kept)?;
            }
            frames.put(&shown, kept)?;
        }
        if let Some((shown, kept)) = before {
            frames.put(&shown, &kept)?;
        }
        let told = self.ending();
        let whole = !edges.to.is_before(told.seq, told.t_ms);
        let seq = if whole { told.seq } else { frames.seq + 1 };
        let time = edges.since(Millis::new(edges.to.time));
        let last = FrameTime {
            seq,
            time,
            at: length,
            unfinished: false,
        };
        let screen = frames.walk.screen(&part.raw, &last);
        let screen = screen.map_err(unread(&part.path().join(format::OUTPUT_RAW)))?;
        let mut ending = RecordingEnd::new(id, seq, time, length, &screen);
        if whole {
            ending.exit_code = told.exit_code;
            ending.signal.clone_from(&told.signal);
        }
        Ok(ending)
    }

    /// Calls `tell` with every line until it returns `false`.
    fn lines_of<T: serde::de::DeserializeOwned>(
        &self,
        name: &'static str,
        mut tell: impl FnMut(T) -> bool,
    ) -> Result<(), CassetteError> {
        let mut stream = self.stream(name)?;
        while let Some(value) = stream.next()? {
            if !tell(value) {
                break;
            }
        }
        Ok(())
    }
}

/// The start or the end of a cut.
#[derive(Debug, Clone, Copy)]
struct Edge {
    /// The `seq` of a mark. It orders things that happened in the same microsecond.
    seq: Option<u64>,
    time: Duration,
}

impl Edge {
    /// Returns whether something happened at or before this edge.
    fn has(self, seq: u64, time: Millis) -> bool {
        match self.seq {
            Some(own) => seq <= own,
            None => time.time() <= self.time,
        }
    }

    /// Returns whether this edge is before something.
    fn is_before(self, seq: u64, time: Millis) -> bool {
        !self.has(seq, time)
    }

    /// Returns whether this edge is after something. Something that happened at this very moment is
    /// neither before nor after it.
    fn is_after(self, seq: u64, time: Millis) -> bool {
        match self.seq {
            Some(own) => seq < own,
            None => time.time() < self.time,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Edges {
    from: Edge,
    to: Edge,
}

impl Edges {
    /// Converts a time to one that counts from the start of the cut.
    fn since(&self, time: Millis) -> Millis {
        Millis::new(time.time().saturating_sub(self.from.time))
    }
}

/// The frames of a cut while it is written.
struct Frames<'a> {
    edges: &'a Edges,
    walk: Walk<Deriver>,
    writer: FrameWriter,
    file: File,
    folder: &'a Path,
    raw: &'a File,
    emulator: String,
    seq: u64,
}

impl Frames<'_> {
    fn put(&mut self, shown: &FrameTime, kept: &Screen) -> Result<(), CutError> {
        let raw = self.folder.join(format::OUTPUT_RAW);
        let screen = self.walk.screen(self.raw, shown).map_err(unread(&raw))?;
        if screen != *kept {
            return Err(CutError::Cassette(CassetteError::Frame {
                seq: shown.seq,
                time: shown.time,
                emulator: self.emulator.clone(),
                difference: difference(kept, &screen),
            }));
        }
        self.seq = self.seq.max(shown.seq);
        let time = self.edges.since(shown.time);
        let Some(line) = self.writer.line(FrameTime { time, ..*shown }, &screen) else {
            return Ok(());
        };
        let path = self.folder.join(format::FRAMES);
        let written = self.file.write_all(&line);
        Ok(written.map_err(|source| RecordError::Write { path, source })?)
    }
}

fn write(part: &Part, name: &str, lines: &[u8]) -> Result<(), CutError> {
    Ok(part.write(name, lines).map_err(RecordError::from)?)
}
