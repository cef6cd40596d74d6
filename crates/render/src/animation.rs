//! Animations: a sequence of screens and how long each is shown.
//!
//! An animation is built from frames in the order of time, and every animated format is written
//! from it. Each time is rounded on its own, from the start of the recording, so rounding errors do
//! not add up and an animation of an hour ends when its recording did. The same frames and options
//! give the same animation.
//!
//! See also: `animation/schedule.rs` (when each frame begins), `animation/painter.rs` (draws the
//! pixels of a frame), `animation/frame_delta.rs` (which pixels a frame changes),
//! `animation/pixel_delta.rs` (compares two pictures), `formats/gif.rs`, `formats/apng.rs`,
//! `formats/webp.rs`, `formats/video.rs` (the formats).

use std::io;
use std::num::NonZeroU16;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{ImagePlacement, RecordingFrame, Row, Screen, Size};

mod batch;
pub(crate) mod frame_delta;
pub(crate) mod indexed;
mod painter;
pub(crate) mod palette;
pub(crate) mod pixel_delta;
mod progress;
mod schedule;
#[cfg(test)]
mod tests;
pub(crate) mod threads;

pub use frame_delta::{DrawError, MAX_FRAME_PIXELS};
pub use painter::{Painter, PixelSize, changed_rows};
pub use progress::{Progress, ProgressUpdate};
pub use threads::Threads;

use schedule::Schedule;

/// Maximum number of frames of an animation: an hour at 30 frames per second, with room to spare.
pub const MAX_FRAMES: usize = 1 << 17;
/// Maximum duration of an animation: one day.
pub const MAX_LENGTH: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum memory for the rows of all screens, with shared rows counted once: 1 GiB.
pub const MAX_BYTES: usize = 1 << 30;
/// Maximum size of the compressed animation: 2 GiB. Few viewers of these formats open larger files.
pub const MAX_FILE: usize = 1 << 31;
/// Supported frame rates, in frames per second.
pub const FRAME_RATES: std::ops::RangeInclusive<u32> = 1..=1000;
/// Supported playback speeds, as factors.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=1000.0;

/// How frames become an animation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnimationOptions {
    /// Maximum time that a screen stays unchanged, in the time of the recording. Longer pauses are
    /// shortened to this.
    pub idle_limit: Option<Duration>,
    /// Playback speed as a factor of the recorded speed.
    pub speed: f64,
    /// Maximum number of frames per second. Each tick shows the last screen before it; the others
    /// are dropped.
    pub frame_rate: Option<u32>,
    /// Where a repeated animation begins.
    pub loop_offset: LoopOffset,
    /// How much longer the last screen is shown, in the time of the animation.
    pub hold: Duration,
    /// The times that the format can express.
    pub timing: Timing,
}

impl Default for AnimationOptions {
    fn default() -> AnimationOptions {
        AnimationOptions {
            idle_limit: None,
            speed: 1.0,
            frame_rate: Some(30),
            loop_offset: LoopOffset::None,
            hold: Duration::ZERO,
            timing: Timing::GIF,
        }
    }
}

/// Where a repeated animation begins: with the frame that is visible at that point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum LoopOffset {
    /// At the first frame.
    None,
    /// After this time of the animation.
    Time(Duration),
    /// After this fraction of the animation, from 0 to 1.
    Share(f64),
}

/// The times that a format can express.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// All times are multiples of this.
    pub unit: Duration,
    /// Minimum duration of a frame. The next frame is delayed until then; if another one begins by
    /// then, the delayed frame is dropped.
    pub least: Duration,
}

impl Timing {
    /// Hundredths of a second. Browsers show a frame of less than two hundredths for ten
    /// hundredths.
    pub const GIF: Timing = Timing {
        unit: Duration::from_millis(10),
        least: Duration::from_millis(20),
    };
    /// Thousandths of a second, for formats with finer times.
    pub const FINE: Timing = Timing {
        unit: Duration::from_millis(1),
        least: Duration::from_millis(1),
    };
}

/// How often an animation is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Repeat {
    /// Without end.
    #[default]
    Forever,
    /// This many times.
    Times(NonZeroU16),
}

