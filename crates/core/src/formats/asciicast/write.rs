//! Writes an asciicast line by line, so that it never has to be in memory as a whole.
//!
//! Times are truncated to whole microseconds. Version 3 stores the differences between truncated
//! times, so their sum is exact.

use std::time::Duration;

use serde::{Serialize, Serializer};

use super::{Cast, CastEvent, CastEventKind, CastHeader};

/// A version that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CastVersion {
    /// The version that asciinema 2 writes, and that every player reads.
    Two,
    /// The version that asciinema 3 writes.
    #[default]
    Three,
}

impl CastVersion {
    /// Returns the version number.
    pub fn number(self) -> u64 {
        match self {
            CastVersion::Two => 2,
            CastVersion::Three => 3,
        }
    }
}

/// Encodes the lines of a file.
///
/// ```
/// use screentest_core::Size;
/// use screentest_core::formats::asciicast::{CastEncoder, CastEvent, CastEventKind, CastHeader, CastVersion};
/// use std::time::Duration;
///
/// let mut encoder = CastEncoder::new(CastVersion::Three);
/// let header = encoder.header(&CastHeader::new(Size { cols: 80, rows: 24 }));
/// assert_eq!(header, b"{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\n");
/// let kind = CastEventKind::Output("hi".to_owned());
/// let time = Duration::from_millis(1500);
/// assert_eq!(encoder.event(&CastEvent { time, kind }), b"[1.500, \"o\", \"hi\"]\n");
/// ```
#[derive(Debug, Clone)]
pub struct CastEncoder {
    version: CastVersion,
    /// The time of the last event, in microseconds.
    last: u64,
}

impl CastEncoder {
    /// Creates an encoder for a new file.
    pub fn new(version: CastVersion) -> CastEncoder {
        CastEncoder { version, last: 0 }
    }

    /// Returns the first line, with its newline.
    pub fn header(&self, header: &CastHeader) -> Vec<u8> {
        let mut line = header.to_line(self.version);
        line.push(b'\n');
        line
    }

    /// Returns the line of the next event, with its newline. An event earlier than the previous one
    /// gets the previous one's time.
    pub fn event(&mut self, event: &CastEvent) -> Vec<u8> {
        let micros = u64::try_from(event.time.as_micros()).unwrap_or(u64::MAX);
        let now = micros.max(self.last);
        let counted = match self.version {
            CastVersion::Two => now,
            CastVersion::Three => now - self.last,
        };
        self.last = now;
        let number;
        let (code, text) = match &event.kind {
            CastEventKind::Output(text) => ('o', text),
            CastEventKind::Input(text) => ('i', text),
            CastEventKind::Marker(text) => ('m', text),
            CastEventKind::Resize(size) => {
                number = format!("{}x{}", size.cols, size.rows);
                ('r', &number)
            }
            CastEventKind::Exit(code) => {
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
    pub fn to_bytes(&self, version: CastVersion) -> Vec<u8> {
        let mut encoder = CastEncoder::new(version);
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
