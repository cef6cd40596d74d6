//! Moving pictures: which screen is shown for how long.
//!
//! A film is made from frames in the order of time, and every format is written from it. Times are rounded where they
//! stand, never one after another, so a film of an hour ends when its recording did. Same frames, same options: same film.
//!
//! Elsewhere: when each shot begins (`schedule.rs`), how shots become pixels (`deltas.rs`), the formats (`gif.rs`,
//! `apng.rs`, `webp.rs`, `video.rs`).

use std::num::NonZeroU16;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Frame, Row, Screen, Size};

pub(crate) mod frame_delta;
pub(crate) mod indexed;
mod painter;
pub(crate) mod palette;
mod progress;
mod schedule;
#[cfg(test)]
mod tests;
pub(crate) mod threads;

pub use frame_delta::{DrawError, MAX_FRAME_PIXELS};
pub use painter::{Extent, Painter, changed_rows};
pub use progress::{Progress, ProgressUpdate};
pub use threads::Threads;

use schedule::Schedule;

/// The most shots a film may have: an hour at 30 a second, with room to spare.
pub const MAX_FRAMES: usize = 1 << 17;
/// The longest a film may be: a day.
pub const MAX_LENGTH: Duration = Duration::from_secs(24 * 60 * 60);
/// The most memory that the rows of its screens may take, those that are shared counted once: 1 GiB.
pub const MAX_BYTES: usize = 1 << 30;
/// The most bytes that a film may take once it is compressed: 2 GiB, which no reader of these formats would show, and which
/// are all in memory before they are written.
pub const MAX_FILE: usize = 1 << 31;
/// The frame rates that can be asked for.
pub const FRAME_RATES: std::ops::RangeInclusive<u32> = 1..=1000;
/// The speeds that can be asked for.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=1000.0;

/// How frames become a film.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnimationOptions {
    /// The longest that a screen stays without a change, in the time of the recording.
    pub idle_limit: Option<Duration>,
    /// How many times faster than recorded.
    pub speed: f64,
    /// The most frames a second. At each tick the last screen before it is shown, and the others are left out.
    pub frame_rate: Option<u32>,
    /// Where a film that is repeated begins.
    pub loop_offset: LoopOffset,
    /// How much longer the last screen stays, in the time of the film.
    pub hold: Duration,
    /// Which times the format can hold.
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

/// Where a film that is repeated begins: with the shot that is seen there.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum LoopOffset {
    /// At its start.
    None,
    /// After some time of the film.
    Time(Duration),
    /// After a part of the film, from 0 to 1.
    Share(f64),
}

/// Which times a format can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// All times are multiples of this.
    pub unit: Duration,
    /// The least that a shot is seen. A screen that is gone sooner is left out.
    pub least: Duration,
}

impl Timing {
    /// Hundredths of a second. Browsers show a shot of less than two hundredths for ten.
    pub const GIF: Timing = Timing {
        unit: Duration::from_millis(10),
        least: Duration::from_millis(20),
    };
    /// Thousandths of a second, for formats that are finer.
    pub const FINE: Timing = Timing {
        unit: Duration::from_millis(1),
        least: Duration::from_millis(1),
    };
}

/// How often a film is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Repeat {
    /// Again and again.
    #[default]
    Forever,
    /// This often.
    Times(NonZeroU16),
}

/// How a film is written, in any format.
#[derive(Debug, Clone, Default)]
pub struct EncodeOptions {
    /// How often it is shown.
    pub repeat: Repeat,
    /// How many threads draw and compress. The bytes are the same for any number.
    pub threads: Threads,
    /// Who is told how far it is.
    pub progress: Progress,
}

/// Why a film could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// It cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A side has more pixels than the format can say.
    #[error("a picture of {width}x{height} pixels: a {format} has at most {most} on a side")]
    Side {
        /// The name of the format.
        format: &'static str,
        /// Pixels from left to right.
        width: usize,
        /// Pixels from top to bottom.
        height: usize,
        /// The most that a side may have.
        most: usize,
    },
    /// The file would have more than [`MAX_FILE`] bytes.
    #[error("the film is too large for a {format}: it takes more than {} MiB", MAX_FILE >> 20)]
    TooLarge {
        /// The name of the format.
        format: &'static str,
    },
    /// Whoever was told how far it is ended it.
    #[error("the film was not finished")]
    Stopped,
    /// A library refused.
    #[error("cannot write the {format}")]
    Encode {
        /// The name of the format.
        format: &'static str,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl EncodeError {
    /// How large the pictures of a film are, if no side has more than `most` pixels.
    pub(crate) fn check_sides<P: Painter>(
        animation: &Animation,
        painter: &P,
        format: &'static str,
        most: usize,
    ) -> Result<Extent, EncodeError> {
        let Extent { width, height } = painter.extent(animation.size());
        match width.max(height) <= most {
            true => Ok(frame_delta::extent(animation, painter)?),
            false => Err(EncodeError::Side {
                format,
                width,
                height,
                most,
            }),
        }
    }

    /// Names the format that a library could not write.
    pub(crate) fn in_format<E: std::error::Error + Send + Sync + 'static>(
        format: &'static str,
    ) -> impl Fn(E) -> EncodeError {
        move |source| EncodeError::Encode {
            format,
            source: Box::new(source),
        }
    }
}

