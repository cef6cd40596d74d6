//! Options for the window around the screen in a picture, with the names that VHS and Betamax use.

use clap::{Args, ValueEnum};
use screentest::core::Rgb;
use screentest::render::{Bar, Fill, Window};

use crate::args::number::pixels;

/// The options for the window.
#[derive(Debug, Args)]
pub(super) struct WindowArgs {
    /// Draw a title bar with coloured buttons or rings, on the left or on the right
    #[arg(long, value_enum, value_name = "B", ignore_case = true)]
    window_bar: Option<WindowBar>,
    /// Height of the title bar [default: 30]
    #[arg(long, value_name = "PX", value_parser = pixels, allow_negative_numbers = true)]
    window_bar_size: Option<usize>,
    /// Text in the title bar
    #[arg(long, value_name = "TEXT")]
    window_title: Option<String>,
    /// Space between screen and window border, in the background colour [default: 8]
    #[arg(long, value_name = "PX", value_parser = pixels, allow_negative_numbers = true)]
    padding: Option<usize>,
    /// Space around the window
    #[arg(long, value_name = "PX", value_parser = pixels, allow_negative_numbers = true)]
    margin: Option<usize>,
    /// Colour of margin and corners: #6b50ff, #fff, `theme` (a shade of the theme), or `clear`
    /// (transparent) [default: theme]
    #[arg(long, value_name = "FILL", value_parser = fill)]
    margin_fill: Option<Fill>,
    /// Radius of the window's corners
    #[arg(long, value_name = "PX", value_parser = pixels, allow_negative_numbers = true)]
    border_radius: Option<usize>,
}

/// The title bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WindowBar {
    None,
    #[value(alias = "colourful")]
    Colorful,
    #[value(alias = "colorfulright")]
    ColorfulRight,
    Rings,
    #[value(alias = "ringsright")]
    RingsRight,
}

impl WindowArgs {
    /// Returns the first option that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        [
            (self.window_bar.is_some(), "--window-bar"),
            (self.window_bar_size.is_some(), "--window-bar-size"),
            (self.window_title.is_some(), "--window-title"),
            (self.padding.is_some(), "--padding"),
            (self.margin.is_some(), "--margin"),
            (self.margin_fill.is_some(), "--margin-fill"),
            (self.border_radius.is_some(), "--border-radius"),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }

    /// Returns the window that the options describe.
    pub(super) fn window(&self) -> Window {
        let default = Window::default();
        // A height or a title without `--window-bar` implies a bar.
        let wanted = self.window_bar_size.is_some() || self.window_title.is_some();
        let bar = match self.window_bar {
            Some(WindowBar::None) => Bar::None,
            Some(WindowBar::Colorful) => Bar::Colorful,
            Some(WindowBar::ColorfulRight) => Bar::ColorfulRight,
            Some(WindowBar::Rings) => Bar::Rings,
            Some(WindowBar::RingsRight) => Bar::RingsRight,
            None if wanted => Bar::Colorful,
            None => default.bar,
        };
        Window {
            padding: self.padding.unwrap_or(default.padding),
            margin: self.margin.unwrap_or(default.margin),
            margin_fill: self.margin_fill.unwrap_or(default.margin_fill),
            radius: self.border_radius.unwrap_or(default.radius),
            bar,
            bar_size: self.window_bar_size.unwrap_or(default.bar_size),
            title: self.window_title.clone().unwrap_or_default(),
            ..default
        }
    }
}

fn fill(text: &str) -> Result<Fill, String> {
    match text {
        "theme" => Ok(Fill::Theme),
        "clear" | "none" | "transparent" => Ok(Fill::Clear),
        _ => match Rgb::parse(text).or_else(|| parse_short_hex(text)) {
            Some(color) => Ok(Fill::Color(color)),
            None => Err("expected a colour such as `#6b50ff`, `theme`, or `clear`".to_owned()),
        },
    }
}

/// Parses a colour with one digit per channel, as in CSS: `#f0a` is `#ff00aa`.
fn parse_short_hex(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 3)?;
    let doubled: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
    Rgb::parse(&format!("#{doubled}"))
}
