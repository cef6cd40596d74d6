//! Cells of the grid.
//!
//! A cell takes 16 bytes and is copied like a number: its first character, two colours, and
//! attributes. What few cells have (combining marks, a link, an underline colour) is in an
//! [`Extra`], which the line stores next to its cells (`line.rs`): also the part of an image.
//!
//! A smaller cell would need a table of colours or styles, which can fill up; a cell that owns its
//! extra, as in `alacritty_terminal`, takes 24 bytes and cannot be filled with a plain copy.

use std::sync::Arc;

use bitflags::bitflags;

use crate::emulator::graphics::cells::CellImagePart;
use crate::screen::row::{Hyperlink, Zone};
use crate::screen::style::{Attributes, Color, Rgb, Style, Underline};

/// A colour in four bytes: the kind in the highest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PackedColor(pub(super) u32);

impl PackedColor {
    pub(crate) const DEFAULT: PackedColor = PackedColor(0);
    const INDEXED: u32 = 1 << 24;
    const RGB: u32 = 2 << 24;

    pub(crate) const fn indexed(index: u8) -> PackedColor {
        PackedColor(PackedColor::INDEXED | index as u32)
    }

    pub(crate) const fn rgb(r: u8, g: u8, b: u8) -> PackedColor {
        PackedColor(PackedColor::RGB | (r as u32) << 16 | (g as u32) << 8 | b as u32)
    }

    pub(crate) fn color(self) -> Color {
        match self.0 & 0xff00_0000 {
            PackedColor::INDEXED => Color::Indexed(self.0 as u8),
            PackedColor::RGB => Color::Rgb(Rgb::hex(self.0 & 0xff_ffff)),
            _ => Color::Default,
        }
    }
}

bitflags! {
    /// Attributes of a cell. The lowest nine bits are those of [`Attributes`], the next three the
    /// kind of underline.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) struct CellFlags: u32 {
        const BOLD = 1 << 0;
        const FAINT = 1 << 1;
        const ITALIC = 1 << 2;
        const BLINK = 1 << 3;
        const RAPID_BLINK = 1 << 4;
        const INVERSE = 1 << 5;
        const INVISIBLE = 1 << 6;
        const STRIKETHROUGH = 1 << 7;
        const OVERLINE = 1 << 8;
        const UNDERLINE = 7 << 9;
        /// Protected against selective erasing, by DECSCA or SPA.
        const PROTECTED = 1 << 12;
        const ZONE = 3 << 14;
        /// The first half of a wide character. Always followed by a spacer.
        const WIDE = 1 << 16;
        /// The second half of a wide character. Always preceded by the first half.
        const SPACER = 1 << 17;
        /// The line has an [`Extra`] for this cell.
        const EXTRA = 1 << 18;
        const _ = !0;
    }
}

impl CellFlags {
    /// The bits that SGR sets.
    pub(crate) const STYLE: CellFlags = CellFlags::from_bits_retain(0xfff);
    const UNDERLINE_SHIFT: u32 = 9;
    const ZONE_SHIFT: u32 = 14;

    pub(crate) fn underline(self) -> Underline {
        match self.bits() >> CellFlags::UNDERLINE_SHIFT & 7 {
            0 => Underline::None,
            1 => Underline::Single,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            _ => Underline::Dashed,
        }
    }

    /// Sets the kind of underline: 0 for none, otherwise as in SGR 4:n.
    pub(crate) fn set_underline(&mut self, kind: u32) {
        self.remove(CellFlags::UNDERLINE);
        self.insert(CellFlags::from_bits_retain(
            kind << CellFlags::UNDERLINE_SHIFT,
        ));
    }

    pub(crate) fn zone(self) -> Zone {
        match self.bits() >> CellFlags::ZONE_SHIFT & 3 {
            0 => Zone::None,
            1 => Zone::Prompt,
            2 => Zone::Input,
            _ => Zone::Output,
        }
    }

    pub(crate) fn set_zone(&mut self, zone: Zone) {
        self.remove(CellFlags::ZONE);
        let bits = (zone as u32) << CellFlags::ZONE_SHIFT;
        self.insert(CellFlags::from_bits_retain(bits));
    }

