//! Parser for the assertions about cells in Betamax's tapes.

use serde_json::Value;

use super::{AlreadyReported, ParseResult, TapeParser};
use crate::language::command::{Assertion, Command, TapeStep};
use crate::language::diagnostic::Severity;
use crate::language::lexer::Token;
use screentest_core::formats::state_json::StyleJson;
use screentest_core::{Position, Rgb, Size, Underline};

/// The fields of a style.
const FIELDS: [&str; 11] = [
    "fg",
    "bg",
    "bold",
    "italic",
    "faint",
    "blink",
    "inverse",
    "invisible",
    "strikethrough",
    "overline",
    "underline",
];

const LAST_COL: u16 = *Size::COLS.end() - 1;
const LAST_ROW: u16 = *Size::ROWS.end() - 1;

impl TapeParser<'_> {
    /// Reads column and row, counted from 0 as in Betamax.
    pub(super) fn cell(&mut self, head: &Token, example: &str) -> ParseResult<Position> {
        let col = self.number(head, "a column", example, LAST_COL)?;
        let row = self.number(head, "a row", example, LAST_ROW)?;
        Ok(Position {
            row: row.into(),
            col: col.into(),
        })
    }

    pub(super) fn assert_cells(&mut self, head: &Token) -> ParseResult<Command> {
        let example = "AssertCells 0 0 '[\"A\",\"B\"]'";
        let at = self.cell(head, example)?;
        let token = self.argument(head, "a list of texts as JSON", example)?;
        let cells: Vec<String> = self.json(&token, example)?;
        if cells.is_empty() || cells.len() > usize::from(LAST_COL) + 1 {
            let message = format!("`{}` cells: a row has 1 to {}", cells.len(), LAST_COL + 1);
            return Err(self.error(token.range, message));
        }
        Ok(Command::Step(TapeStep::Assert(Assertion::Cells {
            at,
            cells,
        })))
    }

    pub(super) fn assert_style(&mut self, head: &Token) -> ParseResult<Command> {
        let example = "AssertStyle 0 0 5 '{\"bold\":true}'";
        let at = self.cell(head, example)?;
        let width = self.number(head, "a number of cells", example, LAST_COL + 1)?;
        let token = self.argument(head, "a style as JSON", example)?;
        let fields: serde_json::Map<String, Value> = self.json(&token, example)?;
        let mut style = StyleJson::default();
        for (name, value) in &fields {
            self.style_field(&token, &mut style, name, value)?;
        }
        Ok(Command::Step(TapeStep::Assert(Assertion::Style {
            at,
            width,
            style,
        })))
    }

    fn json<T: serde::de::DeserializeOwned>(
        &mut self,
        token: &Token,
        example: &str,
    ) -> ParseResult<T> {
        serde_json::from_str(&token.value).map_err(|error| {
            let message = format!("unexpected JSON: {error}");
            self.error_with_hint(token.range.clone(), message, format!("as in `{example}`"))
        })
    }

    fn style_field(
        &mut self,
        token: &Token,
        style: &mut StyleJson,
        name: &str,
        value: &Value,
    ) -> ParseResult<()> {
        let flag = match name {
            "fg" | "bg" => {
                let color = value.as_str().and_then(Rgb::parse);
                let Some(color) = color else {
                    let message = format!("`{value}` is not a colour as in `#1a2b3c`");
                    return Err(self.error(token.range.clone(), message));
                };
                *(if name == "fg" {
                    &mut style.fg
                } else {
                    &mut style.bg
                }) = Some(color);
                return Ok(());
            }
            "underline" => {
                style.underline = match value {
                    Value::Bool(false) => Underline::None,
                    Value::Bool(true) => Underline::Single,
                    value => match value.as_str() {
                        Some("single") => Underline::Single,
                        Some("double") => Underline::Double,
                        Some("curly") => Underline::Curly,
                        Some("dotted") => Underline::Dotted,
                        Some("dashed") => Underline::Dashed,
                        _ => {
                            let message = format!("`{value}` is not an underline");
                            let hint = "use `single`, `double`, `curly`, `dotted` or `dashed`";
                            return Err(self.error_with_hint(token.range.clone(), message, hint));
                        }
                    },
                };
                return Ok(());
            }
            "bold" => &mut style.bold,
            "italic" => &mut style.italic,
            "faint" => &mut style.faint,
            "blink" => &mut style.blink,
            "inverse" => &mut style.inverse,
            "invisible" => &mut style.invisible,
            "strikethrough" => &mut style.strikethrough,
            "overline" => &mut style.overline,
            name => {
                self.unknown(token.range.clone(), "style field", name, FIELDS);
                return Err(AlreadyReported);
            }
        };
        let Some(on) = value.as_bool() else {
            let message = format!("`{name}` is `true` or `false`, not `{value}`");
            self.report_diagnostic(Severity::Error, token.range.clone(), message);
            return Err(AlreadyReported);
        };
        *flag = on;
        Ok(())
    }
}
