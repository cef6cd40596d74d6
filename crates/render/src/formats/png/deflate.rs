//! Deflate compression for pixels in full colour.
//!
//! Written by hand: a general library compares byte by byte and took 80 % of the time of a PNG. A
//! picture of text consists of runs of one colour, lines that continue as the line above, and
//! letters that repeat a few columns later, all in whole pixels. Searching only for these takes a
//! third of the time for a file of the same size. The codes are the fixed ones of the format (RFC
//! 1951, 3.2.6), so that one pass is enough.

use crate::{Pixel, Pixels};

/// Maximum length and distance of a repetition, in bytes.
const LONGEST: usize = 258;
const FARTHEST: usize = 1 << 15;
/// Number of pairs of pixels that are remembered: 32 KB, which fit into the processor's cache.
const HASH_SLOTS: usize = 1 << 12;

/// Compresses red, green and blue of a picture, line by line, each after a zero byte for "no
/// filter". Returns `None` if a pixel is not opaque.
pub(super) fn compress(pixels: &Pixels) -> Option<Vec<u8>> {
    let mut out = DeflateBitWriter::new(pixels.data().len() / 4);
    // A window of 32 KB and no preset dictionary; then the only block, with fixed codes.
    out.bytes.extend([0x78, 0x01]);
    out.push(0b011, 3);
    let mut sum = Adler32::default();
    let mut finder = MatchFinder::new(pixels);
    for y in 0..pixels.height() {
        let line = pixels.row(y);
        sum.add_line(line);
        if sum.opacity != u8::MAX {
            return None;
        }
        finder.line(y, line, &mut out);
    }
    // The end of the block is seven zero bits.
    out.push(0, 7);
    let mut bytes = out.finish();
    bytes.extend(sum.finish().to_be_bytes());
    Some(bytes)
}

/// Finds repetitions.
struct MatchFinder<'a> {
    data: &'a [Pixel],
    width: usize,
    /// Bytes per line.
    stride: usize,
    /// Where a pair of pixels was seen last, by its hash; initially all are at the start of the
    /// picture.
    positions: Box<[PixelPosition; HASH_SLOTS]>,
}

