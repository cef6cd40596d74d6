//! Differences between two screens.
//!
//! [`Diff::between`] compares what a person sees: size, title, cursor, changed colours, and the
//! text, style, link and width of every cell. Rows that both screens share are skipped.
//! [`Display`](fmt::Display) prints both texts with markers below the differing cells: `^` where
//! the text differs, `~` where only the style does. [`Diff::side_by_side`] shows both screens in
//! full.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bitflags::bitflags;

use crate::screen::style::{Attributes, Color, Style, Underline};
use crate::{CellView, Cursor, CursorShape, Palette, PaletteEntry, Row, Screen, Size, Width};

mod side_by_side;

pub use side_by_side::SideBySide;

/// Differences between two screens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// The sizes, if they differ. Cells that only one screen has are blank in the other.
    pub size: Option<DiffChange<Size>>,
    /// The titles, if they differ.
    pub title: Option<DiffChange<Arc<str>>>,
    /// The cursors, if they differ.
    pub cursor: Option<DiffChange<Cursor>>,
    /// The colours that the programs changed, if they differ.
    pub palette: Option<DiffChange<Palette>>,
    /// The rows with differing cells, from the top.
    pub rows: Vec<RowDiff>,
}

/// Two different values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffChange<T> {
    /// The first screen's value.
    pub before: T,
    /// The second screen's value.
    pub after: T,
}

/// A row with differing cells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowDiff {
    /// The row's index.
    pub row: usize,
    /// Runs of cells that differ in the same aspects, from the left.
    pub runs: Vec<DiffRun>,
    /// The row in the first screen.
    pub before: Arc<Row>,
    /// The row in the second screen.
    pub after: Arc<Row>,
}

/// Neighbouring cells that differ in the same aspects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffRun {
    /// The columns, including both halves of wide characters.
    pub cols: Range<usize>,
    /// The aspects that differ.
    pub aspects: Aspects,
}

bitflags! {
    /// Aspects of a cell that can differ.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Aspects: u8 {
        /// Its text.
        const TEXT = 1;
        /// Its style.
        const STYLE = 2;
        /// Its link.
        const LINK = 4;
        /// Its width in columns.
        const WIDTH = 8;
    }
}

impl Diff {
    /// Compares two screens.
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
            palette: change(&before.palette, &after.palette),
            rows: rows.collect(),
        }
    }

    /// Returns whether the screens look the same.
    pub fn is_empty(&self) -> bool {
        self.size.is_none()
            && self.title.is_none()
            && self.cursor.is_none()
            && self.palette.is_none()
            && self.rows.is_empty()
    }
}

fn change<T: PartialEq + Clone>(before: &T, after: &T) -> Option<DiffChange<T>> {
    (before != after).then(|| DiffChange {
        before: before.clone(),
        after: after.clone(),
    })
}

fn runs(before: &Row, after: &Row) -> Vec<DiffRun> {
    let mut runs: Vec<DiffRun> = Vec::new();
    for col in 0..before.len().max(after.len()) {
        let (old, new) = (before.cell(col), after.cell(col));
        let aspects = aspects(old, new);
        let second_half = old.width == Width::Spacer || new.width == Width::Spacer;
        match runs.last_mut() {
            // The spacers of two different wide characters are equal, but the difference must cover
            // both halves.
            Some(run) if run.cols.end == col && second_half && run.aspects.contains(aspects) => {
                run.cols.end = col + 1;
            }
            Some(run) if run.cols.end == col && run.aspects == aspects => run.cols.end = col + 1,
            _ if aspects.is_empty() => {}
            _ => runs.push(DiffRun {
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
    /// Writes the differences other than cells.
    fn write_facts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(DiffChange { before, after }) = &self.size {
            writeln!(f, "size: {before} is now {after}")?;
        }
        if let Some(DiffChange { before, after }) = &self.title {
            writeln!(f, "title: {before:?} is now {after:?}")?;
        }
        if let Some(DiffChange { before, after }) = &self.cursor {
            let (before, after) = (describe_cursor(before), describe_cursor(after));
            writeln!(f, "cursor: {before}; now {after}")?;
        }
        if let Some(DiffChange { before, after }) = &self.palette {
            writeln!(f, "colours: {}", describe_palettes(before, after))?;
        }
        Ok(())
    }
}

/// Maximum number of changed colours that are listed.
const MAX_COLORS: usize = 8;

/// Describes the colours that differ between two palettes.
fn describe_palettes(before: &Palette, after: &Palette) -> String {
    let entries: BTreeSet<PaletteEntry> = before
        .iter()
        .chain(after.iter())
        .map(|(entry, _)| entry)
        .filter(|entry| before.get(*entry) != after.get(*entry))
        .collect();
    let value = |palette: &Palette, entry| match palette.get(entry) {
        Some(color) => color.to_string(),
        None => "default".to_owned(),
    };
    let describe = |entry: &PaletteEntry| {
        let name = match entry {
            PaletteEntry::Indexed(index) => index.to_string(),
            PaletteEntry::Foreground => "foreground".to_owned(),
            PaletteEntry::Background => "background".to_owned(),
            PaletteEntry::Cursor => "cursor".to_owned(),
            PaletteEntry::SelectionBackground => "selection background".to_owned(),
            PaletteEntry::SelectionForeground => "selection foreground".to_owned(),
        };
        let (before, after) = (value(before, *entry), value(after, *entry));
        format!("{name} {before} → {after}")
    };
    let listed: Vec<String> = entries.iter().take(MAX_COLORS).map(describe).collect();
    let mut text = listed.join(", ");
    if entries.len() > MAX_COLORS {
        text.push_str(&format!(", and {} more", entries.len() - MAX_COLORS));
    }
    text
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
    /// Returns the markers below differing cells. They are ASCII, so that the byte length is the
    /// column.
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

    /// Describes differences in style in words, as the texts do not show them.
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

    /// Describes how the style of a run's first cell differs.
    fn details(&self, run: &DiffRun) -> String {
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
