//! Cassettes: a session kept, with the times, the bytes and what they showed.
//!
//! A cassette is a directory of eight files, which [`NAMES`] lists. `output.raw` is the evidence: what the program wrote, byte for byte.
//! Everything that was shown can be derived from it again by the emulator that the manifest names; `frames.jsonl` has it
//! ready to look at. One count, `seq`, and one clock, `t_ms`, run through all streams. `docs/formats/cassette.md` gives the fields.
//!
//! | | |
//! |---|---|
//! | [`manifest`] | what was recorded, by what, and the digests; where it is, the cassette is whole |
//! | [`output`] | when each stretch of `output.raw` came |
//! | [`input`] | what was given to the program |
//! | [`frames`] | what was shown: whole screens, and what changed since |
//! | [`events`] | what the caller said meanwhile: marks, steps, anything |
//! | [`ending`] | how it ended, with the last screen |
//! | [`scrub_report`] | how many secrets were covered, never which |
//! | [`derive`](mod@derive) | the screens again, from the bytes |
//!
//! Elsewhere: directories, locks, and who writes while it happens (`screentest::recording::cassette`).

use serde::Serialize;
use serde::de::DeserializeOwned;

pub mod derive;
pub mod digest;
pub mod ending;
pub mod events;
pub mod frames;
pub mod input;
mod look;
pub mod manifest;
pub mod millis;
pub mod output;
mod rows;
pub mod scrub_report;
#[cfg(test)]
mod tests;

pub use derive::{Deriver, OtherEmulator};
pub use digest::Digest;
pub use ending::Ending;
pub use events::EventLine;
pub use frames::{FrameLine, FrameReader, FrameWriter};
pub use input::{InputKind, InputLine};
pub use manifest::{Manifest, ManifestError};
pub use millis::Millis;
pub use output::OutputLine;
pub use scrub_report::ScrubReport;

/// The version that is written, and the newest that is read.
pub const VERSION: u64 = 1;

/// The manifest: written last, so that its presence means that the rest is there.
pub const MANIFEST: &str = "manifest.json";
/// What was given to the program.
pub const INPUT: &str = "input.jsonl";
/// What the program wrote.
pub const OUTPUT_RAW: &str = "output.raw";
/// When it wrote it.
pub const OUTPUT: &str = "output.jsonl";
/// What was shown.
pub const FRAMES: &str = "frames.jsonl";
/// What the caller said meanwhile.
pub const EVENTS: &str = "events.jsonl";
/// How it ended.
pub const FINAL: &str = "final.json";
/// How many secrets were covered.
pub const SCRUB_REPORT: &str = "scrub-report.json";

/// Every file but the manifest, by name.
pub const NAMES: [&str; 7] = [
    EVENTS,
    FINAL,
    FRAMES,
    INPUT,
    OUTPUT,
    OUTPUT_RAW,
    SCRUB_REPORT,
];

/// The longest line, and the largest file that is read whole. A screen of the largest size has 4 million cells.
pub const MAX_LINE: usize = 256 << 20;

/// A line that is not what belongs into its file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// Which, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// One line of a stream, with its end.
pub fn to_line(value: &impl Serialize) -> Vec<u8> {
    // Nothing here has a map whose keys are not texts, which is all that can fail.
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

/// A line of a stream; `number` is which, from 1.
pub fn from_line<T: DeserializeOwned>(line: &[u8], number: usize) -> Result<T, LineError> {
    let wrong = |problem: String| LineError {
        line: number,
        problem,
    };
    if line.len() > MAX_LINE {
        return Err(wrong(format!(
            "`{}` bytes are too many: a line has at most {MAX_LINE}",
            line.len()
        )));
    }
    serde_json::from_slice(line).map_err(|error| wrong(problem(&error)))
}

/// What JSON complains of, with the column instead of a line that is always the first.
fn problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((problem, _)) => format!("{problem} at column {}", error.column()),
        None => text,
    }
}

// Serde hands over references.
fn is_false(value: &bool) -> bool {
    !value
}
