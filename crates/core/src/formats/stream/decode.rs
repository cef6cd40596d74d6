//! Decoder for messages.
//!
//! Each number is checked against the format's limits before it is used, and memory is allocated
//! only as bytes are read. Whether a delta fits the viewer's screen is checked later, by
//! [`apply`](super::apply).

use super::bytes::MessageReader;
use super::encode::{CLOSED, DELTA, ENDED, EXITED, KEYFRAME, MAX_SIGNAL, SIGNALED, UNKNOWN};
use super::metadata::MetadataChanges;
use super::{
    MAX_MESSAGE, MAX_NUMBER, ProgramExit, ScreenChanges, StreamBody, StreamMessage, VERSION,
    VERSION_WITH_IMAGES, image_list, row, row_moves, style_table,
};
use crate::Size;

/// Reason why bytes are not a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// An unsupported version of the format.
    #[error("unsupported version `{version}` (expected `{VERSION}` or lower)")]
    Version {
        /// The version.
        version: u8,
    },
    /// More bytes than a message may have.
    #[error("message of `{length}` bytes is too long: the limit is {MAX_MESSAGE} bytes")]
    TooLong {
        /// Its length.
        length: usize,
    },
    /// The input ends too early.
    #[error("unexpected end at offset {offset}: at least `{needed}` more bytes are needed")]
    Truncated {
        /// The offset of the end.
        offset: usize,
        /// The least number of bytes that are missing.
        needed: usize,
    },
    /// A number that is too large, or not in its shortest form.
    #[error("the number at offset {offset} is too large or not in its shortest form")]
    Number {
        /// The offset of the number.
        offset: usize,
    },
    /// A number outside its range.
    #[error("`{value}` at offset {offset} is out of range for {what} ({least} to {most})")]
    Value {
        /// The offset of the number.
        offset: usize,
        /// The meaning of the number.
        what: &'static str,
        /// The number.
        value: u64,
        /// The least allowed value.
        least: u64,
        /// The largest allowed value.
        most: u64,
    },
    /// Bits without a meaning.
    #[error("`{value:02x}` at offset {offset} is not a valid {what}")]
    Head {
        /// The offset of the bits.
        offset: usize,
        /// The expected item.
        what: &'static str,
        /// The bits.
        value: u64,
    },
    /// Bytes that are not UTF-8.
    #[error("the text at offset {offset} is not UTF-8")]
    Utf8 {
        /// The offset of the text.
        offset: usize,
    },
    /// A cluster of a single code point.
    #[error("the cluster at offset {offset} has only one code point")]
    Single {
        /// The offset of its length.
        offset: usize,
    },
    /// Bytes after the end of the message.
    #[error("`{count}` bytes at offset {offset} follow the end of the message")]
    Trailing {
        /// The offset of the first of them.
        offset: usize,
        /// Their number.
        count: usize,
    },
}

impl StreamError {
    /// Returns the offset at which the error was detected.
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

/// Decodes a message.
pub fn decode(bytes: &[u8]) -> Result<StreamMessage, StreamError> {
    if bytes.len() > MAX_MESSAGE {
        return Err(StreamError::TooLong {
            length: bytes.len(),
        });
    }
    let mut input = MessageReader::new(bytes);
    let version = input.byte()?;
    if !(1..=VERSION).contains(&version) {
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
            StreamBody::Keyframe {
                size: Size { cols, rows },
                changes: changes(&mut input, version)?,
            }
        }
        DELTA => StreamBody::Delta {
            base: revision - input.within("revisions since the base", 1, revision)?,
            changes: changes(&mut input, version)?,
        },
        ENDED => StreamBody::Ended(read_ended(&mut input)?),
        _ => StreamBody::Closed,
    };
    match input.left() {
        0 => Ok(StreamMessage {
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

fn changes(input: &mut MessageReader<'_>, version: u8) -> Result<ScreenChanges, StreamError> {
    let mut changes = ScreenChanges {
        metadata: MetadataChanges::read(input, version)?,
        moves: row_moves::read(input)?,
        styles: style_table::read(input)?,
        ..ScreenChanges::default()
    };
    row::read(input, &mut changes)?;
    if version == VERSION_WITH_IMAGES {
        changes.images = image_list::read(input)?;
    }
    Ok(changes)
}

fn read_ended(input: &mut MessageReader<'_>) -> Result<ProgramExit, StreamError> {
    let offset = input.at;
    match input.byte()? {
        UNKNOWN => Ok(ProgramExit::Unknown),
        EXITED => {
            let code = input.within("exit code", 0, u32::MAX.into())? as u32;
            Ok(ProgramExit::Exited(
                (code >> 1) as i32 ^ -((code & 1) as i32),
            ))
        }
        SIGNALED => {
            let name = input.text("bytes of a signal", 0, MAX_SIGNAL)?;
            Ok(ProgramExit::Signaled(name.into()))
        }
        value => Err(StreamError::Head {
            offset,
            what: "kind of exit",
            value: value.into(),
        }),
    }
}
