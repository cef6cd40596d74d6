//! Playing a cassette: what was shown at any moment, without the program.
//!
//! A player stands at a frame. It goes to a time, a mark or the next frame, and is asked what a session is asked: conditions, selectors, waits.
//! Time is the recording's own: a wait of ten seconds takes none. However large a cassette is, only what lies between a keyframe and the
//! moment is read.
//!
//! Elsewhere: finding a keyframe in a large file (`player/seek.rs`), all frames for a film (`player/frames.rs`).

use std::fmt;
use std::time::Duration;

use screentest_core::formats::cassette::derive::pinned;
use screentest_core::formats::cassette::frames::Shown;
use screentest_core::formats::cassette::{EventLine, FRAMES, FrameLine, FrameReader, LineError};
use screentest_core::{Condition, Screen};

use crate::clock::Clock;
use crate::format_duration::Elapsed;
use crate::recording::cassette::{Cassette, CassetteError};

mod frames;
mod seek;

pub use frames::Frames;
use seek::Track;

/// A place in a cassette.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moment {
    /// The first frame.
    Start,
    /// The last frame.
    End,
    /// What was shown so long after the start.
    Time(Duration),
    /// What was shown when the first mark of this name was set.
    Mark(String),
    /// What was shown when the thing of this number happened.
    Seq(u64),
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Start => f.write_str("the start"),
            Moment::End => f.write_str("the end"),
            Moment::Time(time) => Elapsed(*time).fmt(f),
            Moment::Mark(name) => write!(f, "mark `{name}`"),
            Moment::Seq(number) => write!(f, "number {number}"),
        }
    }
}

/// How fast a cassette is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// As fast as possible.
    Collapsed,
    /// As it was.
    Real,
    /// So many times as fast as it was.
    Scaled(f64),
}

impl Pace {
    /// How long it takes to play what took so long.
    pub(crate) fn of(self, elapsed: Duration) -> Duration {
        match self {
            Pace::Collapsed => Duration::ZERO,
            Pace::Real => elapsed,
            // A pace that is no number, or none, would be no pace at all.
            Pace::Scaled(times) if times.is_finite() && times > 0.0 => {
                Duration::try_from_secs_f64(elapsed.as_secs_f64() / times).unwrap_or(elapsed)
            }
            Pace::Scaled(_) => elapsed,
        }
    }
}

/// Plays a cassette.
#[derive(Debug)]
pub struct Player<'a> {
    cassette: &'a Cassette,
    track: Track,
    reader: FrameReader,
    events: Vec<EventLine>,
    /// Where it stands; `None` before the first frame.
    now: Option<(Shown, Screen)>,
    /// Where the next line begins.
    next: u64,
    /// The next line and where the one behind it begins, once somebody has looked.
    ahead: Option<(FrameLine, u64)>,
}

/// Why a player does not show what was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The cassette is not one that can be played.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// Nothing was shown by then.
    #[error("nothing was shown yet at {moment}")]
    Nothing {
        /// When.
        moment: String,
    },
    /// No mark has this name.
    #[error("the cassette has no mark `{name}`; it has {known}")]
    NoMark {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// It was not shown in time.
    #[error(
        "{condition} was not shown within {within:?} from {from:?}; the last screen was:\n{last}"
    )]
    NotShown {
        /// What was waited for.
        condition: Box<Condition>,
        /// For how long.
        within: Duration,
        /// From when on.
        from: Duration,
        /// What was shown last.
        last: String,
    },
}

