//! What an agent is told of a screen.
//!
//! It is what changed since the revision that the agent saw last, unless it asks for more: the rows with their numbers, the cursor,
//! and what is highlighted in these rows. What would be too long is left out, and how much that is, is told.
//!
//! Elsewhere: which rows changed (`mcp/changes.rs`), styles in words (`mcp/spans.rs`).

use std::sync::Arc;

use rmcp::schemars::JsonSchema;
use screentest::core::{Row, Screen, Size};
use serde::{Deserialize, Serialize};

use super::changes::Changes;
use super::desk::Held;
use super::spans::{self, Span};
use super::tool::{Call, Reply};
use super::trouble::Trouble;
use crate::picture::{self, Look};

/// How many characters of rows an answer has, unless more are asked for: a full screen of the usual size.
const USUAL_CHARS: usize = 6000;
/// How many it has at most: what an agent can take in at once, and then some.
pub(super) const MOST_CHARS: usize = 60_000;
/// How many highlighted spans are told, and how long each: a menu, not a page in reverse.
const MOST_SPANS: usize = 20;
const LONGEST_SPAN: usize = 80;
/// What a row costs besides its text.
const LINE: usize = 4;

/// Rows with their numbers, which count from 1, and up from -1 for those that scrolled out.
pub(super) type Rows = Vec<(isize, Arc<Row>)>;

/// What an agent wants to see.
#[derive(Debug, Default)]
pub(super) struct Show {
    pub(super) view: Option<View>,
    /// The revision to compare with, if not the last one told.
    pub(super) since: Option<u64>,
    /// These rows and no others, whether they changed or not.
    pub(super) wanted: Option<Rows>,
    pub(super) max_chars: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
pub(super) enum View {
    #[default]
    Changes,
    Text,
    Styles,
    Png,
}

/// What an agent is told.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Observation {
    session: String,
    revision: u64,
    /// `running`, or how it ended.
    program: String,
    /// Its row and column.
    cursor: [usize; 2],
    #[serde(skip_serializing_if = "is_false")]
    #[schemars(default)]
    cursor_hidden: bool,
    /// The size, where all rows that are not blank are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    screen: Option<String>,
    /// How many rows scrolled out and are kept.
    #[serde(skip_serializing_if = "is_none")]
    #[schemars(default)]
    above: usize,
    /// By how much all rows moved up before those below are new; negative where they moved down.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(default)]
    scrolled: isize,
    rows: Vec<Line>,
    /// How many rows there was no room for.
    #[serde(skip_serializing_if = "is_none")]
    #[schemars(default)]
    omitted: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    highlighted: Vec<Span>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    styles: Vec<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Whether the rows are those that were asked for, changed or not.
    #[serde(skip)]
    asked: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Line {
    pub(super) row: isize,
    pub(super) text: String,
}

fn is_zero(number: &isize) -> bool {
    *number == 0
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// A row with its number.
pub(super) fn line(row: usize, text: &str) -> String {
    format!("{row}|{text}")
}

impl Show {
    /// Tells what is shown.
    pub(super) fn observe(
        self,
        call: &Call<'_>,
        held: &Held<'_>,
        note: Option<String>,
    ) -> Result<Reply, Trouble> {
        let next = "tui_launch starts a program";
        let session = held.stage.session("look");
        let session = session.map_err(|failure| Trouble::of_failure(&failure, next))?;
        let most = limit(self.max_chars)?;
        let view = self.view.unwrap_or_default();
        // Asked before the frame: whoever has ended by then has shown all.
        let outcome = session.outcome();
        let frame = session.frame();
        let screen = frame.screen.clone();
        let since = self.since.or_else(|| held.told());
        let before = since.and_then(|since| held.frame_at(since));
        let before = before.map(|before| before.screen.clone());
        let before = before.filter(|before| before.size == screen.size);
        let title_is_news = before
            .as_ref()
            .is_none_or(|before| before.title != screen.title);
        let mut all = false;
        let mut scrolled = 0;
        let asked = self.wanted.is_some();
        let is_blank = |screen: &Screen| screen.rows.iter().all(|row| row.text().is_empty());
        // A screen that was cleared is told in a word, not row by row.
        let before = before.filter(|before| is_blank(before) || !is_blank(&screen));
        let rows = match (self.wanted, before) {
            (Some(wanted), _) => wanted,
            (None, Some(before)) if !matches!(view, View::Text | View::Styles) => {
                let changes = Changes::between(&before, &screen);
                scrolled = changes.scrolled;
                numbered(&screen, changes.rows)
            }
            (None, _) => {
                all = true;
                let rows = 0..screen.rows.len();
                numbered(
                    &screen,
                    rows.filter(|row| !screen.rows[*row].text().is_empty()),
                )
            }
        };
        let told = Told::of(&screen, &rows, view, most);
        let at = screen.cursor.position.to_wire();
        let revision = held.revision(&frame);
        let observation = Observation {
            session: held.stage.name().to_owned(),
            revision,
            program: outcome.map_or_else(|| "running".to_owned(), |outcome| outcome.to_string()),
            cursor: [at.row, at.col],
            cursor_hidden: !screen.cursor.visible,
            screen: all.then(|| dimensions(screen.size)),
            above: if all { screen.scrollback_rows } else { 0 },
            scrolled,
            omitted: rows.len() - told.rows.len(),
            highlighted: told.highlighted,
            styles: told.styles,
            rows: told.rows,
            title: (title_is_news && !screen.title.is_empty()).then(|| screen.title.to_string()),
            note,
            asked,
        };
        let mut reply = Reply::new(observation.to_string(), &observation);
        if view == View::Png {
            reply.png = Some(png(call, held, &screen)?);
        }
        held.tell(revision);
        Ok(reply)
    }
}

/// Rows with their numbers.
fn numbered(screen: &Screen, rows: impl IntoIterator<Item = usize>) -> Rows {
    let rows = rows.into_iter();
    rows.map(|row| (row as isize + 1, Arc::clone(&screen.rows[row])))
        .collect()
}

/// How many characters of rows an answer may have.
pub(super) fn limit(asked: Option<usize>) -> Result<usize, Trouble> {
    match asked {
        None => Ok(USUAL_CHARS),
        Some(most) if (1..=MOST_CHARS).contains(&most) => Ok(most),
        Some(most) => Err(Trouble::new(
            format!("max_chars is {most}"),
            format!("give a number from 1 to {MOST_CHARS}"),
        )),
    }
}

fn dimensions(size: Size) -> String {
    format!("{}x{}", size.cols, size.rows)
}

fn png(call: &Call<'_>, held: &Held<'_>, screen: &Screen) -> Result<Vec<u8>, Trouble> {
    let look = Look {
        theme: held.stage.tui().theme(),
        font: None,
    };
    let fonts = call.desk.service().fonts();
    let drawn = fonts.and_then(|fonts| picture::draw_png(screen, &look, fonts));
    drawn.map_err(|failure| Trouble::of_failure(&failure, "use view text or styles instead"))
}

/// The rows that an answer has room for.
struct Told {
    rows: Vec<Line>,
    highlighted: Vec<Span>,
    styles: Vec<Span>,
}

impl Told {
    fn of(screen: &Screen, rows: &[(isize, Arc<Row>)], view: View, most: usize) -> Told {
        let mut told = Told {
            rows: Vec::new(),
            highlighted: Vec::new(),
            styles: Vec::new(),
        };
        let mut left = most;
        for (number, row) in rows {
            let text = row.text();
            let styles = match view {
                View::Styles => spans::styled(*number, row),
                _ => Vec::new(),
            };
            let cost =
                |span: &Span| span.text.len() + span.style.as_ref().map_or(0, String::len) + LINE;
            let cost = text.chars().count() + LINE + styles.iter().map(cost).sum::<usize>();
            if cost > left && !told.rows.is_empty() {
                break;
            }
            // One row is always told, though perhaps not to its end.
            let text = cut(text, left);
            left = left.saturating_sub(cost);
            told.rows.push(Line { row: *number, text });
            told.styles.extend(styles);
        }
        let found = screen.highlighted().into_iter();
        let found = found.filter(|found| {
            let row = found.position().row as isize + 1;
            told.rows.iter().any(|line| line.row == row)
        });
        let found = found.take(MOST_SPANS).map(|found| {
            let at = found.position().to_wire();
            Span {
                row: at.row as isize,
                col: at.col,
                text: cut(found.text(), LONGEST_SPAN),
                style: None,
            }
        });
        told.highlighted = found.collect();
        told
    }
}

/// A text, or its beginning.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.split_at(end).0),
    }
}

