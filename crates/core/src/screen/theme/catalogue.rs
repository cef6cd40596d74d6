//! Finds a theme by its name.
//!
//! VHS and Betamax match names exactly, and some names differ only in case or spaces: `TokyoNight`
//! and `tokyonight` are two themes of VHS. An exact name therefore always wins; only then are case,
//! spaces, hyphens, underscores and parentheses ignored. If VHS and Betamax have different colours
//! for a name, the caller says which collection is searched first.
//!
//! `docs/themes.md` lists the names for users; a test compares the two lists.

use std::collections::{HashMap, HashSet};

use super::collection::Entry;
use super::{Theme, ThemeCollection};
use crate::query::suggest::close;

/// Error for a name that no theme has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown theme `{name}`{}", hint(close))]
#[non_exhaustive]
pub struct UnknownTheme {
    /// The unknown name.
    pub name: String,
    /// The most similar known names, at most three, the nearest first.
    pub close: Vec<&'static str>,
}

/// Number of names that an error suggests.
const SUGGESTIONS: usize = 3;

fn hint(close: &[&str]) -> String {
    let names: Vec<String> = close.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => format!(", did you mean {last}?"),
        Some((last, others)) => format!(", did you mean {} or {last}?", others.join(", ")),
    }
}

impl Theme {
    /// Returns the theme with this name, as [`Theme::named_in`] with the collection of VHS first.
    ///
    /// ```
    /// use screentest_core::Theme;
    ///
    /// assert_eq!(Theme::named("catppuccin_MOCHA")?.name, "Catppuccin Mocha");
    /// assert_eq!(Theme::named("Draclua").unwrap_err().close[0], "Dracula");
    /// # Ok::<(), screentest_core::screen::theme::UnknownTheme>(())
    /// ```
    pub fn named(name: &str) -> Result<Theme, UnknownTheme> {
        Theme::named_in(name, ThemeCollection::Vhs)
    }

    /// Returns the theme with this name. If several collections have it, `first` wins, then VHS.
    ///
    /// An exact name wins over one in another case, and that over one with other spaces, hyphens,
    /// underscores or parentheses.
    pub fn named_in(name: &str, first: ThemeCollection) -> Result<Theme, UnknownTheme> {
        find(name, first).ok_or_else(|| UnknownTheme {
            name: name.to_owned(),
            close: suggestions(name, first),
        })
    }
}

/// A theme of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CatalogueEntry {
    /// The theme. If VHS and Betamax have different colours for its name, it has those of VHS.
    pub theme: Theme,
    /// The collections that have this name.
    pub collections: Vec<ThemeCollection>,
    /// Other names of the same colours, which differ in spelling, or are short or historical.
    pub aliases: Vec<&'static str>,
}

/// Returns every theme once, our own first, the others sorted by name.
pub fn catalogue() -> Vec<CatalogueEntry> {
    let own = ThemeCollection::Screentest.entries().iter();
    let mut list: Vec<CatalogueEntry> = own
        .map(|entry| CatalogueEntry::new(entry, ThemeCollection::Screentest))
        .collect();
    let own = list.len();
    let vhs = ThemeCollection::Vhs.entries().iter();
    list.extend(vhs.map(|entry| CatalogueEntry::new(entry, ThemeCollection::Vhs)));
    let mut places: HashMap<String, usize> = list
        .iter()
        .enumerate()
        .map(|(place, entry)| (entry.theme.name.to_string(), place))
        .collect();
    for entry in ThemeCollection::Betamax.entries() {
        let collection = ThemeCollection::Betamax;
        if let Some(place) = places.get(entry.name) {
            list[*place].collections.push(collection);
        } else if let Some(place) = entry.same_as_vhs().and_then(|name| places.get(name)) {
            list[*place].aliases.push(entry.name);
        } else {
            places.insert(entry.name.to_owned(), list.len());
            list.push(CatalogueEntry::new(entry, collection));
        }
    }
    for (alias, name) in ALIASES {
        if let Some(place) = places.get(name) {
            list[*place].aliases.push(alias);
        }
    }
    list[own..].sort_by_cached_key(|entry| {
        let name = entry.theme.name.to_string();
        (name.to_lowercase(), name)
    });
    list
}

