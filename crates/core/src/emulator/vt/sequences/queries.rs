//! Control sequences that ask for something.
//!
//! A program that asks and gets no reply hangs, so queries without a reply are listed in the notes.

use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use super::replies::graphics;
use crate::emulator::vt::grid::cell::{CellFlags, Pen};
use crate::emulator::vt::terminal::modes::Mode;
use crate::screen::style::Rgb;

/// Private modes of xterm's table that cannot be set here: keys that do not repeat, the oldest
/// mouse protocols, the Tektronix mode, and the log.
const ALWAYS_RESET: [u16; 5] = [8, 9, 38, 46, 1001];
/// Private modes that are on and cannot be reset: ANSI sequences, how two ways to set the blinking
/// of the cursor are joined, the alternate screen.
const ALWAYS_SET: [u16; 3] = [2, 14, 1046];

/// Returns whether a control sequence expects a reply.
pub(super) fn is_query(params: &Params, intermediates: &[u8], action: char) -> bool {
    let first = params.first();
    match (action, intermediates) {
        ('n' | 'c', _) => true,
        ('t', []) => matches!(first, 11 | 13..=16 | 18..=21),
        ('q', [b'>']) | ('u' | 'm' | 'S', [b'?']) | ('y', [b'*']) | ('x', []) => true,
        ('p', _) => intermediates.last() == Some(&b'$'),
        ('w' | 'u', [b'$']) | ('|', [b'#'] | [b'\'']) | ('v', [b'"']) => true,
        _ => false,
    }
}

