//! `currentView`: the text of the screen, or of a part of it.
//!
//! The value 0 is the first row for `rows.start` and the last row for `rows.end`. In the other
//! parameters it selects all rows or all columns.

use screentest::core::{Rect, Size};
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::service::MethodContext;
use crate::session::screen_text;
use crate::wire::RpcError;
use crate::wire::coordinates::WireRect;
use crate::wire::number::WholeNumber;

/// Returns the text of the view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CurrentView {
    rows: Option<RowRange>,
    region: Option<WireRect>,
    entire_row: Option<WholeNumber>,
    entire_col: Option<WholeNumber>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct RowRange {
    start: WholeNumber,
    end: WholeNumber,
}

#[derive(Debug, Serialize)]
pub(crate) struct ViewResponse {
    cols: usize,
    rows: usize,
    text: String,
}

impl Perform for CurrentView {
    type Response = ViewResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<ViewResponse, RpcError> {
        let screen = context.session()?.screen()?;
        let rect = self.rect(screen.size)?;
        Ok(ViewResponse {
            cols: rect.cols,
            rows: rect.rows,
            text: screen_text::grid(&screen, rect),
        })
    }
}

impl CurrentView {
    /// Returns the selected part of a screen of this size.
    fn rect(&self, size: Size) -> Result<Rect, RpcError> {
        let whole = size.rect();
        match (self.rows, self.region, self.entire_row, self.entire_col) {
            (None, None, None, None) => Ok(whole),
            (Some(rows), None, None, None) => {
                let number = |field, row: WholeNumber, all| {
                    let row = if row.0 == 0 { WholeNumber(all) } else { row };
                    within(field, row, whole.rows)
                };
                let start = number("rows.start", rows.start, 1)?;
                let end = number("rows.end", rows.end, whole.rows as i64)?;
                if start > end {
                    return Err(RpcError::invalid_params("rows.start must be <= rows.end"));
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
            (None, None, Some(WholeNumber(0)), None) | (None, None, None, Some(WholeNumber(0))) => {
                Ok(whole)
            }
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
            _ => Err(RpcError::invalid_params(
                "currentView accepts exactly one of: rows, region, entireRow, entireCol",
            )),
        }
    }
}

/// Converts a 1-based number to a 0-based one.
fn within(field: &str, number: WholeNumber, most: usize) -> Result<usize, RpcError> {
    match usize::try_from(number.0) {
        Ok(number) if (1..=most).contains(&number) => Ok(number - 1),
        _ => Err(RpcError::invalid_params(format!(
            "{field} must be 0 or between 1 and {most}, not {}",
            number.0
        ))),
    }
}

/// Returns the start and the length of a region in one dimension.
fn side(
    origin: &str,
    length: &str,
    start: WholeNumber,
    count: WholeNumber,
    most: usize,
) -> Result<(usize, usize), RpcError> {
    if start.0 == 0 {
        return Ok((0, most));
    }
    let start = within(&format!("region.{origin}"), start, most)?;
    match usize::try_from(count.0) {
        Ok(count) if count > 0 => Ok((start, count)),
        _ => Err(RpcError::invalid_params(format!(
            "region.{length} must be > 0 when region.{origin} is non-zero"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns row, column, rows and columns on a screen of 10 rows and 20 columns, or the error.
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
    fn zero_means_all() {
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
    fn errors_name_the_field_and_its_range() {
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
