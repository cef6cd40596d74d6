//! Escape sequences.

use super::super::terminal::Terminal;
use super::super::terminal::charsets::Charset;
use crate::emulator::vt::grid::cell::CellFlags;
use crate::emulator::vt::terminal::modes::Mode;

impl Terminal {
    /// Handles an escape sequence. Returns false if it is not supported.
    pub(super) fn esc(&mut self, intermediates: &[u8], byte: u8) -> bool {
        match (byte, intermediates) {
            (b'D', []) => self.index(),
            (b'E', []) => {
                self.index();
                self.carriage_return();
            }
            (b'H', []) => self.tabs[self.cursor.col] = true,
            (b'M', []) => self.reverse_index(),
            (b'N', []) => self.charsets.single = Some(2),
            (b'O', []) => self.charsets.single = Some(3),
            (b'V', []) => {
                self.pen.cell.flags.insert(CellFlags::PROTECTED);
                self.modes.insert(Mode::ERASING_RESPECTS_PROTECTION);
            }
            (b'W', []) => self.pen.cell.flags.remove(CellFlags::PROTECTED),
            (b'Z', []) => self.answer_primary_attributes(),
            (b'c', []) => self.reset(),
            (b'n', []) => self.charsets.lock_left(2),
            (b'o', []) => self.charsets.lock_left(3),
            (b'~', []) => self.charsets.right = 1,
            (b'}', []) => self.charsets.right = 2,
            (b'|', []) => self.charsets.right = 3,
            (b'6', []) => self.back_index(),
            (b'7', []) => self.save_cursor(),
            (b'8', []) => self.restore_cursor(),
            (b'9', []) => self.forward_index(),
            (b'8', [b'#']) => self.align(),
            (b'=', []) => self.modes.insert(Mode::APPLICATION_KEYPAD),
            (b'>', []) => self.modes.remove(Mode::APPLICATION_KEYPAD),
            // The selection of UTF-8, which is always on, and of 7-bit replies.
            (b'G', [b'%']) | (b'F', [b' ']) => {}
            // The string terminator: the string was already handled when it ended.
            (b'\\', []) => {}
            (_, [set @ (b'(' | b')' | b'*' | b'+'), rest @ ..]) => {
                return self.designate(set - b'(', rest, byte, false);
            }
            (_, [set @ (b'-' | b'.' | b'/'), rest @ ..]) => {
                return self.designate(set - b',', rest, byte, true);
            }
            _ => return false,
        }
        true
    }

    /// SCS: designates a character set as one of G0 to G3.
    fn designate(&mut self, index: u8, rest: &[u8], byte: u8, is_96: bool) -> bool {
        let name = [rest, &[byte]].concat();
        match Charset::named(&name, is_96) {
            Some(charset) => self.charsets.sets[usize::from(index)] = charset,
            None => return false,
        }
        true
    }
}