/// Options for encoding an animation in any format.
#[derive(Debug, Clone, Default)]
pub struct EncodeOptions {
    /// How often the animation is played.
    pub repeat: Repeat,
    /// Number of threads that draw and compress. The bytes are the same for any number.
    pub threads: Threads,
    /// Receives progress reports.
    pub progress: Progress,
}

/// Reasons why an animation cannot be encoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The animation cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A side has more pixels than the format supports.
    #[error(
        "a picture of {width}x{height} pixels is too large: {format} supports at most {most} per side"
    )]
    Side {
        /// Name of the format.
        format: &'static str,
        /// Width in pixels.
        width: usize,
        /// Height in pixels.
        height: usize,
        /// Maximum length of a side.
        most: usize,
    },
    /// The file would have more than [`MAX_FILE`] bytes.
    #[error("the animation is too large: as {format} it takes more than {} MiB", MAX_FILE >> 20)]
    TooLarge {
        /// Name of the format.
        format: &'static str,
    },
    /// The progress listener stopped the encoding.
    #[error("the encoding was stopped")]
    Stopped,
    /// The file cannot be written.
    #[error("could not write the {format} file")]
    Write {
        /// Name of the format.
        format: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// A library reported an error.
    #[error("cannot write the {format}")]
    Encode {
        /// Name of the format.
        format: &'static str,
        /// The library's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl EncodeError {
    /// Returns the extent of the animation's pictures, or an error if a side has more than `most`
    /// pixels.
    pub(crate) fn check_sides<P: Painter>(
        animation: &Animation,
        painter: &P,
        format: &'static str,
        most: usize,
    ) -> Result<PixelSize, EncodeError> {
        let PixelSize { width, height } = painter.extent(animation.size());
        if width.max(height) <= most {
            Ok(frame_delta::extent(animation, painter)?)
        } else {
            Err(EncodeError::Side {
                format,
                width,
                height,
                most,
            })
        }
    }

    /// Wraps an error of the output file together with the name of the format.
    pub(crate) fn in_file(format: &'static str) -> impl Fn(io::Error) -> EncodeError {
        move |source| EncodeError::Write { format, source }
    }

    /// Wraps a library's error together with the name of the format.
    pub(crate) fn in_format<E: std::error::Error + Send + Sync + 'static>(
        format: &'static str,
    ) -> impl Fn(E) -> EncodeError {
        move |source| EncodeError::Encode {
            format,
            source: Box::new(source),
        }
    }
}

/// Reasons why frames cannot become an animation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnimationError {
    /// There are no frames.
    #[error("an animation needs at least one frame")]
    Empty,
    /// There are more than [`MAX_FRAMES`] frames.
    #[error("more than {MAX_FRAMES} frames: a lower frame rate drops some")]
    TooManyFrames,
    /// The animation is longer than [`MAX_LENGTH`].
    #[error(
        "longer than {} hours: an idle limit or a higher speed shortens it",
        MAX_LENGTH.as_secs() / 3600
    )]
    TooLong,
    /// The screens take more than [`MAX_BYTES`].
    #[error("the screens take more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// The speed is outside [`SPEEDS`].
    #[error(
        "speed `{0}` is out of range: {min} to {max}",
        min = SPEEDS.start(),
        max = SPEEDS.end()
    )]
    Speed(f64),
    /// The frame rate is outside [`FRAME_RATES`].
    #[error(
        "frame rate `{0}` is out of range: {min} to {max} frames per second",
        min = FRAME_RATES.start(),
        max = FRAME_RATES.end()
    )]
    FrameRate(u32),
    /// The fraction is outside 0 to 1.
    #[error("loop offset `{0}` is out of range: 0 to 1")]
    LoopOffset(f64),
}

/// A screen and how long it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnimationFrame {
    /// The screen.
    pub screen: Screen,
    /// How long it is shown.
    pub duration: Duration,
}

/// A sequence of frames, all of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Animation {
    size: Size,
    frames: Vec<AnimationFrame>,
}

