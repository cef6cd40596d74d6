//! Values that must not be shown on a screen or in a report.
//!
//! [`Secrets`] holds values by name. On a screen it replaces their cells with
//! [`Mask::FILL`](crate::Mask::FILL), so that nothing derived from that screen contains them. In a
//! text it replaces them with their names.
//!
//! A value is found as a whole, in every form that is also redacted in recordings, and in stretches
//! of 8 or more of its characters (`stretch.rs`), also in the title, the working directory and the
//! URIs of links. While a value is being typed, its first characters directly before the cursor are
//! found if there are at least [`Secrets::SHORTEST`]. [`Secrets::with_known_tokens`] adds patterns
//! of well-known keys and tokens.
//!
//! These are not found: shorter parts of a value elsewhere, and forms that only the program knows,
//! such as an encrypted value.
//!
//! See also: `partial.rs` (parts of a value, for rows that once showed the whole value), `cells.rs`
//! (from text to cells).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use regex::{NoExpand, Regex};

use super::cells::{self, Cell};
use super::scrub::{Rules, rules};
use crate::query::mask;
use crate::{CellView, Row, Screen, State, Width};

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
#[derive(Clone)]
pub struct Secrets {
    by_name: BTreeMap<String, Secret>,
    /// Whether well-known tokens are redacted, too.
    tokens: bool,
    /// The rules that find the values and tokens in bytes.
    rules: Arc<Rules>,
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
    pub const SHORTEST: usize = rules::MIN_CHARS;
    /// The most bytes of a value. A key of 8,192 bits has 1,368 in base64.
    const LONGEST: usize = 2048;

