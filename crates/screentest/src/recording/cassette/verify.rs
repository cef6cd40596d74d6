//! Verifies that no byte of a cassette has changed and that every frame is what the emulator
//! derives.

use std::fmt;
use std::io::Read;

use screentest_core::formats::cassette::digest::Digester;
use screentest_core::formats::cassette::frames::{FrameMoment, FrameTime};
use screentest_core::formats::cassette::manifest::RecordingStatus;
use screentest_core::formats::cassette::{
    self as format, Deriver, EventLine, FrameLine, FrameReader, InputLine, LineError, Millis,
    OutputLine,
};
use screentest_core::{Backend, Diff, Modes, Screen};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Cassette;
use super::error::{CassetteError, line_error, read_error};
use super::streams::line_order::LineOrder;
use super::streams::output_replay::OutputReplay;

/// Files up to this size are read within a fraction of a second, even on an old machine.
const MAX_QUICK_FILE: u64 = 64 << 20;

/// The sequence number of a line of any stream.
#[derive(Debug, Deserialize)]
struct Sequence {
    seq: u64,
}

/// Counts of a verified cassette.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// Bytes of output.
    pub output: u64,
    /// Frames; all of them match what the emulator derives.
    pub frames: usize,
    /// Lines of `input.jsonl`: inputs, answers of the terminal, resizes and signals.
    pub inputs: usize,
    /// Events: marks and data.
    pub events: usize,
    /// Whether the recording is complete, or how much is missing.
    pub status: RecordingStatus,
    /// Whether the recording says how the program ended.
    pub ended: bool,
}

/// A frame for which another emulator derives a different screen.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FrameDifference {
    /// When it was shown.
    pub shown: FrameTime,
    /// The screen in the cassette.
    pub stored: Screen,
    /// The screen that the other emulator derives.
    pub derived: Screen,
}

impl Cassette {
    /// Compares every digest, checks the order of all streams, and derives every frame again.
    pub fn verify(&self) -> Result<Verification, CassetteError> {
        self.verify_digests()?;
        let (inputs, events) = self.verify_order()?;
        let deriver = Deriver::pinned(&self.manifest().terminal).map_err(CassetteError::from)?;
        let emulator = self.manifest().terminal.emulator.to_string();
        let mut frames = 0;
        self.derive(deriver, |shown, stored, derived| {
            let last = shown.seq == self.ending().seq;
            frames += usize::from(!last);
            if stored == derived {
                return Ok(());
            }
            if last {
                return Err(CassetteError::LastScreen {
                    emulator: emulator.clone(),
                    difference: describe_difference(stored, derived),
                });
            }
            Err(CassetteError::Frame {
                seq: shown.seq,
                time: shown.time,
                emulator: emulator.clone(),
                difference: describe_difference(stored, derived),
            })
        })?;
        Ok(Verification {
            output: self.output_len(),
            frames,
            inputs,
            events,
            status: self.manifest().status.clone(),
            ended: self.ending().ended(),
        })
    }

    /// Derives every frame with another emulator and returns the first `limit` frames that differ.
    /// A changed cassette looks the same as a disagreement between emulators: call
    /// [`Cassette::verify_digests`] to tell them apart.
    pub fn compare(
        &self,
        backend: Backend,
        limit: usize,
    ) -> Result<Vec<FrameDifference>, CassetteError> {
        let deriver = Deriver::with(&self.manifest().terminal, backend);
        let deriver = deriver.map_err(CassetteError::from)?;
        let mut differences = Vec::new();
        self.derive(deriver, |shown, stored, derived| {
            // The last screen is not a frame: it equals the last frame, or has changes that no
            // frame shows.
            let last = shown.seq == self.ending().seq;
            if stored != derived && !last && differences.len() < limit {
                differences.push(FrameDifference {
                    shown,
                    stored: stored.clone(),
                    derived: derived.clone(),
                });
            }
            Ok(())
        })?;
        Ok(differences)
    }

    /// Derives every frame from the output with the pinned emulator. Of the stored frames, only the
    /// times and positions are read.
    pub fn derive_frames(
        &self,
        mut visit: impl FnMut(FrameTime, &Screen),
    ) -> Result<(), CassetteError> {
        let deriver = Deriver::pinned(&self.manifest().terminal).map_err(CassetteError::from)?;
        let raw_path = self.path().join(format::OUTPUT_RAW);
        let raw = self.output()?;
        let mut replay = OutputReplay::new(deriver, self.resizes()?);
        let mut failed = None;
        self.for_each_line(format::FRAMES, |moment: FrameMoment| {
            let shown = moment.shown();
            match replay.screen(&raw, &shown) {
                Ok(screen) => visit(shown, &screen),
                Err(error) => failed = failed.take().or(Some(error)),
            }
            Ok(())
        })?;
        match failed {
            Some(error) => Err(read_error(&raw_path)(error)),
            None => Ok(()),
        }
    }

