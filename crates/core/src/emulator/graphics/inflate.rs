//! Decompresses zlib data (RFC 1950 and RFC 1951), for images that a program compressed (`o=z`).
//!
//! Written by hand because no crate in the tree of a test library does it, and `miniz_oxide` would
//! add two crates to it for this alone. Speed matters little, since the data has to come through a
//! terminal: 4 MB of noisy gradients took 32 to 52 ms, and 22 to 39 ms with `miniz_oxide` 0.9, on a
//! machine that was busy.
//!
//! Time and memory are limited by the expected length, which the caller knows from the size of the
//! image: data that would become longer is refused.

/// Reason why data cannot be decompressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InflateError {
    /// The data ends too early or is not valid.
    Invalid,
    /// It would become longer than allowed.
    TooLong,
}

/// Decompresses zlib data to at most `most` bytes.
pub(crate) fn inflate(data: &[u8], most: usize) -> Result<Vec<u8>, InflateError> {
    let [method, flags, deflated @ ..] = data else {
        return Err(InflateError::Invalid);
    };
    // Method 8 (deflate), no preset dictionary, and a header that is a multiple of 31.
    let header = u32::from(*method) << 8 | u32::from(*flags);
    if method & 0x0f != 8 || flags & 0x20 != 0 || header % 31 != 0 {
        return Err(InflateError::Invalid);
    }
    let mut bits = Bits::new(deflated);
    let mut out = Vec::new();
    loop {
        let is_last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut out, most)?,
            1 => {
                let (literals, distances) = fixed_codes();
                compressed(&mut bits, &mut out, most, &literals, &distances)?;
            }
            2 => {
                let (literals, distances) = read_codes(&mut bits)?;
                compressed(&mut bits, &mut out, most, &literals, &distances)?;
            }
            _ => return Err(InflateError::Invalid),
        }
        if is_last {
            break;
        }
    }
    let rest = bits.rest();
    let checksum = rest.first_chunk().ok_or(InflateError::Invalid)?;
    if u32::from_be_bytes(*checksum) == adler32(&out) {
        Ok(out)
    } else {
        Err(InflateError::Invalid)
    }
}

/// Reads bits from the least significant one on.
struct Bits<'a> {
    bytes: &'a [u8],
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    fn new(bytes: &'a [u8]) -> Bits<'a> {
        Bits {
            bytes,
            held: 0,
            count: 0,
        }
    }

    /// Reads ahead at least 32 bits, if there are so many.
    #[inline]
    fn fill(&mut self) {
        if self.count > 32 {
            return;
        }
        if let Some((chunk, rest)) = self.bytes.split_first_chunk() {
            self.held |= u64::from(u32::from_le_bytes(*chunk)) << self.count;
            self.bytes = rest;
            self.count += 32;
            return;
        }
        while let Some((byte, rest)) = self.bytes.split_first() {
            self.held |= u64::from(*byte) << self.count;
            self.bytes = rest;
            self.count += 8;
        }
    }

    #[inline]
    fn drop(&mut self, count: u32) -> Result<(), InflateError> {
        if count > self.count {
            return Err(InflateError::Invalid);
        }
        self.held >>= count;
        self.count -= count;
        Ok(())
    }

    /// Reads up to 16 bits as a number.
    #[inline]
    fn take(&mut self, count: u32) -> Result<usize, InflateError> {
        self.fill();
        let value = self.held & ((1 << count) - 1);
        self.drop(count)?;
        Ok(value as usize)
    }

    /// Returns the bytes from the next whole one on.
    fn rest(&mut self) -> Vec<u8> {
        let whole = self.count / 8;
        self.held >>= self.count % 8;
        let held = self.held.to_le_bytes();
        let mut rest = held[..whole as usize].to_vec();
        rest.extend_from_slice(&self.bytes[..self.bytes.len().min(4)]);
        rest
    }
}

/// A Huffman code: how many symbols have each length, and the symbols in the order of their codes.
struct Code {
    counts: [u16; 16],
    symbols: Vec<u16>,
    /// For the next 9 bits of the input: the symbol, and its length in the lowest four bits; 0 for
    /// longer codes.
    quick: Box<[u16; 1 << Code::QUICK]>,
}

impl Code {
    const QUICK: u32 = 9;

