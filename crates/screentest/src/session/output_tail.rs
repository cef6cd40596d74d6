//! The last output of a program, byte for byte.
//!
//! The raw output explains a failure best; all of it would take unbounded memory.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use crate::lock::lock;

/// Length of a chunk, which is also the maximum that is kept beyond the required length. Chunks of
/// half this length took 25 KiB more memory in a session with 1,000 lines, because allocators
/// retain small ones.
const CHUNK: usize = 128 << 10;

/// The last output of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputTail {
    /// Number of earlier bytes, which are no longer stored.
    pub dropped: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Stores the last bytes of the output.
#[derive(Debug, Default)]
pub(crate) struct TailBuffer {
    chunks: Mutex<Chunks>,
}

/// Chunks, oldest first. All but the last are full. Once the others suffice, the oldest is emptied
/// and reused as the newest, so bytes are moved only while the first chunk grows.
#[derive(Debug, Default)]
struct Chunks {
    chunks: VecDeque<Vec<u8>>,
    total: u64,
}

impl Chunks {
    /// Returns the chunk that has room.
    fn newest(&mut self) -> &mut Vec<u8> {
        if self.chunks.back().is_none_or(|last| last.len() == CHUNK) {
            let chunk = match self.chunks.len() {
                // Most programs write little; the first chunk grows with the output.
                0 => Vec::new(),
                held if held * CHUNK > TailBuffer::MIN_KEPT => self.recycled(),
                _ => Vec::with_capacity(CHUNK),
            };
            self.chunks.push_back(chunk);
        }
        self.chunks.back_mut().expect("the last chunk has room")
    }

    fn recycled(&mut self) -> Vec<u8> {
        let mut oldest = self.chunks.pop_front().unwrap_or_default();
        oldest.clear();
        oldest
    }
}

impl TailBuffer {
    /// At least this many of the last bytes are kept: minutes of a busy screen.
    const MIN_KEPT: usize = 1 << 20;

    /// Appends output.
    pub(crate) fn push(&self, bytes: &[u8]) {
        let mut stored = self.lock();
        stored.total += bytes.len() as u64;
        let mut rest = bytes;
        while !rest.is_empty() {
            let chunk = stored.newest();
            let (fits, more) = rest.split_at(rest.len().min(CHUNK - chunk.len()));
            chunk.extend_from_slice(fits);
            rest = more;
        }
    }

    /// Returns the stored output.
    pub(crate) fn bytes(&self) -> OutputTail {
        let stored = self.lock();
        let chunks: Vec<&[u8]> = stored.chunks.iter().map(Vec::as_slice).collect();
        let bytes = chunks.concat();
        OutputTail {
            dropped: stored.total - bytes.len() as u64,
            bytes,
        }
    }

    /// Returns the total number of bytes so far.
    pub(crate) fn total(&self) -> u64 {
        self.lock().total
    }

    fn lock(&self) -> MutexGuard<'_, Chunks> {
        lock(&self.chunks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_stored_in_order() {
        let tail = TailBuffer::default();
        tail.push(b"one ");
        tail.push(b"two");
        let OutputTail { dropped, bytes } = tail.bytes();
        assert_eq!((dropped, bytes.as_slice()), (0, &b"one two"[..]));
    }

    #[test]
    fn the_oldest_output_is_dropped_and_counted() {
        let tail = TailBuffer::default();
        let bytes: Vec<u8> = (0..5 * TailBuffer::MIN_KEPT)
            .map(|n| (n % 251) as u8)
            .collect();
        for chunk in bytes.chunks(100_000) {
            tail.push(chunk);
            let OutputTail {
                dropped: before,
                bytes: kept,
            } = tail.bytes();
            assert!(kept.len() <= TailBuffer::MIN_KEPT + CHUNK);
            assert!(before == 0 || kept.len() >= TailBuffer::MIN_KEPT);
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
