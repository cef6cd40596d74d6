//! The header of an asciicast, of any version.
//!
//! Only the version and the size are required. An invalid `command`, `timestamp`, `env`, terminal
//! type or colour is ignored. Any other field of the wrong type is an error.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::read::CastParseError;
use super::write::{CastVersion, Seconds};
use super::{CastHeader, CastTheme, MAX_EVENTS};
use crate::{Rgb, Size};

/// Limit on the number of environment variables that are read: recorders write two.
const MAX_VARIABLES: usize = 256;

/// The fields that are read, of all versions; each version uses some of them.
#[derive(Deserialize)]
pub(super) struct HeaderFields {
    pub(super) version: u64,
    width: Option<u64>,
    height: Option<u64>,
    term: Option<TermFields>,
    title: Option<String>,
    command: Option<OptionalText>,
    timestamp: Option<OptionalNumber>,
    #[serde(default)]
    env: TextFields,
    idle_time_limit: Option<f64>,
    #[serde(default)]
    theme: TextFields,
    #[serde(default)]
    pub(super) stdout: Writes,
}

/// The `term` object of version 3.
#[derive(Deserialize)]
struct TermFields {
    cols: u64,
    rows: u64,
    #[serde(rename = "type")]
    kind: Option<OptionalText>,
    #[serde(default)]
    theme: TextFields,
}

/// A theme to be written.
#[derive(Serialize)]
struct Colors {
    fg: String,
    bg: String,
    palette: String,
}

impl HeaderFields {
    /// Converts the fields to a [`CastHeader`]. `line` is the line on which the header ends.
    pub(super) fn header(&mut self, line: usize) -> Result<CastHeader, CastParseError> {
        let (cols, rows) = match (&self.term, self.width, self.height) {
            (Some(term), _, _) => (term.cols, term.rows),
            (None, Some(width), Some(height)) => (width, height),
            _ => {
                return Err(CastParseError::CastHeader {
                    line,
                    problem: "no terminal size".to_owned(),
                });
            }
        };
        let size =
            Size::checked(cols, rows).map_err(|source| CastParseError::Size { line, source })?;
        let text = |text: Option<OptionalText>| text.and_then(|text| text.0).unwrap_or_default();
        let (kind, own) = match self.term.take() {
            Some(term) => (text(term.kind), term.theme),
            None => (String::new(), TextFields::default()),
        };
        let mut env = std::mem::take(&mut self.env.0);
        let variable = env.remove("TERM").unwrap_or_default();
        Ok(CastHeader {
            title: self.title.take().unwrap_or_default(),
            command: text(self.command.take()),
            term: if kind.is_empty() { variable } else { kind },
            env,
            recorded_at: self.timestamp.as_ref().and_then(|whole| whole.0),
            theme: own.theme().or_else(|| self.theme.theme()),
            idle_limit: self
                .idle_time_limit
                .filter(|limit| *limit > 0.0)
                .and_then(|limit| Duration::try_from_secs_f64(limit).ok()),
            ..CastHeader::new(size)
        })
    }
}

impl TextFields {
    /// Parses the colours of a theme; `None` if one of them is missing or not `#rrggbb`, or if the
    /// palette has neither 8 nor 16 entries.
    fn theme(&self) -> Option<CastTheme> {
        let color = |name| Rgb::parse(self.0.get(name)?);
        let palette = self.0.get("palette")?;
        let palette: Option<Vec<Rgb>> = palette.split(':').take(17).map(Rgb::parse).collect();
        Some(CastTheme {
            fg: color("fg")?,
            bg: color("bg")?,
            palette: palette.filter(|palette| matches!(palette.len(), 8 | 16))?,
        })
    }
}

impl Colors {
    fn of(theme: &CastTheme) -> Colors {
        let palette: Vec<String> = theme.palette.iter().map(Rgb::to_string).collect();
        Colors {
            fg: theme.fg.to_string(),
            bg: theme.bg.to_string(),
            palette: palette.join(":"),
        }
    }
}

/// A header to be written. Fields without a value are omitted.
#[derive(Serialize)]
struct HeaderJson<'a> {
    version: u64,
    #[serde(flatten)]
    terminal: TerminalFields<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_time_limit: Option<Seconds>,
    #[serde(skip_serializing_if = "str::is_empty")]
    command: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    title: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<&'a str, &'a str>,
}

/// The terminal's fields, which each version stores in a different place.
#[derive(Serialize)]
#[serde(untagged)]
enum TerminalFields<'a> {
    Two {
        width: u16,
        height: u16,
        #[serde(skip_serializing_if = "Option::is_none")]
        theme: Option<Colors>,
    },
    Three {
        term: WrittenTerm<'a>,
    },
}