    pub(crate) fn attributes(self) -> Attributes {
        Attributes::from_bits_truncate(self.bits() as u16 & 0x1ff)
    }
}

/// A cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) c: char,
    pub(crate) fg: PackedColor,
    pub(crate) bg: PackedColor,
    pub(crate) flags: CellFlags,
}

impl Cell {
    /// A blank cell of a new screen.
    pub(crate) const PLAIN: Cell = Cell {
        c: ' ',
        fg: PackedColor::DEFAULT,
        bg: PackedColor::DEFAULT,
        flags: CellFlags::empty(),
    };

    /// Returns whether it equals another one in everything except the character.
    #[inline]
    pub(crate) fn is_like(&self, other: &Cell) -> bool {
        (self.fg, self.bg, self.flags) == (other.fg, other.bg, other.flags)
    }

    /// Returns whether erasing the cell would leave it unchanged.
    pub(crate) fn is_erased(&self) -> bool {
        *self
            == Cell {
                bg: self.bg,
                ..Cell::PLAIN
            }
    }

    /// Returns the style, without the underline colour.
    pub(crate) fn style(&self) -> Style {
        Style {
            fg: self.fg.color(),
            bg: self.bg.color(),
            underline: self.flags.underline(),
            underline_color: Color::Default,
            attributes: self.flags.attributes(),
        }
    }
}

/// What few cells have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Extra {
    /// Combining marks after the first character.
    pub(crate) marks: Box<str>,
    pub(crate) underline_color: PackedColor,
    pub(crate) link: Option<Arc<Hyperlink>>,
    pub(crate) image: Option<CellImagePart>,
}

impl Extra {
    /// Returns `None` if there is nothing to store.
    pub(crate) fn stored(self) -> Option<Arc<Extra>> {
        (self != Extra::default()).then(|| Arc::new(self))
    }
}

/// The look of the following text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pen {
    /// A blank with the colours and attributes. [`CellFlags::EXTRA`] is set if there is an extra.
    pub(crate) cell: Cell,
    pub(crate) extra: Option<Arc<Extra>>,
}

impl Default for Pen {
    fn default() -> Pen {
        Pen {
            cell: Cell::PLAIN,
            extra: None,
        }
    }
}

impl Pen {
    /// Returns a blank as left by erasing: only the background colour is kept.
    #[inline]
    pub(crate) fn blank(&self) -> Cell {
        Cell {
            bg: self.cell.bg,
            ..Cell::PLAIN
        }
    }

    pub(crate) fn underline_color(&self) -> PackedColor {
        self.extra
            .as_ref()
            .map_or(PackedColor::DEFAULT, |extra| extra.underline_color)
    }

    pub(crate) fn link(&self) -> Option<&Arc<Hyperlink>> {
        self.extra.as_ref()?.link.as_ref()
    }

    pub(crate) fn set_underline_color(&mut self, color: PackedColor) {
        if self.underline_color() != color {
            self.set_extra(color, self.link().cloned());
        }
    }

    pub(crate) fn set_link(&mut self, link: Option<Arc<Hyperlink>>) {
        self.set_extra(self.underline_color(), link);
    }

    fn set_extra(&mut self, underline_color: PackedColor, link: Option<Arc<Hyperlink>>) {
        self.extra = Extra {
            marks: Box::default(),
            underline_color,
            link,
            image: None,
        }
        .stored();
        self.cell.flags.set(CellFlags::EXTRA, self.extra.is_some());
    }

    /// SGR 0: everything except link, zone and protection.
    pub(crate) fn reset_style(&mut self) {
        self.cell.fg = PackedColor::DEFAULT;
        self.cell.bg = PackedColor::DEFAULT;
        self.cell.flags.remove(CellFlags::STYLE);
        self.set_underline_color(PackedColor::DEFAULT);
    }

    /// Returns the style of the next character.
    pub(crate) fn style(&self) -> Style {
        Style {
            underline_color: self.underline_color().color(),
            ..self.cell.style()
        }
    }
}
