//! Which screens become frames.
//!
//! In a flood, screens that follow each other closely are one picture to whoever looks: only the last of them is a frame. Whatever was shown
//! between can be derived.

use std::time::Duration;

use screentest_core::Screen;
use screentest_core::formats::cassette::frames::Shown;

/// How close is too close.
const CLOSE: Duration = Duration::from_millis(10);

/// How many frames may come closer than that before it is a flood: a quick program shows all it has to show within a few milliseconds, and
/// none of it should be missed.
const QUICK: u32 = 64;

/// The screen that is shown now, until it is known whether anybody could see it.
#[derive(Debug)]
pub(super) struct Flood {
    fleeting: Option<(Shown, Screen)>,
    /// How many frames may still come close together, and up to when that was counted.
    quick: u32,
    counted: Duration,
}

impl Default for Flood {
    fn default() -> Flood {
        Flood {
            fleeting: None,
            quick: QUICK,
            counted: Duration::ZERO,
        }
    }
}

impl Flood {
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
        self.quick = self.quick.saturating_sub(1);
        self.fleeting.take()
    }

    /// Whether frames come too close together to keep them all.
    pub(super) fn is_high(&mut self, now: Duration) -> bool {
        let passed = now.saturating_sub(self.counted).as_millis() / CLOSE.as_millis();
        if passed > 0 {
            let more = u32::try_from(passed).unwrap_or(QUICK);
            self.quick = self.quick.saturating_add(more).min(QUICK);
            self.counted = now;
        }
        self.quick == 0
    }
}
