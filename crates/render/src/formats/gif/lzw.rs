//! LZW compression for GIF.
//!
//! Written by hand: most of the time of encoding an animation is spent here, and the library that
//! writes the rest of the file walks a tree where this code looks into one small hash table.
//! Continuing with a full table, as some encoders do, was tried: it makes animations of text 1 % to
//! 12 % larger.

/// Compresses indexes to blocks without their lengths, preceded by a byte with the number of bits
/// of an index.
#[derive(Debug)]
pub(super) struct LzwCompressor {
    /// Open addressing. The lower 12 bits of a slot are the code of a string, the bits above them
    /// the code of its prefix and its last index. No slot in use is 0, since no string has the code
    /// 0.
    slots: Box<[u32; SLOTS]>,
}

/// Four times the number of codes, so that collisions are rare and the table still fits into the
/// processor's cache.
const SLOTS: usize = 1 << 14;
const CODES: u32 = 1 << 12;

impl Default for LzwCompressor {
    fn default() -> LzwCompressor {
        LzwCompressor {
            slots: vec![0; SLOTS]
                .into_boxed_slice()
                .try_into()
                .expect("it has this length"),
        }
    }
}

impl LzwCompressor {
    /// Compresses indexes that are all below `colors`.
    pub(super) fn compress(&mut self, numbers: &[u8], colors: usize) -> Vec<u8> {
        let bits = (usize::BITS - colors.saturating_sub(1).leading_zeros()).max(2);
        let clear = 1 << bits;
        let mut out = LzwBitWriter::new(bits as u8, numbers.len() / 8);
        let mut width = bits + 1;
        let mut next = clear + 2;
        self.slots.fill(0);
        out.push(clear, width);
        let Some((first, rest)) = numbers.split_first() else {
            out.push(clear + 1, width);
            return out.finish();
        };
        let mut prefix = u32::from(*first);
        for number in rest {
            let string = prefix << 8 | u32::from(*number);
            let slot = self.find(string);
            if self.slots[slot] != 0 {
                prefix = self.slots[slot] & (CODES - 1);
                continue;
            }
            out.push(prefix, width);
            prefix = u32::from(*number);
            if next < CODES {
                self.slots[slot] = string << 12 | next;
                // The decoder is one string behind, so the width grows only when a code needs it.
                if next == 1 << width {
                    width += 1;
                }
                next += 1;
            } else {
                out.push(clear, width);
                self.slots.fill(0);
                width = bits + 1;
                next = clear + 2;
            }
        }
        out.push(prefix, width);
        if next == 1 << width && width < 12 {
            width += 1;
        }
        out.push(clear + 1, width);
        out.finish()
    }

    /// Returns the slot of a string, or the empty slot where it would be inserted.
    fn find(&self, string: u32) -> usize {
        let mut at = (string.wrapping_mul(0x9e37_79b9) >> 18) as usize;
        while self.slots[at] != 0 && self.slots[at] >> 12 != string {
            at = (at + 1) % SLOTS;
        }
        at
    }
}

/// Packs numbers of any width, starting with the lowest bit.
struct LzwBitWriter {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl LzwBitWriter {
    fn new(first: u8, room: usize) -> LzwBitWriter {
        let mut bytes = Vec::with_capacity(room + 16);
        bytes.push(first);
        LzwBitWriter {
            bytes,
            held: 0,
            count: 0,
        }
    }

    fn push(&mut self, number: u32, width: u32) {
        self.held |= u64::from(number) << self.count;
        self.count += width;
        if self.count >= 32 {
            self.bytes.extend((self.held as u32).to_le_bytes());
            self.held >>= 32;
            self.count -= 32;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let left = self.count.div_ceil(8) as usize;
        self.bytes.extend(&self.held.to_le_bytes()[..left]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use screentest_fixtures::random::Random;

    /// Checks that the library's decoder returns the same indexes.
    #[track_caller]
    fn check(compressor: &mut LzwCompressor, numbers: &[u8], colors: usize) {
        let frame = gif::Frame {
            width: numbers.len() as u16,
            height: 1,
            buffer: compressor.compress(numbers, colors).into(),
            ..gif::Frame::default()
        };
        let mut bytes = Vec::new();
        let mut encoder = gif::Encoder::new(&mut bytes, frame.width, 1, &[0; 768]).unwrap();
        encoder.write_lzw_pre_encoded_frame(&frame).unwrap();
        drop(encoder);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let read = decoder.read_next_frame().unwrap().unwrap();
        assert!(read.buffer == numbers, "{} of {colors}", numbers.len());
    }

    #[test]
    fn compressed_indexes_are_decoded_unchanged() {
        let mut compressor = LzwCompressor::default();
        let mut random = Random::new(4);
        for colors in [1, 2, 3, 4, 5, 16, 17, 128, 200, 256] {
            // All lengths around those at which codes become wider, and beyond a full table.
            let lengths = (1..600usize).chain([4000, 4094, 4095, 4096, 4097, 9000, 65_535]);
            for length in lengths.step_by(if colors > 4 { 7 } else { 1 }) {
                let run = 1 + random.below(4);
                let noise: Vec<u8> = (0..length.div_ceil(run))
                    .flat_map(|_| std::iter::repeat_n(random.below(colors) as u8, run))
                    .take(length)
                    .collect();
                check(&mut compressor, &noise, colors);
            }
        }
        check(&mut compressor, &[0; 65_535], 2);
    }
}
