//! Masks for parts of a screen that may vary.
//!
//! A clock, a process id or a spinner would make every comparison fail. A mask fills a rectangle
//! with [`Mask::FILL`], so that two screens that differ only there are equal once masked. The
//! cursor is not moved.
//!
//! See also: replacing parts that are identified by their text and not by their place
//! ([`Normaliser`](crate::Normaliser)).

use std::sync::Arc;

use crate::{CellView, Rect, Row, Screen, Text};

/// A rectangle that is ignored in comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask {
    rect: Rect,
}

impl Mask {
    /// The character in every masked cell, without colour or link. It is one column wide, few
    /// programs draw it, and people read it as “covered”.
    pub const FILL: char = '▒';

    /// Creates a mask over `rect`; the part outside a screen has no effect.
    pub const fn new(rect: Rect) -> Mask {
        Mask { rect }
    }

    /// Returns the masked rectangle.
    pub const fn rect(self) -> Rect {
        self.rect
    }

    /// Returns the screen with the rectangle filled. A wide character that is half inside leaves a
    /// blank in its own style for the half outside, as when a program overwrites one half.
    /// Untouched rows stay shared.
    pub fn apply(&self, screen: &Screen) -> Screen {
        let mut masked = screen.clone();
        let width = usize::from(screen.size.cols);
        let cols =
            self.rect.col.min(width)..self.rect.col.saturating_add(self.rect.cols).min(width);
        if cols.is_empty() {
            return masked;
        }
        let rows = masked.rows.iter_mut().skip(self.rect.row);
        for row in rows.take(self.rect.rows) {
            // The last cell determines whether the row wraps; if that cell is masked, the row does
            // not.
            let wrapped = row.wrapped() && cols.end < width;
            *row = Arc::new(cover(row, width, wrapped, |col| cols.contains(&col)));
        }
        masked
    }
}

/// The content of a masked cell.
pub(crate) const COVERED: CellView<'static> = CellView {
    text: Text::Char(Mask::FILL),
    ..CellView::BLANK
};

/// Returns a row of a screen `width` columns wide with some of its cells masked.
pub(crate) fn cover(
    row: &Row,
    width: usize,
    wrapped: bool,
    covered: impl Fn(usize) -> bool,
) -> Row {
    row.replaced(width, wrapped, |col| covered(col).then_some(COVERED))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::row::{LinkId, StyleId, Zone, ZoneStart};
    use crate::{Color, Hyperlink, RowBuilder, Size, Style, Width};

    const STYLED: Style = Style {
        fg: Color::Indexed(1),
        bg: Color::Indexed(7),
        underline: crate::Underline::None,
        underline_color: Color::Default,
        attributes: crate::Attributes::BOLD,
    };

    /// Builds a screen with text in its second row; non-ASCII characters are wide. The whole text
    /// has a style and a link, so that losing either is visible.
    fn screen(text: &str) -> Screen {
        let mut screen = Screen::blank(Size { cols: 8, rows: 3 });
        let mut builder = RowBuilder::new();
        let style = builder.style(&STYLED);
        let link = builder.link(&Hyperlink {
            id: None,
            uri: "https://example.org".into(),
        });
        for c in text.chars() {
            if c.is_ascii() {
                builder.push(c, style, link);
            } else {
                builder.push_wide(c, style, link);
            }
        }
        screen.rows[1] = Arc::new(builder.finish());
        screen
    }

    fn masked(text: &str, col: usize, cols: usize) -> Screen {
        let rect = Rect {
            row: 1,
            col,
            rows: 1,
            cols,
        };
        Mask::new(rect).apply(&screen(text))
    }

    #[track_caller]
    fn check(text: &str, col: usize, cols: usize, covered: &str) {
        assert_eq!(masked(text, col, cols).rows[1].text(), covered);
    }

    #[test]
    fn covered_cells_are_filled_also_where_they_were_blank() {
        check("12:34:56", 0, 5, "▒▒▒▒▒:56");
        check("ab", 4, 2, "ab  ▒▒");
        check("ab", 4, usize::MAX, "ab  ▒▒▒▒");
        check("ab", 8, 2, "ab");
        check("ab", 0, 0, "ab");
    }

    #[test]
    fn a_wide_character_is_cut_at_the_edge() {
        check("a界世b", 2, 2, "a ▒▒ b");
        check("a界世b", 1, 2, "a▒▒世b");
        check("a界世b", 1, 1, "a▒ 世b");
        let row = &masked("a界世b", 2, 2).rows[1];
        assert_eq!(
            (row.cell(1).width, row.cell(4).width),
            (Width::Narrow, Width::Narrow)
        );
        assert_eq!((row.cell(1).style, row.cell(4).style), (&STYLED, &STYLED));
        assert!(row.cell(4).link.is_some());
    }

    #[test]
    fn differences_under_a_mask_do_not_count() {
        assert_ne!(screen("pid 4711"), screen("pid 9"));
        assert_eq!(masked("pid 4711", 4, 4), masked("pid 9", 4, 4));
        // A row without styles, and one that had styles only under the mask.
        assert_eq!(masked("", 0, 8), masked("12345678", 0, 8));
    }

    #[test]
    fn rows_outside_the_mask_stay_shared_and_cells_outside_stay_unchanged() {
        let before = screen("abcdefgh");
        let rect = Rect {
            row: 1,
            col: 2,
            rows: 1,
            cols: 2,
        };
        let after = Mask::new(rect).apply(&before);
        assert!(Arc::ptr_eq(&after.rows[0], &before.rows[0]));
        assert!(Arc::ptr_eq(&after.rows[2], &before.rows[2]));
        assert_eq!(after.rows[1].cell(0), before.rows[1].cell(0));
        assert_eq!(after.rows[1].cell(7), before.rows[1].cell(7));
        assert_eq!(after.rows[1].cell(2).style, &Style::default());
        assert_eq!(after.rows[1].cell(2).link, None);
    }

    #[test]
    fn zones_and_wraps_are_kept_only_outside_the_mask() {
        let mut screen = screen("");
        let mut builder = RowBuilder::new();
        for (zone, c) in [(Zone::Prompt, '$'), (Zone::Input, 'l'), (Zone::Output, 'x')] {
            builder.zone(zone);
            builder.push(c, StyleId::PLAIN, LinkId::NONE);
        }
        builder.wrapped(true);
        screen.rows[1] = Arc::new(builder.finish());
        let cover = |col, cols| {
            let rect = Rect {
                row: 1,
                col,
                rows: 1,
                cols,
            };
            Mask::new(rect).apply(&screen).rows[1].clone()
        };
        let start = |col, zone| ZoneStart { col, zone };
        let ends = [start(0, Zone::Prompt), start(2, Zone::Output)];
        assert_eq!(cover(1, 1).zones(), ends);
        assert!(cover(1, 1).wrapped());
        assert!(!cover(7, 1).wrapped());
    }
}
