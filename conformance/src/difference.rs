//! Compares two observations.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use screentest_core::{Style, Width};

use crate::notation;
use crate::observation::{Cell, Observation, stored};

/// A part of the state that can differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// The size of the screen.
    Size,
    /// The text of cells.
    Text,
    /// The number of columns of characters.
    Width,
    /// Colours and attributes of cells.
    Style,
    /// The cursor: its place, pending wrap, visibility and shape.
    Cursor,
    /// The window's title.
    Title,
    /// The modes.
    Modes,
    /// What was sent to the program.
    Replies,
    /// The rows that were scrolled out.
    Scrollback,
}

impl Aspect {
    /// Every aspect with its name.
    const NAMES: [(Aspect, &'static str); 9] = [
        (Aspect::Size, "size"),
        (Aspect::Text, "text"),
        (Aspect::Width, "width"),
        (Aspect::Style, "style"),
        (Aspect::Cursor, "cursor"),
        (Aspect::Title, "title"),
        (Aspect::Modes, "modes"),
        (Aspect::Replies, "replies"),
        (Aspect::Scrollback, "scrollback"),
    ];
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Aspect::NAMES.iter().find(|(aspect, _)| aspect == self);
        f.write_str(named.map_or("", |(_, name)| name))
    }
}

impl FromStr for Aspect {
    type Err = String;

    fn from_str(text: &str) -> Result<Aspect, String> {
        let named = Aspect::NAMES.iter().find(|(_, name)| *name == text);
        named
            .map(|(aspect, _)| *aspect)
            .ok_or_else(|| format!("`{text}` is not an aspect"))
    }
}

/// One difference between our emulator and xterm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub aspect: Aspect,
    /// Where: a row, columns of a row, or nothing.
    pub place: String,
    /// What our emulator shows.
    pub ours: String,
    /// What xterm shows.
    pub xterm: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            aspect,
            place,
            ours,
            xterm,
        } = self;
        let space = if place.is_empty() { "" } else { " " };
        write!(f, "{aspect}{space}{place}: ours {ours}, xterm {xterm}")
    }
}

/// Returns the differing aspects, each once.
pub fn aspects(differences: &[Difference]) -> BTreeSet<Aspect> {
    differences.iter().map(|found| found.aspect).collect()
}

/// Returns every difference, from top to bottom.
pub fn compare(ours: &Observation, xterm: &Observation) -> Vec<Difference> {
    let mut found = Comparison::default();
    found.value(Aspect::Size, "", &ours.size, &xterm.size);
    let blank = Vec::new();
    for row in 0..ours.rows.len().max(xterm.rows.len()) {
        let cells = |of: &Observation| of.rows.get(row).unwrap_or(&blank).clone();
        found.row(row + 1, cells(ours), cells(xterm));
    }
    found.value(Aspect::Cursor, "", &ours.cursor, &xterm.cursor);
    let quoted = |text: &str| format!("`{}`", notation::encode(text.as_bytes()));
    found.value(
        Aspect::Title,
        "",
        &quoted(&ours.title),
        &quoted(&xterm.title),
    );
    let modes = |of: &Observation| format!("`{}`", of.modes.join(" "));
    found.value(Aspect::Modes, "", &modes(ours), &modes(xterm));
    let replies = |of: &Observation| format!("`{}`", notation::encode(&of.replies));
    found.value(Aspect::Replies, "", &replies(ours), &replies(xterm));
    found.value(Aspect::Scrollback, "rows", &ours.scrolled, &xterm.scrolled);
    let newest = ours.scrollback.len().max(xterm.scrollback.len());
    let text = |of: &Observation, back: usize| {
        let row = of.scrollback.len().checked_sub(back);
        row.map_or("nothing".to_owned(), |row| quoted(&of.scrollback[row]))
    };
    // The rows above the newest that differs usually differ too, because all are shifted.
    if let Some(back) = (1..=newest).find(|back| text(ours, *back) != text(xterm, *back)) {
        let place = format!("{back} above");
        found.value(
            Aspect::Scrollback,
            &place,
            text(ours, back),
            text(xterm, back),
        );
    }
    found.differences
}

