//! Colours that a program changes or asks for (OSC 4, 5, 10 to 19 and their resets).
//!
//! A screen does not have them yet: they only decide what later questions are answered.

use super::super::terminal::Terminal;
use super::replies::terminator;
use crate::screen::style::Rgb;

/// Names of X11 that programs use in practice.
const NAMES: &[(&str, u32)] = &[
    ("black", 0x00_0000),
    ("red", 0xff_0000),
    ("green", 0x00_ff00),
    ("yellow", 0xff_ff00),
    ("blue", 0x00_00ff),
    ("magenta", 0xff_00ff),
    ("cyan", 0x00_ffff),
    ("white", 0xff_ffff),
    ("gray", 0xbe_bebe),
    ("grey", 0xbe_bebe),
    ("orange", 0xff_a500),
    ("purple", 0xa0_20f0),
    ("brown", 0xa5_2a2a),
    ("pink", 0xff_c0cb),
];

impl Terminal {
    /// OSC 4: pairs of an index and a colour, or `?`. OSC 5 has special colours, which are not
    /// supported; xterm numbers them after the palette.
    pub(super) fn palette_command(&mut self, code: &[u8], pairs: &[&[u8]], bell: bool) -> bool {
        if code == b"5" {
            return false;
        }
        let mut known = !pairs.is_empty() && pairs.len().is_multiple_of(2);
        for pair in pairs.chunks_exact(2) {
            match (number(pair[0]), parse_color(pair[1]), pair[1]) {
                (Some(index), Some(color), _) => drop(self.colors.palette.insert(index, color)),
                (Some(index), None, b"?") => {
                    let color = self.colors.palette.get(&index).copied();
                    let color = color.unwrap_or_else(|| self.options.theme.indexed(index));
                    self.answer_color(&format!("4;{index}"), color, bell);
                }
                _ => known = false,
            }
        }
        known
    }

    /// OSC 104 and 105.
    pub(super) fn reset_palette(&mut self, code: &[u8], indexes: &[&[u8]]) -> bool {
        if code == b"105" {
            return true;
        }
        if matches!(indexes, [] | [b""]) {
            self.colors.palette.clear();
            return true;
        }
        indexes.iter().fold(true, |known, index| {
            let index = number(index);
            if let Some(index) = index {
                self.colors.palette.remove(&index);
            }
            known && index.is_some()
        })
    }

    /// OSC 10 to 19: foreground, background, cursor and others. Further values apply to the next
    /// codes.
    pub(super) fn dynamic_colors(&mut self, first: usize, values: &[&[u8]], bell: bool) -> bool {
        let mut known = !values.is_empty();
        for (offset, value) in values.iter().enumerate() {
            let code = first + offset;
            if code > 9 {
                return false;
            }
            match (parse_color(value), *value) {
                (Some(color), _) => self.colors.dynamic[code] = Some(color),
                (None, b"?") if self.dynamic_color(code).is_some() => {
                    let color = self.dynamic_color(code).unwrap_or(self.options.theme.fg);
                    self.answer_color(&(10 + code).to_string(), color, bell);
                }
                _ => known = false,
            }
        }
        known
    }

    /// OSC 110 to 119.
    pub(super) fn reset_dynamic_color(&mut self, code: usize) {
        self.colors.dynamic[code] = None;
    }

    fn dynamic_color(&self, code: usize) -> Option<Rgb> {
        let theme = &self.options.theme;
        self.colors.dynamic[code].or(match code {
            0 => Some(theme.fg),
            1 => Some(theme.bg),
            2 => Some(theme.cursor),
            _ => None,
        })
    }

    fn answer_color(&mut self, prefix: &str, color: Rgb, bell: bool) {
        let Rgb { r, g, b } = color;
        let end = terminator(bell);
        self.reply(&format!(
            "\x1b]{prefix};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}{end}"
        ));
    }
}

/// Parses a number from 0 to 255.
fn number(digits: &[u8]) -> Option<u8> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Parses `rgb:r/g/b` with one to four digits per component, or `#rgb` up to `#rrrrggggbbbb`.
fn parse_color(text: &[u8]) -> Option<Rgb> {
    let text = std::str::from_utf8(text).ok()?;
    let digits =
        |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_hexdigit());
    if let Some(parts) = text.strip_prefix("rgb:") {
        let mut parts = parts.split('/').map(|part| {
            let value = u32::from_str_radix(part, 16)
                .ok()
                .filter(|_| digits(part))?;
            let most = (1 << (4 * part.len())) - 1;
            Some((255 * value / most) as u8)
        });
        let color = Rgb {
            r: parts.next()??,
            g: parts.next()??,
            b: parts.next()??,
        };
        return parts.next().is_none().then_some(color);
    }
    if let Some((_, value)) = NAMES
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name))
    {
        return Some(Rgb::hex(*value));
    }
    let text = text.strip_prefix('#')?;
    let len = text.len() / 3;
    if !text.len().is_multiple_of(3) || !text.is_ascii() {
        return None;
    }
    // The first two digits count; a single digit is the higher one.
    let mut parts = (0..3).map(|part| {
        let part = text
            .get(part * len..(part + 1) * len)
            .filter(|part| digits(part))?;
        let value = u32::from_str_radix(part, 16).ok()?;
        Some(if len == 1 {
            value << 4
        } else {
            value >> (4 * (len - 2))
        } as u8)
    });
    Some(Rgb {
        r: parts.next()??,
        g: parts.next()??,
        b: parts.next()??,
    })
}