impl Terminal {
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
            ('c', [b'>'], 0) => self.reply(&format!("\x1b[>41;{};0c", version_number())),
            ('c', [b'='], 0) => self.reply("\x1bP!|00000000\x1b\\"),
            ('n', [], 5) => self.reply("\x1b[0n"),
            ('n', [], 6) => self.answer_cursor("", ""),
            ('n', [b'?'], _) => return self.answer_status(first, params.get(1)),
            ('q', [b'>'], 0) => {
                self.reply(concat!(
                    "\x1bP>|screentest ",
                    env!("CARGO_PKG_VERSION"),
                    "\x1b\\"
                ));
            }
            ('u', [b'?'], _) => self.reply(&format!("\x1b[?{}u", self.keyboard().bits())),
            ('m', [b'?'], _) => self.answer_key_modifiers(params),
            ('m', [b'>'], _) => {}
            ('p', [b'?', b'$'], mode) => {
                let state = match self.private_mode(mode) {
                    Some(true) => 1,
                    Some(false) => 2,
                    None if ALWAYS_SET.contains(&mode) => 3,
                    None if ALWAYS_RESET.contains(&mode) => 4,
                    None => 0,
                };
                self.reply(&format!("\x1b[?{mode};{state}$y"));
            }
            ('p', [b'$'], mode) => {
                let state = match self.ansi_mode(mode) {
                    Some(true) => 1,
                    Some(false) => 2,
                    None if matches!(mode, 1 | 3 | 5 | 7 | 10 | 11 | 13..=19) => 4,
                    None => 0,
                };
                self.reply(&format!("\x1b[{mode};{state}$y"));
            }
            ('x', [], kind @ (0 | 1)) => self.reply(&format!("\x1b[{};1;1;128;128;1;0x", kind + 2)),
            ('w', [b'$'], 1) => self.report_cursor_information(),
            ('w', [b'$'], 2) => self.report_tab_stops(),
            _ => return false,
        }
        true
    }

    /// DA1: a VT420 with 132 columns, selective erase, national sets, technical characters,
    /// horizontal scrolling, colours, and rectangles.
    pub(super) fn answer_primary_attributes(&mut self) {
        self.reply("\x1b[?64;1;6;9;15;21;22;28c");
    }

    /// CPR: relative to the margins in origin mode.
    fn answer_cursor(&mut self, mark: &str, page: &str) {
        let (mut row, mut col) = (self.cursor.row, self.cursor.col);
        if self.modes.contains(Mode::ORIGIN) {
            row = row.saturating_sub(self.margins.top);
            col = col.saturating_sub(self.margins.left);
        }
        self.reply(&format!("\x1b[{mark}{};{}{page}R", row + 1, col + 1));
    }

    /// XTQMODKEYS: cursor and function keys have their modifiers as the second parameter. The
    /// others are not supported.
    fn answer_key_modifiers(&mut self, params: &Params) {
        for kind in params.numbers().iter().filter(|kind| **kind > 0) {
            let value = if matches!(kind, 1 | 2) { 2 } else { 0 };
            self.reply(&format!("\x1b[>{kind};{value}m"));
        }
    }

    /// DSR of DEC. There is no printer and no locator, and keys are not defined by the program.
    fn answer_status(&mut self, kind: u16, argument: u16) -> bool {
        let reply = match kind {
            6 => {
                self.answer_cursor("?", ";1");
                return true;
            }
            15 => "\x1b[?13n".to_owned(),
            25 => "\x1b[?20n".to_owned(),
            26 => "\x1b[?27;1;0;0n".to_owned(),
            53 | 55 => "\x1b[?50n".to_owned(),
            56 => "\x1b[?57;0n".to_owned(),
            62 => "\x1b[0000*{".to_owned(),
            63 => format!("\x1bP{argument}!~0000\x1b\\"),
            75 => "\x1b[?70n".to_owned(),
            85 => "\x1b[?83n".to_owned(),
            996 => {
                let scheme = if is_dark(self.options.theme.bg) { 1 } else { 2 };
                format!("\x1b[?997;{scheme}n")
            }
            _ => return false,
        };
        self.reply(&reply);
        true
    }

    /// DECRQCRA.
    pub(super) fn answer_checksum(&mut self, params: &Params) {
        let id = params.first();
        let numbers = params.numbers().get(2..).unwrap_or_default();
        let rectangle = self.rectangle(numbers);
        let rectangle = rectangle.filter(|_| !numbers.is_empty());
        let sum = rectangle.map_or(0, |rectangle| self.rectangle_checksum(&rectangle));
        self.reply(&format!("\x1bP{id}!~{sum:04X}\x1b\\"));
    }

    /// XTREPORTSGR: the attributes that all cells of a rectangle have.
    pub(super) fn report_common_graphics(&mut self, params: &Params) {
        let Some(rectangle) = self.rectangle(params.numbers()) else {
            return;
        };
        self.add_work(rectangle.rows.len() * rectangle.cols.len());
        let mut common: Option<Pen> = None;
        for row in rectangle.rows.clone() {
            let line = self.grid.line(row);
            for col in rectangle.cols.clone() {
                let cell = line.cell(col);
                match &mut common {
                    None => {
                        common = Some(Pen {
                            cell,
                            extra: line.extra(col).cloned(),
                        });
                    }
                    Some(pen) => {
                        if pen.cell.flags.underline() != cell.flags.underline() {
                            pen.cell.flags.set_underline(0);
                        }
                        let rest = CellFlags::STYLE - CellFlags::UNDERLINE;
                        let lost = rest - cell.flags;
                        pen.cell.flags.remove(lost);
                        if pen.cell.fg != cell.fg {
                            pen.cell.fg = Pen::default().cell.fg;
                        }
                        if pen.cell.bg != cell.bg {
                            pen.cell.bg = Pen::default().cell.bg;
                        }
                        if pen.extra.as_deref() != line.extra(col).map(|extra| &**extra) {
                            pen.extra = None;
                        }
                    }
                }
            }
        }
        let pen = common.unwrap_or_default();
        self.reply(&format!("\x1b[{}m", graphics(&pen)));
    }
}

pub(super) fn is_dark(color: Rgb) -> bool {
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
