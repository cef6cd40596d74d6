//! Styles as xterm reports them.

use screentest_core::{Attributes, Color, Rgb, Style, Underline};

/// Parses the parameters of a report, such as `0;1;38:5:200`. `None` if one is not known.
pub(super) fn parse(parameters: &str) -> Option<Style> {
    let mut style = Style::default();
    for parameter in parameters.split(';') {
        if let Some((kind, color)) = parameter.split_once(':') {
            let color = extended(color)?;
            match kind {
                "38" => style.fg = color,
                "48" => style.bg = color,
                _ => return None,
            }
            continue;
        }
        match parameter.parse::<u8>().ok()? {
            0 => style = Style::default(),
            1 => style.attributes |= Attributes::BOLD,
            2 => style.attributes |= Attributes::FAINT,
            3 => style.attributes |= Attributes::ITALIC,
            4 if style.underline == Underline::None => style.underline = Underline::Single,
            4 => {}
            5 => style.attributes |= Attributes::BLINK,
            7 => style.attributes |= Attributes::INVERSE,
            8 => style.attributes |= Attributes::INVISIBLE,
            9 => style.attributes |= Attributes::STRIKETHROUGH,
            21 => style.underline = Underline::Double,
            color @ 30..=37 => style.fg = Color::Indexed(color - 30),
            color @ 40..=47 => style.bg = Color::Indexed(color - 40),
            color @ 90..=97 => style.fg = Color::Indexed(color - 90 + 8),
            color @ 100..=107 => style.bg = Color::Indexed(color - 100 + 8),
            _ => return None,
        }
    }
    Some(style)
}

/// Parses `5:INDEX` or `2::RED:GREEN:BLUE`.
fn extended(text: &str) -> Option<Color> {
    let numbers: Vec<&str> = text.split(':').collect();
    match numbers.as_slice() {
        ["5", index] => index.parse().ok().map(Color::Indexed),
        ["2", _, r, g, b] => {
            let part = |text: &str| text.parse().ok();
            Some(Color::Rgb(Rgb::new(part(r)?, part(g)?, part(b)?)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_parsed() {
        let style = parse("0;1;21;38:2::1:2:3;104").unwrap();
        assert_eq!(style.attributes, Attributes::BOLD);
        assert_eq!(style.underline, Underline::Double);
        assert_eq!(style.fg, Color::Rgb(Rgb::new(1, 2, 3)));
        assert_eq!(style.bg, Color::Indexed(12));
        assert_eq!(parse("0;48:5:200").unwrap().bg, Color::Indexed(200));
        assert_eq!(parse("77"), None);
    }
}
