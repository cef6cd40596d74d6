//! The known name that a mistyped one was probably meant to be.

/// How many letters a name has at most that is compared. Comparing takes as many steps as one name's letters times the
/// other's, and what is longer than a line of a terminal was not mistyped by a person.
const LONGEST: usize = 100;

/// The name that differs least from `name` in any case of letters; `None` when nothing comes close.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let is_long = |name: &str| name.chars().nth(LONGEST).is_some();
    if is_long(name) {
        return None;
    }
    // A third of the letters may be wrong: `Entre` is `Enter`, `Bakspce` is `Backspace`, `xyz` is nothing.
    let allowed = (name.chars().count() / 3).max(1);
    let name = name.to_lowercase();
    let letters = name.chars().count();
    known
        .into_iter()
        .filter(|candidate| !is_long(candidate))
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            // Every letter that one has more is a difference, and most names are told apart by that alone.
            let more = lower.chars().count().abs_diff(letters);
            let distance = (more <= allowed).then(|| strsim::osa_distance(&name, &lower))?;
            Some((distance, candidate))
        })
        .filter(|(distance, _)| *distance <= allowed)
        // The first of equals wins, so that the answer does not depend on anything but the list.
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
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
    fn as_many_letters_may_be_missing_as_may_be_wrong() {
        assert_eq!(nearest("Bakspe", ["Backspace"]), None);
        assert_eq!(nearest("Bakspce", ["Backspace"]), Some("Backspace"));
        assert_eq!(nearest("Baackspacees", ["Backspace"]), Some("Backspace"));
        // A capital that becomes two letters when it is small.
        assert_eq!(nearest("\u{130}x", ["i\u{307}x"]), Some("i\u{307}x"));
    }

    /// Comparing these would take 10 to the power of 12 steps.
    #[test]
    fn a_name_of_a_million_letters_is_compared_with_nothing() {
        let long = "a".repeat(1_000_000);
        let other = "b".repeat(1_000_000);
        assert_eq!(nearest(&long, [other.as_str(), long.as_str()]), None);
        assert_eq!(nearest("Entre", [long.as_str(), "Enter"]), Some("Enter"));
        let most = "a".repeat(LONGEST);
        assert_eq!(nearest(&most, [most.as_str()]), Some(most.as_str()));
    }
}
