//! File names for tests and snapshots.
//!
//! A slug consists of letters, digits and hyphens, whatever the name: no name leads out of its
//! directory, and none collides with the extensions of artifacts, which begin with a dot. Two names
//! of tests may have the same slug, which is reported as an error. Tapes are in directories, where
//! equal and similar names are common, so their slugs are unique.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

/// A name that is safe for a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    /// The limit of common file systems is 255 bytes; extensions and temporary names need the rest.
    const MAX_BYTES: usize = 160;

    /// Returns the slug of a name: lower case, with a `-` for everything except letters and digits,
    /// but never two in a row and none at an end. A name without any letter or digit becomes
    /// `snapshot`.
    pub fn of(name: &str) -> Slug {
        let mut slug = String::new();
        for c in name.chars().flat_map(char::to_lowercase) {
            let c = if c.is_alphanumeric() { c } else { '-' };
            if slug.len() + c.len_utf8() > Slug::MAX_BYTES {
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

    /// Returns the unique slug of a tape: `tests/login.tape` becomes `tests--login-tape`. If that
    /// could collide with another name, as for `Login.tape` and `login.tape`, it ends with a hash
    /// of the whole name.
    pub fn of_tape(name: &str) -> Slug {
        let is_word = |text: &str| !text.contains('-') && Slug::of(text).0 == text;
        // A name of a single word, such as `stdin`, cannot collide: all other slugs of tapes
        // contain a hyphen.
        if is_word(name) {
            return Slug(name.to_owned());
        }
        let stem = name.strip_suffix(".tape").unwrap_or(name);
        let mut slug = String::new();
        for part in stem.split('/').map(Slug::of) {
            if slug.len() + part.0.len() > Slug::MAX_BYTES {
                break;
            }
            if !slug.is_empty() {
                slug.push_str("--");
            }
            slug.push_str(&part.0);
        }
        let is_whole = slug.split("--").eq(stem.split('/'));
        if is_whole && stem != name {
            return Slug(format!("{slug}-tape"));
        }
        // The other slugs do not end in such a hash.
        Slug(format!("{slug}--{:08x}", number(name)))
    }

    /// Parses a slug; `None` for text that is not the slug of any name.
    pub fn parse(name: &str) -> Option<Slug> {
        let mut parts = name.split("--");
        let is_slug = parts.all(|part| Slug::of(part).0 == part);
        is_slug.then(|| Slug(name.to_owned()))
    }

    /// Returns the slug as text.
    pub fn as_str(&self) -> &str {
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

/// Hashes a name with FNV-1a, which is the same on all systems.
fn number(name: &str) -> u32 {
    let bytes = name.bytes();
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, slug: &str) {
        assert_eq!(Slug::of(name).as_str(), slug);
    }

    #[test]
    fn everything_except_letters_and_digits_becomes_one_hyphen() {
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
    fn no_name_leads_out_of_its_directory() {
        check("../../x", "x");
        check("/etc/passwd", "etc-passwd");
        check("..", "snapshot");
        check("", "snapshot");
        check("!!!", "snapshot");
        check("a\0b\nc", "a-b-c");
    }

    #[test]
    fn invalid_slugs_are_rejected() {
        for name in ["a", "über-uns", "界-42", "snapshot"] {
            assert_eq!(Slug::parse(name), Some(Slug::of(name)));
        }
        for name in ["a/b.tape", "A.tape", "x"] {
            let slug = Slug::of_tape(name);
            assert_eq!(Slug::parse(slug.as_str()), Some(slug));
        }
        for name in ["", ".", "..", "a.b", "A", "a---b", "--", "a--", "-a", "a/b"] {
            assert_eq!(Slug::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_tape_has_a_unique_slug() {
        let tape = |name: &str| Slug::of_tape(name).to_string();
        assert_eq!(tape("demo.tape"), "demo-tape");
        assert_eq!(tape("tests/log-in.tape"), "tests--log-in-tape");
        assert_eq!(tape("stdin"), "stdin");
        assert_eq!(tape("Demo.tape"), "demo--99ebc0b8");
        let long = format!("{}.tape", "x/".repeat(200));
        let names = [
            "a/b.tape",
            "a-b.tape",
            "a_b.tape",
            "a--b.tape",
            "A/b.tape",
            "/a/b.tape",
            "a/b-tape",
            "a/b/tape",
            "a-b-tape",
            "a b.tape",
            "a/-b.tape",
            "a/b",
            "ab",
            "a.b.tape",
            ".tape",
            "/.tape",
            "tape",
            "/etc/a.tape",
            "../a.tape",
            &long,
            &format!("x{long}"),
        ];
        let slugs: std::collections::BTreeSet<String> =
            names.iter().map(|name| tape(name)).collect();
        assert_eq!(slugs.len(), names.len(), "{slugs:?}");
        for slug in slugs {
            assert!(slug.len() < 200 && Slug::parse(&slug).is_some(), "{slug}");
        }
    }

    #[test]
    fn a_long_name_is_truncated_between_two_characters() {
        let slug = Slug::of(&"界".repeat(200));
        assert_eq!(slug.as_str(), "界".repeat(53));
        check(&"- ".repeat(500), "snapshot");
    }
}
