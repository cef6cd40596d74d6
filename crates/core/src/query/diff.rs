//! What differs between two screens.
//!
//! [`Diff::between`] looks at what a person sees: size, title, cursor, and every cell's text, style, link and width. A
//! row that both screens share is not looked at. [`Display`](fmt::Display) shows both texts with the differing cells
//! marked below: `^` where the text differs, `~` where only its look does. [`Diff::side_by_side`] shows the screens whole.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bitflags::bitflags;

use crate::screen::style::{Attributes, Color, Style, Underline};
use crate::{CellView, Cursor, CursorShape, Row, Screen, Size, Width};

mod side_by_side;

pub use side_by_side::SideBySide;

/// What differs between two screens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// The sizes, where they differ. Cells that only one screen has are blank in the other.
    pub size: Option<Change<Size>>,
    /// The titles.
    pub title: Option<Change<Arc<str>>>,
    /// The cursors.
    pub cursor: Option<Change<Cursor>>,
    /// The rows with differing cells, from the top.
    pub rows: Vec<RowDiff>,
}

/// Two values that are not the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<T> {
    /// What the first screen has.
    pub before: T,
    /// What the second has.
    pub after: T,
}

/// A row with cells that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowDiff {
    /// Which row.
    pub row: usize,
    /// Stretches of cells that differ in the same ways, from the left.
    pub runs: Vec<Run>,
    /// The row in the first screen.
    pub before: Arc<Row>,
    /// The row in the second.
    pub after: Arc<Row>,
}

/// Neighbouring cells that differ in the same ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Which columns. Both halves of a wide character are in.
    pub cols: Range<usize>,
    /// In which ways.
    pub aspects: Aspects,
}

bitflags! {
    /// What can differ about a cell.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Aspects: u8 {
        /// Its text.
        const TEXT = 1;
        /// How it is drawn.
        const STYLE = 2;
        /// Where it leads.
        const LINK = 4;
        /// How many columns it takes.
        const WIDTH = 8;
    }
}

impl Diff {
    /// What is not the same in `after` as in `before`.
    pub fn between(before: &Screen, after: &Screen) -> Diff {
        let rows = before.rows.len().max(after.rows.len());
        let blank = Arc::<Row>::default();
        let rows = (0..rows).filter_map(|row| {
            let before = before.rows.get(row).unwrap_or(&blank);
            let after = after.rows.get(row).unwrap_or(&blank);
            if Arc::ptr_eq(before, after) {
                return None;
            }
            let runs = runs(before, after);
            (!runs.is_empty()).then(|| RowDiff {
                row,
                runs,
                before: Arc::clone(before),
                after: Arc::clone(after),
            })
        });
        Diff {
            size: change(&before.size, &after.size),
            title: change(&before.title, &after.title),
            cursor: change(&before.cursor, &after.cursor),
            rows: rows.collect(),
        }
    }

    /// Whether the screens look the same.
    pub fn is_empty(&self) -> bool {
        self.size.is_none() && self.title.is_none() && self.cursor.is_none() && self.rows.is_empty()
    }
}

fn change<T: PartialEq + Clone>(before: &T, after: &T) -> Option<Change<T>> {
    (before != after).then(|| Change {
        before: before.clone(),
        after: after.clone(),
    })
}

fn runs(before: &Row, after: &Row) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for col in 0..before.len().max(after.len()) {
        let (old, new) = (before.cell(col), after.cell(col));
        let aspects = aspects(old, new);
        let second_half = old.width == Width::Spacer || new.width == Width::Spacer;
        match runs.last_mut() {
            // The spacers of two different characters are the same, but nobody sees half a character differ.
            Some(run) if run.cols.end == col && second_half && run.aspects.contains(aspects) => {
                run.cols.end = col + 1;
            }
            Some(run) if run.cols.end == col && run.aspects == aspects => run.cols.end = col + 1,
            _ if aspects.is_empty() => {}
            _ => runs.push(Run {
                cols: col..col + 1,
                aspects,
            }),
        }
    }
    runs
}

fn aspects(before: CellView<'_>, after: CellView<'_>) -> Aspects {
    [
        (before.text != after.text, Aspects::TEXT),
        (before.style != after.style, Aspects::STYLE),
        (before.link != after.link, Aspects::LINK),
        (before.width != after.width, Aspects::WIDTH),
    ]
    .into_iter()
    .filter_map(|(differs, aspect)| differs.then_some(aspect))
    .collect()
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no difference\n");
        }
        self.write_facts(f)?;
        self.rows.iter().try_for_each(|row| write!(f, "{row}"))
    }
}

