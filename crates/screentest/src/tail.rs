//! The last of what a program wrote, byte for byte.
//!
//! A failure is explained best by what the program really sent; all of it would be without bound.

use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// Two halves: when the newer one is full, the older one goes. So a byte is copied once, and never moved.
#[derive(Debug, Default)]
struct Kept {
    older: Vec<u8>,
    newer: Vec<u8>,
    total: u64,
}

impl Tail {
    /// How much is kept at least, once there was that much: minutes of a busy screen.
    const LEAST: usize = 1 << 20;

    /// Adds what was fed.
    pub(crate) fn push(&self, bytes: &[u8]) {
        let mut kept = self.lock();
        kept.total += bytes.len() as u64;
        for chunk in bytes.chunks(Tail::LEAST) {
            if kept.newer.len() + chunk.len() > Tail::LEAST {
                let kept = &mut *kept;
                std::mem::swap(&mut kept.older, &mut kept.newer);
                kept.newer.clear();
            }
            kept.newer.extend_from_slice(chunk);
        }
    }

    /// What is kept.
    pub(crate) fn bytes(&self) -> OutputTail {
        let kept = self.lock();
        let bytes = [kept.older.as_slice(), kept.newer.as_slice()].concat();
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
            assert!(kept.len() <= 2 * Tail::LEAST);
            assert!(before == 0 || kept.len() > Tail::LEAST - 100_000);
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
