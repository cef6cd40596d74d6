//! The sequences with which a program changes and queries the colours of its terminal: OSC 4, 5, 10
//! to 19, 104, 105 and 110 to 119.
//!
//! Independent of the grid: a backend passes these commands to [`ColorState`], sends the replies,
//! puts [`ColorState::palette`] into its screens, and begins with a new state after a full reset
//! (RIS). The behaviour is that of xterm 379, with three exceptions. A full reset resets every
//! colour; in xterm it keeps all but the indexed ones. OSC 105 resets special colours; in xterm
//! they stay if its resources do not set them. After a colour that cannot be parsed, the rest of
//! the command still has an effect.
//!
//! See also: `colors/spec.rs` (colours as text), `colors/names.rs` (X11's names),
//! `screen/palette.rs` (the result).

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::screen::palette::{Palette, PaletteEntry};
use crate::screen::style::Rgb;
use crate::screen::theme::Theme;

mod names;
mod spec;

/// Number of the first special colour in OSC 4: they follow the indexed colours.
const FIRST_SPECIAL: u16 = 256;
/// The special colours: bold, underlined, blinking, inverse and italic text.
const SPECIAL: u16 = 5;
/// The last dynamic colour, counted from that of OSC 10.
const LAST_DYNAMIC: u8 = 9;

/// The colours that a program has changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct ColorState {
    /// The colours that a screen shows.
    palette: Palette,
    /// The others: they are only stored, to be queried.
    unused: BTreeMap<UnusedColor, Rgb>,
}

/// A colour that no screen shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum UnusedColor {
    /// A special colour. xterm uses them only if its resources say so.
    Special(u16),
    /// A dynamic colour of the mouse pointer or of the Tektronix window, counted from OSC 10.
    Dynamic(u8),
}

/// A colour that a sequence can name.
#[derive(Debug, Clone, Copy)]
enum NamedColor {
    Shown(PaletteEntry),
    Unused(UnusedColor),
}

/// Effect of a command.
#[derive(Debug, Default)]
pub(crate) struct ColorCommandResult {
    /// The replies to its queries, in order.
    pub(crate) replies: String,
    /// Whether every part of it was understood.
    pub(crate) known: bool,
}

impl ColorState {
    /// Returns whether an operating system command with this number is handled here.
    pub(crate) fn handles(number: &[u8]) -> bool {
        let ranges = [4..=5, 10..=19, 104..=105, 110..=119];
        parse_number(number)
            .is_some_and(|number| ranges.iter().any(|range| range.contains(&number)))
    }

    /// Returns the colours that a screen shows.
    pub(crate) fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Performs a command, given as its parts between semicolons. Replies end with `terminator`.
    /// Colours that are not changed are those of `theme`.
    pub(crate) fn command(
        &mut self,
        parts: &[&[u8]],
        theme: &Theme,
        terminator: &str,
    ) -> ColorCommandResult {
        let mut command = ColorCommand {
            state: self,
            theme,
            terminator,
            result: ColorCommandResult {
                replies: String::new(),
                known: true,
            },
        };
        let (number, parts) = match parts.split_first() {
            Some((number, parts)) => (parse_number(number).unwrap_or_default(), parts),
            None => return command.result,
        };
        match number {
            4 => command.pairs(4, parts, indexed_or_special),
            5 => command.pairs(5, parts, special),
            10..=19 => command.dynamic((number - 10) as u8, parts),
            104 if is_empty(parts) => command.state.palette.reset_indexed(),
            104 => command.reset_listed(parts, indexed_or_special),
            105 if is_empty(parts) => command.state.reset_specials(),
            105 => command.reset_listed(parts, special),
            110..=119 => command.reset_dynamic((number - 110) as u8, parts),
            _ => command.result.known = false,
        }
        command.result
    }

    /// DECSTR: resets the indexed colours, like xterm.
    pub(crate) fn soft_reset(&mut self) {
        self.palette.reset_indexed();
    }

    /// Appends the commands that bring a new terminal into this state.
    pub(crate) fn write(&self, out: &mut String) {
        write_palette(&self.palette, out);
        for (unused, color) in &self.unused {
            // Writing to a string cannot fail.
            let _ = match unused {
                UnusedColor::Special(number) => write!(out, "\x1b]5;{number};{color}\x1b\\"),
                UnusedColor::Dynamic(number) => write!(out, "\x1b]{};{color}\x1b\\", 10 + number),
            };
        }
    }

    fn get(&self, color: NamedColor, theme: &Theme) -> Rgb {
        let changed = match color {
            NamedColor::Shown(entry) => self.palette.get(entry),
            NamedColor::Unused(unused) => self.unused.get(&unused).copied(),
        };
        changed.unwrap_or_else(|| {
            let default = |entry, color| self.palette.get(entry).unwrap_or(color);
            match color {
                NamedColor::Shown(PaletteEntry::Indexed(index)) => theme.indexed(index),
                NamedColor::Shown(PaletteEntry::Background) => theme.bg,
                NamedColor::Shown(PaletteEntry::Cursor) => theme.cursor,
                NamedColor::Shown(PaletteEntry::SelectionBackground) => theme.selection,
                // As in xterm: the backgrounds of the pointer and of the Tektronix window.
                NamedColor::Unused(UnusedColor::Dynamic(4 | 6)) => {
                    default(PaletteEntry::Background, theme.bg)
                }
                NamedColor::Shown(PaletteEntry::Foreground | PaletteEntry::SelectionForeground)
                | NamedColor::Unused(_) => default(PaletteEntry::Foreground, theme.fg),
            }
        })
    }

