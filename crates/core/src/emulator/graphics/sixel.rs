//! Decodes sixel images (DCS q).
//!
//! Time and memory are bounded: the image has at most [`MAX_SIDE`] pixels per side and
//! [`MAX_PIXELS`] in total, and pixels outside are dropped. Each image has its own colour
//! registers, as in xterm's default (mode 1070). The pixel aspect ratio is ignored, also as in
//! xterm: pixels are square.
//!
//! See also: `sixel/colors.rs` (colour registers).

use crate::screen::image::{ImageContent, ImageSize, MAX_PIXELS, MAX_SIDE};
use colors::Registers;

mod colors;
#[cfg(test)]
mod tests;

pub(crate) use colors::REGISTERS;

/// Sixel rows of a character.
const BAND: usize = 6;

/// What pixels show that the image does not set (the second parameter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SixelBackground {
    /// The background colour of the text.
    Filled,
    /// What was there before.
    Unchanged,
}

/// A sixel image while it arrives.
#[derive(Debug)]
pub(crate) struct SixelDecoder {
    pub(crate) background: SixelBackground,
    state: State,
    registers: Registers,
    /// The current colour, opaque.
    color: [u8; 4],
    repeat: u32,
    /// The next column, and the first row of the current band.
    x: usize,
    y: usize,
    /// The columns and rows that were drawn or announced.
    width: usize,
    height: usize,
    /// The drawn pixels; a row ends at its last one.
    rows: Vec<Vec<[u8; 4]>>,
    /// Pixels written so far, as a measure of the work.
    work: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Data,
    /// After `!`, `"` or `#`: its numbers.
    Numbers(u8, [u32; 5], usize),
}

impl SixelDecoder {
    /// Creates a decoder; `background` is the second parameter of the sequence.
    pub(crate) fn new(background: u16) -> SixelDecoder {
        let registers = Registers::default();
        SixelDecoder {
            background: match background {
                1 => SixelBackground::Unchanged,
                _ => SixelBackground::Filled,
            },
            state: State::Data,
            color: registers.color(0),
            registers,
            repeat: 1,
            x: 0,
            y: 0,
            width: 0,
            height: 0,
            rows: Vec::new(),
            work: 0,
        }
    }

    /// Processes bytes of the string. Returns the work: the number of pixels written.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> usize {
        let before = self.work;
        for byte in bytes {
            self.byte(*byte);
        }
        self.work - before
    }

    /// Returns the image; `None` if it has no pixels.
    pub(crate) fn finish(mut self) -> Option<ImageContent> {
        if let State::Numbers(kind, numbers, last) = self.state {
            self.finish_numbers(kind, numbers, last);
        }
        let size = ImageSize {
            width: self.width as u32,
            height: self.height as u32,
        };
        if !size.is_allowed() {
            return None;
        }
        let mut pixels = vec![0; self.width * self.height * 4];
        for (line, row) in pixels.chunks_exact_mut(self.width * 4).zip(&self.rows) {
            let row = row.as_flattened();
            line[..row.len()].copy_from_slice(row);
        }
        ImageContent::rgba(size, pixels)
    }

    fn byte(&mut self, byte: u8) {
        if let State::Numbers(kind, mut numbers, at) = self.state {
            match byte {
                b'0'..=b'9' => {
                    if let Some(number) = numbers.get_mut(at) {
                        let digit = u32::from(byte - b'0');
                        *number = number.saturating_mul(10).saturating_add(digit);
                    }
                    self.state = State::Numbers(kind, numbers, at);
                    return;
                }
                b';' => {
                    self.state = State::Numbers(kind, numbers, (at + 1).min(numbers.len()));
                    return;
                }
                _ => {
                    self.state = State::Data;
                    self.finish_numbers(kind, numbers, at);
                }
            }
        }
        match byte {
            b'?'..=b'~' => {
                let count = std::mem::replace(&mut self.repeat, 1);
                self.draw(byte - b'?', count as usize);
            }
            b'!' | b'"' | b'#' => self.state = State::Numbers(byte, [0; 5], 0),
            b'$' => self.x = 0,
            b'-' => {
                self.x = 0;
                // Rows beyond the largest image are dropped.
                self.y = (self.y + BAND).min(MAX_SIDE as usize);
            }
            _ => {}
        }
    }

    fn finish_numbers(&mut self, kind: u8, numbers: [u32; 5], last: usize) {
        let [first, second, third, fourth, fifth] = numbers;
        match kind {
            b'!' => self.repeat = first.max(1),
            b'"' => {
                let announced = ImageSize::new(third, fourth);
                // Announced after the first pixel, the size has no effect.
                if announced.is_allowed() && self.rows.is_empty() {
                    self.width = third as usize;
                    self.height = fourth as usize;
                }
            }
            _ => {
                match (last, second) {
                    (4.., 1) => self.registers.set_hls(first, third, fourth, fifth),
                    (4.., 2) => self.registers.set_rgb(first, third, fourth, fifth),
                    _ => {}
                }
                self.color = self.registers.color(first);
            }
        }
    }

    /// Draws a sixel character: six pixels above each other, the uppermost in the lowest bit.
    fn draw(&mut self, bits: u8, count: usize) {
        let start = self.x;
        let end = start.saturating_add(count).min(MAX_SIDE as usize);
        self.x = end;
        let rows = (u8::BITS - bits.leading_zeros()) as usize;
        // Blank pixels extend the width, too, but only in rows that exist.
        let width = self.width.max(end);
        let height = self.height.max(self.y + rows);
        if height > MAX_SIDE as usize || width as u64 * height as u64 > MAX_PIXELS {
            return;
        }
        self.width = width;
        if bits == 0 || start >= end {
            return;
        }
        self.height = height;
        if self.rows.len() < self.y + rows {
            self.rows.resize_with(self.y + rows, Vec::new);
        }
        for (bit, row) in self.rows[self.y..self.y + rows].iter_mut().enumerate() {
            if bits >> bit & 1 == 0 {
                continue;
            }
            if row.len() < end {
                row.resize(end, [0; 4]);
            }
            row[start..end].fill(self.color);
            self.work += end - start;
        }
    }
}
