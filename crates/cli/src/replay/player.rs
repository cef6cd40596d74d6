//! Where a person is in a recording: which frame, and whether it goes on by itself.
//!
//! It knows neither the terminal nor the clock: it is told keys and the time, and says what is shown and until when.

use std::time::Duration;

use super::Speed;
use super::film::{Film, Shot};

/// What a person may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Pause, or play on.
    Toggle,
    /// So many frames forward, or back.
    Step(isize),
    /// Draw everything again.
    Redraw,
    Quit,
}

/// How many frames are skipped at once.
pub(super) const SKIP: isize = 5;

/// Where somebody is.
#[derive(Debug)]
pub(super) struct Player<'a> {
    film: &'a Film,
    speed: Speed,
    at: usize,
    /// The moment at which the first frame would have been shown, going on without a pause; `None` while it stands still.
    began: Option<Duration>,
}

impl<'a> Player<'a> {
    /// At the first frame of a film, which has one, playing.
    pub(super) fn new(film: &'a Film, speed: Speed, now: Duration) -> Player<'a> {
        Player {
            film,
            speed,
            at: 0,
            began: Some(now),
        }
    }

    /// What is shown.
    pub(super) fn shot(&self) -> &'a Shot {
        &self.film.shots[self.at]
    }

    /// Which frame that is, counted from 1, and of how many.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.at + 1, self.film.shots.len())
    }

    /// Whether it stands still.
    pub(super) fn is_paused(&self) -> bool {
        self.began.is_none()
    }

    /// How long until the next frame; `None` where only a person brings it.
    pub(super) fn due(&self, now: Duration) -> Option<Duration> {
        let began = self.began?;
        let next = self.film.shots.get(self.at + 1)?;
        Some(match self.speed {
            Speed::AsFastAsPossible => Duration::ZERO,
            Speed::RealTime => began.saturating_add(next.time).saturating_sub(now),
        })
    }

    /// Goes on to what is due. At the last frame it stands still.
    pub(super) fn go_on(&mut self, now: Duration) {
        while self.due(now) == Some(Duration::ZERO) {
            self.at += 1;
            // Each is shown, however quick; what the clock has passed is not.
            if self.speed == Speed::AsFastAsPossible {
                break;
            }
        }
        if self.at + 1 == self.film.shots.len() {
            self.began = None;
        }
    }

    /// Does what is asked; false when it is to end.
    pub(super) fn act(&mut self, action: Action, now: Duration) -> bool {
        match action {
            Action::Quit => return false,
            Action::Redraw => {}
            Action::Toggle => {
                let last = self.at + 1 == self.film.shots.len();
                self.began = match self.began {
                    Some(_) => None,
                    None if last => None,
                    None => Some(now.saturating_sub(self.shot().time)),
                };
            }
            Action::Step(frames) => {
                self.began = None;
                let last = self.film.shots.len() - 1;
                self.at = self.at.saturating_add_signed(frames).min(last);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film() -> Film {
        let shot = |second: u64| Shot {
            time: Duration::from_secs(second),
            lines: vec![second.to_string().into()],
            label: None,
        };
        Film {
            shots: (0..10).map(shot).collect(),
        }
    }

    /// A moment, so many seconds after the start, at which the clock said 100.
    fn at(second: u64) -> Duration {
        Duration::from_secs(100 + second)
    }

    #[test]
    fn frames_come_at_their_times_and_the_last_stays() {
        let film = film();
        let mut player = Player::new(&film, Speed::RealTime, at(0));
        assert_eq!(player.due(at(0)), Some(Duration::from_secs(1)));
        player.go_on(at(0));
        assert_eq!(player.place(), (1, 10));
        player.go_on(at(3));
        assert_eq!(player.place(), (4, 10));
        player.go_on(at(60));
        assert_eq!((player.place(), player.is_paused()), ((10, 10), true));
        assert_eq!(player.due(at(99)), None);
    }

    #[test]
    fn as_fast_as_possible_leaves_none_out() {
        let film = film();
        let mut player = Player::new(&film, Speed::AsFastAsPossible, at(0));
        for number in 2..=10 {
            player.go_on(at(0));
            assert_eq!(player.place(), (number, 10));
        }
        assert!(player.is_paused());
    }

    #[test]
    fn a_pause_takes_no_time_of_the_recording() {
        let film = film();
        let mut player = Player::new(&film, Speed::RealTime, at(0));
        player.go_on(at(2));
        assert!(player.act(Action::Toggle, at(2)));
        player.go_on(at(50));
        assert_eq!((player.place(), player.due(at(50))), ((3, 10), None));
        player.act(Action::Toggle, at(50));
        assert_eq!(player.due(at(50)), Some(Duration::from_secs(1)));
        player.go_on(at(51));
        assert_eq!(player.place(), (4, 10));
    }

    #[test]
    fn steps_stand_still_and_stay_inside() {
        let film = film();
        let mut player = Player::new(&film, Speed::RealTime, at(0));
        for (step, place) in [
            (1, 2),
            (SKIP, 7),
            (SKIP, 10),
            (-1, 9),
            (-SKIP, 4),
            (-SKIP, 1),
            (-1, 1),
        ] {
            player.act(Action::Step(step), at(0));
            assert_eq!((player.place().0, player.is_paused()), (place, true));
        }
        assert!(player.act(Action::Redraw, at(0)));
        assert!(!player.act(Action::Quit, at(0)));
    }
}
