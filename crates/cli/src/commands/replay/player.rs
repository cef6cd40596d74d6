//! Where a person is in what is played: which moment, and whether it goes on by itself.
//!
//! It knows neither the terminal nor the clock: it is told keys and the time, and says what is shown and until when.

use std::time::Duration;

use super::playable::{Mark, Playable};
use super::speed::Speed;

/// What a person may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Pause, or play on; from the end, play once more.
    Toggle,
    /// So many frames forward, or back.
    Step(isize),
    /// So many seconds forward, or back.
    Skip(i64),
    /// To the next moment that has a name, or to the one before.
    NextMark,
    LastMark,
    Start,
    End,
    Faster,
    Slower,
    /// Draw everything again.
    Redraw,
    Quit,
}

/// How many frames are passed over at once.
pub(super) const FRAMES: isize = 5;
/// How many seconds are.
pub(super) const SECONDS: i64 = 10;

/// Whoever goes back to a mark so soon behind it, while it plays, means the one before.
const JUST_PASSED: Duration = Duration::from_secs(1);

/// Where somebody is.
pub(super) struct Player<'a> {
    pub(super) played: &'a mut dyn Playable,
    speed: Speed,
    /// The moment of the recording, when it last began to play or stood still.
    at: Duration,
    /// Since when it plays, by the clock; `None` while it stands still.
    since: Option<Duration>,
}

