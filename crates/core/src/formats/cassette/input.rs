//! `input.jsonl`: the input of the program, replies to its queries, resizes and signals.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

use super::Millis;

/// One input to the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputLine {
    /// Its sequence number among all lines of the cassette.
    pub seq: u64,
    /// The time of the input.
    pub t_ms: Millis,
    /// Number of bytes of `output.raw` before it; a resize was applied exactly there.
    pub at: u64,
    /// The input itself.
    #[serde(flatten)]
    pub kind: InputLineKind,
}

/// The kinds of input, with their data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum InputLineKind {
    /// A key, by its name.
    Key {
        /// Its name, such as `Ctrl+C`.
        name: String,
        /// The bytes that were sent.
        bytes: InputBytes,
    },
    /// Typed text.
    Text {
        /// The bytes that were sent.
        bytes: InputBytes,
    },
    /// Pasted text.
    Paste {
        /// The bytes that were sent, with the bracketed-paste markers if the program enabled them.
        bytes: InputBytes,
    },
    /// A mouse event.
    Mouse {
        /// A description in words.
        name: String,
        /// The bytes that were sent.
        bytes: InputBytes,
    },
    /// A focus change.
    Focus {
        /// Whether the terminal gained the focus.
        gained: bool,
        /// The bytes that were sent.
        bytes: InputBytes,
    },
    /// Bytes that were sent unchanged.
    Bytes {
        /// The bytes that were sent.
        bytes: InputBytes,
    },
    /// A reply of the terminal to a query.
    Reply {
        /// The bytes that were sent.
        bytes: InputBytes,
    },
    /// The terminal was resized.
    Resize {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// A signal was sent.
    Signal {
        /// Its name, such as `SIGINT`.
        name: String,
    },
    /// Input typed while echo was off, such as a password. Neither the input nor its length is
    /// stored.
    Withheld,
}

impl InputLineKind {
    /// Returns the bytes that were sent, if there were any and they are stored.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            InputLineKind::Key { bytes, .. }
            | InputLineKind::Text { bytes }
            | InputLineKind::Paste { bytes }
            | InputLineKind::Mouse { bytes, .. }
            | InputLineKind::Focus { bytes, .. }
            | InputLineKind::Bytes { bytes }
            | InputLineKind::Reply { bytes } => Some(&bytes.0),
            InputLineKind::Resize { .. }
            | InputLineKind::Signal { .. }
            | InputLineKind::Withheld => None,
        }
    }

    /// Returns the bytes that were sent, for modification.
    pub fn bytes_mut(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            InputLineKind::Key { bytes, .. }
            | InputLineKind::Text { bytes }
            | InputLineKind::Paste { bytes }
            | InputLineKind::Mouse { bytes, .. }
            | InputLineKind::Focus { bytes, .. }
            | InputLineKind::Bytes { bytes }
            | InputLineKind::Reply { bytes } => Some(&mut bytes.0),
            InputLineKind::Resize { .. }
            | InputLineKind::Signal { .. }
            | InputLineKind::Withheld => None,
        }
    }
}

/// Bytes in JSON: a string if they are UTF-8, so that people can read them; otherwise `{"base64":
/// "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputBytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum InputBytesJson {
    Text(String),
    Base64 { base64: String },
}

impl Serialize for InputBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => InputBytesJson::Base64 {
                base64: STANDARD.encode(&self.0),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for InputBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<InputBytes, D::Error> {
        Ok(InputBytes(
            match InputBytesJson::deserialize(deserializer)? {
                InputBytesJson::Text(text) => text.into_bytes(),
                InputBytesJson::Base64 { base64 } => STANDARD
                    .decode(&base64)
                    .map_err(|error| D::Error::custom(format!("not base64: {error}")))?,
            },
        ))
    }
}
