//! Spans: adjacent cells that look the same, for formats in which text stays text.
//!
//! Theme and changed colours are already applied: colours are RGB, inverse and faint are resolved,
//! and a block cursor is a cell with other colours. Only links with harmless schemes are kept.
//!
//! See also: `formats/span/escape.rs` (escapes text for XML and HTML, and replaces control
//! characters).

use std::ops::Range;

use screentest_core::{CellView, CursorShape, Rgb, Row, Screen, ScreenColors, Width};

use crate::RenderOptions;
use crate::layout::{ResolvedStyle, is_placeholder};

pub(crate) mod escape;
#[cfg(test)]
pub(crate) mod test_screens;

/// Adjacent cells with the same look and the same link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StyledSpan<'a> {
    /// The columns of the span.
    pub(crate) cols: Range<usize>,
    pub(crate) paint: ResolvedStyle,
    /// Background; `None` for the screen's background.
    pub(crate) bg: Option<Rgb>,
    /// A line-shaped cursor.
    pub(crate) cursor: Option<(CursorShape, Rgb)>,
    /// The URI of a safe link.
    pub(crate) link: Option<&'a str>,
    pub(crate) row: &'a Row,
}

impl<'a> StyledSpan<'a> {
    /// Returns the cells with their first columns, without the second halves of wide characters.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, CellView<'a>)> {
        let row = self.row;
        let cells = self.cols.clone().map(move |col| (col, row.cell(col)));
        cells.filter(|(_, cell)| cell.width != Width::Spacer)
    }

    /// Whether nothing of the span is visible.
    pub(crate) fn is_blank(&self) -> bool {
        let text = || {
            let mut cells = self.cells();
            cells.any(|(_, cell)| cell.char() != ' ' && !is_placeholder(&cell))
        };
        let shows = self.bg.is_some() || self.cursor.is_some() || self.paint.has_lines();
        !shows && (!self.paint.visible || !text())
    }
}

/// Returns the spans of a row, from the left, up to the last stored cell or the cursor.
pub(crate) fn spans<'a>(
    screen: &'a Screen,
    row: usize,
    colors: &ScreenColors,
    options: &RenderOptions,
) -> Vec<StyledSpan<'a>> {
    let Some(cells) = screen.row(row) else {
        return Vec::new();
    };
    let cols = usize::from(screen.size.cols);
    let shown = options.cursor.in_row(screen, row);
    let under = shown.as_ref().map_or(0..0, |shown| shown.cols.clone());
    let end = cells.len().min(cols).max(under.end);
    let mut spans: Vec<StyledSpan<'_>> = Vec::new();
    let mut col = 0;
    while col < end {
        let cell = cells.cell(col);
        // A wide character that is cut off at the edge keeps its one column.
        let next = match cell.width {
            Width::Wide => (col + 2).min(end),
            Width::Narrow | Width::Spacer => col + 1,
        };
        let mut paint = ResolvedStyle::of(cell.style, colors, options.bold);
        let mut line = None;
        if let Some(shown) = shown.as_ref().filter(|_| under.contains(&col)) {
            match shown.shape {
                CursorShape::Block => paint = paint.under_block(colors.cursor),
                shape => line = Some((shape, paint.cursor_color(colors.cursor))),
            }
        }
        let link = cell.link.and_then(|link| safe_link(&link.uri));
        match spans.last_mut() {
            Some(last)
                if last.paint == paint
                    && last.link == link
                    && (&last.cursor, &line) == (&None, &None) =>
            {
                last.cols.end = next;
            }
            _ => spans.push(StyledSpan {
                cols: col..next,
                paint,
                bg: (paint.bg != colors.bg).then_some(paint.bg),
                cursor: line,
                link,
                row: cells,
            }),
        }
        col = next;
    }
    spans
}

/// Whether fonts for terminals have a character and draw it one cell wide: Latin, Greek, Cyrillic,
/// lines and blocks. Other characters come from another font, with its own width.
pub(crate) fn fits_one_cell(c: char) -> bool {
    matches!(
        c,
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{24f}' | '\u{370}'..='\u{52f}' | '\u{2500}'..='\u{259f}'
    )
}

/// Returns the URI if it is safe to follow. Some schemes run code, and browsers ignore some
/// spaces and control characters, which could hide such a scheme.
fn safe_link(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let known = ["http", "https", "mailto", "file"];
    let known = known.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let clean = !uri.contains(|c: char| c.is_control() || c.is_whitespace());
    (known && clean).then_some(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_uris_are_links() {
        for (uri, harmless) in [
            ("https://example.org/?a=1&b=\"2\"", true),
            ("HTTP://example.org", true),
            ("mailto:a@example.org", true),
            ("file:///tmp/a", true),
            ("javascript:alert(1)", false),
            ("JavaScript:alert(1)", false),
            ("java\tscript:alert(1)", false),
            (" https://example.org", false),
            ("https://exa\nmple.org", false),
            ("data:text/html,x", false),
            ("vbscript:x", false),
            ("//example.org", false),
            ("", false),
        ] {
            assert_eq!(safe_link(uri).is_some(), harmless, "{uri:?}");
        }
    }
}
