//! JSON messages of the stream.

use serde::{Deserialize, Serialize};

use crate::web::sessions::input::InputRequest;

/// A request of a client.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum StreamRequest {
    /// Watches a session as a channel, whose number the client chooses.
    Subscribe {
        channel: u32,
        session: String,
        #[serde(default, flatten)]
        pace: StreamPace,
    },
    /// Stops watching.
    Unsubscribe { channel: u32 },
    /// Requests a keyframe, because the client has lost its screen.
    Keyframe { channel: u32 },
    /// Takes control.
    Take { channel: u32, name: String },
    /// Releases control.
    Release { channel: u32 },
    /// Sends input. Requires control.
    Input {
        channel: u32,
        #[serde(rename = "do")]
        input: InputRequest,
    },
    /// Resizes the terminal. Requires control.
    Resize { channel: u32, cols: u64, rows: u64 },
}

/// Limits on the screens that a client is sent.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(crate) struct StreamPace {
    /// Maximum number of screens per second.
    pub(super) rate: Option<u32>,
    /// Maximum number of unacknowledged screens. If absent, only the socket limits their number.
    pub(super) window: Option<u32>,
}

impl StreamRequest {
    pub(super) fn channel(&self) -> u32 {
        match self {
            StreamRequest::Subscribe { channel, .. }
            | StreamRequest::Unsubscribe { channel }
            | StreamRequest::Keyframe { channel }
            | StreamRequest::Take { channel, .. }
            | StreamRequest::Release { channel }
            | StreamRequest::Input { channel, .. }
            | StreamRequest::Resize { channel, .. } => *channel,
        }
    }
}

/// A message of the server besides screens.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StreamNotice {
    /// Why a request failed.
    Refused { channel: u32, error: String },
    /// Which client has control.
    Driver {
        channel: u32,
        name: Option<String>,
        you: bool,
    },
}

/// Shortens the name of a client to one line of at most 60 characters.
pub(super) fn display_name(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    match name.trim() {
        "" => "Guest".to_owned(),
        name => name.to_owned(),
    }
}

/// Parses an acknowledgement: the channel and the revision that the client has drawn.
pub(super) fn parse_acknowledgement(bytes: &[u8]) -> Option<(u32, u64)> {
    let (channel, rest) = varint(bytes)?;
    let (revision, rest) = varint(rest)?;
    if rest.is_empty() {
        Some((u32::try_from(channel).ok()?, revision))
    } else {
        None
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
    fn acknowledgement_is_two_varints() {
        assert_eq!(parse_acknowledgement(&[3, 0x80, 1]), Some((3, 128)));
        assert_eq!(parse_acknowledgement(&[3]), None);
        assert_eq!(parse_acknowledgement(&[3, 1, 1]), None);
        assert_eq!(parse_acknowledgement(&[0xff; 12]), None);
        assert_eq!(parse_acknowledgement(&[]), None);
    }

    #[test]
    fn documented_requests_are_parsed() {
        let request = r#"{"subscribe":{"channel":1,"session":"vim","rate":10,"window":2}}"#;
        let StreamRequest::Subscribe { pace, .. } = serde_json::from_str(request).unwrap() else {
            panic!("another request");
        };
        assert_eq!((pace.rate, pace.window), (Some(10), Some(2)));
        let request = r#"{"input":{"channel":1,"do":{"key":"Enter"}}}"#;
        assert!(matches!(
            serde_json::from_str(request).unwrap(),
            StreamRequest::Input { channel: 1, input: InputRequest::Key(key) } if key == "Enter"
        ));
        assert!(serde_json::from_str::<StreamRequest>(r#"{"unknown":{}}"#).is_err());
    }
}
