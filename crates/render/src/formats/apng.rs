//! APNG: an animation in full colour. Viewers without support for animations show its first frame.
//!
//! No colour is ever lost. Animations of at most 256 colours are written with a palette, others as
//! red, green and blue. Only the rectangle that changed is written for each frame.
//!
//! Threads compress every rectangle as a separate PNG, and this file assembles their data,
//! because the library would compress one rectangle after another.

use std::borrow::Cow;
use std::io::Write;
use std::time::Duration;

use png::chunk::ChunkType;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

use crate::animation::frame_delta::{DeltaInfo, FrameDelta, FrameDeltas};
use crate::animation::indexed;
use crate::animation::palette::{self, Palette};
use crate::animation::pixel_delta::PixelRect;
use crate::animation::{Animation, EncodeError, EncodeOptions, Painter, PixelSize, Repeat};

const FORMAT: &str = "APNG";

/// Encodes an animation as APNG. Times are rounded to thousandths of a second.
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
    mut file: impl Write,
) -> Result<(), EncodeError> {
    let deltas = FrameDeltas::draw(animation, painter, options, 1)?;
    let colors = deltas.infos.iter().map(|info| info.colors.as_deref());
    let kind = match Palette::complete(colors, palette::MAX) {
        Some(palette) => PixelFormat::Indexed {
            clear: u8::try_from(palette.len()).ok(),
            palette,
        },
        None => PixelFormat::Rgb,
    };
    let delays = delays(&deltas.infos);
    let frames: usize = delays.iter().map(Vec::len).sum();

    let PixelSize { width, height } = deltas.extent;
    let mut encoder = kind.encoder(&mut file, width, height);
    kind.set_clear(&mut encoder);
    let mut writer = encoder.write_header().map_err(failure)?;
    let plays = match options.repeat {
        Repeat::Forever => 0,
        Repeat::Times(times) => u32::from(times.get()),
    };
    let control = [(frames as u32).to_be_bytes(), plays.to_be_bytes()].concat();
    writer
        .write_chunk(ChunkType(*b"acTL"), &control)
        .map_err(failure)?;
    let mut delays = delays.into_iter();
    let mut sequence = 0u32;
    let compress = |numbers: &mut Vec<u8>, _: &DeltaInfo, delta: &FrameDelta| {
        let data = kind.compress(delta, numbers).map_err(failure)?;
        let bytes = data.len();
        Ok((data, bytes))
    };
    deltas.for_each(FORMAT, Vec::new, compress, |info, data| {
        for delay in delays.next().into_iter().flatten() {
            write_frame(&mut writer, &mut sequence, info.area, delay, &data).map_err(failure)?;
        }
        Ok(())
    })?;
    writer.finish().map_err(failure)?;
    file.flush().map_err(EncodeError::in_file(FORMAT))
}

/// Writes a frame; `sequence` is the number of the next chunk.
fn write_frame<W: Write>(
    writer: &mut png::Writer<W>,
    sequence: &mut u32,
    area: PixelRect,
    delay: Delay,
    data: &[u8],
) -> Result<(), EncodingError> {
    let mut number = || {
        *sequence += 1;
        (*sequence - 1).to_be_bytes()
    };
    let side = |length: usize| (length as u32).to_be_bytes();
    let first = number();
    let places = [area.width, area.height, area.x, area.y].map(side).concat();
    let [over, under] = [delay.over, delay.under].map(u16::to_be_bytes);
    // The frame before is not disposed of, and transparent pixels show it.
    let control = [&first[..], &places, &over, &under, &[0, 1]].concat();
    writer.write_chunk(ChunkType(*b"fcTL"), &control)?;
    match first {
        [0, 0, 0, 0] => writer.write_chunk(ChunkType(*b"IDAT"), data),
        _ => writer.write_chunk(ChunkType(*b"fdAT"), &[&number(), data].concat()),
    }
}

/// Returns the delays of each delta.
fn delays(infos: &[DeltaInfo]) -> Vec<Vec<Delay>> {
    let mut time = Duration::ZERO;
    let delay = |info: &DeltaInfo| {
        let start = time.as_millis();
        time += info.duration;
        pieces((time.as_millis() - start) as u64)
    };
    infos.iter().map(delay).collect()
}

