//! The styles that the bought cell has no room for.
//!
//! Blinking, overline and the shell's zones ride along as one character of a private plane at the front of the pen's
//! list of joining marks. The list is copied to every cell that is written and survives scrolling, reflow, saving and
//! the alternate screen; such a character is one column wide when printed, so no program can put it there.

use alacritty_terminal::term::cell::Cell;

use crate::screen::row::Zone;
use crate::screen::style::Attributes;

/// What the marker says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extra {
    /// Of `BLINK`, `RAPID_BLINK` and `OVERLINE`.
    pub(super) attributes: Attributes,
    pub(super) zone: Zone,
}

impl Extra {
    pub(super) const NONE: Extra = Extra {
        attributes: Attributes::empty(),
        zone: Zone::None,
    };

    const BASE: u32 = 0x10_ff00;

    /// What a cell carries.
    pub(super) fn of(cell: &Cell) -> Extra {
        cell.zerowidth()
            .and_then(|marks| marks.first())
            .and_then(|mark| Extra::decode(*mark))
            .unwrap_or(Extra::NONE)
    }

    /// Makes everything written from now on carry this.
    pub(super) fn put(self, pen: &mut Cell) {
        let underline = pen.underline_color();
        let link = pen.hyperlink();
        pen.extra = None;
        if self != Extra::NONE {
            pen.push_zerowidth(self.encode());
        }
        if underline.is_some() {
            pen.set_underline_color(underline);
        }
        if link.is_some() {
            pen.set_hyperlink(link);
        }
    }

    /// Whether a character is such a marker.
    pub(super) fn is_marker(c: char) -> bool {
        Extra::decode(c).is_some()
    }

    fn encode(self) -> char {
        let blink = match self.attributes & (Attributes::BLINK | Attributes::RAPID_BLINK) {
            a if a.contains(Attributes::RAPID_BLINK) => 2,
            a if a.contains(Attributes::BLINK) => 1,
            _ => 0,
        };
        let overline = u32::from(self.attributes.contains(Attributes::OVERLINE));
        let bits = blink | overline << 2 | (self.zone as u32) << 3;
        char::from_u32(Extra::BASE + bits).expect("the plane ends at 10FFFF")
    }

    fn decode(c: char) -> Option<Extra> {
        let bits = (c as u32)
            .checked_sub(Extra::BASE)
            .filter(|bits| *bits < 32)?;
        let mut attributes = match bits & 0b11 {
            0 => Attributes::empty(),
            1 => Attributes::BLINK,
            _ => Attributes::RAPID_BLINK,
        };
        attributes.set(Attributes::OVERLINE, bits & 0b100 != 0);
        Some(Extra {
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
