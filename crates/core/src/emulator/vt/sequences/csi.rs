//! Control sequences.

use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use crate::emulator::vt::grid::cell::CellFlags;
use crate::emulator::vt::terminal::modes::Mode;
use crate::emulator::vt::terminal::rectangles::Checksum;
use crate::emulator::vt::terminal::{ErasedPart, Erasing};
use crate::screen::cursor::CursorShape;

impl Terminal {
    /// Handles a control sequence. Returns false if it is not supported.
    #[inline]
    pub(super) fn csi(&mut self, params: &Params, intermediates: &[u8], action: char) -> bool {
        match intermediates {
            [] => self.plain_csi(params, action),
            [b'?'] => self.private_csi(params, action),
            [b'$'] => self.rectangle_csi(params, action),
            _ => self.other_csi(params, intermediates, action),
        }
    }

    #[inline]
    fn plain_csi(&mut self, params: &Params, action: char) -> bool {
        let first = params.first();
        let count = usize::from(first.max(1));
        match action {
            'm' => return self.select_graphics(params),
            'H' | 'f' => self.position(count - 1, params.count(1) - 1),
            'K' | 'J' => return self.erase(first, action, Erasing::Ordinary),
            'A' => self.up(count),
            'B' => self.down(count),
            'C' => self.forward(count),
            'D' => self.back(count),
            'E' => {
                self.down(count);
                self.carriage_return();
            }
            'F' => {
                self.up(count);
                self.carriage_return();
            }
            'G' | '`' => self.go_to_col(count - 1),
            'a' => self.move_by(0, count),
            'd' => self.go_to_row(count - 1),
            'e' => self.move_by(count, 0),
            'I' => self.tabs_forward(count),
            'Z' => self.tabs_back(count),
            '@' => self.insert_chars(count),
            'P' => self.delete_chars(count),
            'X' => self.erase_chars(count),
            'L' => self.insert_lines(count),
            'M' => self.delete_lines(count),
            'S' => self.scroll_up(count),
            // With more parameters it highlights text for the mouse, which has no effect.
            'T' if params.numbers().len() > 1 => {}
            'T' | '^' => self.scroll_down(count),
            'b' => self.repeat(count),
            'r' => self.set_rows_of_region(first.into(), params.get(1).into()),
            'g' => return self.clear_tabs(first),
            'h' => return self.set_modes(params, true),
            'l' => return self.set_modes(params, false),
            's' if self.modes.contains(Mode::LEFT_RIGHT_MARGINS) => {
                self.set_cols_of_region(first.into(), params.get(1).into());
            }
            's' => self.save_cursor(),
            'u' => self.restore_cursor(),
            't' => return self.window_operation(params),
            _ => return self.answer_csi(params, &[], action),
        }
        true
    }

    fn private_csi(&mut self, params: &Params, action: char) -> bool {
        match action {
            'h' => self.set_private_modes(params, true),
            'l' => self.set_private_modes(params, false),
            's' => self.save_private_modes(params),
            'r' => self.restore_private_modes(params),
            'J' | 'K' => self.erase(params.first(), action, Erasing::Selective),
            'W' if params.first() == 5 => {
                self.reset_tabs();
                true
            }
            _ => self.answer_csi(params, b"?", action),
        }
    }

    fn other_csi(&mut self, params: &Params, intermediates: &[u8], action: char) -> bool {
        let first = params.first();
        let count = params.count(0);
        match (action, intermediates) {
            ('q', [b' ']) => return self.set_cursor_style(first),
            ('q', [b'"']) if first <= 2 => {
                self.pen.cell.flags.set(CellFlags::PROTECTED, first == 1);
                self.modes.remove(Mode::ERASING_RESPECTS_PROTECTION);
            }
            ('@', [b' ']) if self.is_inside_margins() => {
                self.shift_cols(self.margins.left, count, false);
            }
            ('A', [b' ']) if self.is_inside_margins() => {
                self.shift_cols(self.margins.left, count, true);
            }
            ('}', [b'\'']) if self.is_inside_margins() => {
                self.shift_cols(self.cursor.col, count, true);
            }
            ('~', [b'\'']) if self.is_inside_margins() => {
                self.shift_cols(self.cursor.col, count, false);
            }
            ('@' | 'A', [b' ']) | ('}' | '~', [b'\'']) => {}
            ('x', [b'*']) => match first {
                0 | 1 => self.change_rectangles = false,
                2 => self.change_rectangles = true,
                _ => return false,
            },
            ('y', [b'*']) => self.answer_checksum(params),
            ('y', [b'#']) => self.checksum = Checksum::from_bits_truncate(first),
            ('{' | 'p', [b'#']) => self.pen_stack.push(&self.pen, params.numbers()),
            ('}' | 'q', [b'#']) => self.pop_pen(),
            ('t', [b'>']) => return self.set_title_modes(params, true),
            ('T', [b'>']) => return self.set_title_modes(params, false),
            ('|', [b'#']) => self.report_common_graphics(params),
            ('u', [mark @ (b'=' | b'>' | b'<')]) => {
                self.set_keyboard(*mark, first, params.get(1).max(1));
            }
            ('p', [b'!']) => self.soft_reset(),
            // The level of conformance: a soft reset, as in xterm.
            ('p', [b'"']) => self.soft_reset(),
            _ => return self.answer_csi(params, intermediates, action),
        }
        true
    }

