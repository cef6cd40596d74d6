//! What no cell shows.

use screentest_core::emulator::{Counts, Notes};

use super::{Tui, TuiError};
use crate::session::history::Mark;

/// What no cell shows: bells, clipboard, pictures, repaints, unknown sequences. Title, working directory and modes are
/// parts of a [`Screen`](screentest_core::Screen).
impl Tui {
    /// What the program has done by now that no cell shows.
    pub fn notes(&self) -> Result<Notes, TuiError> {
        Ok(self.session()?.notes())
    }

    /// How often the program rang, cleared, repainted and the like since a mark.
    pub fn counts_since(&self, mark: Mark) -> Result<Counts, TuiError> {
        Ok(self.session()?.counts_since(mark))
    }

    /// Waits until the program has done something that no cell shows. The description completes “… not seen”:
    ///
    /// ```no_run
    /// # fn body(tui: &screentest::Tui) -> Result<(), screentest::TuiError> {
    /// tui.wait_for_notes("a copy", |notes| notes.clipboard() == Some("hello"))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn wait_for_notes(
        &self,
        description: impl Into<String>,
        noted: impl Fn(&Notes) -> bool,
    ) -> Result<Notes, TuiError> {
        let session = self.session()?;
        self.timed(|timeout| session.wait_noted(description, noted, timeout))
    }
}
