//! Side-by-side view of two screens with the differences marked.
//!
//! Both screens are framed and share row numbers, which count from 1. Below a row that differs
//! there is a line of markers, as in the line-by-line view: `^` where the text differs, `~` where
//! only the style does. Differences in style are described in words at the end. Equal rows far from
//! any difference are left out and shown as `⋮`. If both screens do not fit side by side, columns
//! at the right that are empty on both are left out; if the screens still do not fit, they are
//! printed one above the other.
//!
//! ```text
//!   ┌ expected ──┐ ┌ actual ────┐
//! 1 │same        │ │same        │
//! 2 │hello world │ │hello there │
//!   │      ^^^^^ │ │      ^^^^^ │
//!   └────────────┘ └────────────┘
//! ```

use std::fmt;
use std::ops::Range;

use super::{Aspects, Diff, RowDiff};
use crate::formats::paint::{CellWriter, Paint, sgr};
use crate::screen::text_width;
use crate::{Attributes, CellView, Color, Row, Screen, Style, Width};

/// Two screens side by side, to be printed with [`Display`](fmt::Display).
#[derive(Debug, Clone)]
pub struct SideBySide<'a> {
    diff: &'a Diff,
    sides: [ScreenSide<'a>; 2],
    width: usize,
    context: usize,
    paint: Paint,
}

#[derive(Debug, Clone)]
struct ScreenSide<'a> {
    label: &'a str,
    screen: &'a Screen,
    /// Largest number of columns shown.
    max_cols: usize,
    /// Style of its label, its markers and its differing cells: red for before, green for after.
    mark: Style,
}

impl Diff {
    /// Shows both screens side by side; they must be those that were compared.
    pub fn side_by_side<'a>(&'a self, before: &'a Screen, after: &'a Screen) -> SideBySide<'a> {
        let side = |label, screen, color| ScreenSide {
            label,
            screen,
            max_cols: usize::MAX,
            mark: Style {
                fg: Color::Indexed(color),
                ..Style::default()
            },
        };
        SideBySide {
            diff: self,
            sides: [side("before", before, 1), side("after", after, 2)],
            width: SideBySide::WIDTH,
            context: SideBySide::CONTEXT,
            paint: Paint::Plain,
        }
    }
}

impl<'a> SideBySide<'a> {
    /// Default maximal width: two screens of 80 columns fit, and longer lines are not useful in a
    /// log.
    pub const WIDTH: usize = 200;
    /// Default number of equal rows shown around those that differ.
    pub const CONTEXT: usize = 2;

    /// Sets the labels above the screens, instead of `before` and `after`.
    #[must_use]
    pub fn labels(mut self, before: &'a str, after: &'a str) -> SideBySide<'a> {
        self.sides[0].label = before;
        self.sides[1].label = after;
        self
    }

    /// Sets the number of columns available. If the screens do not fit side by side, they are
    /// printed one above the other; no text of a screen is ever cut off.
    #[must_use]
    pub fn width(mut self, cols: usize) -> SideBySide<'a> {
        self.width = cols;
        self
    }

    /// Sets how many equal rows to show around those that differ; `usize::MAX` for all.
    #[must_use]
    pub fn context(mut self, rows: usize) -> SideBySide<'a> {
        self.context = rows;
        self
    }

    /// Sets whether to use colours: cells keep their own, and those whose text differs are inverse,
    /// in red and in green.
    #[must_use]
    pub fn paint(mut self, paint: Paint) -> SideBySide<'a> {
        self.paint = paint;
        self
    }

    /// Returns the lines to print, from the top.
    fn lines(&self) -> Vec<SideBySideLine<'a>> {
        let count = self.sides.iter().map(|side| side.screen.rows.len());
        let count = count.max().unwrap_or(0);
        let near = |row: usize| {
            let close = |diff: &RowDiff| diff.row.abs_diff(row) <= self.context;
            self.diff.rows.iter().any(close)
        };
        let mut lines = vec![SideBySideLine::Top];
        let mut differing = self.diff.rows.iter().peekable();
        let mut row = 0;
        while row < count {
            let gap = (row..count).take_while(|row| !near(*row)).count();
            // The marker for a gap takes as much space as a single row.
            if gap > 1 {
                lines.push(SideBySideLine::Gap(row..row + gap));
                row += gap;
                continue;
            }
            let diff = differing.next_if(|diff| diff.row == row);
            lines.push(SideBySideLine::Row(row, diff));
            lines.extend(diff.map(SideBySideLine::Marks));
            row += 1;
        }
        lines.push(SideBySideLine::Bottom);
        lines
    }
}

