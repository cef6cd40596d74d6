//! Names of tests and snapshots as names of files.
//!
//! A slug has letters, digits and single hyphens, whatever the name was: no name leads out of the folder it is for, and
//! none clashes with the endings that artifacts get, which begin with a dot.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

/// A name that is safe for a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slug(String);

impl Slug {
    /// How many bytes a file's name may have on common file systems is 255; endings and temporary names need the rest.
    const MOST_BYTES: usize = 160;

    /// The slug of a name: small letters, everything but letters and digits as `-`, never two in a row or at an end. A name
    /// without any letter or digit is `snapshot`.
    pub(crate) fn of(name: &str) -> Slug {
        let mut slug = String::new();
        for c in name.chars().flat_map(char::to_lowercase) {
            let c = if c.is_alphanumeric() { c } else { '-' };
            if slug.len() + c.len_utf8() > Slug::MOST_BYTES {
                break;
            }
            if c != '-' || !(slug.is_empty() || slug.ends_with('-')) {
                slug.push(c);
            }
        }
        slug.truncate(slug.trim_end_matches('-').len());
        if slug.is_empty() {
            slug.push_str("snapshot");
        }
        Slug(slug)
    }

    /// The slug that this is, unless it is none: a name that no name becomes.
    pub(crate) fn parse(name: &str) -> Option<Slug> {
        Some(Slug::of(name)).filter(|slug| slug.0 == name)
    }

    /// As text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for Slug {
    fn as_ref(&self) -> &Path {
        OsStr::new(&self.0).as_ref()
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, slug: &str) {
        assert_eq!(Slug::of(name).as_str(), slug);
    }

    #[test]
    fn what_is_no_letter_or_digit_becomes_one_hyphen() {
        check("counter", "counter");
        check(
            "smoke: text appears in viewport",
            "smoke-text-appears-in-viewport",
        );
        check("  Über—uns  ", "über-uns");
        check("a.b_c", "a-b-c");
        check("界 42", "界-42");
    }

    #[test]
    fn no_name_leads_out_of_its_folder() {
        check("../../x", "x");
        check("/etc/passwd", "etc-passwd");
        check("..", "snapshot");
        check("", "snapshot");
        check("!!!", "snapshot");
        check("a\0b\nc", "a-b-c");
    }

    #[test]
    fn what_no_name_becomes_is_no_slug() {
        for name in ["a", "über-uns", "界-42", "snapshot"] {
            assert_eq!(Slug::parse(name), Some(Slug::of(name)));
        }
        for name in ["", ".", "..", "a.b", "A", "a--b", "-a", "a/b"] {
            assert_eq!(Slug::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_long_name_is_cut_between_two_characters() {
        let slug = Slug::of(&"界".repeat(200));
        assert_eq!(slug.as_str(), "界".repeat(53));
        check(&"- ".repeat(500), "snapshot");
    }
}
