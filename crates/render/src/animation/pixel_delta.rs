//! The pixels in which two pictures differ.
//!
//! A delta is the smallest rectangle around the changed pixels whose upper left corner is aligned.
//! Pixels inside it that stay the same are marked.

use std::ops::Range;

use crate::animation::palette::PaletteColor;
use crate::{Pixel, Pixels};

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PixelRect {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// A pixel of a delta: its colour, and whether it had the same colour before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeltaPixel(u32);

impl DeltaPixel {
    const SAME: u32 = 1 << 24;

    #[cfg(test)]
    pub(crate) fn changed(color: PaletteColor) -> DeltaPixel {
        DeltaPixel(color.0)
    }

    pub(crate) fn color(self) -> PaletteColor {
        PaletteColor(self.0 & !DeltaPixel::SAME)
    }

    /// Whether the pixel is unchanged.
    pub(crate) fn is_same(self) -> bool {
        self.0 & DeltaPixel::SAME != 0
    }
}

/// Returns the smallest rectangle around the differences within `rows`; `None` if there are no
/// differences. The left and upper edges of the rectangle are multiples of `align`.
pub(super) fn changed_rect(
    one: &Pixels,
    other: &Pixels,
    rows: Range<usize>,
    align: usize,
) -> Option<PixelRect> {
    let rows = rows.start.min(one.height())..rows.end.min(one.height());
    let differs = |y: &usize| one.row(*y) != other.row(*y);
    let top = rows.clone().find(differs)?;
    let bottom = rows.rev().find(differs)?;
    let (mut left, mut right) = (one.width(), 0);
    for y in top..=bottom {
        let mut pairs = one.row(y).iter().zip(other.row(y));
        // Only pixels outside the range found so far can extend it.
        if let Some(first) = pairs
            .clone()
            .take(left)
            .position(|(one, other)| one != other)
        {
            left = first;
        }
        let behind = pairs.len() - (right + 1).min(pairs.len());
        if let Some(last) = pairs
            .by_ref()
            .rev()
            .take(behind)
            .position(|(one, other)| one != other)
        {
            right = one.width() - 1 - last;
        }
    }
    // The first differing row may differ only in its first column, which the search from the right
    // does not reach.
    let right = right.max(left);
    let (x, y) = (left - left % align, top - top % align);
    Some(PixelRect {
        x,
        y,
        width: right + 1 - x,
        height: bottom + 1 - y,
    })
}

fn packed_rgb(pixel: Pixel) -> u32 {
    u32::from_le_bytes(pixel) & 0xff_ffff
}

/// Returns all pixels of a picture, as changed.
pub(super) fn all_pixels(canvas: &Pixels) -> Vec<DeltaPixel> {
    canvas
        .data()
        .iter()
        .map(|pixel| DeltaPixel(packed_rgb(*pixel)))
        .collect()
}

/// Returns the pixels of a rectangle; those that are already shown are marked.
pub(super) fn delta_pixels(shown: &Pixels, canvas: &Pixels, area: PixelRect) -> Vec<DeltaPixel> {
    let mut pixels = Vec::with_capacity(area.width * area.height);
    for y in area.y..area.y + area.height {
        let columns = area.x..area.x + area.width;
        let before = &shown.row(y)[columns.clone()];
        let pairs = before.iter().zip(&canvas.row(y)[columns]);
        pixels.extend(pairs.map(|(before, now)| {
            let same = u32::from(before == now) * DeltaPixel::SAME;
            DeltaPixel(packed_rgb(*now) | same)
        }));
    }
    pixels
}
