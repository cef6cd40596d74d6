//! Composes one layer over another, by the modes of the CSS Compositing specification.

use skrifa::color::CompositeMode;

use crate::Pixel;

/// A colour whose parts are multiplied by its alpha.
pub(super) type Premultiplied = [u8; 4];

/// Multiplies two parts of 255.
pub(super) fn times(one: u8, other: u8) -> u8 {
    ((u16::from(one) * u16::from(other) + 127) / 255) as u8
}

/// Returns a colour with straight alpha as far as it covers a pixel.
pub(super) fn premultiplied([r, g, b, alpha]: Pixel, coverage: u8) -> Premultiplied {
    let alpha = times(alpha, coverage);
    [times(r, alpha), times(g, alpha), times(b, alpha), alpha]
}

/// Returns a colour with straight alpha.
pub(super) fn straight([r, g, b, alpha]: Premultiplied) -> Pixel {
    let part = |part: u8| {
        let divisor = u16::from(alpha).max(1);
        ((u16::from(part) * 255 + divisor / 2) / divisor).min(255) as u8
    };
    [part(r), part(g), part(b), alpha]
}

/// Mixes two colours: 0 is the first, 255 the second.
pub(super) fn between(one: Premultiplied, other: Premultiplied, part: u8) -> Premultiplied {
    let mix = |at: usize| times(one[at], 255 - part).saturating_add(times(other[at], part));
    [mix(0), mix(1), mix(2), mix(3)]
}

/// Composes a source over a backdrop.
pub(super) fn composed(
    source: Premultiplied,
    backdrop: Premultiplied,
    mode: CompositeMode,
) -> Premultiplied {
    let (upper, lower) = (source[3], backdrop[3]);
    // Which part of the source and of the backdrop is left.
    let parts = match mode {
        CompositeMode::Clear => (0, 0),
        CompositeMode::Src => (255, 0),
        CompositeMode::Dest => (0, 255),
        CompositeMode::DestOver => (255 - lower, 255),
        CompositeMode::SrcIn => (lower, 0),
        CompositeMode::DestIn => (0, upper),
        CompositeMode::SrcOut => (255 - lower, 0),
        CompositeMode::DestOut => (0, 255 - upper),
        CompositeMode::SrcAtop => (lower, 255 - upper),
        CompositeMode::DestAtop => (255 - lower, upper),
        CompositeMode::Xor => (255 - lower, 255 - upper),
        CompositeMode::Plus => (255, 255),
        _ => (255, 255 - upper),
    };
    let sum = |at: usize| times(source[at], parts.0).saturating_add(times(backdrop[at], parts.1));
    let plain = [sum(0), sum(1), sum(2), sum(3)];
    let Some(blend) = blend_function(mode) else {
        return plain;
    };
    // Where both cover, the blended colour instead of the source's.
    let both = f32::from(upper) * f32::from(lower) / (255.0 * 255.0);
    let (one, other) = (straight(source), straight(backdrop));
    let part = |at: usize| {
        let unit = |part: u8| f32::from(part) / 255.0;
        let blended = blend(unit(other[at]), unit(one[at])).clamp(0.0, 1.0);
        let alone =
            f32::from(times(source[at], 255 - lower)) + f32::from(times(backdrop[at], 255 - upper));
        (alone + both * blended * 255.0).round().min(255.0) as u8
    };
    [part(0), part(1), part(2), plain[3]]
}

