//! Lists of differences: those that are to be fixed, and those that are right.
//!
//! A line is `TOPIC | NAME | ASPECTS`, in the list of reasons with `| REASON` at its end.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::difference::Aspect;

/// Topic and name of a probe or checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The topic, such as `cursor/movement`.
    pub topic: String,
    /// The name.
    pub name: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {}", self.topic, self.name)
    }
}

/// Differing aspects by place.
pub type Known = BTreeMap<Place, BTreeSet<Aspect>>;

/// Parses the list of known differences.
pub fn parse(text: &str) -> Result<Known, String> {
    let mut known = Known::new();
    for (number, line) in lines(text) {
        let at = |message: String| format!("line {number}: {message}");
        let [topic, name, aspects] = line.as_slice() else {
            return Err(at("expected TOPIC | NAME | ASPECTS".to_owned()));
        };
        known.insert(place(topic, name), parse_aspects(aspects).map_err(at)?);
    }
    Ok(known)
}

/// Parses the list of reasons.
pub fn parse_reasons(text: &str) -> Result<BTreeMap<Place, BTreeMap<Aspect, String>>, String> {
    let mut reasons: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (number, line) in lines(text) {
        let at = |message: String| format!("line {number}: {message}");
        let [topic, name, aspects, reason] = line.as_slice() else {
            return Err(at("expected TOPIC | NAME | ASPECTS | REASON".to_owned()));
        };
        let to = reasons.entry(place(topic, name)).or_default();
        for aspect in parse_aspects(aspects).map_err(at)? {
            to.insert(aspect, (*reason).to_owned());
        }
    }
    Ok(reasons)
}

/// Writes the list of known differences.
pub fn write(known: &Known) -> String {
    let mut text = String::from(
        "# Differences from xterm that are to be fixed. The tests fail if this list is not exact.\n\
         # Written by `cargo xtask conformance --stored --update`, which needs no xterm.\n",
    );
    for (place, aspects) in known {
        let aspects: Vec<String> = aspects.iter().map(Aspect::to_string).collect();
        text.push_str(&format!("{place} | {}\n", aspects.join(", ")));
    }
    text
}

fn lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| (number, line.split(" | ").collect()))
}

fn place(topic: &str, name: &str) -> Place {
    Place {
        topic: topic.to_owned(),
        name: name.to_owned(),
    }
}

fn parse_aspects(text: &str) -> Result<BTreeSet<Aspect>, String> {
    text.split(", ").map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_survives_reading_and_writing() {
        let text = "a/b | one | text, cursor\na/c | two: x | replies\n";
        let known = parse(text).unwrap();
        assert!(write(&known).ends_with(text));
        assert_eq!(parse(&write(&known)), Ok(known));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert_eq!(
            parse("# x\na | b\n").unwrap_err(),
            "line 2: expected TOPIC | NAME | ASPECTS"
        );
        assert_eq!(
            parse("a | b | c\n").unwrap_err(),
            "line 1: `c` is not an aspect"
        );
    }

    #[test]
    fn reasons_are_per_aspect() {
        let reasons = parse_reasons("programs | vim 1 | text, style | xterm is old\n").unwrap();
        let [aspects] = reasons.values().collect::<Vec<_>>()[..] else {
            panic!("{reasons:?}");
        };
        assert_eq!(aspects[&Aspect::Style], "xterm is old");
    }
}
