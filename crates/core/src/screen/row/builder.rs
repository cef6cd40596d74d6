//! Building rows.
//!
//! Styles, links and long characters are numbered in the order of their first use, and blanks at the end are left out, so
//! that what looks the same is the same. A screen is read row by row, so the builder keeps its memory between them.

use std::sync::OnceLock;

use super::{Cell, Hyperlink, Row, Width, Zone, ZoneStart};
use crate::screen::style::Style;

/// The number of a style in the row being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StyleId(pub(super) u16);

impl StyleId {
    /// The plain style, which every row has.
    pub const PLAIN: StyleId = StyleId(0);
}

/// The number of a link in the row being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkId(pub(super) u16);

impl LinkId {
    /// No link.
    pub const NONE: LinkId = LinkId(0);
}

/// Builds rows, one after another, with memory that is reused between them.
#[derive(Debug, Clone)]
pub struct RowBuilder {
    cells: Vec<Cell>,
    styles: Vec<Style>,
    links: Vec<Hyperlink>,
    clusters: Vec<Box<str>>,
    zones: Vec<ZoneStart>,
    wrapped: bool,
    /// Open addressing over `styles`, for rows with many: a slot holds a style's number plus one.
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
    /// Up to this many styles a look along the list beats a hash.
    const LINEAR: usize = 8;

    /// An empty row.
    pub fn new() -> RowBuilder {
        RowBuilder::default()
    }

    /// The column that the next cell will have.
    pub fn col(&self) -> usize {
        self.cells.len()
    }

    /// The number of a style, which is remembered from its first use on.
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

    /// The number of a link.
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

    /// Adds a character one column wide.
    #[inline]
    pub fn push(&mut self, c: char, style: StyleId, link: LinkId) {
        self.cells
            .push(Cell::new(c as u32, Width::Narrow, style, link));
    }

    /// Adds a character that takes two columns, and its spacer.
    pub fn push_wide(&mut self, c: char, style: StyleId, link: LinkId) {
        self.cells
            .push(Cell::new(c as u32, Width::Wide, style, link));
        self.push_spacer(style, link);
    }

    /// Adds a character with marks that join it; `text` of a single code point is the same as a plain push.
    pub fn push_cluster(&mut self, text: &str, width: Width, style: StyleId, link: LinkId) {
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

    /// Says that from the next cell on the row belongs to a zone.
    pub fn zone(&mut self, zone: Zone) {
        let now = self.zones.last().map_or(Zone::None, |start| start.zone);
        if now != zone {
            self.zones.push(ZoneStart {
                col: self.cells.len() as u16,
                zone,
            });
        }
    }

    /// Says whether the text went on in the next row.
    pub fn wrapped(&mut self, wrapped: bool) {
        self.wrapped = wrapped;
    }

    /// The finished row; the builder is empty again.
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

    /// Enters styles from number `first` on; grows the table so that it stays at most half full.
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

/// Mixes a style's parts. The order of numbers never depends on it, so it need not be the same between versions.
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
