//! The text that is shown, whole or in part.
//!
//! 0 stands for “all the way”: the first row or the last, every row, every column.

use screentest::core::{Rect, Size};
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::service::Job;
use crate::view;
use crate::wire::Failure;
use crate::wire::number::Whole;
use crate::wire::place::WireRect;

/// Returns what is shown.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CurrentView {
    rows: Option<RowRange>,
    region: Option<WireRect>,
    entire_row: Option<Whole>,
    entire_col: Option<Whole>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct RowRange {
    start: Whole,
    end: Whole,
}

#[derive(Debug, Serialize)]
pub(crate) struct View {
    cols: usize,
    rows: usize,
    text: String,
}

impl Perform for CurrentView {
    type Answer = View;

    fn perform(self, job: &Job<'_>) -> Result<View, Failure> {
        let screen = job.stage()?.screen()?;
        let rect = self.rect(screen.size)?;
        Ok(View {
            cols: rect.cols,
            rows: rect.rows,
            text: view::grid(&screen, rect),
        })
    }
}

impl CurrentView {
    /// What is meant of a screen of this size.
    fn rect(&self, size: Size) -> Result<Rect, Failure> {
        let whole = size.rect();
        match (self.rows, self.region, self.entire_row, self.entire_col) {
            (None, None, None, None) => Ok(whole),
            (Some(rows), None, None, None) => {
                let number = |field, row: Whole, all| {
                    let row = if row.0 == 0 { Whole(all) } else { row };
                    within(field, row, whole.rows)
                };
                let start = number("rows.start", rows.start, 1)?;
                let end = number("rows.end", rows.end, whole.rows as i64)?;
                if start > end {
                    return Err(Failure::params("rows.start must be <= rows.end"));
                }
                Ok(Rect {
                    row: start,
                    rows: end - start + 1,
                    ..whole
                })
            }
            (None, Some(region), None, None) => {
                let (row, rows) = side("row", "height", region.row, region.height, whole.rows)?;
                let (col, cols) = side("col", "width", region.col, region.width, whole.cols)?;
                let rect = Rect {
                    row,
                    col,
                    rows,
                    cols,
                };
                Ok(rect.clipped(whole))
            }
            (None, None, Some(Whole(0)), None) | (None, None, None, Some(Whole(0))) => Ok(whole),
            (None, None, Some(row), None) => Ok(Rect {
                row: within("entireRow", row, whole.rows)?,
                rows: 1,
                ..whole
            }),
            (None, None, None, Some(col)) => Ok(Rect {
                col: within("entireCol", col, whole.cols)?,
                cols: 1,
                ..whole
            }),
            _ => Err(Failure::params(
                "currentView accepts exactly one of: rows, region, entireRow, entireCol",
            )),
        }
    }
}

/// A number that counts from 1, as one that counts from 0.
fn within(field: &str, number: Whole, most: usize) -> Result<usize, Failure> {
    match usize::try_from(number.0) {
        Ok(number) if (1..=most).contains(&number) => Ok(number - 1),
        _ => Err(Failure::params(format!(
            "{field} must be 0 or between 1 and {most}, not {}",
            number.0
        ))),
    }
}

/// Where a region begins and how long it is, one way.
fn side(
    origin: &str,
    length: &str,
    start: Whole,
    count: Whole,
    most: usize,
) -> Result<(usize, usize), Failure> {
    if start.0 == 0 {
        return Ok((0, most));
    }
    let start = within(&format!("region.{origin}"), start, most)?;
    match usize::try_from(count.0) {
        Ok(count) if count > 0 => Ok((start, count)),
        _ => Err(Failure::params(format!(
            "region.{length} must be > 0 when region.{origin} is non-zero"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row, column, rows and columns on a screen of 10 rows and 20 columns; or what is wrong.
    fn rect(json: &str) -> Result<[usize; 4], String> {
        let view: CurrentView = serde_json::from_str(json).unwrap();
        match view.rect(Size { cols: 20, rows: 10 }) {
            Ok(Rect {
                row,
                col,
                rows,
                cols,
            }) => Ok([row, col, rows, cols]),
            Err(failure) => Err(failure.details().to_owned()),
        }
    }

    #[test]
    fn zero_reaches_all_the_way() {
        for (json, part) in [
            ("{}", [0, 0, 10, 20]),
            (r#"{"rows":{"start":0,"end":0}}"#, [0, 0, 10, 20]),
            (r#"{"rows":{"start":3,"end":0}}"#, [2, 0, 8, 20]),
            (r#"{"rows":{"start":0,"end":3}}"#, [0, 0, 3, 20]),
            (r#"{"rows":{"start":2,"end":3}}"#, [1, 0, 2, 20]),
            (r#"{"entireRow":0}"#, [0, 0, 10, 20]),
            (r#"{"entireRow":10}"#, [9, 0, 1, 20]),
            (r#"{"entireCol":0}"#, [0, 0, 10, 20]),
            (r#"{"entireCol":20}"#, [0, 19, 10, 1]),
            (
                r#"{"region":{"col":0,"row":2,"width":-1,"height":1}}"#,
                [1, 0, 1, 20],
            ),
            (
                r#"{"region":{"col":5,"row":0,"width":3,"height":0}}"#,
                [0, 4, 10, 3],
            ),
            (
                r#"{"region":{"col":15,"row":9,"width":99,"height":99}}"#,
                [8, 14, 2, 6],
            ),
        ] {
            assert_eq!(rect(json), Ok(part), "{json}");
        }
    }

    #[test]
    fn what_is_not_on_the_screen_is_named() {
        for (json, details) in [
            (
                r#"{"rows":{"start":11,"end":0}}"#,
                "rows.start must be 0 or between 1 and 10, not 11",
            ),
            (
                r#"{"rows":{"start":1,"end":-1}}"#,
                "rows.end must be 0 or between 1 and 10, not -1",
            ),
            (
                r#"{"rows":{"start":5,"end":4}}"#,
                "rows.start must be <= rows.end",
            ),
            (
                r#"{"entireCol":21}"#,
                "entireCol must be 0 or between 1 and 20, not 21",
            ),
            (
                r#"{"region":{"col":1,"row":1,"width":0,"height":1}}"#,
                "region.width must be > 0 when region.col is non-zero",
            ),
            (
                r#"{"entireCol":1,"entireRow":1}"#,
                "currentView accepts exactly one of: rows, region, entireRow, entireCol",
            ),
        ] {
            assert_eq!(rect(json), Err(details.to_owned()));
        }
    }
}
