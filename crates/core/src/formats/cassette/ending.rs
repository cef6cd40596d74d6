//! `final.json`: how it ended, with the last screen.

use serde::{Deserialize, Serialize};

use super::frames::{FrameLine, FrameReader, Shown, alone};
use super::{LineError, Millis, from_line};
use crate::Screen;

/// How a recording ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ending {
    /// The cassette to which this belongs, as the manifest says it too.
    pub id: String,
    /// Its number among everything that happened.
    pub seq: u64,
    /// When it ended.
    pub t_ms: Millis,
    /// The program's exit code, if it left on its own.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// The signal that killed it, such as `SIGTERM`.
    #[serde(default)]
    pub signal: Option<String>,
    /// What was shown last.
    screen: FrameLine,
}

impl Ending {
    /// An ending with what was shown last, `at` bytes into the output.
    pub fn new(id: &str, seq: u64, t_ms: Millis, at: u64, screen: &Screen) -> Ending {
        let shown = Shown {
            seq,
            time: t_ms,
            at,
            unfinished: false,
        };
        Ending {
            id: id.to_owned(),
            seq,
            t_ms,
            exit_code: None,
            signal: None,
            screen: alone(shown, screen),
        }
    }

    /// Whether the program is known to have ended.
    pub fn ended(&self) -> bool {
        self.exit_code.is_some() || self.signal.is_some()
    }

    /// What was shown last.
    pub fn screen(&self) -> Result<Screen, LineError> {
        let mut reader = FrameReader::new();
        let screen = reader.screen(&self.screen);
        screen
            .cloned()
            .map_err(|problem| LineError { line: 1, problem })
    }

    /// The file: indented, with a newline at the end.
    pub fn to_file(&self) -> Vec<u8> {
        pretty(self)
    }

    /// Reads the file.
    pub fn parse(bytes: &[u8]) -> Result<Ending, LineError> {
        from_line(bytes, 1)
    }
}

/// A whole file of JSON for people.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    // Nothing here has a map whose keys are not texts, which is all that can fail.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}
