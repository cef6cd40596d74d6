//! Which frames are written whole, and what differs in the others.
//!
//! About every second a frame stands whole. The others list lines, and readers take them in one of two ways: as changes to the
//! frame before, or as changes to the last whole one. So a line is listed when it differs from either, and both ways lead to the
//! same screen.

use std::time::Duration;

use super::Direction;

/// How long the frames after a whole one may refer to it.
const WHOLE_EVERY: Duration = Duration::from_secs(1);

/// The frames that were written last.
#[derive(Debug, Default)]
pub(super) struct Frames {
    whole: Vec<String>,
    last: Vec<String>,
    written: Option<Duration>,
}

impl Frames {
    /// What to write of a frame, if anything.
    pub(super) fn next(&mut self, text: &str, now: Duration) -> Option<(Direction, String)> {
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        if self.written.is_some() && lines == self.last {
            return None;
        }
        let due = |written: Duration| now >= written.saturating_add(WHOLE_EVERY);
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

/// Applies what a delta lists to the lines of a frame. What is no list of lines changes nothing, as other readers have it.
pub fn apply(lines: &mut Vec<String>, delta: &str) {
    /// No screen has more rows; a delta that names others would take memory for nothing.
    const MOST: usize = 2000;
    let Ok(changed) = serde_json::from_str::<Vec<serde_json::Value>>(delta) else {
        return;
    };
    for change in changed {
        let Ok((index, text)) = serde_json::from_value::<(usize, String)>(change) else {
            continue;
        };
        if index < MOST {
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
    fn both_ways_to_read_a_delta_lead_to_the_same_screen() {
        let mut frames = Frames::default();
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
            let Some((direction, line)) = frames.next(text, Duration::from_millis(100 * tenth))
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
                apply(&mut from_whole, &line);
                apply(&mut before, &line);
            }
            let shown = |lines: &[String]| lines.join("\n").trim_end().to_owned();
            assert_eq!(shown(&from_whole), text, "{line}");
            assert_eq!(shown(&before), text, "{line}");
        }
        assert_eq!(directions, "Fddddd.d.dFddd.d.dddFd.d.ddddd");
    }

    #[test]
    fn what_is_no_delta_changes_nothing_and_takes_no_memory() {
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
            apply(&mut lines, delta);
            assert_eq!(lines, ["a"], "{delta}");
        }
        apply(&mut lines, "[[2,\"c\"],5,[0,\"b\"]]");
        assert_eq!(lines, ["b", "", "c"]);
    }
}
