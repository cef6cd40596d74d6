//! Options for drawing a screen in any format.
//!
//! The options have the same meaning for pixels, SVG and HTML. Lengths are in pixels before
//! scaling.
//!
//! See also: `layout/window.rs` (the window around the cells), `font.rs` (fonts for pixels).

use crate::Window;

/// Options for drawing a screen.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderOptions {
    /// Font size.
    pub font_size: f32,
    /// Extra space between letters.
    pub letter_spacing: f32,
    /// Height of a row as a factor of the font's line height.
    pub line_height: f32,
    /// Pixels per unit of length: everything grows, letters stay sharp.
    pub scale: Scale,
    /// Whether the cursor is drawn where the program shows it.
    pub cursor: CursorVisibility,
    /// How bold affects the first eight colours.
    pub bold: Bold,
    /// The window around the cells.
    pub window: Window,
    /// CSS font families for SVG and HTML. A viewer that has none of them uses its own font;
    /// columns align all the same. Pixels are drawn with [`Fonts`](crate::Fonts).
    pub font_family: String,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            font_size: 16.0,
            letter_spacing: 0.0,
            line_height: 1.0,
            scale: Scale::One,
            cursor: CursorVisibility::Shown,
            bold: Bold::Keeps,
            window: Window::default(),
            font_family:
                "ui-monospace, 'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
                    .to_owned(),
        }
    }
}

impl RenderOptions {
    /// Maximum of margin, padding, corner radius and bar height. A larger value is a mistake and
    /// would only cost memory.
    pub const MAX_SURROUND: usize = 4096;

    /// Maximum for a requested width or height of the picture: as much as four screens side by
    /// side.
    pub const MAX_SIDE: usize = 16384;

    /// Checks that all options are in range; the error names the first that is not.
    pub fn check(&self) -> Result<(), RenderOptionsError> {
        let size = self.font_size;
        within("font size", size, 4.0, 256.0)?;
        within(
            "letter spacing",
            self.letter_spacing,
            -size / 4.0,
            4.0 * size,
        )?;
        within("line height", self.line_height, 0.5, 4.0)?;
        let Window {
            padding,
            margin,
            radius,
            bar_size,
            min_width,
            min_height,
            ..
        } = self.window;
        let around = [
            ("padding", padding),
            ("margin", margin),
            ("border radius", radius),
            ("window bar size", bar_size),
        ];
        around.into_iter().try_for_each(|(name, value)| {
            within(name, value as f32, 0.0, RenderOptions::MAX_SURROUND as f32)
        })?;
        let least = [("minimum width", min_width), ("minimum height", min_height)];
        least.into_iter().try_for_each(|(name, value)| {
            within(name, value as f32, 0.0, RenderOptions::MAX_SIDE as f32)
        })
    }
}

fn within(name: &'static str, value: f32, least: f32, most: f32) -> Result<(), RenderOptionsError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(RenderOptionsError {
            name,
            value,
            least,
            most,
        })
    }
}

/// An option that is out of range or not a number.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{name} `{value}` is out of range: {least} to {most}")]
#[non_exhaustive]
pub struct RenderOptionsError {
    /// Name of the option.
    pub name: &'static str,
    /// The requested value.
    pub value: f32,
    /// The minimum.
    pub least: f32,
    /// The maximum.
    pub most: f32,
}

/// Pixels per unit of length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Scale {
    /// One.
    #[default]
    One,
    /// Two in each direction, for high-density displays.
    Two,
}

impl Scale {
    pub(crate) fn times(self, length: usize) -> usize {
        match self {
            Scale::One => length,
            Scale::Two => length.saturating_mul(2),
        }
    }

    pub(crate) fn factor(self) -> f32 {
        self.times(1) as f32
    }
}

/// Whether the cursor is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CursorVisibility {
    /// Where the program shows it.
    #[default]
    Shown,
    /// Never.
    Hidden,
}

/// How bold affects the first eight colours of the palette, in addition to the thick letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Bold {
    /// Not at all, as in State JSON and in Ghostty, kitty and Alacritty.
    #[default]
    Keeps,
    /// They become their bright variants, as in xterm and VHS. Programs made for these terminals,
    /// such as dialog, draw edges this way.
    Brightens,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(options: &RenderOptions, message: &str) {
        let error = options.check().expect_err("it is out of range");
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn an_option_out_of_range_is_named_with_its_range() {
        for font_size in [0.0, f32::NAN, 1e9] {
            let options = RenderOptions {
                font_size,
                ..RenderOptions::default()
            };
            let message = format!("font size `{font_size}` is out of range: 4 to 256");
            check(&options, &message);
        }
        let options = RenderOptions {
            letter_spacing: -5.0,
            ..RenderOptions::default()
        };
        check(&options, "letter spacing `-5` is out of range: -4 to 64");
        let options = RenderOptions {
            line_height: f32::NAN,
            ..RenderOptions::default()
        };
        check(&options, "line height `NaN` is out of range: 0.5 to 4");
        let options = RenderOptions {
            window: Window {
                margin: 5000,
                ..Window::default()
            },
            ..RenderOptions::default()
        };
        check(&options, "margin `5000` is out of range: 0 to 4096");
    }
}
