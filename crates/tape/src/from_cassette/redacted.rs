//! Finds redacted secrets: runs of cover characters, each as wide as the character that it
//! replaces.

use std::ops::Range;

use screentest_core::redact::scrub::is_replacement;

/// The shortest run of cover characters that counts as a secret.
pub(super) const MIN_RUN: usize = 4;

/// Returns whether a text seems to contain a redacted secret.
pub(super) fn is_redacted(text: &str) -> bool {
    !ranges(text).is_empty()
}

/// The byte ranges that seem to be redacted secrets.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in ends {
        match (is_replacement(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    found.retain(|range| {
        let covers = text.get(range.clone()).map(|covers| covers.chars().count());
        covers.is_some_and(|covers| covers >= MIN_RUN)
    });
    found
}

#[cfg(test)]
mod tests {
    use screentest_core::redact::scrub::replacements;

    use super::*;

    #[test]
    fn redacted_secrets_are_found_in_any_script() {
        for secret in [
            "hunter2",
            "пароль",
            "秘密の鍵",
            "clé ñandú",
            "🔑🔑🔑🔑",
            "e\u{301}e\u{301}",
        ] {
            let covered = String::from_utf8(replacements(secret.as_bytes())).unwrap();
            let text = format!("it is {covered}, no more");
            let found: Vec<&str> = ranges(&text)
                .into_iter()
                .filter_map(|range| text.get(range))
                .collect();
            assert_eq!(found, [covered.as_str()], "{text}");
        }
        for text in ["2 * 3 ** 4", "3 × 4", "• one\n• two", ""] {
            assert!(!is_redacted(text), "{text}");
        }
    }
}