impl<'a> MatchFinder<'a> {
    fn new(pixels: &'a Pixels) -> MatchFinder<'a> {
        MatchFinder {
            data: pixels.data(),
            width: pixels.width(),
            stride: 1 + 3 * pixels.width(),
            positions: Box::new([PixelPosition::default(); HASH_SLOTS]),
        }
    }

    fn line(&mut self, y: usize, line: &[Pixel], out: &mut DeflateBitWriter) {
        let start = y * self.width;
        let above = match y {
            0 => &[][..],
            _ => &self.data[start - self.width..start],
        };
        let near = self.stride <= FARTHEST;
        if near && line == above {
            out.back_reference(self.stride, self.stride);
            return;
        }
        out.literal(0);
        let mut x = 0;
        while let Some(pixel) = line.get(x) {
            let rest = &line[x..];
            // Most comparisons end with the first pixel.
            let run = match x.checked_sub(1).map(|before| &line[before..]) {
                Some(before) if before[0] == *pixel => common(rest, before),
                _ => 0,
            };
            let below = match above.get(x..) {
                Some(above) if near && above.first() == Some(pixel) => common(rest, above),
                _ => 0,
            };
            // A reference to the previous pixel takes fewer bits than the pixel itself, even for a
            // run of one pixel. A reference to a larger distance must cover at least two pixels.
            let (length, distance) = if run > 0 && run + 1 >= below {
                (run, 3)
            } else if below > 1 {
                (below, self.stride)
            } else if let Some(found) = self.earlier_match(x, y, line) {
                found
            } else {
                out.pixel(*pixel);
                x += 1;
                continue;
            };
            out.back_reference(3 * length, distance);
            x += length;
        }
    }

    /// Returns an earlier occurrence of a pair of pixels and the pixels after it: the number of
    /// equal pixels and the distance in bytes.
    fn earlier_match(&mut self, x: usize, y: usize, line: &[Pixel]) -> Option<(usize, usize)> {
        let rest = &line[x..];
        let pair = rest.first_chunk::<2>()?;
        let number = u64::from(number(pair[0])) << 32 | u64::from(number(pair[1]));
        let place = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
        let now = PixelPosition {
            x: x as u32,
            y: y as u32,
        };
        let before = std::mem::replace(&mut self.positions[place], now);
        let (before_x, lines) = (before.x as usize, y - before.y as usize);
        let start = (y - lines) * self.width;
        let candidate = &self.data[start + before_x..start + self.width];
        let distance = lines * self.stride + 3 * x - 3 * before_x;
        let fits = (1..=FARTHEST).contains(&distance) && candidate.first_chunk() == Some(pair);
        fits.then(|| (common(rest, candidate), distance))
    }
}

/// A column and a line.
#[derive(Debug, Clone, Copy, Default)]
struct PixelPosition {
    x: u32,
    y: u32,
}

/// Returns the number of equal pixels at the start of two lines.
fn common(one: &[Pixel], other: &[Pixel]) -> usize {
    const GROUP: usize = 4;
    let (groups, other_groups) = (one.as_chunks::<GROUP>().0, other.as_chunks::<GROUP>().0);
    let bits = |group: &[Pixel; GROUP]| {
        u128::from_le_bytes(group.as_flattened().try_into().unwrap_or_default())
    };
    for (index, (one, other)) in groups.iter().zip(other_groups).enumerate() {
        let differ = bits(one) ^ bits(other);
        if differ != 0 {
            return GROUP * index + differ.trailing_zeros() as usize / 32;
        }
    }
    let start = GROUP * groups.len().min(other_groups.len());
    let rest = one[start..].iter().zip(&other[start..]);
    start + rest.take_while(|(one, other)| one == other).count()
}

fn number(pixel: Pixel) -> u32 {
    u32::from_le_bytes(pixel)
}

/// A code: its bits in the order of writing, and their number.
type HuffmanCode = (u32, u32);

const LITERALS: [HuffmanCode; 256] = {
    let mut codes = [(0, 0); 256];
    let mut byte = 0;
    while byte < 256 {
        codes[byte] = match byte {
            0..=143 => reversed(0x30 + byte as u32, 8),
            _ => reversed(0x190 + byte as u32 - 144, 9),
        };
        byte += 1;
    }
    codes
};

/// The codes of all lengths, with their extra bits.
const LENGTHS: [HuffmanCode; LONGEST + 1] = {
    let mut codes = [(0, 0); LONGEST + 1];
    let mut length = 3;
    while length <= LONGEST {
        let off = length - 3;
        // Eight codes of one length each, then groups of four codes, with twice as many lengths per
        // code as in the group before; the maximum length has its own code.
        let (symbol, extra, value) = if length == LONGEST {
            (285, 0, 0)
        } else if off < 8 {
            (257 + off, 0, 0)
        } else {
            let extra = (off as u32).ilog2() - 2;
            let symbol = 257 + 4 * (extra as usize + 1) + ((off >> extra) & 3);
            (symbol, extra, off & ((1 << extra) - 1))
        };
        let (code, bits) = match symbol {
            256..=279 => reversed(symbol as u32 - 256, 7),
            _ => reversed(0xc0 + symbol as u32 - 280, 8),
        };
        codes[length] = (code | (value as u32) << bits, bits + extra);
        length += 1;
    }
    codes
};

const fn reversed(code: u32, bits: u32) -> HuffmanCode {
    (code.reverse_bits() >> (32 - bits), bits)
}

fn distance_code(distance: usize) -> HuffmanCode {
    let off = distance as u32 - 1;
    if off < 4 {
        return reversed(off, 5);
    }
    // Groups of two codes, with twice as many distances per code as in the group before.
    let extra = off.ilog2() - 1;
    let (code, bits) = reversed(2 * (extra + 1) + (off >> extra & 1), 5);
    (code | (off & ((1 << extra) - 1)) << bits, bits + extra)
}

/// Packs bits, starting with the lowest.
struct DeflateBitWriter {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl DeflateBitWriter {
    fn new(room: usize) -> DeflateBitWriter {
        DeflateBitWriter {
            bytes: Vec::with_capacity(room),
            held: 0,
            count: 0,
        }
    }

    fn push(&mut self, bits: u32, count: u32) {
        self.held |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            self.bytes.extend((self.held as u32).to_le_bytes());
            self.held >>= 32;
            self.count -= 32;
        }
    }

