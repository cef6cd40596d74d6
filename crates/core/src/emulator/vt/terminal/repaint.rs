//! Detects repaints of the whole screen.
//!
//! A pass goes over the rows of the screen: each row that is written or erased joins the pass, and
//! a row that is drawn a second time begins the next pass. A pass that includes every row is a
//! repaint. A clear is a repaint at once, and the pass after it belongs to it, so that clearing and
//! drawing are one repaint.
//!
//! Invariant: only the order of rows matters, so the result does not depend on how reads split the
//! bytes.

/// The rows drawn in the current pass.
#[derive(Debug, Default)]
pub(super) struct RepaintDetector {
    /// The pass in which each row was last drawn.
    rows: Vec<u64>,
    pass: u64,
    /// Number of rows that this pass has not drawn.
    missing: usize,
    /// The row drawn last: further writes to it belong to the same drawing.
    last: Option<usize>,
    /// Whether the pass began with a clear, which was already counted.
    counted: bool,
}

impl RepaintDetector {
    /// Starts over with a screen of this many rows, none of them drawn.
    pub(super) fn reset(&mut self, rows: usize) {
        self.rows.clear();
        self.rows.resize(rows, 0);
        self.begin(false);
    }

    /// Records that a row was written or erased. Returns whether that completes a repaint.
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

    /// Records that every cell was erased. Returns whether that is a repaint; clearing a screen
    /// that is still clear is not.
    pub(super) fn clear(&mut self) -> bool {
        let still_clear = self.counted && self.missing == self.rows.len();
        self.begin(true);
        !still_clear
    }

    /// Starts a new pass, because the rows were replaced by others that the program did not draw.
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
