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
use serde::de::DeserializeOwned;

use super::error::CassetteError;
use super::iter::Walk;
use super::open::{Cassette, unread, wrong};
use super::order::Order;

/// A size that can be read within a fraction of a second even on an old machine.
const QUICK: u64 = 64 << 20;

/// Counts of a verified cassette.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Bytes of output.
    pub output: u64,
    /// Frames; all of them match what the emulator derives.
    pub frames: usize,
    /// Inputs of the program.
    pub inputs: usize,
    /// Events of the caller.
    pub events: usize,
    /// Whether the recording is complete, or how much is missing.
    pub status: RecordingStatus,
    /// Whether the recording says how the program ended.
    pub ended: bool,
}

/// A frame for which another emulator derives a different screen.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Difference {
    /// When it was shown.
    pub shown: FrameTime,
    /// The screen in the cassette.
    pub kept: Screen,
    /// The screen that the other emulator derives.
    pub derived: Screen,
}

impl Cassette {
    /// Compares every digest, checks the order of all streams, and derives every frame again.
    pub fn verify(&self) -> Result<Verified, CassetteError> {
        self.verify_digests()?;
        let (inputs, events) = self.verify_order()?;
        let deriver =
            Deriver::pinned(&self.manifest().terminal).map_err(CassetteError::Emulator)?;
        let emulator = self.manifest().terminal.emulator.to_string();
        let mut frames = 0;
        self.derive(deriver, |shown, kept, derived| {
            let last = shown.seq == self.ending().seq;
            frames += usize::from(!last);
            if kept == derived {
                return Ok(());
            }
            if last {
                return Err(CassetteError::Last {
                    emulator: emulator.clone(),
                    difference: difference(kept, derived),
                });
            }
            Err(CassetteError::Frame {
                seq: shown.seq,
                time: shown.time,
                emulator: emulator.clone(),
                difference: difference(kept, derived),
            })
        })?;
        Ok(Verified {
            output: self.output_len(),
            frames,
            inputs,
            events,
            status: self.manifest().status.clone(),
            ended: self.ending().ended(),
        })
    }

    /// Derives every frame with another emulator and returns the first `most` frames that differ.
    /// This cannot tell a difference between emulators from a changed cassette: call
    /// [`Cassette::verify_digests`] for that.
    pub fn compare(&self, backend: Backend, most: usize) -> Result<Vec<Difference>, CassetteError> {
        let deriver = Deriver::with(&self.manifest().terminal, backend);
        let deriver = deriver.map_err(CassetteError::Emulator)?;
        let mut differences = Vec::new();
        self.derive(deriver, |shown, kept, derived| {
            // The last screen equals that of a frame, or has changes that no frame shows.
            let last = shown.seq == self.ending().seq;
            if kept != derived && !last && differences.len() < most {
                differences.push(Difference {
                    shown,
                    kept: kept.clone(),
                    derived: derived.clone(),
                });
            }
            Ok(())
        })?;
        Ok(differences)
    }

    /// Derives every frame from the output with the pinned emulator, without reading the stored
    /// frames.
    pub fn derive_frames(
        &self,
        mut tell: impl FnMut(FrameTime, &Screen),
    ) -> Result<(), CassetteError> {
        let deriver =
            Deriver::pinned(&self.manifest().terminal).map_err(CassetteError::Emulator)?;
        let raw_path = self.path().join(format::OUTPUT_RAW);
        let raw = self.output()?;
        let mut walk = Walk::new(deriver, self.resizes()?);
        let mut failed = None;
        self.each(format::FRAMES, |moment: FrameMoment| {
            let shown = moment.shown();
            match walk.screen(&raw, &shown) {
                Ok(screen) => tell(shown, &screen),
                Err(error) => failed = failed.take().or(Some(error)),
            }
            Ok(())
        })?;
        match failed {
            Some(error) => Err(unread(&raw_path)(error)),
            None => Ok(()),
        }
    }

    /// Compares the digest of every file.
    pub fn verify_digests(&self) -> Result<(), CassetteError> {
        for name in self.manifest().files.keys() {
            self.verify_digest(name)?;
        }
        Ok(())
    }

    /// Compares the digest of the frames before they are shown. Skips files of more than 64 MiB, so
    /// that a large cassette opens at once; [`Cassette::verify`] checks those.
    pub fn verify_frames_digest(&self) -> Result<(), CassetteError> {
        let facts = self.manifest().files.get(format::FRAMES);
        if facts.is_some_and(|facts| facts.bytes <= QUICK) {
            self.verify_digest(format::FRAMES)
        } else {
            Ok(())
        }
    }

    fn verify_digest(&self, name: &str) -> Result<(), CassetteError> {
        let mut buffer = vec![0; 1 << 20];
        if let Some(facts) = self.manifest().files.get(name) {
            let path = self.path().join(name);
            let mut file = self.file(name)?;
            let mut digester = Digester::default();
            loop {
                match file.read(&mut buffer).map_err(unread(&path))? {
                    0 => break,
                    count => digester.update(&buffer[..count]),
                }
            }
            let found = digester.finish();
            if found != facts.sha256 {
                return Err(CassetteError::Changed {
                    path,
                    told: facts.sha256,
                    found,
                });
            }
        }
        Ok(())
    }

