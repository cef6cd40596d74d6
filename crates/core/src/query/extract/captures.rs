//! Captured groups of a regular expression, with their positions.

use std::sync::Arc;

use crate::query::selector::Regex;
use crate::{Match, Rect, Screen};

/// One match of a regular expression with its groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captures {
    /// The first is the whole match and always present.
    groups: Vec<Option<Match>>,
    names: Arc<[Option<String>]>,
}

impl Captures {
    /// Returns all matches, or `None` if they have more than `most` groups together.
    pub(super) fn all(
        screen: &Screen,
        rect: Rect,
        regex: &Regex,
        most: usize,
    ) -> Option<Vec<Captures>> {
        let names: Arc<[_]> = regex
            .group_names()
            .map(|name| name.map(str::to_owned))
            .collect();
        let found = regex.groups(screen, rect, most)?.into_iter();
        let found = found.map(|groups| Captures {
            groups,
            names: Arc::clone(&names),
        });
        Some(found.collect())
    }

    /// Returns the whole match.
    pub fn whole(&self) -> &Match {
        self.groups[0]
            .as_ref()
            .expect("group 0 takes part in every match")
    }

    /// Returns the match of a group, counted from 1 as in regular expressions; 0 is the whole
    /// match. `None` if there is no such group or it did not take part. An empty group has a match
    /// without cells.
    pub fn group(&self, number: usize) -> Option<&Match> {
        self.groups.get(number)?.as_ref()
    }

    /// Returns the match of a named group: `(?<id>\d+)`.
    pub fn name(&self, name: &str) -> Option<&Match> {
        let number = self
            .names
            .iter()
            .position(|known| known.as_deref() == Some(name))?;
        self.group(number)
    }

    /// Returns all groups by number, the whole match first.
    pub fn groups(&self) -> &[Option<Match>] {
        &self.groups
    }
}