/// One line of both screens.
enum SideBySideLine<'a> {
    Top,
    Row(usize, Option<&'a RowDiff>),
    Marks(&'a RowDiff),
    /// Rows that are left out.
    Gap(Range<usize>),
    Bottom,
}

impl SideBySideLine<'_> {
    fn number(&self) -> String {
        match self {
            SideBySideLine::Row(row, _) => (row + 1).to_string(),
            SideBySideLine::Gap(_) => "⋮".to_owned(),
            SideBySideLine::Top | SideBySideLine::Marks(_) | SideBySideLine::Bottom => {
                String::new()
            }
        }
    }

    /// Returns the first row that a screen must have to show this line.
    fn first_row(&self) -> usize {
        match self {
            SideBySideLine::Top => 0,
            SideBySideLine::Row(row, _) => *row,
            SideBySideLine::Marks(diff) => diff.row,
            SideBySideLine::Gap(rows) => rows.start,
            SideBySideLine::Bottom => usize::MAX,
        }
    }
}

impl ScreenSide<'_> {
    fn cols(&self) -> usize {
        usize::from(self.screen.size.cols).min(self.max_cols)
    }

    /// Returns the number of columns up to the last one with content.
    fn used(&self) -> usize {
        let rows = self.screen.rows.iter().map(|row| row.len());
        rows.max().unwrap_or(0)
    }

    /// Returns its part of each line; `None` below its frame.
    fn parts(&self, lines: &[SideBySideLine<'_>], paint: Paint) -> Vec<Option<String>> {
        let mut is_open = true;
        let parts = lines.iter().map(|line| {
            if line.first_row() < self.screen.rows.len() {
                return Some(self.part(line, paint));
            }
            // A screen with fewer rows than the other ends earlier.
            let ends = std::mem::take(&mut is_open);
            ends.then(|| format!("└{}┘", "─".repeat(self.cols())))
        });
        parts.collect()
    }

    fn part(&self, line: &SideBySideLine<'_>, paint: Paint) -> String {
        let cols = self.cols();
        match line {
            SideBySideLine::Top => self.top(paint),
            SideBySideLine::Row(row, diff) => match self.screen.row(*row) {
                Some(cells) => format!("│{}│", self.cells(cells, *diff, paint)),
                None => String::new(),
            },
            SideBySideLine::Marks(diff) => {
                let marks: String = diff.marks().chars().take(cols).collect();
                let blanks = " ".repeat(cols - marks.len());
                format!("│{}{blanks}│", self.colored(&marks, paint))
            }
            SideBySideLine::Gap(_) => format!("┆{}┆", " ".repeat(cols)),
            SideBySideLine::Bottom => String::new(),
        }
    }

    fn top(&self, paint: Paint) -> String {
        let mut label = String::new();
        let mut room = self.cols().saturating_sub(2);
        for c in self.label.chars() {
            // The caller chooses the label, which may contain any characters.
            let Some(taken) = text_width::columns(c) else {
                continue;
            };
            let Some(left) = room.checked_sub(taken) else {
                break;
            };
            room = left;
            label.push(c);
        }
        if label.is_empty() {
            return format!("┌{}┐", "─".repeat(self.cols()));
        }
        format!("┌ {} {}┐", self.colored(&label, paint), "─".repeat(room))
    }

    /// Returns a text in the side's colour.
    fn colored(&self, text: &str, paint: Paint) -> String {
        let mut colored = String::new();
        if paint == Paint::Ansi {
            sgr::write_style(&self.mark, &mut colored);
        }
        colored.push_str(text);
        if paint == Paint::Ansi {
            sgr::write_style(&Style::default(), &mut colored);
        }
        colored
    }

    fn cells(&self, row: &Row, diff: Option<&RowDiff>, paint: Paint) -> String {
        let differs = |col: usize| diff.is_some_and(|diff| diff.text_differs(col));
        let marked = Style {
            attributes: Attributes::INVERSE,
            ..self.mark
        };
        let mut text = String::new();
        let mut writer = CellWriter::new(paint);
        let blanks = std::iter::repeat((CellView::BLANK, ' '));
        let mut col = 0;
        // The first cell must not join the frame.
        text.push_str(text_width::separator('│', &row.cell(0)));
        for (cell, next) in text_width::cells(row, self.cols()).chain(blanks) {
            if col >= self.cols() {
                break;
            }
            let style = if differs(col) { &marked } else { cell.style };
            // Links are left out: some terminals would turn half of the report into a link.
            let link = None;
            writer.put(
                &CellView {
                    style,
                    link,
                    ..cell
                },
                next,
                &mut text,
            );
            col += if cell.width == Width::Wide { 2 } else { 1 };
        }
        writer.finish(&mut text);
        text
    }
}

