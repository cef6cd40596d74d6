//! The SHA-256 digest of a file, as 64 hexadecimal digits.

use std::fmt::{self, Write as _};

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Placeholder for the manifest's own digest while that digest is computed.
    pub const ZERO: Digest = Digest([0; 32]);

    /// Returns the digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut digester = Digester::default();
        digester.update(bytes);
        digester.finish()
    }

    /// Parses 64 hexadecimal digits.
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

/// Parses one hexadecimal digit. Only lower-case letters are accepted, so that a digest has one
/// form and a flipped bit is not overlooked.
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
        Digest::parse(&text).ok_or_else(|| {
            D::Error::custom(format!("`{text}` is not a digest (64 digits, 0-9 and a-f)"))
        })
    }
}

/// Computes a digest in chunks, for files that are not in memory.
#[derive(Clone, Default)]
pub struct Digester(Sha256);

impl Digester {
    /// Appends bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of all bytes.
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
    fn digests_agree_with_other_tools() {
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
