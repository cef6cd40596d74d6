//! Asciicasts: a program's output with its times, in asciinema's format.
//!
//! A header gives the terminal's size; each further line is one event. Versions 2 and 3 are read
//! and written; version 1, which is a single object, is only read. In memory, times always count
//! from the start of the recording, whatever the file counts from. `docs/formats/asciicast.md`
//! lists the parts that are read and those that are ignored.
//!
//! See also: `read.rs`, `header.rs` (the header's fields), `write.rs`, `text.rs` (chunks that end
//! inside a character), `frames.rs` (the screens of a recording).

use std::collections::BTreeMap;
use std::time::Duration;

use crate::{Rgb, Size, Theme};

mod frames;
mod header;
mod read;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub use frames::CastFrames;
pub use read::CastParseError;
pub use text::Utf8Decoder;
pub use write::{CastEncoder, CastVersion};

/// Size limit for one file: hours of a busy terminal.
pub const MAX_BYTES: usize = 1 << 30;
/// Limit on the number of events: 200 MB in memory plus their text, however short each line is.
pub const MAX_EVENTS: usize = 1 << 22;
/// Limit on the cells of all screens after a resize, added up: a few seconds of work, or 50,000
/// resizes to 80 columns and 24 rows.
pub const MAX_RESIZED_CELLS: usize = 100_000_000;
/// The latest time that an event may have: one year.
pub const MAX_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A recording.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cast {
    /// Version of the file: 1, 2 or 3.
    pub version: u64,
    /// Facts about the whole recording.
    pub header: CastHeader,
    /// The events, ordered by time.
    pub events: Vec<CastEvent>,
    /// The number of the last line, counted from 1, if it is incomplete (for example because the
    /// recorder was killed). That line is omitted.
    pub cut_short: Option<usize>,
}

/// Facts about a recording as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CastHeader {
    /// Size of the terminal at the start.
    pub size: Size,
    /// Title of the recording; may be empty.
    pub title: String,
    /// The recorded command, as a shell command line; may be empty.
    pub command: String,
    /// Terminal type, the value of `TERM`; may be empty.
    pub term: String,
    /// Recorded environment variables, without `TERM`.
    pub env: BTreeMap<String, String>,
    /// Start time, in seconds since 1970.
    pub recorded_at: Option<u64>,
    /// Colours of the terminal, if recorded.
    pub theme: Option<CastTheme>,
    /// The longest pause that a player should make, if the recording sets one.
    pub idle_limit: Option<Duration>,
}

impl CastHeader {
    /// A header with only the required fields.
    pub fn new(size: Size) -> CastHeader {
        CastHeader {
            size,
            title: String::new(),
            command: String::new(),
            term: String::new(),
            env: BTreeMap::new(),
            recorded_at: None,
            theme: None,
            idle_limit: None,
        }
    }
}

impl Cast {
    /// Returns the time of the last event.
    pub fn duration(&self) -> Duration {
        self.events.last().map_or(Duration::ZERO, |last| last.time)
    }
}

/// One event of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CastEvent {
    /// Time since the start of the recording; never less than the previous event's.
    pub time: Duration,
    /// The event itself.
    pub kind: CastEventKind,
}

/// The kinds of events, with their data.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CastEventKind {
    /// The program wrote (`o`).
    Output(String),
    /// A person typed (`i`).
    Input(String),
    /// A named marker (`m`).
    Marker(String),
    /// The terminal was resized (`r`).
    Resize(Size),
    /// The program exited with this code (`x`).
    Exit(i32),
}

/// The colours in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CastTheme {
    /// Default foreground.
    pub fg: Rgb,
    /// Default background.
    pub bg: Rgb,
    /// The first 8 or 16 entries of the palette.
    pub palette: Vec<Rgb>,
}

impl CastTheme {
    /// Returns a theme with these colours; colours that the file does not give come from `base`.
    /// With 8 colours, the bright ones equal the normal ones.
    pub fn theme(&self, base: &Theme) -> Theme {
        let mut theme = Theme {
            name: "asciicast".into(),
            fg: self.fg,
            bg: self.bg,
            cursor: self.fg,
            ..base.clone()
        };
        for (entry, color) in theme.ansi.iter_mut().zip(self.palette.iter().cycle()) {
            *entry = *color;
        }
        theme
    }
}