    /// Adds a value, or replaces the one with this name.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        value: impl Into<String>,
    ) -> Result<(), SecretError> {
        let (name, value) = (name.into(), value.into());
        if value.chars().any(char::is_control) {
            return Err(SecretError::Control { name });
        } else if value.len() > Secrets::LONGEST {
            return Err(SecretError::TooLong { name });
        }
        let Ok(in_text) = Regex::new(&in_text(&value)) else {
            return Err(SecretError::TooLong { name });
        };
        let is_replaced = self.by_name.contains_key(&name);
        let added = if is_replaced {
            Rules::none().add_value(&name, value.as_bytes())
        } else {
            Arc::make_mut(&mut self.rules).add_value(&name, value.as_bytes())
        };
        if added.is_err() {
            return Err(SecretError::TooShort { name });
        }
        self.by_name.insert(name, Secret { value, in_text });
        if is_replaced {
            self.update_rules();
        }
        Ok(())
    }

    /// Also redacts well-known kinds of keys and tokens, whatever their values.
    #[must_use]
    pub fn with_known_tokens(mut self) -> Secrets {
        self.tokens = true;
        self.update_rules();
        self
    }

    /// The rules that find these secrets in bytes.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn update_rules(&mut self) {
        let mut rules = if self.tokens {
            Rules::known_tokens()
        } else {
            Rules::none()
        };
        for (name, secret) in &self.by_name {
            // Every value was checked when it was added.
            let _ = rules.add_value(name, secret.value.as_bytes());
        }
        self.rules = Arc::new(rules);
    }

    /// Returns the value with this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.by_name.get(name).map(|secret| secret.value.as_str())
    }

    /// Returns the names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Whether nothing is redacted.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty() && !self.tokens
    }

    /// Returns the text with values and their stretches replaced by their names: `<TOKEN>`. A value
    /// that wraps into the next line of a screen's text is found too.
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
        if let Some(text) = self.without_stretches(&covered) {
            covered = Cow::Owned(text);
        }
        covered
    }

    /// Replaces what the rules find. Returns `None` if they find nothing.
    fn without_stretches(&self, text: &str) -> Option<String> {
        let found = self.rules.find(text.as_bytes());
        let mut pieces: Vec<(Range<usize>, usize)> = Vec::new();
        for (index, secret) in found.iter().enumerate() {
            let of_secret = secret.pieces.iter();
            pieces.extend(of_secret.map(|piece| (piece.start as usize..piece.end as usize, index)));
        }
        if pieces.is_empty() {
            return None;
        }
        pieces.sort_by_key(|(piece, _)| (piece.start, piece.end));
        let mut covered = String::with_capacity(text.len());
        let mut from = 0;
        let mut last = None;
        for (piece, index) in pieces {
            if piece.end <= from {
                continue;
            }
            // Two pieces of a stretch are separated by escape sequences or a few other characters.
            // Other stretches get a name of their own.
            let between = text.get(from..piece.start).unwrap_or_default();
            let is_near = between.len() <= MAX_BETWEEN && !between.contains('\n');
            let continues = from > 0 && (between.is_empty() || last == Some(index) && is_near);
            covered.push_str(between);
            if !continues {
                covered.push('<');
                covered.push_str(&self.rules.names()[found[index].rule]);
                covered.push('>');
            }
            from = piece.end;
            last = Some(index);
        }
        covered.push_str(text.get(from..).unwrap_or_default());
        Some(covered)
    }

    /// Returns the screen with the values redacted.
    pub fn screen(&self, screen: &Screen) -> Screen {
        if self.is_empty() {
            return screen.clone();
        }
        let mut covered = screen.clone();
        self.cover(&mut covered.rows, screen.size.cols);
        let values = self.by_name.values();
        let beginnings: Vec<Cell> = values
            .flat_map(|secret| typed(&covered, &secret.value))
            .collect();
        cells::cover(&mut covered.rows, screen.size.cols.into(), beginnings);
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
            .chain(&state.screen.rows)
            .cloned()
            .collect();
        let mut rows = self.rows(&rows, screen.size.cols);
        let across = rows.split_off(state.scrollback.len());
        // Cells that are covered on the screen alone stay covered, such as the start of a value
        // before the cursor.
        let both = across.iter().zip(&screen.rows).map(|(across, alone)| {
            Arc::new(mask::cover(
                across,
                screen.size.cols.into(),
                across.wrapped(),
                |col| alone.cell(col) == mask::COVERED,
            ))
        });
        State {
            screen: Screen {
                rows: both.collect(),
                ..screen
            },
            scrollback: rows,
        }
    }

    /// Returns consecutive rows with the values redacted.
    pub fn rows(&self, rows: &[Arc<Row>], cols: u16) -> Vec<Arc<Row>> {
        let mut covered = rows.to_vec();
        // Many rows are searched in parts, so that the memory for it is limited. Parts overlap,
        // since a value may begin in one and end in the next.
        let mut start = 0;
        while start < rows.len() {
            let end = rows.len().min(start + PART);
            self.cover(&mut covered[start..end], cols);
            start = if end < rows.len() { end - OVERLAP } else { end };
        }
        covered
    }

    /// Covers the secrets in consecutive rows.
    fn cover(&self, rows: &mut [Arc<Row>], cols: u16) {
        let found = cells::find(rows, cols.into(), &self.rules).into_iter();
        let found = found.flat_map(|secret| secret.cells);
        let cells: Vec<Cell> = found.chain(self.linked_cells(rows)).collect();
        cells::cover(rows, cols.into(), cells);
    }

    /// Returns the cells of links whose URIs contain a secret. All URIs are searched together;
    /// beyond a limit, links are covered without a search.
    fn linked_cells(&self, rows: &[Arc<Row>]) -> Vec<Cell> {
        let mut addresses = String::new();
        // The end of each link's URI, and the link's cells.
        let mut links: Vec<(usize, usize, Range<usize>)> = Vec::new();
        let mut unsearched = Vec::new();
        for (row, shown) in rows.iter().enumerate() {
            let mut col = 0;
            for run in shown.runs() {
                let cols = col..col + run.cells().len();
                col = cols.end;
                let Some(link) = run.link() else {
                    continue;
                };
                if addresses.len() + link.uri.len() > MAX_ADDRESSES {
                    unsearched.extend(cols.map(|col| (row, col)));
                    continue;
                }
                addresses.push_str(&link.uri);
                links.push((addresses.len(), row, cols));
                addresses.push('\n');
            }
        }
        let found = self.rules.find(addresses.as_bytes()).into_iter();
        // A piece is within one URI.
        let found = found.flat_map(|secret| secret.pieces).filter_map(|piece| {
            let index = links.partition_point(|(end, ..)| *end as u64 <= piece.start);
            links.get(index)
        });
        let cells = found.flat_map(|(_, row, cols)| cols.clone().map(|col| (*row, col)));
        cells.chain(unsearched).collect()
    }

    /// Returns the values, longest first, since one value may be a part of another.
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

/// The number of rows that are searched at once, and how many of them are searched again with the
/// next ones. The longest value takes 26 rows of 80 columns.
const PART: usize = 1000;
const OVERLAP: usize = 50;

/// The most bytes of links' URIs that are searched.
const MAX_ADDRESSES: usize = 256 << 10;

/// Two pieces of a stretch in one line are replaced by one name if at most this many bytes are
/// between them, such as a few escape sequences.
const MAX_BETWEEN: usize = 32;

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

/// Redacts values that a message truncates with `…` after their start. Returns `None` if there are
/// none.
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

/// Returns the longest start of a value, but not the whole value, that is at the end of a text and
/// has at least [`Secrets::SHORTEST`] characters.
fn beginning_at_end<'a>(text: &str, value: &'a str) -> Option<&'a str> {
    let ends = value.char_indices().map(|(byte, _)| byte);
    ends.skip(Secrets::SHORTEST)
        .filter_map(|end| value.get(..end))
        .filter(|beginning| text.ends_with(beginning))
        .last()
}

