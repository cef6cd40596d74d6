//! What surrounds the screen in a picture, under the names that VHS and Betamax have for it.

use clap::{Args, ValueEnum};
use screentest::core::Rgb;
use screentest::render::{Bar, Fill, Window};

use super::number::pixels;

/// What a command may be told about the window.
#[derive(Debug, Args)]
pub(super) struct Surround {
    /// A bar above the screen: with buttons in three colours or rings, on the left or on the right
    #[arg(long, value_enum, value_name = "B", ignore_case = true)]
    window_bar: Option<WindowBar>,
    /// How high the bar is, 30 unless told otherwise
    #[arg(long, value_name = "PX", value_parser = pixels, allow_negative_numbers = true)]
    window_bar_size: Option<usize>,
    /// What stands in the bar
    #[arg(long, value_name = "TEXT")]
    window_title: Option<String>,
    /// Space around the screen in its own colour, 8 unless told otherwise
    #[arg(long, value_name = "PX", value_parser = pixels, allow_negative_numbers = true)]
    padding: Option<usize>,
    /// Space around the window
    #[arg(long, value_name = "PX", value_parser = pixels, allow_negative_numbers = true)]
    margin: Option<usize>,
    /// What the margin and the corners are filled with: a colour as in `#6b50ff` or `#fff`, `theme`
    /// for a shade between the theme's background and its text (unless told otherwise), or `clear`
    #[arg(long, value_name = "FILL", value_parser = fill)]
    margin_fill: Option<Fill>,
    /// How round the corners of the window are
    #[arg(long, value_name = "PX", value_parser = pixels, allow_negative_numbers = true)]
    border_radius: Option<usize>,
}

/// The bar, by its names.
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

impl Surround {
    /// The first option that was given, if any was.
    pub(super) fn given(&self) -> Option<&'static str> {
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

    /// What was asked.
    pub(super) fn window(&self) -> Window {
        let usual = Window::default();
        // Who gives a bar a height or a title wants to see one.
        let wanted = self.window_bar_size.is_some() || self.window_title.is_some();
        let bar = match self.window_bar {
            Some(WindowBar::None) => Bar::None,
            Some(WindowBar::Colorful) => Bar::Colorful,
            Some(WindowBar::ColorfulRight) => Bar::ColorfulRight,
            Some(WindowBar::Rings) => Bar::Rings,
            Some(WindowBar::RingsRight) => Bar::RingsRight,
            None if wanted => Bar::Colorful,
            None => usual.bar,
        };
        Window {
            padding: self.padding.unwrap_or(usual.padding),
            margin: self.margin.unwrap_or(usual.margin),
            margin_fill: self.margin_fill.unwrap_or(usual.margin_fill),
            radius: self.border_radius.unwrap_or(usual.radius),
            bar,
            bar_size: self.window_bar_size.unwrap_or(usual.bar_size),
            title: self.window_title.clone().unwrap_or_default(),
            ..usual
        }
    }
}

fn fill(text: &str) -> Result<Fill, String> {
    match text {
        "theme" => Ok(Fill::Theme),
        "clear" | "none" | "transparent" => Ok(Fill::Clear),
        _ => match Rgb::parse(text).or_else(|| short(text)) {
            Some(color) => Ok(Fill::Color(color)),
            None => Err("neither a colour as in `#6b50ff`, nor `theme`, nor `clear`".to_owned()),
        },
    }
}

/// A colour with one digit for each part, as CSS has them: `#f0a` is `#ff00aa`.
fn short(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 3)?;
    let doubled: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
    Rgb::parse(&format!("#{doubled}"))
}
