//! DECSC and DECRC: saving and restoring the cursor with its pen, character sets and origin mode.

use super::Terminal;
use super::charsets::Charsets;
use super::modes::Mode;
use crate::emulator::vt::grid::TrackedCursor;
use crate::emulator::vt::grid::cell::{CellFlags, Pen};

/// What DECSC saves. The default is the state of a new terminal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SavedCursor {
    pub(crate) cursor: TrackedCursor,
    pub(crate) pen: Pen,
    pub(crate) charsets: Charsets,
    pub(crate) origin: bool,
    /// Whether a program saved it (DECRQM ?1048).
    pub(crate) is_saved: bool,
}

impl SavedCursor {
    /// Returns the cursor if a program saved it.
    pub(super) fn tracked(&mut self) -> Option<&mut TrackedCursor> {
        self.is_saved.then_some(&mut self.cursor)
    }
}

impl Terminal {
    /// DECSC.
    pub(crate) fn save_cursor(&mut self) {
        self.saved_cursors[usize::from(self.is_alternate())] = SavedCursor {
            cursor: self.cursor,
            pen: self.pen.clone(),
            charsets: self.charsets,
            origin: self.modes.contains(Mode::ORIGIN),
            is_saved: true,
        };
    }

    /// DECRC. The link and the zone of the following text are not part of it.
    pub(crate) fn restore_cursor(&mut self) {
        let saved = self.saved_cursors[usize::from(self.is_alternate())].clone();
        self.cursor = saved.cursor;
        // A resize while the other screen was shown may have moved it.
        self.cursor.row = self.cursor.row.min(self.rows() - 1);
        self.cursor.col = self.cursor.col.min(self.cols() - 1);
        self.cursor.pending_wrap &=
            self.cursor.col + 1 == self.cols() || self.cursor.col + 1 == self.margins.right;
        self.restore_pen(saved.pen);
        self.charsets = saved.charsets;
        self.modes.set(Mode::ORIGIN, saved.origin);
    }

    /// Restores a pen except for link and zone.
    pub(crate) fn restore_pen(&mut self, pen: Pen) {
        let zone = self.pen.cell.flags & CellFlags::ZONE;
        let link = self.pen.link().cloned();
        self.pen = pen;
        self.pen.set_link(link);
        self.pen.cell.flags = (self.pen.cell.flags - CellFlags::ZONE) | zone;
    }
}