impl<'a> Player<'a> {
    /// Where that stands, playing.
    pub(super) fn new(played: &'a mut dyn Playable, speed: Speed, now: Duration) -> Player<'a> {
        Player {
            at: played.time(),
            played,
            speed,
            since: Some(now),
        }
    }

    /// How fast it plays.
    pub(super) fn speed(&self) -> Speed {
        self.speed
    }

    /// Whether it stands still.
    pub(super) fn is_paused(&self) -> bool {
        self.since.is_none()
    }

    /// The moment of the recording.
    pub(super) fn moment(&self, now: Duration) -> Duration {
        let since = match (self.since, self.speed) {
            (None, _) | (_, Speed::AsFastAsPossible) => Duration::ZERO,
            (Some(since), speed) => speed.played(now.saturating_sub(since)),
        };
        self.at.saturating_add(since).min(self.played.duration())
    }

    /// The last moment that has a name, up to now.
    pub(super) fn mark(&self, now: Duration) -> Option<&Mark> {
        let moment = self.moment(now);
        let mut marks = self.played.marks().iter().rev();
        marks.find(|mark| mark.time <= moment)
    }

    /// How long until the next frame, or until the end; `None` where only a person brings anything.
    pub(super) fn due(&mut self, now: Duration) -> anyhow::Result<Option<Duration>> {
        if self.since.is_none() {
            return Ok(None);
        }
        let next = self.played.next_time()?;
        let next = next.unwrap_or_else(|| self.played.duration());
        Ok(Some(
            self.speed.takes(next.saturating_sub(self.moment(now))),
        ))
    }

    /// Goes on to what is due. At the end it stands still.
    pub(super) fn go_on(&mut self, now: Duration) -> anyhow::Result<()> {
        while self.due(now)? == Some(Duration::ZERO) {
            if self.played.next_time()?.is_none() {
                self.stand(self.played.duration());
                break;
            }
            self.played.forward()?;
            // Each is shown, however quick; what the clock has passed is not.
            if self.speed == Speed::AsFastAsPossible {
                self.at = self.played.time();
                break;
            }
        }
        Ok(())
    }

    /// Does what is asked; false when it is to end.
    pub(super) fn act(&mut self, action: Action, now: Duration) -> anyhow::Result<bool> {
        let moment = self.moment(now);
        match action {
            Action::Quit => return Ok(false),
            Action::Redraw => {}
            Action::Toggle => match self.since {
                Some(_) => self.stand(moment),
                None => {
                    if moment == self.played.duration() {
                        self.go(Duration::ZERO, now)?;
                    }
                    self.since = Some(now);
                }
            },
            Action::Step(frames) => {
                for _ in 0..frames.unsigned_abs() {
                    match frames > 0 {
                        true => self.played.forward()?,
                        false => self.played.back()?,
                    }
                }
                self.stand(self.played.time());
            }
            Action::Skip(seconds) => {
                let skipped = Duration::from_secs(seconds.unsigned_abs());
                let to = match seconds > 0 {
                    true => moment.saturating_add(skipped),
                    false => moment.saturating_sub(skipped),
                };
                self.go(to, now)?;
            }
            Action::NextMark => {
                let mut marks = self.played.marks().iter();
                if let Some(mark) = marks.find(|mark| mark.time > moment) {
                    self.go(mark.time, now)?;
                }
            }
            Action::LastMark => {
                let before = match self.since {
                    Some(_) => moment.saturating_sub(JUST_PASSED),
                    None => moment,
                };
                let mut marks = self.played.marks().iter().rev();
                let mark = marks.find(|mark| mark.time < before);
                self.go(mark.map_or(Duration::ZERO, |mark| mark.time), now)?;
            }
            Action::Start => self.go(Duration::ZERO, now)?,
            Action::End => {
                self.go(Duration::MAX, now)?;
                self.stand(self.played.duration());
            }
            Action::Faster => self.pace(self.speed.faster(), now),
            Action::Slower => self.pace(self.speed.slower(), now),
        }
        Ok(true)
    }

    /// Goes to a moment, and plays on from there if it plays.
    fn go(&mut self, moment: Duration, now: Duration) -> anyhow::Result<()> {
        self.at = moment.min(self.played.duration());
        self.since = self.since.map(|_| now);
        self.played.seek(self.at)
    }

    fn stand(&mut self, moment: Duration) {
        self.at = moment;
        self.since = None;
    }

    fn pace(&mut self, speed: Speed, now: Duration) {
        self.at = self.moment(now);
        self.since = self.since.map(|_| now);
        self.speed = speed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::playable::Frame;

    /// Ten frames, a second apart, an end a second behind the last, and two marks.
    struct Seconds {
        at: u64,
        marks: Vec<Mark>,
    }

    impl Seconds {
        fn new() -> Seconds {
            let mark = |name: &str, time| Mark {
                name: name.to_owned(),
                time: Duration::from_millis(time),
            };
            Seconds {
                at: 0,
                marks: vec![mark("early", 2500), mark("late", 7000)],
            }
        }
    }

    impl Playable for Seconds {
        fn frame(&self) -> Frame {
            Frame::default()
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
        fn marks(&self) -> &[Mark] {
            &self.marks
        }
        fn place(&self) -> Option<(usize, usize)> {
            None
        }
    }

    /// A moment, so many seconds after the start, at which the clock said 100.
    fn at(second: u64) -> Duration {
        Duration::from_secs(100 + second)
    }

    fn secs(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// The second of the frame that is shown once everything has come that is due by then.
    fn shown(player: &mut Player<'_>, second: u64) -> u64 {
        player.go_on(at(second)).unwrap();
        player.played.time().as_secs()
    }

    const REAL: Speed = Speed::Times(1.0);

    #[test]
    fn frames_come_at_their_times_and_the_last_stays() {
        let mut played = Seconds::new();
        let mut player = Player::new(&mut played, REAL, at(0));
        assert_eq!(player.due(at(0)).unwrap(), Some(secs(1.0)));
        assert_eq!(shown(&mut player, 0), 0);
        assert_eq!(shown(&mut player, 3), 3);
        assert_eq!(shown(&mut player, 9), 9);
        // The program was there a second longer.
        assert_eq!(
            (player.is_paused(), player.moment(at(9))),
            (false, secs(9.0))
        );
        assert_eq!(shown(&mut player, 60), 9);
        assert_eq!(
            (player.is_paused(), player.moment(at(60))),
            (true, secs(10.0))
        );
        assert_eq!(player.due(at(99)).unwrap(), None);
        player.act(Action::Toggle, at(99)).unwrap();
        assert_eq!(shown(&mut player, 100), 1);
    }

    #[test]
    fn as_fast_as_possible_leaves_none_out() {
        let mut played = Seconds::new();
        let mut player = Player::new(&mut played, Speed::AsFastAsPossible, at(0));
        for second in 1..=9 {
            assert_eq!(shown(&mut player, 0), second);
        }
        player.go_on(at(0)).unwrap();
        assert!(player.is_paused());
    }

    #[test]
    fn a_pause_takes_no_time_of_the_recording() {
        let mut played = Seconds::new();
        let mut player = Player::new(&mut played, REAL, at(0));
        assert_eq!(shown(&mut player, 2), 2);
        assert!(player.act(Action::Toggle, at(2)).unwrap());
        assert_eq!(shown(&mut player, 50), 2);
        assert_eq!(player.due(at(50)).unwrap(), None);
        player.act(Action::Toggle, at(50)).unwrap();
        assert_eq!(player.due(at(50)).unwrap(), Some(secs(1.0)));
        assert_eq!(shown(&mut player, 51), 3);
    }

    #[test]
    fn another_speed_goes_on_from_the_same_moment() {
        let mut played = Seconds::new();
        let mut player = Player::new(&mut played, REAL, at(0));
        assert_eq!(shown(&mut player, 2), 2);
        player.act(Action::Faster, at(2)).unwrap();
        assert_eq!(player.moment(at(2)), secs(2.0));
        assert_eq!(player.due(at(2)).unwrap(), Some(secs(0.5)));
        assert_eq!(shown(&mut player, 4), 6);
        player.act(Action::Slower, at(4)).unwrap();
        player.act(Action::Slower, at(4)).unwrap();
        assert_eq!(player.due(at(4)).unwrap(), Some(secs(2.0)));
    }

    #[test]
    fn steps_stand_still_and_stay_inside() {
        let mut played = Seconds::new();
        let mut player = Player::new(&mut played, REAL, at(0));
        for (step, frame) in [
            (1, 1),
            (FRAMES, 6),
            (FRAMES, 9),
            (-1, 8),
            (-FRAMES, 3),
            (-FRAMES, 0),
            (-1, 0),
        ] {
            player.act(Action::Step(step), at(0)).unwrap();
            assert_eq!(
                (player.played.time().as_secs(), player.is_paused()),
                (frame, true)
            );
        }
        assert!(player.act(Action::Redraw, at(0)).unwrap());
        assert!(!player.act(Action::Quit, at(0)).unwrap());
    }

    #[test]
    fn seconds_marks_and_ends_are_gone_to() {
        let mut played = Seconds::new();
        let mut player = Player::new(&mut played, REAL, at(0));
        for (action, moment) in [
            (Action::NextMark, 2.5),
            (Action::NextMark, 7.0),
            (Action::NextMark, 7.0),
            // It plays, and has only just passed it.
            (Action::LastMark, 2.5),
            (Action::LastMark, 0.0),
            (Action::Skip(SECONDS), 10.0),
            (Action::Skip(-4), 6.0),
            (Action::Start, 0.0),
            (Action::End, 10.0),
            (Action::LastMark, 7.0),
            (Action::LastMark, 2.5),
        ] {
            player.act(action, at(0)).unwrap();
            assert_eq!(player.moment(at(0)), secs(moment), "{action:?}");
        }
        assert_eq!(player.mark(at(0)).unwrap().name, "early");
        assert!(player.is_paused());
    }
}
