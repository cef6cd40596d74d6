//! The orders in which the characters of a text may be read.
//!
//! If a value continues in the next row, its characters are consecutive in one of these orders,
//! even if a line number, a time, a prefix that the rows share, or another column is between its
//! parts.

use super::glyphs::{Glyph, Glyphs, Significance};

/// Minimum number of spaces between two columns.
const COLUMN_GAP: usize = 2;

/// Maximum number of columns in a row: more than people can read.
const MAX_COLUMNS: usize = 64;

/// Returns all orders, each as indexes of characters, without those that equal the first.
pub(super) fn all(glyphs: &Glyphs) -> Vec<Vec<usize>> {
    let plain: Vec<usize> = (0..glyphs.all.len()).collect();
    let mut orders = vec![plain];
    if glyphs.rows.len() < 2 {
        return orders;
    }
    for prefix in [line_number, numbers] {
        let skipped = |row: usize| prefix(row_of(glyphs, row));
        orders.extend(without_prefixes(glyphs, skipped));
    }
    let shared = |row: usize| match row.checked_sub(1) {
        Some(above) => shared_prefix(row_of(glyphs, above), row_of(glyphs, row)),
        None => 0,
    };
    orders.extend(without_prefixes(glyphs, shared));
    orders.extend(by_columns(glyphs));
    orders
}

fn row_of(glyphs: &Glyphs, row: usize) -> &[Glyph] {
    &glyphs.all[glyphs.rows[row].clone()]
}

/// Returns the order of rows without the first characters of each; `None` if that skips nothing.
fn without_prefixes(glyphs: &Glyphs, skipped: impl Fn(usize) -> usize) -> Option<Vec<usize>> {
    let skipped: Vec<usize> = (0..glyphs.rows.len()).map(skipped).collect();
    if skipped.iter().all(|count| *count == 0) {
        return None;
    }
    let rows = glyphs.rows.iter().zip(skipped);
    let rows = rows.flat_map(|(row, skipped)| row.start + skipped..row.end);
    Some(rows.collect())
}

/// Returns the length of the line number at the start of a row, with the spaces and signs around
/// it: `12 `, ` 12 │`, `12:`, `00000010: `.
fn line_number(row: &[Glyph]) -> usize {
    let is_blank = |glyph: &&Glyph| !glyph.is(Significance::Most);
    let indent = row.iter().take_while(is_blank).count();
    let digits = |radix| {
        let digits = row[indent..].iter();
        digits.take_while(|glyph| glyph.c.is_digit(radix)).count()
    };
    let offset = digits(16);
    let number = if (6..=8).contains(&offset) {
        offset
    } else {
        digits(10)
    };
    if number == 0 || number > 8 {
        return 0;
    }
    let after = &row[indent + number..];
    let signs = after.iter().take_while(|glyph| ":.)>+-~".contains(glyph.c));
    let signs = signs.count();
    let blanks = after[signs..].iter().take_while(is_blank).count();
    let end = indent + number + signs + blanks;
    if signs + blanks > 0 && end < row.len() {
        end
    } else {
        0
    }
}

/// Returns the length of the words without letters at the start of a row, such as a time in
/// brackets.
fn numbers(row: &[Glyph]) -> usize {
    let is_number = |glyph: &&Glyph| !glyph.c.is_alphabetic();
    let numbers = row.iter().take_while(is_number).count();
    let is_blank = |glyph: &Glyph| !glyph.is(Significance::Most);
    match row[..numbers].iter().rposition(is_blank) {
        Some(last) if last + 1 < row.len() => last + 1,
        _ => 0,
    }
}

/// Returns the number of first characters that two rows have in common, up to the end of a word.
fn shared_prefix(above: &[Glyph], row: &[Glyph]) -> usize {
    let same = above.iter().zip(row).take_while(|(a, b)| a.c == b.c);
    let same = same.count();
    let is_end = |glyph: &Glyph| !glyph.is(Significance::Alphanumeric);
    let last = row[..same].iter().rposition(is_end);
    last.map_or(0, |last| last + 1)
}

/// A part of a row between borders or gaps.
struct Segment {
    start: usize,
    end: usize,
    first_col: usize,
    end_col: usize,
}

/// Returns the order in which every column is read from top to bottom; `None` if no row has
/// several columns.
fn by_columns(glyphs: &Glyphs) -> Option<Vec<usize>> {
    let mut several = false;
    // The segments of each column, from top to bottom.
    let mut columns: Vec<Vec<Segment>> = Vec::new();
    // The columns of the row above, from left to right.
    let mut above: Vec<usize> = Vec::new();
    for row in &glyphs.rows {
        let segments = segments(&glyphs.all, row.clone());
        several |= segments.len() > 1;
        if segments.is_empty() {
            // A border or a blank row.
            continue;
        }
        let mut current = Vec::with_capacity(segments.len());
        let mut free = above.iter().copied().peekable();
        for segment in segments {
            // Skip columns that end before this segment.
            let last = |column: usize| columns.get(column).and_then(|all| all.last());
            while let Some(column) = free.peek()
                && last(*column).is_some_and(|last| last.end_col <= segment.first_col)
            {
                current.extend(free.next());
            }
            let overlaps = free
                .peek()
                .and_then(|column| last(*column))
                .is_some_and(|last| last.first_col < segment.end_col);
            let column = match free.next_if(|_| overlaps) {
                Some(column) => column,
                None => {
                    columns.push(Vec::new());
                    columns.len() - 1
                }
            };
            columns[column].push(segment);
            current.push(column);
        }
        // A short row does not end the columns right of it.
        current.extend(free);
        current.truncate(MAX_COLUMNS);
        above = current;
    }
    several.then(|| {
        let segments = columns.iter().flatten();
        segments.flat_map(|part| part.start..part.end).collect()
    })
}

/// Returns the parts of a row between borders or gaps.
fn segments(all: &[Glyph], row: std::ops::Range<usize>) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut start = None;
    let mut blanks = 0;
    let mut end = row.start;
    let mut push = |start: usize, end: usize| {
        if segments.len() < MAX_COLUMNS {
            segments.push(Segment {
                start: start + line_number(&all[start..end]),
                end,
                first_col: all[start].col,
                end_col: all[end - 1].col + 1,
            });
        }
    };
    for index in row {
        let glyph = &all[index];
        let is_blank = glyph.c.is_whitespace();
        blanks = if is_blank { blanks + 1 } else { 0 };
        if (glyph.is_border() || blanks >= COLUMN_GAP)
            && let Some(start) = start.take()
        {
            push(start, end);
        }
        if !is_blank && !glyph.is_border() {
            start.get_or_insert(index);
            end = index + 1;
        }
    }
    if let Some(start) = start {
        push(start, end);
    }
    segments
}
