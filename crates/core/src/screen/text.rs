//! Screens as plain text, for people, logs and tests.

use std::fmt;

use crate::screen::Screen;

impl Screen {
    /// Returns the rows without trailing spaces and without blank rows at the bottom, each with a
    /// line feed.
    pub fn text(&self) -> String {
        let shown = self
            .rows
            .iter()
            .rposition(|row| !row.text().is_empty())
            .map_or(0, |last| last + 1);
        let mut text = String::new();
        for row in &self.rows[..shown] {
            text.push_str(row.text());
            text.push('\n');
        }
        text
    }

    /// Returns the text with `|` before the cursor's cell, or after the last column if a wrap is
    /// pending. A hidden cursor is not marked. Blank rows above the cursor are included.
    pub fn picture(&self) -> String {
        let cursor = self.cursor;
        let mut lines: Vec<String> = self.rows.iter().map(|row| row.text().to_owned()).collect();
        if cursor.visible
            && let Some(line) = lines.get_mut(cursor.position.row)
        {
            let col = cursor.position.col + usize::from(cursor.pending_wrap);
            *line = mark(&self.rows[cursor.position.row], col);
        }
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let mut picture = String::new();
        for line in lines {
            picture.push_str(&line);
            picture.push('\n');
        }
        picture
    }
}

/// Returns the text of a row with `|` before the cell in a column.
fn mark(row: &crate::Row, col: usize) -> String {
    let mut line = String::new();
    for at in 0..row.len().max(col) {
        if at == col {
            line.push('|');
        }
        row.cell(at).push_to(&mut line);
    }
    if col >= row.len() {
        line.push('|');
    }
    line.truncate(line.trim_end_matches(' ').len());
    line
}

/// Writes [`Screen::text`].
impl fmt::Display for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
