//! Search for text by its style.

use std::fmt;

use super::region::Region;
use super::run;
use crate::{Attributes, Color, Match, Style, Underline};

/// A style to search for. Fields that are not set match anything; with no field set, all text is
/// found.
///
/// Colours are those that the program set: inverse text keeps its own colours, and themes are not
/// applied.
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
    /// The foreground colour.
    pub fg: Option<Color>,
    /// The background colour.
    pub bg: Option<Color>,
    /// The underline.
    pub underline: Option<Underlined>,
    /// The colour of the underline.
    pub underline_color: Option<Color>,
    /// Attributes that must all be on.
    pub on: Attributes,
    /// Attributes that must all be off.
    pub off: Attributes,
}

/// Which underline a text must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Underlined {
    /// Any underline.
    Somehow,
    /// Exactly this one; [`Underline::None`] for text without an underline.
    By(Underline),
}

impl Styled {
    /// Matches text in any style.
    pub fn new() -> Styled {
        Styled::default()
    }

    /// Requires this foreground colour.
    #[must_use]
    pub fn fg(self, color: Color) -> Styled {
        Styled {
            fg: Some(color),
            ..self
        }
    }

    /// Requires this background colour.
    #[must_use]
    pub fn bg(self, color: Color) -> Styled {
        Styled {
            bg: Some(color),
            ..self
        }
    }

    /// Requires an underline of any kind.
    #[must_use]
    pub fn underlined(self) -> Styled {
        Styled {
            underline: Some(Underlined::Somehow),
            ..self
        }
    }

    /// Requires this kind of underline.
    #[must_use]
    pub fn underline(self, line: Underline) -> Styled {
        Styled {
            underline: Some(Underlined::By(line)),
            ..self
        }
    }

    /// Requires this underline colour, whether or not the text is underlined.
    #[must_use]
    pub fn underline_color(self, color: Color) -> Styled {
        Styled {
            underline_color: Some(color),
            ..self
        }
    }

    /// Requires all of these attributes to be on.
    #[must_use]
    pub fn with(self, attributes: Attributes) -> Styled {
        Styled {
            on: self.on | attributes,
            ..self
        }
    }

    /// Requires all of these attributes to be off.
    #[must_use]
    pub fn without(self, attributes: Attributes) -> Styled {
        Styled {
            off: self.off | attributes,
            ..self
        }
    }

    /// Requires bold text.
    #[must_use]
    pub fn bold(self) -> Styled {
        self.with(Attributes::BOLD)
    }

    /// Requires inverse text, which menus use to mark the selected line.
    #[must_use]
    pub fn inverse(self) -> Styled {
        self.with(Attributes::INVERSE)
    }

    /// Returns whether a cell's style satisfies all requirements.
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

    /// Lists how a style that does not fit differs: `not bold`, `foreground 4`.
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

    pub(super) fn all(&self, region: Region<'_>) -> Vec<Match> {
        run::all(region, |cell| self.fits(cell.style).then_some(()))
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

/// Lists the requirements: `text styled bold, not faint, foreground 1, background #202020`.
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
