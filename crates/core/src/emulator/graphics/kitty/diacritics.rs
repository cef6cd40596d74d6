//! The combining marks that stand for rows and columns of placeholders.
//!
//! The table is part of the protocol: `rowcolumn-diacritics.txt` of kitty, as it is in the crate
//! `ratatui-image` 8.1.1 (MIT). It lists characters of combining class 230 of Unicode 6.0 that no
//! normalisation changes, in ascending order.

/// Consecutive marks: the first and how many there are.
const RUNS: [(char, u32); 86] = [
    ('\u{305}', 1),
    ('\u{30d}', 2),
    ('\u{310}', 1),
    ('\u{312}', 1),
    ('\u{33d}', 3),
    ('\u{346}', 1),
    ('\u{34a}', 3),
    ('\u{350}', 3),
    ('\u{357}', 1),
    ('\u{35b}', 1),
    ('\u{363}', 13),
    ('\u{483}', 5),
    ('\u{592}', 4),
    ('\u{597}', 3),
    ('\u{59c}', 6),
    ('\u{5a8}', 2),
    ('\u{5ab}', 2),
    ('\u{5af}', 1),
    ('\u{5c4}', 1),
    ('\u{610}', 8),
    ('\u{657}', 5),
    ('\u{65d}', 2),
    ('\u{6d6}', 7),
    ('\u{6df}', 4),
    ('\u{6e4}', 1),
    ('\u{6e7}', 2),
    ('\u{6eb}', 2),
    ('\u{730}', 1),
    ('\u{732}', 2),
    ('\u{735}', 2),
    ('\u{73a}', 1),
    ('\u{73d}', 1),
    ('\u{73f}', 3),
    ('\u{743}', 1),
    ('\u{745}', 1),
    ('\u{747}', 1),
    ('\u{749}', 2),
    ('\u{7eb}', 7),
    ('\u{7f3}', 1),
    ('\u{816}', 4),
    ('\u{81b}', 9),
    ('\u{825}', 3),
    ('\u{829}', 5),
    ('\u{951}', 1),
    ('\u{953}', 2),
    ('\u{f82}', 2),
    ('\u{f86}', 2),
    ('\u{135d}', 3),
    ('\u{17dd}', 1),
    ('\u{193a}', 1),
    ('\u{1a17}', 1),
    ('\u{1a75}', 8),
    ('\u{1b6b}', 1),
    ('\u{1b6d}', 7),
    ('\u{1cd0}', 3),
    ('\u{1cda}', 2),
    ('\u{1ce0}', 1),
    ('\u{1dc0}', 2),
    ('\u{1dc3}', 7),
    ('\u{1dcb}', 2),
    ('\u{1dd1}', 22),
    ('\u{1dfe}', 1),
    ('\u{20d0}', 2),
    ('\u{20d4}', 4),
    ('\u{20db}', 2),
    ('\u{20e1}', 1),
    ('\u{20e7}', 1),
    ('\u{20e9}', 1),
    ('\u{20f0}', 1),
    ('\u{2cef}', 3),
    ('\u{2de0}', 32),
    ('\u{a66f}', 1),
    ('\u{a67c}', 2),
    ('\u{a6f0}', 2),
    ('\u{a8e0}', 18),
    ('\u{aab0}', 1),
    ('\u{aab2}', 2),
    ('\u{aab7}', 2),
    ('\u{aabe}', 2),
    ('\u{aac1}', 1),
    ('\u{fe20}', 7),
    ('\u{10a0f}', 1),
    ('\u{10a38}', 1),
    ('\u{1d185}', 5),
    ('\u{1d1aa}', 4),
    ('\u{1d242}', 3),
];

/// Returns the number of a mark, from 0.
pub(super) fn number(mark: char) -> Option<u32> {
    let mut before = 0;
    for (first, count) in RUNS {
        if mark < first {
            return None;
        }
        let offset = u32::from(mark) - u32::from(first);
        if offset < count {
            return Some(before + offset);
        }
        before += count;
    }
    None
}

/// Returns the mark of a number.
#[cfg(test)]
pub(super) fn mark(number: u32) -> Option<char> {
    let mut before = 0;
    for (first, count) in RUNS {
        if number < before + count {
            return char::from_u32(u32::from(first) + number - before);
        }
        before += count;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_297_marks_in_ascending_order() {
        for index in 0..297 {
            assert_eq!(number(mark(index).expect("it exists")), Some(index));
        }
        assert_eq!(mark(297), None);
        assert_eq!(
            (mark(0), mark(1), mark(2)),
            (Some('\u{305}'), Some('\u{30d}'), Some('\u{30e}'))
        );
        assert_eq!(mark(296), Some('\u{1d244}'));
        assert_eq!(
            (number('\u{301}'), number('a'), number('\u{1d245}')),
            (None, None, None)
        );
    }
}
