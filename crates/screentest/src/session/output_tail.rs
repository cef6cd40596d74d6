//! The last of what a program wrote, byte for byte.
//!
//! A failure is explained best by what the program really sent; all of it would be without bound.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long a piece of it is: as much as is kept beyond what must be, at most. Pieces of half this length took 25 KiB more of a session
/// with 1,000 lines: allocators keep small ones for later.
const PIECE: usize = 128 << 10;

/// The last of what a program wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputTail {
    /// How many bytes came before it.
    pub dropped: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The last bytes that were fed.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    kept: Mutex<Kept>,
}

/// Pieces, oldest first, all but the last of them full. The oldest becomes the newest once the others are enough: so no byte is
/// moved but while the first piece grows.
#[derive(Debug, Default)]
struct Kept {
    pieces: VecDeque<Vec<u8>>,
    total: u64,
}

impl Kept {
    /// The piece that has room.
    fn newest(&mut self) -> &mut Vec<u8> {
        if self.pieces.back().is_none_or(|last| last.len() == PIECE) {
            let piece = match self.pieces.len() {
                // Most programs write little, and this one grows with it.
                0 => Vec::new(),
                held if held * PIECE > Tail::LEAST => self.recycled(),
                _ => Vec::with_capacity(PIECE),
            };
            self.pieces.push_back(piece);
        }
        self.pieces
            .back_mut()
            .expect("there is one that is not full")
    }

    fn recycled(&mut self) -> Vec<u8> {
        let mut oldest = self.pieces.pop_front().unwrap_or_default();
        oldest.clear();
        oldest
    }
}

impl Tail {
    /// How much is kept at least, once there was that much: minutes of a busy screen.
    const LEAST: usize = 1 << 20;

    /// Adds what was fed.
    pub(crate) fn push(&self, bytes: &[u8]) {
        let mut kept = self.lock();
        kept.total += bytes.len() as u64;
        let mut rest = bytes;
        while !rest.is_empty() {
            let piece = kept.newest();
            let (fits, more) = rest.split_at(rest.len().min(PIECE - piece.len()));
            piece.extend_from_slice(fits);
            rest = more;
        }
    }

    /// What is kept.
    pub(crate) fn bytes(&self) -> OutputTail {
        let kept = self.lock();
        let pieces: Vec<&[u8]> = kept.pieces.iter().map(Vec::as_slice).collect();
        let bytes = pieces.concat();
        OutputTail {
            dropped: kept.total - bytes.len() as u64,
            bytes,
        }
    }

    /// How much was fed in all.
    pub(crate) fn total(&self) -> u64 {
        self.lock().total
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_kept_in_order() {
        let tail = Tail::default();
        tail.push(b"one ");
        tail.push(b"two");
        let OutputTail { dropped, bytes } = tail.bytes();
        assert_eq!((dropped, bytes.as_slice()), (0, &b"one two"[..]));
    }

    #[test]
    fn the_oldest_goes_and_is_counted() {
        let tail = Tail::default();
        let bytes: Vec<u8> = (0..5 * Tail::LEAST).map(|n| (n % 251) as u8).collect();
        for chunk in bytes.chunks(100_000) {
            tail.push(chunk);
            let OutputTail {
                dropped: before,
                bytes: kept,
            } = tail.bytes();
            assert!(kept.len() <= Tail::LEAST + PIECE);
            assert!(before == 0 || kept.len() >= Tail::LEAST);
        }
        let OutputTail {
            dropped: before,
            bytes: kept,
        } = tail.bytes();
        assert_eq!(kept, bytes[before as usize..]);
        tail.push(&bytes);
        let OutputTail {
            dropped: before,
            bytes: kept,
        } = tail.bytes();
        assert_eq!(before as usize + kept.len(), 2 * bytes.len());
        assert!(kept.ends_with(&bytes[bytes.len() - 1000..]));
    }
}
