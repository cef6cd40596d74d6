//! One row of a screen, and its cells.
//!
//! A row is self-contained. Its cells refer to styles, links and multi-code-point characters stored
//! in the row itself, numbered in the order of first use, and trailing blank cells are left out.
//! Rows that look the same are therefore equal, and every screen that shows a row can share it.
//!
//! A wide character takes two cells: one of width 2 that holds it, and a spacer of width 0 in the
//! same style.

use std::sync::{Arc, OnceLock};

use crate::screen::style::Style;

mod builder;
mod replace;
mod run;

pub use builder::{LinkId, MAX_MARKS, RowBuilder, StyleId};
pub use run::StyleRun;

/// One row of a screen.
#[derive(Debug, Clone)]
pub struct Row {
    cells: Box<[Cell]>,
    /// `styles[0]` is always the plain style.
    styles: Box<[Style]>,
    links: Box<[Hyperlink]>,
    clusters: Box<[Box<str>]>,
    zones: Box<[ZoneStart]>,
    wrapped: bool,
    /// Computed on first use: a wait reads the text of every changed row once, and of unchanged
    /// rows never again.
    text: OnceLock<RowText>,
}

impl Row {
    /// Returns the cell in a column; blank beyond the last stored cell.
    pub fn cell(&self, col: usize) -> CellView<'_> {
        match self.cells.get(col) {
            Some(cell) => self.view(*cell),
            None => CellView::BLANK,
        }
    }

    /// Returns the stored cells from left to right, without trailing blank cells.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = CellView<'_>> + ExactSizeIterator {
        self.cells.iter().map(|cell| self.view(*cell))
    }

    /// Returns the number of stored cells: up to the last one that is not blank.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether every cell is blank.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the approximate memory use in bytes, including the text, which is computed on first
    /// use.
    pub fn bytes(&self) -> usize {
        let texts: usize = self.clusters.iter().map(|cluster| cluster.len()).sum();
        let links: usize = self.links.iter().map(|link| link.uri.len()).sum();
        size_of::<Row>()
            + self.cells.len() * (size_of::<Cell>() + 4)
            + self.styles.len() * size_of::<Style>()
            + self.links.len() * size_of::<Hyperlink>()
            + self.clusters.len() * size_of::<Box<str>>()
            + texts * 2
            + links
    }

    /// Returns whether the text was wrapped into the next row.
    pub fn wrapped(&self) -> bool {
        self.wrapped
    }

    /// Returns where shell prompts, inputs and outputs begin in this row (OSC 133).
    pub fn zones(&self) -> &[ZoneStart] {
        &self.zones
    }

    /// Returns the links of the row's cells, each once.
    #[cfg(feature = "all-formats")]
    pub(crate) fn links(&self) -> &[Hyperlink] {
        &self.links
    }

    /// Returns the characters of the row's cells that have more than one code point, each once.
    #[cfg(feature = "all-formats")]
    pub(crate) fn clusters(&self) -> &[Box<str>] {
        &self.clusters
    }

    /// Returns the text without trailing spaces.
    pub fn text(&self) -> &str {
        &self.row_text().text
    }

    /// Returns the column of the character that starts at, or contains, a byte of [`Row::text`].
    pub fn col_of_byte(&self, byte: usize) -> usize {
        let cols = &self.row_text().cols;
        match cols {
            None => byte,
            Some(cols) => cols
                .get(byte)
                .copied()
                .map_or_else(|| self.cells.len(), usize::from),
        }
    }

    /// Returns the byte offset in [`Row::text`] of the first character that starts in or right of a
    /// column, or the length of the text if there is none. The second half of a wide character
    /// counts as right of its start.
    pub fn byte_of_col(&self, col: usize) -> usize {
        let RowText { text, cols } = self.row_text();
        match cols {
            None => col.min(text.len()),
            // `cols` is longer than the text: it includes the trailing spaces that the text leaves
            // out.
            Some(cols) => cols
                .partition_point(|start| usize::from(*start) < col)
                .min(text.len()),
        }
    }

    fn row_text(&self) -> &RowText {
        self.text.get_or_init(|| RowText::of(self))
    }

    fn view(&self, cell: Cell) -> CellView<'_> {
        CellView {
            text: self.text_of(cell),
            width: cell.width(),
            style: self.style_of(cell),
            link: self.link_of(cell),
        }
    }

    fn text_of(&self, cell: Cell) -> Text<'_> {
        match cell.cluster() {
            Some(index) => Text::Cluster(&self.clusters[index]),
            None => Text::Char(cell.char()),
        }
    }

    fn style_of(&self, cell: Cell) -> &Style {
        &self.styles[usize::from(cell.style)]
    }

    fn link_of(&self, cell: Cell) -> Option<&Hyperlink> {
        let number = cell.link.checked_sub(1);
        number.map(|index| &self.links[usize::from(index)])
    }
}

