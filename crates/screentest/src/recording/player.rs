//! Plays a cassette: returns the screen at any moment, without running the program.
//!
//! A player has a current frame. It can move to a time, a mark or the next frame, and can evaluate
//! the same conditions, selectors and waits as a session. Times are those of the recording: a wait
//! of ten seconds takes no real time. To move to a moment, a player finds the last keyframe up to
//! that moment and reads only the frames from there on, however large the cassette is.
//!
//! See also: `player/seek.rs` (finds a keyframe in a large file), `player/frames.rs` (iterates over
//! all frames, for example for a video), `player/images.rs` (the content of images).

use std::fmt;
use std::time::Duration;

use screentest_core::formats::cassette::derive::pinned;
use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::formats::cassette::{EventLine, FRAMES, FrameLine, FrameReader};
use screentest_core::{Condition, Screen};

use crate::clock::Clock;
use crate::format_duration::Elapsed;
use crate::recording::cassette::{Cassette, CassetteError};

mod frames;
mod images;
mod seek;

pub use frames::PlayerFrames;
use images::ImageLoader;
use seek::FrameFile;

/// A position in a cassette.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moment {
    /// The first frame.
    Start,
    /// The last frame.
    End,
    /// The frame that was visible at this time after the start.
    Time(Duration),
    /// The frame that was visible when the first mark of this name was set.
    Mark(String),
    /// The frame that was visible at the event with this sequence number.
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

/// The speed of playing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// No delays.
    Collapsed,
    /// The recorded speed.
    Real,
    /// The recorded speed times this factor.
    Scaled(f64),
}

impl Pace {
    /// The time to wait for a recorded delay.
    pub(crate) fn of(self, elapsed: Duration) -> Duration {
        match self {
            Pace::Collapsed => Duration::ZERO,
            Pace::Real => elapsed,
            // Factors that are not positive and finite are ignored.
            Pace::Scaled(times) if times.is_finite() && times > 0.0 => {
                Duration::try_from_secs_f64(elapsed.as_secs_f64() / times).unwrap_or(elapsed)
            }
            Pace::Scaled(_) => elapsed,
        }
    }
}

/// A position in a cassette, with methods to move it.
#[derive(Debug)]
pub struct Player<'a> {
    cassette: &'a Cassette,
    frames: FrameFile,
    reader: FrameReader,
    events: Vec<EventLine>,
    /// The current frame; `None` before the first one.
    current: Option<(FrameTime, Screen)>,
    /// The offset of the next line.
    next: u64,
    /// The next line and the offset of the line after it, if it was read already.
    lookahead: Option<(FrameLine, u64)>,
    images: ImageLoader,
}

/// Why a player cannot show the requested screen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The cassette cannot be played.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// There was no frame yet at this moment.
    #[error("nothing was shown yet at {moment}")]
    NothingShown {
        /// The moment.
        moment: String,
    },
    /// No mark has this name.
    #[error("the cassette has no mark `{name}`; it has {known}")]
    NoMark {
        /// The name.
        name: String,
        /// The marks of the cassette.
        known: String,
    },
    /// The condition did not hold in time.
    #[error(
        "{condition} was not shown within {within:?} from {from:?}; the last screen was:\n{last}"
    )]
    NotShown {
        /// The condition.
        condition: Box<Condition>,
        /// The time limit.
        within: Duration,
        /// The start of the wait.
        from: Duration,
        /// The last screen, as text.
        last: String,
    },
}

