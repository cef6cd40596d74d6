//! Replies to queries.
//!
//! A program that asks and gets no reply hangs, so queries without a reply are listed in the notes.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, CursorShape, NamedColor};

use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use crate::screen::style::Attributes;

/// The cell size that is reported in pixels. Programs usually need only the ratio; 1:2 is common.
const CELL_WIDTH: usize = 8;
const CELL_HEIGHT: usize = 16;

/// Returns whether a control sequence expects a reply.
pub(super) fn is_query(params: &Params, intermediates: &[u8], action: char) -> bool {
    let first = params.first();
    match (action, intermediates) {
        ('n' | 'c', _) => true,
        ('t', []) => matches!(first, 11 | 13..=16 | 18..=21),
        ('q', [b'>']) | ('u' | 'm', [b'?']) | ('y', [b'*']) | ('x', []) => true,
        ('p', _) => intermediates.last() == Some(&b'$'),
        ('w', [b'$']) => true,
        _ => false,
    }
}

impl Terminal {
    /// Maximum size of pending replies, so that queries cannot fill memory if their replies are
    /// never read. The largest single reply, the clipboard, takes less than a third of it.
    const MAX_REPLIES: usize = 4 << 20;

    pub(crate) fn reply(&mut self, text: &str) {
        self.add_work(text.len());
        if self.replies.len() + text.len() > Terminal::MAX_REPLIES {
            self.notes
                .add_unanswered("more than 4 MiB of unread replies".to_owned());
            return;
        }
        self.replies.extend_from_slice(text.as_bytes());
    }

    /// Replies to a control sequence. Returns false if it is not a supported query.
    pub(super) fn answer_csi(
        &mut self,
        params: &Params,
        intermediates: &[u8],
        action: char,
    ) -> bool {
        let first = params.first();
        match (action, intermediates, first) {
            ('c', [], 0) => self.answer_primary_attributes(),
            ('c', [b'>'], 0) => self.reply(&format!("\x1b[>1;{};0c", version_number())),
            ('c', [b'='], 0) => self.reply("\x1bP!|00000000\x1b\\"),
            ('n', [], 5) => self.reply("\x1b[0n"),
            ('n', [], 6) => self.answer_cursor(""),
            ('n', [b'?'], 6) => self.answer_cursor("?"),
            ('n', [b'?'], 996) => {
                let scheme = if is_dark(self.options.theme.bg) { 1 } else { 2 };
                self.reply(&format!("\x1b[?997;{scheme}n"));
            }
            ('q', [b'>'], 0) => {
                self.reply(concat!(
                    "\x1bP>|screentest ",
                    env!("CARGO_PKG_VERSION"),
                    "\x1b\\"
                ));
            }
            ('u', [b'?'], _) => self.reply(&format!("\x1b[?{}u", self.keyboard().bits())),
            ('m', [b'?'], 4) => self.reply("\x1b[>4;0m"),
            ('m', [b'>'], _) => {}
            ('p', [b'?', b'$'], mode) => {
                let state = self.private_mode_state(mode);
                self.reply(&format!("\x1b[?{mode};{state}$y"));
            }
            ('p', [b'$'], mode) => {
                let state = match mode {
                    4 => state_of(self.term.mode().contains(TermMode::INSERT)),
                    20 => state_of(self.term.mode().contains(TermMode::LINE_FEED_NEW_LINE)),
                    _ => 0,
                };
                self.reply(&format!("\x1b[{mode};{state}$y"));
            }
            ('t', [], 14) => self.reply(&format!(
                "\x1b[4;{};{}t",
                self.term.screen_lines() * CELL_HEIGHT,
                self.term.columns() * CELL_WIDTH
            )),
            ('t', [], 16) => self.reply(&format!("\x1b[6;{CELL_HEIGHT};{CELL_WIDTH}t")),
            ('t', [], 18) => self.reply(&format!(
                "\x1b[8;{};{}t",
                self.term.screen_lines(),
                self.term.columns()
            )),
            ('t', [], 19) => self.reply(&format!(
                "\x1b[9;{};{}t",
                self.term.screen_lines(),
                self.term.columns()
            )),
            ('x', [], kind @ (0 | 1)) => self.reply(&format!("\x1b[{};1;1;128;128;1;0x", kind + 2)),
            _ => return false,
        }
        true
    }

