//! Search for text with a few typos: at most every fourth letter differs.
//!
//! A candidate is every run, within one row, of as many words as the searched text has. The edit
//! distance is computed only for candidates with nearly the same letters, and their number is
//! bounded, so that a page full of words costs about as much as reading it.

use std::ops::Range;

use super::super::region::{Region, TextPosition};
use crate::Match;

/// Shorter texts are similar to too many others; longer ones differ by more than typos.
const LETTERS: std::ops::RangeInclusive<usize> = 4..=120;

/// Limits of the work for one text.
struct WorkLimits {
    /// Bytes to read: neighbouring candidates share words, so a long text reads each word many
    /// times.
    bytes: usize,
    /// Edit distances to compute, of candidates with nearly the same letters.
    comparisons: usize,
}

/// This work takes at most a tenth of a second. `bytes` suffices to read the largest screen of
/// ASCII once, as a text of one word needs.
const MAX_WORK: WorkLimits = WorkLimits {
    bytes: 8 << 20,
    comparisons: 4096,
};

/// Returns the place that differs least, in at most every fourth letter.
pub(super) fn nearest(region: Region<'_>, text: &str) -> Option<Match> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let wanted = words.join(" ").to_lowercase();
    let letters = wanted.chars().count();
    if !LETTERS.contains(&letters) || text.contains('\n') {
        return None;
    }
    let allowed = letters / 4;
    let counts = LetterCounts::new(&wanted);
    let mut left = MAX_WORK;
    let mut best: Option<(usize, Range<TextPosition>)> = None;
    let mut candidate = String::new();
    for row in region.rows() {
        let line = region.region_row(row).trimmed();
        for part in windows(line, words.len()) {
            let part = within_signs(line, part, &wanted);
            let Some(shown) = line.get(part.clone()) else {
                continue;
            };
            left.bytes = left.bytes.saturating_sub(shown.len());
            if left.bytes == 0 || left.comparisons == 0 {
                break;
            }
            fold(shown, &mut candidate);
            if counts.differs_by(&LetterCounts::new(&candidate)) > 2 * allowed {
                continue;
            }
            left.comparisons -= 1;
            let distance = distance(&wanted, &candidate);
            let closest = best.as_ref().map_or(allowed + 1, |(least, _)| *least);
            if distance < closest {
                let spot = |byte| TextPosition { row, byte };
                best = Some((distance, spot(part.start)..spot(part.end)));
            }
        }
    }
    best.map(|(_, spots)| region.match_of(&spots))
}

/// Returns the number of letters that would have to change.
pub(super) fn distance(one: &str, other: &str) -> usize {
    // The URI of a link can have any length; its start is enough to compare.
    let start = |text: &str| text.chars().take(*LETTERS.end()).collect::<String>();
    strsim::osa_distance(&start(one), &start(other))
}

/// Returns every run of `count` neighbouring words of a line.
fn windows(line: &str, count: usize) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (true, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    let windows = words.windows(count);
    let ends = windows.filter_map(|words| Some(words.first()?.start..words.last()?.end));
    ends.collect()
}

/// Strips brackets, colons and other punctuation around the part, unless the searched text has
/// them.
fn within_signs(line: &str, part: Range<usize>, wanted: &str) -> Range<usize> {
    let is_sign = |c: char| !c.is_alphanumeric();
    let Some(shown) = line.get(part.clone()) else {
        return part;
    };
    let Range { mut start, mut end } = part;
    if !wanted.starts_with(is_sign) {
        start += shown.len() - shown.trim_start_matches(is_sign).len();
    }
    if !wanted.ends_with(is_sign) {
        end -= shown.len() - shown.trim_end_matches(is_sign).len();
    }
    start..end.max(start)
}

fn fold(text: &str, folded: &mut String) {
    folded.clear();
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// How often each letter occurs; letters outside ASCII share slots.
struct LetterCounts([u32; 128]);

impl LetterCounts {
    fn new(text: &str) -> LetterCounts {
        let mut counts = [0; 128];
        for c in text.chars() {
            counts[c as usize % 128] += 1;
        }
        LetterCounts(counts)
    }

    /// Returns the sum of the differences between the counts. It is never more than twice the edit
    /// distance: a changed letter adds at most 2, a swap of two letters nothing.
    fn differs_by(&self, other: &LetterCounts) -> usize {
        let pairs = self.0.iter().zip(&other.0);
        pairs.map(|(a, b)| a.abs_diff(*b) as usize).sum()
    }
}
