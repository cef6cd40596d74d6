//! `tui_look`: reports the screen and its scrollback.

use std::sync::Arc;

use rmcp::schemars::JsonSchema;
use screentest::core::Row;
use screentest::core::formats::state_json::MAX_SCROLLBACK;
use serde::Deserialize;

use super::{Call, Perform, Reply};
use crate::mcp::agent_sessions::SessionGuard;
use crate::mcp::error::ToolError;
use crate::mcp::observation::{NumberedRows, Observation, ObserveOptions, ViewMode};

/// The arguments of `tui_look`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct LookArgs {
    session: Option<String>,
    /// changes since `since` (default); text: all rows; styles: with colors and attributes; png:
    /// changes and an image
    view: Option<ViewMode>,
    /// Revision to compare with; default: last reported
    since: Option<u64>,
    /// All text of rows [first, last]; negative: scrollback, -1 is directly above row 1
    rows: Option<[isize; 2]>,
    /// Only rows that match
    regex: Option<String>,
    /// Maximum length (6000)
    max_chars: Option<usize>,
}

impl Perform for LookArgs {
    type Output = Observation;

    fn perform(self, call: &Call<'_>) -> Result<Reply, ToolError> {
        let guard = call.sessions.find(self.session.as_deref())?;
        let regex = self.regex.as_deref().map(regex::Regex::new).transpose();
        let regex = regex.map_err(|error| {
            ToolError::new(
                format!("`regex`: {error}"),
                "correct the regular expression",
            )
        })?;
        let rows = match (self.rows, &regex) {
            (None, None) => None,
            (None, Some(_)) => Some((1, isize::MAX)),
            (Some([first, last]), _) if first != 0 && last != 0 && first <= last => {
                Some((first, last))
            }
            (Some([first, last]), _) => {
                return Err(ToolError::new(
                    format!("invalid rows [{first}, {last}]"),
                    "rows count from 1, or up from -1, which is directly above row 1; the first must not be after the last",
                ));
            }
        };
        let selected =
            rows.map(|(first, last)| select_rows(call, &guard, first, last, regex.as_ref()));
        let (rows, note) = selected.transpose()?.unzip();
        let options = ObserveOptions {
            view: self.view,
            since: self.since,
            rows,
            max_chars: self.max_chars,
        };
        options.observe(call, &guard, note.flatten())
    }
}

/// Returns the rows of a range that match. If there are none, also returns a note for the agent.
fn select_rows(
    call: &Call<'_>,
    guard: &SessionGuard<'_>,
    first: isize,
    last: isize,
    regex: Option<&regex::Regex>,
) -> Result<(NumberedRows, Option<String>), ToolError> {
    let above = first.min(0).unsigned_abs().min(MAX_SCROLLBACK);
    let next = "tui_launch starts a program";
    let program = guard.session.program_session("look");
    let state = program.and_then(|program| {
        let service = call.sessions.service();
        service.state(call.caller.role, &program, above)
    });
    let (state, _memory) = state.map_err(|error| ToolError::from_rpc(&error, next))?;
    let above = (1..)
        .zip(state.scrollback.iter().rev())
        .map(|(number, row)| (-number, row));
    let mut above: Vec<_> = above.collect();
    above.reverse();
    let rows = above.into_iter().chain((1..).zip(&state.screen.rows));
    let rows = rows.filter(|(number, _)| (first..=last).contains(number));
    let rows: Vec<_> = rows
        .map(|(number, row)| (number, Arc::clone(row)))
        .collect();
    let count = rows.len();
    let rows = match regex {
        None => rows,
        Some(regex) => matching_lines(&rows, regex, usize::from(state.screen.size.cols)),
    };
    let note = match (rows.is_empty(), count) {
        (false, _) => None,
        (true, 0) => Some(format!(
            "no such rows: the screen has {} rows and {} rows of scrollback",
            state.screen.size.rows, state.screen.scrollback_rows
        )),
        (true, 1) => Some("the one row does not match".to_owned()),
        (true, count) => Some(format!("none of {count} rows matches")),
    };
    Ok((rows, note))
}

/// Returns the rows of all matching lines. A line consists of a row and the rows to which its text
/// wraps.
fn matching_lines(rows: &[(isize, Arc<Row>)], regex: &regex::Regex, width: usize) -> NumberedRows {
    let lines = rows.chunk_by(|(_, above), _| above.wrapped());
    let matches = lines.filter(|line| {
        let mut text = String::new();
        for (_, row) in *line {
            // Trailing spaces of a wrapped row are part of the line.
            if row.wrapped() {
                (0..width).for_each(|col| row.cell(col).push_to(&mut text));
            } else {
                text.push_str(row.text());
            }
        }
        regex.is_match(text.trim_end_matches(' '))
    });
    matches.flatten().cloned().collect()
}
