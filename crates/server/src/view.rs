//! A screen as text for the wire.
//!
//! There are two texts of one screen. The grid has every cell of a rectangle, blanks at the ends of rows included, so that a
//! column is where it seems to be; notifications and recordings have rows without those blanks.

use screentest::core::{Rect, Screen, Width};

/// The rows of a screen, without the blanks at their ends.
pub(crate) fn lines(screen: &Screen) -> impl Iterator<Item = &str> {
    screen.rows.iter().map(|row| row.text())
}

/// The same as one text: a line for each row, blank ones too, and no line end behind the last.
pub(crate) fn text(screen: &Screen) -> String {
    lines(screen).collect::<Vec<_>>().join("\n")
}

/// All cells of a rectangle: a line for each row, as wide as the rectangle. Of a wide character that is only half inside
/// there is a blank.
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
                match is_cut {
                    true => text.push(' '),
                    false => cell.push_to(&mut text),
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
    fn a_grid_has_every_cell_and_a_text_none_of_the_blanks() {
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