/// Why frames are not a film.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnimationError {
    /// Nothing to show.
    #[error("a film needs at least one frame")]
    Empty,
    /// More than [`MAX_FRAMES`].
    #[error("more than {MAX_FRAMES} frames: a lower frame rate leaves some out")]
    TooManyFrames,
    /// Longer than [`MAX_LENGTH`].
    #[error("longer than {} hours: an idle limit or a higher speed shortens it", MAX_LENGTH.as_secs() / 3600)]
    TooLong,
    /// More than [`MAX_BYTES`].
    #[error("the screens take more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// A speed outside [`SPEEDS`].
    #[error("speed `{0}`: it is from {min} to {max}", min = SPEEDS.start(), max = SPEEDS.end())]
    Speed(f64),
    /// A frame rate outside [`FRAME_RATES`].
    #[error("`{0}` frames a second: there are {min} to {max}", min = FRAME_RATES.start(), max = FRAME_RATES.end())]
    FrameRate(u32),
    /// A part outside 0 to 1.
    #[error("loop offset `{0}`: a part of the film is from 0 to 1")]
    LoopOffset(f64),
}

/// A screen and how long it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnimationFrame {
    /// What is seen.
    pub screen: Screen,
    /// How long.
    pub duration: Duration,
}

/// A sequence of shots, all of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Animation {
    size: Size,
    frames: Vec<AnimationFrame>,
}

impl Animation {
    /// A film of what was shown. The first frame is seen at once, whenever it was recorded; a frame that comes before the
    /// one before it counts as simultaneous. Smaller screens stand in the corner of the largest.
    pub fn new(
        frames: impl IntoIterator<Item = Frame>,
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

    /// A film of one screen.
    pub fn still(screen: Screen) -> Animation {
        Animation {
            size: screen.size,
            frames: vec![AnimationFrame {
                screen,
                duration: Duration::ZERO,
            }],
        }
    }

    /// How large every screen is.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The shots, of which there is at least one.
    pub fn frames(&self) -> &[AnimationFrame] {
        &self.frames
    }

    /// How long it takes.
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

/// Gives a screen another size, with blank cells at the right and below.
fn enlarge(screen: &mut Screen, size: Size) {
    if screen.size != size {
        screen.size = size;
        screen
            .rows
            .resize(size.rows.into(), Arc::new(Row::default()));
    }
}

/// Makes a film begin with the shot that is seen at the offset.
fn rotate(frames: &mut [AnimationFrame], offset: LoopOffset) {
    let length: Duration = frames.iter().map(|frame| frame.duration).sum();
    let offset = match offset {
        LoopOffset::None => return,
        LoopOffset::Time(time) => time,
        LoopOffset::Share(share) => length.mul_f64(share),
    };
    // Offsets beyond the end go round: the film is a loop.
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

/// Whether two screens look the same: what no pixel shows is not compared.
fn looks_same(one: &Screen, other: &Screen) -> bool {
    let cursor = |screen: &Screen| screen.cursor.visible.then_some(screen.cursor);
    one.size == other.size
        && cursor(one) == cursor(other)
        && one
            .rows
            .iter()
            .zip(&other.rows)
            .all(|(one, other)| Arc::ptr_eq(one, other) || one == other)
}

/// What a screen takes beyond the one before it.
fn unshared_bytes(screen: &Screen, before: Option<&Screen>) -> usize {
    let rows = before.map_or(&[][..], |before| &before.rows[..]);
    let shared = |index: usize, row: &Arc<Row>| {
        let same = |other: &Arc<Row>| Arc::ptr_eq(row, other);
        // Most rows stay where they are; after a scroll they are found elsewhere.
        rows.get(index).is_some_and(same) || rows.iter().any(same)
    };
    let rows = screen.rows.iter().enumerate();
    let own: usize = rows
        .filter(|(index, row)| !shared(*index, row))
        .map(|(_, row)| row.bytes())
        .sum();
    own + size_of::<Screen>() + screen.rows.len() * size_of::<Arc<Row>>()
}
