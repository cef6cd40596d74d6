//! Reports of a screen for agents.
//!
//! A report contains what changed since the last revision that the agent has seen, unless it asks
//! for more: the rows with their numbers, the cursor, and the highlighted text in these rows. Long
//! reports are cut and say how much was left out.
//!
//! See also: `observation/changes.rs` (which rows changed), `observation/spans.rs` (styles as
//! text).

use std::sync::Arc;

use rmcp::schemars::JsonSchema;
use screentest::core::{Row, Screen, Size};
use serde::{Deserialize, Serialize};

use super::agent_sessions::SessionGuard;
use super::error::ToolError;
use super::tool::{Call, Reply};
use crate::session::screenshot::ScreenshotOptions;
use changes::ObservedChanges;
use spans::Span;

mod changes;
pub(super) mod spans;

/// Default maximum of characters of rows in a report: a full screen of 120 columns and 48 rows.
const DEFAULT_CHARS: usize = 6000;
/// Upper limit for `max_chars`: ten times the default.
pub(super) const MAX_CHARS: usize = 60_000;
/// Maximum number of highlighted spans: enough for a menu, not for a page in reverse video.
const MAX_SPANS: usize = 20;
/// Maximum number of characters of a highlighted span.
const MAX_SPAN_CHARS: usize = 80;
/// Cost of a row in characters, in addition to its text.
const ROW_OVERHEAD: usize = 4;

/// Rows with their numbers. Rows of the screen count from 1. Rows of the scrollback have negative
/// numbers; -1 is directly above row 1.
pub(super) type NumberedRows = Vec<(isize, Arc<Row>)>;

