//! Styles and links of cells: the table of a message.
//!
//! Each entry (a style and a link) is written once, in the order of first use; pieces of rows refer
//! to it by its number, counted from 1. 0 is the default style without a link.

use std::collections::HashMap;
use std::sync::Arc;

use super::bytes::{MessageReader, put_count, put_number, put_text};
use super::{MAX_ROW_BYTES, StreamError};
use crate::{Attributes, CellView, Color, Hyperlink, Size, Style, Underline};

/// Limit on the styles of a message: one for each cell of the largest screen.
pub(super) const MAX_STYLES: usize = *Size::COLS.end() as usize * *Size::ROWS.end() as usize;

/// Bits of an entry's first byte: the fields that follow. Two bits for each colour: 0 is the
/// default, 1 a palette index, 2 RGB.
const BG_SHIFT: u8 = 2;
const UNDERLINE_SHIFT: u8 = 4;
const ATTRIBUTES: u8 = 1 << 6;
const LINK: u8 = 1 << 7;
const INDEXED: u8 = 1;
const RGB: u8 = 2;

/// Position of the underline's kind in the number of the attributes.
const KIND_SHIFT: u32 = 9;
const UNDERLINES: [Underline; 6] = [
    Underline::None,
    Underline::Single,
    Underline::Double,
    Underline::Curly,
    Underline::Dotted,
    Underline::Dashed,
];
/// The attributes in the order of their bits.
const BITS: [Attributes; 9] = [
    Attributes::BOLD,
    Attributes::FAINT,
    Attributes::ITALIC,
    Attributes::BLINK,
    Attributes::RAPID_BLINK,
    Attributes::INVERSE,
    Attributes::INVISIBLE,
    Attributes::STRIKETHROUGH,
    Attributes::OVERLINE,
];

/// A decoded entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StyleEntry {
    pub(super) style: Style,
    pub(super) link: Option<Hyperlink>,
}

/// The styles of a message that is being encoded.
#[derive(Debug, Default)]
pub(super) struct StyleTable<'a> {
    list: Vec<(Style, Option<&'a Hyperlink>)>,
    /// Filled once the list is too long for a quick linear search.
    numbers: HashMap<(Style, Option<&'a Hyperlink>), usize>,
}

impl<'a> StyleTable<'a> {
    const LINEAR: usize = 8;

    /// Returns the number of a cell's entry, which is assigned at its first use.
    pub(super) fn number(&mut self, cell: &CellView<'a>) -> usize {
        let entry = (*cell.style, cell.link);
        if entry == (Style::default(), None) {
            return 0;
        }
        let known = if self.list.len() <= StyleTable::LINEAR {
            self.list.iter().position(|known| *known == entry)
        } else {
            self.numbers.get(&entry).copied()
        };
        if let Some(index) = known {
            return index + 1;
        }
        let index = self.list.len();
        self.list.push(entry);
        if self.list.len() > StyleTable::LINEAR {
            let first = if self.numbers.is_empty() { 0 } else { index };
            let new = self.list.iter().enumerate().skip(first);
            self.numbers
                .extend(new.map(|(index, entry)| (*entry, index)));
        }
        index + 1
    }

    /// Appends the links and the styles.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let mut links: Vec<&Hyperlink> = Vec::new();
        let mut places: HashMap<&Hyperlink, usize> = HashMap::new();
        for link in self.list.iter().filter_map(|(_, link)| *link) {
            places.entry(link).or_insert_with(|| {
                links.push(link);
                links.len() - 1
            });
        }
        put_count(bytes, links.len());
        for link in links {
            put_text(bytes, &link.uri);
            // An empty id differs from no id.
            match &link.id {
                None => put_count(bytes, 0),
                Some(id) => {
                    put_count(bytes, id.len() + 1);
                    bytes.extend(id.as_bytes());
                }
            }
        }
        put_count(bytes, self.list.len());
        for (style, link) in &self.list {
            let link = link.and_then(|link| places.get(link).copied());
            write_entry(bytes, style, link);
        }
    }
}

