//! Rows that only moved, as when a screen scrolls.

use std::sync::Arc;

use super::bytes::{Input, put_count};
use super::{StreamError, same};
use crate::{Row, Size};

/// How many pairs of rows are compared for one message in search of those that moved. A screen of 24 rows of which each is new takes 576;
/// one of 2,000 that scrolled is found at once, and one that was drawn anew is given up after a millisecond.
const MOST_COMPARISONS: usize = 1 << 16;
const MOST_ROWS: usize = *Size::ROWS.end() as usize;

/// Rows that stood elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    /// Where they are now.
    pub(super) to: usize,
    /// Where they were.
    pub(super) from: usize,
    pub(super) count: usize,
}

/// What became of rows: those that moved, and the numbers of those that are new in their place.
pub(super) fn find(before: &[Arc<Row>], after: &[Arc<Row>]) -> (Vec<Move>, Vec<usize>) {
    let mut moves = Vec::new();
    let mut rows = Vec::new();
    let mut left = MOST_COMPARISONS;
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
                moves.push(Move {
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

/// Where most of the first rows of `after` stood together, and how many.
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

/// Appends moves.
pub(super) fn write(moves: &[Move], bytes: &mut Vec<u8>) {
    put_count(bytes, moves.len());
    for moved in moves {
        for number in [moved.to, moved.from, moved.count] {
            put_count(bytes, number);
        }
    }
}

/// Reads moves. They come in the order of where the rows are now, and no row is given twice.
pub(super) fn read(input: &mut Input<'_>) -> Result<Vec<Move>, StreamError> {
    let count = input.count("moves", 0, MOST_ROWS)?;
    let mut moves = Vec::new();
    let mut free = 0;
    for _ in 0..count {
        let to = input.count("row that a move begins at", free, MOST_ROWS - 1)?;
        let from = input.count("row that a move comes from", 0, MOST_ROWS - 1)?;
        let most = MOST_ROWS - to.max(from);
        let count = input.count("rows that move", 1, most)?;
        free = to + count;
        moves.push(Move { to, from, count });
    }
    Ok(moves)
}
