//! The collections of named themes: our own, those of VHS, and those of Betamax.
//!
//! The colours are tables of text in `collection/`, whose heads name the sources and their
//! licences. Text compiles at once, and 800 names take 110 KB in the binary. A table is split into
//! lines when it is first used; colours are parsed when a theme is requested.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::Theme;
use crate::screen::style::Rgb;

/// A collection of named themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ThemeCollection {
    /// Our own themes, those of tuispec, and a few that the other collections lack.
    Screentest,
    /// The themes of VHS.
    Vhs,
    /// The themes of Betamax.
    Betamax,
}

impl ThemeCollection {
    /// All collections, by name.
    pub const ALL: [(&'static str, ThemeCollection); 3] = [
        ("screentest", ThemeCollection::Screentest),
        ("vhs", ThemeCollection::Vhs),
        ("betamax", ThemeCollection::Betamax),
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        let named = ThemeCollection::ALL
            .iter()
            .find(|(_, known)| *known == self);
        named.map_or("", |(name, _)| name)
    }

    /// Returns the themes, always in the same order.
    pub fn themes(self) -> impl Iterator<Item = Theme> {
        self.entries().iter().map(Entry::theme)
    }

    pub(super) fn entries(self) -> &'static [Entry] {
        match self {
            ThemeCollection::Screentest => &SCREENTEST,
            ThemeCollection::Vhs => &VHS,
            ThemeCollection::Betamax => &BETAMAX,
        }
    }
}

static SCREENTEST: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let built_in = BUILT_IN.iter().map(|theme| Entry {
        name: &theme.name,
        colors: Colors::BuiltIn(theme),
    });
    let table = entries(include_str!("collection/authors.txt"));
    built_in.chain(table).collect()
});
static VHS: LazyLock<Vec<Entry>> =
    LazyLock::new(|| entries(include_str!("collection/vhs.txt")).collect());
static BETAMAX: LazyLock<Vec<Entry>> =
    LazyLock::new(|| entries(include_str!("collection/betamax.txt")).collect());

/// The themes that are Rust constants.
static BUILT_IN: [Theme; 5] = [
    Theme::SCREENTEST,
    Theme::SCREENTEST_LIGHT,
    Theme::DARK,
    Theme::LIGHT,
    Theme::VHS,
];

/// A theme of a collection.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: &'static str,
    colors: Colors,
}

#[derive(Debug)]
enum Colors {
    BuiltIn(&'static Theme),
    /// 20 colours separated by spaces.
    Text(&'static str),
    /// Those of this theme of VHS.
    OfVhs(&'static str),
}

impl Entry {
    /// Returns the theme.
    pub(super) fn theme(&self) -> Theme {
        let text = match self.colors {
            Colors::BuiltIn(theme) => return theme.clone(),
            Colors::Text(text) => text,
            Colors::OfVhs(name) => {
                let theme = VHS
                    .iter()
                    .find(|entry| entry.name == name)
                    .map(Entry::theme);
                return Theme {
                    name: Cow::Borrowed(self.name),
                    ..theme.unwrap_or_default()
                };
            }
        };
        let mut colors = text.split(' ').map(color);
        let mut next = || colors.next().flatten();
        let ground = [next(), next(), next(), next()];
        let ansi = std::array::from_fn(|_| next());
        Theme::from_parts(Cow::Borrowed(self.name), ground, ansi)
    }

    /// Returns the theme of VHS whose colours this theme has, if the table refers to one.
    pub(super) fn same_as_vhs(&self) -> Option<&'static str> {
        match self.colors {
            Colors::OfVhs(name) => Some(name),
            Colors::BuiltIn(_) | Colors::Text(_) => None,
        }
    }
}

/// Parses the lines of a table.
fn entries(table: &'static str) -> impl Iterator<Item = Entry> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (name, colors) = line.split_once(" = ")?;
        let colors = colors
            .strip_prefix('@')
            .map_or(Colors::Text(colors), Colors::OfVhs);
        Some(Entry { name, colors })
    })
}

/// Parses `rrggbb`. The result for `-` is `None`.
fn color(digits: &str) -> Option<Rgb> {
    u32::from_str_radix(digits, 16).ok().map(Rgb::hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the data lines of a table.
    fn rows(table: &str) -> Vec<&str> {
        let rows = table.lines().filter(|line| !line.starts_with('#'));
        rows.filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn collections_have_all_themes_of_vhs_and_betamax() {
        let count = |collection: ThemeCollection| collection.entries().len();
        assert_eq!(count(ThemeCollection::Vhs), 348);
        assert_eq!(count(ThemeCollection::Betamax), 452);
        assert_eq!(count(ThemeCollection::Screentest), 19);
    }

    #[test]
    fn every_line_of_a_table_is_a_theme_with_20_colours() {
        let tables = [
            include_str!("collection/vhs.txt"),
            include_str!("collection/betamax.txt"),
            include_str!("collection/authors.txt"),
        ];
        let known = |name: &str| VHS.iter().any(|entry| entry.name == name);
        for row in tables.into_iter().flat_map(rows) {
            let (name, colors) = row.split_once(" = ").unwrap();
            assert!(name.is_ascii() && name.trim() == name, "{row}");
            if let Some(other) = colors.strip_prefix('@') {
                assert!(known(other), "{row}");
                continue;
            }
            let colors: Vec<&str> = colors.split(' ').collect();
            assert_eq!(colors.len(), 20, "{row}");
            // Cursor and selection may be missing.
            for (place, digits) in colors.into_iter().enumerate() {
                let missing = digits == "-" && (place == 2 || place == 3);
                let hex = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
                assert!(missing || hex, "{row}");
            }
        }
    }

    #[test]
    fn names_of_a_collection_are_unique_and_sorted() {
        for (_, collection) in ThemeCollection::ALL {
            let built_in = match collection {
                ThemeCollection::Screentest => BUILT_IN.len(),
                _ => 0,
            };
            let names = collection.entries().iter().skip(built_in);
            let names: Vec<_> = names
                .map(|entry| (entry.name.to_lowercase(), entry.name))
                .collect();
            // Strictly rising names are unique.
            assert!(names.is_sorted_by(|a, b| a < b), "{collection:?}");
        }
    }
}
