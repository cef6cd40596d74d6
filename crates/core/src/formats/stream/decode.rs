//! Reading messages.
//!
//! Each number is checked against what the format allows before it is used, and memory follows the bytes that are there. Whether a delta
//! fits the screen of a viewer is not known here; [`apply`](super::apply) looks.

use super::bytes::Input;
use super::encode::{CLOSED, DELTA, ENDED, EXITED, KEYFRAME, MOST_SIGNAL, SIGNALED, UNKNOWN};
use super::facts::Facts;
use super::{Body, Changes, Ended, MAX_MESSAGE, MAX_NUMBER, Message, VERSION, look, moves, row};
use crate::Size;

/// Why some bytes are not a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// Another version of the format.
    #[error("version `{version}` at 0 is not the one that can be read, `{VERSION}`")]
    Version {
        /// The version.
        version: u8,
    },
    /// More bytes than a message may have.
    #[error("`{length}` bytes are too many: a message has at most {MAX_MESSAGE}")]
    TooLong {
        /// How many.
        length: usize,
    },
    /// The bytes end too early.
    #[error("the bytes end at {offset}, where `{needed}` more are needed")]
    Truncated {
        /// Where they end.
        offset: usize,
        /// How many were still to come, at least.
        needed: usize,
    },
    /// A number that is too large, or written with more bytes than it needs.
    #[error("the number at {offset} is too large or longer than it needs to be")]
    Number {
        /// Where it begins.
        offset: usize,
    },
    /// A number that is not allowed in its place.
    #[error("`{value}` at {offset} is no number of {what}: {least} to {most}")]
    Value {
        /// Where it begins.
        offset: usize,
        /// What it stands for.
        what: &'static str,
        /// The number.
        value: u64,
        /// The least that is allowed.
        least: u64,
        /// The most that is allowed.
        most: u64,
    },
    /// Bits that mean nothing.
    #[error("`{value:02x}` at {offset} is no {what}")]
    Head {
        /// Where they are.
        offset: usize,
        /// What they should be.
        what: &'static str,
        /// The bits.
        value: u64,
    },
    /// Bytes that are not UTF-8.
    #[error("the text at {offset} is not UTF-8")]
    Utf8 {
        /// Where the text begins.
        offset: usize,
    },
    /// A character with marks that has none.
    #[error("the character at {offset} has no marks that join it")]
    Single {
        /// Where its length is.
        offset: usize,
    },
    /// Bytes after the end of the message.
    #[error("`{count}` bytes at {offset} follow the end of the message")]
    Trailing {
        /// Where they begin.
        offset: usize,
        /// How many there are.
        count: usize,
    },
}

impl StreamError {
    /// The byte at which it was noticed.
    pub fn offset(&self) -> usize {
        match self {
            StreamError::Version { .. } => 0,
            StreamError::TooLong { .. } => MAX_MESSAGE,
            StreamError::Truncated { offset, .. }
            | StreamError::Number { offset }
            | StreamError::Value { offset, .. }
            | StreamError::Head { offset, .. }
            | StreamError::Utf8 { offset }
            | StreamError::Single { offset }
            | StreamError::Trailing { offset, .. } => *offset,
        }
    }
}

/// Reads a message.
pub fn decode(bytes: &[u8]) -> Result<Message, StreamError> {
    if bytes.len() > MAX_MESSAGE {
        return Err(StreamError::TooLong {
            length: bytes.len(),
        });
    }
    let mut input = Input::new(bytes);
    let version = input.byte()?;
    if version != VERSION {
        return Err(StreamError::Version { version });
    }
    let offset = input.at;
    let kind = input.byte()?;
    if !(KEYFRAME..=CLOSED).contains(&kind) {
        return Err(StreamError::Head {
            offset,
            what: "kind of message",
            value: kind.into(),
        });
    }
    let channel = input.within("channel", 0, u32::MAX.into())? as u32;
    let revision = input.within("revision", 0, MAX_NUMBER)?;
    let body = match kind {
        KEYFRAME => {
            let within = |range: std::ops::RangeInclusive<u16>| {
                (u64::from(*range.start()), u64::from(*range.end()))
            };
            let (least, most) = within(Size::COLS);
            let cols = input.within("columns", least, most)? as u16;
            let (least, most) = within(Size::ROWS);
            let rows = input.within("rows", least, most)? as u16;
            Body::Keyframe {
                size: Size { cols, rows },
                changes: changes(&mut input)?,
            }
        }
        DELTA => Body::Delta {
            base: revision - input.within("revisions back", 1, revision)?,
            changes: changes(&mut input)?,
        },
        ENDED => Body::Ended(read_ended(&mut input)?),
        _ => Body::Closed,
    };
    match input.left() {
        0 => Ok(Message {
            channel,
            revision,
            body,
        }),
        count => Err(StreamError::Trailing {
            offset: input.at,
            count,
        }),
    }
}

fn changes(input: &mut Input<'_>) -> Result<Changes, StreamError> {
    let mut changes = Changes {
        facts: Facts::read(input)?,
        moves: moves::read(input)?,
        looks: look::read(input)?,
        ..Changes::default()
    };
    row::read(input, &mut changes)?;
    Ok(changes)
}

fn read_ended(input: &mut Input<'_>) -> Result<Ended, StreamError> {
    let offset = input.at;
    match input.byte()? {
        UNKNOWN => Ok(Ended::Unknown),
        EXITED => {
            let code = input.within("exit code", 0, u32::MAX.into())? as u32;
            Ok(Ended::Exited((code >> 1) as i32 ^ -((code & 1) as i32)))
        }
        SIGNALED => {
            let name = input.text("bytes of a signal", 0, MOST_SIGNAL)?;
            Ok(Ended::Signaled(name.into()))
        }
        value => Err(StreamError::Head {
            offset,
            what: "way to end",
            value: value.into(),
        }),
    }
}
