//! Feeds a recording to an emulator, frame by frame, with size changes at their recorded offsets.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use screentest_core::formats::cassette::Deriver;
use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::redact::scrub::on_screen::OnScreenFinder;
use screentest_core::{Screen, Size};

/// The number of bytes read at once.
const CHUNK: u64 = 256 << 10;

/// A change of size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resize {
    pub(crate) seq: u64,
    pub(crate) at: u64,
    pub(crate) size: Size,
}

/// A consumer of output and size changes.
pub(crate) trait Walker {
    fn fed(&self) -> u64;
    fn feed(&mut self, bytes: &[u8]);
    fn resize(&mut self, size: Size);
    fn end_synchronized(&mut self);
}

impl Walker for Deriver {
    fn fed(&self) -> u64 {
        self.fed()
    }
    fn feed(&mut self, bytes: &[u8]) {
        self.feed(bytes);
    }
    fn resize(&mut self, size: Size) {
        self.resize(size);
    }
    fn end_synchronized(&mut self) {
        self.end_synchronized();
    }
}

impl Walker for OnScreenFinder {
    fn fed(&self) -> u64 {
        self.fed()
    }
    fn feed(&mut self, bytes: &[u8]) {
        self.feed(bytes);
    }
    fn resize(&mut self, size: Size) {
        self.resize(size);
    }
    fn end_synchronized(&mut self) {
        self.end_synchronized();
    }
}

/// The position within a recording.
#[derive(Debug)]
pub(crate) struct Walk<W> {
    pub(crate) walker: W,
    /// Size changes still to come, in order.
    pub(crate) resizes: VecDeque<Resize>,
    buffer: Vec<u8>,
}

impl<W: Walker> Walk<W> {
    pub(crate) fn new(walker: W, resizes: impl IntoIterator<Item = Resize>) -> Walk<W> {
        Walk {
            walker,
            resizes: resizes.into_iter().collect(),
            buffer: Vec::new(),
        }
    }

    /// Advances to the moment at which a frame was shown.
    pub(crate) fn to(&mut self, raw: &File, shown: &FrameTime) -> io::Result<()> {
        while let Some(resize) = self.resizes.front().copied()
            && resize.seq < shown.seq
        {
            self.feed(raw, resize.at)?;
            self.walker.resize(resize.size);
            self.resizes.pop_front();
        }
        self.feed(raw, shown.at)?;
        if shown.unfinished {
            self.walker.end_synchronized();
        }
        Ok(())
    }

    /// Feeds output up to an offset; does nothing if the offset has been passed.
    pub(crate) fn feed(&mut self, raw: &File, until: u64) -> io::Result<()> {
        while let Some(left) = until
            .checked_sub(self.walker.fed())
            .filter(|left| *left > 0)
        {
            self.buffer.resize(left.min(CHUNK) as usize, 0);
            raw.read_exact_at(&mut self.buffer, self.walker.fed())?;
            self.walker.feed(&self.buffer);
        }
        Ok(())
    }
}

impl Walk<Deriver> {
    /// Advances to a moment and returns the screen.
    pub(crate) fn screen(&mut self, raw: &File, shown: &FrameTime) -> io::Result<Screen> {
        self.to(raw, shown)?;
        Ok(self.walker.screen())
    }
}
