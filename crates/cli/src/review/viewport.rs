//! Which part of a comparison is looked at, and how.
//!
//! How much fits is known when a page is drawn, so a wish to scroll may go too far until then: `fit` puts it right.

use std::ops::Range;

use super::keys::Scroll;

/// How the two screens are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Both, beside or above one another.
    Both,
    Old,
    New,
    /// The difference in words.
    Words,
}

impl View {
    /// All of them, in the order in which they take turns.
    pub(crate) const ALL: [View; 4] = [View::Both, View::Old, View::New, View::Words];

    pub(crate) fn name(self) -> &'static str {
        match self {
            View::Both => "both",
            View::Old => "old",
            View::New => "new",
            View::Words => "words",
        }
    }
}

/// How many lines and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Extent {
    pub(crate) lines: usize,
    pub(crate) cols: usize,
}

/// What should be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) line: usize,
    pub(crate) cols: Range<usize>,
}

/// Which part is looked at, and how.
#[derive(Debug)]
pub(crate) struct Sight {
    /// How it should be shown.
    pub(crate) view: View,
    /// How it is, where there was no room for that.
    pub(crate) drawn: View,
    /// The difference that `d` has reached.
    pub(crate) difference: usize,
    /// Whether to bring it into sight.
    wanted: bool,
    line: usize,
    col: usize,
    window: Extent,
}

impl Sight {
    pub(crate) fn new(view: View) -> Sight {
        Sight {
            view,
            drawn: view,
            difference: 0,
            wanted: true,
            line: 0,
            col: 0,
            window: Extent::default(),
        }
    }

    /// Goes on to the next view.
    pub(crate) fn next_view(&mut self) {
        self.view = match self.view {
            View::Both => View::Old,
            View::Old => View::New,
            View::New => View::Words,
            View::Words => View::Both,
        };
        // What is the tenth line of a screen is another one of a text.
        self.wanted = true;
    }

    /// Goes to the other of the two screens.
    pub(crate) fn other_screen(&mut self) {
        self.view = match self.drawn {
            View::New => View::Old,
            View::Both | View::Old | View::Words => View::New,
        };
    }

    /// Goes to a difference that is `step` after this one, round and round.
    pub(crate) fn go(&mut self, step: isize, differences: usize) {
        if let Ok(count @ 1..) = isize::try_from(differences) {
            // Both are small, so that none of this overflows, and what is left of a division by `count` is positive.
            let next = (self.difference as isize + step).rem_euclid(count);
            self.difference = next as usize;
        }
        if self.view == View::Words {
            self.view = View::Both;
        }
        self.wanted = true;
    }

    /// Scrolls, perhaps too far.
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

    /// Puts right where we look, given how much there is and how much of it fits. Returns the first line and column.
    pub(crate) fn fit(
        &mut self,
        whole: Extent,
        window: Extent,
        target: Option<Target>,
    ) -> (usize, usize) {
        self.window = window;
        if let Some(target) = target.filter(|_| self.wanted) {
            // What stands at the very edge is hard to read: with its marks and what is around it, as far as that fits.
            let lines = target.line..target.line + 2;
            self.line = into_sight(self.line, window.lines, around(&lines, 2));
            self.line = into_sight(self.line, window.lines, lines);
            self.col = into_sight(self.col, window.cols, around(&target.cols, 10));
            self.col = into_sight(self.col, window.cols, target.cols);
        }
        self.wanted = false;
        self.line = self.line.min(whole.lines.saturating_sub(window.lines));
        self.col = self.col.min(whole.cols.saturating_sub(window.cols));
        (self.line, self.col)
    }
}

fn around(range: &Range<usize>, more: usize) -> Range<usize> {
    range.start.saturating_sub(more)..range.end + more
}

/// The start of a window of this size that is nearest to `start` and shows `wanted`, or as much as fits of its beginning.
fn into_sight(start: usize, window: usize, wanted: Range<usize>) -> usize {
    if start + window < wanted.end {
        (wanted.end - window).min(wanted.start)
    } else {
        start.min(wanted.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(start: usize, window: usize, wanted: Range<usize>, found: usize) {
        assert_eq!(into_sight(start, window, wanted), found);
    }

    #[test]
    fn what_is_in_sight_stays_where_it_is() {
        check(3, 5, 4..6, 3);
        check(3, 5, 3..8, 3);
    }

    #[test]
    fn what_is_not_comes_in_by_the_shortest_way() {
        check(0, 5, 7..9, 4);
        check(9, 5, 7..9, 7);
    }

    #[test]
    fn what_does_not_fit_is_seen_from_its_beginning() {
        check(0, 5, 7..90, 7);
        check(50, 5, 7..90, 7);
        check(0, 0, 7..9, 7);
    }

    #[test]
    fn nobody_scrolls_out_of_what_there_is() {
        let mut sight = Sight::new(View::Both);
        let whole = Extent {
            lines: 10,
            cols: 10,
        };
        let window = Extent { lines: 4, cols: 20 };
        sight.scroll(Scroll::Bottom);
        sight.scroll(Scroll::PageDown);
        sight.scroll(Scroll::Right);
        assert_eq!(sight.fit(whole, window, None), (6, 0));
        sight.scroll(Scroll::Up);
        assert_eq!(sight.fit(whole, window, None), (5, 0));
        sight.scroll(Scroll::PageUp);
        assert_eq!(sight.fit(whole, window, None), (2, 0));
    }

    #[test]
    fn differences_are_reached_round_and_round() {
        let mut sight = Sight::new(View::Words);
        sight.go(1, 0);
        assert_eq!((sight.difference, sight.view), (0, View::Both));
        sight.go(1, 2);
        sight.go(1, 2);
        assert_eq!(sight.difference, 0);
        sight.go(-1, 2);
        assert_eq!(sight.difference, 1);
    }
}
