//! Device control strings: settings (DECRQSS), capabilities (XTGETTCAP), and the state that a dump
//! restores (DECRSTS).

use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use super::replies::graphics;
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
}

impl DcsRequest {
    /// Longer than any query with a reply.
    const LONGEST: usize = 4096;

    pub(super) fn new(params: &Params, intermediates: &[u8], action: char) -> Option<DcsRequest> {
        let kind = match (intermediates, action) {
            ([b'$'], 'q') => DcsKind::Setting,
            ([b'+'], 'q') => DcsKind::Capability,
            ([b'$'], 'p') if params.first() == 1 => DcsKind::State,
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
        match capability(name) {
            Some(Some(value)) => self.reply(&format!("\x1bP1+r{text}={}\x1b\\", hex(value))),
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

/// Returns the value for XTGETTCAP: `None` for an unknown name, `Some(None)` for a boolean
/// capability that is set.
fn capability(hex_name: &[u8]) -> Option<Option<&'static str>> {
    let name: Option<Vec<u8>> = hex_name
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    Some(match name?.as_slice() {
        b"TN" | b"name" => Some("xterm-256color"),
        b"Co" | b"colors" => Some("256"),
        b"RGB" => Some("8/8/8"),
        b"Tc" | b"Su" | b"AX" | b"XT" | b"am" | b"km" | b"bce" | b"mir" | b"msgr" | b"xenl" => None,
        b"Smulx" => Some("\x1b[4:%p1%dm"),
        b"Setulc" => Some("\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm"),
        b"setrgbf" => Some("\x1b[38:2:%p1%d:%p2%d:%p3%dm"),
        b"setrgbb" => Some("\x1b[48:2:%p1%d:%p2%d:%p3%dm"),
        b"Ms" => Some("\x1b]52;%p1%s;%p2%s\x07"),
        b"Ss" => Some("\x1b[%p1%d q"),
        b"Se" => Some("\x1b[2 q"),
        b"Cr" => Some("\x1b]112\x07"),
        b"Cs" => Some("\x1b]12;%p1%s\x07"),
        b"Smol" => Some("\x1b[53m"),
        b"Rmol" => Some("\x1b[55m"),
        b"smxx" => Some("\x1b[9m"),
        b"rmxx" => Some("\x1b[29m"),
        b"BE" => Some("\x1b[?2004h"),
        b"BD" => Some("\x1b[?2004l"),
        b"PS" => Some("\x1b[200~"),
        b"PE" => Some("\x1b[201~"),
        b"fe" => Some("\x1b[?1004h"),
        b"fd" => Some("\x1b[?1004l"),
        b"Sync" => Some("\x1b[?2026%?%p1%{1}%-%tl%eh%;"),
        b"rep" => Some("%p1%c\x1b[%p2%{1}%-%db"),
        b"ech" => Some("\x1b[%p1%dX"),
        b"smcup" => Some("\x1b[?1049h"),
        b"rmcup" => Some("\x1b[?1049l"),
        _ => return None,
    })
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}
