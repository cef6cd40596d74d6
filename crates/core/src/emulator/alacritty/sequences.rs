//! Dispatch of sequences to their effects.
//!
//! The parser calls [`Terminal`] for every sequence. Sequences that the wrapped terminal supports
//! are passed to it, as the crate's own processor would do; all others are handled in this folder.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::vte::ansi::{
    CharsetIndex, ClearMode, Handler, LineClearMode, StandardCharset, TabulationClearMode,
};
use alacritty_terminal::vte::{self, Perform};

use super::parsing::params::{Params, SimpleSequence};
use super::terminal::Terminal;
use images::StringKind;
use replies::DcsQuery;

pub(super) mod images;
mod osc;
pub(super) mod replies;
mod sgr;

/// Number of parts of an operating system command from which on `vte` drops the rest: the parser
/// then passes the whole command to [`Terminal::long_operating_system_command`].
const MAX_OSC_PARTS: usize = 16;

impl Perform for Terminal {
    #[inline]
    fn print(&mut self, c: char) {
        // The parser prints only between sequences, so it has dropped the sequence before this
        // character without another callback.
        self.sequence_done = true;
        self.print_char(c);
    }

    #[inline]
    fn execute(&mut self, byte: u8) {
        // CAN and SUB end any sequence in progress.
        if matches!(byte, 0x18 | 0x1a) {
            self.sequence_done = true;
        }
        self.control(byte);
    }

    fn hook(&mut self, params: &vte::Params, intermediates: &[u8], ignore: bool, action: char) {
        self.query = if ignore {
            None
        } else {
            DcsQuery::new(intermediates, action)
        };
        if (intermediates, action, ignore) == (&[], 'q', false) {
            self.begin_string(StringKind::Sixel);
        } else if self.query.is_none() {
            self.unknown(name("DCS", &params.into(), intermediates, action));
        }
    }

    fn put(&mut self, byte: u8) {
        if let Some(query) = &mut self.query {
            query.push(byte);
        }
        self.put_string(&[byte]);
    }

    fn unhook(&mut self) {
        if let Some(query) = self.query.take() {
            self.answer_dcs(&query);
        }
        self.end_string();
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], bell_terminated: bool) {
        // After an escape as terminator, the parser is already inside the next sequence, usually
        // ST.
        self.sequence_done = bell_terminated;
        if params.len() < MAX_OSC_PARTS {
            self.operating_system_command(params, bell_terminated);
        } else {
            self.unsplit_osc = Some(bell_terminated);
        }
    }

    fn csi_dispatch(
        &mut self,
        params: &vte::Params,
        intermediates: &[u8],
        ignore: bool,
        action: char,
    ) {
        self.sequence_done = true;
        self.control_sequence(&params.into(), intermediates, ignore, action);
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        self.sequence_done = true;
        if !self.esc(intermediates, byte) {
            let intermediates = String::from_utf8_lossy(intermediates);
            self.unknown(format!("ESC {intermediates}{}", char::from(byte)));
        }
    }

    #[inline]
    fn terminated(&self) -> bool {
        self.sequence_done
    }
}

impl Terminal {
    /// Handles a control sequence of the simple form.
    #[inline]
    pub(super) fn simple_sequence(&mut self, sequence: &SimpleSequence) {
        self.control_sequence(
            &sequence.params,
            sequence.mark.as_slice(),
            false,
            sequence.action,
        );
    }

    #[inline]
    fn control_sequence(
        &mut self,
        params: &Params,
        intermediates: &[u8],
        ignore: bool,
        action: char,
    ) {
        if ignore || !self.csi(params, intermediates, action) {
            let sequence = name("CSI", params, intermediates, action);
            if replies::is_query(params, intermediates, action) {
                self.notes.add_unanswered(sequence.clone());
            }
            self.unknown(sequence);
        }
    }