#[derive(Debug, Default)]
struct Comparison {
    differences: Vec<Difference>,
}

impl Comparison {
    /// Records two values if their text differs.
    fn value<T: ToString + ?Sized>(&mut self, aspect: Aspect, place: &str, ours: &T, xterm: &T) {
        let (ours, xterm) = (ours.to_string(), xterm.to_string());
        if ours != xterm {
            self.differences.push(Difference {
                aspect,
                place: place.to_owned(),
                ours,
                xterm,
            });
        }
    }

    /// Records the differences of a row: its text once, its widths once, and each run of cells
    /// whose style differs in the same way.
    fn row(&mut self, number: usize, mut ours: Vec<Cell>, mut xterm: Vec<Cell>) {
        let length = ours.len().max(xterm.len());
        ours.resize(length, Cell::blank());
        xterm.resize(length, Cell::blank());
        let place = format!("row {number}");
        let text = |cell: &Cell| cell.text.clone();
        let width = |cell: &Cell| cell.width;
        let shown = |row: &[Cell]| format!("`{}`", stored::row_text(row).trim_end());
        if !ours.iter().map(text).eq(xterm.iter().map(text)) {
            self.value(Aspect::Text, &place, &shown(&ours), &shown(&xterm));
        }
        if !ours.iter().map(width).eq(xterm.iter().map(width)) {
            self.value(Aspect::Width, &place, &widths(&ours), &widths(&xterm));
        }
        let pairs: Vec<(Style, Style)> = ours
            .iter()
            .zip(&xterm)
            .map(|(ours, xterm)| (ours.style, xterm.style))
            .collect();
        let mut first = 1;
        for run in pairs.chunk_by(|one, other| one == other) {
            let last = first + run.len() - 1;
            let place = format!("row {number}, column {}", stored::columns(first, last));
            let [ours, xterm] = [run[0].0, run[0].1].map(|style| stored::style_text(&style));
            self.value(Aspect::Style, &place, &ours, &xterm);
            first = last + 1;
        }
    }
}

/// Writes the widths of the characters of a row.
fn widths(row: &[Cell]) -> String {
    let mut text = String::new();
    for cell in row {
        text.push(match cell.width {
            Width::Spacer => '~',
            Width::Narrow => '1',
            Width::Wide => '2',
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::parse_all;

    fn check(ours: &str, xterm: &str, expected: &[&str]) {
        let read = |text: &str| {
            let text = format!("probe: a\n{text}");
            parse_all(&text).unwrap().remove(0).1
        };
        let found = compare(&read(ours), &read(xterm));
        let found: Vec<String> = found.iter().map(Difference::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn differences_are_listed_with_their_place() {
        check("cursor: 1,1\n1|ab|", "cursor: 1,1\n1|ab|", &[]);
        check(
            "cursor: 1,1\n1|abc|\n1: 2-3 bold",
            "cursor: 1,2\n1|ab|",
            &[
                "text row 1: ours `abc`, xterm `ab`",
                "style row 1, column 2-3: ours bold, xterm plain",
                "cursor: ours 1,1, xterm 1,2",
            ],
        );
        check(
            "replies: \\e[0n\nscrolled: 1\n^|x|",
            "title: t\nmodes: +origin",
            &[
                "title: ours ``, xterm `t`",
                "modes: ours ``, xterm `+origin`",
                "replies: ours `\\e[0n`, xterm ``",
                "scrollback rows: ours 1, xterm 0",
                "scrollback 1 above: ours `x`, xterm nothing",
            ],
        );
        check(
            "1|界~x|",
            "1|界x|",
            &[
                "text row 1: ours `界~x`, xterm `界x`",
                "width row 1: ours 2~1, xterm 111",
            ],
        );
    }

    #[test]
    fn every_aspect_has_a_name() {
        for (aspect, name) in Aspect::NAMES {
            assert_eq!(name.parse(), Ok(aspect));
            assert_eq!(aspect.to_string(), name);
        }
    }
}
