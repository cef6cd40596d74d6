//! Plays the frames of a recording made with `recording.start`.
//!
//! Frames share the lines that do not change, so an hour of a busy screen takes a few megabytes.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use screentest_server::recording::{self, Direction, Event};

use super::input_label;
use super::playable::{Playable, ReplayMark, ShownFrame};
use crate::output::sanitize::replace_controls;

/// The frames and the current one.
#[derive(Debug, Default)]
pub(super) struct ServerRecording {
    pub(super) frames: Vec<RecordedFrame>,
    at: usize,
}

/// One frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordedFrame {
    /// Time since the first frame.
    pub(super) time: Duration,
    pub(super) lines: Vec<Arc<str>>,
    /// The input since the previous frame; if there was none, the last input.
    pub(super) label: Option<Arc<str>>,
}

impl ServerRecording {
    /// Reads the frames from the events.
    pub(super) fn new(events: &[Event]) -> ServerRecording {
        let mut frames: Vec<RecordedFrame> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        let mut label: Option<Arc<str>> = None;
        let mut typed: Vec<String> = Vec::new();
        let mut start = None;
        for event in events {
            match event.direction {
                Direction::Frame => {
                    lines = event.line.split('\n').map(str::to_owned).collect();
                }
                // A delta cannot be applied without a complete frame before it.
                Direction::FrameDelta if frames.is_empty() => continue,
                Direction::FrameDelta => recording::apply_frame_delta(&mut lines, &event.line),
                Direction::Request => {
                    typed.extend(input_label::of_request(&event.line));
                    continue;
                }
                _ => continue,
            }
            if let Some(text) = input_label::joined(&mem::take(&mut typed)) {
                label = Some(replace_controls(&text).into());
            }
            let time = Duration::from_micros(event.timestamp_micros);
            let previous = frames.last();
            let shared = lines.iter().enumerate().map(|(row, line)| {
                let line = replace_controls(line);
                let previous = previous.and_then(|frame| frame.lines.get(row));
                match previous.filter(|previous| ***previous == *line) {
                    Some(previous) => Arc::clone(previous),
                    None => line.into(),
                }
            });
            let frame = RecordedFrame {
                time: time.saturating_sub(*start.get_or_insert(time)),
                lines: shared.collect(),
                label: label.clone(),
            };
            frames.push(frame);
        }
        ServerRecording { frames, at: 0 }
    }
}

impl Playable for ServerRecording {
    fn frame(&self) -> ShownFrame {
        let Some(frame) = self.frames.get(self.at) else {
            return ShownFrame::default();
        };
        ShownFrame {
            lines: frame.lines.clone(),
            label: frame.label.clone(),
            ..ShownFrame::default()
        }
    }

    fn time(&self) -> Duration {
        self.frames
            .get(self.at)
            .map_or(Duration::ZERO, |frame| frame.time)
    }

    fn next_time(&mut self) -> anyhow::Result<Option<Duration>> {
        Ok(self.frames.get(self.at + 1).map(|frame| frame.time))
    }

    fn forward(&mut self) -> anyhow::Result<()> {
        self.at = (self.at + 1).min(self.frames.len().saturating_sub(1));
        Ok(())
    }

    fn back(&mut self) -> anyhow::Result<()> {
        self.at = self.at.saturating_sub(1);
        Ok(())
    }

    fn seek(&mut self, time: Duration) -> anyhow::Result<()> {
        let next = self.frames.partition_point(|frame| frame.time <= time);
        self.at = next.saturating_sub(1);
        Ok(())
    }

    fn duration(&self) -> Duration {
        self.frames
            .last()
            .map_or(Duration::ZERO, |frame| frame.time)
    }

    fn marks(&self) -> &[ReplayMark] {
        &[]
    }

    fn place(&self) -> Option<(usize, usize)> {
        Some((self.at + 1, self.frames.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames_of(events: &[(Direction, &str)]) -> Vec<(Vec<String>, Option<String>)> {
        let events: Vec<Event> = (1..)
            .zip(events)
            .map(|(second, (direction, line))| Event {
                direction: *direction,
                line: (*line).to_owned(),
                timestamp_micros: second * 1_000_000,
            })
            .collect();
        let frames = ServerRecording::new(&events).frames.into_iter();
        frames
            .map(|frame| {
                let lines = frame.lines.iter().map(|line| line.to_string()).collect();
                (lines, frame.label.map(|label| label.to_string()))
            })
            .collect()
    }

    #[test]
    fn deltas_apply_to_the_previous_frame() {
        let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
        let key = r#"{"jsonrpc":"2.0","id":1,"method":"sendKey","params":{"key":"Enter"}}"#;
        let frames = frames_of(&[
            (Direction::FrameDelta, "[[0,\"lost\"]]"),
            (Direction::Frame, "a\nb"),
            (Direction::Request, key),
            (Direction::FrameDelta, "[[1,\"B\"]]"),
            (Direction::FrameDelta, "garbage"),
            (Direction::Frame, "c"),
        ]);
        let entered = Some("Key: Enter".to_owned());
        assert_eq!(
            frames,
            [
                (lines("a\nb"), None),
                (lines("a\nB"), entered.clone()),
                (lines("a\nB"), entered.clone()),
                (lines("c"), entered),
            ]
        );
    }

    #[test]
    fn control_characters_are_replaced() {
        let frames = frames_of(&[(Direction::Frame, "a\u{1b}[2J\u{7}b\r")]);
        assert_eq!(frames[0].0, ["a\u{fffd}[2J\u{fffd}b\u{fffd}"]);
    }
}
