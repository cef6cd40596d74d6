//! Values that must not be shown on a screen or in a report.
//!
//! [`Secrets`] holds values by name. On a screen it replaces their cells with
//! [`Mask::FILL`](crate::Mask::FILL), so that nothing derived from that screen contains them. In a
//! text it replaces them with their names.
//!
//! Guaranteed: a value is found wherever it occurs as a whole, character for character. This
//! includes a value that wraps into the next row, and the title, the working directory and the
//! addresses of links. While a value is being typed, its start directly before the cursor is found
//! from [`Secrets::SHORTEST`] characters on.
//!
//! Not found: a part of a value elsewhere, an encoded value (base64, hexadecimal, quoted), and a
//! value with other characters between its own.
//!
//! See also: `partial.rs` (parts of a value, for rows that once showed the whole value).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use regex::{NoExpand, Regex};

use crate::query::normaliser;
use crate::{Match, Normaliser, Rect, Row, Screen, Selector, Size, State};

mod partial;

/// Values that must not be shown, by name.
///
/// ```
/// use screentest_core::Secrets;
///
/// let mut secrets = Secrets::default();
/// secrets.add("TOKEN", "s3cr3t-value")?;
/// assert_eq!(secrets.text("token: s3cr3t-value"), "token: <TOKEN>");
/// assert!(secrets.add("PIN", "123").is_err());
/// # Ok::<(), screentest_core::redact::secret::SecretError>(())
/// ```
#[derive(Clone, Default)]
pub struct Secrets {
    by_name: BTreeMap<String, Secret>,
}

#[derive(Clone)]
struct Secret {
    value: String,
    in_text: Regex,
}

/// Reason why a value cannot be redacted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The value would match ordinary text.
    #[error(
        "the value of `{name}` is too short to redact: at least {} characters are needed",
        Secrets::SHORTEST
    )]
    TooShort {
        /// Name of the value.
        name: String,
    },
    /// The value contains characters that never appear on a screen.
    #[error(
        "the value of `{name}` contains a line break or another control character, which no screen shows unchanged"
    )]
    Control {
        /// Name of the value.
        name: String,
    },
    /// Searching for the value would take too much memory.
    #[error("the value of `{name}` is too long to search for")]
    TooLong {
        /// Name of the value.
        name: String,
    },
}

impl Secrets {
    /// The least number of characters of a value.
    pub const SHORTEST: usize = 4;
    /// The most bytes of a value: a key of 8,192 bits in base64.
    const LONGEST: usize = 2048;

    /// Adds a value, or replaces the one with this name.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        value: impl Into<String>,
    ) -> Result<(), SecretError> {
        let (name, value) = (name.into(), value.into());
        if value.chars().nth(Secrets::SHORTEST - 1).is_none() {
            return Err(SecretError::TooShort { name });
        } else if value.chars().any(char::is_control) {
            return Err(SecretError::Control { name });
        } else if value.len() > Secrets::LONGEST {
            return Err(SecretError::TooLong { name });
        }
        let Ok(in_text) = Regex::new(&in_text(&value)) else {
            return Err(SecretError::TooLong { name });
        };
        self.by_name.insert(name, Secret { value, in_text });
        Ok(())
    }

    /// Returns the value with this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.by_name.get(name).map(|secret| secret.value.as_str())
    }

    /// Returns the names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Returns the text with values replaced by their names: `<TOKEN>`. A value that wraps into the
    /// next line of a screen's text is found too.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut covered = Cow::Borrowed(text);
        for (name, secret) in self.longest_first() {
            if secret.in_text.is_match(&covered) {
                let name = format!("<{name}>");
                let text = secret.in_text.replace_all(&covered, NoExpand(&name));
                covered = Cow::Owned(text.into_owned());
            }
            if let Some(text) = without_cut(&covered, name, &secret.value) {
                covered = Cow::Owned(text);
            }
        }
        covered
    }

    /// Returns the screen with the values redacted.
    pub fn screen(&self, screen: &Screen) -> Screen {
        if self.is_empty() {
            return screen.clone();
        }
        let mut covered = self.cover(screen);
        for text in [&mut covered.title, &mut covered.working_directory] {
            if let Cow::Owned(shown) = self.text(text) {
                *text = shown.into();
            }
        }
        covered
    }

    /// Returns the state with the values redacted.
    pub fn state(&self, state: &State) -> State {
        if self.is_empty() {
            return state.clone();
        }
        let screen = self.screen(&state.screen);
        // A value may start in the scrollback and end on the screen.
        let rows: Vec<Arc<Row>> = state
            .scrollback
            .iter()
            .chain(&screen.rows)
            .cloned()
            .collect();
        let mut rows = self.rows(&rows, screen.size.cols);
        let shown = rows.split_off(state.scrollback.len());
        State {
            screen: Screen {
                rows: shown,
                ..screen
            },
            scrollback: rows,
        }
    }

    /// Returns consecutive rows with the values redacted.
    pub fn rows(&self, rows: &[Arc<Row>], cols: u16) -> Vec<Arc<Row>> {
        let mut covered = Vec::with_capacity(rows.len());
        let mut rest = rows;
        while !rest.is_empty() {
            // A screen has a limited number of rows, so many rows are searched in parts that end at
            // a line end.
            let most = rest.len().min(usize::from(u16::MAX));
            let end = (PART.min(most)..most).find(|end| !rest[end - 1].wrapped());
            let (part, behind) = rest.split_at(end.unwrap_or(most));
            let mut screen = Screen::blank(Size {
                cols,
                // `most` is limited to 16 bits above.
                rows: part.len() as u16,
            });
            screen.rows = part.to_vec();
            screen.cursor.position.row = part.len();
            covered.extend(self.cover(&screen).rows);
            rest = behind;
        }
        covered
    }

    /// Returns a normaliser that redacts every whole value, for comparing screens of which one is
    /// redacted.
    pub fn normaliser(&self) -> Normaliser {
        let each = self.longest_first().into_iter().flat_map(|(_, secret)| {
            let linked = Selector::link_containing(&*secret.value);
            [
                Normaliser::text(&*secret.value),
                Normaliser::selector(linked),
            ]
        });
        Normaliser::all(each)
    }

    fn cover(&self, screen: &Screen) -> Screen {
        let covered = self.normaliser().apply(screen);
        let typed: Vec<Match> = self
            .by_name
            .values()
            .filter_map(|secret| typed(&covered, &secret.value))
            .collect();
        normaliser::covered(&covered, &typed)
    }

    /// Longest first, since one value may be a part of another.
    fn longest_first(&self) -> Vec<(&str, &Secret)> {
        let mut all: Vec<_> = self
            .by_name
            .iter()
            .map(|(name, secret)| (name.as_str(), secret))
            .collect();
        all.sort_by_key(|(_, secret)| std::cmp::Reverse(secret.value.len()));
        all
    }
}

