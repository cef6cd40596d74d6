//! Queries for the program's effects that are not in the cells.

use screentest_core::emulator::{Counts, Notes};

use super::{Terminal, TuiError};
use crate::session::history::Mark;

/// Effects that are not in the cells: bells, clipboard, pictures, repaints, unknown sequences.
/// Title, working directory and modes are parts of a [`Screen`](screentest_core::Screen).
impl Terminal {
    /// Returns the program's effects so far that are not in the cells.
    pub fn notes(&self) -> Result<Notes, TuiError> {
        Ok(self.session()?.notes())
    }

    /// Returns how often the program rang the bell, cleared, repainted and so on since a mark.
    pub fn counts_since(&self, mark: Mark) -> Result<Counts, TuiError> {
        Ok(self.session()?.counts_since(mark))
    }

    /// Waits until `noted` returns true for the program's effects that are not in the cells. The
    /// description completes “… did not appear”:
    ///
    /// ```no_run
    /// # fn body(tui: &screentest::Terminal) -> Result<(), screentest::TuiError> {
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
        self.timed(|timeout| session.wait_for_notes(description, noted, timeout))
    }
}
