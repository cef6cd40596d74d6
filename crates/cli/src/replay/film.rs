//! The frames of a recording of the server, each whole.
//!
//! Frames share the lines that do not change, so that an hour of a busy screen takes some megabytes.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use screentest_server::recording::{self, Direction, Event};

use super::label;
use super::playable::{Frame, Mark, Playable};
use crate::plain::shown;

/// What a recording shows, and where somebody is in it.
#[derive(Debug, Default)]
pub(super) struct Film {
    pub(super) shots: Vec<Shot>,
    at: usize,
}

/// One frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shot {
    /// Since the first frame.
    pub(super) time: Duration,
    pub(super) lines: Vec<Arc<str>>,
    /// What was typed since the one before, or if nothing was, what was typed last.
    pub(super) label: Option<Arc<str>>,
}

impl Film {
    /// The frames among the events.
    pub(super) fn of(events: &[Event]) -> Film {
        let mut shots: Vec<Shot> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        let mut label: Option<Arc<str>> = None;
        let mut typed: Vec<String> = Vec::new();
        let mut began = None;
        for event in events {
            match event.direction {
                Direction::Frame => {
                    lines = event.line.split('\n').map(str::to_owned).collect();
                }
                // Without a whole frame before it, nobody knows the rest.
                Direction::FrameDelta if shots.is_empty() => continue,
                Direction::FrameDelta => recording::apply_frame_delta(&mut lines, &event.line),
                Direction::Request => {
                    typed.extend(label::of(&event.line));
                    continue;
                }
                _ => continue,
            }
            if let Some(words) = label::joined(&mem::take(&mut typed)) {
                label = Some(shown(&words).into());
            }
            let time = Duration::from_micros(event.timestamp_micros);
            let before = shots.last();
            let shared = lines.iter().enumerate().map(|(row, line)| {
                let line = shown(line);
                let before = before.and_then(|shot| shot.lines.get(row));
                match before.filter(|before| ***before == *line) {
                    Some(before) => Arc::clone(before),
                    None => line.into(),
                }
            });
            let shot = Shot {
                time: time.saturating_sub(*began.get_or_insert(time)),
                lines: shared.collect(),
                label: label.clone(),
            };
            shots.push(shot);
        }
        Film { shots, at: 0 }
    }
}

impl Playable for Film {
    fn frame(&self) -> Frame {
        let Some(shot) = self.shots.get(self.at) else {
            return Frame::default();
        };
        Frame {
            lines: shot.lines.clone(),
            label: shot.label.clone(),
            ..Frame::default()
        }
    }

    fn time(&self) -> Duration {
        self.shots
            .get(self.at)
            .map_or(Duration::ZERO, |shot| shot.time)
    }

    fn next_time(&mut self) -> anyhow::Result<Option<Duration>> {
        Ok(self.shots.get(self.at + 1).map(|shot| shot.time))
    }

    fn forward(&mut self) -> anyhow::Result<()> {
        self.at = (self.at + 1).min(self.shots.len().saturating_sub(1));
        Ok(())
    }

    fn back(&mut self) -> anyhow::Result<()> {
        self.at = self.at.saturating_sub(1);
        Ok(())
    }

    fn seek(&mut self, time: Duration) -> anyhow::Result<()> {
        let behind = self.shots.partition_point(|shot| shot.time <= time);
        self.at = behind.saturating_sub(1);
        Ok(())
    }

    fn duration(&self) -> Duration {
        self.shots.last().map_or(Duration::ZERO, |shot| shot.time)
    }

    fn marks(&self) -> &[Mark] {
        &[]
    }

    fn place(&self) -> Option<(usize, usize)> {
        Some((self.at + 1, self.shots.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(events: &[(Direction, &str)]) -> Vec<(Vec<String>, Option<String>)> {
        let events: Vec<Event> = (1..)
            .zip(events)
            .map(|(second, (direction, line))| Event {
                direction: *direction,
                line: (*line).to_owned(),
                timestamp_micros: second * 1_000_000,
            })
            .collect();
        let shots = Film::of(&events).shots.into_iter();
        shots
            .map(|shot| {
                let lines = shot.lines.iter().map(|line| line.to_string()).collect();
                (lines, shot.label.map(|label| label.to_string()))
            })
            .collect()
    }

    #[test]
    fn deltas_are_applied_to_the_frame_before() {
        let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
        let key = r#"{"jsonrpc":"2.0","id":1,"method":"sendKey","params":{"key":"Enter"}}"#;
        let shots = film(&[
            (Direction::FrameDelta, "[[0,\"lost\"]]"),
            (Direction::Frame, "a\nb"),
            (Direction::Request, key),
            (Direction::FrameDelta, "[[1,\"B\"]]"),
            (Direction::FrameDelta, "garbage"),
            (Direction::Frame, "c"),
        ]);
        let entered = Some("Key: Enter".to_owned());
        assert_eq!(
            shots,
            [
                (lines("a\nb"), None),
                (lines("a\nB"), entered.clone()),
                (lines("a\nB"), entered.clone()),
                (lines("c"), entered),
            ]
        );
    }

    #[test]
    fn what_a_terminal_would_obey_is_not_shown() {
        let shots = film(&[(Direction::Frame, "a\u{1b}[2J\u{7}b\r")]);
        assert_eq!(shots[0].0, ["a\u{fffd}[2J\u{fffd}b\u{fffd}"]);
    }
}
