//! How cells look: styles and links, in the table of a message.
//!
//! Each look is written once, in the order of first use, and pieces of rows name it by its number from 1. 0 is the plain look.

use std::collections::HashMap;
use std::sync::Arc;

use super::bytes::{Input, put_count, put_number, put_text};
use super::{MAX_ROW, StreamError};
use crate::{Attributes, CellView, Color, Hyperlink, Rgb, Size, Style, Underline};

/// The most looks that a message may have: one for each cell of the largest screen.
pub(super) const MOST_LOOKS: usize = *Size::COLS.end() as usize * *Size::ROWS.end() as usize;

/// In a look's first byte: what follows. Two bits for each colour: 0 the default, 1 of the palette, 2 exact.
const BG_SHIFT: u8 = 2;
const UNDERLINE_SHIFT: u8 = 4;
const ATTRIBUTES: u8 = 1 << 6;
const LINK: u8 = 1 << 7;
const INDEXED: u8 = 1;
const RGB: u8 = 2;

/// In the number of the attributes: how far up the kind of the underline stands.
const KIND_SHIFT: u32 = 9;
const UNDERLINES: [Underline; 6] = [
    Underline::None,
    Underline::Single,
    Underline::Double,
    Underline::Curly,
    Underline::Dotted,
    Underline::Dashed,
];
/// The attributes by their bits.
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

/// A look that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) style: Style,
    pub(super) link: Option<Hyperlink>,
}

/// The looks of a message while it is written.
#[derive(Debug, Default)]
pub(super) struct Looks<'a> {
    list: Vec<(Style, Option<&'a Hyperlink>)>,
    /// Made when there are more than a look along the list is quick for.
    numbers: HashMap<(Style, Option<&'a Hyperlink>), usize>,
}

impl<'a> Looks<'a> {
    const LINEAR: usize = 8;

    /// The number of a cell's look, which is remembered from its first use on.
    pub(super) fn number(&mut self, cell: &CellView<'a>) -> usize {
        let look = (*cell.style, cell.link);
        if look == (Style::default(), None) {
            return 0;
        }
        let known = if self.list.len() <= Looks::LINEAR {
            self.list.iter().position(|known| *known == look)
        } else {
            self.numbers.get(&look).copied()
        };
        if let Some(index) = known {
            return index + 1;
        }
        let index = self.list.len();
        self.list.push(look);
        if self.list.len() > Looks::LINEAR {
            let first = if self.numbers.is_empty() { 0 } else { index };
            let new = self.list.iter().enumerate().skip(first);
            self.numbers.extend(new.map(|(index, look)| (*look, index)));
        }
        index + 1
    }

    /// Appends the links and the looks.
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
            // An empty name is another thing than none.
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
            write_look(bytes, style, link);
        }
    }
}

fn write_look(bytes: &mut Vec<u8>, style: &Style, link: Option<usize>) {
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

/// Reads the links and the looks.
pub(super) fn read(input: &mut Input<'_>) -> Result<Vec<Look>, StreamError> {
    let count = input.count("links", 0, MOST_LOOKS)?;
    let mut links = Vec::new();
    for _ in 0..count {
        let uri = Arc::from(input.text("bytes of an address", 0, MAX_ROW)?);
        let id = match input.count("bytes of a link's name, and one", 0, MAX_ROW + 1)? {
            0 => None,
            more => Some(Arc::from(input.utf8(more - 1)?)),
        };
        links.push(Hyperlink { id, uri });
    }
    let count = input.count("looks", 0, MOST_LOOKS)?;
    let mut looks = Vec::new();
    for _ in 0..count {
        looks.push(read_look(input, &links)?);
    }
    Ok(looks)
}

fn read_look(input: &mut Input<'_>, links: &[Hyperlink]) -> Result<Look, StreamError> {
    let offset = input.at;
    let head = input.byte()?;
    let kinds = [head, head >> BG_SHIFT, head >> UNDERLINE_SHIFT].map(|bits| bits & 0b11);
    // A look without anything is the plain one, which has the number 0 and is not in the table.
    if head == 0 || kinds.iter().any(|kind| *kind > RGB) {
        return Err(StreamError::Head {
            offset,
            what: "look",
            value: head.into(),
        });
    }
    let mut color = |kind: u8| {
        Ok(match kind {
            0 => Color::Default,
            INDEXED => Color::Indexed(input.byte()?),
            _ => {
                let rgb = input.take(3)?;
                Color::Rgb(Rgb::new(rgb[0], rgb[1], rgb[2]))
            }
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
            what: "look in a message without links",
            value: head.into(),
        });
    } else {
        let index = input.count("link", 0, links.len() - 1)?;
        Some(links[index].clone())
    };
    Ok(Look { style, link })
}