/// Finds the start of a value directly before the cursor, where a program echoes typed input.
/// Returns its cells.
fn typed(screen: &Screen, value: &str) -> Vec<Cell> {
    let mut end = screen.cursor.position;
    end.col += usize::from(screen.cursor.pending_wrap);
    let above = end
        .row
        .checked_sub(1)
        .filter(|row| screen.wraps_at(*row).is_some());
    // The cells before the cursor: those of its row, and those of the row above if it wraps.
    let mut before: Vec<(Cell, CellView<'_>)> = Vec::new();
    for (row, last) in above
        .map(|row| (row, usize::MAX))
        .into_iter()
        .chain([(end.row, end.col)])
    {
        let cells = screen.row(row).map(Row::cells).into_iter().flatten();
        let cells = cells.take(last).enumerate();
        let cells = cells.filter(|(_, cell)| cell.width != Width::Spacer);
        before.extend(cells.map(|(col, cell)| ((row, col), cell)));
        let blanks = last.min(screen.size.cols.into());
        let stored = screen.row(row).map_or(0, Row::len);
        before.extend((stored..blanks).map(|col| ((row, col), CellView::BLANK)));
    }
    let mut text = String::new();
    before.iter().for_each(|(_, cell)| cell.push_to(&mut text));
    let Some(beginning) = beginning_at_end(&text, value) else {
        return Vec::new();
    };
    let mut left = beginning.len();
    let cells = before.into_iter().rev().map_while(|(place, cell)| {
        let mut text = String::new();
        cell.push_to(&mut text);
        (left > 0).then(|| {
            left = left.saturating_sub(text.len());
            place
        })
    });
    cells.collect()
}

/// Redacts nothing.
impl Default for Secrets {
    fn default() -> Secrets {
        Secrets {
            by_name: BTreeMap::new(),
            tokens: false,
            rules: Arc::new(Rules::none()),
        }
    }
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
    use crate::Size;
    use crate::emulator::{Backend, EmulatorOptions};

    #[test]
    fn every_stretch_in_a_line_is_replaced_by_its_name() {
        let secrets = secrets(&[("URL", "postgres://app:tiger99x@localhost:5432/app")]);
        assert_eq!(
            secrets.text("from localhost to localhost, as postgres"),
            "from <URL> to <URL>, as <URL>"
        );
    }

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
            Backend::Vt.emulator(Size { cols: 12, rows: 3 }, EmulatorOptions::default());
        emulator.feed(output.as_bytes());
        let secrets = secrets(&[("KEY", "hunter22")]);
        assert_eq!(secrets.screen(&emulator.screen()).text(), shown);
    }

    #[test]
    fn whole_values_are_redacted_everywhere() {
        check("a hunter22 b", "a ▒▒▒▒▒▒▒▒ b\n");
        check("hunter22\r\nhunter22", "▒▒▒▒▒▒▒▒\n▒▒▒▒▒▒▒▒\n");
        check("in row: hunter22!", "in row: ▒▒▒▒\n▒▒▒▒!\n");
        check("Hunter22\r\nhunte 22", "Hunter22\nhunte 22\n");
    }

    #[test]
    fn values_in_other_forms_are_redacted() {
        check("|hunte|\r\n|r22  |", "|▒▒▒▒▒|\n|▒▒▒  |\n");
        check("hunte r22", "▒▒▒▒▒▒▒▒▒\n");
        check("'hun'\"ter\"22", "'▒▒▒▒▒▒▒▒▒▒▒\n");
        check("68:75:6e:74:\r\n65:72:32:32", "▒▒▒▒▒▒▒▒▒▒▒:\n▒▒▒▒▒▒▒▒▒▒▒\n");
    }

    #[test]
    fn known_tokens_are_redacted_on_request() {
        let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
        let mut emulator =
            Backend::Vt.emulator(Size { cols: 20, rows: 3 }, EmulatorOptions::default());
        emulator.feed(format!("a {token} b").as_bytes());
        let screen = emulator.screen();
        assert_eq!(Secrets::default().screen(&screen), screen);
        let tokens = Secrets::default().with_known_tokens();
        assert!(!tokens.is_empty());
        let shown = "a ghp_▒▒▒▒▒▒▒▒▒▒▒▒▒▒\n▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒\n▒▒ b\n";
        assert_eq!(tokens.screen(&screen).text(), shown);
        assert_eq!(tokens.text(token), "ghp_<github-token>");
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
            Backend::Vt.emulator(Size { cols: 12, rows: 3 }, EmulatorOptions::default());
        emulator.feed(output.as_bytes());
        let covered = secrets(&[("KEY", "hunter22")]).screen(&emulator.screen());
        assert_eq!(&*covered.title, "<KEY>");
        assert!(!format!("{covered:?}").contains("hunter22"));
    }

    #[test]
    fn scrollback_is_redacted_across_the_edge_of_the_screen() {
        let mut emulator =
            Backend::Vt.emulator(Size { cols: 6, rows: 2 }, EmulatorOptions::default());
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
        let mut emulator = Backend::Vt.emulator(
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
