//! Decides which screens become frames.
//!
//! During bulk output, screens follow each other so closely that a viewer sees only the last one,
//! and only that one becomes a frame. The screens in between can still be derived from the output.
//!
//! Output counts as bulk output if too many screens come close together, or if whole screens of
//! lines scroll by between two of them.

use std::time::Duration;

use memchr::memchr_iter;
use screentest_core::Screen;
use screentest_core::formats::cassette::frames::FrameTime;

/// Screens that are closer together than this count as close.
const CLOSE: Duration = Duration::from_millis(10);

/// The number of close frames that are allowed before output counts as bulk output. A fast program
/// shows everything within a few milliseconds, and none of its screens should be missing.
const BURST: usize = 64;

/// The current screen, until it is known whether it was shown long enough to be seen.
#[derive(Debug)]
pub(super) struct FrameSampler {
    pending: Option<(FrameTime, Screen)>,
    /// The number of close frames still allowed, and the time up to which this was counted.
    burst_left: usize,
    refilled: Duration,
    /// The number of lines written since the last screen. Lines before the first screen are
    /// ignored: if a recording starts in the middle of a session, they draw a whole terminal.
    lines: Option<usize>,
}

impl Default for FrameSampler {
    fn default() -> FrameSampler {
        FrameSampler {
            pending: None,
            burst_left: BURST,
            refilled: Duration::ZERO,
            lines: None,
        }
    }
}

impl FrameSampler {
    /// Counts the lines of output.
    pub(super) fn count_lines(&mut self, bytes: &[u8]) {
        if let Some(lines) = &mut self.lines {
            *lines += memchr_iter(b'\n', bytes).count();
        }
    }

    /// Records that another screen is shown. Returns the screens that become frames: the previous
    /// one, this one, both or neither.
    pub(super) fn show(
        &mut self,
        shown: FrameTime,
        screen: Screen,
    ) -> impl Iterator<Item = (FrameTime, Screen)> + use<> {
        let now = shown.time.time();
        self.refill_burst(now);
        let lines = self.lines.replace(0).unwrap_or(0);
        // Up to one screenful of lines may draw this screen, and another one may have drawn the
        // previous screen.
        let is_scrolling = lines > 2 * usize::from(screen.size.rows);
        // The screen on which scrolling stopped becomes a frame, however soon the next one comes.
        let before = self.take_pending((is_scrolling || self.burst_left == 0).then_some(now));
        let keep = shown.unfinished || !(is_scrolling || self.burst_left == 0);
        self.pending = Some((shown, screen));
        let this = keep.then(|| self.take_pending(None)).flatten();
        [before, this].into_iter().flatten()
    }

    /// The time at which the current screen will have been shown long enough.
    pub(super) fn deadline(&self) -> Option<Duration> {
        let (shown, _) = self.pending.as_ref()?;
        Some(shown.time.time() + CLOSE)
    }

    /// Returns the current screen as a frame if it has been shown long enough at the time `by`;
    /// with `None`, in any case.
    pub(super) fn take_pending(&mut self, by: Option<Duration>) -> Option<(FrameTime, Screen)> {
        let deadline = self.deadline()?;
        if by.is_some_and(|by| by < deadline) {
            return None;
        }
        self.burst_left = self.burst_left.saturating_sub(1);
        self.pending.take()
    }

    /// Allows more close frames as time passes.
    fn refill_burst(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.refilled).as_millis() / CLOSE.as_millis();
        if passed > 0 {
            let more = usize::try_from(passed).unwrap_or(BURST);
            self.burst_left = self.burst_left.saturating_add(more).min(BURST);
            self.refilled = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::Size;
    use screentest_core::emulator::{Backend, EmulatorOptions};
    use screentest_core::formats::cassette::Millis;

    use super::*;

    const ROWS: u16 = 24;

    /// Returns which screens become frames. All are shown at the same time. Each follows the given
    /// number of lines, and the first one also follows a thousand others.
    fn frames_of(lines: impl IntoIterator<Item = usize>) -> Vec<u64> {
        let size = Size {
            cols: 80,
            rows: ROWS,
        };
        let screen = Backend::default()
            .emulator(size, EmulatorOptions::default())
            .screen();
        let mut sampler = FrameSampler::default();
        sampler.count_lines(&b"above\r\n".repeat(1000));
        let mut frames = Vec::new();
        for (seq, lines) in (1..).zip(lines) {
            sampler.count_lines(&b"a line\r\n".repeat(lines));
            let shown = FrameTime {
                seq,
                time: Millis::new(Duration::from_millis(1)),
                at: seq,
                unfinished: false,
            };
            frames.extend(
                sampler
                    .show(shown, screen.clone())
                    .map(|(shown, _)| shown.seq),
            );
        }
        frames
    }

    #[test]
    fn a_burst_of_64_screens_becomes_64_frames() {
        let rows = usize::from(ROWS);
        for lines in [0, rows, 2 * rows] {
            assert_eq!(frames_of([lines; 100]), Vec::from_iter(1..=64));
        }
    }

    #[test]
    fn scrolling_screens_are_dropped_without_using_up_the_burst() {
        let scrolling = 1..50;
        let lines = scrolling.map(|_| 1000).chain([0; 10]);
        // The first screen is the start of the recording, and scrolling stops at the 49th.
        assert_eq!(
            frames_of(lines),
            Vec::from_iter([1].into_iter().chain(49..=59))
        );
    }
}
