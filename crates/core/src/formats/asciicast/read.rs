//! Parser for asciicasts.
//!
//! Reads each line once. Ignores codes and fields of later versions where the format allows them.
//! Seconds are parsed as numbers and rounded to microseconds, so that relative times add up without
//! drift.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};

use super::header::HeaderFields;
use super::{Cast, CastEvent, CastEventKind, MAX_BYTES, MAX_EVENTS, MAX_RESIZED_CELLS, MAX_TIME};
use crate::{Size, SizeError};

/// Reason why bytes are not an asciicast. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CastParseError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// More than [`MAX_BYTES`].
    #[error("asciicast of `{0}` bytes is too large: the limit is {MAX_BYTES} bytes")]
    TooLarge(usize),
    /// The first value is not an asciicast's header.
    #[error("line {line}: not an asciicast's header: {problem}")]
    CastHeader {
        /// The line where parsing stopped.
        line: usize,
        /// The parser's message.
        problem: String,
    },
    /// A version that is not supported.
    #[error("unsupported version `{0}` (expected 1, 2 or 3)")]
    CastVersion(u64),
    /// A size that no screen can have.
    #[error("line {line}: invalid screen size")]
    Size {
        /// The line of the size.
        line: usize,
        /// Why the size is invalid.
        source: SizeError,
    },
    /// A line that is not an event.
    #[error("damaged at line {line}: not an event, `[time, code, data]`: {problem}")]
    CastEvent {
        /// The line.
        line: usize,
        /// The parser's message.
        problem: String,
    },
    /// A time below 0 or above [`MAX_TIME`].
    #[error(
        "damaged at line {line}: `{seconds}` seconds is out of range (0 to {max})",
        max = MAX_TIME.as_secs()
    )]
    Time {
        /// The line of the event.
        line: usize,
        /// The number in the file.
        seconds: String,
    },
    /// More than [`MAX_EVENTS`].
    #[error("line {line}: more than {MAX_EVENTS} events")]
    TooManyEvents {
        /// The line of the first event beyond the limit.
        line: usize,
    },
    /// Resizes to more than [`MAX_RESIZED_CELLS`] in total.
    #[error(
        "line {line}: too many resizes of a large screen: the screens of all resizes may have \
         {MAX_RESIZED_CELLS} cells in total"
    )]
    TooManyResizes {
        /// The line of the first resize beyond the limit.
        line: usize,
    },
}

impl CastParseError {
    /// Returns the line, counted from 1, at which a file that starts as an asciicast is damaged.
    /// Returns `None` if the file is not an asciicast, has an unsupported version or size, or
    /// exceeds a limit.
    pub fn damaged_line(&self) -> Option<usize> {
        match self {
            CastParseError::CastEvent { line, .. } | CastParseError::Time { line, .. } => {
                Some(*line)
            }
            CastParseError::Empty
            | CastParseError::TooLarge(_)
            | CastParseError::CastHeader { .. }
            | CastParseError::CastVersion(_)
            | CastParseError::Size { .. }
            | CastParseError::TooManyEvents { .. }
            | CastParseError::TooManyResizes { .. } => None,
        }
    }
}

impl Cast {
    /// Parses a file of version 1, 2 or 3. An incomplete last line, as a killed recorder leaves it,
    /// is omitted: see [`Cast::cut_short`].
    pub fn parse(bytes: impl AsRef<[u8]>) -> Result<Cast, CastParseError> {
        let bytes = bytes.as_ref();
        if bytes.len() > MAX_BYTES {
            return Err(CastParseError::TooLarge(bytes.len()));
        }
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<HeaderFields>();
        let mut fields = match values.next() {
            None => return Err(CastParseError::Empty),
            Some(Err(error)) => {
                return Err(CastParseError::CastHeader {
                    line: error.line(),
                    problem: problem(&error),
                });
            }
            Some(Ok(fields)) => fields,
        };
        let (before, rest) = bytes.split_at(values.byte_offset());
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let counted = match fields.version {
            2 => TimeBase::FromStart,
            1 | 3 => TimeBase::FromLast,
            version => return Err(CastParseError::CastVersion(version)),
        };
        let mut reader = CastReader {
            cast: Cast {
                version: fields.version,
                header: fields.header(line)?,
                events: Vec::new(),
                cut_short: None,
            },
            last: Duration::ZERO,
            resized_cells: 0,
            counted,
        };
        match fields.version {
            // The whole file is one value, which ends on this line.
            1 => reader.writes(fields.stdout.0, line)?,
            _ => reader.lines(rest, line)?,
        }
        Ok(reader.cast)
    }
}

/// Where an event's time counts from: the start of the recording, or the previous event.
#[derive(Debug, Clone, Copy)]
enum TimeBase {
    FromStart,
    FromLast,
}

struct CastReader {
    cast: Cast,
    /// Time of the last event, including ignored ones.
    last: Duration,
    /// The number of cells of the screens of all resizes so far.
    resized_cells: usize,
    counted: TimeBase,
}