#[derive(Serialize)]
struct WrittenTerm<'a> {
    cols: u16,
    rows: u16,
    #[serde(rename = "type", skip_serializing_if = "str::is_empty")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<Colors>,
}

impl CastHeader {
    /// Returns the header line, without a newline.
    pub(super) fn to_line(&self, version: CastVersion) -> Vec<u8> {
        let theme = self.theme.as_ref().map(Colors::of);
        let mut env: BTreeMap<&str, &str> = BTreeMap::new();
        env.extend(self.env.iter().map(|(name, value)| (&**name, &**value)));
        let Size { cols, rows } = self.size;
        let terminal = match version {
            CastVersion::Two => {
                if !self.term.is_empty() {
                    env.insert("TERM", &self.term);
                }
                TerminalFields::Two {
                    width: cols,
                    height: rows,
                    theme,
                }
            }
            CastVersion::Three => TerminalFields::Three {
                term: WrittenTerm {
                    cols,
                    rows,
                    kind: &self.term,
                    theme,
                },
            },
        };
        let written = HeaderJson {
            version: version.number(),
            terminal,
            timestamp: self.recorded_at,
            idle_time_limit: self.idle_limit.map(Seconds),
            command: &self.command,
            title: &self.title,
            env,
        };
        // Serialization fails only for maps with keys that are not strings; there are none here.
        serde_json::to_vec(&written).unwrap_or_default()
    }
}

/// A string; any other value is ignored.
struct OptionalText(Option<String>);

impl<'de> Deserialize<'de> for OptionalText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionalText, D::Error> {
        Lenient::deserialize(deserializer).map(|value| match value {
            Lenient::Text(text) => OptionalText(Some(text)),
            _ => OptionalText(None),
        })
    }
}

/// A number of 0 or more, without its decimals; any other value is ignored.
struct OptionalNumber(Option<u64>);

impl<'de> Deserialize<'de> for OptionalNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionalNumber, D::Error> {
        Lenient::deserialize(deserializer).map(|value| match value {
            Lenient::Number(number) => OptionalNumber(Some(number)),
            _ => OptionalNumber(None),
        })
    }
}

/// The string fields of an object; anything else is ignored.
#[derive(Default)]
struct TextFields(BTreeMap<String, String>);

impl<'de> Deserialize<'de> for TextFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TextFields, D::Error> {
        Lenient::deserialize(deserializer).map(|value| match value {
            Lenient::Fields(fields) => TextFields(fields),
            _ => TextFields::default(),
        })
    }
}

/// A value of any type, reduced to the parts that are used.
enum Lenient {
    Text(String),
    Number(u64),
    Fields(BTreeMap<String, String>),
    Other,
}

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lenient, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Lenient;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E>(self, text: &str) -> Result<Lenient, E> {
                Ok(Lenient::Text(text.to_owned()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Lenient, E> {
                Ok(Lenient::Number(number))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Lenient, E> {
                Ok(Lenient::Other)
            }

            fn visit_f64<E>(self, number: f64) -> Result<Lenient, E> {
                // Some recorders write a time with decimals.
                Ok(match number {
                    0.0..=1e15 => Lenient::Number(number as u64),
                    _ => Lenient::Other,
                })
            }

            fn visit_bool<E>(self, _: bool) -> Result<Lenient, E> {
                Ok(Lenient::Other)
            }

            fn visit_unit<E>(self) -> Result<Lenient, E> {
                Ok(Lenient::Other)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Lenient, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Lenient::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Lenient, A::Error> {
                let mut fields = BTreeMap::new();
                while fields.len() < MAX_VARIABLES
                    && let Some((name, value)) = map.next_entry::<String, OptionalText>()?
                {
                    if let Some(value) = value.0 {
                        fields.insert(name, value);
                    }
                }
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Lenient::Fields(fields))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// The `stdout` of version 1: pairs of a pause and the output after it.
#[derive(Default)]
pub(super) struct Writes(pub(super) Vec<(f64, String)>);

impl<'de> Deserialize<'de> for Writes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Writes, D::Error> {
        struct Bounded;

        impl<'de> Visitor<'de> for Bounded {
            type Value = Writes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of `[delay, data]`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Writes, A::Error> {
                let mut writes = Vec::new();
                while let Some(write) = list.next_element()? {
                    if writes.len() >= MAX_EVENTS {
                        return Err(A::Error::custom(format!("more than {MAX_EVENTS} events")));
                    }
                    writes.push(write);
                }
                Ok(Writes(writes))
            }
        }

        deserializer.deserialize_seq(Bounded)
    }
}