    fn literal(&mut self, byte: u8) {
        let (bits, count) = LITERALS[usize::from(byte)];
        self.push(bits, count);
    }

    fn pixel(&mut self, [r, g, b, _]: Pixel) {
        let [r, g, b] = [r, g, b].map(|byte| LITERALS[usize::from(byte)]);
        let bits = r.0 | (g.0 | b.0 << g.1) << r.1;
        self.push(bits, r.1 + g.1 + b.1);
    }

    /// Repeats at least three bytes from a distance.
    fn back_reference(&mut self, length: usize, distance: usize) {
        let (far, far_bits) = distance_code(distance);
        let mut left = length;
        while left > 0 {
            // No piece may be shorter than three bytes.
            let piece = match left {
                0..=LONGEST => left,
                _ => LONGEST.min(left - 3),
            };
            let (bits, count) = LENGTHS[piece];
            self.push(bits | far << count, count + far_bits);
            left -= piece;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let left = self.count.div_ceil(8) as usize;
        self.bytes.extend(&self.held.to_le_bytes()[..left]);
        self.bytes
    }
}

/// The checksum at the end of the stream (Adler-32, RFC 1950), computed by pixels.
struct Adler32 {
    once: u64,
    twice: u64,
    /// Bitwise AND of all alpha values, computed in the same pass.
    opacity: u8,
}

impl Default for Adler32 {
    fn default() -> Adler32 {
        Adler32 {
            once: 1,
            twice: 0,
            opacity: u8::MAX,
        }
    }
}

impl Adler32 {
    const MODULUS: u64 = 65_521;
    /// Pixels that are summed in parallel.
    const LANES: usize = 8;
    /// Groups of pixels whose sums fit into 32 bits.
    const GROUPS: usize = 256;

    /// Adds a line and its leading zero byte.
    fn add_line(&mut self, line: &[Pixel]) {
        self.twice += self.once;
        let (groups, rest) = line.as_chunks::<{ Adler32::LANES }>();
        groups
            .chunks(Adler32::GROUPS)
            .for_each(|groups| self.add_groups(groups));
        for [r, g, b, opacity] in rest {
            for byte in [r, g, b] {
                self.once += u64::from(*byte);
                self.twice += self.once;
            }
            self.opacity &= opacity;
        }
        self.once %= Adler32::MODULUS;
        self.twice %= Adler32::MODULUS;
    }

    /// A byte counts once in the first sum, and in the second sum once plus once for every byte
    /// that follows. Uses only additions per lane, so the processor computes all lanes at once.
    fn add_groups(&mut self, groups: &[[Pixel; Adler32::LANES]]) {
        let mut sums = [0u32; Adler32::LANES];
        let mut sums_of_sums = [0u32; Adler32::LANES];
        let mut within = [0u32; Adler32::LANES];
        let mut all = [u32::MAX; Adler32::LANES];
        for group in groups {
            for (lane, pixel) in group.iter().enumerate() {
                let bits = number(*pixel);
                let (r, g, b) = (bits & 255, bits >> 8 & 255, bits >> 16 & 255);
                sums[lane] += r + g + b;
                sums_of_sums[lane] += sums[lane];
                within[lane] += 2 * r + g;
                all[lane] &= bits;
            }
        }
        let bytes = (3 * Adler32::LANES * groups.len()) as u64;
        self.twice += bytes * self.once;
        for lane in 0..Adler32::LANES {
            let [sum, of_sums, within] =
                [sums[lane], sums_of_sums[lane], within[lane]].map(u64::from);
            // `of_sums` counts each byte as if it were the first of its group. Subtract the bytes
            // of the group before the pixel's blue byte; `within` adds back two for red and one for
            // green.
            let behind = 3 * lane as u64 + 2;
            self.opacity &= all[lane].to_le_bytes()[3];
            self.once += sum;
            self.twice += 3 * Adler32::LANES as u64 * of_sums - behind * sum + within;
        }
        self.once %= Adler32::MODULUS;
        self.twice %= Adler32::MODULUS;
    }

    fn finish(self) -> u32 {
        let twice = self.twice % Adler32::MODULUS;
        let once = self.once % Adler32::MODULUS;
        (twice << 16 | once) as u32
    }
}
