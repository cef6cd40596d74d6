//! Counters of events.

use std::collections::BTreeMap;
use std::fmt;

/// Counts by name.
#[derive(Debug, Default)]
pub(crate) struct Counters(BTreeMap<&'static str, u64>);

impl Counters {
    pub(crate) fn one(&mut self, name: &'static str) {
        self.add(name, 1);
    }

    pub(crate) fn add(&mut self, name: &'static str, count: u64) {
        *self.0.entry(name).or_default() += count;
    }

    pub(crate) fn all(&mut self, other: Counters) {
        for (name, count) in other.0 {
            self.add(name, count);
        }
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = self.0.keys().map(|name| name.len()).max().unwrap_or(0);
        let mut lines = self
            .0
            .iter()
            .map(|(name, count)| format!("  {name:widest$}  {count:>9}"));
        f.write_str(&lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| write!(f, "\n{line}"))
    }
}
