//! Finding text by how it is drawn.

use std::fmt;

use super::area::Area;
use super::run;
use crate::{Attributes, Color, Match, Style, Underline};

/// How text must be drawn to be found. What is not mentioned may be anything; with nothing mentioned, all text is found.
///
/// Colours are those that the program set: inverse text keeps its own, and a theme changes none.
///
/// ```
/// use screentest_core::query::selector::Styled;
/// use screentest_core::{Attributes, Color};
///
/// let error = Styled::new().bold().fg(Color::Indexed(1));
/// let current = Styled::new().with(Attributes::INVERSE).without(Attributes::FAINT);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Styled {
    /// The colour of the text.
    pub fg: Option<Color>,
    /// The colour behind it.
    pub bg: Option<Color>,
    /// The line under it.
    pub underline: Option<Underlined>,
    /// That line's colour.
    pub underline_color: Option<Color>,
    /// All of these must be on.
    pub on: Attributes,
    /// None of these may be on.
    pub off: Attributes,
}

/// Which line must be under a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Underlined {
    /// Any line at all.
    Somehow,
    /// This one; [`Underline::None`] for text without a line.
    By(Underline),
}

impl Styled {
    /// Text that may be drawn in any way.
    pub fn new() -> Styled {
        Styled::default()
    }

    /// Text in this colour.
    #[must_use]
    pub fn fg(self, color: Color) -> Styled {
        Styled {
            fg: Some(color),
            ..self
        }
    }

    /// Text on this colour.
    #[must_use]
    pub fn bg(self, color: Color) -> Styled {
        Styled {
            bg: Some(color),
            ..self
        }
    }

    /// Text with any line under it.
    #[must_use]
    pub fn underlined(self) -> Styled {
        Styled {
            underline: Some(Underlined::Somehow),
            ..self
        }
    }

    /// Text with this line under it.
    #[must_use]
    pub fn underline(self, line: Underline) -> Styled {
        Styled {
            underline: Some(Underlined::By(line)),
            ..self
        }
    }

    /// Text with a line of this colour under it.
    #[must_use]
    pub fn underline_color(self, color: Color) -> Styled {
        Styled {
            underline_color: Some(color),
            ..self
        }
    }

    /// Text with all of these on.
    #[must_use]
    pub fn with(self, attributes: Attributes) -> Styled {
        Styled {
            on: self.on | attributes,
            ..self
        }
    }

    /// Text with none of these on.
    #[must_use]
    pub fn without(self, attributes: Attributes) -> Styled {
        Styled {
            off: self.off | attributes,
            ..self
        }
    }

    /// Bold text.
    #[must_use]
    pub fn bold(self) -> Styled {
        self.with(Attributes::BOLD)
    }

    /// Inverse text, as menus mark the line that is chosen.
    #[must_use]
    pub fn inverse(self) -> Styled {
        self.with(Attributes::INVERSE)
    }

    /// Whether a cell of this style is what is meant.
    pub fn fits(&self, style: &Style) -> bool {
        let is = |wanted: Option<Color>, color| wanted.is_none_or(|wanted| wanted == color);
        is(self.fg, style.fg)
            && is(self.bg, style.bg)
            && is(self.underline_color, style.underline_color)
            && style.attributes.contains(self.on)
            && !style.attributes.intersects(self.off)
            && match self.underline {
                None => true,
                Some(Underlined::Somehow) => style.underline != Underline::None,
                Some(Underlined::By(line)) => style.underline == line,
            }
    }

    /// What a style that does not fit has instead: `not bold`, `foreground 4`.
    pub(crate) fn amiss(&self, style: &Style) -> Vec<String> {
        let off = names(self.on - style.attributes).map(|name| format!("not {name}"));
        let on = names(self.off & style.attributes);
        let mut said: Vec<String> = off.chain(on).collect();
        let line = match self.underline {
            None => None,
            Some(Underlined::Somehow) => Some(style.underline != Underline::None),
            Some(Underlined::By(line)) => Some(style.underline == line),
        };
        said.extend((line == Some(false)).then(|| underline(style.underline)));
        for (what, wanted, color) in [
            ("foreground", self.fg, style.fg),
            ("background", self.bg, style.bg),
            (
                "underline colour",
                self.underline_color,
                style.underline_color,
            ),
        ] {
            let other = wanted.is_some_and(|wanted| wanted != color);
            said.extend(other.then(|| colored(what, color)));
        }
        said
    }

    pub(super) fn all(&self, area: Area<'_>) -> Vec<Match> {
        run::all(area, |cell| self.fits(cell.style).then_some(()))
    }
}

fn names(attributes: Attributes) -> impl Iterator<Item = String> {
    let names = attributes.iter_names();
    names.map(|(name, _)| name.to_lowercase().replace('_', " "))
}

fn underline(line: Underline) -> String {
    match line {
        Underline::None => "not underlined".to_owned(),
        line => format!("{line:?} underline").to_lowercase(),
    }
}

fn colored(what: &str, color: Color) -> String {
    match color {
        Color::Default => format!("default {what}"),
        Color::Indexed(index) => format!("{what} {index}"),
        Color::Rgb(rgb) => format!("{what} {rgb}"),
    }
}

/// What is mentioned: `text styled bold, not faint, foreground 1, background #202020`.
impl fmt::Display for Styled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said: Vec<String> = names(self.on).collect();
        said.extend(names(self.off).map(|name| format!("not {name}")));
        said.extend(self.underline.map(|line| match line {
            Underlined::Somehow => "underlined".to_owned(),
            Underlined::By(line) => underline(line),
        }));
        for (what, color) in [
            ("foreground", self.fg),
            ("background", self.bg),
            ("underline colour", self.underline_color),
        ] {
            said.extend(color.map(|color| colored(what, color)));
        }
        if said.is_empty() {
            return f.write_str("text in any style");
        }
        write!(f, "text styled {}", said.join(", "))
    }
}
