//! `input.jsonl`: what was given to the program, and what the terminal answered it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

use super::Millis;

/// Something that was given to the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputLine {
    /// Its number among everything that happened.
    pub seq: u64,
    /// When it was given.
    pub t_ms: Millis,
    /// How much of `output.raw` had come; a resize was applied exactly there.
    pub at: u64,
    /// What it was.
    #[serde(flatten)]
    pub kind: InputKind,
}

/// What was given to the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum InputKind {
    /// A key, by its name.
    Key {
        /// Such as `Ctrl+C`.
        name: String,
        /// What was sent for it.
        bytes: Bytes,
    },
    /// Text that was typed.
    Text {
        /// What was sent.
        bytes: Bytes,
    },
    /// Text that was pasted.
    Paste {
        /// What was sent, with the marks around it where the program asked for them.
        bytes: Bytes,
    },
    /// The mouse did something.
    Mouse {
        /// What, in words.
        name: String,
        /// What was sent for it.
        bytes: Bytes,
    },
    /// The focus came or went.
    Focus {
        /// Whether it came.
        gained: bool,
        /// What was sent for it.
        bytes: Bytes,
    },
    /// Bytes that were sent as they are.
    Bytes {
        /// What was sent.
        bytes: Bytes,
    },
    /// What the terminal answered on its own.
    Reply {
        /// What was sent.
        bytes: Bytes,
    },
    /// The terminal got another size.
    Resize {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// A signal was sent.
    Signal {
        /// Such as `SIGINT`.
        name: String,
    },
    /// Something was typed while nothing that is typed was shown, such as a password. Neither it nor its length is stored.
    Withheld,
}

impl InputKind {
    /// What was sent, if anything was and it is known.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            InputKind::Key { bytes, .. }
            | InputKind::Text { bytes }
            | InputKind::Paste { bytes }
            | InputKind::Mouse { bytes, .. }
            | InputKind::Focus { bytes, .. }
            | InputKind::Bytes { bytes }
            | InputKind::Reply { bytes } => Some(&bytes.0),
            InputKind::Resize { .. } | InputKind::Signal { .. } | InputKind::Withheld => None,
        }
    }

    /// The same, to be changed.
    pub fn bytes_mut(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            InputKind::Key { bytes, .. }
            | InputKind::Text { bytes }
            | InputKind::Paste { bytes }
            | InputKind::Mouse { bytes, .. }
            | InputKind::Focus { bytes, .. }
            | InputKind::Bytes { bytes }
            | InputKind::Reply { bytes } => Some(&mut bytes.0),
            InputKind::Resize { .. } | InputKind::Signal { .. } | InputKind::Withheld => None,
        }
    }
}

/// Bytes in JSON: a text where they are one, which people can read; else `{"base64": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Base64 { base64: String },
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Written::Base64 {
                base64: STANDARD.encode(&self.0),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        Ok(Bytes(match Written::deserialize(deserializer)? {
            Written::Text(text) => text.into_bytes(),
            Written::Base64 { base64 } => STANDARD
                .decode(&base64)
                .map_err(|error| D::Error::custom(format!("not base64: {error}")))?,
        }))
    }
}
