//! Cassettes: recorded sessions, with times, output bytes and the screens they produced.
//!
//! A cassette is a directory of eight files: the manifest and the files that [`NAMES`] lists.
//! `output.raw` is the evidence: the program's output, byte for byte. All screens can be derived
//! again from it and the resizes, by the emulator that the manifest names; `frames.jsonl` stores
//! them ready for display. One counter, `seq`, and one clock, `t_ms`, are shared by all streams.
//! `docs/formats/cassette.md` gives the fields.
//!
//! | | |
//! |---|---|
//! | [`manifest`] | program, recorder and digests; its presence means that no file is missing |
//! | [`output`] | the time of each chunk of `output.raw` |
//! | [`input`] | the input of the program |
//! | [`frames`] | the screens: keyframes, and the changes between them |
//! | [`events`] | marks, steps and other data that the caller attached |
//! | [`recording_end`] | the exit status, with the last screen |
//! | [`scrub_report`] | the number of redacted secrets, never the secrets |
//! | [`derive`](mod@derive) | derives the screens from the bytes again |
//!
//! See also: `screentest::recording` (directories, locks, recorder).

use serde::Serialize;
use serde::de::DeserializeOwned;

pub mod derive;
pub mod digest;
pub mod events;
pub mod frames;
pub mod input;
pub mod manifest;
pub mod millis;
pub mod output;
pub mod recording_end;
mod rows;
pub mod scrub_report;
mod style_json;
#[cfg(test)]
mod tests;

pub use derive::{DeriveError, Deriver};
pub use digest::Digest;
pub use events::EventLine;
pub use frames::{FrameLine, FrameReader, FrameWriter};
pub use input::{InputLine, InputLineKind};
pub use manifest::{Manifest, ManifestError};
pub use millis::Millis;
pub use output::OutputLine;
pub use recording_end::RecordingEnd;
pub use scrub_report::ScrubReport;

/// The version that is written, and the newest that is read.
pub const VERSION: u64 = 1;

/// The manifest: written last, so that its presence means that the other files are complete.
pub const MANIFEST: &str = "manifest.json";
/// The input of the program.
pub const INPUT: &str = "input.jsonl";
/// The output of the program.
pub const OUTPUT_RAW: &str = "output.raw";
/// The times of the output.
pub const OUTPUT: &str = "output.jsonl";
/// The screens.
pub const FRAMES: &str = "frames.jsonl";
/// Marks and data from the caller.
pub const EVENTS: &str = "events.jsonl";
/// The exit status and the last screen.
pub const FINAL: &str = "final.json";
/// The number of redacted secrets.
pub const SCRUB_REPORT: &str = "scrub-report.json";

/// The name of every file except the manifest.
pub const NAMES: [&str; 7] = [
    EVENTS,
    FINAL,
    FRAMES,
    INPUT,
    OUTPUT,
    OUTPUT_RAW,
    SCRUB_REPORT,
];

/// The longest line, and the largest file that is read as a whole, in bytes. A screen of the
/// largest size has 4 million cells.
pub const MAX_LINE: usize = 256 << 20;

/// A line that could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
}

/// Returns one line of a stream, with its newline.
pub fn to_line(value: &impl Serialize) -> Vec<u8> {
    // Serialization fails only for maps with keys that are not strings; there are none here.
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Parses one line of a stream; `number` is its line number, counted from 1.
pub fn from_line<T: DeserializeOwned>(line: &[u8], number: usize) -> Result<T, LineError> {
    let wrong = |problem: String| LineError {
        line: number,
        problem,
    };
    if line.len() > MAX_LINE {
        return Err(wrong(format!(
            "line of `{}` bytes is too long: the limit is {MAX_LINE} bytes",
            line.len()
        )));
    }
    serde_json::from_slice(line).map_err(|error| wrong(problem(&error)))
}

/// The JSON error's message with its column; its line number is left out, since it is always 1.
fn problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((problem, _)) => format!("{problem} at column {}", error.column()),
        None => text,
    }
}

// Serde passes a reference.
fn is_false(value: &bool) -> bool {
    !value
}
