//! GIF: an animation that every browser and chat program shows.
//!
//! Colours are exact whenever possible: with at most 256 colours there is one palette for the
//! animation, otherwise one for the colours that most frames need and others for the frames that
//! need more. Only a frame that by itself changes pixels to 256 colours or more can lose some. Only
//! the rectangle that changed is written for each frame.
//!
//! See also: `animation/frame_delta.rs` (what changes), `animation/indexed.rs` (which unchanged
//! pixels are transparent), `animation/palette.rs` (palettes).

use std::io::Write;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, EncodingError, Frame};

use self::lzw::LzwCompressor;
use crate::animation::frame_delta::{DeltaInfo, FrameDelta, FrameDeltas};
use crate::animation::indexed;
use crate::animation::palette::{self, Palette};
use crate::animation::{Animation, EncodeError, EncodeOptions, Painter, Repeat, Timing};

mod lzw;

const FORMAT: &str = "GIF";
/// Maximum number of pixels on a side.
pub const MAX_SIDE: usize = u16::MAX as usize;

/// Encodes an animation as GIF. The times of an animation made with [`Timing::GIF`] are exact;
/// others are rounded.
pub fn encode<P: Painter>(
    animation: &Animation,
    painter: &P,
    options: &EncodeOptions,
) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    write(animation, painter, options, &mut bytes)?;
    Ok(bytes)
}

/// Like [`encode`], but writes the file while frames are compressed. A file of any length takes
/// little memory.
pub fn write<P: Painter>(
    animation: &Animation,
    painter: &P,
    options: &EncodeOptions,
    file: impl Write,
) -> Result<(), EncodeError> {
    let extent = EncodeError::check_sides(animation, painter, FORMAT, MAX_SIDE)?;
    let deltas = FrameDeltas::draw(animation, painter, options, 1)?;
    let shared = shared_palette(&deltas.infos);
    let (width, height) = (side(extent.width), side(extent.height));
    let mut encoder = Encoder::new(file, width, height, &shared.bytes()).map_err(failure)?;
    encoder
        .set_repeat(match options.repeat {
            Repeat::Forever => gif::Repeat::Infinite,
            // The file stores the number of repetitions after the first time.
            Repeat::Times(times) => gif::Repeat::Finite(times.get() - 1),
        })
        .map_err(failure)?;
    let mut time = Duration::ZERO;
    let compress = |worker: &mut Worker, info: &DeltaInfo, delta: &FrameDelta| {
        let frame = frame(&shared, worker, info, delta);
        let bytes = frame.buffer.len();
        Ok((frame, bytes))
    };
    deltas.for_each(FORMAT, Worker::default, compress, |info, mut frame| {
        let start = hundredths(time);
        time += info.duration;
        let mut left = hundredths(time) - start;
        // A pause of more than 655.35 seconds is written as several frames with equal pixels.
        loop {
            frame.delay = left.min(u64::from(u16::MAX)) as u16;
            encoder
                .write_lzw_pre_encoded_frame(&frame)
                .map_err(failure)?;
            left -= u64::from(frame.delay);
            if left == 0 {
                return Ok(());
            }
        }
    })?;
    // Writes the end of the file.
    let mut file = encoder.into_inner().map_err(failure)?;
    file.flush().map_err(EncodeError::in_file(FORMAT))
}

fn failure(error: EncodingError) -> EncodeError {
    match error {
        EncodingError::Io(error) => EncodeError::in_file(FORMAT)(error),
        error => EncodeError::in_format(FORMAT)(error),
    }
}

fn side(length: usize) -> u16 {
    u16::try_from(length).expect("`check_sides` has limited the sides")
}

fn hundredths(time: Duration) -> u64 {
    let unit = Timing::GIF.unit.as_nanos();
    ((time.as_nanos() + unit / 2) / unit) as u64
}

/// Returns the palette for the whole animation, or for as many of its colours as fit. One index is
/// reserved for unchanged pixels, unless the animation has exactly 256 colours.
fn shared_palette(infos: &[DeltaInfo]) -> Palette {
    let colors = || infos.iter().map(|info| info.colors.as_deref());
    Palette::complete(colors(), palette::MAX)
        .unwrap_or_else(|| Palette::shared(colors(), palette::MAX - 1))
}

/// Buffers that a thread reuses for each delta.
#[derive(Default)]
struct Worker {
    numbers: Vec<u8>,
    compressor: LzwCompressor,
}

/// Compresses a delta with the shared palette, or with its own if the shared one lacks a colour.
fn frame(
    shared: &Palette,
    worker: &mut Worker,
    info: &DeltaInfo,
    delta: &FrameDelta,
) -> Frame<'static> {
    let own = match &info.colors {
        Some(colors) if shared.holds(colors) => None,
        Some(colors) => {
            let exact = Palette::exact(colors.iter().copied());
            // If all indexes are colours, no pixel can be transparent.
            let enough = exact.len() < palette::MAX
                || delta
                    .pixels
                    .iter()
                    .all(|pixel| exact.index(pixel.color()).is_some());
            Some(if enough {
                exact
            } else {
                Palette::reduced(&delta.pixels, palette::MAX - 1)
            })
        }
        None => Some(Palette::reduced(&delta.pixels, palette::MAX - 1)),
    };
    let palette = own.as_ref().unwrap_or(shared);
    let clear = u8::try_from(palette.len()).ok();
    indexed::numbers(palette, clear, delta, &mut worker.numbers);
    let colors = palette.len() + usize::from(clear.is_some());
    Frame {
        left: side(delta.area.x),
        top: side(delta.area.y),
        width: side(delta.area.width),
        height: side(delta.area.height),
        dispose: DisposalMethod::Keep,
        transparent: clear,
        buffer: worker.compressor.compress(&worker.numbers, colors).into(),
        palette: own.map(|own| own.bytes()),
        ..Frame::default()
    }
}
