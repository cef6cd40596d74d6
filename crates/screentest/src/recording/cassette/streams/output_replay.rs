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
pub(crate) struct RecordedResize {
    pub(crate) seq: u64,
    pub(crate) at: u64,
    pub(crate) size: Size,
}

/// A consumer of output and size changes.
pub(crate) trait OutputConsumer {
    /// The number of bytes that it has been fed.
    fn fed(&self) -> u64;
    /// Adds output.
    fn feed(&mut self, bytes: &[u8]);
    /// Changes the size.
    fn resize(&mut self, size: Size);
    /// Ends a synchronized update that took too long.
    fn end_synchronized(&mut self);
}

/// Implements [`OutputConsumer`] by the type's own methods of the same names.
macro_rules! output_consumer {
    ($consumer:ty) => {
        impl OutputConsumer for $consumer {
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
    };
}
output_consumer!(Deriver);
output_consumer!(OnScreenFinder);

/// A recording that is being fed to a consumer.
#[derive(Debug)]
pub(crate) struct OutputReplay<W> {
    pub(crate) consumer: W,
    /// Size changes still to come, in order.
    pub(crate) resizes: VecDeque<RecordedResize>,
    buffer: Vec<u8>,
}

impl<W: OutputConsumer> OutputReplay<W> {
    pub(crate) fn new(
        consumer: W,
        resizes: impl IntoIterator<Item = RecordedResize>,
    ) -> OutputReplay<W> {
        OutputReplay {
            consumer,
            resizes: resizes.into_iter().collect(),
            buffer: Vec::new(),
        }
    }

    /// Advances to the moment at which a frame was shown.
    pub(crate) fn advance_to(&mut self, raw: &File, shown: &FrameTime) -> io::Result<()> {
        while let Some(resize) = self.resizes.front().copied()
            && resize.seq < shown.seq
        {
            self.feed(raw, resize.at)?;
            self.consumer.resize(resize.size);
            self.resizes.pop_front();
        }
        self.feed(raw, shown.at)?;
        if shown.unfinished {
            self.consumer.end_synchronized();
        }
        Ok(())
    }

    /// Feeds output up to an offset; does nothing if the offset has been passed.
    pub(crate) fn feed(&mut self, raw: &File, until: u64) -> io::Result<()> {
        while let Some(left) = until
            .checked_sub(self.consumer.fed())
            .filter(|left| *left > 0)
        {
            self.buffer.resize(left.min(CHUNK) as usize, 0);
            raw.read_exact_at(&mut self.buffer, self.consumer.fed())?;
            self.consumer.feed(&self.buffer);
        }
        Ok(())
    }
}

impl OutputReplay<Deriver> {
    /// Advances to a moment and returns the screen.
    pub(crate) fn screen(&mut self, raw: &File, shown: &FrameTime) -> io::Result<Screen> {
        self.advance_to(raw, shown)?;
        Ok(self.consumer.screen())
    }
}