impl Diff {
    /// Says what differs besides cells.
    fn write_facts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Change { before, after }) = &self.size {
            writeln!(f, "size: {before} is now {after}")?;
        }
        if let Some(Change { before, after }) = &self.title {
            writeln!(f, "title: {before:?} is now {after:?}")?;
        }
        if let Some(Change { before, after }) = &self.cursor {
            let (before, after) = (describe_cursor(before), describe_cursor(after));
            writeln!(f, "cursor: {before}; now {after}")?;
        }
        Ok(())
    }
}

fn describe_cursor(cursor: &Cursor) -> String {
    let mut text = cursor.position.to_wire().to_string();
    let shape = match cursor.shape {
        CursorShape::Block => "block",
        CursorShape::Underline => "underline",
        CursorShape::Bar => "bar",
    };
    for (is, word) in [
        (true, shape),
        (cursor.blinking, "blinking"),
        (!cursor.visible, "hidden"),
        (cursor.pending_wrap, "wrap pending"),
    ] {
        if is {
            text.push_str(", ");
            text.push_str(word);
        }
    }
    text
}

impl fmt::Display for RowDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "row {}", self.row + 1)?;
        writeln!(f, "  - {}", self.before.text())?;
        writeln!(f, "  + {}", self.after.text())?;
        writeln!(f, "    {}", self.marks())?;
        self.notes().try_for_each(|note| writeln!(f, "    {note}"))
    }
}

impl RowDiff {
    /// A mark below each cell that differs. They are ASCII, so that their length is their column.
    fn marks(&self) -> String {
        let mut marks = String::new();
        for run in &self.runs {
            let text = Aspects::TEXT | Aspects::WIDTH;
            let mark = if run.aspects.intersects(text) {
                '^'
            } else {
                '~'
            };
            marks.extend(std::iter::repeat_n(' ', run.cols.start - marks.len()));
            marks.extend(std::iter::repeat_n(mark, run.cols.len()));
        }
        marks
    }

    /// What differs about looks, in words: texts can be seen, looks cannot.
    fn notes(&self) -> impl Iterator<Item = String> {
        self.runs.iter().filter_map(|run| {
            let details = self.details(run);
            let (first, last) = (run.cols.start + 1, run.cols.end);
            match (details.is_empty(), first == last) {
                (true, _) => None,
                (false, true) => Some(format!("column {first}: {details}")),
                (false, false) => Some(format!("columns {first} to {last}: {details}")),
            }
        })
    }

    /// What differs about a run's look, as its first cell has it.
    fn details(&self, run: &Run) -> String {
        let before = self.before.cell(run.cols.start);
        let after = self.after.cell(run.cols.start);
        let mut details = Vec::new();
        if run.aspects.contains(Aspects::STYLE) {
            details.extend(describe_style(before.style, after.style));
        }
        if run.aspects.contains(Aspects::LINK) {
            let uri = |cell: CellView<'_>| match cell.link {
                Some(link) => format!("`{}`", link.uri),
                None => "none".to_owned(),
            };
            details.push(format!("link {} → {}", uri(before), uri(after)));
        }
        if run.aspects.contains(Aspects::WIDTH) && !run.aspects.contains(Aspects::TEXT) {
            details.push(format!("width {:?} → {:?}", before.width, after.width));
        }
        details.join(", ")
    }
}

fn describe_style(before: &Style, after: &Style) -> Vec<String> {
    let mut details = Vec::new();
    for (name, before, after) in [
        ("foreground", before.fg, after.fg),
        ("background", before.bg, after.bg),
        (
            "underline colour",
            before.underline_color,
            after.underline_color,
        ),
    ] {
        if before != after {
            details.push(format!("{name} {} → {}", color(before), color(after)));
        }
    }
    if before.underline != after.underline {
        let name = |underline: Underline| format!("{underline:?}").to_lowercase();
        let (before, after) = (name(before.underline), name(after.underline));
        details.push(format!("underline {before} → {after}"));
    }
    for (name, attribute) in Attributes::all().iter_names() {
        let name = name.to_lowercase().replace('_', " ");
        match (before.is(attribute), after.is(attribute)) {
            (false, true) => details.push(format!("+{name}")),
            (true, false) => details.push(format!("-{name}")),
            _ => {}
        }
    }
    details
}

fn color(color: Color) -> String {
    match color {
        Color::Default => "default".to_owned(),
        Color::Indexed(index) => index.to_string(),
        Color::Rgb(rgb) => rgb.to_string(),
    }
}

#[cfg(test)]
mod tests;
