//! Encodes frames as full text or as differences.
//!
//! About once per second a full frame is written. The frames between contain changed lines. Some
//! readers apply these to the frame before, others to the last full frame. Therefore a line is
//! included if it differs from either, and both readers get the same screen.

use std::time::Duration;

use super::Direction;

/// How long frames may refer to the last full frame.
const WHOLE_INTERVAL: Duration = Duration::from_secs(1);

/// Encodes frames relative to the ones written before.
#[derive(Debug, Default)]
pub(super) struct FrameEncoder {
    whole: Vec<String>,
    last: Vec<String>,
    written: Option<Duration>,
}

impl FrameEncoder {
    /// Encodes a frame. Returns `None` if nothing has changed.
    pub(super) fn encode(&mut self, text: &str, now: Duration) -> Option<(Direction, String)> {
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        if self.written.is_some() && lines == self.last {
            return None;
        }
        let due = |written: Duration| now >= written.saturating_add(WHOLE_INTERVAL);
        if self.written.is_none_or(due) {
            self.written = Some(now);
            self.whole.clone_from(&lines);
            self.last = lines;
            return Some((Direction::Frame, text.to_owned()));
        }
        let count = lines.len().max(self.last.len()).max(self.whole.len());
        let line = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or_default();
        let changed: Vec<(usize, String)> = (0..count)
            .map(|index| (index, line(&lines, index)))
            .filter(|(index, now)| {
                *now != line(&self.last, *index) || *now != line(&self.whole, *index)
            })
            .collect();
        self.last = lines;
        let delta = serde_json::to_string(&changed).expect("numbers and texts can be written");
        Some((Direction::FrameDelta, delta))
    }
}

/// Applies a frame delta to the lines of a frame. Ignores everything that is not a changed line, as
/// other readers do.
pub fn apply_frame_delta(lines: &mut Vec<String>, delta: &str) {
    /// Larger than any screen. Without this limit, a delta could allocate arbitrary memory.
    const MAX_ROWS: usize = 2000;
    let Ok(changed) = serde_json::from_str::<Vec<serde_json::Value>>(delta) else {
        return;
    };
    for change in changed {
        let Ok((index, text)) = serde_json::from_value::<(usize, String)>(change) else {
            continue;
        };
        if index < MAX_ROWS {
            if lines.len() <= index {
                lines.resize(index + 1, String::new());
            }
            lines[index] = text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_apply_a_delta_give_the_same_screen() {
        let mut frames = FrameEncoder::default();
        let texts = [
            "a\nb\nc",
            "a\nB\nc",
            "a\nb\nC",
            "a",
            "",
            "x\ny\nz\nw",
            "x\ny\nz\nw",
            "a\nb\nc",
        ];
        let (mut whole, mut before) = (Vec::new(), Vec::new());
        let mut directions = String::new();
        for (tenth, text) in (0..).zip(texts.into_iter().cycle().take(30)) {
            let Some((direction, line)) = frames.encode(text, Duration::from_millis(100 * tenth))
            else {
                directions.push('.');
                continue;
            };
            let mut from_whole: Vec<String> = whole.clone();
            if direction == Direction::Frame {
                directions.push('F');
                whole = line.split('\n').map(str::to_owned).collect();
                before.clone_from(&whole);
                from_whole.clone_from(&whole);
            } else {
                directions.push('d');
                apply_frame_delta(&mut from_whole, &line);
                apply_frame_delta(&mut before, &line);
            }
            let shown = |lines: &[String]| lines.join("\n").trim_end().to_owned();
            assert_eq!(shown(&from_whole), text, "{line}");
            assert_eq!(shown(&before), text, "{line}");
        }
        assert_eq!(directions, "Fddddd.d.dFddd.d.dddFd.d.ddddd");
    }

    #[test]
    fn invalid_delta_changes_nothing() {
        let mut lines = vec!["a".to_owned()];
        for delta in [
            "",
            "{}",
            "[[99999999999,\"x\"]]",
            "[[1]]",
            "[[-1,\"x\"]]",
            "[5]",
            "[[0,7]]",
        ] {
            apply_frame_delta(&mut lines, delta);
            assert_eq!(lines, ["a"], "{delta}");
        }
        apply_frame_delta(&mut lines, "[[2,\"c\"],5,[0,\"b\"]]");
        assert_eq!(lines, ["b", "", "c"]);
    }
}
