//! XTPUSHSGR and XTPOPSGR: a stack of pens, of which all or only some attributes are restored.

use super::Terminal;
use crate::emulator::vt::grid::cell::{CellFlags, Pen};

/// Saved pens.
#[derive(Debug, Clone, Default)]
pub(crate) struct PenStack {
    /// Newest last.
    pub(crate) saved: Vec<SavedPen>,
    /// Number of pens that were pushed onto a full stack. Pops take these first, without an effect.
    pub(crate) overflow: usize,
}

/// A pen, and what of it is restored.
#[derive(Debug, Clone)]
pub(crate) struct SavedPen {
    pub(crate) pen: Pen,
    /// The attributes by their numbers in SGR, with 30 for the foreground and 31 for the
    /// background. `None` for everything.
    pub(crate) restored: Option<Vec<u16>>,
}

impl PenStack {
    /// Maximum depth, as in xterm.
    const MAX: usize = 10;
    /// Maximum number of counted pushes onto a full stack.
    const MAX_OVERFLOW: usize = 100;
    /// The attributes that can be restored.
    const ATTRIBUTES: [u16; 11] = [1, 2, 3, 4, 5, 7, 8, 9, 21, 30, 31];

    /// XTPUSHSGR. Unknown attributes are ignored.
    pub(crate) fn push(&mut self, pen: &Pen, attributes: &[u16]) {
        if self.saved.len() == PenStack::MAX {
            self.overflow = PenStack::MAX_OVERFLOW.min(self.overflow + 1);
            return;
        }
        let known = PenStack::ATTRIBUTES.into_iter();
        let named = known.filter(|attribute| attributes.contains(attribute));
        self.saved.push(SavedPen {
            pen: pen.clone(),
            restored: (attributes != [0]).then(|| named.collect()),
        });
    }

    fn pop(&mut self) -> Option<SavedPen> {
        if self.overflow > 0 {
            self.overflow -= 1;
            return None;
        }
        self.saved.pop()
    }
}

impl Terminal {
    /// XTPOPSGR. The protection is not part of a pen.
    pub(crate) fn pop_pen(&mut self) {
        let Some(SavedPen { mut pen, restored }) = self.pen_stack.pop() else {
            return;
        };
        let Some(restored) = restored else {
            let protection = CellFlags::PROTECTED;
            pen.cell.flags = (pen.cell.flags - protection) | (self.pen.cell.flags & protection);
            return self.restore_pen(pen);
        };
        for attribute in restored {
            let flags = match attribute {
                1 => CellFlags::BOLD,
                2 => CellFlags::FAINT,
                3 => CellFlags::ITALIC,
                4 | 21 => CellFlags::UNDERLINE,
                5 => CellFlags::BLINK | CellFlags::RAPID_BLINK,
                7 => CellFlags::INVERSE,
                8 => CellFlags::INVISIBLE,
                9 => CellFlags::STRIKETHROUGH,
                30 => {
                    self.pen.cell.fg = pen.cell.fg;
                    continue;
                }
                _ => {
                    self.pen.cell.bg = pen.cell.bg;
                    continue;
                }
            };
            let now = &mut self.pen.cell.flags;
            *now = (*now - flags) | (pen.cell.flags & flags);
        }
    }
}
