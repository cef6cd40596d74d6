//! GIF: an animation that every browser and chat program shows.
//!
//! Colours are exact whenever possible: with at most 256 colours there is one palette for the
//! animation, otherwise one for the colours that most frames need and others for the frames that
//! need more. Only a frame that by itself changes pixels to more than 256 colours loses some. Of
//! each frame only the rectangle that changed is written.
//!
//! See also: `animation/frame_delta.rs` (what changes), `animation/indexed.rs` (which unchanged
//! pixels are transparent), `animation/palette.rs` (palettes).

use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame};

use self::lzw::LzwCompressor;
use crate::animation::frame_delta::{DeltaInfo, FrameDelta, FrameDeltas};
use crate::animation::indexed;
use crate::animation::palette::{self, Palette};
use crate::animation::{Animation, EncodeError, EncodeOptions, Painter, PixelSize, Repeat, Timing};

mod lzw;

/// Maximum number of pixels on a side.
pub const MAX_SIDE: usize = u16::MAX as usize;

/// Encodes an animation as GIF. The times of an animation made with [`Timing::GIF`] are exact;
/// others are rounded.
pub fn encode<P: Painter>(
    animation: &Animation,
    painter: &P,
    options: &EncodeOptions,
) -> Result<Vec<u8>, EncodeError> {
    let extent = EncodeError::check_sides(animation, painter, "GIF", MAX_SIDE)?;
    let deltas = FrameDeltas::draw(animation, painter, options, 1)?;
    let shared = shared_palette(&deltas.infos);
    let frames = deltas.map("GIF", Worker::default, |worker, info, delta| {
        let frame = frame(&shared, worker, info, delta);
        let bytes = frame.buffer.len();
        Ok((frame, bytes))
    })?;

    write(extent, &shared, frames, &deltas.infos, options.repeat)
        .map_err(EncodeError::in_format("GIF"))
}

fn write(
    extent: PixelSize,
    shared: &Palette,
    frames: Vec<Frame<'static>>,
    infos: &[DeltaInfo],
    repeat: Repeat,
) -> Result<Vec<u8>, gif::EncodingError> {
    let mut bytes = Vec::new();
    let (width, height) = (side(extent.width), side(extent.height));
    let mut encoder = Encoder::new(&mut bytes, width, height, &shared.bytes())?;
    encoder.set_repeat(match repeat {
        Repeat::Forever => gif::Repeat::Infinite,
        // The file stores the number of repetitions after the first time.
        Repeat::Times(times) => gif::Repeat::Finite(times.get() - 1),
    })?;
    let mut time = Duration::ZERO;
    for (mut frame, info) in frames.into_iter().zip(infos) {
        let start = hundredths(time);
        time += info.duration;
        let mut left = hundredths(time) - start;
        // A pause of more than eleven minutes is written as several equal frames.
        loop {
            frame.delay = left.min(u64::from(u16::MAX)) as u16;
            encoder.write_lzw_pre_encoded_frame(&frame)?;
            left -= u64::from(frame.delay);
            if left == 0 {
                break;
            }
        }
    }
    drop(encoder);
    Ok(bytes)
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
