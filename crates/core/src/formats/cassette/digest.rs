//! The digest of a file: SHA-256, as 64 hexadecimal digits.

use std::fmt::{self, Write as _};

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// What stands in a file for the file's own digest while that is being made.
    pub const ZERO: Digest = Digest([0; 32]);

    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut digester = Digester::default();
        digester.update(bytes);
        digester.finish()
    }

    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Digest> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Digest(bytes))
    }
}

/// One hexadecimal digit. Only small letters are written, so that a digest has one form and a flipped bit is not overlooked.
fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(64);
        let _ = write!(text, "{self}");
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = String::deserialize(deserializer)?;
        Digest::parse(&text)
            .ok_or_else(|| D::Error::custom(format!("`{text}` is not a digest: 64 of 0-9 and a-f")))
    }
}

/// A digest in the making, for files that are not in memory.
#[derive(Clone, Default)]
pub struct Digester(Sha256);

impl Digester {
    /// Adds bytes behind those before.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all of them.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl fmt::Debug for Digester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digester")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_one_that_other_tools_give() {
        assert_eq!(
            Digest::of(b"abc").to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_digest_has_one_form() {
        let text = Digest::of(b"").to_string();
        assert_eq!(Digest::parse(&text), Some(Digest::of(b"")));
        assert_eq!(Digest::parse(&text.to_uppercase()), None);
        assert_eq!(Digest::parse("e3"), None);
        assert_eq!(Digest::parse(&"é".repeat(32)), None);
    }
}