impl CastReader {
    /// Parses the lines after the header, which ends on line `line`.
    fn lines(&mut self, rest: &[u8], line: usize) -> Result<(), CastParseError> {
        let mut rest = rest;
        for line in line.. {
            let end = memchr::memchr(b'\n', rest);
            let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
            let text = text.trim_ascii();
            if !text.is_empty() && !text.starts_with(b"#") {
                match serde_json::from_slice::<CastLine>(text) {
                    Ok(read) => self.push(line, read)?,
                    Err(error) if error.is_eof() && end.is_none() => {
                        self.cast.cut_short = Some(line);
                    }
                    Err(error) => {
                        let problem = problem(&error);
                        return Err(CastParseError::CastEvent { line, problem });
                    }
                }
            }
            let Some((_, after)) = after.split_first() else {
                break;
            };
            rest = after;
        }
        Ok(())
    }

    fn writes(&mut self, writes: Vec<(f64, String)>, line: usize) -> Result<(), CastParseError> {
        for (seconds, text) in writes {
            let event = Some((EventCode::Output, text));
            self.push(line, CastLine { seconds, event })?;
        }
        Ok(())
    }

    fn push(&mut self, line: usize, read: CastLine) -> Result<(), CastParseError> {
        self.last = self.time(read.seconds).ok_or(CastParseError::Time {
            line,
            seconds: read.seconds.to_string(),
        })?;
        let Some((code, text)) = read.event else {
            return Ok(());
        };
        let event = CastEvent {
            time: self.last,
            kind: kind(code, text, line)?,
        };
        if self.cast.events.len() >= MAX_EVENTS {
            return Err(CastParseError::TooManyEvents { line });
        }
        if let CastEventKind::Resize(size) = event.kind {
            self.resized_cells += usize::from(size.cols) * usize::from(size.rows);
            if self.resized_cells > MAX_RESIZED_CELLS {
                return Err(CastParseError::TooManyResizes { line });
            }
        }
        self.cast.events.push(event);
        Ok(())
    }

    /// Converts a number of seconds to a time since the start.
    fn time(&self, seconds: f64) -> Option<Duration> {
        if !(0.0..=MAX_TIME.as_secs_f64()).contains(&seconds) {
            return None;
        }
        let time = Duration::from_micros((seconds * 1e6).round() as u64);
        match self.counted {
            // Recorders with several threads may write an event late; it is shown when it is read.
            TimeBase::FromStart => Some(time.max(self.last)),
            TimeBase::FromLast => Some(time + self.last).filter(|time| *time <= MAX_TIME),
        }
    }
}

fn kind(code: EventCode, text: String, line: usize) -> Result<CastEventKind, CastParseError> {
    let wrong = |what: &str| CastParseError::CastEvent {
        line,
        problem: format!("`{}` is not {what}", text.escape_default()),
    };
    Ok(match code {
        EventCode::Resize => {
            let (cols, rows) = text
                .split_once('x')
                .and_then(|(cols, rows)| Some((cols.parse().ok()?, rows.parse().ok()?)))
                .ok_or_else(|| wrong("a size, such as `80x24`"))?;
            let size = Size::checked(cols, rows);
            CastEventKind::Resize(size.map_err(|error| wrong(&format!("a size: {error}")))?)
        }
        EventCode::Exit => CastEventKind::Exit(text.parse().map_err(|_| wrong("an exit code"))?),
        EventCode::Output => CastEventKind::Output(text),
        EventCode::Input => CastEventKind::Input(text),
        EventCode::Marker => CastEventKind::Marker(text),
    })
}

/// The JSON error's message without its position, which would count from the start of this one
/// line.
fn problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((problem, _)) => problem.to_owned(),
        None => text,
    }
}

/// Code of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum EventCode {
    #[serde(rename = "o")]
    Output,
    #[serde(rename = "i")]
    Input,
    #[serde(rename = "m")]
    Marker,
    #[serde(rename = "r")]
    Resize,
    #[serde(rename = "x")]
    Exit,
}

/// A known code, or one of a later version.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyCode {
    Known(EventCode),
    Unknown(IgnoredAny),
}

/// A line of the file.
struct CastLine {
    seconds: f64,
    /// `None` for an unknown code.
    event: Option<(EventCode, String)>,
}

impl<'de> Deserialize<'de> for CastLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CastLine, D::Error> {
        struct Parts;

        impl<'de> Visitor<'de> for Parts {
            type Value = CastLine;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of three values")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<CastLine, A::Error> {
                let missing = |index| A::Error::invalid_length(index, &self);
                let seconds = parts.next_element()?.ok_or_else(|| missing(0))?;
                let code = parts.next_element()?.ok_or_else(|| missing(1))?;
                let event = match code {
                    AnyCode::Unknown(_) => None,
                    AnyCode::Known(code) => {
                        Some((code, parts.next_element()?.ok_or_else(|| missing(2))?))
                    }
                };
                while parts.next_element::<IgnoredAny>()?.is_some() {}
                Ok(CastLine { seconds, event })
            }
        }

        deserializer.deserialize_seq(Parts)
    }
}
