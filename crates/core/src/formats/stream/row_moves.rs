//! Finds, encodes and decodes rows that only moved, as when a screen scrolls.

use std::sync::Arc;

use super::bytes::{MessageReader, put_count};
use super::{StreamError, same};
use crate::{Row, Size};

/// Maximum number of row comparisons per message. Bounds the search for moved rows, which is
/// quadratic in rows: 24 changed rows take 576 comparisons; 2,000 new rows stop at the limit, after
/// about a millisecond. A scroll of 2,000 rows is found at once.
const MAX_COMPARISONS: usize = 1 << 16;
const MAX_ROWS: usize = *Size::ROWS.end() as usize;

/// Rows that were elsewhere before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowMove {
    /// The first row now.
    pub(super) to: usize,
    /// The first row before.
    pub(super) from: usize,
    pub(super) count: usize,
}

/// Compares two lists of rows. Returns those that moved, and the indices of those that must be
/// written.
pub(super) fn find(before: &[Arc<Row>], after: &[Arc<Row>]) -> (Vec<RowMove>, Vec<usize>) {
    let mut moves = Vec::new();
    let mut rows = Vec::new();
    let mut left = MAX_COMPARISONS;
    let mut index = 0;
    while let (Some(row), Some(old)) = (after.get(index), before.get(index)) {
        if same(row, old) {
            index += 1;
            continue;
        }
        // A blank row takes fewer bytes than a move.
        let found = if row.is_empty() {
            None
        } else {
            longest(before, &after[index..], &mut left)
        };
        match found {
            Some((from, count)) => {
                moves.push(RowMove {
                    to: index,
                    from,
                    count,
                });
                index += count;
            }
            None => {
                rows.push(index);
                index += 1;
            }
        }
    }
    (moves, rows)
}

/// Finds the longest prefix of `after` in `before`. Returns its first row in `before` and its
/// length.
fn longest(before: &[Arc<Row>], after: &[Arc<Row>], left: &mut usize) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    for from in 0..before.len() {
        let pairs = before[from..].iter().zip(after).take(*left);
        let count = pairs.take_while(|(old, new)| same(old, new)).count();
        *left = left.saturating_sub(count + 1);
        if count > best.map_or(0, |(_, most)| most) {
            best = Some((from, count));
        }
    }
    best
}

/// Appends the moves.
pub(super) fn write(moves: &[RowMove], bytes: &mut Vec<u8>) {
    put_count(bytes, moves.len());
    for moved in moves {
        for number in [moved.to, moved.from, moved.count] {
            put_count(bytes, number);
        }
    }
}

/// Decodes the moves. They are ordered by their target, and no target row occurs twice.
pub(super) fn read(input: &mut MessageReader<'_>) -> Result<Vec<RowMove>, StreamError> {
    let count = input.count("moves", 0, MAX_ROWS)?;
    let mut moves = Vec::new();
    let mut free = 0;
    for _ in 0..count {
        let to = input.count("target row of a move", free, MAX_ROWS - 1)?;
        let from = input.count("source row of a move", 0, MAX_ROWS - 1)?;
        let most = MAX_ROWS - to.max(from);
        let count = input.count("rows of a move", 1, most)?;
        free = to + count;
        moves.push(RowMove { to, from, count });
    }
    Ok(moves)
}
