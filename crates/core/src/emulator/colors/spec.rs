//! Colours as programs write them: `#rgb`, `rgb:r/g/b`, `rgba:r/g/b/a`, `rgbi:r/g/b`, and names.
//!
//! The forms are those of X11 (`XParseColor`), which xterm defines the sequences by, and `rgba:`,
//! which rxvt added. X11's forms that depend on a monitor's calibration (`CIEXYZ:`, `TekHVC:`, …)
//! are not supported.

use super::names;
use crate::screen::style::Rgb;

/// Parses a colour. Returns `None` for anything else.
pub(super) fn parse(text: &[u8]) -> Option<Rgb> {
    let text = std::str::from_utf8(text).ok()?;
    if let Some(digits) = text.strip_prefix('#') {
        return hexadecimal(digits);
    }
    let Some((space, values)) = text.split_once(':') else {
        return names::find(text);
    };
    match &*space.to_ascii_lowercase() {
        "rgb" => rgb_of(values, scaled),
        "rgba" => {
            // Opacity is not supported: the colour is shown as if it were opaque.
            let (color, alpha) = values.rsplit_once('/')?;
            scaled(alpha)?;
            rgb_of(color, scaled)
        }
        "rgbi" => rgb_of(values, intensity),
        _ => None,
    }
}

/// Parses three values separated by slashes.
fn rgb_of(values: &str, value: impl Fn(&str) -> Option<u8>) -> Option<Rgb> {
    let mut values = values.split('/');
    let mut next = || value(values.next()?);
    let color = Rgb::new(next()?, next()?, next()?);
    values.next().is_none().then_some(color)
}

/// Parses `rgb`, `rrggbb`, `rrrgggbbb` or `rrrrggggbbbb`. The first two digits of a value count; a
/// single digit is the higher one, so `#fff` is `#f0f0f0`, as in X11.
fn hexadecimal(digits: &str) -> Option<Rgb> {
    let length = digits.len() / 3;
    if digits.len() != 3 * length {
        return None;
    }
    let value = |part: usize| {
        let part = digits.get(part * length..(part + 1) * length)?;
        let value = hex_number(part)?;
        // As 16 bits, of which a display has eight.
        Some(((value << (16 - 4 * length)) >> 8) as u8)
    };
    Some(Rgb::new(value(0)?, value(1)?, value(2)?))
}

/// Parses one to four hexadecimal digits as a fraction of the largest number with that many digits.
fn scaled(digits: &str) -> Option<u8> {
    let value = hex_number(digits)?;
    let most = (1 << (4 * digits.len())) - 1;
    // X11 scales to 16 bits, of which a display has eight.
    Some(((value * 0xffff / most) >> 8) as u8)
}

fn hex_number(digits: &str) -> Option<u32> {
    let is_valid =
        (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    // `from_str_radix` alone would accept a sign.
    if !is_valid {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

/// Parses an intensity of light, from 0 to 1. Twice the intensity is not twice the number of a
/// colour: the curve is that of sRGB. X11 has a measured table instead, which differs by up to 14
/// of 255.
fn intensity(text: &str) -> Option<u8> {
    let is_number = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    if !text.bytes().all(is_number) {
        return None;
    }
    let linear: f64 = text.parse().ok()?;
    if !(0.0..=1.0).contains(&linear) {
        return None;
    }
    let encoded = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    Some((255.0 * encoded).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, color: &str) {
        let found = parse(text.as_bytes());
        let found = found.map_or("none".to_owned(), |color| color.to_string());
        assert_eq!(found, color, "{text}");
    }

    // The results are those that xterm 379 reported.
    #[test]
    fn values_are_scaled_to_eight_bits() {
        check("rgb:1/2/3", "#112233");
        check("rgb:12/34/56", "#123456");
        check("rgb:123/456/789", "#124578");
        check("rgb:1234/5678/9abc", "#12569a");
        check("rgb:100/100/100", "#101010");
        check("rgb:0100/0101/01ff", "#010101");
        check("rgb:fff/0ff/7ff", "#ff0f7f");
        check("RGB:1/2/3", "#112233");
        check("rgb:a/bb/0", "#aabb00");
    }

    #[test]
    fn hexadecimal_digits_are_cut_or_padded() {
        check("#123", "#102030");
        check("#123456", "#123456");
        check("#123456789", "#124578");
        check("#123456789abc", "#12569a");
        check("#ABC", "#a0b0c0");
    }

    #[test]
    fn names_are_those_of_x11() {
        check("red", "#ff0000");
        check("RED", "#ff0000");
        check("light steel blue", "#b0c4de");
        check("LightSteelBlue", "#b0c4de");
        check("gray50", "#7f7f7f");
        check("green", "#00ff00");
        check("web green", "#008000");
        check("rebecca purple", "#663399");
    }

    #[test]
    fn intensities_follow_the_curve_of_srgb() {
        check("rgbi:1/1.0/0", "#ffff00");
        check("rgbi:.5/5e-1/0.25", "#bcbc89");
        check("rgbi:0.001/0/0", "#030000");
    }

    #[test]
    fn opacity_is_ignored() {
        check("rgba:ffff/8080/0/8080", "#ff8000");
        check("rgba:1/2/3/4", "#112233");
    }

    #[test]
    fn anything_else_is_no_colour() {
        for text in [
            "",
            "#",
            "#12",
            "#1234",
            "#12345",
            "#xyz",
            "#+12",
            "#1234567890123",
            "#é1",
            "rgb:12345/1/1",
            "rgb:/1/1",
            "rgb:1/1",
            "rgb:1/1/1/1",
            "rgb:gg/1/1",
            "rgb: 1/1/1",
            "rgb:+1/1/1",
            "rgba:1/2/3",
            "rgba:1/2/3/",
            "rgba:1/2/3/4/5",
            "rgbi:1/1",
            "rgbi:-1/0/0",
            "rgbi:1.5/0/0",
            "rgbi:nan/0/0",
            "rgbi:inf/0/0",
            "rgbi:/0/0",
            " red",
            "red ",
            "lightsteel blue",
            "none",
            "transparent",
            "?",
            "cmyk:1/2/3",
        ] {
            check(text, "none");
        }
        assert_eq!(parse(b"\xff"), None);
    }
}
