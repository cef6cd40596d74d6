//! Converts a delta to palette indexes and decides which unchanged pixels are drawn and which are
//! transparent.
//!
//! An unchanged pixel can be written either way. Long runs of one index compress best, so such a
//! pixel continues the current run: it is drawn if its own colour is the colour of the run, and is
//! transparent otherwise.

use super::frame_delta::FrameDelta;
use crate::animation::palette::{Palette, PaletteColor};

/// Writes the palette indexes of a delta's pixels. `clear` is the index of transparent pixels; if
/// it is `None`, the palette must contain the colours of all pixels.
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

fn pick(
    palette: &Palette,
    clear: Option<u8>,
    color: PaletteColor,
    same: bool,
    run: Option<u8>,
) -> u8 {
    match (palette.index(color), clear) {
        (Some(number), _) if !same || run == Some(number) => number,
        (_, Some(clear)) => clear,
        (number, None) => number.expect("without a transparent index, every colour has an index"),
    }
}
