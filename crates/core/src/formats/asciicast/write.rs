//! Writes an asciicast line by line, so that it never has to be in memory as a whole.
//!
//! Times are whole microseconds. Version 3 writes the difference of two such times, so that the sum
//! of all differences is the time of the last event, however many there are.

use std::time::Duration;

use serde::{Serialize, Serializer};

use super::{Cast, Event, EventKind, Header};

/// A version that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Version {
    /// The version that asciinema 2 writes, and that every player reads.
    Two,
    /// The version that asciinema 3 writes.
    #[default]
    Three,
}

impl Version {
    /// Returns the version number.
    pub fn number(self) -> u64 {
        match self {
            Version::Two => 2,
            Version::Three => 3,
        }
    }
}

/// Encodes the lines of a file.
///
/// ```
/// use screentest_core::Size;
/// use screentest_core::formats::asciicast::{Encoder, Event, EventKind, Header, Version};
/// use std::time::Duration;
///
/// let mut encoder = Encoder::new(Version::Three);
/// let header = encoder.header(&Header::new(Size { cols: 80, rows: 24 }));
/// assert_eq!(header, b"{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\n");
/// let kind = EventKind::Output("hi".to_owned());
/// let time = Duration::from_millis(1500);
/// assert_eq!(encoder.event(&Event { time, kind }), b"[1.500, \"o\", \"hi\"]\n");
/// ```
#[derive(Debug, Clone)]
pub struct Encoder {
    version: Version,
    /// The time of the last event, in microseconds.
    last: u64,
}

impl Encoder {
    /// Creates an encoder for a new file.
    pub fn new(version: Version) -> Encoder {
        Encoder { version, last: 0 }
    }

    /// Returns the first line, with its newline.
    pub fn header(&self, header: &Header) -> Vec<u8> {
        let mut line = header.to_line(self.version);
        line.push(b'\n');
        line
    }

    /// Returns the line of the next event, with its newline. An event earlier than the previous one
    /// gets the previous one's time.
    pub fn event(&mut self, event: &Event) -> Vec<u8> {
        let micros = u64::try_from(event.time.as_micros()).unwrap_or(u64::MAX);
        let now = micros.max(self.last);
        let counted = match self.version {
            Version::Two => now,
            Version::Three => now - self.last,
        };
        self.last = now;
        let number;
        let (code, text) = match &event.kind {
            EventKind::Output(text) => ('o', text),
            EventKind::Input(text) => ('i', text),
            EventKind::Marker(text) => ('m', text),
            EventKind::Resize(size) => {
                number = format!("{}x{}", size.cols, size.rows);
                ('r', &number)
            }
            EventKind::Exit(code) => {
                number = code.to_string();
                ('x', &number)
            }
        };
        let mut line = format!("[{}, \"{code}\", ", seconds(counted)).into_bytes();
        // Writing a string to a vector does not fail.
        let _ = serde_json::to_writer(&mut line, text);
        line.extend_from_slice(b"]\n");
        line
    }
}

impl Cast {
    /// Returns the whole file in the given version.
    pub fn to_file(&self, version: Version) -> Vec<u8> {
        let mut encoder = Encoder::new(version);
        let mut file = encoder.header(&self.header);
        for event in &self.events {
            file.extend(encoder.event(event));
        }
        file
    }
}

/// Microseconds as a decimal number of seconds, with three decimals where that is exact.
fn seconds(micros: u64) -> String {
    let (seconds, rest) = (micros / 1_000_000, micros % 1_000_000);
    match rest % 1000 {
        0 => format!("{seconds}.{:03}", rest / 1000),
        _ => format!("{seconds}.{rest:06}"),
    }
}

/// A time as a number of seconds in a header.
pub(super) struct Seconds(pub(super) Duration);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_secs_f64())
    }
}
