//! Finds the content of images, which frames store only by their hashes.
//!
//! The content is in the recorded output, so it is derived again, up to the frame that is drawn.
//! Frames in the order of time are cheap: the output is interpreted once for all of them.

use std::fs::File;
use std::sync::Arc;

use screentest_core::formats::cassette::Deriver;
use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::{ImageContent, ImageData, ImagePlacement, Screen};

use crate::recording::cassette::streams::output_replay::OutputReplay;
use crate::recording::cassette::{Cassette, CassetteError};

/// Fills in the content of images.
#[derive(Debug, Default)]
pub(super) struct ImageLoader {
    replay: Option<(OutputReplay<Deriver>, File)>,
    /// The content of the images on the screen that was derived last.
    known: Vec<Arc<ImageContent>>,
    /// The sequence number of that screen.
    seq: u64,
}

impl ImageLoader {
    /// Returns the screen with the content of its images. Images that the pinned emulator does not
    /// derive, or that cannot be read, stay without content.
    pub(super) fn fill(&mut self, cassette: &Cassette, shown: FrameTime, screen: Screen) -> Screen {
        let is_missing = |placed: &ImagePlacement| *placed.image.data() == ImageData::Missing;
        if !screen.images.iter().any(is_missing) {
            return screen;
        }
        let known = |placed: &ImagePlacement| self.known.contains(&placed.image);
        if !screen.images.iter().all(known) && self.derive(cassette, shown).is_err() {
            return screen;
        }
        let images = screen.images.iter().map(|placed| {
            let mut known = self.known.iter();
            let image = known.find(|known| ***known == *placed.image);
            ImagePlacement {
                image: Arc::clone(image.unwrap_or(&placed.image)),
                ..placed.clone()
            }
        });
        Screen {
            images: images.collect(),
            ..screen
        }
    }

    fn derive(&mut self, cassette: &Cassette, shown: FrameTime) -> Result<(), CassetteError> {
        if shown.seq < self.seq {
            self.replay = None;
        }
        let (replay, raw) = match &mut self.replay {
            Some(replay) => replay,
            None => {
                let terminal = &cassette.manifest().terminal;
                let deriver = Deriver::pinned(terminal).map_err(CassetteError::Emulator)?;
                let replay = OutputReplay::new(deriver, cassette.resizes()?);
                self.replay.insert((replay, cassette.output()?))
            }
        };
        let derived = replay.screen(raw, &shown);
        let derived = derived.map_err(|source| CassetteError::Read {
            path: cassette.path().to_owned(),
            source,
        })?;
        self.seq = shown.seq;
        let images = derived.images.iter();
        self.known = images.map(|placed| Arc::clone(&placed.image)).collect();
        Ok(())
    }
}
