//! Runs one session from start to end, as determined by a seed.
//!
//! All choices depend only on the seed, so that a finding can be repeated; the timing depends on
//! the machine.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use screentest::core::Backend;
use screentest::recording::{Cassette, RecordOptions};
use screentest::session::{InputOptions, SessionOptions, WaitError};
use screentest::{App, AutoWait, Screen, Session, Size};
use screentest_fixtures::random::Random;

use crate::actions;
use crate::cassette_checks;
use crate::counters::Counters;
use crate::program::{Behaviour, Program};
use crate::session_end::SessionEnd;

/// Much longer than any step takes, so that a busy machine is not mistaken for a program that
/// hangs.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// The choices made before the start.
pub(crate) struct SessionRun {
    seed: u64,
    program: &'static Program,
    size: Size,
    backend: Backend,
    hermetic: bool,
    recording: Recording,
    action_count: usize,
    session_end: SessionEnd,
    random: Random,
    place: PathBuf,
}

/// When the recording of the session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recording {
    Never,
    FromTheStart,
    FromTheMiddle,
}

impl SessionRun {
    /// Makes the choices for a seed; the session gets its own folder below `place`.
    pub(crate) fn new(seed: u64, place: &Path) -> SessionRun {
        let mut random = Random::new(seed);
        let program = Program::any(&mut random);
        let size = size(&mut random, program.smallest);
        let endings = SessionEnd::of(program);
        SessionRun {
            seed,
            program,
            size,
            backend: random.pick(&[Backend::Vt, Backend::Vt, Backend::Vt, Backend::Avt]),
            hermetic: random.one_in(4),
            recording: match program.behaviour {
                Behaviour::Endless => Recording::Never,
                _ => random.pick(&[
                    Recording::Never,
                    Recording::FromTheStart,
                    Recording::FromTheStart,
                    Recording::FromTheMiddle,
                ]),
            },
            action_count: 2 + random.below(12),
            session_end: random.pick(&endings),
            place: place.join(seed.to_string()),
            random,
        }
    }

    /// Runs the session. An error is a finding.
    pub(crate) fn run(mut self, counters: &mut Counters) -> Result<()> {
        self.run_steps(counters)
            .map_err(with_report)
            .with_context(|| format!("{self}; to repeat: cargo xtask soak --life {}", self.seed))
    }

    fn run_steps(&mut self, counters: &mut Counters) -> Result<()> {
        counters.one("sessions");
        let session = self.start()?;
        if !self.program.ready.is_empty() {
            session.wait_for(self.program.ready, TIMEOUT)?;
        }
        let middle = self.random.below(self.action_count);
        for number in 0..self.action_count {
            if number == middle && self.recording == Recording::FromTheMiddle {
                session.start_recording(RecordOptions::new(self.cassette()))?;
                counters.one("recordings started mid-session");
            }
            actions::any(&session, self.program, &mut self.random, counters)?;
        }
        if self.shows_pages() {
            one_letter(&session.screen())?;
        }
        let last = self.session_end.perform(session, self.program, counters)?;
        if self.recording != Recording::Never {
            self.check_cassette(last.as_ref(), counters)?;
        }
        self.check_nothing_left()
    }

    fn start(&mut self) -> Result<Session> {
        let app: App = self.program.app(&mut self.random, &self.place)?;
        let app = if self.hermetic { app.hermetic() } else { app };
        let mut options = SessionOptions {
            size: self.size,
            backend: self.backend,
            // Programs that never read receive input as well, and should not take seconds each
            // time.
            input: InputOptions {
                auto_wait: AutoWait::UpTo(Duration::from_millis(100)),
                ..InputOptions::default()
            },
            ..SessionOptions::default()
        };
        if self.recording == Recording::FromTheStart {
            options = options.record(RecordOptions::new(self.cassette()).keep_keys());
        }
        Ok(Session::start(&app, options)?)
    }

    fn check_cassette(&mut self, last: Option<&Screen>, counters: &mut Counters) -> Result<()> {
        let path = self.cassette();
        let cassette = Cassette::open(&path)?;
        cassette_checks::verify(&cassette, counters)?;
        if let Some(last) = last {
            cassette_checks::ends_with(&cassette, last)?;
        }
        if self.shows_pages() {
            cassette_of_pages(&cassette, counters)?;
        }
        cassette_checks::play(&cassette, self.backend, &mut self.random, counters)?;
        drop(cassette);
        fs::remove_dir_all(path)?;
        Ok(())
    }

    /// Checks that temporary files of the recording are gone, and removes the folder.
    fn check_nothing_left(&self) -> Result<()> {
        for entry in fs::read_dir(&self.place)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.contains("cassette") {
                bail!("`{name}` was not removed");
            }
        }
        fs::remove_dir_all(&self.place)?;
        Ok(())
    }

    /// Whether the program draws pages, and the backend supports synchronized updates.
    fn shows_pages(&self) -> bool {
        self.program.behaviour == Behaviour::Pages && self.backend == Backend::Vt
    }

    fn cassette(&self) -> PathBuf {
        self.place.join("life.cassette")
    }
}

impl fmt::Display for SessionRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { cols, rows } = self.size;
        write!(
            f,
            "session {}: {}, {cols}x{rows}, {:?}, recording {:?}, {} actions, {:?}",
            self.seed,
            self.program.name,
            self.backend,
            self.recording,
            self.action_count,
            self.session_end
        )
    }
}

/// Adds the report of a failed wait to its error.
fn with_report(error: anyhow::Error) -> anyhow::Error {
    match error
        .downcast_ref::<WaitError>()
        .and_then(WaitError::report)
    {
        Some(report) => anyhow!("{error}\n{report}"),
        None => error,
    }
}

/// Returns a random size that is not smaller than a minimum.
pub(crate) fn size(random: &mut Random, smallest: Size) -> Size {
    Size {
        cols: smallest.cols + random.below(80) as u16,
        rows: smallest.rows + random.below(40) as u16,
    }
}

/// Checks that a page consists of one letter; two letters mean a torn frame.
fn one_letter(screen: &Screen) -> Result<()> {
    let text = screen.text();
    let mut letters: Vec<char> = text.chars().filter(char::is_ascii_lowercase).collect();
    letters.sort_unstable();
    letters.dedup();
    if letters.len() > 1 {
        bail!("a torn frame, of {letters:?}:\n{text}");
    }
    Ok(())
}

/// Checks that no frame is torn. A program that is suspended within an update for too long is shown
/// unfinished, and the cassette says so; from there to the next whole page, torn frames are
/// allowed.
fn cassette_of_pages(cassette: &Cassette, counters: &mut Counters) -> Result<()> {
    let mut torn = None;
    let mut late = false;
    cassette.derive_frames(|shown, screen| {
        if shown.unfinished {
            counters.one("updates that took too long");
            late = true;
        }
        match one_letter(screen) {
            Ok(()) => late = shown.unfinished,
            Err(error) if !late && torn.is_none() => {
                torn = Some(error.context(format!("at {}", shown.time)));
            }
            Err(_) => {}
        }
    })?;
    torn.map_or(Ok(()), Err)
}
