//! Operating system commands: titles, colours, links, directories, prompts, the clipboard.

use std::fmt::Write;

use alacritty_terminal::vte::ansi::{CursorShape, Handler, Hyperlink, NamedColor, Rgb as TermRgb};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use super::super::terminal::Terminal;
use super::super::terminal::extra_attrs::ExtraAttrs;
use crate::screen::row::Zone;
use crate::screen::style::Rgb;

/// Some programs omit the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);
/// Maximum length of a title or of a working directory, in characters.
const LONGEST_TITLE: usize = 4096;
/// Maximum length of a link's URI; VTE has the same limit.
const LONGEST_URI: usize = 2083;
/// Maximum number of saved titles.
const MAX_TITLES: usize = 64;

impl Terminal {
    pub(super) fn operating_system_command(&mut self, params: &[&[u8]], bell: bool) {
        let known = match params {
            [] | [b""] => true,
            [b"0" | b"2", title @ ..] if !title.is_empty() => {
                self.set_title(title);
                true
            }
            // The icon name, which is not shown.
            [b"1", ..] => true,
            [b"4", pairs @ ..] => self.colors(pairs, bell),
            [b"7", parts @ ..] => {
                self.set_working_directory(&parts.join(&b';'));
                true
            }
            [b"8", attributes, uri @ ..] if !uri.is_empty() => {
                self.set_link(attributes, uri);
                true
            }
            [b"10" | b"11" | b"12", values @ ..] => {
                let first = usize::from(params[0][1] - b'0');
                self.dynamic_colors(first, values, bell)
            }
            [b"22", ..] => true,
            [b"50", shape] if shape.starts_with(b"CursorShape=") => match shape.get(12) {
                Some(b'0') => self.set_shape(CursorShape::Block),
                Some(b'1') => self.set_shape(CursorShape::Beam),
                Some(b'2') => self.set_shape(CursorShape::Underline),
                _ => false,
            },
            [b"52", target, b"?"] => {
                self.answer_clipboard(target, bell);
                true
            }
            [b"52", target, data] => self.copy(target, data),
            [b"104"] | [b"104", b""] => {
                (0..256).for_each(|index| self.term.reset_color(index));
                true
            }
            [b"104", indexes @ ..] => indexes.iter().fold(true, |known, index| {
                let index = number(index);
                if let Some(index) = index {
                    self.term.reset_color(index.into());
                }
                known && index.is_some()
            }),
            [b"110", ..] => self.reset_color(NamedColor::Foreground),
            [b"111", ..] => self.reset_color(NamedColor::Background),
            [b"112", ..] => self.reset_color(NamedColor::Cursor),
            [b"1337", ..] => self.iterm_command(params),
            [b"133", parts @ ..] if self.additions => self.mark(parts),
            _ => false,
        };
        if !known {
            let name = readable(params);
            if params.last() == Some(&b"?".as_slice()) {
                self.notes.add_unanswered(name.clone());
            }
            self.notes.add_unknown(name);
        }
    }

    fn set_title(&mut self, parts: &[&[u8]]) {
        let mut title = String::new();
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                title.push(';');
            }
            title.push_str(&String::from_utf8_lossy(part));
        }
        self.title = title.trim().chars().take(LONGEST_TITLE).collect();
    }

    pub(super) fn push_title(&mut self) {
        if self.titles.len() == MAX_TITLES {
            self.titles.remove(0);
        }
        self.titles.push(self.title.clone());
    }

    pub(super) fn pop_title(&mut self) {
        if let Some(title) = self.titles.pop() {
            self.title = title;
        }
    }

    fn set_shape(&mut self, shape: CursorShape) -> bool {
        self.term.set_cursor_shape(shape);
        true
    }

    fn set_link(&mut self, attributes: &[u8], parts: &[&[u8]]) {
        let uri = parts
            .iter()
            .map(|part| std::str::from_utf8(part).unwrap_or_default())
            .collect::<Vec<_>>()
            .join(";");
        if uri.is_empty() || uri.len() > LONGEST_URI {
            return self.term.set_hyperlink(None);
        }
        let id = attributes
            .split(|b| *b == b':')
            .find_map(|pair| pair.strip_prefix(b"id="))
            .filter(|id| id.len() <= LONGEST_URI)
            .and_then(|id| std::str::from_utf8(id).ok())
            .map(str::to_owned);
        self.term.set_hyperlink(Some(Hyperlink { id, uri }));
    }

    /// OSC 7: stores a local `file` URI as a path, any other URI unchanged.
    fn set_working_directory(&mut self, uri: &[u8]) {
        let uri = String::from_utf8_lossy(uri);
        let local = uri.strip_prefix("file://").and_then(|rest| {
            let (host, path) = rest.split_at(rest.find('/')?);
            let here = host.is_empty()
                || host == "localhost"
                || host.eq_ignore_ascii_case(&self.options.hostname);
            here.then(|| percent_decoded(path))
        });
        self.working_directory = local
            .unwrap_or_else(|| uri.into_owned())
            .chars()
            .take(LONGEST_TITLE)
            .collect();
    }

    /// OSC 133: marks the start of prompts, inputs and outputs.
    fn mark(&mut self, parts: &[&[u8]]) -> bool {
        let zone = match parts.first().and_then(|part| part.first()) {
            Some(b'A' | b'P' | b'N') => Zone::Prompt,
            Some(b'B' | b'I') => Zone::Input,
            Some(b'C') => Zone::Output,
            Some(b'D') => {
                self.notes.command_status = parts
                    .get(1)
                    .and_then(|status| std::str::from_utf8(status).ok()?.parse().ok());
                Zone::None
            }
            Some(b'L') => return true,
            _ => return false,
        };
        self.set_extra_attrs(ExtraAttrs {
            zone,
            ..self.extra_attrs
        });
        true
    }

    /// OSC 52: sets a selection. Data that is empty or not base64 empties the selection, as in
    /// xterm.
    fn copy(&mut self, target: &[u8], data: &[u8]) -> bool {
        let bytes = BASE64.decode(data).unwrap_or_default();
        let Ok(text) = String::from_utf8(bytes) else {
            return false;
        };
        let text = Some(text).filter(|text| !text.is_empty());
        self.notes.add_copy(selections(target), text);
        true
    }

    fn answer_clipboard(&mut self, target: &[u8], bell: bool) {
        let text = self.notes.clipboard().unwrap_or_default();
        let data = BASE64.encode(text);
        // Only selection names are echoed; other bytes of the query must not become input of the
        // program.
        let target = selections(target);
        self.reply(&format!("\x1b]52;{target};{data}{}", terminator(bell)));
    }
}

