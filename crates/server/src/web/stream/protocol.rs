//! What a client of a stream says, and is told.

use serde::{Deserialize, Serialize};

use crate::web::sessions::input::Input;

/// What a client wants.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Wish {
    /// To watch a session under a number of its own choice.
    Subscribe {
        channel: u32,
        session: String,
        #[serde(default, flatten)]
        pace: Pace,
    },
    /// To watch it no more.
    Unsubscribe { channel: u32 },
    /// The whole screen, as it has lost its own.
    Keyframe { channel: u32 },
    /// To drive.
    Take { channel: u32, name: String },
    /// To drive no more.
    Release { channel: u32 },
    /// To type, while it drives.
    Input {
        channel: u32,
        #[serde(rename = "do")]
        input: Input,
    },
    /// Another size, while it drives.
    Resize { channel: u32, cols: u64, rows: u64 },
}

/// How fast a client wants to be told.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(crate) struct Pace {
    /// At most so many screens a second.
    pub(super) rate: Option<u32>,
    /// At most so many screens that it has not acknowledged; without this, nothing is waited for but the socket.
    pub(super) window: Option<u32>,
}

impl Wish {
    pub(super) fn channel(&self) -> u32 {
        match self {
            Wish::Subscribe { channel, .. }
            | Wish::Unsubscribe { channel }
            | Wish::Keyframe { channel }
            | Wish::Take { channel, .. }
            | Wish::Release { channel }
            | Wish::Input { channel, .. }
            | Wish::Resize { channel, .. } => *channel,
        }
    }
}

/// What a client is told besides screens.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Told {
    /// Why something was not done.
    Refused { channel: u32, error: String },
    /// Who drives now.
    Driver {
        channel: u32,
        name: Option<String>,
        you: bool,
    },
}

/// What somebody calls themselves, as others are told it: one short line.
pub(super) fn driver(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    match name.trim() {
        "" => "somebody".to_owned(),
        name => name.to_owned(),
    }
}

/// The channel and the revision that a client has shown.
pub(super) fn acknowledged(bytes: &[u8]) -> Option<(u32, u64)> {
    let (channel, rest) = varint(bytes)?;
    let (revision, rest) = varint(rest)?;
    match rest.is_empty() {
        true => Some((u32::try_from(channel).ok()?, revision)),
        false => None,
    }
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0u64;
    for (index, byte) in bytes.iter().enumerate().take(9) {
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[index + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acknowledgement_is_two_numbers() {
        assert_eq!(acknowledged(&[3, 0x80, 1]), Some((3, 128)));
        assert_eq!(acknowledged(&[3]), None);
        assert_eq!(acknowledged(&[3, 1, 1]), None);
        assert_eq!(acknowledged(&[0xff; 12]), None);
        assert_eq!(acknowledged(&[]), None);
    }

    #[test]
    fn wishes_are_read_as_they_are_documented() {
        let wish = r#"{"subscribe":{"channel":1,"session":"vim","rate":10,"window":2}}"#;
        let Wish::Subscribe { pace, .. } = serde_json::from_str(wish).unwrap() else {
            panic!("another wish");
        };
        assert_eq!((pace.rate, pace.window), (Some(10), Some(2)));
        let wish = r#"{"input":{"channel":1,"do":{"key":"Enter"}}}"#;
        assert!(matches!(
            serde_json::from_str(wish).unwrap(),
            Wish::Input { channel: 1, input: Input::Key(key) } if key == "Enter"
        ));
        assert!(serde_json::from_str::<Wish>(r#"{"wish":{}}"#).is_err());
    }
}
