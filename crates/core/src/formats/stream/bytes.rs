//! Encodes and decodes numbers and texts.
//!
//! Numbers are LEB128: seven bits per byte, the lowest first, the top bit set on every byte but the
//! last, and always in the shortest form. A text is its length in bytes, followed by UTF-8.

use super::{MAX_NUMBER, StreamError};
use crate::Rgb;

/// Eight bytes of seven bits are enough for [`MAX_NUMBER`].
const MAX_BYTES: usize = 8;

/// Appends a number, limited to [`MAX_NUMBER`].
pub(super) fn put_number(bytes: &mut Vec<u8>, number: u64) {
    let mut rest = number.min(MAX_NUMBER);
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Appends a count or an index.
pub(super) fn put_count(bytes: &mut Vec<u8>, count: usize) {
    put_number(bytes, count as u64);
}

/// Appends a text.
pub(super) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_count(bytes, text.len());
    bytes.extend(text.as_bytes());
}

/// A message, and the offset of the next byte to read.
#[derive(Debug)]
pub(super) struct MessageReader<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> MessageReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> MessageReader<'a> {
        MessageReader { bytes, at: 0 }
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn byte(&mut self) -> Result<u8, StreamError> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], StreamError> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..count) else {
            return Err(StreamError::Truncated {
                offset: self.bytes.len(),
                needed: count - rest.len(),
            });
        };
        self.at += count;
        Ok(taken)
    }

    /// Reads a colour: red, green, blue.
    pub(super) fn rgb(&mut self) -> Result<Rgb, StreamError> {
        let parts = self.take(3)?;
        Ok(Rgb::new(parts[0], parts[1], parts[2]))
    }

    pub(super) fn number(&mut self) -> Result<u64, StreamError> {
        let offset = self.at;
        let mut number = 0;
        for index in 0..MAX_BYTES {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << (7 * index);
            if byte & 0x80 == 0 {
                let longer_than_needed = byte == 0 && index > 0;
                if longer_than_needed || number > MAX_NUMBER {
                    break;
                }
                return Ok(number);
            }
        }
        Err(StreamError::Number { offset })
    }

    /// Reads a number that must be in a range; `what` names it in the error.
    pub(super) fn within(
        &mut self,
        what: &'static str,
        least: u64,
        most: u64,
    ) -> Result<u64, StreamError> {
        let offset = self.at;
        let value = self.number()?;
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        Err(StreamError::Value {
            offset,
            what,
            value,
            least,
            most,
        })
    }

    /// Reads a count or an index in a range; `most` must fit into a `usize`.
    pub(super) fn count(
        &mut self,
        what: &'static str,
        least: usize,
        most: usize,
    ) -> Result<usize, StreamError> {
        Ok(self.within(what, least as u64, most as u64)? as usize)
    }

    /// Reads a text with a length in a range, in bytes.
    pub(super) fn text(
        &mut self,
        what: &'static str,
        least: usize,
        most: usize,
    ) -> Result<&'a str, StreamError> {
        let length = self.count(what, least, most)?;
        self.utf8(length)
    }

    /// Reads one code point, whose first byte gives its length.
    pub(super) fn char(&mut self) -> Result<&'a str, StreamError> {
        let offset = self.at;
        let length = match self.byte()? {
            0x00..=0x7f => 1,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return Err(StreamError::Utf8 { offset }),
        };
        self.at = offset;
        self.utf8(length)
    }

    pub(super) fn utf8(&mut self, length: usize) -> Result<&'a str, StreamError> {
        let offset = self.at;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map_err(|_| StreamError::Utf8 { offset })
    }
}