impl<'a> Player<'a> {
    /// A player before the first frame. Frames that another emulator derived are not played: see [`Player::of_any_emulator`].
    pub fn new(cassette: &'a Cassette) -> Result<Player<'a>, PlayError> {
        pinned(&cassette.manifest().terminal.emulator).map_err(CassetteError::Emulator)?;
        Player::of_any_emulator(cassette)
    }

    /// A player that shows the frames as they are kept, whatever derived them.
    pub fn of_any_emulator(cassette: &'a Cassette) -> Result<Player<'a>, PlayError> {
        Ok(Player {
            track: Track::new(cassette.file(FRAMES)?, cassette.path().join(FRAMES))?,
            reader: FrameReader::new(),
            events: cassette.events()?,
            cassette,
            now: None,
            next: 0,
            ahead: None,
        })
    }

    /// The cassette.
    pub fn cassette(&self) -> &Cassette {
        self.cassette
    }

    /// The marks by name, with their times, in their order.
    pub fn marks(&self) -> impl Iterator<Item = (&str, Duration)> {
        let events = self.events.iter();
        events.filter_map(|event| Some((event.mark.as_deref()?, event.t_ms.time())))
    }

    /// The first mark of this name, by its number and its time.
    pub(crate) fn mark(&self, name: &str) -> Option<(u64, Duration)> {
        let mut events = self.events.iter();
        let mark = events.find(|event| event.mark.as_deref() == Some(name))?;
        Some((mark.seq, mark.t_ms.time()))
    }

    /// The names of the marks, for a message.
    pub(crate) fn known_marks(&self) -> String {
        let known: Vec<String> = self.marks().map(|(name, _)| format!("`{name}`")).collect();
        match known.is_empty() {
            true => "none".to_owned(),
            false => known.join(", "),
        }
    }

    /// What is shown where it stands; `None` before the first frame.
    pub fn screen(&self) -> Option<&Screen> {
        self.now.as_ref().map(|(_, screen)| screen)
    }

    /// When that was shown.
    pub fn time(&self) -> Duration {
        self.shown()
            .map_or(Duration::ZERO, |shown| shown.time.time())
    }

    /// When that was shown, with its number and its place in the output.
    pub fn shown(&self) -> Option<Shown> {
        self.now.as_ref().map(|(shown, _)| *shown)
    }

    /// When the next frame was shown; `None` behind the last.
    pub fn next_time(&mut self) -> Result<Option<Duration>, PlayError> {
        if self.ahead.is_none() {
            self.ahead = self.track.line(self.next)?;
        }
        Ok(self.ahead.as_ref().map(|(line, _)| line.t_ms.time()))
    }

    /// The number of the next frame, and how much output it shows; `None` behind the last.
    pub(crate) fn next_place(&mut self) -> Result<Option<(u64, u64)>, PlayError> {
        self.next_time()?;
        Ok(self.ahead.as_ref().map(|(line, _)| (line.seq, line.at)))
    }

    /// Goes on to the next frame; `None` behind the last.
    pub fn forward(&mut self) -> Result<Option<&Screen>, PlayError> {
        if self.next_time()?.is_none() {
            return Ok(None);
        }
        self.take_ahead()?;
        Ok(self.screen())
    }

    /// Goes back to the frame before; `None` at the first, where it stays.
    pub fn back(&mut self) -> Result<Option<&Screen>, PlayError> {
        let Some(shown) = self.shown() else {
            return Ok(None);
        };
        match self.seek(&Moment::Seq(shown.seq.saturating_sub(1))) {
            Ok(_) => Ok(self.screen()),
            Err(PlayError::Nothing { .. }) => self.seek(&Moment::Start).map(|_| None),
            Err(error) => Err(error),
        }
    }

    /// Goes to a moment, forward or back, and gives what was shown then.
    pub fn seek(&mut self, moment: &Moment) -> Result<&Screen, PlayError> {
        let until: Box<dyn Fn(&FrameLine) -> bool> = match moment {
            Moment::Start => {
                self.go(0);
                self.forward()?;
                return self.stands(moment);
            }
            Moment::End => Box::new(|_| true),
            Moment::Time(time) => {
                let time = *time;
                Box::new(move |line| line.t_ms.time() <= time)
            }
            Moment::Seq(seq) => {
                let seq = *seq;
                Box::new(move |line| line.seq <= seq)
            }
            Moment::Mark(name) => {
                let (seq, _) = self.mark(name).ok_or_else(|| PlayError::NoMark {
                    name: name.clone(),
                    known: self.known_marks(),
                })?;
                Box::new(move |line| line.seq <= seq)
            }
        };
        self.now = None;
        self.go(self.track.keyframe(&*until)?);
        while self.next_time()?.is_some()
            && self.ahead.as_ref().is_some_and(|(line, _)| until(line))
        {
            self.take_ahead()?;
        }
        self.stands(moment)
    }

    /// Goes on until a screen is shown for which `condition` holds, that of now included, for at most `within` of the recording's time.
    pub fn wait_for(
        &mut self,
        condition: impl Into<Condition>,
        within: Duration,
    ) -> Result<&Screen, PlayError> {
        let condition = condition.into();
        let from = self.time();
        loop {
            if self.screen().is_some_and(|screen| condition.holds(screen)) {
                return self.stands(&Moment::Time(from));
            }
            let next = self.next_time()?;
            if next.is_none_or(|time| time > from.saturating_add(within)) {
                return Err(PlayError::NotShown {
                    condition: Box::new(condition),
                    within,
                    from,
                    last: self.screen().map(Screen::text).unwrap_or_default(),
                });
            }
            self.take_ahead()?;
        }
    }

    /// Plays from here to the end, and shows every frame when its time has come.
    pub fn play(
        &mut self,
        pace: Pace,
        clock: &Clock,
        mut show: impl FnMut(Shown, &Screen),
    ) -> Result<(), PlayError> {
        let began = clock.now();
        let from = self.time();
        while self.forward()?.is_some() {
            let Some((shown, screen)) = &self.now else {
                break;
            };
            let elapsed = shown.time.time().saturating_sub(from);
            let wait = pace
                .of(elapsed)
                .saturating_sub(clock.now().saturating_sub(began));
            if !wait.is_zero() {
                clock.pass(wait);
            }
            show(*shown, screen);
        }
        Ok(())
    }

    /// Has the line that begins here as the next.
    fn go(&mut self, next: u64) {
        self.next = next;
        self.ahead = None;
    }

    /// Goes on to the line that was looked at, if there is one.
    fn take_ahead(&mut self) -> Result<(), PlayError> {
        let Some((line, next)) = self.ahead.take() else {
            return Ok(());
        };
        let screen = self.reader.screen(&line).map_err(|problem| {
            let source = LineError { line: 0, problem };
            let file = FRAMES;
            CassetteError::Line { file, source }
        })?;
        self.now = Some((line.shown(), screen.clone()));
        self.next = next;
        Ok(())
    }

    fn stands(&self, moment: &Moment) -> Result<&Screen, PlayError> {
        self.screen().ok_or_else(|| PlayError::Nothing {
            moment: moment.to_string(),
        })
    }
}
