//! What the groups of a regular expression took, with its places.

use std::sync::Arc;

use crate::query::selector::Regex;
use crate::{Match, Rect, Screen};

/// What a regular expression found in one place, group by group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captures {
    /// The first is the whole match and always there.
    groups: Vec<Option<Match>>,
    names: Arc<[Option<String>]>,
}

impl Captures {
    pub(super) fn all(screen: &Screen, rect: Rect, regex: &Regex) -> Vec<Captures> {
        let names: Arc<[_]> = regex
            .group_names()
            .map(|name| name.map(str::to_owned))
            .collect();
        let found = regex.groups(screen, rect).into_iter();
        found
            .map(|groups| Captures {
                groups,
                names: Arc::clone(&names),
            })
            .collect()
    }

    /// Everything that the expression found there.
    pub fn whole(&self) -> &Match {
        self.groups[0]
            .as_ref()
            .expect("group 0 takes part in every match")
    }

    /// What a group took, counted from 1 as expressions do; 0 is the whole match. `None` where there is no such group or
    /// where it took no part. A group that took no text has a match without cells.
    pub fn group(&self, number: usize) -> Option<&Match> {
        self.groups.get(number)?.as_ref()
    }

    /// What a group with a name took: `(?<id>\d+)`.
    pub fn name(&self, name: &str) -> Option<&Match> {
        let number = self
            .names
            .iter()
            .position(|known| known.as_deref() == Some(name))?;
        self.group(number)
    }

    /// All groups by their number, the whole match first.
    pub fn groups(&self) -> &[Option<Match>] {
        &self.groups
    }
}
