//! What to wait for between two things that were done.
//!
//! Something of the screen on which the second was done, that was not on the screen on which the first was: else a wait would be over
//! before anything has happened. Each candidate is asked of both screens, as the one who runs the tape asks.
//!
//! Elsewhere: what is never waited for (`varying.rs`).

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use screentest_core::selector::Regex;
use screentest_core::tape::{self, Dialect};
use screentest_core::{Screen, Selector};

use super::varying::Varying;

/// What was done first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// A character, or a key that edits a line: the line shows it, and that is not waited for.
    WithinLine,
    /// Anything else.
    Special,
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pause {
    /// The cursor's row is this prompt.
    Prompt(Regex),
    /// There is such a row.
    Row(Regex),
    /// This text is somewhere.
    Text(String),
    /// This text is gone.
    Gone(String),
    /// Nothing changes any more.
    Stable,
}

/// A row that is waited for as a whole is at most so long: what is longer is no line of text, and hard to read.
const LONGEST: usize = 60;

/// A stretch of a row has at least so many characters, and so many letters among them, as does a row.
const SHORTEST: usize = 4;
const LETTERS: usize = 3;

/// What a prompt ends with.
const SIGNS: &str = "$#%>:?❯➜»›λ⟩]})";

/// What to wait for until a screen is this one, when something was done on that one. `typed` is what was typed in this line.
pub(super) fn pause(
    old: &Screen,
    new: &Screen,
    given: Given,
    typed: &str,
    varying: &Varying,
) -> Option<Pause> {
    match change(old, new, given) {
        Change::Nothing => return None,
        Change::Varying => return (given == Given::Special).then_some(Pause::Stable),
        Change::Rows => {}
    }
    let found = Found {
        old,
        new,
        given,
        typed: typed.trim(),
        varying,
    };
    let waits = [Found::prompt, Found::row, Found::stretch, Found::gone];
    let found = waits.into_iter().find_map(|wait| wait(&found));
    Some(found.unwrap_or(Pause::Stable))
}

enum Change {
    /// Of the text nothing changed, or only the line that is typed.
    Nothing,
    /// Only what varies anyway.
    Varying,
    Rows,
}

fn change(old: &Screen, new: &Screen, given: Given) -> Change {
    let same = old.rows.len() == new.rows.len()
        && old
            .rows
            .iter()
            .zip(&new.rows)
            .all(|(old, new)| Arc::ptr_eq(old, new) || old.text() == new.text());
    if same {
        return Change::Nothing;
    }
    let masked = |screen: &Screen| -> Vec<String> {
        let rows = screen.rows.iter();
        rows.map(|row| Varying::masked(row.text())).collect()
    };
    let (old_rows, new_rows) = (masked(old), masked(new));
    if old_rows == new_rows {
        return Change::Varying;
    }
    let lines = [old.cursor.position.row, new.cursor.position.row];
    let elsewhere = old_rows.len() != new_rows.len()
        || (0..new_rows.len()).any(|row| !lines.contains(&row) && old_rows[row] != new_rows[row]);
    match given == Given::WithinLine && !elsewhere {
        true => Change::Nothing,
        false => Change::Rows,
    }
}

/// Two screens, and what led from one to the other.
struct Found<'a> {
    old: &'a Screen,
    new: &'a Screen,
    given: Given,
    typed: &'a str,
    varying: &'a Varying,
}