    /// DA1: a VT220 with colours. Does not claim selective erasure, sixels or rectangles.
    pub(super) fn answer_primary_attributes(&mut self) {
        self.reply("\x1b[?62;22c");
    }

    /// CPR: relative to the top margin in origin mode.
    fn answer_cursor(&mut self, mark: &str) {
        let top = if self.additions && self.term.mode().contains(TermMode::ORIGIN) {
            self.region.start
        } else {
            0
        };
        let (row, col) = (self.row().saturating_sub(top) + 1, self.col() + 1);
        self.reply(&format!("\x1b[{mark}{row};{col}R"));
    }

    /// DECRPM: 0 not supported, 1 set, 2 reset.
    fn private_mode_state(&self, mode: u16) -> u8 {
        let flag = match mode {
            1 => TermMode::APP_CURSOR,
            6 => TermMode::ORIGIN,
            7 => TermMode::LINE_WRAP,
            12 => return state_of(self.term.cursor_style().blinking),
            25 => TermMode::SHOW_CURSOR,
            47 | 1047 | 1049 => TermMode::ALT_SCREEN,
            66 => TermMode::APP_KEYPAD,
            1000 => TermMode::MOUSE_REPORT_CLICK,
            1002 => TermMode::MOUSE_DRAG,
            1003 => TermMode::MOUSE_MOTION,
            1004 => TermMode::FOCUS_IN_OUT,
            1005 => TermMode::UTF8_MOUSE,
            1006 => TermMode::SGR_MOUSE,
            1007 => TermMode::ALTERNATE_SCROLL,
            1042 => TermMode::URGENCY_HINTS,
            2004 => TermMode::BRACKETED_PASTE,
            2026 => return state_of(self.frozen_screen.is_some()),
            _ => return 0,
        };
        state_of(self.term.mode().contains(flag))
    }
}

/// A query in a device control string, while it arrives.
#[derive(Debug)]
pub(crate) struct DcsQuery {
    kind: DcsKind,
    text: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DcsKind {
    /// DECRQSS: the value of a setting.
    Setting,
    /// XTGETTCAP: a terminfo capability.
    Capability,
}

impl DcsQuery {
    /// Longer than any query with a reply.
    const LONGEST: usize = 4096;

    pub(crate) fn new(intermediates: &[u8], action: char) -> Option<DcsQuery> {
        let kind = match (intermediates, action) {
            ([b'$'], 'q') => DcsKind::Setting,
            ([b'+'], 'q') => DcsKind::Capability,
            _ => return None,
        };
        Some(DcsQuery {
            kind,
            text: Vec::new(),
        })
    }

    pub(crate) fn push(&mut self, byte: u8) {
        if self.text.len() < DcsQuery::LONGEST {
            self.text.push(byte);
        }
    }
}

impl Terminal {
    pub(super) fn answer_dcs(&mut self, query: &DcsQuery) {
        match query.kind {
            DcsKind::Setting => {
                let answer = match query.text.as_slice() {
                    b"m" => Some(format!("{}m", self.graphics())),
                    b" q" => Some(format!("{} q", self.cursor_style_number())),
                    b"r" => Some(format!("{};{}r", self.region.start + 1, self.region.end)),
                    b"\"p" => Some("62;1\"p".to_owned()),
                    _ => None,
                };
                match answer {
                    Some(answer) => self.reply(&format!("\x1bP1$r{answer}\x1b\\")),
                    None => self.reply("\x1bP0$r\x1b\\"),
                }
            }
            DcsKind::Capability => {
                for name in query.text.split(|b| *b == b';') {
                    let text = String::from_utf8_lossy(name).into_owned();
                    match capability(name) {
                        Some(Some(value)) => {
                            self.reply(&format!("\x1bP1+r{text}={}\x1b\\", hex(value)));
                        }
                        Some(None) => self.reply(&format!("\x1bP1+r{text}\x1b\\")),
                        None if text.bytes().all(|b| b.is_ascii_hexdigit()) => {
                            self.reply(&format!("\x1bP0+r{text}\x1b\\"));
                        }
                        // Text that is not a valid name is not echoed.
                        None => self.reply("\x1bP0+r\x1b\\"),
                    }
                }
            }
        }
    }

