//! Numbered choices: `> 1) Label`, `❯ 2. Label`, `[3] Label`, ` 4: Label`.
//!
//! A choice with a marker before its number is selected. If no choice has a marker, or if several
//! choices all have one, the choices with a different background are selected.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cell_line::CellLine;
use super::highlight::{Background, BackgroundCounts};
use crate::{Match, Rect, Screen, Width};

/// A numbered choice.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// Its number, as displayed.
    pub number: u32,
    /// Its label: the text after the number, up to a border, to the next choice in the same line or
    /// to the line's end.
    pub label: Match,
    /// Whether it is selected.
    pub selected: bool,
}

/// Markers of the selected choice.
const MARKERS: &str = ">❯›»→➜➤▶►▸*●◉";
/// Markers of choices that are not selected.
const UNSELECTED_MARKERS: &str = "○◯";
/// Maximum number of digits; longer numbers are not choices.
const MAX_DIGITS: usize = 4;

impl Choice {
    pub(super) fn all(screen: &Screen, rect: Rect) -> Vec<Choice> {
        let mut found = Vec::new();
        for line in CellLine::all(screen, rect) {
            for part in line.between(|index| line.is_border(index)) {
                let mut start = part.start;
                while let Some(head) = ChoicePrefix::read(&line, start, part.end) {
                    let end = label_end(&line, head.label, part.end);
                    if let Some(label) = line.found(head.label..end) {
                        let background = Background::of(line.cell(head.label).style);
                        found.push((head, label, background));
                    }
                    start = end;
                }
            }
        }
        let marked = found.iter().filter(|(head, ..)| head.is_marked).count();
        let by_marker = marked > 0 && (marked < found.len() || marked == 1);
        let usual = usual(&found.iter().map(|f| f.2).collect::<Vec<_>>(), screen, rect);
        let choices = found.into_iter().map(|(head, label, background)| Choice {
            number: head.number,
            label,
            selected: if by_marker {
                head.is_marked
            } else {
                background != usual
            },
        });
        choices.collect()
    }
}

/// Returns the background of choices that are not selected: the most frequent one among the
/// choices. Among equally frequent ones, and for a single choice, it is the most frequent one on
/// the screen.
fn usual(choices: &[Background], screen: &Screen, rect: Rect) -> Background {
    let backgrounds = BackgroundCounts::of(screen, rect);
    if choices.len() < 2 {
        return backgrounds.usual();
    }
    let mut counts: BTreeMap<Background, usize> = BTreeMap::new();
    for background in choices {
        *counts.entry(*background).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|(background, n)| (*n, backgrounds.count(*background), Reverse(*background)));
    most.map(|(background, _)| background).unwrap_or_default()
}

/// The part of a choice before its label.
struct ChoicePrefix {
    is_marked: bool,
    number: u32,
    /// The label's first cell.
    label: usize,
}

impl ChoicePrefix {
    fn read(line: &CellLine<'_>, from: usize, end: usize) -> Option<ChoicePrefix> {
        let is = |index, chars: &str| index < end && chars.contains(line.char(index));
        let mut at = line.skip_blanks(from, end);
        let is_marked = is(at, MARKERS);
        if is_marked || is(at, UNSELECTED_MARKERS) {
            at += if line.cell(at).width == Width::Wide {
                2
            } else {
                1
            };
            at = line.skip_blanks(at, end);
        }
        let closing = match line.char(at) {
            '[' => "]",
            '(' => ")",
            _ => ").:",
        };
        let digits = at + usize::from(closing.len() == 1);
        let digits_end = line.skip(digits, end.min(digits + MAX_DIGITS), |index| {
            line.char(index).is_ascii_digit()
        });
        let number: String = (digits..digits_end).map(|index| line.char(index)).collect();
        let after = digits_end + 1;
        let is_choice = is(digits_end, closing) && after < end && line.is_blank(after);
        let label = line.skip_blanks(after, end);
        (is_choice && label < end).then_some(ChoicePrefix {
            is_marked,
            number: number.parse().ok()?,
            label,
        })
    }
}

/// Returns the end of a label. It ends before the next choice in the same line, which begins after
/// at least two spaces.
fn label_end(line: &CellLine<'_>, label: usize, end: usize) -> usize {
    let mut at = label;
    while at < end {
        let gap = line.skip(at, end, |index| !line.is_blank(index));
        let next = line.skip_blanks(gap, end);
        if next >= gap + 2 && ChoicePrefix::read(line, next, end).is_some() {
            return gap;
        }
        at = next;
    }
    end
}