fn write_entry(bytes: &mut Vec<u8>, style: &Style, link: Option<usize>) {
    let kind = |color: Color| match color {
        Color::Default => 0,
        Color::Indexed(_) => INDEXED,
        Color::Rgb(_) => RGB,
    };
    let underline = UNDERLINES
        .iter()
        .position(|kind| *kind == style.underline)
        .unwrap_or(0);
    let mut attributes = (underline as u64) << KIND_SHIFT;
    for (bit, attribute) in BITS.into_iter().enumerate() {
        attributes |= u64::from(style.is(attribute)) << bit;
    }
    let mut head = kind(style.fg)
        | kind(style.bg) << BG_SHIFT
        | kind(style.underline_color) << UNDERLINE_SHIFT;
    if attributes != 0 {
        head |= ATTRIBUTES;
    }
    if link.is_some() {
        head |= LINK;
    }
    bytes.push(head);
    for color in [style.fg, style.bg, style.underline_color] {
        match color {
            Color::Default => {}
            Color::Indexed(index) => bytes.push(index),
            Color::Rgb(rgb) => bytes.extend([rgb.r, rgb.g, rgb.b]),
        }
    }
    if attributes != 0 {
        put_number(bytes, attributes);
    }
    if let Some(link) = link {
        put_count(bytes, link);
    }
}

/// Decodes the links and the styles.
pub(super) fn read(input: &mut MessageReader<'_>) -> Result<Vec<StyleEntry>, StreamError> {
    let count = input.count("links", 0, MAX_STYLES)?;
    let mut links = Vec::new();
    for _ in 0..count {
        let uri = Arc::from(input.text("bytes of a link's URI", 0, MAX_ROW_BYTES)?);
        let id = match input.count("bytes of a link's id plus one", 0, MAX_ROW_BYTES + 1)? {
            0 => None,
            more => Some(Arc::from(input.utf8(more - 1)?)),
        };
        links.push(Hyperlink { id, uri });
    }
    let count = input.count("styles", 0, MAX_STYLES)?;
    let mut styles = Vec::new();
    for _ in 0..count {
        styles.push(read_entry(input, &links)?);
    }
    Ok(styles)
}

fn read_entry(
    input: &mut MessageReader<'_>,
    links: &[Hyperlink],
) -> Result<StyleEntry, StreamError> {
    let offset = input.at;
    let head = input.byte()?;
    let kinds = [head, head >> BG_SHIFT, head >> UNDERLINE_SHIFT].map(|bits| bits & 0b11);
    // The default style without a link has the number 0 and is never in the table.
    if head == 0 || kinds.iter().any(|kind| *kind > RGB) {
        return Err(StreamError::Head {
            offset,
            what: "style",
            value: head.into(),
        });
    }
    let mut color = |kind: u8| {
        Ok(match kind {
            0 => Color::Default,
            INDEXED => Color::Indexed(input.byte()?),
            _ => Color::Rgb(input.rgb()?),
        })
    };
    let [fg, bg, underline_color] = [color(kinds[0])?, color(kinds[1])?, color(kinds[2])?];
    let mut style = Style {
        fg,
        bg,
        underline_color,
        ..Style::default()
    };
    if head & ATTRIBUTES != 0 {
        let most = (UNDERLINES.len() as u64) << KIND_SHIFT;
        let bits = input.within("attributes", 1, most - 1)?;
        for (bit, attribute) in BITS.into_iter().enumerate() {
            style.attributes.set(attribute, bits >> bit & 1 == 1);
        }
        style.underline = UNDERLINES[(bits >> KIND_SHIFT) as usize];
    }
    let link = if head & LINK == 0 {
        None
    } else if links.is_empty() {
        return Err(StreamError::Head {
            offset,
            what: "style in a message without links",
            value: head.into(),
        });
    } else {
        let index = input.count("link", 0, links.len() - 1)?;
        Some(links[index].clone())
    };
    Ok(StyleEntry { style, link })
}
