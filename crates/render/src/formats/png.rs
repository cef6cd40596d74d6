//! Encodes pixels as PNG.
//!
//! A picture of at most 256 colours has a palette and an index per pixel, in as few bits as
//! possible; others have red, green and blue. The palette is in the order of first use, so that
//! equal pictures are equal files.

use png::chunk::IDAT;
use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};

use crate::{Pixel, Pixels};

mod deflate;

/// Compression level. Compared with level 2, a page of code takes 20 % more time and a third fewer
/// bytes. Level 6, the default, which animations use, takes longer still and saves another 2.5 %.
const LEVEL: u8 = 5;

/// Encodes a picture.
pub fn encode(pixels: &Pixels) -> Result<Vec<u8>, PngError> {
    let too_large = |_| PngError::TooLarge {
        width: pixels.width(),
        height: pixels.height(),
    };
    let width = u32::try_from(pixels.width()).map_err(too_large)?;
    let height = u32::try_from(pixels.height()).map_err(too_large)?;
    write(pixels, width, height).map_err(PngError::encode)
}

fn write(pixels: &Pixels, width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_depth(BitDepth::Eight);
    // Filters made every measured page larger, even in full colour: text repeats and has no
    // gradients.
    encoder.set_filter(Filter::NoFilter);
    encoder.set_deflate_compression(DeflateCompression::Level(LEVEL));
    if let Some(indexed) = IndexedImage::of(pixels) {
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(indexed.depth());
        encoder.set_palette(indexed.palette());
        if let Some(opacities) = indexed.opacities() {
            encoder.set_trns(opacities);
        }
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&indexed.packed(pixels.width()))?;
        writer.finish()?;
    } else if let Some(compressed) = deflate::compress(pixels) {
        encoder.set_color(ColorType::Rgb);
        let mut writer = encoder.write_header()?;
        writer.write_chunk(IDAT, &compressed)?;
        writer.finish()?;
    } else {
        encoder.set_color(ColorType::Rgba);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(pixels.data().as_flattened())?;
        writer.finish()?;
    }
    Ok(bytes)
}

