//! Attributes and zones that the wrapped cell cannot store.
//!
//! Blinking, overline and the shell's zones are stored as one private-use character at the start of
//! the pen's list of combining marks. The list is copied to every cell that is written, and
//! survives scrolling, reflow, saving and the alternate screen. When printed, such a character is
//! one column wide, so no program can put it into that list.

use alacritty_terminal::term::cell::Cell;

use crate::screen::row::Zone;
use crate::screen::style::Attributes;

/// The decoded marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExtraAttrs {
    /// A subset of `BLINK`, `RAPID_BLINK` and `OVERLINE`.
    pub(crate) attributes: Attributes,
    pub(crate) zone: Zone,
}

impl ExtraAttrs {
    pub(crate) const NONE: ExtraAttrs = ExtraAttrs {
        attributes: Attributes::empty(),
        zone: Zone::None,
    };

    const BASE: u32 = 0x10_ff00;

    /// Returns the attributes and zone stored in a cell.
    pub(crate) fn of(cell: &Cell) -> ExtraAttrs {
        cell.zerowidth()
            .and_then(|marks| marks.first())
            .and_then(|mark| ExtraAttrs::decode(*mark))
            .unwrap_or(ExtraAttrs::NONE)
    }

    /// Stores these attributes and the zone in the pen, for all text written from now on.
    pub(crate) fn put(self, pen: &mut Cell) {
        let underline = pen.underline_color();
        let link = pen.hyperlink();
        pen.extra = None;
        if self != ExtraAttrs::NONE {
            pen.push_zerowidth(self.encode());
        }
        if underline.is_some() {
            pen.set_underline_color(underline);
        }
        if link.is_some() {
            pen.set_hyperlink(link);
        }
    }

    /// Returns whether a character is such a marker.
    pub(crate) fn is_marker(c: char) -> bool {
        ExtraAttrs::decode(c).is_some()
    }

    fn encode(self) -> char {
        let blink = match self.attributes & (Attributes::BLINK | Attributes::RAPID_BLINK) {
            a if a.contains(Attributes::RAPID_BLINK) => 2,
            a if a.contains(Attributes::BLINK) => 1,
            _ => 0,
        };
        let overline = u32::from(self.attributes.contains(Attributes::OVERLINE));
        let bits = blink | overline << 2 | (self.zone as u32) << 3;
        char::from_u32(ExtraAttrs::BASE + bits).expect("markers are below 10FFFF")
    }

    fn decode(c: char) -> Option<ExtraAttrs> {
        let bits = (c as u32)
            .checked_sub(ExtraAttrs::BASE)
            .filter(|bits| *bits < 32)?;
        let mut attributes = match bits & 0b11 {
            0 => Attributes::empty(),
            1 => Attributes::BLINK,
            _ => Attributes::RAPID_BLINK,
        };
        attributes.set(Attributes::OVERLINE, bits & 0b100 != 0);
        Some(ExtraAttrs {
            attributes,
            zone: match bits >> 3 {
                0 => Zone::None,
                1 => Zone::Prompt,
                2 => Zone::Input,
                _ => Zone::Output,
            },
        })
    }
}