/// The same in words.
impl std::fmt::Display for Observation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [row, col] = self.cursor;
        let (session, revision, program) = (&self.session, self.revision, &self.program);
        write!(f, "{session} r{revision} {program}, cursor {row}:{col}")?;
        if self.cursor_hidden {
            f.write_str(" hidden")?;
        }
        if let Some(screen) = &self.screen {
            write!(f, ", all of {screen}")?;
            if self.above > 0 {
                write!(f, " ({} rows above)", self.above)?;
            }
            if self.rows.is_empty() {
                f.write_str(", blank")?;
            }
        } else if self.rows.is_empty() && self.scrolled == 0 && !self.asked {
            f.write_str(", no row changed")?;
        }
        if let Some(title) = &self.title {
            write!(f, ", title {title}")?;
        }
        match self.scrolled {
            0 => {}
            by @ 1.. => write!(f, "\nall rows moved up by {by}, then:")?,
            by => write!(f, "\nall rows moved down by {}, then:", -by)?,
        }
        for Line { row, text } in &self.rows {
            write!(f, "\n{row}|{text}")?;
        }
        if self.omitted > 0 {
            write!(
                f,
                "\n{} more rows left out: tui_look shows them by `rows` or with a larger `max_chars`",
                self.omitted
            )?;
        }
        for (what, spans) in [("highlighted", &self.highlighted), ("styled", &self.styles)] {
            for Span {
                row,
                col,
                text,
                style,
            } in spans
            {
                write!(f, "\n{what} {row}:{col} {text}")?;
                if let Some(style) = style {
                    write!(f, " [{style}]")?;
                }
            }
        }
        match &self.note {
            Some(note) => write!(f, "\nnote: {note}"),
            None => Ok(()),
        }
    }
}