/// Colours.
impl Terminal {
    /// OSC 4: pairs of an index and a colour, or `?`.
    fn colors(&mut self, pairs: &[&[u8]], bell: bool) -> bool {
        let mut known = !pairs.is_empty() && pairs.len().is_multiple_of(2);
        for pair in pairs.chunks_exact(2) {
            match (number(pair[0]), parse_color(pair[1]), pair[1]) {
                (Some(index), Some(color), _) => self.term.set_color(index.into(), color),
                (Some(index), None, b"?") => {
                    self.answer_color(&format!("4;{index}"), index.into(), bell);
                }
                _ => known = false,
            }
        }
        known
    }

    /// OSC 10, 11 and 12: foreground, background and cursor. Further values apply to the next
    /// codes.
    fn dynamic_colors(&mut self, first: usize, values: &[&[u8]], bell: bool) -> bool {
        let mut known = !values.is_empty();
        for (offset, value) in values.iter().enumerate() {
            let code = first + offset;
            let index = NamedColor::Foreground as usize + code;
            if code > 2 {
                return false;
            }
            match (parse_color(value), *value) {
                (Some(color), _) => self.term.set_color(index, color),
                (None, b"?") => self.answer_color(&(10 + code).to_string(), index, bell),
                _ => known = false,
            }
        }
        known
    }

    fn reset_color(&mut self, name: NamedColor) -> bool {
        self.term.reset_color(name as usize);
        true
    }

    fn answer_color(&mut self, prefix: &str, index: usize, bell: bool) {
        let Rgb { r, g, b } = match self.term.colors()[index] {
            Some(color) => Rgb::new(color.r, color.g, color.b),
            None => match (index, u8::try_from(index)) {
                (_, Ok(index)) => self.options.theme.indexed(index),
                (257, _) => self.options.theme.bg,
                (258, _) => self.options.theme.cursor,
                _ => self.options.theme.fg,
            },
        };
        let end = terminator(bell);
        self.reply(&format!(
            "\x1b]{prefix};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}{end}"
        ));
    }
}

/// Keeps only the names of selections.
fn selections(target: &[u8]) -> String {
    target
        .iter()
        .filter(|b| matches!(b, b'c' | b'p' | b'q' | b's' | b'0'..=b'7'))
        .map(|b| char::from(*b))
        .take(16)
        .collect()
}

/// Returns the terminator of a reply: the same as that of the query.
fn terminator(bell: bool) -> &'static str {
    if bell { "\x07" } else { "\x1b\\" }
}

/// Parses a number from 0 to 255.
fn number(digits: &[u8]) -> Option<u8> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Parses `rgb:r/g/b` with one to four digits per component, or `#rgb` up to `#rrrrggggbbbb`.
fn parse_color(text: &[u8]) -> Option<TermRgb> {
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
        let color = TermRgb {
            r: parts.next()??,
            g: parts.next()??,
            b: parts.next()??,
        };
        return parts.next().is_none().then_some(color);
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
    Some(TermRgb {
        r: parts.next()??,
        g: parts.next()??,
        b: parts.next()??,
    })
}

/// Decodes percent-encoding; invalid codes stay unchanged.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = (*first == b'%')
            .then(|| std::str::from_utf8(tail.get(..2)?).ok())
            .flatten()
            .filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        rest = match code {
            Some(byte) => {
                bytes.push(byte);
                &tail[2..]
            }
            None => {
                bytes.push(*first);
                tail
            }
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns an OSC for messages; long ones are truncated.
fn readable(params: &[&[u8]]) -> String {
    let mut name = "OSC ".to_owned();
    for (index, param) in params.iter().enumerate() {
        let end = if index > 0 { ";" } else { "" };
        let text: String = String::from_utf8_lossy(param).chars().take(40).collect();
        // Writing to a string cannot fail.
        let _ = write!(name, "{end}{}", text.escape_debug());
    }
    name.chars().take(80).collect()
}
