//! SGR: attributes and colours of the following text.

use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use crate::emulator::vt::grid::cell::{CellFlags, PackedColor};

impl Terminal {
    /// Applies an SGR sequence. Returns false if a part of it is not supported.
    pub(super) fn select_graphics(&mut self, params: &Params) -> bool {
        let mut known = true;
        let mut params = params.iter();
        while let Some(param) = params.next() {
            let cell = &mut self.pen.cell;
            let flags = &mut cell.flags;
            match *param {
                [0] => self.pen.reset_style(),
                [1] => flags.insert(CellFlags::BOLD),
                [2] => flags.insert(CellFlags::FAINT),
                [3] => flags.insert(CellFlags::ITALIC),
                [4, kind @ 0..=5] => flags.set_underline(kind.into()),
                [4, ..] => flags.set_underline(1),
                [5] => {
                    flags.remove(CellFlags::RAPID_BLINK);
                    flags.insert(CellFlags::BLINK);
                }
                [6] => {
                    flags.remove(CellFlags::BLINK);
                    flags.insert(CellFlags::RAPID_BLINK);
                }
                [7] => flags.insert(CellFlags::INVERSE),
                [8] => flags.insert(CellFlags::INVISIBLE),
                [9] => flags.insert(CellFlags::STRIKETHROUGH),
                [21] => flags.set_underline(2),
                [22] => flags.remove(CellFlags::BOLD | CellFlags::FAINT),
                [23] => flags.remove(CellFlags::ITALIC),
                [24] => flags.set_underline(0),
                [25] => flags.remove(CellFlags::BLINK | CellFlags::RAPID_BLINK),
                [27] => flags.remove(CellFlags::INVERSE),
                [28] => flags.remove(CellFlags::INVISIBLE),
                [29] => flags.remove(CellFlags::STRIKETHROUGH),
                [53] => flags.insert(CellFlags::OVERLINE),
                [55] => flags.remove(CellFlags::OVERLINE),
                [number @ 30..=37] => cell.fg = PackedColor::indexed(number as u8 - 30),
                [number @ 40..=47] => cell.bg = PackedColor::indexed(number as u8 - 40),
                [number @ 90..=97] => cell.fg = PackedColor::indexed(number as u8 - 90 + 8),
                [number @ 100..=107] => cell.bg = PackedColor::indexed(number as u8 - 100 + 8),
                [39] => cell.fg = PackedColor::DEFAULT,
                [49] => cell.bg = PackedColor::DEFAULT,
                [59] => self.pen.set_underline_color(PackedColor::DEFAULT),
                [kind @ (38 | 48 | 58), ref inner @ ..] => {
                    let color = if inner.is_empty() {
                        exact(&mut params.by_ref().map(|param| param[0]))
                    } else {
                        // With colons, an empty colour space may precede the three components.
                        let start = if inner.len() > 4 { 2 } else { 1 };
                        let rest = inner.get(start..).unwrap_or_default();
                        exact(&mut inner.first().into_iter().chain(rest).copied())
                    };
                    match (kind, color) {
                        (_, None) => known = false,
                        (38, Some(color)) => cell.fg = color,
                        (48, Some(color)) => cell.bg = color,
                        (_, Some(color)) => self.pen.set_underline_color(color),
                    }
                }
                _ => known = false,
            }
        }
        known
    }
}

/// Parses a colour after 38, 48 or 58: `2;r;g;b` or `5;index`. Numbers above 255 make it invalid as
/// a whole.
fn exact(numbers: &mut dyn Iterator<Item = u16>) -> Option<PackedColor> {
    let byte = |number: Option<u16>| u8::try_from(number?).ok();
    match numbers.next()? {
        2 => {
            let (r, g, b) = (numbers.next(), numbers.next(), numbers.next());
            Some(PackedColor::rgb(byte(r)?, byte(g)?, byte(b)?))
        }
        5 => byte(numbers.next()).map(PackedColor::indexed),
        _ => None,
    }
}