    /// The sequences with rectangles.
    fn rectangle_csi(&mut self, params: &Params, action: char) -> bool {
        let numbers = params.numbers();
        let rest = |from: usize| numbers.get(from..).unwrap_or_default();
        match action {
            'v' => {
                if let Some(from) = self.rectangle(numbers) {
                    let [row, col] = [5, 6].map(|index| params.count(index) - 1);
                    self.copy_rectangle(&from, row, col);
                }
            }
            'x' => {
                let c = self.fill_character(params.first());
                if let (Some(c), Some(rectangle)) = (c, self.rectangle(rest(1))) {
                    self.fill_rectangle(&rectangle, c);
                }
            }
            'z' => {
                if let Some(rectangle) = self.rectangle(numbers) {
                    self.erase_rectangle(&rectangle);
                }
            }
            '{' => {
                if let Some(rectangle) = self.rectangle(numbers) {
                    self.erase_characters_of_rectangle(&rectangle);
                }
            }
            'r' => {
                let codes = if rest(4).is_empty() { &[0] } else { rest(4) };
                if let Some(rectangle) = self.rectangle(numbers) {
                    self.change_attributes(&rectangle, |flags| {
                        codes
                            .iter()
                            .fold(flags, |flags, code| set_attribute(flags, *code))
                    });
                }
            }
            't' => {
                let codes = if rest(4).is_empty() { &[0] } else { rest(4) };
                if let Some(rectangle) = self.rectangle(numbers) {
                    self.change_attributes(&rectangle, |flags| {
                        codes
                            .iter()
                            .fold(flags, |flags, code| reverse_attribute(flags, *code))
                    });
                }
            }
            _ => return self.answer_csi(params, b"$", action),
        }
        true
    }

    fn erase(&mut self, number: u16, action: char, erasing: Erasing) -> bool {
        match (action, ErasedPart::from_number(number)) {
            ('J', Some(part)) => self.erase_screen(part, erasing),
            ('J', None) if number == 3 => self.erase_scrollback(),
            ('K', Some(part)) => self.erase_line(part, erasing),
            _ => return false,
        }
        true
    }

    fn clear_tabs(&mut self, number: u16) -> bool {
        match number {
            0 => self.tabs[self.cursor.col] = false,
            3 => {
                self.add_work_of_rows(1);
                self.tabs.fill(false);
            }
            _ => return false,
        }
        true
    }

    pub(super) fn set_cursor_style(&mut self, number: u16) -> bool {
        self.cursor_look.shape = match number {
            0..=2 => CursorShape::Block,
            3 | 4 => CursorShape::Underline,
            5 | 6 => CursorShape::Bar,
            _ => return false,
        };
        self.cursor_look.blinking = number % 2 == 1;
        true
    }
}

/// DECCARA: sets or resets one attribute.
fn set_attribute(flags: CellFlags, code: u16) -> CellFlags {
    let mut flags = flags;
    match code {
        0 => flags
            .remove(CellFlags::BOLD | CellFlags::UNDERLINE | CellFlags::BLINK | CellFlags::INVERSE),
        4 => flags.set_underline(1),
        24 => flags.set_underline(0),
        _ => match attribute(code % 20) {
            Some(attribute) => flags.set(attribute, code < 10),
            None if code == 22 => flags.remove(CellFlags::BOLD),
            None => {}
        },
    }
    flags
}

/// DECRARA: reverses one attribute; 0 reverses all four.
fn reverse_attribute(flags: CellFlags, code: u16) -> CellFlags {
    let mut flags = flags;
    match code {
        0 => return [1, 4, 5, 7].into_iter().fold(flags, reverse_attribute),
        4 => {
            let none = !flags.intersects(CellFlags::UNDERLINE);
            flags.set_underline(u32::from(none));
        }
        _ => {
            if let Some(attribute) = attribute(code) {
                flags.toggle(attribute);
            }
        }
    }
    flags
}

fn attribute(code: u16) -> Option<CellFlags> {
    match code {
        1 => Some(CellFlags::BOLD),
        5 => Some(CellFlags::BLINK),
        7 => Some(CellFlags::INVERSE),
        _ => None,
    }
}
