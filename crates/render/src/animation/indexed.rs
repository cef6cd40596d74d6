//! A cel as numbers of colours: which of its pixels are drawn, and which are left as they are.
//!
//! A pixel that does not change can be written either way. Long runs of one number compress best, so such a pixel goes on
//! with the run it stands in: it is drawn in the colour before it if that is its own, and else left as it is.

use super::frame_delta::FrameDelta;
use crate::animation::palette::{Color, Palette};

/// Writes the numbers of a cel's pixels. Where `clear`, the number that stands for a pixel that is left as it is, is missing,
/// the palette has the colours of all.
pub(crate) fn numbers(
    palette: &Palette,
    clear: Option<u8>,
    delta: &FrameDelta,
    numbers: &mut Vec<u8>,
) {
    numbers.clear();
    numbers.reserve(delta.pixels.len());
    let Some(first) = delta.pixels.first() else {
        return;
    };
    let mut last = *first;
    let mut number = pick(palette, clear, last.color(), last.is_same(), None);
    for pixel in &delta.pixels {
        if *pixel != last {
            last = *pixel;
            number = pick(palette, clear, last.color(), last.is_same(), Some(number));
        }
        numbers.push(number);
    }
}

fn pick(palette: &Palette, clear: Option<u8>, color: Color, same: bool, run: Option<u8>) -> u8 {
    match (palette.index(color), clear) {
        (Some(number), _) if !same || run == Some(number) => number,
        (_, Some(clear)) => clear,
        (number, None) => number.expect("without a number for what stays, all colours have one"),
    }
}
