//! Operating system commands: titles, links, directories, prompts, colours, the clipboard, notes.

use std::fmt::Write;
use std::sync::Arc;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use super::super::terminal::Terminal;
use super::replies::terminator;
use crate::emulator::colors::ColorState;
use crate::screen::cursor::CursorShape;
use crate::screen::row::{Hyperlink, Zone};

/// Some programs omit the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);
/// Maximum length of a working directory, in characters.
const LONGEST_DIRECTORY: usize = 4096;
/// Maximum length of a link's URI; VTE has the same limit.
const LONGEST_URI: usize = 2083;

impl Terminal {
    pub(crate) fn operating_system_command(&mut self, params: &[&[u8]], bell: bool) {
        self.add_work(8 * params.len());
        self.preceding = None;
        let known = match params {
            [] | [b""] => true,
            [kind @ (b"0" | b"1" | b"2"), title @ ..] => {
                self.set_title(kind, &title.join(&b';'));
                true
            }
            [b"7", parts @ ..] => {
                self.set_working_directory(&parts.join(&b';'));
                true
            }
            [b"8", attributes, uri @ ..] if !uri.is_empty() => {
                self.set_link(attributes, uri);
                true
            }
            // The shape of the mouse pointer; a question has no answer.
            [b"22", shape @ ..] if shape.last() != Some(&b"?".as_slice()) => {
                self.note_command(22, shape);
                true
            }
            // Notifications and progress (iTerm2, ConEmu), of kitty, and of rxvt.
            [b"9", rest @ ..] => {
                self.note_command(9, rest);
                true
            }
            [b"99", rest @ ..] => {
                self.note_command(99, rest);
                true
            }
            [b"777", rest @ ..] => {
                self.note_command(777, rest);
                true
            }
            [b"50", shape] if shape.starts_with(b"CursorShape=") => match shape.get(12) {
                Some(b'0') => self.set_shape(CursorShape::Block),
                Some(b'1') => self.set_shape(CursorShape::Bar),
                Some(b'2') => self.set_shape(CursorShape::Underline),
                _ => false,
            },
            [b"52", target, b"?"] => {
                self.answer_clipboard(target, bell);
                true
            }
            [b"52", target, data] => self.copy(target, data),
            // Text in another size (kitty): shown in the usual one.
            [b"66", _, text @ ..] => {
                self.print_sized_text(&text.join(&b';'));
                true
            }
            [number, ..] if ColorState::handles(number) => self.color_command(params, bell),
            [b"133", parts @ ..] => self.mark(parts),
            [b"633", parts @ ..] => {
                if !self.mark(parts) {
                    self.note_command(633, parts);
                }
                true
            }
            [b"1337", ..] => self.iterm_command(params) || self.iterm_note(params),
            _ => false,
        };
        if !known {
            let name = readable(params);
            if params.last() == Some(&b"?".as_slice()) {
                self.notes.add_unanswered(name.clone());
            }
            self.unknown(name);
        }
    }

    fn color_command(&mut self, params: &[&[u8]], bell: bool) -> bool {
        let end = terminator(bell);
        let result = self.colors.command(params, &self.options.theme, end);
        // One at a time, so that the limit of pending replies drops only those beyond it.
        for reply in result.replies.split_inclusive(end) {
            self.reply(reply);
        }
        result.known
    }

    fn note_command(&mut self, code: u16, parts: &[&[u8]]) {
        let text = String::from_utf8_lossy(&parts.join(&b';')).into_owned();
        self.notes.add_command(code, &text);
    }

    /// The common keys of OSC 1337 that are not images.
    fn iterm_note(&mut self, params: &[&[u8]]) -> bool {
        const KEYS: [&[u8]; 12] = [
            b"SetMark",
            b"CurrentDir",
            b"RemoteHost",
            b"SetUserVar",
            b"ShellIntegrationVersion",
            b"StealFocus",
            b"ClearScrollback",
            b"SetProfile",
            b"SetBadgeFormat",
            b"RequestAttention",
            b"CursorShape",
            b"Copy",
        ];
        let first = params.get(1).copied().unwrap_or_default();
        let mut parts = first.splitn(2, |byte| *byte == b'=');
        let (key, value) = (parts.next().unwrap_or_default(), parts.next());
        match (key, value) {
            (b"CurrentDir", Some(directory)) => {
                let directory = String::from_utf8_lossy(directory);
                self.working_directory = directory.chars().take(LONGEST_DIRECTORY).collect();
            }
            (b"ClearScrollback", _) => self.erase_scrollback(),
            (b"CursorShape", Some(b"0")) => drop(self.set_shape(CursorShape::Block)),
            (b"CursorShape", Some(b"1")) => drop(self.set_shape(CursorShape::Bar)),
            (b"CursorShape", Some(b"2")) => drop(self.set_shape(CursorShape::Underline)),
            _ if !KEYS.contains(&key) => return false,
            _ => {}
        }
        self.note_command(1337, params.get(1..).unwrap_or_default());
        true
    }

    fn print_sized_text(&mut self, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let shown: String = text.chars().filter(|c| !c.is_control()).collect();
        self.add_work(shown.len());
        self.print(&shown);
    }

    fn set_shape(&mut self, shape: CursorShape) -> bool {
        self.cursor_look.shape = shape;
        true
    }

    fn set_link(&mut self, attributes: &[u8], parts: &[&[u8]]) {
        let uri = parts
            .iter()
            .map(|part| std::str::from_utf8(part).unwrap_or_default())
            .collect::<Vec<_>>()
            .join(";");
        if uri.is_empty() || uri.len() > LONGEST_URI {
            return self.pen.set_link(None);
        }
        let id = attributes
            .split(|b| *b == b':')
            .find_map(|pair| pair.strip_prefix(b"id="))
            .filter(|id| id.len() <= LONGEST_URI)
            .and_then(|id| std::str::from_utf8(id).ok())
            .map(Arc::from);
        let uri = Arc::from(uri);
        self.pen.set_link(Some(Arc::new(Hyperlink { id, uri })));
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
            .take(LONGEST_DIRECTORY)
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
        self.pen.cell.flags.set_zone(zone);
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
    for (index, param) in params.iter().enumerate().take(40) {
        let end = if index > 0 { ";" } else { "" };
        let text: String = String::from_utf8_lossy(param).chars().take(40).collect();
        // Writing to a string cannot fail.
        let _ = write!(name, "{end}{}", text.escape_debug());
    }
    name.chars().take(80).collect()
}
