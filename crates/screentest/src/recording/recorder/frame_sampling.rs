//! Which screens become frames.
//!
//! In a flood, screens that follow each other closely are one picture to whoever looks: only the last of them is a frame. Whatever was shown
//! between can be derived.
//!
//! It is a flood when too many come closely, or when so many lines do that whole screens of them have scrolled by unseen.

use std::time::Duration;

use memchr::memchr_iter;
use screentest_core::Screen;
use screentest_core::formats::cassette::frames::Shown;

/// How close is too close.
const CLOSE: Duration = Duration::from_millis(10);

/// How many frames may come closer than that before it is a flood: a quick program shows all it has to show within a few milliseconds, and
/// none of it should be missed.
const QUICK: usize = 64;

/// The screen that is shown now, until it is known whether anybody could see it.
#[derive(Debug)]
pub(super) struct Flood {
    fleeting: Option<(Shown, Screen)>,
    /// How many frames may still come close together, and up to when that was counted.
    quick: usize,
    counted: Duration,
    /// How many lines were written since the last screen. Those before the first draw it: a whole terminal, where a recording begins in the
    /// middle.
    lines: Option<usize>,
}

impl Default for Flood {
    fn default() -> Flood {
        Flood {
            fleeting: None,
            quick: QUICK,
            counted: Duration::ZERO,
            lines: None,
        }
    }
}

impl Flood {
    /// The program wrote.
    pub(super) fn wrote(&mut self, bytes: &[u8]) {
        if let Some(lines) = &mut self.lines {
            *lines += memchr_iter(b'\n', bytes).count();
        }
    }

    /// Another screen is shown. What becomes a frame by that: the one before, this one, both or neither.
    pub(super) fn show(
        &mut self,
        shown: Shown,
        screen: Screen,
    ) -> impl Iterator<Item = (Shown, Screen)> + use<> {
        let now = shown.time.time();
        self.count(now);
        let lines = self.lines.replace(0).unwrap_or(0);
        // As many as the screen has rows may be this very picture, and as many again may have been the one before.
        let scrolls = lines > 2 * usize::from(screen.size.rows);
        // Where lines have stopped scrolling is a picture, however soon the next one comes.
        let before = self.settle((scrolls || self.quick == 0).then_some(now));
        let keep = shown.unfinished || !(scrolls || self.quick == 0);
        self.fleeting = Some((shown, screen));
        let this = keep.then(|| self.settle(None)).flatten();
        [before, this].into_iter().flatten()
    }

    /// When the screen will have been shown for long enough.
    pub(super) fn settles(&self) -> Option<Duration> {
        let (shown, _) = self.fleeting.as_ref()?;
        Some(shown.time.time() + CLOSE)
    }

    /// What becomes a frame: the screen, if by now it has been shown for long enough; in any case where no time is named.
    pub(super) fn settle(&mut self, by: Option<Duration>) -> Option<(Shown, Screen)> {
        let settles = self.settles()?;
        if by.is_some_and(|by| by < settles) {
            return None;
        }
        self.quick = self.quick.saturating_sub(1);
        self.fleeting.take()
    }

    /// With time, more frames may come close together again.
    fn count(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.counted).as_millis() / CLOSE.as_millis();
        if passed > 0 {
            let more = usize::try_from(passed).unwrap_or(QUICK);
            self.quick = self.quick.saturating_add(more).min(QUICK);
            self.counted = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::Size;
    use screentest_core::emulator::{Backend, Options};
    use screentest_core::formats::cassette::Millis;

    use super::*;

    const ROWS: u16 = 24;

    /// Which of the screens within a millisecond become frames, each after so many lines; and a thousand lines before the first.
    fn frames_of(lines: impl IntoIterator<Item = usize>) -> Vec<u64> {
        let size = Size {
            cols: 80,
            rows: ROWS,
        };
        let screen = Backend::default()
            .emulator(size, Options::default())
            .screen();
        let mut flood = Flood::default();
        flood.wrote(&b"above\r\n".repeat(1000));
        let mut frames = Vec::new();
        for (seq, lines) in (1..).zip(lines) {
            flood.wrote(&b"a line\r\n".repeat(lines));
            let shown = Shown {
                seq,
                time: Millis::new(Duration::from_millis(1)),
                at: seq,
                unfinished: false,
            };
            frames.extend(
                flood
                    .show(shown, screen.clone())
                    .map(|(shown, _)| shown.seq),
            );
        }
        frames
    }

    #[test]
    fn so_many_pictures_are_kept_however_quick_they_are() {
        let rows = usize::from(ROWS);
        for lines in [0, rows, 2 * rows] {
            assert_eq!(frames_of([lines; 100]), Vec::from_iter(1..=64));
        }
    }

    #[test]
    fn what_scrolls_by_is_not_kept_and_takes_nothing_from_pictures_behind_it() {
        let scrolling = 1..50;
        let lines = scrolling.map(|_| 1000).chain([0; 10]);
        // The first is one that a recording begins with, and the 49th where it stopped.
        assert_eq!(
            frames_of(lines),
            Vec::from_iter([1].into_iter().chain(49..=59))
        );
    }
}
