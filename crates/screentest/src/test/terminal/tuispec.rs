//! Aliases of methods under the names of tuispec, for tests that are ported from it.

use screentest_core::{Chord, KeyError, Match, Modifiers, Screen, Selector};

use super::{Terminal, TuiError};

/// Names of tuispec.
impl Terminal {
    /// Same as [`Terminal::expect`].
    pub fn wait_for_text(&self, selector: impl Into<Selector>) -> Result<Match, TuiError> {
        self.expect(selector)
    }

    /// Same as [`Terminal::expect`].
    pub fn wait_for_selector(&self, selector: impl Into<Selector>) -> Result<Match, TuiError> {
        self.expect(selector)
    }

    /// Same as [`Terminal::expect`], without the match.
    pub fn expect_visible(&self, selector: impl Into<Selector>) -> Result<(), TuiError> {
        self.expect(selector).map(drop)
    }

    /// Same as [`Terminal::expect_gone`].
    pub fn expect_not_visible(&self, selector: impl Into<Selector>) -> Result<(), TuiError> {
        self.expect_gone(selector)
    }

    /// Same as [`Terminal::screen`].
    pub fn current_view(&self) -> Result<Screen, TuiError> {
        self.screen()
    }

    /// Same as [`Terminal::click`].
    pub fn click_selector(&self, selector: impl Into<Selector>) -> Result<(), TuiError> {
        self.click(selector.into())
    }

    /// Same as [`Terminal::press`] of a key with these modifiers.
    pub fn press_combo<C: TryInto<Chord>>(
        &self,
        modifiers: Modifiers,
        chord: C,
    ) -> Result<(), TuiError>
    where
        KeyError: From<C::Error>,
    {
        let chord = chord.try_into().map_err(super::input::unknown)?;
        self.press_chord(chord.with(modifiers))
    }
}
