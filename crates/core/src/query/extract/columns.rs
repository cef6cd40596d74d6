//! Column boundaries of tables.
//!
//! A name may be above the left or above the right end of its values, and values may be wider than
//! their name. So two columns are not divided where the second name begins, but at a gap between
//! the two names that is blank in the rows.

use std::ops::Range;

use super::cell_line::CellLine;

/// Returns whether a character divides columns.
pub(super) fn is_vertical(c: char) -> bool {
    matches!(
        c,
        '|' | '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '▏' | '▕'
    )
}

/// Returns where the names are in a line as separate words, in this order.
pub(super) fn named(line: &CellLine<'_>, names: &[&str]) -> Option<Vec<Range<usize>>> {
    let mut from = 0;
    let is_edge = |index| line.is_blank(index) || is_vertical(line.char(index));
    let found: Option<Vec<_>> = names
        .iter()
        .map(|name| {
            let name = name.trim();
            let found = (from..line.len()).find_map(|start| {
                let begins = start.checked_sub(1).is_none_or(is_edge);
                let end = begins.then(|| line.end_of(name, start))??;
                is_edge(end).then_some(start..end)
            });
            let found = found.filter(|found| !found.is_empty() && !name.is_empty())?;
            from = found.end;
            Some(found)
        })
        .collect();
    found.filter(|found| !found.is_empty())
}

/// A part of a header, between borders or the ends of the line.
#[derive(Debug)]
pub(super) struct TableSegment {
    pub(super) cells: Range<usize>,
    /// Indices of the header's borders at its left and right, counted from 0; `None` at the line's
    /// ends.
    left: Option<usize>,
    right: Option<usize>,
    /// Whether the table has several segments, and so borders between its columns.
    has_siblings: bool,
}

/// Returns the parts between the header's borders, for the table that contains `within`. At two
/// adjacent borders one frame ends and another begins.
pub(super) fn segments(header: &CellLine<'_>, within: &Range<usize>) -> Vec<TableSegment> {
    let parts = header.between(|index| is_vertical(header.char(index)));
    let last = parts.len() - 1;
    let is_between_frames = |index: usize| parts[index].is_empty() && (1..last).contains(&index);
    let first_inside = parts.partition_point(|part| part.end < within.start);
    let last_inside = parts.partition_point(|part| part.start < within.end);
    let start = (0..first_inside.min(parts.len())).rfind(|index| is_between_frames(*index));
    let end = (last_inside..parts.len()).find(|index| is_between_frames(*index));
    let of_table = start.map_or(0, |index| index + 1)..end.unwrap_or(parts.len());
    let segments = parts.iter().enumerate().map(|(index, part)| TableSegment {
        left: index.checked_sub(1),
        right: (index < last).then_some(index),
        // Values may be wider than the last name.
        cells: part.start..if index < last { part.end } else { usize::MAX },
        has_siblings: false,
    });
    let of_table = segments.skip(of_table.start).take(of_table.len());
    // The part left of the first border and the part right of the last belong to the table only if
    // they have a name.
    let mut segments: Vec<TableSegment> = of_table
        .filter(|segment| {
            let framed = segment.left.is_some() && segment.right.is_some();
            framed || header.has_text(segment.cells.clone())
        })
        .collect();
    let has_siblings = segments.len() > 1;
    for segment in &mut segments {
        segment.has_siblings = has_siblings;
    }
    segments
}

/// Returns the positions of a row's borders; those of the header's borders if the row has another
/// number of them. A row with the same number of borders may have them in other columns, for
/// example if a program and the terminal disagree on the width of a character.
pub(super) fn borders_of(line: &CellLine<'_>, header: &CellLine<'_>) -> Vec<usize> {
    let borders = |line: &CellLine<'_>| -> Vec<usize> {
        (0..line.len())
            .filter(|index| is_vertical(line.char(*index)))
            .collect()
    };
    let (own, wanted) = (borders(line), borders(header));
    if own.len() == wanted.len() {
        own
    } else {
        wanted
    }
}

/// The columns of a segment.
#[derive(Debug)]
pub(super) struct ColumnLayout {
    /// The cells of each name in the header.
    pub(super) names: Vec<Range<usize>>,
    /// Between each two names: a cell that is blank in as many rows as possible.
    gaps: Vec<usize>,
    left: Option<usize>,
    right: Option<usize>,
}

