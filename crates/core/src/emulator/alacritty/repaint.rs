//! Whether the whole screen was drawn anew.
//!
//! A pass goes over the rows of the screen: each row that is written or erased joins it, and one that is drawn again begins
//! the next. A pass that has met every row is a repaint. A clear is one at once, and the pass after it belongs to it: clearing
//! and drawing are one repaint.
//!
//! The one rule: only the order of rows decides, so that it makes no difference how reads cut the bytes.

/// The rows that were drawn in this pass.
#[derive(Debug, Default)]
pub(super) struct Repaint {
    /// The pass that each row was last drawn in.
    rows: Vec<u64>,
    pass: u64,
    /// How many rows this pass has not met.
    missing: usize,
    /// The row that was drawn last: what follows there is the same drawing.
    last: Option<usize>,
    /// A clear began this pass and was counted already.
    counted: bool,
}

impl Repaint {
    /// A screen of this many rows, none of which was drawn.
    pub(super) fn reset(&mut self, rows: usize) {
        self.rows.clear();
        self.rows.resize(rows, 0);
        self.begin(false);
    }

    /// Something was written to a row or erased from it. Says whether that completes a repaint.
    #[inline]
    pub(super) fn draw(&mut self, row: usize) -> bool {
        self.last != Some(row) && self.draw_another(row)
    }

    fn draw_another(&mut self, row: usize) -> bool {
        let Some(drawn) = self.rows.get(row) else {
            return false;
        };
        if *drawn == self.pass {
            self.begin(false);
        }
        self.rows[row] = self.pass;
        self.missing -= 1;
        let whole = self.missing == 0 && !self.counted;
        if self.missing == 0 {
            self.begin(false);
        }
        self.last = Some(row);
        whole
    }

    /// Every cell was erased. Says whether that is a repaint: a screen that is still clear is not.
    pub(super) fn clear(&mut self) -> bool {
        let still_clear = self.counted && self.missing == self.rows.len();
        self.begin(true);
        !still_clear
    }

    /// The rows are others now, which the program did not draw.
    pub(super) fn forget(&mut self) {
        self.begin(false);
    }

    fn begin(&mut self, counted: bool) {
        self.pass += 1;
        self.missing = self.rows.len();
        self.last = None;
        self.counted = counted;
    }
}