impl CatalogueEntry {
    /// Returns whether the name or an alias contains this text, ignoring case, spaces, hyphens,
    /// underscores and parentheses.
    pub fn matches(&self, text: &str) -> bool {
        let text = fold(text);
        let mut names = self.aliases.iter().copied().chain([&*self.theme.name]);
        names.any(|name| fold(name).contains(&text))
    }

    fn new(entry: &Entry, collection: ThemeCollection) -> CatalogueEntry {
        CatalogueEntry {
            theme: entry.theme(),
            collections: vec![collection],
            aliases: Vec::new(),
        }
    }
}

impl ThemeCollection {
    /// Returns the themes of this collection, with its own colours.
    pub fn catalogue(self) -> Vec<CatalogueEntry> {
        if self == ThemeCollection::Screentest {
            let own = catalogue().into_iter();
            return own.filter(|entry| entry.collections == [self]).collect();
        }
        let entries = self.entries().iter();
        entries
            .map(|entry| CatalogueEntry::new(entry, self))
            .collect()
    }
}

/// Other names: those of tuispec, and family names for the most common theme of the family.
const ALIASES: [(&str, &str); 7] = [
    ("dark", "pty-default-dark"),
    ("light", "pty-default-light"),
    ("github-dark-high-contrast", "pty-default-dark"),
    ("github-light-high-contrast", "pty-default-light"),
    ("Catppuccin", "Catppuccin Mocha"),
    ("Everforest", "Everforest Dark"),
    ("Gruvbox", "GruvboxDark"),
];

fn find(name: &str, first: ThemeCollection) -> Option<Theme> {
    let name = name.trim();
    let in_order = |matches: &dyn Fn(&str) -> bool| {
        let mut entries = order(first).into_iter().flat_map(ThemeCollection::entries);
        entries.find(|entry| matches(entry.name)).map(Entry::theme)
    };
    let alias = |matches: &dyn Fn(&str) -> bool| {
        let (_, target) = ALIASES.iter().find(|(alias, _)| matches(alias))?;
        in_order(&|known| known == *target)
    };
    let ignoring_case = |known: &str| known.eq_ignore_ascii_case(name);
    let folded = fold(name);
    let loosely = |known: &str| fold(known) == folded;
    let own = || {
        let mut entries = ThemeCollection::Screentest.entries().iter();
        entries.find(|entry| loosely(entry.name)).map(Entry::theme)
    };
    in_order(&|known| known == name)
        .or_else(|| alias(&ignoring_case))
        .or_else(|| in_order(&ignoring_case))
        // `tokyo-night` is our `Tokyo Night`, whose words are the same, and not VHS's `TokyoNight`.
        .or_else(own)
        .or_else(|| alias(&loosely))
        .or_else(|| in_order(&loosely))
}

/// Returns the order in which the collections are searched.
fn order(first: ThemeCollection) -> [ThemeCollection; 3] {
    use ThemeCollection::{Betamax, Screentest, Vhs};
    match first {
        Vhs => [Vhs, Betamax, Screentest],
        Betamax => [Betamax, Vhs, Screentest],
        Screentest => [Screentest, Vhs, Betamax],
    }
}

/// Returns the names that were probably meant: those most similar to a misspelt name, or the first
/// themes of a family if only the family was named.
fn suggestions(name: &str, first: ThemeCollection) -> Vec<&'static str> {
    let names = |order: [ThemeCollection; 3]| {
        let entries = order.into_iter().flat_map(ThemeCollection::entries);
        entries.map(|entry| entry.name)
    };
    let aliases = ALIASES.iter().map(|(alias, _)| *alias);
    let mut found = close(name.trim(), names(order(first)).chain(aliases));
    let folded = fold(name);
    if found.is_empty() && folded.len() > 2 {
        let own_first = names(order(ThemeCollection::Screentest));
        found = own_first
            .filter(|known| fold(known).starts_with(&folded))
            .collect();
    }
    // `Nord` and `nord` are one suggestion.
    let mut spellings = HashSet::new();
    found.retain(|name| spellings.insert(fold(name)));
    found.truncate(SUGGESTIONS);
    found
}

/// Normalises a name for comparison: `Rosé Pine`, `rose-pine` and `rose_pine` are the same, but
/// `Dracula` and `Dracula+` are not.
fn fold(name: &str) -> String {
    let letters = name.chars().filter(|c| !" -_()".contains(*c));
    let lower = letters.flat_map(char::to_lowercase);
    lower.map(|c| if c == 'é' { 'e' } else { c }).collect()
}

#[cfg(test)]
mod tests;
