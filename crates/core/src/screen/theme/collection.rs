//! The collections of named themes: our own, those of VHS, and those of Betamax.
//!
//! The colours are tables of text in `collection/`, whose heads name the sources and their
//! licences. Text compiles at once, and 800 names take 110 KB in the binary. A table is split into
//! lines when it is first used; colours are parsed when a theme is requested.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::{Theme, luminance};
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

    /// Returns the theme that the tool of this collection uses if none is set.
    pub fn default_theme(self) -> Theme {
        match self {
            ThemeCollection::Screentest => Theme::SCREENTEST,
            ThemeCollection::Vhs => Theme::VHS,
            ThemeCollection::Betamax => {
                let mut entries = BETAMAX.iter();
                let found = entries.find(|entry| entry.name == "Aardvark Blue");
                found.map(Entry::theme).unwrap_or_default()
            }
        }
    }

    /// Returns the colours that a theme has where it sets none. `fg` and `bg` are those of the text
    /// and background, if it sets them.
    ///
    /// VHS passes the theme to xterm.js, which has defaults of its own; Betamax starts with its
    /// default theme. Our own choice suits the background.
    pub(super) fn missing_colors(self, fg: Option<Rgb>, bg: Option<Rgb>) -> Theme {
        match self {
            ThemeCollection::Screentest => {
                let base = match bg {
                    Some(bg) if luminance(bg) >= 128 => Theme::SCREENTEST_LIGHT,
                    _ => Theme::SCREENTEST,
                };
                Theme {
                    cursor: fg.unwrap_or(base.fg),
                    ..base
                }
            }
            ThemeCollection::Vhs => Theme::XTERM_JS,
            ThemeCollection::Betamax => self.default_theme(),
        }
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
        // Only themes of VHS lack colours: some set no cursor and no selection.
        let collection = ThemeCollection::Vhs;
        Theme::from_parts(Cow::Borrowed(self.name), ground, ansi, collection)
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
        let known = |name: &str| VHS.iter().any(|entry| entry.name == name);
        for (table, is_of_vhs) in [
            (include_str!("collection/vhs.txt"), true),
            (include_str!("collection/betamax.txt"), false),
            (include_str!("collection/authors.txt"), false),
        ] {
            for row in rows(table) {
                let (name, colors) = row.split_once(" = ").unwrap();
                assert!(name.is_ascii() && name.trim() == name, "{row}");
                if let Some(other) = colors.strip_prefix('@') {
                    assert!(known(other), "{row}");
                    continue;
                }
                let colors: Vec<&str> = colors.split(' ').collect();
                assert_eq!(colors.len(), 20, "{row}");
                for (place, digits) in colors.into_iter().enumerate() {
                    // The cursor and the selection.
                    let missing = is_of_vhs && digits == "-" && (place == 2 || place == 3);
                    let hex = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
                    assert!(missing || hex, "{row}");
                }
            }
        }
    }

    #[test]
    fn themes_of_vhs_without_a_cursor_have_that_of_xterm_js() {
        let theme = Theme::named_in("TokyoNightLight", ThemeCollection::Vhs).unwrap();
        assert_eq!(
            (theme.cursor, theme.fg),
            (Rgb::hex(0xffffff), Rgb::hex(0x4c505e))
        );
        // No theme of Betamax lacks a cursor, not even one that refers to a theme of VHS.
        let incomplete = VHS.iter().filter(|entry| match entry.colors {
            Colors::Text(text) => text.contains('-'),
            Colors::BuiltIn(_) | Colors::OfVhs(_) => false,
        });
        let incomplete: Vec<&str> = incomplete.map(|entry| entry.name).collect();
        assert_eq!(incomplete.len(), 14);
        let refers = |entry: &Entry| {
            entry
                .same_as_vhs()
                .is_some_and(|name| incomplete.contains(&name))
        };
        assert!(!BETAMAX.iter().any(refers));
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