/// The number of rows that are searched at once.
const PART: usize = 1000;

/// Returns a regular expression that finds a value in a text. In a screen's text, a row may end
/// within the value; reports put a bar before each row and mark the cursor.
fn in_text(value: &str) -> String {
    let characters: Vec<String> = value
        .chars()
        .map(|c| {
            // A message that quotes a text puts a backslash before these characters.
            let quoted = if "\"'\\".contains(c) { r"\\?" } else { "" };
            let c = regex::escape(c.encode_utf8(&mut [0; 4]));
            format!("{quoted}{c}")
        })
        .collect();
    characters.join(r"(?:\n(?:  │ )?|\|)?")
}

/// Redacts values of which a message shows only the start, truncated with `…`. Returns `None` if
/// there are none.
fn without_cut(text: &str, name: &str, value: &str) -> Option<String> {
    const CUT: char = '…';
    if !text.contains(CUT) {
        return None;
    }
    let mut found = false;
    let parts: Vec<Cow<'_, str>> = text
        .split(CUT)
        .map(|part| match beginning_at_end(part, value) {
            Some(beginning) => {
                found = true;
                let kept = part.strip_suffix(beginning).unwrap_or_default();
                Cow::Owned(format!("{kept}<{name}>"))
            }
            None => Cow::Borrowed(part),
        })
        .collect();
    found.then(|| parts.join("…"))
}

/// Returns the longest start of a value, but not the whole, with which a text ends.
fn beginning_at_end<'a>(text: &str, value: &'a str) -> Option<&'a str> {
    let ends = value.char_indices().map(|(byte, _)| byte);
    ends.skip(Secrets::SHORTEST)
        .filter_map(|end| value.get(..end))
        .filter(|beginning| text.ends_with(beginning))
        .last()
}

/// Finds the start of a value directly before the cursor, as a program shows it that echoes typed
/// input.
fn typed(screen: &Screen, value: &str) -> Option<Match> {
    let mut end = screen.cursor.position;
    end.col += usize::from(screen.cursor.pending_wrap);
    let above = end
        .row
        .checked_sub(1)
        .filter(|row| screen.goes_on(*row).is_some());
    let before = screen.text_in(Rect {
        row: end.row,
        col: 0,
        rows: 1,
        cols: end.col,
    });
    let before = match above.and_then(|row| screen.row(row)) {
        Some(above) => format!("{}{before}", above.text()),
        None => before,
    };
    let beginning = beginning_at_end(&before, value)?;
    let matches = Selector::exact(beginning).matches(screen);
    matches.into_iter().find(|found| found.end() == end)
}

