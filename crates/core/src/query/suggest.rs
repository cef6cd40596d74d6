//! Suggestion of the known name that a mistyped name was probably meant to be.

/// Largest number of letters of a name that is compared. A comparison takes as many steps as the
/// product of both lengths, and a name longer than a terminal line is not a typing mistake.
const LONGEST: usize = 100;

/// Returns the name that differs least from `name`, ignoring case; `None` if no name is close.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let close = distances(name, known).into_iter();
    // The first of equally close names wins, so that the result depends only on the list.
    close
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the names that differ least from `name`, ignoring case: the nearest first, then those
/// with at most one more difference.
pub fn close<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut close = distances(name, known);
    // A stable sort: the result depends only on the list.
    close.sort_by_key(|(distance, _)| *distance);
    let least = close.first().map_or(0, |(distance, _)| *distance);
    let close = close.into_iter();
    close
        .take_while(|(distance, _)| *distance <= least + 1)
        .map(|(_, candidate)| candidate)
        .collect()
}

/// Returns the names that are close to `name`, with the number of differences.
fn distances<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<(usize, &'a str)> {
    let is_long = |name: &str| name.chars().nth(LONGEST).is_some();
    if is_long(name) {
        return Vec::new();
    }
    // A third of the letters may be wrong, and at least one: `Entre` is `Enter`, `Bakspce` is
    // `Backspace`, `xyz` is no name.
    let allowed = (name.chars().count() / 3).max(1);
    let name = name.to_lowercase();
    let letters = name.chars().count();
    known
        .into_iter()
        .filter(|candidate| !is_long(candidate))
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            // Each additional letter is a difference; comparing lengths rules out most names.
            let more = lower.chars().count().abs_diff(letters);
            let distance = (more <= allowed).then(|| strsim::osa_distance(&name, &lower))?;
            Some((distance, candidate))
        })
        .filter(|(distance, _)| *distance <= allowed)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_name_and_nonsense_finds_none() {
        let known = ["Enter", "Backspace", "Up", "End"];
        for (typed, meant) in [
            ("Entre", Some("Enter")),
            ("bakspce", Some("Backspace")),
            ("Upp", Some("Up")),
            ("xyzzy", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known), meant, "{typed:?}");
        }
    }

    #[test]
    fn close_names_are_the_nearest_and_those_with_one_more_difference() {
        let known = ["Draco", "Dracula+", "Dracula", "dracul"];
        assert_eq!(close("Drakula", known), ["Dracula", "Dracula+", "dracul"]);
        assert_eq!(close("xyzzy", known), [""; 0]);
    }

    #[test]
    fn a_third_of_the_letters_may_be_wrong_or_missing() {
        assert_eq!(nearest("Bakspe", ["Backspace"]), None);
        assert_eq!(nearest("Bakspce", ["Backspace"]), Some("Backspace"));
        assert_eq!(nearest("Baackspacees", ["Backspace"]), Some("Backspace"));
        // A capital letter that becomes two characters in lower case.
        assert_eq!(nearest("\u{130}x", ["i\u{307}x"]), Some("i\u{307}x"));
    }

    /// Comparing these would take 10 to the power of 12 steps.
    #[test]
    fn names_of_a_million_letters_are_not_compared() {
        let long = "a".repeat(1_000_000);
        let other = "b".repeat(1_000_000);
        assert_eq!(nearest(&long, [other.as_str(), long.as_str()]), None);
        assert_eq!(nearest("Entre", [long.as_str(), "Enter"]), Some("Enter"));
        let most = "a".repeat(LONGEST);
        assert_eq!(nearest(&most, [most.as_str()]), Some(most.as_str()));
    }
}