/// Returns the blank row, which equals a row that was built without cells.
impl Default for Row {
    fn default() -> Row {
        RowBuilder::new().finish()
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.cells == other.cells
            && self.styles == other.styles
            && self.links == other.links
            && self.clusters == other.clusters
            && self.zones == other.zones
            && self.wrapped == other.wrapped
    }
}

impl Eq for Row {}

/// A row's text, with the column of each byte if the two differ.
#[derive(Debug, Clone)]
struct RowText {
    text: String,
    cols: Option<Box<[u16]>>,
}

impl RowText {
    fn of(row: &Row) -> RowText {
        RowText::of_ascii(row).unwrap_or_else(|| RowText::of_any(row))
    }

    /// Returns the text of a row of single ASCII characters, which most rows are. Waits and their
    /// reports read the text of thousands of rows, and this takes a tenth of the time.
    fn of_ascii(row: &Row) -> Option<RowText> {
        let mut bytes = Vec::with_capacity(row.cells.len());
        for cell in &row.cells {
            if !cell.char().is_ascii() || cell.cluster().is_some() || cell.width() != Width::Narrow
            {
                return None;
            }
            bytes.push(cell.char() as u8);
        }
        let mut text = String::from_utf8(bytes).ok()?;
        text.truncate(text.trim_end_matches(' ').len());
        Some(RowText { text, cols: None })
    }

    fn of_any(row: &Row) -> RowText {
        let mut text = String::with_capacity(row.cells.len());
        let mut cols = Vec::new();
        for (col, cell) in row.cells().enumerate() {
            if cell.width == Width::Spacer {
                continue;
            }
            cell.push_to(&mut text);
            // Columns are at most `Size::COLS`, far below 65,536.
            cols.resize(text.len(), col as u16);
        }
        text.truncate(text.trim_end_matches(' ').len());
        RowText {
            text,
            cols: Some(cols.into_boxed_slice()),
        }
    }
}

/// Number of columns that a cell takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// The second half of a wide character; it has no text.
    Spacer,
    /// One column.
    Narrow,
    /// Two columns: this one and the spacer after it.
    Wide,
}

/// A read-only view of one cell of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellView<'a> {
    /// The character; a space if nothing was written.
    pub text: Text<'a>,
    /// Number of columns.
    pub width: Width,
    /// Colours and attributes.
    pub style: &'a Style,
    /// The link of the cell, if it has one.
    pub link: Option<&'a Hyperlink>,
}

impl CellView<'_> {
    /// A cell that was never written.
    pub const BLANK: CellView<'static> = CellView {
        text: Text::Char(' '),
        width: Width::Narrow,
        style: &Style {
            fg: crate::Color::Default,
            bg: crate::Color::Default,
            underline: crate::Underline::None,
            underline_color: crate::Color::Default,
            attributes: crate::Attributes::empty(),
        },
        link: None,
    };

    /// Appends the cell's text; nothing for a spacer.
    pub fn push_to(&self, text: &mut String) {
        match (self.width, self.text) {
            (Width::Spacer, _) => {}
            (_, Text::Char(c)) => text.push(c),
            (_, Text::Cluster(cluster)) => text.push_str(cluster),
        }
    }

    /// Returns the first code point of the cell's text.
    pub fn char(&self) -> char {
        match self.text {
            Text::Char(c) => c,
            Text::Cluster(cluster) => cluster.chars().next().unwrap_or(' '),
        }
    }
}

/// The text of a cell: one code point, or one with combining characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text<'a> {
    /// A single code point.
    Char(char),
    /// A base character and the code points that combine with it.
    Cluster(&'a str),
}

/// The link of a cell (OSC 8).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hyperlink {
    /// The program's id for the link, shared by all parts of the same link.
    pub id: Option<Arc<str>>,
    /// The URI.
    pub uri: Arc<str>,
}

/// The shell-integration mark of a range of cells (OSC 133).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zone {
    /// Not marked.
    None,
    /// The prompt.
    Prompt,
    /// The command that the user typed.
    Input,
    /// The output of the command.
    Output,
}

/// A column where a zone begins within a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ZoneStart {
    /// The first column of the zone.
    pub col: u16,
    /// The zone.
    pub zone: Zone,
}