impl RowDiff {
    fn text_differs(&self, col: usize) -> bool {
        let text = Aspects::TEXT | Aspects::WIDTH;
        let mut runs = self.runs.iter();
        runs.any(|run| run.cols.contains(&col) && run.aspects.intersects(text))
    }
}

/// Returns the width of the row numbers.
fn digits(lines: &[SideBySideLine<'_>]) -> usize {
    let digits = lines.iter().map(|line| line.number().chars().count());
    digits.max().unwrap_or(0)
}

/// Returns whether both fit side by side.
fn fits(sides: &[ScreenSide<'_>], digits: usize, width: usize) -> bool {
    let frames = sides.iter().map(|side| side.cols() + 3);
    digits + frames.sum::<usize>() <= width
}

impl<'a> SideBySide<'a> {
    /// Returns both sides, without empty columns at the right if they would not fit otherwise.
    fn fitted(&self, lines: &[SideBySideLine<'_>]) -> [ScreenSide<'a>; 2] {
        let mut sides = self.sides.clone();
        if !fits(&sides, digits(lines), self.width) {
            // A label is in the frame, with a space on each side.
            let label = |side: &ScreenSide<'_>| side.label.chars().count() + 2;
            let needed = sides.iter().map(|side| side.used().max(label(side)));
            let needed = needed.max().unwrap_or(0);
            for side in &mut sides {
                side.max_cols = needed;
            }
        }
        sides
    }
}

impl fmt::Display for SideBySide<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.diff.is_empty() {
            return f.write_str("no difference\n");
        }
        self.diff.write_facts(f)?;
        if self.diff.rows.is_empty() {
            return Ok(());
        }
        let lines = self.lines();
        let fitted = self.fitted(&lines);
        let numbers: Vec<String> = lines.iter().map(SideBySideLine::number).collect();
        let digits = digits(&lines);
        let parts = fitted.each_ref().map(|side| side.parts(&lines, self.paint));
        let frames = fitted.each_ref().map(|side| side.cols() + 2);
        let [before, after] = &parts;
        if fits(&fitted, digits, self.width) {
            for ((number, before), after) in numbers.iter().zip(before).zip(after) {
                write!(f, "{number:>digits$} ")?;
                match (before, after) {
                    (Some(before), Some(after)) => writeln!(f, "{before} {after}")?,
                    (Some(before), None) => writeln!(f, "{before}")?,
                    (None, Some(after)) => writeln!(f, "{:1$} {after}", "", frames[0])?,
                    (None, None) => writeln!(f)?,
                }
            }
        } else {
            for parts in [before, after] {
                for (number, part) in numbers.iter().zip(parts) {
                    if let Some(part) = part {
                        writeln!(f, "{number:>digits$} {part}")?;
                    }
                }
            }
        }
        for row in &self.diff.rows {
            for note in row.notes() {
                writeln!(f, "row {}, {note}", row.row + 1)?;
            }
        }
        Ok(())
    }
}
