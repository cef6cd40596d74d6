//! The known name that a mistyped one was probably meant to be.

/// The name that differs least from `name` in any case of letters; `None` when nothing comes close.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A third of the letters may be wrong: `Entre` is `Enter`, `Bakspce` is `Backspace`, `xyz` is nothing.
    let allowed = (name.chars().count() / 3).max(1);
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|candidate| {
            let distance = strsim::osa_distance(&name, &candidate.to_lowercase());
            (distance, candidate)
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
}
