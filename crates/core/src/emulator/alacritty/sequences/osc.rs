//! Operating system commands: titles, colours, links, directories, prompts, the clipboard.

use std::fmt::Write;

use alacritty_terminal::vte::ansi::{CursorShape, Handler, Hyperlink};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use super::super::terminal::Terminal;
use super::super::terminal::extra_attrs::ExtraAttrs;
use crate::emulator::colors::ColorState;
use crate::screen::row::Zone;

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
    /// Handles a command with many parts, such as OSC 4 for the whole palette. `bytes` is the
    /// command from its number on.
    pub(in super::super) fn long_operating_system_command(&mut self, bytes: &[u8], bell: bool) {
        // The parser has ignored these bytes in the parts.
        let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte >= b' ').collect();
        let parts: Vec<&[u8]> = text.split(|byte| *byte == b';').collect();
        self.operating_system_command(&parts, bell);
    }

    pub(super) fn operating_system_command(&mut self, params: &[&[u8]], bell: bool) {
        let known = match params {
            [] | [b""] => true,
            [b"0" | b"2", title @ ..] if !title.is_empty() => {
                self.set_title(title);
                true
            }
            // The icon name, which is not shown.
            [b"1", ..] => true,
            [b"7", parts @ ..] => {
                self.set_working_directory(&parts.join(&b';'));
                true
            }
            [b"8", attributes, uri @ ..] if !uri.is_empty() => {
                self.set_link(attributes, uri);
                true
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
            [number, ..] if ColorState::handles(number) => {
                let (theme, end) = (&self.options.theme, terminator(bell));
                let result = self.colors.command(params, theme, end);
                self.reply(&result.replies);
                result.known
            }
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