    /// Creates the code with these lengths; 0 means that a symbol is not used. Codes that assign
    /// more values than there are would be ambiguous and are refused.
    fn new(lengths: &[u8]) -> Result<Code, InflateError> {
        let mut counts = [0_u16; 16];
        for length in lengths {
            counts[usize::from(*length)] += 1;
        }
        counts[0] = 0;
        let mut left = 1_i32;
        let mut starts = [0_u16; 17];
        for length in 1..16 {
            left = (left << 1) - i32::from(counts[length]);
            if left < 0 {
                return Err(InflateError::Invalid);
            }
            starts[length + 1] = starts[length] + counts[length];
        }
        let mut symbols = vec![0; usize::from(starts[16])];
        let mut next = starts;
        for (symbol, length) in lengths.iter().enumerate() {
            if *length > 0 {
                let place = &mut next[usize::from(*length)];
                symbols[usize::from(*place)] = symbol as u16;
                *place += 1;
            }
        }
        let mut quick = Box::new([0; 1 << Code::QUICK]);
        let mut code = 0_u32;
        let mut index = 0;
        for length in 1..=Code::QUICK {
            for _ in 0..counts[length as usize] {
                let entry = symbols[index] << 4 | length as u16;
                // The input has the bits of a code in reverse order.
                let first = code.reverse_bits() >> (32 - length);
                for place in (first as usize..1 << Code::QUICK).step_by(1 << length) {
                    quick[place] = entry;
                }
                code += 1;
                index += 1;
            }
            code <<= 1;
        }
        Ok(Code {
            counts,
            symbols,
            quick,
        })
    }

    /// Reads the next symbol.
    #[inline]
    fn read(&self, bits: &mut Bits<'_>) -> Result<usize, InflateError> {
        bits.fill();
        let entry = self.quick[(bits.held & ((1 << Code::QUICK) - 1)) as usize];
        if entry != 0 {
            bits.drop(u32::from(entry & 0xf))?;
            return Ok(usize::from(entry >> 4));
        }
        let mut code = 0_i32;
        let mut first = 0_i32;
        let mut index = 0_i32;
        for length in 1..16_u32 {
            code |= (bits.held >> (length - 1) & 1) as i32;
            let count = i32::from(self.counts[length as usize]);
            if code - count < first {
                bits.drop(length)?;
                return Ok(usize::from(self.symbols[(index + code - first) as usize]));
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        Err(InflateError::Invalid)
    }
}

/// A block that is not compressed.
fn stored(bits: &mut Bits<'_>, out: &mut Vec<u8>, most: usize) -> Result<(), InflateError> {
    bits.drop(bits.count % 8)?;
    let length = bits.take(16)?;
    if length != bits.take(16)? ^ 0xffff {
        return Err(InflateError::Invalid);
    }
    if length > most - out.len() {
        return Err(InflateError::TooLong);
    }
    for index in 0..length {
        if bits.count == 0 {
            let rest = length - index;
            let (bytes, after) = bits
                .bytes
                .split_at_checked(rest)
                .ok_or(InflateError::Invalid)?;
            out.extend_from_slice(bytes);
            bits.bytes = after;
            break;
        }
        let byte = (bits.held & 0xff) as u8;
        bits.drop(8)?;
        out.push(byte);
    }
    Ok(())
}

/// Lengths and distances: their smallest value, and the number of bits that are added to it.
const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];
const DISTANCES: [(u16, u8); 30] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
];

/// A block of literals and of repetitions of earlier output.
fn compressed(
    bits: &mut Bits<'_>,
    out: &mut Vec<u8>,
    most: usize,
    literals: &Code,
    distances: &Code,
) -> Result<(), InflateError> {
    loop {
        let symbol = literals.read(bits)?;
        match symbol {
            0..256 => {
                if out.len() == most {
                    return Err(InflateError::TooLong);
                }
                out.push(symbol as u8);
            }
            256 => return Ok(()),
            _ => {
                let (base, extra) = *LENGTHS.get(symbol - 257).ok_or(InflateError::Invalid)?;
                let length = usize::from(base) + bits.take(extra.into())?;
                let symbol = distances.read(bits)?;
                let (base, extra) = *DISTANCES.get(symbol).ok_or(InflateError::Invalid)?;
                let distance = usize::from(base) + bits.take(extra.into())?;
                let from = out
                    .len()
                    .checked_sub(distance)
                    .ok_or(InflateError::Invalid)?;
                if length > most - out.len() {
                    return Err(InflateError::TooLong);
                }
                if distance >= length {
                    out.extend_from_within(from..from + length);
                } else {
                    // The repetition includes bytes that it writes itself.
                    for at in from..from + length {
                        out.push(out[at]);
                    }
                }
            }
        }
    }
}

