//! `tui_look`: what is shown, and what was above it, as much as is wanted.

use std::sync::Arc;

use rmcp::schemars::JsonSchema;
use screentest::core::Row;
use screentest::core::formats::state_json::MAX_SCROLLBACK;
use serde::Deserialize;

use super::desk::Held;
use super::observation::{Observation, Rows, Show, View};
use super::tool::{Call, Perform, Reply};
use super::trouble::Trouble;

/// Shows the screen.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Look {
    session: Option<String>,
    /// changes since `since` (default); text: all rows; styles: how they are drawn; png: changes and a picture
    view: Option<View>,
    /// Revision to compare with; default: last told
    since: Option<u64>,
    /// All text of rows [first, last]; negative ones scrolled out, -1 is right above row 1
    rows: Option<[isize; 2]>,
    /// Only rows that match
    regex: Option<String>,
    /// Cut at so many characters (6000)
    max_chars: Option<usize>,
}

impl Perform for Look {
    type Answer = Observation;

    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble> {
        let held = call.desk.hold(self.session.as_deref())?;
        let regex = self.regex.as_deref().map(regex::Regex::new).transpose();
        let regex = regex.map_err(|error| {
            Trouble::new(format!("`regex`: {error}"), "mend the regular expression")
        })?;
        let rows = match (self.rows, &regex) {
            (None, None) => None,
            (None, Some(_)) => Some((1, isize::MAX)),
            (Some([first, last]), _) if first != 0 && last != 0 && first <= last => {
                Some((first, last))
            }
            (Some([first, last]), _) => {
                return Err(Trouble::new(
                    format!("rows [{first}, {last}] are none"),
                    "rows count from 1, or up from -1, which is right above row 1; the first of them comes first",
                ));
            }
        };
        let wanted = rows.map(|(first, last)| wanted(&held, first, last, regex.as_ref()));
        let (wanted, note) = wanted.transpose()?.unzip();
        let show = Show {
            view: self.view,
            since: self.since,
            wanted,
            max_chars: self.max_chars,
        };
        show.observe(call, &held, note.flatten())
    }
}

/// The rows from one number to another that match; where there are none, what an agent should know of it.
fn wanted(
    held: &Held<'_>,
    first: isize,
    last: isize,
    regex: Option<&regex::Regex>,
) -> Result<(Rows, Option<String>), Trouble> {
    let above = first.min(0).unsigned_abs().min(MAX_SCROLLBACK);
    let next = "tui_launch starts a program";
    let state = held
        .stage
        .state(above)
        .map_err(|failure| Trouble::of_failure(&failure, next))?;
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
    let there = rows.len();
    let rows = match regex {
        None => rows,
        Some(regex) => matching(&rows, regex, usize::from(state.screen.size.cols)),
    };
    let note = match (rows.is_empty(), there) {
        (false, _) => None,
        (true, 0) => Some(format!(
            "there are no such rows: the screen has {}, and {} scrolled out",
            state.screen.size.rows, state.screen.scrollback_rows
        )),
        (true, 1) => Some("the one row does not match".to_owned()),
        (true, there) => Some(format!("none of {there} rows matches")),
    };
    Ok((rows, note))
}

/// The rows of the lines that match: a row belongs to the line of the row above it if the text of that one wraps.
fn matching(rows: &[(isize, Arc<Row>)], regex: &regex::Regex, width: usize) -> Rows {
    let lines = rows.chunk_by(|(_, above), _| above.wrapped());
    let matches = lines.filter(|line| {
        let mut text = String::new();
        for (_, row) in *line {
            // Blanks at the end of a row that wraps are a part of the line.
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
