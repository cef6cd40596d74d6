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
    /// How many lines were written since the last frame. Those before the first draw it: a whole terminal, where a recording begins in the
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

    /// Another screen is shown. Before, ask [`Flood::settle`] for the last one.
    pub(super) fn show(&mut self, shown: Shown, screen: Screen) {
        self.fleeting = Some((shown, screen));
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
        let (shown, screen) = self.fleeting.take()?;
        let rows = usize::from(screen.size.rows).max(1);
        let lines = self.lines.replace(0).unwrap_or(0);
        // As many as the screen has rows may be this very picture.
        let unseen = lines.saturating_sub(rows) / rows;
        self.quick = self.quick.saturating_sub(1 + unseen);
        Some((shown, screen))
    }

    /// Whether frames come too close together to keep them all.
    pub(super) fn is_high(&mut self, now: Duration) -> bool {
        let passed = now.saturating_sub(self.counted).as_millis() / CLOSE.as_millis();
        if passed > 0 {
            let more = usize::try_from(passed).unwrap_or(QUICK);
            self.quick = self.quick.saturating_add(more).min(QUICK);
            self.counted = now;
        }
        self.quick == 0
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::Size;
    use screentest_core::emulator::{Backend, Options};
    use screentest_core::formats::cassette::Millis;

    use super::*;

    const ROWS: u16 = 24;

    /// How many of a hundred screens within a millisecond become frames, each after so many lines, and the first after a thousand.
    fn frames_of(lines: usize) -> usize {
        let now = Duration::from_millis(1);
        let size = Size {
            cols: 80,
            rows: ROWS,
        };
        let screen = Backend::default()
            .emulator(size, Options::default())
            .screen();
        let mut flood = Flood::default();
        flood.wrote(&b"above\r\n".repeat(1000));
        let shown = (1..=100).map(|seq| Shown {
            seq,
            time: Millis::new(now),
            at: seq,
            unfinished: false,
        });
        shown
            .filter_map(|shown| {
                flood.show(shown, screen.clone());
                let high = flood.is_high(now);
                let frame = flood.settle(high.then_some(now));
                flood.wrote(&b"a line\r\n".repeat(lines));
                frame
            })
            .count()
    }

    #[test]
    fn pictures_are_kept_and_what_scrolls_by_is_not() {
        assert_eq!(frames_of(0), 64);
        assert_eq!(frames_of(usize::from(ROWS)), 64);
        assert_eq!(frames_of(5 * usize::from(ROWS)), 14);
        assert_eq!(frames_of(1000), 3);
    }
}
