//! Device control strings: settings (DECRQSS), capabilities (XTGETTCAP), and the state that a dump
//! restores (DECRSTS).

use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use super::capabilities;
use super::replies::{graphics, hex};
use crate::emulator::vt::grid::cell::CellFlags;
use crate::screen::cursor::CursorShape;

/// A device control string while it arrives.
#[derive(Debug)]
pub(crate) struct DcsRequest {
    kind: DcsKind,
    text: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DcsKind {
    /// DECRQSS: the value of a setting.
    Setting,
    /// XTGETTCAP: terminfo capabilities.
    Capability,
    /// DECRSTS: the state that a dump restores.
    State,
    /// DECRSPS: the cursor.
    Cursor,
    /// DECRSPS: the tab stops.
    TabStops,
}

impl DcsRequest {
    /// Longer than any query with a reply.
    const LONGEST: usize = 4096;

    pub(super) fn new(params: &Params, intermediates: &[u8], action: char) -> Option<DcsRequest> {
        let kind = match (intermediates, action) {
            ([b'$'], 'q') => DcsKind::Setting,
            ([b'+'], 'q') => DcsKind::Capability,
            ([b'$'], 'p') if params.first() == 1 => DcsKind::State,
            ([b'$'], 't') if params.first() == 1 => DcsKind::Cursor,
            ([b'$'], 't') if params.first() == 2 => DcsKind::TabStops,
            _ => return None,
        };
        Some(DcsRequest {
            kind,
            text: Vec::new(),
        })
    }

    pub(super) fn push(&mut self, byte: u8) {
        // The parser limits the length of every string.
        if self.kind == DcsKind::State || self.text.len() < DcsRequest::LONGEST {
            self.text.push(byte);
        }
    }
}

impl Terminal {
    pub(super) fn perform_dcs(&mut self, request: &DcsRequest) {
        match request.kind {
            DcsKind::Setting => match self.setting(&request.text) {
                Some(value) => self.reply(&format!("\x1bP1$r{value}\x1b\\")),
                None => self.reply("\x1bP0$r\x1b\\"),
            },
            DcsKind::Capability => {
                for name in request.text.split(|b| *b == b';') {
                    self.answer_capability(name);
                }
            }
            DcsKind::State => self.restore_state(&request.text),
            DcsKind::Cursor => self.restore_cursor_information(&request.text),
            DcsKind::TabStops => self.restore_tab_stops(&request.text),
        }
    }

    /// Returns the sequence that sets a setting to its current value, without the introducer.
    fn setting(&self, name: &[u8]) -> Option<String> {
        let margins = self.margins;
        Some(match name {
            b"m" => format!("{}m", graphics(&self.pen)),
            b" q" => format!("{} q", self.cursor_style_number()),
            b"r" => format!("{};{}r", margins.top + 1, margins.bottom),
            b"s" => format!("{};{}s", margins.left + 1, margins.right),
            b"t" => format!("{}t", self.rows()),
            b"$|" => format!("{}$|", self.cols()),
            b"*|" => format!("{}*|", self.rows()),
            b"*x" => format!("{}*x", 1 + u8::from(self.change_rectangles)),
            b"\"p" => "64;1\"p".to_owned(),
            b"\"q" => {
                let is_protected = self.pen.cell.flags.contains(CellFlags::PROTECTED);
                format!("{}\"q", u8::from(is_protected))
            }
            _ => return None,
        })
    }

    fn answer_capability(&mut self, name: &[u8]) {
        let text = String::from_utf8_lossy(name).into_owned();
        match capabilities::value(name, &self.screen_modes()) {
            Some(Some(value)) => self.reply(&format!("\x1bP1+r{text}={}\x1b\\", hex(&value))),
            Some(None) => self.reply(&format!("\x1bP1+r{text}\x1b\\")),
            None if text.bytes().all(|b| b.is_ascii_hexdigit()) => {
                self.reply(&format!("\x1bP0+r{text}\x1b\\"));
            }
            // Text that is not a valid name is not echoed.
            None => self.reply("\x1bP0+r\x1b\\"),
        }
    }

    pub(crate) fn cursor_style_number(&self) -> u8 {
        let number = match self.cursor_look.shape {
            CursorShape::Block => 1,
            CursorShape::Underline => 3,
            CursorShape::Bar => 5,
        };
        number + u8::from(!self.cursor_look.blinking)
    }
}