/// A stored cell. Eight bytes, so that a screen of 200×50 takes 80 KB and is built in tens of
/// microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    /// Bits 0–20: a code point or, if bit 31 is set, the index of a cluster. Bits 28–29: the width.
    bits: u32,
    style: u16,
    /// 0 for no link, otherwise the index of the link plus one.
    link: u16,
}

impl Cell {
    const CLUSTER: u32 = 1 << 31;
    const VALUE: u32 = (1 << 21) - 1;
    const WIDTH_SHIFT: u32 = 28;

    const fn new(value: u32, width: Width, style: StyleId, link: LinkId) -> Cell {
        Cell {
            bits: value | (width as u32) << Cell::WIDTH_SHIFT,
            style: style.0,
            link: link.0,
        }
    }

    fn cluster(self) -> Option<usize> {
        (self.bits & Cell::CLUSTER != 0).then_some((self.bits & Cell::VALUE) as usize)
    }

    fn char(self) -> char {
        char::from_u32(self.bits & Cell::VALUE).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn width(self) -> Width {
        match (self.bits >> Cell::WIDTH_SHIFT) & 0b11 {
            0 => Width::Spacer,
            1 => Width::Narrow,
            _ => Width::Wide,
        }
    }

    fn is_blank(self) -> bool {
        self == Cell::new(' ' as u32, Width::Narrow, StyleId::PLAIN, LinkId::NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Rgb};

    fn row(text: &str) -> Row {
        let mut builder = RowBuilder::new();
        for c in text.chars() {
            builder.push(c, StyleId::PLAIN, LinkId::NONE);
        }
        builder.finish()
    }

    #[test]
    fn trailing_blank_cells_do_not_affect_equality() {
        assert_eq!(row("ab   "), row("ab"));
        assert_eq!(row("ab   ").len(), 2);
        assert!(row("    ").is_empty());
    }

    #[test]
    fn an_empty_row_equals_a_row_of_spaces() {
        assert_eq!(row("   "), Row::default());
    }

    #[test]
    fn a_blank_with_a_background_is_kept() {
        let mut builder = RowBuilder::new();
        let style = builder.style(&Style {
            bg: Color::Indexed(4),
            ..Style::default()
        });
        builder.push(' ', style, LinkId::NONE);
        let row = builder.finish();
        assert_eq!(row.len(), 1);
        assert_eq!(row.cell(0).style.bg, Color::Indexed(4));
        assert_eq!(row.text(), "");
    }

    #[test]
    fn many_styles_keep_the_order_of_first_use() {
        let style = |n: u16| Style {
            fg: Color::Rgb(Rgb::new(n as u8, (n >> 8) as u8, 7)),
            ..Style::default()
        };
        let mut builder = RowBuilder::new();
        for n in (0..700).chain(0..700) {
            let id = builder.style(&style(n));
            assert_eq!(id, StyleId(n + 1));
            builder.push('x', id, LinkId::NONE);
        }
        let row = builder.finish();
        assert_eq!(*row.cell(699).style, style(699));
        assert_eq!(*row.cell(700).style, style(0));
    }

    #[test]
    fn col_of_byte_handles_wide_and_combining_characters() {
        let mut builder = RowBuilder::new();
        builder.push_wide('界', StyleId::PLAIN, LinkId::NONE);
        builder.push_cluster("e\u{301}", Width::Narrow, StyleId::PLAIN, LinkId::NONE);
        builder.push('x', StyleId::PLAIN, LinkId::NONE);
        let row = builder.finish();
        assert_eq!(row.text(), "界e\u{301}x");
        let col = |needle| row.col_of_byte(row.text().find(needle).unwrap());
        assert_eq!((col("界"), col("e"), col("x")), (0, 2, 3));
        assert_eq!(row.col_of_byte(row.text().len()), 4);
    }

    #[test]
    fn byte_of_col_handles_wide_and_combining_characters() {
        let mut builder = RowBuilder::new();
        builder.push_wide('界', StyleId::PLAIN, LinkId::NONE);
        builder.push_cluster("e\u{301}", Width::Narrow, StyleId::PLAIN, LinkId::NONE);
        builder.push(' ', StyleId::PLAIN, LinkId::NONE);
        let back = builder.style(&Style {
            bg: Color::Indexed(4),
            ..Style::default()
        });
        builder.push(' ', back, LinkId::NONE);
        let wide = builder.finish();
        let bytes: Vec<usize> = (0..6).map(|col| wide.byte_of_col(col)).collect();
        assert_eq!(bytes, [0, 3, 3, 6, 6, 6]);
        let plain: Vec<usize> = (0..4).map(|col| row("ab").byte_of_col(col)).collect();
        assert_eq!(plain, [0, 1, 2, 2]);
    }
}