/// Reasons why a picture cannot be encoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// A side is longer than the format supports.
    #[error("a picture of {width}×{height} pixels does not fit into a PNG")]
    TooLarge {
        /// Width in pixels.
        width: usize,
        /// Height in pixels.
        height: usize,
    },
    /// The picture has no pixels, or there is not enough memory.
    #[error("cannot write a PNG")]
    Encode(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl PngError {
    fn encode(source: png::EncodingError) -> PngError {
        PngError::Encode(Box::new(source))
    }
}

/// A picture with a palette.
struct IndexedImage {
    colors: Vec<Pixel>,
    indexes: Vec<u8>,
}

impl IndexedImage {
    /// Pixels per comparison: two vector registers.
    const GROUP: usize = 16;

    /// Returns `None` if there are more than 256 colours.
    fn of(pixels: &Pixels) -> Option<IndexedImage> {
        let mut indexes = vec![0; pixels.data().len()];
        let Some(first) = pixels.data().first() else {
            let colors = Vec::new();
            return Some(IndexedImage { colors, indexes });
        };
        let mut table = ColorTable::new(*first);
        let mut last = (*first, 0);
        // Most groups of pixels have the colour of the pixel before them; a few wide comparisons
        // detect this.
        let groups = indexes.chunks_mut(IndexedImage::GROUP);
        for (indexes, pixels) in groups.zip(pixels.data().chunks(IndexedImage::GROUP)) {
            if pixels
                .iter()
                .fold(true, |same, pixel| same & (*pixel == last.0))
            {
                indexes.fill(last.1);
                continue;
            }
            for (slot, pixel) in indexes.iter_mut().zip(pixels) {
                last = (*pixel, table.index(*pixel)?);
                *slot = last.1;
            }
        }
        let colors = table.colors;
        Some(IndexedImage { colors, indexes })
    }

    fn depth(&self) -> BitDepth {
        match self.colors.len() {
            0..=2 => BitDepth::One,
            3..=4 => BitDepth::Two,
            5..=16 => BitDepth::Four,
            _ => BitDepth::Eight,
        }
    }

    fn palette(&self) -> Vec<u8> {
        let colors = self.colors.iter();
        colors.flat_map(|[r, g, b, _]| [*r, *g, *b]).collect()
    }

    fn opacities(&self) -> Option<Vec<u8>> {
        let opacities: Vec<u8> = self.colors.iter().map(|color| color[3]).collect();
        opacities.iter().any(|a| *a != 255).then_some(opacities)
    }

    /// Packs several small indexes into a byte; every line begins with a new byte.
    fn packed(self, width: usize) -> Vec<u8> {
        let bits = match self.depth() {
            BitDepth::One => 1,
            BitDepth::Two => 2,
            BitDepth::Four => 4,
            BitDepth::Eight | BitDepth::Sixteen => return self.indexes,
        };
        let in_byte = 8 / bits;
        let lines = self.indexes.chunks(width.max(1));
        let bytes = lines.flat_map(|line| line.chunks(in_byte));
        bytes
            .map(|indexes| {
                let joined = indexes.iter().fold(0, |byte, index| byte << bits | index);
                joined << (bits * (in_byte - indexes.len()))
            })
            .collect()
    }
}

/// Hash table from colours to indexes, with four times as many slots as colours. An empty slot
/// contains the first colour, so that every slot can be compared without checking whether it is
/// empty.
struct ColorTable {
    colors: Vec<Pixel>,
    slots: Box<[(Pixel, u8); ColorTable::SLOTS]>,
}

impl ColorTable {
    const SLOTS: usize = 1024;

    fn new(first: Pixel) -> ColorTable {
        ColorTable {
            colors: vec![first],
            slots: Box::new([(first, 0); ColorTable::SLOTS]),
        }
    }

    /// Returns `None` for the 257th colour.
    #[inline]
    fn index(&mut self, pixel: Pixel) -> Option<u8> {
        let hash = u32::from_le_bytes(pixel).wrapping_mul(0x9e37_79b1);
        let place = (hash >> 22) as usize;
        match self.slots[place] {
            (known, index) if known == pixel => Some(index),
            _ => self.search(pixel, place),
        }
    }

    fn search(&mut self, pixel: Pixel, mut place: usize) -> Option<u8> {
        loop {
            match self.slots[place] {
                (known, index) if known == pixel => return Some(index),
                (known, _) if known == self.colors[0] => break,
                _ => place = (place + 1) % ColorTable::SLOTS,
            }
        }
        let index = u8::try_from(self.colors.len()).ok()?;
        self.colors.push(pixel);
        self.slots[place] = (pixel, index);
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use screentest_fixtures::random::Random;

    use super::*;

    /// Writes a picture of the given colours and reads it back.
    fn read_back(width: usize, data: &[Pixel]) -> (BitDepth, ColorType, Vec<Pixel>) {
        let mut pixels = Pixels::filled(width, data.len() / width, [0; 4]);
        for (y, line) in data.chunks_exact(width).enumerate() {
            pixels.row_mut(y).copy_from_slice(line);
        }
        let bytes = encode(&pixels).expect("it has pixels");
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        decoder.set_transformations(png::Transformations::IDENTITY);
        let reader = decoder.read_info().expect("a PNG");
        let kind = (reader.info().bit_depth, reader.info().color_type);
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut read = vec![0; reader.output_buffer_size().expect("it is small")];
        reader.next_frame(&mut read).expect("its pixels");
        (kind.0, kind.1, read.as_chunks().0.to_vec())
    }

    fn colors(count: u32) -> Vec<Pixel> {
        (0..count.max(6) * 2)
            .map(|at| {
                let [r, g, ..] = (at % count).to_le_bytes();
                [r, g, 7, 255]
            })
            .collect()
    }

    #[track_caller]
    fn check(count: u32, depth: BitDepth, color: ColorType) {
        let data = colors(count);
        let read = read_back(data.len() / 2, &data);
        assert_eq!(read, (depth, color, data), "{count} colours");
    }

    #[test]
    fn few_colours_take_few_bits() {
        check(1, BitDepth::One, ColorType::Indexed);
        check(2, BitDepth::One, ColorType::Indexed);
        check(3, BitDepth::Two, ColorType::Indexed);
        check(5, BitDepth::Four, ColorType::Indexed);
        check(17, BitDepth::Eight, ColorType::Indexed);
        check(256, BitDepth::Eight, ColorType::Indexed);
        check(257, BitDepth::Eight, ColorType::Rgb);
    }

    #[test]
    fn transparent_pixels_stay_transparent() {
        let few = [[0, 0, 0, 0], [9, 9, 9, 128], [9, 9, 9, 255]];
        assert_eq!(read_back(3, &few).2, few);
        let mut many = colors(300);
        many[0][3] = 3;
        let (_, color, read) = read_back(many.len(), &many);
        assert_eq!((color, read), (ColorType::Rgba, many));
    }

    #[test]
    fn a_picture_without_pixels_is_refused() {
        let empty = Pixels::filled(0, 0, [0; 4]);
        assert!(matches!(encode(&empty), Err(PngError::Encode(_))));
    }

    /// Runs, lines equal to the one above and repeated pieces, near and beyond the maximum distance
    /// of the format.
    #[test]
    fn repetitions_in_full_colour_are_decoded_unchanged() {
        let mut random = Random::new(7);
        for width in [1, 2, 85, 86, 87, 172, 1356, 10_922, 12_000] {
            let mut data: Vec<Pixel> = colors(300);
            while data.len() < 4 * width.max(600) {
                let from = data.len() - 1 - random.below(data.len().min(2 * width + 9));
                match random.below(4) {
                    0 => data.extend([data[from]; 100].iter().take(1 + random.below(100))),
                    1 => data.extend_from_within(from..),
                    2 => data.push([random.below(256) as u8, random.below(256) as u8, 9, 255]),
                    _ => {
                        let above = data.len().saturating_sub(width);
                        data.extend_from_within(above..above + random.below(data.len() - above));
                    }
                }
            }
            data.truncate(data.len() / width * width);
            let (_, color, read) = read_back(width, &data);
            assert_eq!(color, ColorType::Rgb);
            assert!(read == data, "{width} pixels wide");
        }
    }

    proptest! {
        #[test]
        fn any_picture_is_decoded_unchanged(
            width in 1usize..40,
            data in prop::collection::vec(prop::sample::select(colors(400)), 40..400),
        ) {
            let data = &data[..data.len() / width * width];
            prop_assert_eq!(&read_back(width, data).2[..], data);
        }
    }
}
