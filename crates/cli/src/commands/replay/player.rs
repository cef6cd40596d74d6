//! Playback state: the current moment, and whether it advances by itself.
//!
//! It depends neither on the terminal nor on the clock: the caller passes keys and the time, and
//! asks for the current frame and for the time of the next one.

use std::time::Duration;

use super::playable::{Playable, ReplayMark};
use super::speed::Speed;

/// An action of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlayerCommand {
    /// Pauses or resumes; at the end, plays again from the start.
    Toggle,
    /// Moves by this many frames.
    Step(isize),
    /// Moves by this many seconds.
    Skip(i64),
    /// Moves to the next mark, or to the previous one.
    NextMark,
    PreviousMark,
    Start,
    End,
    Faster,
    Slower,
    /// Draws everything again.
    Redraw,
    Quit,
}

/// Number of frames that Up and Down move by.
pub(super) const FRAME_STEP: isize = 5;
/// Number of seconds that PageUp and PageDown move by.
pub(super) const SECOND_STEP: i64 = 10;

/// During playback, `[` skips a mark that was passed less than this time ago.
const JUST_PASSED: Duration = Duration::from_secs(1);

/// The playback state.
pub(super) struct ReplayPlayer<'a> {
    pub(super) played: &'a mut dyn Playable,
    speed: Speed,
    /// Position in the recording when playback started at `since`; while paused, the current
    /// position.
    at: Duration,
    /// When playback started, by the clock; `None` while paused.
    since: Option<Duration>,
}

