//! One line of a recording, written and read.
//!
//! A line that was broken off because whoever wrote it was killed can only be the last; it is passed over. Any other line that
//! is none is an error with its number.

use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Who spoke, or what was shown.
    pub direction: Direction,
    /// A line of JSON-RPC, the text of a screen, or what differs from the frame before.
    pub line: String,
    /// When, in microseconds since 1970 began.
    #[serde(rename = "timestampMicros")]
    pub timestamp_micros: u64,
}

/// What an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// The client asked.
    Request,
    /// The server answered.
    Response,
    /// The server told of something by itself.
    Notification,
    /// The whole text of the screen.
    Frame,
    /// The lines that differ.
    FrameDelta,
}

impl<'de> Deserialize<'de> for Direction {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Direction, D::Error> {
        let word = String::deserialize(deserializer)?;
        match word.trim().to_lowercase().as_str() {
            "request" => Ok(Direction::Request),
            "response" => Ok(Direction::Response),
            "notification" => Ok(Direction::Notification),
            "frame" => Ok(Direction::Frame),
            "frame-delta" => Ok(Direction::FrameDelta),
            _ => Err(serde::de::Error::custom(format_args!(
                "`{word}` is no direction: expected request, response, notification, frame or frame-delta"
            ))),
        }
    }
}

impl Event {
    /// The line that stands in the file, with its end.
    pub(super) fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("an event can always be written");
        line.push('\n');
        line
    }
}

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The system refused.
    #[error("line {line} could not be read")]
    Read {
        /// Counted from 1.
        line: usize,
        /// Why.
        source: io::Error,
    },
    /// A line is longer than any that is written.
    #[error("line {line} has more than {} bytes", Reader::<&[u8]>::MOST)]
    TooLong {
        /// Counted from 1.
        line: usize,
    },
    /// A line is no event.
    #[error("line {line} is no event of a recording")]
    Invalid {
        /// Counted from 1.
        line: usize,
        /// Why.
        source: serde_json::Error,
    },
}

/// Reads the events of a recording, one after the other.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line: usize,
}

impl<R: BufRead> Reader<R> {
    /// The most bytes of one line: more than the largest request, every byte of it escaped.
    pub const MOST: u64 = 128 << 20;

    /// Reads from the beginning.
    pub fn new(input: R) -> Reader<R> {
        Reader { input, line: 0 }
    }

    fn read(&mut self) -> Result<Option<Event>, EventError> {
        loop {
            self.line += 1;
            let line = self.line;
            let mut bytes = Vec::new();
            let mut limited = io::Read::take(&mut self.input, Reader::<R>::MOST + 1);
            let read = limited.read_until(b'\n', &mut bytes);
            read.map_err(|source| EventError::Read { line, source })?;
            if bytes.is_empty() {
                return Ok(None);
            } else if bytes.len() as u64 > Reader::<R>::MOST {
                return Err(EventError::TooLong { line });
            } else if bytes.trim_ascii().is_empty() {
                continue;
            }
            let whole = bytes.ends_with(b"\n");
            return match serde_json::from_slice(&bytes) {
                Ok(event) => Ok(Some(event)),
                Err(_) if !whole => Ok(None),
                Err(source) => Err(EventError::Invalid { line, source }),
            };
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Event, EventError>;

    fn next(&mut self) -> Option<Result<Event, EventError>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Event>, EventError> {
        Reader::new(text.as_bytes()).collect()
    }

    #[test]
    fn an_event_comes_back_as_it_was_written() {
        let event = Event {
            direction: Direction::FrameDelta,
            line: "[[2,\"\\u001b é\"]]".to_owned(),
            timestamp_micros: 1_771_887_600_123_456,
        };
        let line = event.to_line();
        assert_eq!(
            line,
            "{\"direction\":\"frame-delta\",\"line\":\"[[2,\\\"\\\\u001b é\\\"]]\",\"timestampMicros\":1771887600123456}\n"
        );
        assert_eq!(read(&line).unwrap(), [event]);
    }

    #[test]
    fn a_last_line_that_was_broken_off_is_passed_over() {
        let whole = r#"{"direction":" Request ","line":"x","timestampMicros":1}"#;
        assert_eq!(read(&format!("{whole}\n\n{whole}")).unwrap().len(), 2);
        assert_eq!(read(&format!("{whole}\n{{\"direc")).unwrap().len(), 1);
        let error = read(&format!("{whole}\n{{\"direc\n{whole}\n")).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is no event of a recording");
        for garbage in [
            "[]\n",
            "nothing\n",
            "{\"direction\":\"x\",\"line\":\"\",\"timestampMicros\":1}\n",
        ] {
            assert!(read(garbage).is_err(), "{garbage}");
        }
    }
}
