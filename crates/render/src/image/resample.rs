//! Scales a part of an image.
//!
//! Each output pixel is a weighted mean of input pixels: a Catmull-Rom filter when enlarging, and
//! the same filter stretched to the scale when reducing, so that no input pixel is skipped. The two
//! directions are scaled one after the other. Colours are weighted with their alpha, so that
//! transparent pixels do not bleed. Integers only, so that every machine gives the same pixels.

use screentest_core::screen::image::ImageRect;

use crate::{Pixel, Pixels};

/// Weights are multiples of this fraction of one.
const ONE: i32 = 1 << 14;

/// Scales a part of an image to a size, which must not be 0.
pub(super) fn scaled(image: &Pixels, part: ImageRect, width: usize, height: usize) -> Pixels {
    let columns = part.x as usize..(part.x + part.width) as usize;
    let rows = part.y as usize..(part.y + part.height) as usize;
    let mut lines: Vec<&[Pixel]> = rows
        .map(|y| image.row(y).get(columns.clone()).unwrap_or_default())
        .collect();
    // A part outside the image is empty; it cannot come from a valid screen.
    lines.retain(|line| !line.is_empty());
    if lines.is_empty() {
        return Pixels::filled(width, height, [0; 4]);
    }
    if (lines[0].len(), lines.len()) == (width, height) {
        let mut copy = Pixels::filled(width, height, [0; 4]);
        for (y, line) in lines.iter().enumerate() {
            copy.row_mut(y).copy_from_slice(line);
        }
        return copy;
    }
    let across = weights(lines[0].len(), width);
    // Premultiplied, with 8 bits more precision than the result.
    let narrow: Vec<Vec<[i32; 4]>> = lines
        .iter()
        .map(|line| {
            let line: Vec<[i32; 4]> = line.iter().map(premultiplied).collect();
            across
                .iter()
                .map(|taps| mean(taps, |at| line[at]))
                .collect()
        })
        .collect();
    let mut out = Pixels::filled(width, height, [0; 4]);
    for (y, taps) in weights(narrow.len(), height).iter().enumerate() {
        for (x, pixel) in out.row_mut(y).iter_mut().enumerate() {
            *pixel = straight(mean(taps, |at| narrow[at][x]));
        }
    }
    out
}

/// The first input pixel of an output pixel, and the weights of it and those after it. They add up
/// to [`ONE`].
struct Taps {
    first: usize,
    weights: Vec<i32>,
}

/// Computes the weights for scaling one side from `from` pixels to `to`.
fn weights(from: usize, to: usize) -> Vec<Taps> {
    let ratio = from as f64 / to as f64;
    // When reducing, the filter covers as many input pixels as fall on an output pixel.
    let stretch = ratio.max(1.0);
    let reach = 2.0 * stretch;
    let taps = (0..to).map(|index| {
        let center = (index as f64 + 0.5) * ratio - 0.5;
        let first = ((center - reach).ceil().max(0.0)) as usize;
        let last = ((center + reach).floor() as usize).min(from - 1);
        let raw: Vec<f64> = (first..=last.max(first))
            .map(|at| catmull_rom((at as f64 - center) / stretch))
            .collect();
        let sum: f64 = raw.iter().sum();
        let mut weights: Vec<i32> = raw
            .iter()
            .map(|weight| (weight / sum * f64::from(ONE)).round() as i32)
            .collect();
        // The rounding error goes to the largest weight.
        let error = ONE - weights.iter().sum::<i32>();
        if let Some(largest) = weights.iter_mut().max_by_key(|weight| **weight) {
            *largest += error;
        }
        Taps { first, weights }
    });
    taps.collect()
}

/// The Catmull-Rom filter: 1 at 0, and 0 at all other whole numbers.
fn catmull_rom(distance: f64) -> f64 {
    let x = distance.abs();
    if x < 1.0 {
        1.0 + x * x * (1.5 * x - 2.5)
    } else if x < 2.0 {
        2.0 + x * (-4.0 + x * (2.5 - 0.5 * x))
    } else {
        0.0
    }
}

fn mean(taps: &Taps, pixel: impl Fn(usize) -> [i32; 4]) -> [i32; 4] {
    let mut sums = [0_i64; 4];
    for (weight, at) in taps.weights.iter().zip(taps.first..) {
        for (sum, part) in sums.iter_mut().zip(pixel(at)) {
            *sum += i64::from(*weight) * i64::from(part);
        }
    }
    sums.map(|sum| ((sum + i64::from(ONE) / 2) >> 14) as i32)
}

/// Multiplies the colours with alpha; all parts get 8 more bits.
fn premultiplied([r, g, b, a]: &Pixel) -> [i32; 4] {
    let alpha = i32::from(*a);
    let part = |part: u8| i32::from(part) * alpha * 256 / 255;
    [part(*r), part(*g), part(*b), alpha * 256]
}

fn straight([r, g, b, a]: [i32; 4]) -> Pixel {
    // The filter overshoots at edges.
    let alpha = a.clamp(0, 255 * 256);
    if alpha < 128 {
        return [0; 4];
    }
    let part = |part: i32| {
        let part = i64::from(part.clamp(0, alpha));
        ((part * 255 + i64::from(alpha) / 2) / i64::from(alpha)) as u8
    };
    [
        part(r),
        part(g),
        part(b),
        ((alpha + 128) / 256).min(255) as u8,
    ]
}