    /// Handles a control sequence. Returns false if it is not supported.
    #[inline]
    fn csi(&mut self, params: &Params, intermediates: &[u8], action: char) -> bool {
        let mut numbers = params.iter().map(|param| param[0]);
        let mut next_or = |default: u16| match numbers.next() {
            Some(0) | None => default,
            Some(number) => number,
        };
        let first = params.first();
        match (action, intermediates) {
            ('m', []) => return self.select_graphics(params),
            ('H' | 'f', []) => {
                let row = i32::from(next_or(1)) - 1;
                self.term.goto(row, usize::from(next_or(1)) - 1);
            }
            ('K', []) => match next_or(0) {
                0 => self.clear_line(LineClearMode::Right),
                1 => self.clear_line(LineClearMode::Left),
                2 => self.clear_line(LineClearMode::All),
                _ => return false,
            },
            ('J', []) => match next_or(0) {
                0 => self.clear_screen(ClearMode::Below),
                1 => self.clear_screen(ClearMode::Above),
                2 => self.clear_screen(ClearMode::All),
                3 => self.clear_screen(ClearMode::Saved),
                _ => return false,
            },
            ('A', []) if self.additions => self.up(next_or(1).into()),
            ('A', []) => self.term.move_up(next_or(1).into()),
            ('B', []) if self.additions => self.down(next_or(1).into()),
            ('e', []) if self.additions => {
                let row = self.row() + usize::from(next_or(1));
                self.go_to(row, self.col());
            }
            ('B' | 'e', []) => self.term.move_down(next_or(1).into()),
            ('C' | 'a', []) => self.term.move_forward(next_or(1).into()),
            ('D', []) => self.term.move_backward(next_or(1).into()),
            ('E', []) if self.additions => {
                self.down(next_or(1).into());
                self.term.carriage_return();
            }
            ('E', []) => self.term.move_down_and_cr(next_or(1).into()),
            ('F', []) if self.additions => {
                self.up(next_or(1).into());
                self.term.carriage_return();
            }
            ('F', []) => self.term.move_up_and_cr(next_or(1).into()),
            ('G' | '`', []) if self.additions => {
                let row = self.row();
                self.go_to(row, usize::from(next_or(1)) - 1);
            }
            ('G' | '`', []) => self.term.goto_col(usize::from(next_or(1)) - 1),
            ('d', []) => self.term.goto_line(i32::from(next_or(1)) - 1),
            ('I', []) => self.tabs(|term| term.move_forward_tabs(next_or(1))),
            ('Z', []) => self.tabs(|term| term.move_backward_tabs(next_or(1))),
            ('@', []) => {
                self.add_work_of_rows(1);
                self.before_loss_in_row(self.col()..self.term.columns());
                self.term.insert_blank(next_or(1).into());
            }
            ('P', []) => {
                let (col, cols) = (self.col(), self.term.columns());
                self.add_work(cols);
                self.before_loss_in_row(col..cols);
                // With a count beyond the end of the row, the crate also clears cells left of the
                // cursor.
                let most = if self.additions { cols - col } else { cols };
                self.term.delete_chars(most.min(next_or(1).into()));
            }
            ('X', []) => {
                let count = usize::from(next_or(1));
                self.add_work_of_rows(1);
                self.before_loss_in_row(self.col()..self.col() + count);
                self.term.erase_chars(count);
                self.record_drawn_row(self.row());
            }
            ('L', []) => {
                let count = usize::from(next_or(1));
                if let Some(region) = self.region_below() {
                    self.before_scroll_down(region, count);
                }
                self.term.insert_blank_lines(count);
            }
            ('M', []) => {
                let count = usize::from(next_or(1));
                if let Some(region) = self.region_below() {
                    self.before_scroll_up(region, count);
                }
                self.term.delete_lines(count);
            }
            ('S', []) => {
                let count = usize::from(next_or(1));
                self.before_scroll_up(self.region.clone(), count);
                self.term.scroll_up(count);
            }
            ('T', []) => {
                let count = usize::from(next_or(1));
                self.before_scroll_down(self.region.clone(), count);
                self.term.scroll_down(count);
            }
            ('b', []) => self.repeat(next_or(1).into()),
            ('r', []) => {
                let top = usize::from(next_or(1));
                let bottom = params
                    .iter()
                    .nth(1)
                    .map(|param| usize::from(param[0]))
                    .filter(|bottom| *bottom != 0);
                self.set_region(top, bottom);
            }
            ('g', []) => match next_or(0) {
                0 => self.term.clear_tabs(TabulationClearMode::Current),
                3 => {
                    self.add_work_of_rows(1);
                    self.term.clear_tabs(TabulationClearMode::All);
                }
                _ => return false,
            },
            ('W', [b'?']) if first == 5 && self.additions => self.reset_tabs(),
            ('W', [b'?']) if first == 5 => {}
            ('h', []) => return self.set_modes(params, true),
            ('l', []) => return self.set_modes(params, false),
            ('h', [b'?']) => return self.set_private_modes(params, true),
            ('l', [b'?']) => return self.set_private_modes(params, false),
            ('q', [b' ']) => return self.set_cursor_style(next_or(0)),
            ('s', []) => self.save_cursor(),
            ('u', []) => self.restore_cursor(),
            ('u', [b'=' | b'>' | b'<']) => {
                let (first, second) = (next_or(0), next_or(1));
                self.set_keyboard(intermediates[0], first, second);
            }
            ('t', []) if first == 22 => self.push_title(),
            ('t', []) if first == 23 => self.pop_title(),
            ('p', [b'!']) if self.additions => self.soft_reset(),
            _ => return self.answer_csi(params, intermediates, action),
        }
        true
    }

