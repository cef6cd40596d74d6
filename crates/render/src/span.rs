//! Cells side by side that look the same, for formats in which text stays text.
//!
//! The theme has spoken here: colours are exact, inverse and faint are done, and a block cursor is a cell in other
//! colours. What comes from a program is fit to be written: no control characters, and links only to where a reader may
//! safely be led.
//!
//! Elsewhere: characters that XML cannot hold as they are (`span/escape.rs`).

use std::ops::Range;

use screentest_core::{
    Attributes, CellView, Color, Cursor, CursorShape, Rgb, Row, Screen, Style, Theme, Underline,
    Width,
};

pub(crate) mod escape;
#[cfg(test)]
pub(crate) mod sample;

/// Cells side by side that look the same and lead to the same place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span<'a> {
    /// The columns it takes.
    pub(crate) cols: Range<usize>,
    pub(crate) look: Look,
    /// An address that a reader may follow.
    pub(crate) link: Option<&'a str>,
    pub(crate) row: &'a Row,
}

/// How a cell looks, whoever asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) fg: Rgb,
    /// `None` where the ground shows.
    pub(crate) bg: Option<Rgb>,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underline: Underline,
    pub(crate) underline_color: Rgb,
    pub(crate) overline: bool,
    pub(crate) strikethrough: bool,
    /// Only the background is drawn.
    pub(crate) hidden: bool,
    /// A cursor that is a line.
    pub(crate) caret: Option<(CursorShape, Rgb)>,
}

impl Look {
    fn of(style: &Style, theme: &Theme) -> Look {
        let mut fg = theme.foreground(style.fg);
        let mut bg = theme.background(style.bg);
        if style.is(Attributes::INVERSE) {
            (fg, bg) = (bg, fg);
        }
        if style.is(Attributes::FAINT) {
            fg = between(fg, bg);
        }
        Look {
            fg,
            bg: (bg != theme.bg).then_some(bg),
            bold: style.is(Attributes::BOLD),
            italic: style.is(Attributes::ITALIC),
            underline: style.underline,
            underline_color: match style.underline_color {
                Color::Default => fg,
                color => theme.foreground(color),
            },
            overline: style.is(Attributes::OVERLINE),
            strikethrough: style.is(Attributes::STRIKETHROUGH),
            hidden: style.is(Attributes::INVISIBLE),
            caret: None,
        }
    }

    fn under_cursor(self, shape: CursorShape, theme: &Theme) -> Look {
        if shape != CursorShape::Block {
            return Look {
                caret: Some((shape, theme.cursor)),
                ..self
            };
        }
        let behind = self.bg.unwrap_or(theme.bg);
        // Where block and ground are of one colour, the letter keeps its own.
        let fg = if behind == theme.cursor {
            self.fg
        } else {
            behind
        };
        Look {
            fg,
            bg: Some(theme.cursor),
            underline_color: fg,
            ..self
        }
    }

    /// Whether a cell without text can be told from the ground.
    fn shows_on_blank(&self) -> bool {
        let lines = self.underline != Underline::None || self.overline || self.strikethrough;
        self.bg.is_some() || self.caret.is_some() || (lines && !self.hidden)
    }
}

/// Faint text is half way to what is behind it.
fn between(one: Rgb, other: Rgb) -> Rgb {
    Rgb::new(
        one.r.midpoint(other.r),
        one.g.midpoint(other.g),
        one.b.midpoint(other.b),
    )
}

impl<'a> Span<'a> {
    /// The cells with the columns at which they begin, without the second halves of wide ones.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, CellView<'a>)> {
        let row = self.row;
        let cells = self.cols.clone().map(move |col| (col, row.cell(col)));
        cells.filter(|(_, cell)| cell.width != Width::Spacer)
    }

    /// Whether nothing of it can be seen.
    pub(crate) fn is_blank(&self) -> bool {
        let text = || self.cells().any(|(_, cell)| cell.char() != ' ');
        !self.look.shows_on_blank() && (self.look.hidden || !text())
    }
}

/// The spans of a row, from the left, up to the last cell that is kept or has the cursor on it.
pub(crate) fn spans<'a>(
    screen: &'a Screen,
    row: usize,
    theme: &Theme,
    caret: Caret,
) -> Vec<Span<'a>> {
    let Some(cells) = screen.row(row) else {
        return Vec::new();
    };
    let cols = usize::from(screen.size.cols);
    let under = match caret {
        Caret::Shown => cursor_cols(&screen.cursor, row, cells, cols),
        Caret::Hidden => 0..0,
    };
    let end = cells.len().min(cols).max(under.end);
    let mut spans: Vec<Span<'_>> = Vec::new();
    let mut col = 0;
    while col < end {
        let cell = cells.cell(col);
        // A wide character that the edge cuts off keeps to its one column.
        let next = match cell.width {
            Width::Wide => (col + 2).min(end),
            Width::Narrow | Width::Spacer => col + 1,
        };
        let mut look = Look::of(cell.style, theme);
        if under.contains(&col) {
            look = look.under_cursor(screen.cursor.shape, theme);
        }
        let link = cell.link.and_then(|link| safe(&link.uri));
        match spans.last_mut() {
            Some(last) if last.look == look && last.link == link && look.caret.is_none() => {
                last.cols.end = next;
            }
            _ => spans.push(Span {
                cols: col..next,
                look,
                link,
                row: cells,
            }),
        }
        col = next;
    }
    spans
}

/// The columns under the cursor: two on a wide character.
fn cursor_cols(cursor: &Cursor, row: usize, cells: &Row, cols: usize) -> Range<usize> {
    let col = cursor.position.col;
    if !cursor.visible || cursor.position.row != row || col >= cols {
        return 0..0;
    }
    match cells.cell(col).width {
        Width::Wide => col..(col + 2).min(cols),
        Width::Spacer => col.saturating_sub(1)..col + 1,
        Width::Narrow => col..col + 1,
    }
}

/// Whether fonts for terminals have a character, and draw it in the width of a cell: Latin, Greek, Cyrillic, lines and
/// blocks. What they lack comes from another font, in a width of its own.
pub(crate) fn is_even(c: char) -> bool {
    matches!(
        c,
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{24f}' | '\u{370}'..='\u{52f}' | '\u{2500}'..='\u{259f}'
    )
}

/// Whether the cursor is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Caret {
    /// Where the program shows it.
    #[default]
    Shown,
    /// Never.
    Hidden,
}

/// An address that a reader may be led to: some schemes run code, and a browser reads over blanks and controls in others.
fn safe(uri: &str) -> Option<&str> {
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
    fn only_harmless_addresses_are_links() {
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
            assert_eq!(safe(uri).is_some(), harmless, "{uri:?}");
        }
    }
}
