//! X11's colour names. `names.txt` lists them.

use std::sync::OnceLock;

use crate::screen::style::Rgb;

/// Returns the colour with this name. Case does not matter; a space is part of a name.
pub(super) fn find(name: &str) -> Option<Rgb> {
    static NAMES: OnceLock<Vec<(&str, Rgb)>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let lines = include_str!("names.txt").lines();
        lines.filter_map(named).collect()
    });
    let folded = name.to_ascii_lowercase();
    let index = names.binary_search_by(|(known, _)| (*known).cmp(&folded));
    index.ok().map(|index| names[index].1)
}

/// Parses a line; `None` for a comment.
fn named(line: &'static str) -> Option<(&'static str, Rgb)> {
    let (digits, name) = line.split_once(' ')?;
    let value = u32::from_str_radix(digits, 16).ok()?;
    Some((name, Rgb::hex(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        let lines = include_str!("names.txt").lines();
        let names: Vec<_> = lines.filter_map(named).collect();
        assert_eq!(names.len(), 782);
        for (name, color) in names {
            assert_eq!(find(name), Some(color), "{name}");
        }
    }
}
