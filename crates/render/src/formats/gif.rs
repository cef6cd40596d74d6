//! GIF: a film that every browser and chat shows.
//!
//! Colours are exact wherever they fit: one palette for the film if it has no more than 256 colours, else one for the colours
//! that most shots need and others for the shots that need more. Only a shot that alone changes pixels to more than 256 colours
//! loses some. Of each shot only the rectangle that changed is written.
//!
//! Elsewhere: what changes (`animation/deltas.rs`), which of the pixels inside a rectangle are left as they are (`animation/indexed.rs`), the
//! palettes (`palette.rs`).

use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame};

use self::lzw::Compressor;
use crate::animation::frame_delta::{DeltaInfo, FrameDelta, FrameDeltas};
use crate::animation::indexed;
use crate::animation::palette::{self, Palette};
use crate::animation::{Animation, EncodeError, EncodeOptions, Extent, Painter, Repeat, Timing};

mod lzw;

/// The most pixels on a side.
pub const MAX_SIDE: usize = u16::MAX as usize;

/// Writes a film as a GIF. Made with [`Timing::GIF`], its times are exact; else they are rounded.
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
    extent: Extent,
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
        // The file counts how often it is shown again.
        Repeat::Times(times) => gif::Repeat::Finite(times.get() - 1),
    })?;
    let mut time = Duration::ZERO;
    for (mut frame, info) in frames.into_iter().zip(infos) {
        let start = hundredths(time);
        time += info.duration;
        let mut left = hundredths(time) - start;
        // A pause beyond eleven minutes is several frames that look the same.
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
    u16::try_from(length).expect("the sides of the picture were measured first")
}

fn hundredths(time: Duration) -> u64 {
    let unit = Timing::GIF.unit.as_nanos();
    ((time.as_nanos() + unit / 2) / unit) as u64
}

/// The palette for the whole film, or for as much of it as fits. One number is left for pixels that stay as they are, unless
/// all are taken by a film of exactly 256 colours.
fn shared_palette(infos: &[DeltaInfo]) -> Palette {
    let colors = || infos.iter().map(|info| info.colors.as_deref());
    Palette::complete(colors(), palette::MAX)
        .unwrap_or_else(|| Palette::shared(colors(), palette::MAX - 1))
}

/// What a thread uses again for each cel.
#[derive(Default)]
struct Worker {
    numbers: Vec<u8>,
    compressor: Compressor,
}

/// Compresses a cel with the shared palette, or with its own where that has not all its colours.
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
            // With all numbers taken nothing can be left as it is.
            let enough = exact.len() < palette::MAX
                || delta
                    .pixels
                    .iter()
                    .all(|pixel| exact.index(pixel.color()).is_some());
            Some(match enough {
                true => exact,
                false => Palette::reduced(&delta.pixels, palette::MAX - 1),
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
