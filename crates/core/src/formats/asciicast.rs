//! Asciicasts: what a program wrote, with the times, as asciinema keeps it.
//!
//! A header says how large the terminal was; then comes one event a line. Versions 2 and 3 are read and written, and version 1,
//! which is one object, is read. Times are kept from the start of the recording, whatever the file counts from.
//! `docs/formats/asciicast.md` says what is read and what is passed over.
//!
//! Elsewhere: reading (`read.rs`) and its header (`header.rs`), writing (`write.rs`), bytes that end inside a character
//! (`text.rs`), the screens that were shown (`frames.rs`).

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

pub use frames::Frames;
pub use read::ParseError;
pub use text::Decoder;
pub use write::{Encoder, Version};

/// The most bytes that are read at once: hours of a busy terminal.
pub const MAX_BYTES: usize = 1 << 30;
/// The most events that are read: 200 MB in memory beside their text, however short each line is.
pub const MAX_EVENTS: usize = 1 << 22;
/// The latest time that an event may have: a year.
pub const MAX_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A recording.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cast {
    /// The version of the file that it was read from: 1, 2 or 3.
    pub version: u64,
    /// What is known of all of it.
    pub header: Header,
    /// What happened, in the order of time.
    pub events: Vec<Event>,
    /// The number of the last line, counted from 1, if it was broken off, as by a recorder that was killed; it is left out.
    pub cut_short: Option<usize>,
}

/// What is known of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// How large the terminal was at the start.
    pub size: Size,
    /// What the recording is called; may be empty.
    pub title: String,
    /// What was run, as a line for a shell; may be empty.
    pub command: String,
    /// The kind of terminal, which programs know as `TERM`; may be empty.
    pub term: String,
    /// Variables of the program's environment that were kept, without `TERM`.
    pub env: BTreeMap<String, String>,
    /// When it began, in seconds since 1970.
    pub recorded_at: Option<u64>,
    /// The colours of the terminal, if they were kept.
    pub theme: Option<CastTheme>,
    /// The longest pause that a player should make, if the recording says so.
    pub idle_limit: Option<Duration>,
}

impl Header {
    /// A header that says no more than it must.
    pub fn new(size: Size) -> Header {
        Header {
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
    /// When the last event happened.
    pub fn duration(&self) -> Duration {
        self.events.last().map_or(Duration::ZERO, |last| last.time)
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When, from the start of the recording; never before the event before it.
    pub time: Duration,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// The program wrote (`o`).
    Output(String),
    /// The person typed (`i`).
    Input(String),
    /// A place with a name, to be found again (`m`).
    Marker(String),
    /// The terminal got another size (`r`).
    Resize(Size),
    /// The program ended with this code (`x`).
    Exit(i32),
}

/// The colours that stand in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CastTheme {
    /// Default text.
    pub fg: Rgb,
    /// Default background.
    pub bg: Rgb,
    /// The first 8 or 16 entries of the palette.
    pub palette: Vec<Rgb>,
}

impl CastTheme {
    /// The theme that shows these colours; what the file leaves open is taken from `base`. Of 8 colours, the bright ones
    /// are the same again.
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
