//! `final.json`: the exit status, with the last screen.

use serde::{Deserialize, Serialize};

use super::frames::{FrameLine, FrameReader, FrameTime, alone};
use super::{LineError, Millis, from_line};
use crate::Screen;

/// The end of a recording.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordingEnd {
    /// Id of the cassette, the same as in the manifest.
    pub id: String,
    /// Its sequence number among all lines of the cassette.
    pub seq: u64,
    /// The time at which the recording ended.
    pub t_ms: Millis,
    /// The program's exit code, if it exited on its own.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// The signal that killed the program, such as `SIGTERM`.
    #[serde(default)]
    pub signal: Option<String>,
    /// The last screen.
    screen: FrameLine,
}

impl RecordingEnd {
    /// Creates an ending with the last screen, shown after `at` bytes of output.
    pub fn new(id: &str, seq: u64, t_ms: Millis, at: u64, screen: &Screen) -> RecordingEnd {
        let shown = FrameTime {
            seq,
            time: t_ms,
            at,
            unfinished: false,
        };
        RecordingEnd {
            id: id.to_owned(),
            seq,
            t_ms,
            exit_code: None,
            signal: None,
            screen: alone(shown, screen),
        }
    }

    /// Whether the program is known to have exited.
    pub fn ended(&self) -> bool {
        self.exit_code.is_some() || self.signal.is_some()
    }

    /// Returns the last screen.
    pub fn screen(&self) -> Result<Screen, LineError> {
        let mut reader = FrameReader::new();
        let screen = reader.screen(&self.screen);
        screen
            .cloned()
            .map_err(|problem| LineError { line: 1, problem })
    }

    /// Returns the file: indented JSON with a newline at the end.
    pub fn to_file(&self) -> Vec<u8> {
        pretty(self)
    }

    /// Parses the file.
    pub fn parse(bytes: &[u8]) -> Result<RecordingEnd, LineError> {
        from_line(bytes, 1)
    }
}

/// Serializes a whole file as indented JSON.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    // Serialization fails only for maps with keys that are not strings; there are none here.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}
