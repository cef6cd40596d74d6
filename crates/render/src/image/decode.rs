//! Decodes images to pixels.
//!
//! The size of each image was read from its header and is within the limits of
//! `screentest_core::screen::image`, so a decoder allocates at most a few times that many pixels. A
//! file whose data does not match its header, or is damaged, has no pixels.

use std::io::Cursor;

use screentest_core::screen::image::{ImageFormat, Tiff};
use screentest_core::{ImageContent, ImageData, ImageSize};

use crate::{Pixel, Pixels};

/// Maximum memory of a decoder, in bytes: the largest image with 16 bits per channel, and room for
/// its tables.
const MAX_DECODER: usize = 96 << 20;

/// Decodes an image; `None` if that is not possible or its data is missing.
pub(super) fn pixels(image: &ImageContent) -> Option<Pixels> {
    let size = image.size();
    let data = match image.data() {
        ImageData::Rgba(bytes) => bytes.as_chunks::<4>().0.to_vec(),
        ImageData::File(ImageFormat::Png, file) => png(file, size)?,
        ImageData::File(ImageFormat::Jpeg, file) => jpeg(file, size)?,
        ImageData::File(ImageFormat::Gif, file) => gif(file, size)?,
        ImageData::File(ImageFormat::Tiff, file) => tiff(file, size)?,
        _ => return None,
    };
    Pixels::of(size.width as usize, size.height as usize, data)
}

fn png(file: &[u8], size: ImageSize) -> Option<Vec<Pixel>> {
    let limits = png::Limits { bytes: MAX_DECODER };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let length = reader.output_buffer_size()?;
    if length as u64 > size.pixels() * 4 {
        return None;
    }
    let mut buffer = vec![0; length];
    let info = reader.next_frame(&mut buffer).ok()?;
    if (info.width, info.height) != (size.width, size.height) {
        return None;
    }
    let buffer = &buffer[..info.buffer_size()];
    Some(match info.color_type {
        png::ColorType::Grayscale => buffer
            .iter()
            .map(|grey| [*grey, *grey, *grey, 255])
            .collect(),
        png::ColorType::GrayscaleAlpha => {
            let pixels = buffer.as_chunks::<2>().0.iter();
            pixels
                .map(|[grey, alpha]| [*grey, *grey, *grey, *alpha])
                .collect()
        }
        png::ColorType::Rgb => opaque(buffer),
        png::ColorType::Rgba => buffer.as_chunks::<4>().0.to_vec(),
        png::ColorType::Indexed => return None,
    })
}

fn jpeg(file: &[u8], size: ImageSize) -> Option<Vec<Pixel>> {
    let mut decoder = jpeg_decoder::Decoder::new(Cursor::new(file));
    decoder.set_max_decoding_buffer_size(MAX_DECODER);
    let buffer = decoder.decode().ok()?;
    let info = decoder.info()?;
    if (u32::from(info.width), u32::from(info.height)) != (size.width, size.height) {
        return None;
    }
    Some(match info.pixel_format {
        jpeg_decoder::PixelFormat::L8 => buffer
            .iter()
            .map(|grey| [*grey, *grey, *grey, 255])
            .collect(),
        jpeg_decoder::PixelFormat::RGB24 => opaque(&buffer),
        jpeg_decoder::PixelFormat::CMYK32 => {
            let pixels = buffer.as_chunks::<4>().0.iter();
            let part = |ink: u8, black: u8| (u16::from(ink) * u16::from(black) / 255) as u8;
            // Such files store the inverse of the inks.
            pixels
                .map(|[c, m, y, k]| [part(*c, *k), part(*m, *k), part(*y, *k), 255])
                .collect()
        }
        jpeg_decoder::PixelFormat::L16 => return None,
    })
}

/// Decodes the first frame on the canvas of the animation.
fn gif(file: &[u8], size: ImageSize) -> Option<Vec<Pixel>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    options.set_memory_limit(gif::MemoryLimit::Bytes(std::num::NonZeroU64::new(
        MAX_DECODER as u64,
    )?));
    let mut decoder = options.read_info(Cursor::new(file)).ok()?;
    let canvas = (u32::from(decoder.width()), u32::from(decoder.height()));
    if canvas != (size.width, size.height) {
        return None;
    }
    let frame = decoder.read_next_frame().ok()??;
    let width = size.width as usize;
    let mut pixels = vec![[0; 4]; size.pixels() as usize];
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let frame_width = usize::from(frame.width).max(1);
    let lines = frame.buffer.as_chunks::<4>().0.chunks(frame_width);
    for (line, to) in lines.zip(pixels.chunks_mut(width).skip(top)) {
        for (pixel, to) in line.iter().zip(to.iter_mut().skip(left)) {
            *to = *pixel;
        }
    }
    Some(pixels)
}

/// Decodes an uncompressed file of 8 bits per channel, in strips, which is what `chafa` writes.
fn tiff(file: &[u8], size: ImageSize) -> Option<Vec<Pixel>> {
    const COMPRESSION: u16 = 259;
    const PHOTOMETRIC: u16 = 262;
    const STRIP_OFFSETS: u16 = 273;
    const CHANNELS: u16 = 277;
    const ROWS_PER_STRIP: u16 = 278;
    const BITS: u16 = 258;
    const PLANAR: u16 = 284;
    let tiff = Tiff { file };
    let channels = tiff.first(CHANNELS)? as usize;
    let is_plain = tiff.first(COMPRESSION).unwrap_or(1) == 1
        && tiff.first(PHOTOMETRIC) == Some(2)
        && tiff.first(PLANAR).unwrap_or(1) == 1
        && matches!(channels, 3 | 4)
        && (0..channels).all(|channel| tiff.nth(BITS, channel) == Some(8));
    if !is_plain {
        return None;
    }
    let (width, height) = (size.width as usize, size.height as usize);
    let rows = tiff
        .first(ROWS_PER_STRIP)
        .map_or(height, |rows| (rows as usize).clamp(1, height));
    let mut pixels = Vec::with_capacity(width * height);
    for strip in 0..height.div_ceil(rows) {
        let start = tiff.nth(STRIP_OFFSETS, strip)? as usize;
        let length = rows.min(height - strip * rows) * width * channels;
        let bytes = file.get(start..start.checked_add(length)?)?;
        match channels {
            3 => pixels.extend(opaque(bytes)),
            _ => pixels.extend_from_slice(bytes.as_chunks::<4>().0),
        }
    }
    Some(pixels)
}

fn opaque(rgb: &[u8]) -> Vec<Pixel> {
    let pixels = rgb.as_chunks::<3>().0.iter();
    pixels.map(|[r, g, b]| [*r, *g, *b, 255]).collect()
}
