//! Images as PNG files inside of SVG and HTML.

use std::fmt::Write;

use screentest_core::ImagePlacement;
use screentest_core::screen::image::ImageRect;

use crate::Pixels;
use crate::image::ImageCache;
use crate::png::encode;

/// How many pixels an embedded image has for each pixel in which it is drawn, at most: enough for
/// displays of high density.
const DENSITY: u32 = 2;

/// Returns the visible part of an image as the address of a PNG file that contains it. `None` if
/// the image cannot be decoded.
pub(super) fn data_uri(placed: &ImagePlacement, cache: &ImageCache) -> Option<String> {
    let ImageRect { width, height, .. } = placed.source;
    let most = |drawn: u32| drawn.saturating_mul(DENSITY);
    let width = width.min(most(placed.drawn.width)) as usize;
    let height = height.min(most(placed.drawn.height)) as usize;
    let pixels = cache.resized(placed, width, height)?;
    Some(png_uri(&pixels))
}

fn png_uri(pixels: &Pixels) -> String {
    let file = encode(pixels).unwrap_or_default();
    let mut uri = String::with_capacity(22 + file.len().div_ceil(3) * 4);
    uri.push_str("data:image/png;base64,");
    for group in file.chunks(3) {
        const ALPHABET: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let bits = group
            .iter()
            .zip([16, 8, 0])
            .fold(0, |bits, (byte, shift)| bits | usize::from(*byte) << shift);
        for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            if index <= group.len() {
                uri.push(char::from(ALPHABET[bits >> shift & 63]));
            } else {
                uri.push('=');
            }
        }
    }
    uri
}

/// Returns a description for people who cannot see the image.
pub(super) fn description(placed: &ImagePlacement) -> String {
    let mut text = String::new();
    let _ = write!(
        text,
        "{} image {} of {} pixels",
        placed.kind.name(),
        placed.image.hash(),
        placed.image.size()
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_uri_is_the_png_in_base64() {
        let uri = png_uri(&Pixels::filled(1, 1, [255, 0, 0, 255]));
        let data = uri
            .strip_prefix("data:image/png;base64,")
            .expect("a prefix");
        assert!(data.starts_with("iVBORw0KGgo"), "{data}");
        assert!(
            data.ends_with("AAElFTkSuQmCC") || data.ends_with('='),
            "{data}"
        );
        assert_eq!(data.len() % 4, 0);
    }
}