impl Animation {
    /// Builds an animation from recorded frames. The first frame is shown at once, whenever it was
    /// recorded. A frame with an earlier time than the one before it counts as simultaneous.
    /// Smaller screens are placed in the upper left corner of the largest.
    pub fn new(
        frames: impl IntoIterator<Item = RecordingFrame>,
        options: &AnimationOptions,
    ) -> Result<Animation, AnimationError> {
        let mut schedule = Schedule::new(options)?;
        for frame in frames {
            schedule.push(frame)?;
        }
        let mut frames = schedule.finish()?;
        let size = largest(&frames).ok_or(AnimationError::Empty)?;
        for frame in &mut frames {
            enlarge(&mut frame.screen, size);
        }
        rotate(&mut frames, options.loop_offset);
        Ok(Animation { size, frames })
    }

    /// Builds an animation of one screen.
    pub fn still(screen: Screen) -> Animation {
        Animation {
            size: screen.size,
            frames: vec![AnimationFrame {
                screen,
                duration: Duration::ZERO,
            }],
        }
    }

    /// Returns the size of every screen.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the frames; there is at least one.
    pub fn frames(&self) -> &[AnimationFrame] {
        &self.frames
    }

    /// Returns the duration of the whole animation.
    pub fn duration(&self) -> Duration {
        self.frames.iter().map(|frame| frame.duration).sum()
    }
}

fn largest(frames: &[AnimationFrame]) -> Option<Size> {
    let sizes = frames.iter().map(|frame| frame.screen.size);
    sizes.reduce(|one, other| Size {
        cols: one.cols.max(other.cols),
        rows: one.rows.max(other.rows),
    })
}

/// Extends a screen to a size, with blank cells on the right and at the bottom.
fn enlarge(screen: &mut Screen, size: Size) {
    if screen.size != size {
        screen.size = size;
        screen
            .rows
            .resize(size.rows.into(), Arc::new(Row::default()));
    }
}

/// Rotates the frames so that the animation begins with the frame visible at the offset.
fn rotate(frames: &mut [AnimationFrame], offset: LoopOffset) {
    let length: Duration = frames.iter().map(|frame| frame.duration).sum();
    let offset = match offset {
        LoopOffset::None => return,
        LoopOffset::Time(time) => time,
        LoopOffset::Share(share) => length.mul_f64(share),
    };
    // Offsets beyond the end wrap around: the animation is a loop.
    let offset = match length.as_nanos() {
        0 => return,
        length => offset.as_nanos() % length,
    };
    let mut end = 0;
    let first = frames.iter().position(|frame| {
        end += frame.duration.as_nanos();
        offset < end
    });
    frames.rotate_left(first.unwrap_or(0));
}

/// Whether two screens look the same: their sizes, rows, images, visible cursors and colours are
/// equal.
/// Invisible state, such as the modes, is not compared.
fn looks_same(one: &Screen, other: &Screen) -> bool {
    let cursor = |screen: &Screen| screen.cursor.visible.then_some(screen.cursor);
    one.size == other.size
        && cursor(one) == cursor(other)
        && one.palette == other.palette
        && one.images == other.images
        && one
            .rows
            .iter()
            .zip(&other.rows)
            .all(|(one, other)| Arc::ptr_eq(one, other) || one == other)
}

/// Returns the memory that a screen takes beyond the rows, images and colours shared with the one
/// before it.
fn unshared_bytes(screen: &Screen, before: Option<&Screen>) -> usize {
    let rows = before.map_or(&[][..], |before| &before.rows[..]);
    let shared = |index: usize, row: &Arc<Row>| {
        let same = |other: &Arc<Row>| Arc::ptr_eq(row, other);
        // Most rows keep their index; after a scroll they are found at another one.
        rows.get(index).is_some_and(same) || rows.iter().any(same)
    };
    let rows = screen.rows.iter().enumerate();
    let own: usize = rows
        .filter(|(index, row)| !shared(*index, row))
        .map(|(_, row)| row.bytes())
        .sum();
    let palette = screen
        .palette
        .unshared_bytes(before.map(|before| &before.palette));
    let images = before.map_or(&[][..], |before| &before.images[..]);
    let new_images = screen.images.iter().filter(|placed| {
        let same = |other: &ImagePlacement| Arc::ptr_eq(&other.image, &placed.image);
        !images.iter().any(same)
    });
    let images: usize = new_images.map(|placed| placed.image.bytes()).sum();
    let records = screen.images.len() * size_of::<ImagePlacement>()
        + screen.rows.len() * size_of::<Arc<Row>>();
    own + palette + images + records + size_of::<Screen>()
}
