//! Builder for rows.
//!
//! Styles, links and multi-code-point characters are numbered in the order of first use, and
//! trailing blank cells are left out, so that rows that look the same are equal. A screen is read
//! row by row, so the builder reuses its memory for each row.

use std::sync::OnceLock;

use super::{Cell, Hyperlink, Row, Width, Zone, ZoneStart};
use crate::screen::style::Style;

/// Maximum number of combining marks in a cell. Real text has fewer. A cell with thousands of marks
/// would cost every reader of the row time and memory.
pub const MAX_MARKS: usize = 16;

/// Number of a style in the row that is being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StyleId(pub(super) u16);

impl StyleId {
    /// The plain style, present in every row.
    pub const PLAIN: StyleId = StyleId(0);
}

/// Number of a link in the row that is being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkId(pub(super) u16);

impl LinkId {
    /// No link.
    pub const NONE: LinkId = LinkId(0);
}

/// Builds rows one after another, reusing memory between them.
#[derive(Debug, Clone)]
pub struct RowBuilder {
    cells: Vec<Cell>,
    styles: Vec<Style>,
    links: Vec<Hyperlink>,
    clusters: Vec<Box<str>>,
    zones: Vec<ZoneStart>,
    wrapped: bool,
    /// Hash index over `styles` with open addressing, for rows with many styles. A slot holds the
    /// number of a style plus one.
    slots: Vec<u16>,
}

impl Default for RowBuilder {
    fn default() -> RowBuilder {
        RowBuilder {
            cells: Vec::new(),
            styles: vec![Style::default()],
            links: Vec::new(),
            clusters: Vec::new(),
            zones: Vec::new(),
            wrapped: false,
            slots: Vec::new(),
        }
    }
}

impl RowBuilder {
    /// Up to this many styles, a linear search is faster than hashing.
    const LINEAR: usize = 8;

    /// Returns a builder with an empty row.
    pub fn new() -> RowBuilder {
        RowBuilder::default()
    }

    /// Returns the column of the next cell.
    pub fn col(&self) -> usize {
        self.cells.len()
    }

    /// Returns the number of a style, adding the style on first use.
    pub fn style(&mut self, style: &Style) -> StyleId {
        if self.styles.len() <= RowBuilder::LINEAR {
            if let Some(index) = self.styles.iter().position(|known| known == style) {
                return StyleId(index as u16);
            }
        } else if let Some(id) = self.look_up(style) {
            return id;
        }
        let id = StyleId(self.styles.len() as u16);
        self.styles.push(*style);
        if self.styles.len() > RowBuilder::LINEAR {
            self.index_from(self.styles.len() - 1);
        }
        id
    }

    /// Returns the number of a link, adding the link on first use.
    pub fn link(&mut self, link: &Hyperlink) -> LinkId {
        let index = self
            .links
            .iter()
            .position(|known| known == link)
            .unwrap_or_else(|| {
                self.links.push(link.clone());
                self.links.len() - 1
            });
        LinkId(index as u16 + 1)
    }

    /// Appends a character one column wide.
    #[inline]
    pub fn push(&mut self, c: char, style: StyleId, link: LinkId) {
        self.cells
            .push(Cell::new(c as u32, Width::Narrow, style, link));
    }

    /// Appends a character two columns wide, and its spacer.
    pub fn push_wide(&mut self, c: char, style: StyleId, link: LinkId) {
        self.cells
            .push(Cell::new(c as u32, Width::Wide, style, link));
        self.push_spacer(style, link);
    }

    /// Appends a character with combining marks; those after the first [`MAX_MARKS`] are dropped. A
    /// text of one code point is stored as by `push` or `push_wide`; an empty text is a space.
    pub fn push_cluster(&mut self, text: &str, width: Width, style: StyleId, link: LinkId) {
        let end = text.char_indices().nth(MAX_MARKS + 1);
        let text = end.map_or(text, |(end, _)| text.split_at(end).0);
        let mut chars = text.chars();
        let value = match (chars.next(), chars.next()) {
            (Some(c), None) => c as u32,
            (None, _) => ' ' as u32,
            _ => {
                let index = self
                    .clusters
                    .iter()
                    .position(|known| **known == *text)
                    .unwrap_or_else(|| {
                        self.clusters.push(text.into());
                        self.clusters.len() - 1
                    });
                index as u32 | Cell::CLUSTER
            }
        };
        self.cells.push(Cell::new(value, width, style, link));
        if width == Width::Wide {
            self.push_spacer(style, link);
        }
    }

    pub(crate) fn push_spacer(&mut self, style: StyleId, link: LinkId) {
        self.cells
            .push(Cell::new(' ' as u32, Width::Spacer, style, link));
    }

    /// Starts a zone at the next cell, unless that zone is already open.
    pub fn zone(&mut self, zone: Zone) {
        let now = self.zones.last().map_or(Zone::None, |start| start.zone);
        if now != zone {
            self.zones.push(ZoneStart {
                col: self.cells.len() as u16,
                zone,
            });
        }
    }

    /// Sets whether the text wraps into the next row.
    pub fn wrapped(&mut self, wrapped: bool) {
        self.wrapped = wrapped;
    }

    /// Returns the finished row and resets the builder.
    pub fn finish(&mut self) -> Row {
        let kept = self
            .cells
            .iter()
            .rposition(|cell| !cell.is_blank())
            .map_or(0, |last| last + 1);
        let row = Row {
            cells: self.cells[..kept].into(),
            styles: self.styles.as_slice().into(),
            links: self.links.as_slice().into(),
            clusters: self.clusters.as_slice().into(),
            zones: self.zones.as_slice().into(),
            wrapped: self.wrapped,
            text: OnceLock::new(),
        };
        self.cells.clear();
        self.styles.truncate(1);
        self.links.clear();
        self.clusters.clear();
        self.zones.clear();
        self.wrapped = false;
        self.slots.clear();
        row
    }

    fn look_up(&self, style: &Style) -> Option<StyleId> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(style) & mask;
        loop {
            match self.slots[slot] {
                0 => return None,
                entry if self.styles[usize::from(entry - 1)] == *style => {
                    return Some(StyleId(entry - 1));
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Indexes the styles from number `first` on. Grows the table so that it stays at most half
    /// full.
    fn index_from(&mut self, mut first: usize) {
        if self.slots.len() < self.styles.len() * 2 {
            let size = (self.styles.len() * 4).next_power_of_two();
            self.slots.clear();
            self.slots.resize(size, 0);
            first = 0;
        }
        let mask = self.slots.len() - 1;
        for (index, style) in self.styles.iter().enumerate().skip(first) {
            let mut slot = hash(style) & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index as u16 + 1;
        }
    }
}

/// Hashes a style. The order of style numbers does not depend on the hash, so the hash function may
/// change between versions.
fn hash(style: &Style) -> usize {
    use crate::Color;
    let color = |color: Color| match color {
        Color::Default => 0x1000_0000,
        Color::Indexed(index) => 0x2000_0000 | u64::from(index),
        Color::Rgb(rgb) => u64::from(rgb.r) << 16 | u64::from(rgb.g) << 8 | u64::from(rgb.b),
    };
    let mixed = color(style.fg)
        ^ color(style.bg).rotate_left(20)
        ^ color(style.underline_color).rotate_left(40)
        ^ u64::from(style.attributes.bits()) << 48
        ^ (style.underline as u64) << 60;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}