fn failure(error: EncodingError) -> EncodeError {
    match error {
        EncodingError::IoError(error) => EncodeError::in_file(FORMAT)(error),
        error => EncodeError::in_format(FORMAT)(error),
    }
}

/// The pixel format of the file.
enum PixelFormat {
    /// Palette indexes, one of which may mean an unchanged pixel.
    Indexed { palette: Palette, clear: Option<u8> },
    /// Red, green and blue.
    Rgb,
}

impl PixelFormat {
    fn encoder<W: Write>(&self, file: W, width: usize, height: usize) -> Encoder<'static, W> {
        let mut encoder = Encoder::new(file, width as u32, height as u32);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Balanced);
        match self {
            PixelFormat::Indexed { palette, .. } => {
                let mut palette = palette.bytes();
                // The transparent index needs a colour, which is never visible.
                if palette.len() < 3 * palette::MAX {
                    palette.extend([0; 3]);
                }
                encoder.set_color(ColorType::Indexed);
                encoder.set_palette(palette);
            }
            PixelFormat::Rgb => encoder.set_color(ColorType::Rgb),
        }
        // Letters repeat, but have no gradients: a filter hides the repetitions and gains nothing.
        encoder.set_filter(Filter::NoFilter);
        encoder
    }

    fn set_clear<W: Write>(&self, encoder: &mut Encoder<'static, W>) {
        if let PixelFormat::Indexed {
            clear: Some(clear), ..
        } = self
        {
            let mut opaque = vec![255; usize::from(*clear)];
            opaque.push(0);
            encoder.set_trns(opaque);
        }
    }

    /// Compresses the pixels of a delta.
    fn compress(
        &self,
        delta: &FrameDelta,
        numbers: &mut Vec<u8>,
    ) -> Result<Vec<u8>, EncodingError> {
        let pixels: Cow<'_, [u8]> = match self {
            PixelFormat::Indexed { palette, clear } => {
                indexed::numbers(palette, *clear, delta, numbers);
                Cow::Borrowed(numbers)
            }
            PixelFormat::Rgb => delta
                .pixels
                .iter()
                .flat_map(|pixel| pixel.color().parts())
                .collect(),
        };
        let mut bytes = Vec::new();
        let encoder = self.encoder(&mut bytes, delta.area.width, delta.area.height);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(image_data(&bytes))
    }
}

/// Returns the contents of the `IDAT` chunks of a PNG.
fn image_data(png: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(png.len());
    let mut rest = png.get(8..).unwrap_or_default();
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = u32::from_be_bytes(*length) as usize;
        let (Some(kind), Some(content)) = (after.get(..4), after.get(4..4 + length)) else {
            break;
        };
        if kind == b"IDAT" {
            data.extend(content);
        }
        // A checksum of four bytes follows the contents.
        rest = after.get(8 + length..).unwrap_or_default();
    }
    data
}

/// A fraction of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Delay {
    over: u16,
    under: u16,
}

/// Splits a time into delays: one for up to 65.535 seconds, otherwise delays of whole seconds and
/// one of the rest.
fn pieces(millis: u64) -> Vec<Delay> {
    let mut pieces = Vec::new();
    let mut left = millis;
    loop {
        let (over, under) = match u16::try_from(left) {
            Ok(millis) => (millis, 1000),
            Err(_) => (u16::try_from(left / 1000).unwrap_or(u16::MAX), 1),
        };
        pieces.push(Delay { over, under });
        left -= u64::from(over) * (1000 / u64::from(under));
        if left == 0 {
            return pieces;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_are_several_delays() {
        let shown = |millis| -> Vec<(u16, u16)> {
            let pieces = pieces(millis);
            pieces
                .iter()
                .map(|delay| (delay.over, delay.under))
                .collect()
        };
        assert_eq!(shown(0), [(0, 1000)]);
        assert_eq!(shown(65_535), [(65_535, 1000)]);
        assert_eq!(shown(65_536), [(65, 1), (536, 1000)]);
        assert_eq!(shown(86_400_001), [(65_535, 1), (20_865, 1), (1, 1000)]);
    }
}
