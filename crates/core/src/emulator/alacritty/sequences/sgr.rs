//! SGR: attributes and colours of the following text.

use alacritty_terminal::vte::ansi::{Attr, Color, Handler, NamedColor, Rgb};

use super::super::named_colors;
use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use super::super::terminal::extra_attrs::ExtraAttrs;
use crate::screen::style::Attributes;

impl Terminal {
    /// Applies an SGR sequence. Returns false if a part of it is not supported.
    pub(super) fn select_graphics(&mut self, params: &Params) -> bool {
        let mut known = true;
        let mut params = params.iter();
        while let Some(param) = params.next() {
            let attr = match *param {
                [0] => {
                    self.term.terminal_attribute(Attr::Reset);
                    if self.extra_attrs != ExtraAttrs::NONE {
                        self.set_extra_attrs(ExtraAttrs {
                            zone: self.extra_attrs.zone,
                            ..ExtraAttrs::NONE
                        });
                    }
                    continue;
                }
                [1] => Attr::Bold,
                [2] => Attr::Dim,
                [3] => Attr::Italic,
                [4, 0] => Attr::CancelUnderline,
                [4, 2] => Attr::DoubleUnderline,
                [4, 3] => Attr::Undercurl,
                [4, 4] => Attr::DottedUnderline,
                [4, 5] => Attr::DashedUnderline,
                [4, ..] => Attr::Underline,
                [number @ (5 | 6 | 25 | 53 | 55)] if self.additions => {
                    self.select_extra_attr(number);
                    continue;
                }
                [5 | 6 | 25] => continue,
                [7] => Attr::Reverse,
                [8] => Attr::Hidden,
                [9] => Attr::Strike,
                // The crate's processor reads 21 as "not bold"; other terminals read it as a double
                // underline.
                [21] if self.additions => Attr::DoubleUnderline,
                [21] => Attr::CancelBold,
                [22] => Attr::CancelBoldDim,
                [23] => Attr::CancelItalic,
                [24] => Attr::CancelUnderline,
                [27] => Attr::CancelReverse,
                [28] => Attr::CancelHidden,
                [29] => Attr::CancelStrike,
                [number @ 30..=37] => Attr::Foreground(named(number - 30)),
                [number @ 40..=47] => Attr::Background(named(number - 40)),
                [number @ 90..=97] => Attr::Foreground(named(number - 90 + 8)),
                [number @ 100..=107] => Attr::Background(named(number - 100 + 8)),
                [39] => Attr::Foreground(Color::Named(NamedColor::Foreground)),
                [49] => Attr::Background(Color::Named(NamedColor::Background)),
                [59] => Attr::UnderlineColor(None),
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
                        (_, None) => {
                            known = false;
                            continue;
                        }
                        (38, Some(color)) => Attr::Foreground(color),
                        (48, Some(color)) => Attr::Background(color),
                        (_, color) => Attr::UnderlineColor(color),
                    }
                }
                _ => {
                    known = false;
                    continue;
                }
            };
            self.term.terminal_attribute(attr);
        }
        known
    }

    /// Handles blinking and overline, which the wrapped pen does not support.
    fn select_extra_attr(&mut self, number: u16) {
        let mut extra = self.extra_attrs;
        let blinks = Attributes::BLINK | Attributes::RAPID_BLINK;
        match number {
            5 => extra.attributes = (extra.attributes - blinks) | Attributes::BLINK,
            6 => extra.attributes = (extra.attributes - blinks) | Attributes::RAPID_BLINK,
            25 => extra.attributes -= blinks,
            53 => extra.attributes |= Attributes::OVERLINE,
            _ => extra.attributes -= Attributes::OVERLINE,
        }
        self.set_extra_attrs(extra);
    }
}

fn named(number: u16) -> Color {
    Color::Named(named_colors::ALL[usize::from(number)])
}

/// Parses a colour after 38, 48 or 58: `2;r;g;b` or `5;index`.
fn exact(numbers: &mut dyn Iterator<Item = u16>) -> Option<Color> {
    let byte = |numbers: &mut dyn Iterator<Item = u16>| u8::try_from(numbers.next()?).ok();
    match numbers.next()? {
        2 => Some(Color::Spec(Rgb {
            r: byte(numbers)?,
            g: byte(numbers)?,
            b: byte(numbers)?,
        })),
        5 => byte(numbers).map(Color::Indexed),
        _ => None,
    }
}
