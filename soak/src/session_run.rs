//! A session from its start to its end, as a seed chooses.
//!
//! The choices are the seed's alone, so that a finding can be lived through again; when things happen is the machine's.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use screentest::core::Backend;
use screentest::{
    App, AutoWait, Cassette, InputOptions, Options, RecordOptions, Screen, Session, Size, WaitError,
};
use screentest_fixtures::random::Random;

use crate::actions;
use crate::cassette_checks;
use crate::counters::Counters;
use crate::program::{Behaviour, Program};
use crate::session_end::SessionEnd;

/// Much more than anything takes: a machine that is busy is not a program that hangs.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// What is chosen before it begins.
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

/// From when on it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recording {
    Never,
    FromTheStart,
    FromTheMiddle,
}

impl SessionRun {
    /// The life of a seed, in a folder of its own below this one.
    pub(crate) fn new(seed: u64, place: &Path) -> SessionRun {
        let mut random = Random::new(seed);
        let program = Program::any(&mut random);
        let size = size(&mut random, program.smallest);
        let endings = SessionEnd::of(program);
        SessionRun {
            seed,
            program,
            size,
            backend: random.pick(&[
                Backend::Alacritty,
                Backend::Alacritty,
                Backend::Alacritty,
                Backend::Avt,
            ]),
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

    /// Lives it. An error is a finding.
    pub(crate) fn run(mut self, counters: &mut Counters) -> Result<()> {
        self.run_steps(counters)
            .map_err(with_report)
            .with_context(|| format!("{self}; again: cargo xtask soak --life {}", self.seed))
    }

    fn run_steps(&mut self, counters: &mut Counters) -> Result<()> {
        counters.one("lives");
        let session = self.start()?;
        if !self.program.ready.is_empty() {
            session.wait_for(self.program.ready, TIMEOUT)?;
        }
        let middle = self.random.below(self.action_count);
        for number in 0..self.action_count {
            if number == middle && self.recording == Recording::FromTheMiddle {
                session.start_recording(RecordOptions::new(self.cassette()))?;
                counters.one("recordings begun in the middle");
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
        let record = (self.recording == Recording::FromTheStart)
            .then(|| RecordOptions::new(self.cassette()).keep_keys());
        let options = Options {
            size: self.size,
            backend: self.backend,
            record,
            // Programs that never read are typed to as well, and should not take seconds each time.
            input: InputOptions {
                auto_wait: AutoWait::UpTo(Duration::from_millis(100)),
                ..InputOptions::default()
            },
            ..Options::default()
        };
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

    /// Whatever was written beside the cassette while it was recorded is gone, as the program's folder is now.
    fn check_nothing_left(&self) -> Result<()> {
        for entry in fs::read_dir(&self.place)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.contains("cassette") {
                bail!("`{name}` is left");
            }
        }
        fs::remove_dir_all(&self.place)?;
        Ok(())
    }

    /// Whether it draws pages, for a terminal that shows each at once.
    fn shows_pages(&self) -> bool {
        self.program.behaviour == Behaviour::Pages && self.backend == Backend::Alacritty
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
            "life {}: {}, {cols}x{rows}, {:?}, recorded {:?}, {} deeds, {:?}",
            self.seed,
            self.program.name,
            self.backend,
            self.recording,
            self.action_count,
            self.session_end
        )
    }
}

/// A wait that failed tells what was there instead.
fn with_report(error: anyhow::Error) -> anyhow::Error {
    match error
        .downcast_ref::<WaitError>()
        .and_then(WaitError::report)
    {
        Some(report) => anyhow!("{error}\n{report}"),
        None => error,
    }
}

/// A size that is not smaller than this.
pub(crate) fn size(random: &mut Random, smallest: Size) -> Size {
    Size {
        cols: smallest.cols + random.below(80) as u16,
        rows: smallest.rows + random.below(40) as u16,
    }
}

/// A page is one letter throughout: two are a frame that nobody drew.
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

/// A program that the scheduler forgets within an update is shown as far as it got, and the cassette says so. From there to the next whole
/// page nothing is promised.
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