    /// Compares the digest of every file.
    pub fn verify_digests(&self) -> Result<(), CassetteError> {
        // The times are verified before the output, since `output.jsonl` sorts before `output.raw`.
        for name in self.manifest().files.keys() {
            if name == format::OUTPUT_RAW {
                self.verify_output_len()?;
            }
            self.verify_digest(name)?;
        }
        Ok(())
    }

    /// Checks that there are times for the whole output, before it is read: a sparse file may be
    /// much larger than any recording.
    fn verify_output_len(&self) -> Result<(), CassetteError> {
        let mut end = 0;
        let lines = self.for_each_line(format::OUTPUT, |line: OutputLine| {
            end = line.end();
            Ok(())
        })?;
        if end != self.output_len() {
            let problem = format!("times for {end} of {} bytes of output", self.output_len());
            let line = lines.max(1);
            return Err(line_error(format::OUTPUT)(LineError { line, problem }));
        }
        Ok(())
    }

    /// Compares the digest of the frames before they are shown. Skips files of more than 64 MiB, so
    /// that a large cassette opens at once; [`Cassette::verify`] checks those.
    pub fn verify_frames_digest(&self) -> Result<(), CassetteError> {
        let file = self.manifest().files.get(format::FRAMES);
        if file.is_some_and(|file| file.bytes <= MAX_QUICK_FILE) {
            self.verify_digest(format::FRAMES)
        } else {
            Ok(())
        }
    }

    fn verify_digest(&self, name: &str) -> Result<(), CassetteError> {
        let mut buffer = vec![0; 1 << 20];
        if let Some(listed) = self.manifest().files.get(name) {
            let path = self.path().join(name);
            let mut file = self.file(name)?;
            let mut digester = Digester::default();
            loop {
                match file.read(&mut buffer).map_err(read_error(&path))? {
                    0 => break,
                    count => digester.update(&buffer[..count]),
                }
            }
            let found = digester.finish();
            if found != listed.sha256 {
                return Err(CassetteError::DigestMismatch {
                    path,
                    expected: listed.sha256,
                    found,
                });
            }
        }
        Ok(())
    }