    fn set(&mut self, color: NamedColor, rgb: Rgb) {
        match color {
            NamedColor::Shown(entry) => self.palette.set(entry, rgb),
            NamedColor::Unused(unused) => {
                self.unused.insert(unused, rgb);
            }
        }
    }

    fn reset_color(&mut self, color: NamedColor) {
        match color {
            NamedColor::Shown(entry) => self.palette.reset(entry),
            NamedColor::Unused(unused) => {
                self.unused.remove(&unused);
            }
        }
    }

    fn reset_specials(&mut self) {
        let is_special = |color: &UnusedColor| matches!(color, UnusedColor::Special(_));
        self.unused.retain(|color, _| !is_special(color));
    }
}

/// A command in progress.
struct ColorCommand<'a> {
    state: &'a mut ColorState,
    theme: &'a Theme,
    terminator: &'a str,
    result: ColorCommandResult,
}

impl ColorCommand<'_> {
    /// OSC 4 and 5: pairs of a number and a colour.
    fn pairs(&mut self, command: u16, parts: &[&[u8]], named: impl Fn(u16) -> Option<NamedColor>) {
        self.result.known &= !parts.is_empty() && parts.len().is_multiple_of(2);
        for pair in parts.chunks_exact(2) {
            match parse_number(pair[0]).and_then(|number| Some((number, named(number)?))) {
                Some((number, color)) => {
                    self.set_or_answer(format_args!("{command};{number}"), color, pair[1]);
                }
                None => self.result.known = false,
            }
        }
    }

    /// OSC 10 to 19: one colour for this number and each of the following ones. Empty parts are
    /// skipped.
    fn dynamic(&mut self, first: u8, parts: &[&[u8]]) {
        self.result.known &= !parts.is_empty();
        for (number, part) in (first..).zip(parts) {
            if number > LAST_DYNAMIC {
                self.result.known = false;
                return;
            }
            if !part.is_empty() {
                self.set_or_answer(format_args!("{}", 10 + number), dynamic(number), part);
            }
        }
    }

    fn set_or_answer(&mut self, prefix: std::fmt::Arguments<'_>, color: NamedColor, value: &[u8]) {
        if value == b"?" {
            let Rgb { r, g, b } = self.state.get(color, self.theme);
            // Writing to a string cannot fail.
            let _ = write!(
                self.result.replies,
                "\x1b]{prefix};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}{}",
                self.terminator
            );
        } else if let Some(rgb) = spec::parse(value) {
            self.state.set(color, rgb);
        } else {
            self.result.known = false;
        }
    }

    /// OSC 104 and 105 with numbers: resets these colours.
    fn reset_listed(&mut self, parts: &[&[u8]], named: impl Fn(u16) -> Option<NamedColor>) {
        for part in parts {
            match parse_number(part).and_then(&named) {
                Some(color) => self.state.reset_color(color),
                None => self.result.known = false,
            }
        }
    }

    /// OSC 110 to 119: resets a dynamic colour.
    fn reset_dynamic(&mut self, number: u8, parts: &[&[u8]]) {
        if is_empty(parts) {
            self.state.reset_color(dynamic(number));
        } else {
            self.result.known = false;
        }
    }
}

/// Whether a list has no parts, as also after a semicolon at the end of a command.
fn is_empty(parts: &[&[u8]]) -> bool {
    parts.iter().all(|part| part.is_empty())
}

/// Returns the colour with this number in OSC 4 and 104.
fn indexed_or_special(number: u16) -> Option<NamedColor> {
    match u8::try_from(number) {
        Ok(index) => Some(NamedColor::Shown(PaletteEntry::Indexed(index))),
        Err(_) => special(number - FIRST_SPECIAL),
    }
}

/// Returns the colour with this number in OSC 5 and 105.
fn special(number: u16) -> Option<NamedColor> {
    (number < SPECIAL).then_some(NamedColor::Unused(UnusedColor::Special(number)))
}

/// Returns a dynamic colour, counted from that of OSC 10.
fn dynamic(number: u8) -> NamedColor {
    NamedColor::Shown(match number {
        0 => PaletteEntry::Foreground,
        1 => PaletteEntry::Background,
        2 => PaletteEntry::Cursor,
        7 => PaletteEntry::SelectionBackground,
        9 => PaletteEntry::SelectionForeground,
        _ => return NamedColor::Unused(UnusedColor::Dynamic(number)),
    })
}

/// Appends the commands that change a new terminal's colours to those of a palette, one command for
/// each colour.
pub(crate) fn write_palette(palette: &Palette, out: &mut String) {
    for (entry, color) in palette.iter() {
        let number = match entry {
            PaletteEntry::Indexed(index) => {
                let _ = write!(out, "\x1b]4;{index};{color}\x1b\\");
                continue;
            }
            PaletteEntry::Foreground => 10,
            PaletteEntry::Background => 11,
            PaletteEntry::Cursor => 12,
            PaletteEntry::SelectionBackground => 17,
            PaletteEntry::SelectionForeground => 19,
        };
        let _ = write!(out, "\x1b]{number};{color}\x1b\\");
    }
}

/// Resets every colour that a screen shows.
pub(crate) const RESET_PALETTE: &str =
    "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\\x1b]117\x1b\\\x1b]119\x1b\\";

fn parse_number(digits: &[u8]) -> Option<u16> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests;