impl<'a> Player<'a> {
    /// Makes a player that is before the first frame. Fails if the frames were derived by an
    /// emulator that this build does not have; see [`Player::of_any_emulator`].
    pub fn new(cassette: &'a Cassette) -> Result<Player<'a>, PlayError> {
        pinned(&cassette.manifest().terminal.emulator).map_err(CassetteError::from)?;
        Player::of_any_emulator(cassette)
    }

    /// Makes a player for the stored frames, whichever emulator derived them.
    pub fn of_any_emulator(cassette: &'a Cassette) -> Result<Player<'a>, PlayError> {
        Ok(Player {
            frames: FrameFile::new(cassette.file(FRAMES)?, cassette.path().join(FRAMES))?,
            reader: FrameReader::new(),
            events: cassette.events()?,
            cassette,
            current: None,
            next: 0,
            lookahead: None,
            images: ImageLoader::default(),
        })
    }

    /// The cassette.
    pub fn cassette(&self) -> &Cassette {
        self.cassette
    }

    /// The names and times of the marks, in order.
    pub fn marks(&self) -> impl Iterator<Item = (&str, Duration)> {
        let events = self.events.iter();
        events.filter_map(|event| Some((event.mark.as_deref()?, event.t_ms.time())))
    }

    /// The sequence number and the time of the first mark of this name.
    pub(crate) fn mark(&self, name: &str) -> Option<(u64, Duration)> {
        let mut events = self.events.iter();
        let mark = events.find(|event| event.mark.as_deref() == Some(name))?;
        Some((mark.seq, mark.t_ms.time()))
    }

    /// The names of the marks, for a message.
    pub(crate) fn known_marks(&self) -> String {
        let known: Vec<String> = self.marks().map(|(name, _)| format!("`{name}`")).collect();
        if known.is_empty() {
            "none".to_owned()
        } else {
            known.join(", ")
        }
    }

    /// The current screen; `None` before the first frame.
    pub fn screen(&self) -> Option<&Screen> {
        self.current.as_ref().map(|(_, screen)| screen)
    }

    /// The current screen with the content of its images, to draw it; `None` before the first
    /// frame. A stored frame has only the hashes of its images. Their content is derived from the
    /// output with the emulator that derived the frames; without it, they have none.
    pub fn screen_with_images(&mut self) -> Option<Screen> {
        let (shown, screen) = self.current.as_ref()?;
        Some(self.images.fill(self.cassette, *shown, screen.clone()))
    }

    /// The time of the current frame.
    pub fn time(&self) -> Duration {
        self.shown()
            .map_or(Duration::ZERO, |shown| shown.time.time())
    }

    /// The time, sequence number and output offset of the current frame.
    pub fn shown(&self) -> Option<FrameTime> {
        self.current.as_ref().map(|(shown, _)| *shown)
    }

    /// The time of the next frame; `None` after the last.
    pub fn next_time(&mut self) -> Result<Option<Duration>, PlayError> {
        if self.lookahead.is_none() {
            self.lookahead = self.frames.line(self.next)?;
        }
        Ok(self.lookahead.as_ref().map(|(line, _)| line.t_ms.time()))
    }

    /// The sequence number of the next frame and the amount of output before it; `None` after the
    /// last.
    #[doc(hidden)]
    pub fn next_position(&mut self) -> Result<Option<(u64, u64)>, PlayError> {
        self.next_time()?;
        Ok(self.lookahead.as_ref().map(|(line, _)| (line.seq, line.at)))
    }

    /// Moves to the next frame; `None` after the last.
    pub fn forward(&mut self) -> Result<Option<&Screen>, PlayError> {
        if self.next_time()?.is_none() {
            return Ok(None);
        }
        self.use_lookahead()?;
        Ok(self.screen())
    }

    /// Moves to the previous frame; `None` at the first, which stays the current frame.
    pub fn back(&mut self) -> Result<Option<&Screen>, PlayError> {
        let Some(shown) = self.shown() else {
            return Ok(None);
        };
        match self.seek(&Moment::Seq(shown.seq.saturating_sub(1))) {
            Ok(_) => Ok(self.screen()),
            Err(PlayError::NothingShown { .. }) => self.seek(&Moment::Start).map(|_| None),
            Err(error) => Err(error),
        }
    }

    /// Moves to a moment, forward or back, and returns its screen.
    pub fn seek(&mut self, moment: &Moment) -> Result<&Screen, PlayError> {
        let until: Box<dyn Fn(&FrameLine) -> bool> = match moment {
            Moment::Start => {
                self.set_offset(0);
                self.forward()?;
                return self.require_screen(moment);
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
        self.current = None;
        self.set_offset(self.frames.keyframe(&*until)?);
        while self.next_time()?.is_some()
            && self.lookahead.as_ref().is_some_and(|(line, _)| until(line))
        {
            self.use_lookahead()?;
        }
        self.require_screen(moment)
    }

    /// Moves forward until `condition` holds, for at most `within` of the recording's time. The
    /// current screen counts too.
    pub fn wait_for(
        &mut self,
        condition: impl Into<Condition>,
        within: Duration,
    ) -> Result<&Screen, PlayError> {
        let condition = condition.into();
        let from = self.time();
        loop {
            if self.screen().is_some_and(|screen| condition.holds(screen)) {
                return self.require_screen(&Moment::Time(from));
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
            self.use_lookahead()?;
        }
    }

    /// Plays all later frames: calls `show` with each when it is due.
    pub fn play(
        &mut self,
        pace: Pace,
        clock: &Clock,
        mut show: impl FnMut(FrameTime, &Screen),
    ) -> Result<(), PlayError> {
        let began = clock.now();
        let from = self.time();
        while self.forward()?.is_some() {
            let Some((shown, screen)) = &self.current else {
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

    /// Sets the offset of the next line.
    fn set_offset(&mut self, next: u64) {
        self.next = next;
        self.lookahead = None;
    }

    /// Makes the frame that was read ahead, if any, the current one.
    fn use_lookahead(&mut self) -> Result<(), PlayError> {
        let Some((line, next)) = self.lookahead.take() else {
            return Ok(());
        };
        let screen = match self.reader.screen(&line) {
            Ok(screen) => screen,
            Err(problem) => return Err(self.frames.line_error(self.next, problem).into()),
        };
        self.current = Some((line.shown(), screen.clone()));
        self.next = next;
        Ok(())
    }

    fn require_screen(&self, moment: &Moment) -> Result<&Screen, PlayError> {
        self.screen().ok_or_else(|| PlayError::NothingShown {
            moment: moment.to_string(),
        })
    }
}
