//! Reads and writes one line of a recording.
//!
//! An incomplete last line, as left by a killed server, is ignored. Any other invalid line is an
//! error with its number.

use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};

/// One event of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Direction of a message, or kind of a frame.
    pub direction: Direction,
    /// A line of JSON-RPC, the text of a screen, or the difference to the frame before.
    pub line: String,
    /// Time in microseconds since 1970-01-01 00:00 UTC.
    #[serde(rename = "timestampMicros")]
    pub timestamp_micros: u64,
}

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// A message from the client.
    Request,
    /// A response from the server.
    Response,
    /// A notification from the server.
    Notification,
    /// The full text of the screen.
    Frame,
    /// The changed lines of the screen.
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
                "`{word}` is not a direction: expected request, response, notification, frame or frame-delta"
            ))),
        }
    }
}

impl Event {
    /// Returns the event as a line of the file, with its line end.
    pub(super) fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("an event can always be written");
        line.push('\n');
        line
    }
}

/// Why a recording could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The file could not be read.
    #[error("could not read line {line}")]
    Read {
        /// The number of the line, from 1.
        line: usize,
        /// The cause.
        source: io::Error,
    },
    /// A line is longer than the maximum.
    #[error("line {line} has more than {} bytes", EventReader::<&[u8]>::MAX_LINE)]
    TooLong {
        /// The number of the line, from 1.
        line: usize,
    },
    /// A line is not a valid event.
    #[error("line {line} is not an event of a recording")]
    Invalid {
        /// The number of the line, from 1.
        line: usize,
        /// The cause.
        source: serde_json::Error,
    },
}

/// Iterates over the events of a recording.
#[derive(Debug)]
pub struct EventReader<R> {
    input: R,
    line: usize,
}

impl<R: BufRead> EventReader<R> {
    /// Maximum length of a line in bytes: more than the largest request with every byte escaped.
    pub const MAX_LINE: u64 = 128 << 20;

    /// Creates a reader that starts at the first line.
    pub fn new(input: R) -> EventReader<R> {
        EventReader { input, line: 0 }
    }

    fn read(&mut self) -> Result<Option<Event>, EventError> {
        loop {
            self.line += 1;
            let line = self.line;
            let mut bytes = Vec::new();
            let mut limited = io::Read::take(&mut self.input, EventReader::<R>::MAX_LINE + 1);
            let read = limited.read_until(b'\n', &mut bytes);
            read.map_err(|source| EventError::Read { line, source })?;
            if bytes.is_empty() {
                return Ok(None);
            } else if bytes.len() as u64 > EventReader::<R>::MAX_LINE {
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

impl<R: BufRead> Iterator for EventReader<R> {
    type Item = Result<Event, EventError>;

    fn next(&mut self) -> Option<Result<Event, EventError>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Event>, EventError> {
        EventReader::new(text.as_bytes()).collect()
    }

    #[test]
    fn event_round_trips() {
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
    fn incomplete_last_line_is_ignored() {
        let whole = r#"{"direction":" Request ","line":"x","timestampMicros":1}"#;
        assert_eq!(read(&format!("{whole}\n\n{whole}")).unwrap().len(), 2);
        assert_eq!(read(&format!("{whole}\n{{\"direc")).unwrap().len(), 1);
        let error = read(&format!("{whole}\n{{\"direc\n{whole}\n")).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is not an event of a recording");
        for garbage in [
            "[]\n",
            "nothing\n",
            "{\"direction\":\"x\",\"line\":\"\",\"timestampMicros\":1}\n",
        ] {
            assert!(read(garbage).is_err(), "{garbage}");
        }
    }
}