impl TableSegment {
    /// Determines the columns from the header and all rows.
    pub(super) fn layout(
        &self,
        header: &CellLine<'_>,
        rows: &[&CellLine<'_>],
        named: &[Range<usize>],
    ) -> ColumnLayout {
        let mut names = self.names(header, rows, named);
        if names.is_empty() {
            names.push(self.cells.start..self.cells.start);
        }
        let gaps = names
            .windows(2)
            .map(|pair| gap(&pair[0], &pair[1], rows))
            .collect();
        ColumnLayout {
            names,
            gaps,
            left: self.left,
            right: self.right,
        }
    }

    /// Returns the names in the header. Two words with one space between them are one name, unless
    /// the rows have text under both words and at least two thirds of them have a blank in between.
    /// So `TIME+ COMMAND` are two names, and `CONTAINER ID` is one. The other rows may have a value
    /// that is too wide. If borders divide columns, a single space never does.
    fn names(
        &self,
        header: &CellLine<'_>,
        rows: &[&CellLine<'_>],
        named: &[Range<usize>],
    ) -> Vec<Range<usize>> {
        let is_named = |word: &Range<usize>| named.contains(word);
        let end = self.cells.end.min(header.len());
        let mut names: Vec<Range<usize>> = Vec::new();
        let mut at = header.skip_blanks(self.cells.start, end);
        while at < end {
            let word = match named.iter().find(|name| name.start == at) {
                Some(name) => name.clone(),
                None => at..header.skip(at, end, |index| !header.is_blank(index)),
            };
            at = header.skip_blanks(word.end, end);
            let has_text = |word: &Range<usize>| rows.iter().any(|row| row.has_text(word.clone()));
            let are_apart = |left: &Range<usize>| {
                let blanks = rows.iter().filter(|row| row.is_blank(left.end)).count();
                !self.has_siblings
                    && blanks * 3 >= rows.len() * 2
                    && has_text(&word)
                    && has_text(left)
            };
            match names.last_mut() {
                Some(left)
                    if left.end + 1 == word.start
                        && !is_named(left)
                        && !is_named(&word)
                        && !are_apart(left) =>
                {
                    left.end = word.end;
                }
                _ => names.push(word),
            }
        }
        names
    }
}

/// Returns the cell that divides two columns.
fn gap(left: &Range<usize>, right: &Range<usize>, rows: &[&CellLine<'_>]) -> usize {
    let blanks = |index: usize| rows.iter().filter(|row| row.is_blank(index)).count();
    let mostly_text = |index: usize| blanks(index) * 2 <= rows.len();
    let (first, last) = (left.end, right.start.saturating_sub(1).max(left.end));
    // Values aligned with the start of their name, or with the end of the name before, leave no
    // ambiguity.
    if blanks(last) == rows.len() && mostly_text(right.start) {
        return last;
    }
    if blanks(first) == rows.len() && mostly_text(first.saturating_sub(1)) {
        return first;
    }
    // Otherwise the widest gap among the cells that are blank in the most rows; of equally wide
    // ones, the last.
    let counts: Vec<usize> = (first..=last).map(blanks).collect();
    let most = counts.iter().copied().max().unwrap_or_default();
    let mut best = (0, last);
    let mut width = 0;
    for (index, count) in (first..).zip(counts) {
        width = if count == most { width + 1 } else { 0 };
        if width > 0 && width >= best.0 {
            best = (width, index);
        }
    }
    best.1
}

impl ColumnLayout {
    /// Returns the cells of each column in a row with known borders.
    pub(super) fn fields(&self, row: &CellLine<'_>, borders: &[usize]) -> Vec<Range<usize>> {
        let border = |number: Option<usize>| number.and_then(|number| borders.get(number).copied());
        let mut start = border(self.left).map_or(0, |left| left + 1);
        let end = border(self.right).unwrap_or(row.len()).max(start);
        let pairs = || self.names.windows(2).zip(&self.gaps);
        let split_at = |(names, gap): (&[Range<usize>], &usize)| {
            split(row, names[0].start..names[1].end, *gap)
        };
        // If a value has pushed the others away from their names, one word per column is the best
        // guess.
        if pairs().any(|pair| split_at(pair).is_none()) {
            let words = words(row, start..end, self.names.len() + 1);
            if words.len() == self.names.len() {
                return words;
            }
        }
        let mut fields = Vec::new();
        for pair in pairs() {
            let behind = || row.skip(*pair.1, row.len(), |index| !row.is_blank(index));
            let split = split_at(pair).unwrap_or_else(behind).clamp(start, end);
            fields.push(start..split);
            start = split;
        }
        fields.push(start..end);
        fields
    }
}

/// Returns where to cut a row: at the gap or, if a value is so wide that it fills the gap, at the
/// nearest blank cell below the two names; `None` if it fills all of that.
fn split(row: &CellLine<'_>, names: Range<usize>, gap: usize) -> Option<usize> {
    let right = (gap..names.end).find(|index| row.is_blank(*index));
    let left = (names.start..gap).rfind(|index| row.is_blank(*index));
    match (left, right) {
        (Some(left), Some(right)) if gap - left < right - gap => Some(left),
        (left, right) => right.or(left),
    }
}

/// Returns the words in some cells, at most `most`.
fn words(row: &CellLine<'_>, cells: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let end = cells.end.min(row.len());
    let mut words = Vec::new();
    let mut at = row.skip_blanks(cells.start, end);
    while at < end && words.len() < most {
        let word = at..row.skip(at, end, |index| !row.is_blank(index));
        at = row.skip_blanks(word.end, end);
        words.push(word);
    }
    words
}