    /// Handles an escape sequence. Returns false if it is not supported.
    fn esc(&mut self, intermediates: &[u8], byte: u8) -> bool {
        match (byte, intermediates) {
            (b'B' | b'0', [set @ (b'(' | b')' | b'*' | b'+')]) => {
                let index = match set {
                    b'(' => CharsetIndex::G0,
                    b')' => CharsetIndex::G1,
                    b'*' => CharsetIndex::G2,
                    _ => CharsetIndex::G3,
                };
                let charset = if byte == b'B' {
                    StandardCharset::Ascii
                } else {
                    StandardCharset::SpecialCharacterAndLineDrawing
                };
                self.term.configure_charset(index, charset);
            }
            (b'D', []) => self.line_feed(),
            (b'E', []) => {
                self.line_feed();
                self.term.carriage_return();
            }
            (b'H', []) => self.term.set_horizontal_tabstop(),
            (b'M', []) => {
                if self.row() == self.region.start {
                    self.before_scroll_down(self.region.clone(), 1);
                }
                self.term.reverse_index();
            }
            (b'Z', []) => self.answer_primary_attributes(),
            (b'c', []) => self.reset(),
            (b'7', []) => self.save_cursor(),
            (b'8', []) => self.restore_cursor(),
            (b'8', [b'#']) => self.align(),
            (b'=', []) => self.term.set_keypad_application_mode(),
            (b'>', []) => self.term.unset_keypad_application_mode(),
            // The string terminator: the string was already handled when it ended.
            (b'\\', []) => {}
            _ => return false,
        }
        true
    }
}

/// Returns a sequence for messages: `CSI ? 69 h`.
pub(super) fn name(kind: &str, params: &Params, intermediates: &[u8], action: char) -> String {
    let numbers = params
        .iter()
        .map(|param| {
            let parts: Vec<String> = param.iter().map(u16::to_string).collect();
            parts.join(":")
        })
        .collect::<Vec<_>>()
        .join(";");
    // The private marks `<=>?` come before the numbers, other intermediates after them.
    let (before, after): (Vec<u8>, Vec<u8>) = intermediates
        .iter()
        .partition(|b| (0x3c..=0x3f).contains(*b));
    [
        kind,
        &String::from_utf8_lossy(&before),
        &numbers,
        &String::from_utf8_lossy(&after),
        &action.to_string(),
    ]
    .iter()
    .filter(|part| !part.is_empty())
    .copied()
    .collect::<Vec<_>>()
    .join(" ")
}