/// The codes of a block of type 1.
fn fixed_codes() -> (Code, Code) {
    let mut lengths = [8; 288];
    lengths[144..256].fill(9);
    lengths[256..280].fill(7);
    let code = |lengths: &[u8]| Code::new(lengths).expect("the format defines a valid code");
    (code(&lengths), code(&[5; 30]))
}

/// Reads the codes of a block of type 2.
fn read_codes(bits: &mut Bits<'_>) -> Result<(Code, Code), InflateError> {
    const ORDER: [usize; 19] = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ];
    let literal_count = bits.take(5)? + 257;
    let distance_count = bits.take(5)? + 1;
    let length_count = bits.take(4)? + 4;
    let mut lengths = [0; 19];
    for place in &ORDER[..length_count] {
        lengths[*place] = bits.take(3)? as u8;
    }
    let code = Code::new(&lengths)?;
    let all = literal_count + distance_count;
    let mut lengths: Vec<u8> = Vec::with_capacity(all);
    while lengths.len() < all {
        let symbol = code.read(bits)?;
        let (length, times) = match symbol {
            0..16 => (symbol as u8, 1),
            16 => {
                let last = lengths.last().ok_or(InflateError::Invalid)?;
                (*last, 3 + bits.take(2)?)
            }
            17 => (0, 3 + bits.take(3)?),
            _ => (0, 11 + bits.take(7)?),
        };
        lengths.extend(std::iter::repeat_n(length, times));
    }
    if lengths.len() > all {
        return Err(InflateError::Invalid);
    }
    let (literals, distances) = lengths.split_at(literal_count);
    Ok((Code::new(literals)?, Code::new(distances)?))
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (1_u32, 0_u32);
    // The sums of this many bytes do not overflow.
    for chunk in bytes.chunks(5552) {
        for byte in chunk {
            low += u32::from(*byte);
            high += low;
        }
        low %= 65521;
        high %= 65521;
    }
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use screentest_fixtures::random::{Random, rounds};

    fn deflate(bytes: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    /// Returns bytes with repetitions near and far, and runs.
    fn sample(random: &mut Random, length: usize) -> Vec<u8> {
        let mut bytes = vec![random.below(256) as u8];
        while bytes.len() < length {
            match random.below(4) {
                0 => bytes.extend([bytes[0]; 300].iter().take(1 + random.below(300))),
                1 => {
                    let from = random.below(bytes.len());
                    let end = bytes.len().min(from + 1 + random.below(400));
                    bytes.extend_from_within(from..end);
                }
                2 => bytes.extend((0..random.below(50)).map(|_| random.below(256) as u8)),
                _ => bytes.extend((0..random.below(50)).map(|_| random.below(9) as u8)),
            }
        }
        bytes.truncate(length);
        bytes
    }

    #[test]
    fn every_level_of_compression_is_decompressed() {
        let mut random = Random::new(5);
        for length in [0, 1, 2, 255, 65_534, 65_536, 200_000] {
            let bytes = sample(&mut random, length);
            for level in [0, 1, 6, 9] {
                let compressed = deflate(&bytes, level);
                assert!(
                    inflate(&compressed, length) == Ok(bytes.clone()),
                    "{length} {level}"
                );
                if length > 0 {
                    let short = inflate(&compressed, length - 1);
                    assert_eq!(short, Err(InflateError::TooLong));
                }
            }
        }
    }

    #[test]
    fn damaged_data_is_refused_and_never_longer_than_allowed() {
        let mut random = Random::new(6);
        for round in 0..rounds() as usize {
            let length = 1 + random.below(2000);
            let bytes = sample(&mut random, length);
            let mut compressed = deflate(&bytes, [0, 1, 9][round % 3]);
            if random.one_in(3) {
                compressed.truncate(random.below(compressed.len()));
            } else {
                for _ in 0..=random.below(3) {
                    let at = random.below(compressed.len());
                    compressed[at] ^= 1 << random.below(8);
                }
            }
            // Damage that cancels itself out leaves the data as it was.
            if let Ok(read) = inflate(&compressed, length) {
                assert!(read == bytes);
            }
        }
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let bomb = deflate(&vec![0; 8 << 20], 9);
        assert!(bomb.len() < 10_000);
        assert_eq!(inflate(&bomb, 1 << 20), Err(InflateError::TooLong));
    }
}