    /// Checks that sequence numbers and times increase, that no number is used twice, and that
    /// output lines are contiguous.
    fn verify_order(&self) -> Result<(usize, usize), CassetteError> {
        let mut seqs = Vec::new();
        let mut end = 0;
        let mut latest = Millis::default();
        let mut order = Order::default();
        self.each(format::OUTPUT, |line: OutputLine| {
            if line.offset != end {
                return Err(format!(
                    "output from {} on, where {end} follows",
                    line.offset
                ));
            }
            end = line.end();
            seqs.push(line.seq);
            latest = latest.max(line.t_ms);
            order.next(line.seq, line.t_ms, 0)
        })?;
        let portrait = self.manifest().provenance.portrait_bytes.unwrap_or(0);
        if portrait > self.output_len() {
            let problem = format!(
                "`portrait_bytes` is {portrait}, but there are only {} bytes of output",
                self.output_len()
            );
            return Err(wrong(format::MANIFEST)(LineError { line: 0, problem }));
        }
        if end != self.output_len() {
            let problem = format!("times for {end} of {} bytes of output", self.output_len());
            return Err(wrong(format::OUTPUT)(LineError { line: 0, problem }));
        }
        let most = self.output_len();
        let within = |at: u64| {
            if at <= most {
                Ok(())
            } else {
                Err(format!(
                    "`at` is {at}, but there are only {most} bytes of output"
                ))
            }
        };
        let mut order = Order::default();
        let inputs = self.each(format::INPUT, |line: InputLine| {
            seqs.push(line.seq);
            latest = latest.max(line.t_ms);
            within(line.at)?;
            order.next(line.seq, line.t_ms, line.at)
        })?;
        let mut order = Order::default();
        let events = self.each(format::EVENTS, |line: EventLine| {
            seqs.push(line.seq);
            latest = latest.max(line.t_ms);
            within(line.at)?;
            order.next(line.seq, line.t_ms, line.at)
        })?;
        let mut order = Order::default();
        self.each(format::FRAMES, |line: FrameLine| {
            seqs.push(line.seq);
            latest = latest.max(line.t_ms);
            within(line.at)?;
            order.next(line.seq, line.t_ms, line.at)
        })?;
        seqs.sort_unstable();
        let (ending, newest) = (self.ending(), seqs.last().copied().unwrap_or(0));
        if ending.seq <= newest || ending.t_ms < latest {
            let problem = format!(
                "`seq` {} at {}, where `seq` {newest} and {latest} come before it",
                ending.seq, ending.t_ms
            );
            return Err(wrong(format::FINAL)(LineError { line: 1, problem }));
        }
        if let Some(twice) = seqs.windows(2).find(|pair| pair[0] == pair[1]) {
            let problem = format!("`seq` {} occurs twice", twice[0]);
            return Err(wrong(format::INPUT)(LineError { line: 0, problem }));
        }
        Ok((inputs, events))
    }

    fn each<T: DeserializeOwned>(
        &self,
        name: &'static str,
        mut tell: impl FnMut(T) -> Result<(), String>,
    ) -> Result<usize, CassetteError> {
        let mut stream = self.stream(name)?;
        let mut count = 0;
        while let Some(value) = stream.next()? {
            tell(value).map_err(|problem| stream.wrong(problem))?;
            count += 1;
        }
        Ok(count)
    }

    /// Derives every frame and then the last screen, and passes each to `tell` together with the
    /// stored one.
    fn derive(
        &self,
        deriver: Deriver,
        mut tell: impl FnMut(FrameTime, &Screen, &Screen) -> Result<(), CassetteError>,
    ) -> Result<(), CassetteError> {
        let raw_path = self.path().join(format::OUTPUT_RAW);
        let raw = self.output()?;
        let mut walk = Walk::new(deriver, self.resizes()?);
        let mut reader = FrameReader::new();
        let mut frames = self.stream::<FrameLine>(format::FRAMES)?;
        while let Some(frame) = frames.next()? {
            let kept = reader.screen(&frame);
            let kept = kept.map_err(|problem| frames.wrong(problem))?;
            let shown = frame.shown();
            let derived = walk.screen(&raw, &shown).map_err(unread(&raw_path))?;
            tell(shown, kept, &derived)?;
        }
        let ending = self.ending();
        let kept = ending.screen().map_err(wrong(format::FINAL))?;
        let shown = FrameTime {
            seq: ending.seq,
            time: ending.t_ms,
            at: self.output_len(),
            unfinished: false,
        };
        let derived = walk.screen(&raw, &shown).map_err(unread(&raw_path))?;
        tell(shown, &kept, &derived)
    }
}

impl fmt::Display for Difference {
    /// The differences, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&difference(&self.kept, &self.derived))
    }
}

/// Describes how two screens differ, for people: visible differences or, if there are none, other
/// state.
pub(crate) fn difference(kept: &Screen, derived: &Screen) -> String {
    let diff = Diff::between(kept, derived);
    if !diff.is_empty() {
        return diff.to_string().trim_end().to_owned();
    }
    let mut told = Vec::new();
    if kept.working_directory != derived.working_directory {
        let (kept, derived) = (&kept.working_directory, &derived.working_directory);
        told.push(format!("working directory: {kept:?}, now {derived:?}"));
    }
    if kept.scrollback_rows != derived.scrollback_rows {
        let (kept, derived) = (kept.scrollback_rows, derived.scrollback_rows);
        told.push(format!("rows scrolled out: {kept}, now {derived}"));
    }
    if kept.modes != derived.modes {
        let fields = |modes: &Modes| -> Vec<String> {
            let told = format!("{modes:#?}");
            told.lines().map(|line| line.trim().to_owned()).collect()
        };
        let (kept, derived) = (fields(&kept.modes), fields(&derived.modes));
        let changed = kept.iter().zip(&derived).filter(|(old, new)| old != new);
        told.extend(changed.map(|(old, new)| {
            let [old, new] = [old, new].map(|field| field.trim_end_matches(','));
            let value = new.split_once(": ").map_or(new, |(_, value)| value);
            format!("mode {old}, now {value}")
        }));
    }
    if told.is_empty() {
        "attributes of a row other than its cells: line wrapping or shell marks".to_owned()
    } else {
        told.join("\n")
    }
}
