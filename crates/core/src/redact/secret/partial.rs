//! Parts of values: the remains of a value after other text has overwritten some of it.
//!
//! A short part may also belong to another word. Callers therefore ask for this only where they
//! know that a row once showed the value.

use std::sync::Arc;

use crate::query::normaliser;
use crate::{Match, Rect, Row, Screen, Secrets, Selector, Size};

/// The least number of characters of a part that reveals something about the value.
const SHORTEST: usize = 3;

impl Secrets {
    /// Whether a text contains a part of a value.
    pub fn contains_part(&self, text: &str) -> bool {
        self.values().any(|value| !parts_of(text, value).is_empty())
    }

    /// Whether a text contains more than three quarters of a value as one part, which is unlikely
    /// to be another word.
    pub fn contains_most(&self, text: &str) -> bool {
        self.values().any(|value| {
            let most = |part: &&str| part.len() * 4 > value.len() * 3;
            parts_of(text, value).iter().any(most)
        })
    }

    /// Returns the screen with every part of a value redacted in the given rows.
    pub fn redact_parts(&self, screen: Screen, rows: &[usize]) -> Screen {
        let mut found: Vec<Match> = Vec::new();
        for index in rows {
            let Some(row) = screen.row(*index) else {
                continue;
            };
            let place = Rect {
                row: *index,
                col: 0,
                rows: 1,
                cols: screen.size.cols.into(),
            };
            for part in self.values().flat_map(|value| parts_of(row.text(), value)) {
                found.extend(Selector::exact(part).within(place).matches(&screen));
            }
        }
        if found.is_empty() {
            screen
        } else {
            normaliser::covered(&screen, &found)
        }
    }

    /// Returns a row with every part of a value redacted.
    pub fn redact_parts_in_row(&self, row: &Arc<Row>, cols: u16) -> Arc<Row> {
        let mut screen = Screen::blank(Size { cols, rows: 1 });
        screen.rows = vec![Arc::clone(row)];
        let mut rows = self.redact_parts(screen, &[0]).rows.into_iter();
        rows.next().unwrap_or_else(|| Arc::clone(row))
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        self.by_name.values().map(|secret| secret.value.as_str())
    }
}

/// Returns the parts of a value in a text, from left to right, each as long as possible.
fn parts_of<'a>(text: &'a str, value: &str) -> Vec<&'a str> {
    let ends: Vec<usize> = text
        .char_indices()
        .map(|(byte, _)| byte)
        .chain([text.len()])
        .collect();
    let piece = |from: usize, end: usize| text.get(*ends.get(from)?..*ends.get(end)?);
    let mut found = Vec::new();
    let mut from = 0;
    while from + SHORTEST < ends.len() {
        let longest = (from + SHORTEST..ends.len())
            .map_while(|end| Some((end, piece(from, end)?)))
            .take_while(|(_, part)| value.contains(part))
            .last();
        from = match longest {
            Some((end, part)) => {
                found.push(part);
                end
            }
            None => from + 1,
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_long_as_possible() {
        let value = "correct-horse";
        assert_eq!(parts_of("", value), [""; 0]);
        assert_eq!(parts_of("co", value), [""; 0]);
        assert_eq!(parts_of("cor", value), ["cor"]);
        assert_eq!(parts_of("XXrrect-horse!", value), ["rrect-horse"]);
        assert_eq!(parts_of("horse correct", value), ["horse", "correct"]);
        assert_eq!(parts_of("äcorä", value), ["cor"]);
    }

    #[test]
    fn only_the_given_rows_are_redacted() {
        let mut secrets = Secrets::default();
        secrets.add("KEY", "correct-horse").unwrap();
        let mut emulator = crate::Backend::default().emulator(
            Size { cols: 12, rows: 2 },
            crate::emulator::EmulatorOptions::default(),
        );
        emulator.feed("my horse\r\nmy hörse rse".as_bytes());
        let screen = emulator.screen();
        let covered = secrets.redact_parts(screen.clone(), &[1, 7]);
        assert_eq!(covered.text(), "my horse\nmy hö▒▒▒ ▒▒▒\n");
        assert!(secrets.contains_part("rse") && !secrets.contains_part("rs"));
        assert!(secrets.contains_most("rrect-hors") && !secrets.contains_most("rrect-hor"));
        let row = secrets.redact_parts_in_row(&screen.rows[0], 12);
        assert_eq!(row.text(), "my ▒▒▒▒▒");
    }
}