    /// Checks that sequence numbers increase, that times never decrease, that no number is used
    /// twice, and that output lines are contiguous.
    fn verify_order(&self) -> Result<(usize, usize), CassetteError> {
        let limit = self.output_len();
        let mut seqs = Vec::new();
        let mut latest = Millis::default();
        let mut check = |order: &mut LineOrder, seq: u64, time: Millis, at: u64| {
            seqs.push(seq);
            latest = latest.max(time);
            if at > limit {
                return Err(format!(
                    "`at` is {at}, but there are only {limit} bytes of output"
                ));
            }
            order.check_next(seq, time, at)
        };
        let mut end = 0;
        let mut order = LineOrder::default();
        self.for_each_line(format::OUTPUT, |line: OutputLine| {
            if line.offset != end {
                return Err(format!(
                    "`offset` is {}, but the previous output ends at {end}",
                    line.offset
                ));
            }
            end = line.end();
            check(&mut order, line.seq, line.t_ms, 0)
        })?;
        let portrait = self.manifest().provenance.portrait_bytes.unwrap_or(0);
        if portrait > self.output_len() {
            let output = self.output_len();
            return Err(CassetteError::Portrait { portrait, output });
        }
        let mut order = LineOrder::default();
        let inputs = self.for_each_line(format::INPUT, |line: InputLine| {
            check(&mut order, line.seq, line.t_ms, line.at)
        })?;
        let mut order = LineOrder::default();
        let events = self.for_each_line(format::EVENTS, |line: EventLine| {
            check(&mut order, line.seq, line.t_ms, line.at)
        })?;
        let mut order = LineOrder::default();
        self.for_each_line(format::FRAMES, |line: FrameLine| {
            check(&mut order, line.seq, line.t_ms, line.at)
        })?;
        seqs.sort_unstable();
        let (ending, newest) = (self.ending(), seqs.last().copied().unwrap_or(0));
        if ending.seq <= newest || ending.t_ms < latest {
            let problem = format!(
                "`seq` {} at {}, but the last line has `seq` {newest} and the latest time is {latest}",
                ending.seq, ending.t_ms
            );
            return Err(line_error(format::FINAL)(LineError { line: 1, problem }));
        }
        if let Some(twice) = seqs.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(self.repeated_seq(twice[0])?);
        }
        Ok((inputs, events))
    }

    /// Returns the error for a sequence number that occurs in two streams. It names the line in the
    /// second one.
    fn repeated_seq(&self, repeated: u64) -> Result<CassetteError, CassetteError> {
        let mut first = None;
        for name in [
            format::OUTPUT,
            format::INPUT,
            format::EVENTS,
            format::FRAMES,
        ] {
            let mut line = 0;
            let mut found = None;
            self.for_each_line(name, |Sequence { seq }| {
                line += 1;
                if seq == repeated {
                    found = Some(line);
                }
                Ok(())
            })?;
            match (first, found) {
                (Some(first), Some(line)) => {
                    let problem = format!("`seq` {repeated} is also in `{first}`");
                    return Ok(line_error(name)(LineError { line, problem }));
                }
                (None, Some(_)) => first = Some(name),
                _ => {}
            }
        }
        // Only if the files change meanwhile.
        let problem = format!("`seq` {repeated} occurs twice");
        Ok(line_error(format::OUTPUT)(LineError { line: 1, problem }))
    }

    fn for_each_line<T: DeserializeOwned>(
        &self,
        name: &'static str,
        mut visit: impl FnMut(T) -> Result<(), String>,
    ) -> Result<usize, CassetteError> {
        let mut stream = self.jsonl(name)?;
        let mut count = 0;
        while let Some(value) = stream.next()? {
            visit(value).map_err(|problem| stream.error(problem))?;
            count += 1;
        }
        Ok(count)
    }

    /// Derives every frame and then the last screen, and passes each to `visit` together with the
    /// stored one.
    fn derive(
        &self,
        deriver: Deriver,
        mut visit: impl FnMut(FrameTime, &Screen, &Screen) -> Result<(), CassetteError>,
    ) -> Result<(), CassetteError> {
        let raw_path = self.path().join(format::OUTPUT_RAW);
        let raw = self.output()?;
        let mut replay = OutputReplay::new(deriver, self.resizes()?);
        let mut reader = FrameReader::new();
        let mut frames = self.jsonl::<FrameLine>(format::FRAMES)?;
        while let Some(frame) = frames.next()? {
            let stored = reader.screen(&frame);
            let stored = stored.map_err(|problem| frames.error(problem))?;
            let shown = frame.shown();
            let derived = replay.screen(&raw, &shown).map_err(read_error(&raw_path))?;
            visit(shown, stored, &derived)?;
        }
        let ending = self.ending();
        let stored = ending.screen().map_err(line_error(format::FINAL))?;
        let shown = FrameTime {
            seq: ending.seq,
            time: ending.t_ms,
            at: self.output_len(),
            unfinished: false,
        };
        let derived = replay.screen(&raw, &shown).map_err(read_error(&raw_path))?;
        visit(shown, &stored, &derived)
    }
}

impl fmt::Display for FrameDifference {
    /// The differences, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&describe_difference(&self.stored, &self.derived))
    }
}

/// Describes how two screens differ, for people: visible differences or, if there are none, other
/// state.
pub(crate) fn describe_difference(stored: &Screen, derived: &Screen) -> String {
    let diff = Diff::between(stored, derived);
    if !diff.is_empty() {
        return diff.to_string().trim_end().to_owned();
    }
    let mut lines = Vec::new();
    if stored.working_directory != derived.working_directory {
        let (stored, derived) = (&stored.working_directory, &derived.working_directory);
        lines.push(format!("working directory: {stored:?}, now {derived:?}"));
    }
    if stored.scrollback_rows != derived.scrollback_rows {
        let (stored, derived) = (stored.scrollback_rows, derived.scrollback_rows);
        lines.push(format!("rows scrolled out: {stored}, now {derived}"));
    }
    if stored.modes != derived.modes {
        let fields = |modes: &Modes| -> Vec<String> {
            let lines = format!("{modes:#?}");
            lines.lines().map(|line| line.trim().to_owned()).collect()
        };
        let (stored, derived) = (fields(&stored.modes), fields(&derived.modes));
        let changed = stored.iter().zip(&derived).filter(|(old, new)| old != new);
        lines.extend(changed.map(|(old, new)| {
            let [old, new] = [old, new].map(|field| field.trim_end_matches(','));
            let value = new.split_once(": ").map_or(new, |(_, value)| value);
            format!("mode {old}, now {value}")
        }));
    }
    if lines.is_empty() {
        "attributes of a row other than its cells: line wrapping or shell marks".to_owned()
    } else {
        lines.join("\n")
    }
}