impl Found<'_> {
    /// The pause, if it tells the two screens apart.
    fn checked(&self, pause: Pause) -> Option<Pause> {
        (pause.is_over(self.new) && !pause.is_over(self.old)).then_some(pause)
    }

    /// The cursor's row, where a program asks for the next line.
    fn prompt(&self) -> Option<Pause> {
        if self.given == Given::WithinLine {
            return None;
        }
        let cursor = self.new.cursor;
        let row = self.new.row(cursor.position.row)?;
        let text = row.text();
        let behind = row.byte_of_col(cursor.position.col) >= text.len() && cursor.visible;
        let signs = text.trim_start();
        let is_sign = |c: char| !c.is_alphanumeric() && !is_frame(c);
        let only_signs = !signs.is_empty() && signs.chars().all(is_sign);
        if !behind || !(text.ends_with(|c| SIGNS.contains(c)) || only_signs) {
            return None;
        }
        let mut pattern = String::from("^");
        for (piece, varies) in self.varying.prompt(text) {
            match varies {
                true => pattern.push_str(".*"),
                false => pattern.push_str(&escaped(piece)),
            }
        }
        if pattern.ends_with(".*") {
            return None;
        }
        pattern.push('$');
        self.checked(Pause::Prompt(Regex::new(&pattern).ok()?))
    }

    /// The rows that are new, from the lowest on: what a program writes last is seldom above what it wrote first.
    fn new_rows(&self) -> Vec<&str> {
        let known: HashSet<String> = self
            .old
            .rows
            .iter()
            .map(|row| Varying::masked(row.text()))
            .collect();
        let cursor = self.new.cursor.position.row;
        let rows = self.new.rows.iter().enumerate().rev();
        rows.filter(|(row, _)| *row != cursor || self.given == Given::Special)
            .map(|(_, row)| row.text())
            .filter(|text| !known.contains(&Varying::masked(text)))
            .filter(|text| !self.is_echo(text))
            .collect()
    }

    fn is_echo(&self, text: &str) -> bool {
        !self.typed.is_empty() && text.trim_end().ends_with(self.typed)
    }

    /// A whole row that is the same in every run.
    fn row(&self) -> Option<Pause> {
        self.new_rows().into_iter().find_map(|row| {
            let text = row.trim();
            let plain = self.varying.stretches(text) == [text]
                && text.chars().count() <= LONGEST
                && letters(text) >= LETTERS
                && !text.contains(is_frame);
            let indented = row.starts_with(char::is_whitespace);
            let before = if indented { r"\s*" } else { "" };
            let pattern = format!("(?m)^{before}{}$", escaped(text));
            let pattern = plain.then(|| Regex::new(&pattern).ok()).flatten()?;
            self.checked(Pause::Row(pattern))
        })
    }

    /// The longest stretch of a new row that is the same in every run.
    fn stretch(&self) -> Option<Pause> {
        let stretches = self.stretches(self.new_rows());
        let mut found = stretches
            .into_iter()
            .filter_map(|text| self.checked(Pause::Text(text)));
        found.next()
    }

    /// What is no longer there.
    fn gone(&self) -> Option<Pause> {
        let known: HashSet<&str> = self.new.rows.iter().map(|row| row.text()).collect();
        let rows = self.old.rows.iter().rev().map(|row| row.text());
        let rows = rows.filter(|row| !known.contains(row) && !self.is_echo(row));
        let stretches = self.stretches(rows.collect());
        let mut found = stretches
            .into_iter()
            .filter_map(|text| self.checked(Pause::Gone(text)));
        found.next()
    }

    /// What stays the same of rows, the longest first.
    fn stretches(&self, rows: Vec<&str>) -> Vec<String> {
        let mut stretches: Vec<String> = rows
            .into_iter()
            .flat_map(|row| row.split(is_frame))
            .flat_map(|part| part.split("  "))
            .flat_map(|part| self.varying.stretches(part))
            .map(|stretch| cut(stretch.trim()).to_owned())
            .filter(|stretch| {
                stretch.chars().count() >= SHORTEST
                    && letters(stretch) >= LETTERS
                    && tape::quoted(stretch, Dialect::Vhs).is_some()
                    && !self.typed.ends_with(stretch.as_str())
            })
            .collect();
        stretches.sort_by_key(|stretch| std::cmp::Reverse(stretch.chars().count()));
        stretches
    }
}

impl Pause {
    /// Whether it is over on this screen: asked as whoever runs the tape asks.
    fn is_over(&self, screen: &Screen) -> bool {
        match self {
            Pause::Prompt(regex) => {
                let row = screen.row(screen.cursor.position.row);
                row.is_some_and(|row| regex.is_in(row.text()))
            }
            Pause::Row(regex) => {
                let rows = screen.rows.iter();
                let rows: String = rows.flat_map(|row| [row.text(), "\n"]).collect();
                regex.is_in(&rows)
            }
            Pause::Text(text) => screen.contains(text),
            Pause::Gone(text) => !screen.contains(text),
            Pause::Stable => false,
        }
    }

    /// The command that waits, and what it waits for.
    pub(super) fn words(&self) -> (&'static str, String) {
        match self {
            Pause::Prompt(regex) => ("Wait+Line", format!("/{}/", regex.as_str())),
            Pause::Row(regex) => ("Wait+Screen", format!("/{}/", regex.as_str())),
            Pause::Text(text) => {
                let quoted = tape::quoted(text, Dialect::Vhs);
                ("Wait+Screen", quoted.unwrap_or_default())
            }
            Pause::Gone(text) => {
                let selector = Selector::from(text.as_str());
                ("ExpectNot", selector.notation().to_string())
            }
            Pause::Stable => ("Stable", "200ms".to_owned()),
        }
    }
}

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (command, words) = self.words();
        write!(f, "{command} {words}")
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count()
}

/// Lines and blocks, of which frames are drawn, and the signs of cells that no letter stands in.
fn is_frame(c: char) -> bool {
    ('\u{2500}'..='\u{259f}').contains(&c) || c == '|' || c.is_control()
}

/// A beginning that is short enough, without a word that is cut.
fn cut(text: &str) -> &str {
    let Some((end, _)) = text.char_indices().nth(LONGEST) else {
        return text;
    };
    let beginning = text.get(..end).unwrap_or_default();
    match beginning.rsplit_once(' ') {
        Some((words, _)) if words.chars().count() >= SHORTEST => words,
        _ => beginning,
    }
}

/// A text as an expression between slashes that matches it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$/".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
