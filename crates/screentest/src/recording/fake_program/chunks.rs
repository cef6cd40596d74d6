//! Splits the output into writes.
//!
//! A driver must not depend on the sizes of writes. A test with unusual sizes reveals a driver that
//! does.

use super::options::Chunks;

/// The largest chunk that is written at once.
const MAX_CHUNK: u64 = 64 << 10;

/// The largest random chunk: so small that most screens and many escape sequences are split.
const MAX_RANDOM_CHUNK: u64 = 48;

/// Splits output into chunks.
#[derive(Debug)]
pub(super) struct Chunker {
    chunks: Chunks,
    numbers: u64,
}

impl Chunker {
    pub(super) fn new(chunks: Chunks) -> Chunker {
        let numbers = match chunks {
            Chunks::Random(seed) => seed,
            _ => 0,
        };
        Chunker { chunks, numbers }
    }

    /// The length of the next chunk, if `ready` bytes may be written now.
    pub(super) fn next(&mut self, ready: u64) -> u64 {
        let max = match self.chunks {
            Chunks::Original | Chunks::Coalesced => MAX_CHUNK,
            Chunks::EveryByte => 1,
            Chunks::Random(_) => 1 + self.number() % MAX_RANDOM_CHUNK,
        };
        ready.min(max)
    }

    /// The next number of SplitMix64: a seed always gives the same chunks.
    fn number(&mut self) -> u64 {
        self.numbers = self.numbers.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.numbers ^ (self.numbers >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn pieces(chunks: Chunks, length: u64) -> Vec<u64> {
        let mut chunker = Chunker::new(chunks);
        let mut left = length;
        let mut pieces = Vec::new();
        while left > 0 {
            let piece = chunker.next(left);
            assert!(piece > 0 && piece <= left);
            pieces.push(piece);
            left -= piece;
        }
        pieces
    }

    #[test]
    fn chunks_have_the_requested_sizes() {
        assert_eq!(pieces(Chunks::EveryByte, 3), [1, 1, 1]);
        assert_eq!(pieces(Chunks::Coalesced, 30_000), [30_000]);
        assert_eq!(pieces(Chunks::Coalesced, MAX_CHUNK + 1), [MAX_CHUNK, 1]);
    }

    #[test]
    fn a_seed_always_gives_the_same_chunks() {
        assert_eq!(pieces(Chunks::Random(7), 100), [40, 13, 19, 28]);
        assert_ne!(
            pieces(Chunks::Random(8), 100),
            pieces(Chunks::Random(7), 100)
        );
    }
}