/// Contents of a report.
#[derive(Debug, Default)]
pub(super) struct ObserveOptions {
    pub(super) view: Option<ViewMode>,
    /// The revision to compare with. Default: the last one reported.
    pub(super) since: Option<u64>,
    /// Report these rows and no others, whether they changed or not.
    pub(super) rows: Option<NumberedRows>,
    pub(super) max_chars: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
pub(super) enum ViewMode {
    #[default]
    Changes,
    Text,
    Styles,
    Png,
}

/// A report.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Observation {
    session: String,
    revision: u64,
    /// `running`, or the exit status.
    program: String,
    /// Row and column.
    cursor: [usize; 2],
    #[serde(skip_serializing_if = "is_false")]
    #[schemars(default)]
    cursor_hidden: bool,
    /// The size, if all non-blank rows are reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    screen: Option<String>,
    /// Number of scrollback rows.
    #[serde(skip_serializing_if = "is_zero_count")]
    #[schemars(default)]
    above: usize,
    /// By how many rows the screen scrolled up before the rows below changed; negative: down.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(default)]
    scrolled: isize,
    rows: Vec<ObservedRow>,
    /// Number of rows left out for their length.
    #[serde(skip_serializing_if = "is_zero_count")]
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
    /// Whether the rows are those that the agent selected, changed or not.
    #[serde(skip)]
    rows_selected: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ObservedRow {
    pub(super) row: isize,
    pub(super) text: String,
}

fn is_zero(number: &isize) -> bool {
    *number == 0
}

fn is_zero_count(count: &usize) -> bool {
    *count == 0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Formats a row with its number.
pub(super) fn numbered_line(row: usize, text: &str) -> String {
    format!("{row}|{text}")
}

impl ObserveOptions {
    /// Creates a report of the current screen.
    pub(super) fn observe(
        self,
        call: &Call<'_>,
        guard: &SessionGuard<'_>,
        note: Option<String>,
    ) -> Result<Reply, ToolError> {
        let next = "tui_launch starts a program";
        let program = guard.session.program_or_error("look");
        let program = program.map_err(|error| ToolError::from_rpc(&error, next))?;
        let session = &program.session;
        let max_chars = limit(self.max_chars)?;
        let view = self.view.unwrap_or_default();
        // Read before the frame: a program that has exited by now has shown everything.
        let outcome = session.exit_status();
        let frame = session.frame();
        let screen = frame.screen.clone();
        let since = self.since.or_else(|| guard.last_reported());
        let before = since.and_then(|since| guard.frame_at(&program, since));
        let before = before.map(|before| before.screen.clone());
        let before = before.filter(|before| before.size == screen.size);
        let title_changed = before
            .as_ref()
            .is_none_or(|before| before.title != screen.title);
        let mut all_rows = false;
        let mut scrolled = 0;
        let rows_selected = self.rows.is_some();
        let is_blank = |screen: &Screen| screen.rows.iter().all(|row| row.text().is_empty());
        // A cleared screen is reported as blank, not row by row.
        let before = before.filter(|before| is_blank(before) || !is_blank(&screen));
        let rows = match (self.rows, before) {
            (Some(rows), _) => rows,
            (None, Some(before)) if !matches!(view, ViewMode::Text | ViewMode::Styles) => {
                let changes = ObservedChanges::between(&before, &screen);
                scrolled = changes.scrolled;
                numbered(&screen, changes.rows)
            }
            (None, _) => {
                all_rows = true;
                let rows = 0..screen.rows.len();
                numbered(
                    &screen,
                    rows.filter(|row| !screen.rows[*row].text().is_empty()),
                )
            }
        };
        let rendered = RenderedRows::render(&screen, &rows, view, max_chars);
        let at = screen.cursor.position.to_wire();
        let revision = guard.revision(&program, &frame);
        let observation = Observation {
            session: guard.session.name().to_owned(),
            revision,
            program: outcome.map_or_else(|| "running".to_owned(), |outcome| outcome.to_string()),
            cursor: [at.row, at.col],
            cursor_hidden: !screen.cursor.visible,
            screen: all_rows.then(|| dimensions(screen.size)),
            above: if all_rows { screen.scrollback_rows } else { 0 },
            scrolled,
            omitted: rows.len() - rendered.rows.len(),
            highlighted: rendered.highlighted,
            styles: rendered.styles,
            rows: rendered.rows,
            title: (title_changed && !screen.title.is_empty()).then(|| screen.title.to_string()),
            note,
            rows_selected,
        };
        let mut reply = Reply::new(observation.to_string(), &observation);
        if view == ViewMode::Png {
            reply.png = Some(png(call, guard, &screen)?);
        }
        guard.set_last_reported(revision);
        Ok(reply)
    }
}

/// Returns rows with their numbers.
fn numbered(screen: &Screen, rows: impl IntoIterator<Item = usize>) -> NumberedRows {
    let rows = rows.into_iter();
    rows.map(|row| (row as isize + 1, Arc::clone(&screen.rows[row])))
        .collect()
}

/// Returns the maximum number of characters of rows.
fn limit(max_chars: Option<usize>) -> Result<usize, ToolError> {
    match max_chars {
        None => Ok(DEFAULT_CHARS),
        Some(max) if (1..=MAX_CHARS).contains(&max) => Ok(max),
        Some(max) => Err(ToolError::new(
            format!("max_chars is {max}"),
            format!("give a number from 1 to {MAX_CHARS}"),
        )),
    }
}

fn dimensions(size: Size) -> String {
    format!("{}x{}", size.cols, size.rows)
}

fn png(call: &Call<'_>, guard: &SessionGuard<'_>, screen: &Screen) -> Result<Vec<u8>, ToolError> {
    let options = ScreenshotOptions {
        theme: guard.session.tui().theme(),
        font: None,
    };
    let service = call.sessions.service();
    let drawn = service.draw(call.caller.role, screen, &options);
    drawn.map_err(|error| ToolError::from_rpc(&error, "use view text or styles instead"))
}

/// The rows that fit into a report.
struct RenderedRows {
    rows: Vec<ObservedRow>,
    highlighted: Vec<Span>,
    styles: Vec<Span>,
}

impl RenderedRows {
    fn render(
        screen: &Screen,
        rows: &[(isize, Arc<Row>)],
        view: ViewMode,
        max_chars: usize,
    ) -> RenderedRows {
        let mut rendered = RenderedRows {
            rows: Vec::new(),
            highlighted: Vec::new(),
            styles: Vec::new(),
        };
        let mut left = max_chars;
        for (number, row) in rows {
            let text = row.text();
            let styles = match view {
                ViewMode::Styles => spans::styled(*number, row),
                _ => Vec::new(),
            };
            let cost = |span: &Span| {
                span.text.len() + span.style.as_ref().map_or(0, String::len) + ROW_OVERHEAD
            };
            let cost = text.chars().count() + ROW_OVERHEAD + styles.iter().map(cost).sum::<usize>();
            if cost > left && !rendered.rows.is_empty() {
                break;
            }
            // The first row is always reported, cut if necessary.
            let text = truncate(text, left);
            left = left.saturating_sub(cost);
            rendered.rows.push(ObservedRow { row: *number, text });
            rendered.styles.extend(styles);
        }
        let found = screen.highlighted().into_iter();
        let found = found.filter(|found| {
            let row = found.position().row as isize + 1;
            rendered.rows.iter().any(|line| line.row == row)
        });
        let found = found.take(MAX_SPANS).map(|found| {
            let at = found.position().to_wire();
            Span {
                row: at.row as isize,
                col: at.col,
                text: truncate(found.text(), MAX_SPAN_CHARS),
                style: None,
            }
        });
        rendered.highlighted = found.collect();
        rendered
    }
}

/// Truncates a text to a number of characters.
pub(super) fn truncate(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.split_at(end).0),
    }
}

/// The report as text.
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
        } else if self.rows.is_empty() && self.scrolled == 0 && !self.rows_selected {
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
        for ObservedRow { row, text } in &self.rows {
            write!(f, "\n{row}|{text}")?;
        }
        if self.omitted > 0 {
            write!(
                f,
                "\n{} more rows left out: tui_look shows them with `rows` or a larger `max_chars`",
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