    fn cursor_style_number(&self) -> u8 {
        let style = self.term.cursor_style();
        let number = match style.shape {
            CursorShape::Underline => 3,
            CursorShape::Beam => 5,
            _ => 1,
        };
        number + u8::from(!style.blinking)
    }

    /// Returns the pen as SGR parameters.
    fn graphics(&self) -> String {
        let pen: &Cell = &self.term.grid().cursor.template;
        let mut codes = vec!["0".to_owned()];
        for (flag, code) in [
            (Flags::BOLD, "1"),
            (Flags::DIM, "2"),
            (Flags::ITALIC, "3"),
            (Flags::UNDERLINE, "4"),
            (Flags::DOUBLE_UNDERLINE, "4:2"),
            (Flags::UNDERCURL, "4:3"),
            (Flags::DOTTED_UNDERLINE, "4:4"),
            (Flags::DASHED_UNDERLINE, "4:5"),
            (Flags::INVERSE, "7"),
            (Flags::HIDDEN, "8"),
            (Flags::STRIKEOUT, "9"),
        ] {
            if pen.flags.contains(flag) {
                codes.push(code.to_owned());
            }
        }
        for (attribute, code) in [
            (Attributes::BLINK, "5"),
            (Attributes::RAPID_BLINK, "6"),
            (Attributes::OVERLINE, "53"),
        ] {
            if self.extra_attrs.attributes.contains(attribute) {
                codes.push(code.to_owned());
            }
        }
        codes.extend(color_code(pen.fg, 30));
        codes.extend(color_code(pen.bg, 40));
        codes.extend(
            pen.underline_color()
                .and_then(|color| color_code(color, 50)),
        );
        codes.join(";")
    }
}

/// Returns a colour as an SGR parameter, based on 30, 40 or 50.
fn color_code(color: Color, base: usize) -> Option<String> {
    match color {
        Color::Named(NamedColor::Foreground | NamedColor::Background) => None,
        Color::Named(name) => match name as usize {
            index @ 0..=7 if base < 50 => Some((base + index).to_string()),
            index @ 8..=15 if base < 50 => Some((base + 60 + index - 8).to_string()),
            index => Some(format!("{}:5:{index}", base + 8)),
        },
        Color::Indexed(index) => Some(format!("{}:5:{index}", base + 8)),
        Color::Spec(rgb) => Some(format!("{}:2::{}:{}:{}", base + 8, rgb.r, rgb.g, rgb.b)),
    }
}

/// Returns the value for XTGETTCAP: `None` for an unknown name, `Some(None)` for a boolean
/// capability that is set.
fn capability(hex_name: &[u8]) -> Option<Option<&'static str>> {
    let name: Option<Vec<u8>> = hex_name
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    match name?.as_slice() {
        b"TN" | b"name" => Some(Some("xterm-256color")),
        b"Co" | b"colors" => Some(Some("256")),
        b"RGB" => Some(Some("8/8/8")),
        b"Tc" => Some(None),
        _ => None,
    }
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}

fn state_of(on: bool) -> u8 {
    if on { 1 } else { 2 }
}

fn is_dark(color: crate::screen::style::Rgb) -> bool {
    // Weights of Rec. 601: green counts most.
    u32::from(color.r) * 299 + u32::from(color.g) * 587 + u32::from(color.b) * 114 < 128_000
}

/// Returns our version as one number: 1.2.3 is 10203.
fn version_number() -> u32 {
    env!("CARGO_PKG_VERSION")
        .split('.')
        .fold(0, |number, part| {
            number * 100 + part.parse::<u32>().unwrap_or(0)
        })
}
