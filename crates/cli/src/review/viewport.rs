//! The visible part of a comparison, and its view.
//!
//! How much fits is known only when a page is drawn. Scrolling may exceed the limits until then,
//! and `fit` clamps it.

use std::ops::Range;

use super::keys::Scroll;

/// How the two screens are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ViewMode {
    /// Both, side by side or one above the other.
    Both,
    Old,
    New,
    /// The description of the difference.
    Words,
}

impl ViewMode {
    /// All views, in the order of the `v` key.
    pub(crate) const ALL: [ViewMode; 4] = [
        ViewMode::Both,
        ViewMode::Old,
        ViewMode::New,
        ViewMode::Words,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            ViewMode::Both => "both",
            ViewMode::Old => "old",
            ViewMode::New => "new",
            ViewMode::Words => "words",
        }
    }
}

/// A size in lines and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ViewExtent {
    pub(crate) lines: usize,
    pub(crate) cols: usize,
}

/// The part that must be visible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) line: usize,
    pub(crate) cols: Range<usize>,
}

/// The visible part and the view.
#[derive(Debug)]
pub(crate) struct Viewport {
    /// The selected view.
    pub(crate) view: ViewMode,
    /// The drawn view: another one if the space is too small.
    pub(crate) drawn: ViewMode,
    /// The selected difference.
    pub(crate) difference: usize,
    /// Whether the next `fit` scrolls to the selected difference.
    reveal: bool,
    line: usize,
    col: usize,
    window: ViewExtent,
}

impl Viewport {
    pub(crate) fn new(view: ViewMode) -> Viewport {
        Viewport {
            view,
            drawn: view,
            difference: 0,
            reveal: true,
            line: 0,
            col: 0,
            window: ViewExtent::default(),
        }
    }

    /// Selects the next view.
    pub(crate) fn next_view(&mut self) {
        self.view = match self.view {
            ViewMode::Both => ViewMode::Old,
            ViewMode::Old => ViewMode::New,
            ViewMode::New => ViewMode::Words,
            ViewMode::Words => ViewMode::Both,
        };
        // Views have different lines, so a scroll position means nothing in the next one.
        self.reveal = true;
    }

    /// Selects the other of the two screens.
    pub(crate) fn other_screen(&mut self) {
        self.view = match self.drawn {
            ViewMode::New => ViewMode::Old,
            ViewMode::Both | ViewMode::Old | ViewMode::Words => ViewMode::New,
        };
    }

    /// Selects the difference `step` after the current one, and wraps around.
    pub(crate) fn go_to_difference(&mut self, step: isize, differences: usize) {
        if let Ok(count @ 1..) = isize::try_from(differences) {
            // Both numbers are small, so nothing overflows, and the remainder is not negative.
            let next = (self.difference as isize + step).rem_euclid(count);
            self.difference = next as usize;
        }
        if self.view == ViewMode::Words {
            self.view = ViewMode::Both;
        }
        self.reveal = true;
    }

    /// Scrolls. The position may exceed the limits until the next `fit`.
    pub(crate) fn scroll(&mut self, scroll: Scroll) {
        let page = self.window.lines.saturating_sub(1).max(1);
        match scroll {
            Scroll::Up => self.line = self.line.saturating_sub(1),
            Scroll::Down => self.line = self.line.saturating_add(1),
            Scroll::Left => self.col = self.col.saturating_sub(1),
            Scroll::Right => self.col = self.col.saturating_add(1),
            Scroll::PageUp => self.line = self.line.saturating_sub(page),
            Scroll::PageDown => self.line = self.line.saturating_add(page),
            Scroll::Top => (self.line, self.col) = (0, 0),
            Scroll::Bottom => self.line = usize::MAX,
        }
    }

    /// Clamps the position to the content, and scrolls to the target if requested. Returns the
    /// first visible line and column.
    pub(crate) fn fit(
        &mut self,
        content: ViewExtent,
        window: ViewExtent,
        target: Option<Target>,
    ) -> (usize, usize) {
        self.window = window;
        if let Some(target) = target.filter(|_| self.reveal) {
            // Text at the very edge is hard to read, so show some context and the marks, if they
            // fit.
            let lines = target.line..target.line + 2;
            self.line = nearest_start(self.line, window.lines, expand(&lines, 2));
            self.line = nearest_start(self.line, window.lines, lines);
            self.col = nearest_start(self.col, window.cols, expand(&target.cols, 10));
            self.col = nearest_start(self.col, window.cols, target.cols);
        }
        self.reveal = false;
        self.line = self.line.min(content.lines.saturating_sub(window.lines));
        self.col = self.col.min(content.cols.saturating_sub(window.cols));
        (self.line, self.col)
    }
}

fn expand(range: &Range<usize>, more: usize) -> Range<usize> {
    range.start.saturating_sub(more)..range.end + more
}

/// Returns the start of a window that shows `target`, as near to `start` as possible. If `target`
/// does not fit, its beginning is shown.
fn nearest_start(start: usize, window: usize, target: Range<usize>) -> usize {
    if start + window < target.end {
        (target.end - window).min(target.start)
    } else {
        start.min(target.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(start: usize, window: usize, target: Range<usize>, expected: usize) {
        assert_eq!(nearest_start(start, window, target), expected);
    }

    #[test]
    fn visible_content_does_not_scroll() {
        check(3, 5, 4..6, 3);
        check(3, 5, 3..8, 3);
    }

    #[test]
    fn hidden_content_scrolls_the_shortest_way() {
        check(0, 5, 7..9, 4);
        check(9, 5, 7..9, 7);
    }

    #[test]
    fn too_large_content_shows_its_beginning() {
        check(0, 5, 7..90, 7);
        check(50, 5, 7..90, 7);
        check(0, 0, 7..9, 7);
    }

    #[test]
    fn scrolling_is_clamped_to_the_content() {
        let mut viewport = Viewport::new(ViewMode::Both);
        let content = ViewExtent {
            lines: 10,
            cols: 10,
        };
        let window = ViewExtent { lines: 4, cols: 20 };
        viewport.scroll(Scroll::Bottom);
        viewport.scroll(Scroll::PageDown);
        viewport.scroll(Scroll::Right);
        assert_eq!(viewport.fit(content, window, None), (6, 0));
        viewport.scroll(Scroll::Up);
        assert_eq!(viewport.fit(content, window, None), (5, 0));
        viewport.scroll(Scroll::PageUp);
        assert_eq!(viewport.fit(content, window, None), (2, 0));
    }

    #[test]
    fn differences_wrap_around() {
        let mut viewport = Viewport::new(ViewMode::Words);
        viewport.go_to_difference(1, 0);
        assert_eq!((viewport.difference, viewport.view), (0, ViewMode::Both));
        viewport.go_to_difference(1, 2);
        viewport.go_to_difference(1, 2);
        assert_eq!(viewport.difference, 0);
        viewport.go_to_difference(-1, 2);
        assert_eq!(viewport.difference, 1);
    }
}
