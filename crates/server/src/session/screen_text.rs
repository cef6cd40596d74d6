//! A screen as text for the wire.
//!
//! There are two forms. A grid contains every cell of a rectangle, including trailing spaces, so
//! that the column in the text is the column on the screen. Notifications and recordings contain
//! rows without trailing spaces.

use screentest::core::{Rect, Screen, Width};

/// Returns the rows of a screen without trailing spaces.
pub(crate) fn rows(screen: &Screen) -> impl Iterator<Item = &str> {
    screen.rows.iter().map(|row| row.text())
}

/// Returns the rows of a screen without trailing spaces, joined by newlines. Blank rows are empty
/// lines. The last line has no line end.
pub(crate) fn text(screen: &Screen) -> String {
    rows(screen).collect::<Vec<_>>().join("\n")
}

/// Returns all cells of a rectangle, one line per row, each as wide as the rectangle. A wide
/// character that is cut by the rectangle becomes a space.
pub(crate) fn grid(screen: &Screen, rect: Rect) -> String {
    let rect = rect.clipped(screen.size.rect());
    let rows = screen.rows.iter().skip(rect.row).take(rect.rows);
    let rows: Vec<String> = rows
        .map(|row| {
            let mut text = String::with_capacity(rect.cols);
            let end = rect.col + rect.cols;
            for col in rect.col..end {
                let cell = row.cell(col);
                let is_cut = (cell.width == Width::Spacer && col == rect.col)
                    || (cell.width == Width::Wide && col + 1 == end);
                if is_cut {
                    text.push(' ');
                } else {
                    cell.push_to(&mut text);
                }
            }
            text
        })
        .collect();
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use screentest::core::Size;
    use screentest::core::formats::ansi;

    use super::*;

    #[test]
    fn grid_keeps_trailing_spaces_and_text_drops_them() {
        let screen = ansi::read("ab\n\n界x\n".as_bytes(), Size { cols: 4, rows: 4 });
        assert_eq!(text(&screen), "ab\n\n界x\n");
        assert_eq!(grid(&screen, screen.size.rect()), "ab  \n    \n界x \n    ");
        let part = |col, cols| {
            grid(
                &screen,
                Rect {
                    row: 2,
                    col,
                    rows: 9,
                    cols,
                },
            )
        };
        assert_eq!(part(0, 1), " \n ");
        assert_eq!(part(1, 9), " x \n   ");
    }
}