/// Returns the function of a backdrop and a source; `None` for modes without one.
fn blend_function(mode: CompositeMode) -> Option<fn(f32, f32) -> f32> {
    fn hard_light(backdrop: f32, source: f32) -> f32 {
        if source <= 0.5 {
            backdrop * 2.0 * source
        } else {
            screen(backdrop, 2.0 * source - 1.0)
        }
    }
    fn screen(backdrop: f32, source: f32) -> f32 {
        backdrop + source - backdrop * source
    }
    Some(match mode {
        CompositeMode::Multiply => |backdrop, source| backdrop * source,
        CompositeMode::Screen => screen,
        CompositeMode::Overlay => |backdrop, source| hard_light(source, backdrop),
        CompositeMode::HardLight => hard_light,
        CompositeMode::Darken => f32::min,
        CompositeMode::Lighten => f32::max,
        CompositeMode::Difference => |backdrop, source| (backdrop - source).abs(),
        CompositeMode::Exclusion => |backdrop, source| backdrop + source - 2.0 * backdrop * source,
        CompositeMode::ColorDodge => |backdrop, source| match (backdrop, source) {
            (0.0, _) => 0.0,
            (_, 1.0) => 1.0,
            _ => (backdrop / (1.0 - source)).min(1.0),
        },
        CompositeMode::ColorBurn => |backdrop, source| match (backdrop, source) {
            (1.0, _) => 1.0,
            (_, 0.0) => 0.0,
            _ => 1.0 - ((1.0 - backdrop) / source).min(1.0),
        },
        CompositeMode::SoftLight => |backdrop, source| {
            if source <= 0.5 {
                return backdrop - (1.0 - 2.0 * source) * backdrop * (1.0 - backdrop);
            }
            let light = if backdrop <= 0.25 {
                ((16.0 * backdrop - 12.0) * backdrop + 4.0) * backdrop
            } else {
                backdrop.sqrt()
            };
            backdrop + (2.0 * source - 1.0) * (light - backdrop)
        },
        // The modes of hue, saturation and luminosity are drawn as one colour over the other.
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Premultiplied = [255, 0, 0, 255];
    const BLUE: Premultiplied = [0, 0, 255, 255];
    const NOTHING: Premultiplied = [0; 4];
    const HALF_RED: Premultiplied = [128, 0, 0, 128];

    #[track_caller]
    fn check(
        mode: CompositeMode,
        source: Premultiplied,
        backdrop: Premultiplied,
        expected: Premultiplied,
    ) {
        assert_eq!(composed(source, backdrop, mode), expected, "{mode:?}");
    }

    #[test]
    fn modes_keep_what_they_are_named_after() {
        check(CompositeMode::SrcOver, RED, BLUE, RED);
        check(CompositeMode::SrcOver, NOTHING, BLUE, BLUE);
        check(CompositeMode::SrcOver, HALF_RED, BLUE, [128, 0, 127, 255]);
        check(CompositeMode::DestOver, RED, BLUE, BLUE);
        check(CompositeMode::SrcIn, RED, NOTHING, NOTHING);
        check(CompositeMode::SrcIn, RED, [0, 0, 128, 128], HALF_RED);
        check(CompositeMode::SrcOut, RED, BLUE, NOTHING);
        check(CompositeMode::DestIn, HALF_RED, BLUE, [0, 0, 128, 128]);
        check(CompositeMode::DestOut, HALF_RED, BLUE, [0, 0, 127, 127]);
        check(CompositeMode::SrcAtop, RED, NOTHING, NOTHING);
        check(CompositeMode::Xor, RED, BLUE, NOTHING);
        check(CompositeMode::Plus, RED, BLUE, [255, 0, 255, 255]);
        check(CompositeMode::Clear, RED, BLUE, NOTHING);
    }

    #[test]
    fn modes_that_blend_use_both_colours() {
        let (grey, yellow) = ([128, 128, 128, 255], [255, 255, 0, 255]);
        check(CompositeMode::Multiply, yellow, grey, [128, 128, 0, 255]);
        check(CompositeMode::Screen, yellow, grey, [255, 255, 128, 255]);
        check(CompositeMode::Darken, yellow, grey, [128, 128, 0, 255]);
        check(CompositeMode::Lighten, yellow, grey, [255, 255, 128, 255]);
        check(CompositeMode::Difference, yellow, grey, [127, 127, 128, 255]);
        // Without a backdrop, the source stays.
        check(CompositeMode::Multiply, yellow, NOTHING, yellow);
        check(CompositeMode::ColorBurn, NOTHING, grey, grey);
    }
}
