//! Computes when each frame of an animation begins.
//!
//! Frames have the times of a recording. Pauses are shortened, the speed is applied, and the result
//! is rounded to the ticks of the frame rate and then to the format's unit. Each time is computed
//! from the recording, not from the frame before, so rounding errors do not add up.

use std::time::Duration;

use screentest_core::{RecordingFrame, Screen};

use super::{
    AnimationError, AnimationFrame, AnimationOptions, FRAME_RATES, LoopOffset, MAX_BYTES,
    MAX_FRAMES, MAX_LENGTH, SPEEDS, looks_same, unshared_bytes,
};

/// Builds the frames of an animation from recorded frames.
pub(super) struct Schedule<'a> {
    options: &'a AnimationOptions,
    /// When the current screen was shown first and last.
    last: Option<LastChange>,
    /// The time of the recording at the last change, without the parts of pauses that were cut.
    played: Duration,
    /// The frames so far, each with its start in units.
    frames: Vec<TimedFrame>,
    bytes: usize,
}

struct LastChange {
    /// When the screen was first shown in the recording.
    since: Duration,
    /// When it was last known to be shown.
    seen: Duration,
}

struct TimedFrame {
    start: u64,
    screen: Screen,
    /// Memory that is not shared with the frame before.
    bytes: usize,
}

impl<'a> Schedule<'a> {
    pub(super) fn new(options: &'a AnimationOptions) -> Result<Schedule<'a>, AnimationError> {
        if !SPEEDS.contains(&options.speed) {
            return Err(AnimationError::Speed(options.speed));
        }
        if let Some(rate) = options
            .frame_rate
            .filter(|rate| !FRAME_RATES.contains(rate))
        {
            return Err(AnimationError::FrameRate(rate));
        }
        if let LoopOffset::Share(share) = options.loop_offset
            && !(0.0..=1.0).contains(&share)
        {
            return Err(AnimationError::LoopOffset(share));
        }
        Ok(Schedule {
            options,
            last: None,
            played: Duration::ZERO,
            frames: Vec::new(),
            bytes: 0,
        })
    }

    /// Adds the next recorded frame.
    pub(super) fn push(&mut self, frame: RecordingFrame) -> Result<(), AnimationError> {
        let time = match &mut self.last {
            None => frame.time,
            Some(last) => {
                last.seen = last.seen.max(frame.time);
                last.seen
            }
        };
        if self
            .frames
            .last()
            .is_some_and(|shown| looks_same(&shown.screen, &frame.screen))
        {
            return Ok(());
        }
        self.play();
        self.last = Some(LastChange {
            since: time,
            seen: time,
        });
        let start = self.units(self.on_tick(self.sped(self.played)?));
        self.show(start, frame.screen)
    }

    /// Ends the last frame and returns all frames of the animation.
    pub(super) fn finish(mut self) -> Result<Vec<AnimationFrame>, AnimationError> {
        self.play();
        let end = self.sped(self.played)?.saturating_add(self.options.hold);
        if end > MAX_LENGTH {
            return Err(AnimationError::TooLong);
        }
        let last = self.frames.last().ok_or(AnimationError::Empty)?.start;
        let end = self.units(end).max(last + self.least());
        let ends: Vec<u64> = self
            .frames
            .iter()
            .skip(1)
            .map(|shown| shown.start)
            .chain([end])
            .collect();
        let unit = self.unit();
        let frames = self.frames.into_iter().zip(ends);
        Ok(frames
            .map(|(shown, end)| AnimationFrame {
                screen: shown.screen,
                duration: Duration::from_nanos((end - shown.start) * unit),
            })
            .collect())
    }

    /// Advances to the time when the last screen was last known to be shown.
    fn play(&mut self) {
        if let Some(last) = &self.last {
            let pause = last.seen - last.since;
            self.played += self
                .options
                .idle_limit
                .map_or(pause, |limit| pause.min(limit));
        }
    }

    /// Converts a time of the recording to a time of the animation.
    fn sped(&self, time: Duration) -> Result<Duration, AnimationError> {
        let time = Duration::try_from_secs_f64(time.as_secs_f64() / self.options.speed);
        time.ok()
            .filter(|time| *time <= MAX_LENGTH)
            .ok_or(AnimationError::TooLong)
    }

    /// Returns the first tick of the frame rate that is not before a time.
    fn on_tick(&self, time: Duration) -> Duration {
        let Some(rate) = self.options.frame_rate else {
            return time;
        };
        const SECOND: u128 = 1_000_000_000;
        // Recordings are exact to a microsecond, so a time up to a microsecond after a tick counts
        // as on the tick.
        let tick = (time.as_nanos().saturating_sub(1000) * u128::from(rate)).div_ceil(SECOND);
        Duration::from_nanos((tick * SECOND / u128::from(rate)) as u64)
    }

    /// Rounds a time to units.
    fn units(&self, time: Duration) -> u64 {
        // Times are at most a day, so nanoseconds fit.
        (time.as_nanos() as u64 + self.unit() / 2) / self.unit()
    }

    fn unit(&self) -> u64 {
        (self.options.timing.unit.as_nanos() as u64).max(1)
    }

    /// Returns the minimum duration of a frame in units.
    fn least(&self) -> u64 {
        (self.options.timing.least.as_nanos() as u64)
            .div_ceil(self.unit())
            .max(1)
    }

    fn show(&mut self, start: u64, screen: Screen) -> Result<(), AnimationError> {
        let start = match self.frames.last() {
            None => start,
            // The frame before would never be visible.
            Some(last) if start <= last.start => {
                let start = last.start;
                self.bytes -= last.bytes;
                self.frames.pop();
                if self
                    .frames
                    .last()
                    .is_some_and(|shown| looks_same(&shown.screen, &screen))
                {
                    return Ok(());
                }
                start
            }
            Some(last) => start.max(last.start + self.least()),
        };
        if self.frames.len() >= MAX_FRAMES {
            return Err(AnimationError::TooManyFrames);
        }
        let bytes = unshared_bytes(&screen, self.frames.last().map(|shown| &shown.screen));
        self.bytes += bytes;
        if self.bytes > MAX_BYTES {
            return Err(AnimationError::TooLarge);
        }
        self.frames.push(TimedFrame {
            start,
            screen,
            bytes,
        });
        Ok(())
    }
}