/// Shows only the names.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::{Backend, EmulatorOptions};

    fn secrets(values: &[(&str, &str)]) -> Secrets {
        let mut secrets = Secrets::default();
        for (name, value) in values {
            secrets.add(*name, *value).unwrap();
        }
        secrets
    }

    #[track_caller]
    fn check(output: &str, shown: &str) {
        let mut emulator =
            Backend::Alacritty.emulator(Size { cols: 12, rows: 3 }, EmulatorOptions::default());
        emulator.feed(output.as_bytes());
        let secrets = secrets(&[("KEY", "hunter22")]);
        assert_eq!(secrets.screen(&emulator.screen()).text(), shown);
    }

    #[test]
    fn whole_values_are_redacted_everywhere() {
        check("a hunter22 b", "a ▒▒▒▒▒▒▒▒ b\n");
        check("hunter22\r\nhunter22", "▒▒▒▒▒▒▒▒\n▒▒▒▒▒▒▒▒\n");
        check("in row: hunter22!", "in row: ▒▒▒▒\n▒▒▒▒!\n");
        check("Hunter22\r\nhunte r22", "Hunter22\nhunte r22\n");
    }

    #[test]
    fn a_value_is_redacted_while_it_is_being_typed() {
        check("> hunt", "> ▒▒▒▒\n");
        check("> hunter2", "> ▒▒▒▒▒▒▒\n");
        check("> hun", "> hun\n");
        check("hunting\x1b[3D", "▒▒▒▒ing\n");
        check("> passw: hunte", "> passw: ▒▒▒\n▒▒\n");
        // The start of a value elsewhere may be a word.
        check("hunter one", "hunter one\n");
    }

    #[test]
    fn links_titles_and_directories_are_redacted() {
        let output = "\x1b]2;hunter22\x07\x1b]8;;http://x/?k=hunter22\x07here\x1b]8;;\x07 there";
        check(output, "▒▒▒▒ there\n");
        let mut emulator =
            Backend::Alacritty.emulator(Size { cols: 12, rows: 3 }, EmulatorOptions::default());
        emulator.feed(output.as_bytes());
        let covered = secrets(&[("KEY", "hunter22")]).screen(&emulator.screen());
        assert_eq!(&*covered.title, "<KEY>");
        assert!(!format!("{covered:?}").contains("hunter22"));
    }

    #[test]
    fn scrollback_is_redacted_across_the_edge_of_the_screen() {
        let mut emulator =
            Backend::Alacritty.emulator(Size { cols: 6, rows: 2 }, EmulatorOptions::default());
        emulator.feed(b"hunter22\r\nx hunter22\r\nlast");
        let state = emulator.state(100);
        assert_eq!(state.scrollback.len(), 3);
        let covered = secrets(&[("KEY", "hunter22")]).state(&state);
        let rows: Vec<&str> = covered.scrollback.iter().map(|row| row.text()).collect();
        assert_eq!(rows, ["▒▒▒▒▒▒", "▒▒", "x ▒▒▒▒"]);
        assert_eq!(covered.screen.text(), "▒▒▒▒\nlast\n");
    }

    #[test]
    fn many_rows_are_redacted_in_parts() {
        let mut emulator = Backend::Alacritty.emulator(
            Size { cols: 6, rows: 2 },
            EmulatorOptions {
                scrollback: 5000,
                ..EmulatorOptions::default()
            },
        );
        emulator.feed("hunter22\r\n".repeat(2000).as_bytes());
        let state = secrets(&[("KEY", "hunter22")]).state(&emulator.state(5000));
        assert_eq!(state.scrollback.len(), 3999);
        let left = state
            .scrollback
            .iter()
            .find(|row| row.text().contains(|c| c != '▒'));
        assert!(left.is_none(), "{left:?}");
    }

    #[test]
    fn values_in_text_are_replaced_by_their_names() {
        let secrets = secrets(&[
            ("SHORT", "hunter"),
            ("LONG", "hunter22"),
            ("$1", "a.b+c"),
            ("QUOTED", "say \"hi\" 22"),
        ]);
        for (text, shown) in [
            ("hunter22 and hunter2", "<LONG> and <SHORT>2"),
            ("a.b+c aXb+c", "<$1> aXb+c"),
            ("  │ it is hunt\n  │ er22", "  │ it is <LONG>"),
            ("hunt|er22|", "<LONG>|"),
            (r#"typed "say \"hi\" 22""#, r#"typed "<QUOTED>""#),
            (
                "it is hunter2…, not hunt… or hun…",
                "it is <LONG>…, not <LONG>… or hun…",
            ),
            ("nothing", "nothing"),
        ] {
            assert_eq!(secrets.text(text), shown);
        }
    }

    #[test]
    fn unsuitable_values_are_refused_without_showing_them() {
        let error = |value: &str| {
            let error = Secrets::default().add("KEY", value).unwrap_err();
            error.to_string()
        };
        assert!(error("abc").starts_with("the value of `KEY` is too short"));
        assert!(error("ab\ncdef").contains("line break"));
        assert!(error(&"x".repeat(3000)).contains("too long"));
        let debug = format!("{:?}", secrets(&[("KEY", "hunter22")]));
        assert_eq!(debug, r#"{"KEY"}"#);
    }
}
