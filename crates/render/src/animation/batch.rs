//! Cuts the frames of an animation into chunks, and the chunks into batches.
//!
//! Threads work on the chunks of a batch at the same time. A batch ends before the next begins, so
//! at most the results of one batch are in memory.

use super::{AnimationFrame, Threads};

/// Frames per chunk. Each chunk begins with a complete drawing of the frame before it, which costs
/// as much as a few dozen frames in which a user types.
pub(super) const CHUNK_FRAMES: usize = 32;
/// Chunks per thread in a batch, so that threads seldom wait for the last chunk of a batch.
const BATCH_CHUNKS_PER_THREAD: usize = 4;

/// Consecutive chunks.
pub(super) struct Batch<'a> {
    pub(super) first_chunk: usize,
    /// The frame before the first.
    before: Option<&'a AnimationFrame>,
    frames: &'a [AnimationFrame],
}

/// The frames of a chunk.
pub(super) struct ChunkFrames<'a> {
    /// The frame before the first.
    pub(super) before: Option<&'a AnimationFrame>,
    pub(super) frames: &'a [AnimationFrame],
}

/// Returns the batches of an animation, in order.
pub(super) fn batches(
    frames: &[AnimationFrame],
    threads: Threads,
) -> impl Iterator<Item = Batch<'_>> {
    let chunks = BATCH_CHUNKS_PER_THREAD * threads.count();
    let batches = frames.chunks(chunks * CHUNK_FRAMES).enumerate();
    batches.map(move |(index, batch)| {
        let first_chunk = index * chunks;
        Batch {
            first_chunk,
            before: (first_chunk * CHUNK_FRAMES)
                .checked_sub(1)
                .map(|before| &frames[before]),
            frames: batch,
        }
    })
}

impl Batch<'_> {
    pub(super) fn chunk_count(&self) -> usize {
        self.frames.len().div_ceil(CHUNK_FRAMES)
    }

    /// Returns the frames of a chunk; `index` counts from the first chunk of the batch.
    pub(super) fn chunk(&self, index: usize) -> ChunkFrames<'_> {
        let start = index * CHUNK_FRAMES;
        let end = (start + CHUNK_FRAMES).min(self.frames.len());
        ChunkFrames {
            before: match start.checked_sub(1) {
                Some(before) => Some(&self.frames[before]),
                None => self.before,
            },
            frames: &self.frames[start..end],
        }
    }
}
