//! State without a sequence of its own, as DECRSTS (`DCS 1 $ p … ST`).
//!
//! The content is a list of `key=value`, separated by `;`, in the order in which it is applied:
//!
//! | Key | Value |
//! |---|---|
//! | `w` | wrapped lines, from the last line on: distance, `a` or (before a wide character) `b` |
//! | `p` | the cursor: row, column, 1 if a wrap is pending, 1 in origin mode |
//! | `m` | the modes that are on, as a hexadecimal number |
//! | `x` | modes saved by XTSAVE: number and `h` or `l` |
//! | `t` | the cursor after the last text, which a cluster may continue: as `p`, without the mode |
//! | `k` | the characters of the cell before the cursor: hexadecimal numbers, each with a dot |
//! | `c` | the last printed character, as a hexadecimal number |
//!
//! A program may send it too. It can only reach states that it could reach otherwise.

use std::fmt::Write;

use super::super::grid::TrackedCursor;
use super::super::grid::line::Wrap;
use super::super::terminal::Terminal;
use super::super::terminal::modes::Mode;
use crate::formats::paint::row_writer::RowSequenceWriter;

const BEGIN: &str = "\x1bP1$p";
const END: &str = "\x1b\\";

/// Marks rows as wrapped, if any of them is.
pub(super) fn write_wraps(out: &mut RowSequenceWriter, wraps: &[Wrap]) {
    if wraps.iter().all(|wrap| *wrap == Wrap::None) {
        return;
    }
    out.text.push_str(BEGIN);
    out.text.push_str("w=");
    let mut before = 0;
    for (above, wrap) in wraps.iter().rev().enumerate() {
        let kind = match wrap {
            Wrap::None => continue,
            Wrap::Wrapped => 'a',
            Wrap::BeforeWide => 'b',
        };
        out.put(format_args!("{}{kind}", above - before));
        before = above;
    }
    out.text.push_str(END);
}

/// Moves the cursor, independent of the margins.
pub(super) fn write_position(out: &mut RowSequenceWriter, cursor: TrackedCursor, origin: bool) {
    let position = position(cursor, origin);
    out.put(format_args!("{BEGIN}{position}{END}"));
}

fn position(cursor: TrackedCursor, origin: bool) -> String {
    let TrackedCursor {
        row,
        col,
        pending_wrap,
    } = cursor;
    format!(
        "p={row},{col},{},{}",
        u8::from(pending_wrap),
        u8::from(origin)
    )
}

impl Terminal {
    pub(super) fn write_state(&self, out: &mut RowSequenceWriter) {
        let origin = self.modes.contains(Mode::ORIGIN);
        let mut state = position(self.cursor, origin);
        // Writing to a string cannot fail.
        let _ = write!(state, ";m={:x}", self.modes.bits());
        if !self.xtsaved_modes.is_empty() {
            state.push_str(";x=");
            for (number, on) in &self.xtsaved_modes {
                let _ = write!(state, "{number}{}", if *on { 'h' } else { 'l' });
            }
        }
        state.push_str(";t=");
        if let Some(end) = self.text_end {
            let pending_wrap = u8::from(end.pending_wrap);
            let _ = write!(state, "{},{},{pending_wrap}", end.row, end.col);
        }
        if let Some(c) = self.preceding {
            let _ = write!(state, ";c={:x}", c as u32);
        }
        out.put(format_args!("{BEGIN}{state}{END}"));
    }

    /// DECRSTS.
    pub(crate) fn restore_state(&mut self, state: &[u8]) {
        self.add_work(state.len());
        let Ok(state) = std::str::from_utf8(state) else {
            return self.unknown("DCS 1 $ p".to_owned());
        };
        for item in state.split(';') {
            match item.split_once('=') {
                Some(("w", wraps)) => self.restore_wraps(wraps),
                Some(("p", position)) => self.restore_position(position),
                Some(("m", modes)) => {
                    let modes = u64::from_str_radix(modes, 16).unwrap_or_default();
                    let shown = self.modes & Mode::ALTERNATE;
                    let modes = Mode::from_bits_truncate(modes) - Mode::ALTERNATE;
                    let margins = modes.contains(Mode::LEFT_RIGHT_MARGINS);
                    if margins != self.modes.contains(Mode::LEFT_RIGHT_MARGINS) {
                        self.set_left_right_margin_mode(margins);
                    }
                    self.modes = modes | shown;
                }
                Some(("x", modes)) => {
                    for mode in modes.split_inclusive(['h', 'l']) {
                        let on = mode.ends_with('h');
                        let number = mode.trim_end_matches(['h', 'l']).parse();
                        if let Ok(number) = number
                            && self.private_mode(number).is_some()
                        {
                            self.xtsaved_modes.insert(number, on);
                        }
                    }
                }
                Some(("t", end)) => {
                    let numbers: Vec<usize> =
                        end.split(',').filter_map(|n| n.parse().ok()).collect();
                    self.text_end = match numbers[..] {
                        [row, col, pending_wrap] => Some(TrackedCursor {
                            row,
                            col,
                            pending_wrap: pending_wrap == 1,
                        }),
                        _ => None,
                    };
                    self.text_is_open = true;
                }
                Some(("k", chars)) => {
                    let chars = chars
                        .split_terminator('.')
                        .filter_map(|c| u32::from_str_radix(c, 16).ok().and_then(char::from_u32))
                        .filter(|c| !c.is_control());
                    self.replace_text(chars);
                }
                Some(("c", c)) => {
                    let c = u32::from_str_radix(c, 16).ok().and_then(char::from_u32);
                    self.preceding = c.filter(|c| !c.is_control());
                }
                _ => self.unknown("DCS 1 $ p".to_owned()),
            }
        }
    }

    fn restore_wraps(&mut self, wraps: &str) {
        let mut above = 0_usize;
        for wrap in wraps.split_inclusive(['a', 'b']) {
            let kind = if wrap.ends_with('a') {
                Wrap::Wrapped
            } else {
                Wrap::BeforeWide
            };
            let Ok(more) = wrap.trim_end_matches(['a', 'b']).parse::<usize>() else {
                return;
            };
            above = above.saturating_add(more);
            self.grid.set_wrap(above, kind);
        }
    }

    fn restore_position(&mut self, position: &str) {
        let numbers: Vec<usize> = position.split(',').filter_map(|n| n.parse().ok()).collect();
        if let [row, col, pending_wrap, origin] = numbers[..] {
            self.go_to(row, col);
            self.cursor.pending_wrap = pending_wrap == 1;
            self.modes.set(Mode::ORIGIN, origin == 1);
        }
    }
}
