//! Styled text of a row, with the style as text: `bold fg=#ff0000`.

use std::fmt::Write;

use rmcp::schemars::JsonSchema;
use screentest::core::{Color, Row, Style, Underline, Width};
use serde::Serialize;

/// Text at a position, with its style.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(in crate::mcp) struct Span {
    pub(in crate::mcp) row: isize,
    pub(in crate::mcp) col: usize,
    pub(in crate::mcp) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::mcp) style: Option<String>,
}

/// Returns the parts of a row whose style is not the default. Adjacent cells of one style form one
/// span.
pub(super) fn styled(number: isize, row: &Row) -> Vec<Span> {
    let mut spans: Vec<(Style, Span)> = Vec::new();
    let mut end = 0;
    for (col, cell) in row.cells().enumerate() {
        if *cell.style == Style::default() || cell.width == Width::Spacer {
            // The second cell of a wide character extends the span of the first.
            end += usize::from(cell.width == Width::Spacer && end == col);
            continue;
        }
        match spans.last_mut() {
            Some((style, span)) if *style == *cell.style && end == col => {
                cell.push_to(&mut span.text);
            }
            _ => {
                let mut text = String::new();
                cell.push_to(&mut text);
                let span = Span {
                    row: number,
                    col: col + 1,
                    text,
                    style: Some(style_text(cell.style)),
                };
                spans.push((*cell.style, span));
            }
        }
        end = col + 1;
    }
    spans.into_iter().map(|(_, span)| span).collect()
}

/// Formats a style.
fn style_text(style: &Style) -> String {
    let names = style.attributes.iter_names();
    let mut words: Vec<String> = names.map(|(name, _)| name.to_lowercase()).collect();
    if style.underline != Underline::None {
        words.push(match style.underline {
            Underline::Single => "underline".to_owned(),
            other => format!("underline={}", format!("{other:?}").to_lowercase()),
        });
    }
    for (name, color) in [("fg", style.fg), ("bg", style.bg)] {
        let mut word = String::new();
        let _ = match color {
            Color::Default => continue,
            Color::Indexed(index) => write!(word, "{name}={index}"),
            Color::Rgb(rgb) => write!(word, "{name}={rgb}"),
        };
        words.push(word);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use screentest::core::Size;
    use screentest::core::formats::ansi;

    use super::*;

    #[test]
    fn adjacent_cells_of_one_style_are_one_span() {
        let bytes = "a \x1b[1;31mred 界!\x1b[m \x1b[4;48;2;1;2;3mx\x1b[7my\x1b[m";
        let screen = ansi::read(bytes.as_bytes(), Size { cols: 20, rows: 1 });
        let spans: Vec<String> = styled(1, &screen.rows[0])
            .iter()
            .map(|span| {
                format!(
                    "{}:{} {} [{}]",
                    span.row,
                    span.col,
                    span.text,
                    span.style.as_deref().unwrap()
                )
            })
            .collect();
        assert_eq!(
            spans,
            [
                "1:3 red 界! [bold fg=1]",
                "1:11 x [underline bg=#010203]",
                "1:12 y [inverse underline bg=#010203]",
            ]
        );
    }
}