impl<'a> ReplayPlayer<'a> {
    /// Starts playback at the current frame.
    pub(super) fn new(
        played: &'a mut dyn Playable,
        speed: Speed,
        now: Duration,
    ) -> ReplayPlayer<'a> {
        ReplayPlayer {
            at: played.time(),
            played,
            speed,
            since: Some(now),
        }
    }

    /// Returns the speed.
    pub(super) fn speed(&self) -> Speed {
        self.speed
    }

    /// Returns whether playback is paused.
    pub(super) fn is_paused(&self) -> bool {
        self.since.is_none()
    }

    /// Returns the moment of the recording.
    pub(super) fn moment(&self, now: Duration) -> Duration {
        let since = match (self.since, self.speed) {
            (None, _) | (_, Speed::AsFastAsPossible) => Duration::ZERO,
            (Some(since), speed) => speed.recorded_time(now.saturating_sub(since)),
        };
        self.at.saturating_add(since).min(self.played.duration())
    }

    /// Returns the last mark up to the current moment.
    pub(super) fn mark(&self, now: Duration) -> Option<&ReplayMark> {
        let moment = self.moment(now);
        let mut marks = self.played.marks().iter().rev();
        marks.find(|mark| mark.time <= moment)
    }

    /// Returns the time until the next frame or the end; `None` while paused.
    pub(super) fn time_to_next(&mut self, now: Duration) -> anyhow::Result<Option<Duration>> {
        if self.since.is_none() {
            return Ok(None);
        }
        let next = self.played.next_time()?;
        let next = next.unwrap_or_else(|| self.played.duration());
        Ok(Some(
            self.speed
                .playing_time(next.saturating_sub(self.moment(now))),
        ))
    }

    /// Advances to the frame that is due. Pauses at the end.
    pub(super) fn advance(&mut self, now: Duration) -> anyhow::Result<()> {
        while self.time_to_next(now)? == Some(Duration::ZERO) {
            if self.played.next_time()?.is_none() {
                self.pause_at(self.played.duration());
                break;
            }
            self.played.forward()?;
            // Show every frame at full speed; at other speeds, frames that are overdue are skipped.
            if self.speed == Speed::AsFastAsPossible {
                self.at = self.played.time();
                break;
            }
        }
        Ok(())
    }

    /// Performs an action. Returns false to quit.
    pub(super) fn perform(
        &mut self,
        command: PlayerCommand,
        now: Duration,
    ) -> anyhow::Result<bool> {
        let moment = self.moment(now);
        match command {
            PlayerCommand::Quit => return Ok(false),
            PlayerCommand::Redraw => {}
            PlayerCommand::Toggle => match self.since {
                Some(_) => self.pause_at(moment),
                None => {
                    if moment == self.played.duration() {
                        self.seek(Duration::ZERO, now)?;
                    }
                    self.since = Some(now);
                }
            },
            PlayerCommand::Step(frames) => {
                for _ in 0..frames.unsigned_abs() {
                    if frames > 0 {
                        self.played.forward()?;
                    } else {
                        self.played.back()?;
                    }
                }
                self.pause_at(self.played.time());
            }
            PlayerCommand::Skip(seconds) => {
                let skipped = Duration::from_secs(seconds.unsigned_abs());
                let to = if seconds > 0 {
                    moment.saturating_add(skipped)
                } else {
                    moment.saturating_sub(skipped)
                };
                self.seek(to, now)?;
            }
            PlayerCommand::NextMark => {
                let mut marks = self.played.marks().iter();
                if let Some(mark) = marks.find(|mark| mark.time > moment) {
                    self.seek(mark.time, now)?;
                }
            }
            PlayerCommand::PreviousMark => {
                let before = match self.since {
                    Some(_) => moment.saturating_sub(JUST_PASSED),
                    None => moment,
                };
                let mut marks = self.played.marks().iter().rev();
                let mark = marks.find(|mark| mark.time < before);
                self.seek(mark.map_or(Duration::ZERO, |mark| mark.time), now)?;
            }
            PlayerCommand::Start => self.seek(Duration::ZERO, now)?,
            PlayerCommand::End => {
                self.seek(Duration::MAX, now)?;
                self.pause_at(self.played.duration());
            }
            PlayerCommand::Faster => self.set_speed(self.speed.faster(), now),
            PlayerCommand::Slower => self.set_speed(self.speed.slower(), now),
        }
        Ok(true)
    }

    /// Moves to a moment. Keeps playing, or stays paused.
    fn seek(&mut self, moment: Duration, now: Duration) -> anyhow::Result<()> {
        self.at = moment.min(self.played.duration());
        self.since = self.since.map(|_| now);
        self.played.seek(self.at)
    }

    fn pause_at(&mut self, moment: Duration) {
        self.at = moment;
        self.since = None;
    }

    fn set_speed(&mut self, speed: Speed, now: Duration) {
        self.at = self.moment(now);
        self.since = self.since.map(|_| now);
        self.speed = speed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::replay::playable::ShownFrame;

    /// Ten frames, one second apart, an end one second after the last, and two marks.
    struct TenFrames {
        at: u64,
        marks: Vec<ReplayMark>,
    }

    impl TenFrames {
        fn new() -> TenFrames {
            let mark = |name: &str, time| ReplayMark {
                name: name.to_owned(),
                time: Duration::from_millis(time),
            };
            TenFrames {
                at: 0,
                marks: vec![mark("early", 2500), mark("late", 7000)],
            }
        }
    }

    impl Playable for TenFrames {
        fn frame(&self) -> ShownFrame {
            ShownFrame::default()
        }
        fn time(&self) -> Duration {
            Duration::from_secs(self.at)
        }
        fn next_time(&mut self) -> anyhow::Result<Option<Duration>> {
            Ok((self.at < 9).then(|| Duration::from_secs(self.at + 1)))
        }
        fn forward(&mut self) -> anyhow::Result<()> {
            self.at = (self.at + 1).min(9);
            Ok(())
        }
        fn back(&mut self) -> anyhow::Result<()> {
            self.at = self.at.saturating_sub(1);
            Ok(())
        }
        fn seek(&mut self, time: Duration) -> anyhow::Result<()> {
            self.at = time.as_secs().min(9);
            Ok(())
        }
        fn duration(&self) -> Duration {
            Duration::from_secs(10)
        }
        fn marks(&self) -> &[ReplayMark] {
            &self.marks
        }
        fn place(&self) -> Option<(usize, usize)> {
            None
        }
    }

    /// Returns the clock time `second` seconds after the start. The clock shows 100 at the start.
    fn at(second: u64) -> Duration {
        Duration::from_secs(100 + second)
    }

    fn secs(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// Advances and returns the second of the current frame.
    fn shown(player: &mut ReplayPlayer<'_>, second: u64) -> u64 {
        player.advance(at(second)).unwrap();
        player.played.time().as_secs()
    }

    const REAL: Speed = Speed::Times(1.0);

    #[test]
    fn frames_appear_at_their_times_and_the_last_one_stays() {
        let mut played = TenFrames::new();
        let mut player = ReplayPlayer::new(&mut played, REAL, at(0));
        assert_eq!(player.time_to_next(at(0)).unwrap(), Some(secs(1.0)));
        assert_eq!(shown(&mut player, 0), 0);
        assert_eq!(shown(&mut player, 3), 3);
        assert_eq!(shown(&mut player, 9), 9);
        // The program kept running for one second.
        assert_eq!(
            (player.is_paused(), player.moment(at(9))),
            (false, secs(9.0))
        );
        assert_eq!(shown(&mut player, 60), 9);
        assert_eq!(
            (player.is_paused(), player.moment(at(60))),
            (true, secs(10.0))
        );
        assert_eq!(player.time_to_next(at(99)).unwrap(), None);
        player.perform(PlayerCommand::Toggle, at(99)).unwrap();
        assert_eq!(shown(&mut player, 100), 1);
    }

    #[test]
    fn as_fast_as_possible_shows_every_frame() {
        let mut played = TenFrames::new();
        let mut player = ReplayPlayer::new(&mut played, Speed::AsFastAsPossible, at(0));
        for second in 1..=9 {
            assert_eq!(shown(&mut player, 0), second);
        }
        player.advance(at(0)).unwrap();
        assert!(player.is_paused());
    }

    #[test]
    fn pausing_keeps_the_moment() {
        let mut played = TenFrames::new();
        let mut player = ReplayPlayer::new(&mut played, REAL, at(0));
        assert_eq!(shown(&mut player, 2), 2);
        assert!(player.perform(PlayerCommand::Toggle, at(2)).unwrap());
        assert_eq!(shown(&mut player, 50), 2);
        assert_eq!(player.time_to_next(at(50)).unwrap(), None);
        player.perform(PlayerCommand::Toggle, at(50)).unwrap();
        assert_eq!(player.time_to_next(at(50)).unwrap(), Some(secs(1.0)));
        assert_eq!(shown(&mut player, 51), 3);
    }

    #[test]
    fn changing_the_speed_keeps_the_moment() {
        let mut played = TenFrames::new();
        let mut player = ReplayPlayer::new(&mut played, REAL, at(0));
        assert_eq!(shown(&mut player, 2), 2);
        player.perform(PlayerCommand::Faster, at(2)).unwrap();
        assert_eq!(player.moment(at(2)), secs(2.0));
        assert_eq!(player.time_to_next(at(2)).unwrap(), Some(secs(0.5)));
        assert_eq!(shown(&mut player, 4), 6);
        player.perform(PlayerCommand::Slower, at(4)).unwrap();
        player.perform(PlayerCommand::Slower, at(4)).unwrap();
        assert_eq!(player.time_to_next(at(4)).unwrap(), Some(secs(2.0)));
    }

    #[test]
    fn steps_pause_and_stay_within_the_recording() {
        let mut played = TenFrames::new();
        let mut player = ReplayPlayer::new(&mut played, REAL, at(0));
        for (step, frame) in [
            (1, 1),
            (FRAME_STEP, 6),
            (FRAME_STEP, 9),
            (-1, 8),
            (-FRAME_STEP, 3),
            (-FRAME_STEP, 0),
            (-1, 0),
        ] {
            player.perform(PlayerCommand::Step(step), at(0)).unwrap();
            assert_eq!(
                (player.played.time().as_secs(), player.is_paused()),
                (frame, true)
            );
        }
        assert!(player.perform(PlayerCommand::Redraw, at(0)).unwrap());
        assert!(!player.perform(PlayerCommand::Quit, at(0)).unwrap());
    }

    #[test]
    fn skips_move_by_seconds_and_to_marks_and_ends() {
        let mut played = TenFrames::new();
        let mut player = ReplayPlayer::new(&mut played, REAL, at(0));
        for (command, moment) in [
            (PlayerCommand::NextMark, 2.5),
            (PlayerCommand::NextMark, 7.0),
            (PlayerCommand::NextMark, 7.0),
            // Playback has only just passed the mark.
            (PlayerCommand::PreviousMark, 2.5),
            (PlayerCommand::PreviousMark, 0.0),
            (PlayerCommand::Skip(SECOND_STEP), 10.0),
            (PlayerCommand::Skip(-4), 6.0),
            (PlayerCommand::Start, 0.0),
            (PlayerCommand::End, 10.0),
            (PlayerCommand::PreviousMark, 7.0),
            (PlayerCommand::PreviousMark, 2.5),
        ] {
            player.perform(command, at(0)).unwrap();
            assert_eq!(player.moment(at(0)), secs(moment), "{command:?}");
        }
        assert_eq!(player.mark(at(0)).unwrap().name, "early");
        assert!(player.is_paused());
    }
}
