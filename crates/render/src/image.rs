//! The images of a screen as pixels.
//!
//! An image is decoded once and scaled once for each size in which it is drawn; both results are
//! cached, and all threads that draw share them.
//!
//! See also: `image/decode.rs` (files), `image/resample.rs` (scaling), `picture/image_painter.rs`
//! (draws them), `formats/image_element.rs` (SVG and HTML).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use screentest_core::screen::image::{CELL_HEIGHT, CELL_WIDTH, ImageRect};
use screentest_core::{ImageContent, ImageHash, ImagePlacement};

use crate::png::encode;
use crate::{Grid, Pixels};

mod decode;
mod resample;
#[cfg(test)]
pub(crate) mod test_images;
#[cfg(test)]
mod tests;

/// The part of a picture that an image covers, in pixels; may be outside the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlacedRect {
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl PlacedRect {
    /// Returns where an image is drawn, relative to the first cell of the screen. Images are sized
    /// for cells of 8×16 pixels; other cells scale them.
    pub(crate) fn of(placed: &ImagePlacement, grid: Grid) -> PlacedRect {
        let scaled = |length: u32, cell: usize, from: u32| {
            let length = i128::from(length) * cell as i128;
            let from = i128::from(from);
            ((length + from / 2) / from) as i64
        };
        let across = |length| scaled(length, grid.cell_width, CELL_WIDTH);
        let down = |length| scaled(length, grid.cell_height, CELL_HEIGHT);
        let ImageRect {
            x,
            y,
            width,
            height,
        } = placed.drawn;
        let (left, top) = (across(x), down(y));
        PlacedRect {
            x: i64::from(placed.col) * grid.cell_width as i64 + left,
            y: i64::from(placed.row) * grid.cell_height as i64 + top,
            // Both edges are rounded, so that images next to each other leave no gap.
            width: (across(x + width) - left).max(1) as usize,
            height: (down(y + height) - top).max(1) as usize,
        }
    }
}

/// Returns an image as a PNG file; `None` if it cannot be decoded. Of an animation, the first
/// frame.
pub fn image_png(image: &ImageContent) -> Option<Vec<u8>> {
    encode(&decode::pixels(image)?).ok()
}

/// Decoded and scaled images. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ImageCache {
    state: Arc<Mutex<CacheState>>,
}

#[derive(Debug, Default)]
struct CacheState {
    /// By hash; `None` if the image cannot be decoded.
    decoded: HashMap<ImageHash, Option<Arc<Pixels>>>,
    /// By hash, part of the image, and size.
    scaled: HashMap<(ImageHash, ImageRect, usize, usize), Arc<Pixels>>,
    bytes: usize,
}

impl ImageCache {
    /// Maximum memory. Beyond it the cache is cleared.
    const MAX_BYTES: usize = 256 << 20;
    /// Maximum number of pixels of a scaled image. A larger one is drawn from a smaller copy.
    const MAX_SCALED: usize = 1 << 24;

    /// Returns the pixels of an image; `None` if it cannot be decoded.
    pub(crate) fn decoded(&self, placed: &ImagePlacement) -> Option<Arc<Pixels>> {
        let hash = placed.image.hash();
        if let Some(known) = self.lock().decoded.get(&hash) {
            return known.clone();
        }
        // Not locked meanwhile: other threads draw other images. If two decode the same one, both
        // get the same pixels.
        let pixels = decode::pixels(&placed.image).map(Arc::new);
        let mut state = self.lock();
        state.make_room(pixels.as_ref().map_or(0, |pixels| pixels.data().len() * 4));
        state.decoded.insert(hash, pixels.clone());
        pixels
    }

    /// Returns the visible part of an image, scaled to the size of `rect`. Very large results are
    /// smaller than requested; see [`ImageCache::scale_of`].
    pub(crate) fn scaled(&self, placed: &ImagePlacement, rect: PlacedRect) -> Option<Arc<Pixels>> {
        let (width, height) = ImageCache::scale_of(rect);
        self.resized(placed, width, height)
    }

    /// Returns the visible part of an image, scaled to a size, which must not be 0.
    pub(crate) fn resized(
        &self,
        placed: &ImagePlacement,
        width: usize,
        height: usize,
    ) -> Option<Arc<Pixels>> {
        let key = (placed.image.hash(), placed.source, width, height);
        if let Some(known) = self.lock().scaled.get(&key) {
            return Some(Arc::clone(known));
        }
        let source = self.decoded(placed)?;
        let scaled = Arc::new(resample::scaled(&source, placed.source, width, height));
        let mut state = self.lock();
        state.make_room(scaled.data().len() * 4);
        state.scaled.insert(key, Arc::clone(&scaled));
        Some(scaled)
    }

    /// Returns the size in which an image is scaled for a rectangle: that of the rectangle, or
    /// fractions of it if it has too many pixels.
    fn scale_of(rect: PlacedRect) -> (usize, usize) {
        let (mut width, mut height) = (rect.width, rect.height);
        while width.saturating_mul(height) > ImageCache::MAX_SCALED {
            if width > height {
                width = width.div_ceil(2);
            } else {
                height = height.div_ceil(2);
            }
        }
        (width, height)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheState {
    fn make_room(&mut self, bytes: usize) {
        if self.bytes + bytes > ImageCache::MAX_BYTES {
            self.decoded.clear();
            self.scaled.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
    }
}
