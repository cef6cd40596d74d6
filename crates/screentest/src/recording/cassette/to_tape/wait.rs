//! What to wait for between two things that were done.
//!
//! Something of the screen on which the second was done, that was not on the screen on which the first was: else a wait would be over
//! before anything has happened. Each candidate is asked of both screens, as the one who runs the tape asks.
//!
//! Elsewhere: what is never waited for (`varying.rs`), and which numbers are (`numbers.rs`).

use std::collections::HashSet;
use std::sync::Arc;

use screentest_core::query::selector::Regex;
use screentest_core::tape::{self, Dialect, Pattern, Scope};
use screentest_core::{Condition, Screen, Selector};

use super::numbers::Numbers;
use super::varying::Varying;

/// How far what comes of the first may be expected to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The line that is typed, which shows a character, or what a key did that edits a line: that is not waited for.
    Line,
    /// Anything on the screen.
    Screen,
    /// The same, and a line was given to the program, which answers it.
    Answer,
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Awaited {
    /// Something is said there.
    Said(Scope, Pattern),
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

enum Change {
    /// Of the text nothing changed, or only the line that is typed.
    Nothing,
    /// Only what varies anyway.
    Varying,
    Rows,
}

fn change(old: &Screen, new: &Screen, reach: Reach) -> Change {
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
    match reach == Reach::Line && !elsewhere {
        true => Change::Nothing,
        false => Change::Rows,
    }
}

/// Two screens, and what led from one to the other.
pub(super) struct Between<'a> {
    old: &'a Screen,
    new: &'a Screen,
    reach: Reach,
    typed: &'a str,
    varying: &'a Varying,
    numbers: Numbers,
}

impl<'a> Between<'a> {
    /// Something was done on the old screen and something else on the new one. `typed` is what was typed in this line.
    pub(super) fn new(
        old: &'a Screen,
        new: &'a Screen,
        reach: Reach,
        typed: &'a str,
        varying: &'a Varying,
    ) -> Between<'a> {
        Between {
            old,
            new,
            reach,
            typed: typed.trim(),
            varying,
            numbers: Numbers::Trusted,
        }
    }

    /// The same, where what was typed in earlier lines says this of numbers.
    pub(super) fn with(self, numbers: Numbers) -> Between<'a> {
        Between { numbers, ..self }
    }

    /// What to wait for until the new screen is there: behind a line that was given to the program, its prompt and its answer.
    pub(super) fn waits(&self) -> Vec<Awaited> {
        let found = match change(self.old, self.new, self.reach) {
            Change::Nothing => return Vec::new(),
            Change::Varying if self.reach == Reach::Line => return Vec::new(),
            Change::Varying => self.answer(),
            Change::Rows => {
                let both: Vec<Awaited> = [self.prompt(), self.answer()]
                    .into_iter()
                    .flatten()
                    .collect();
                if !both.is_empty() {
                    return both;
                }
                let others = [Between::row, Between::stretch, Between::gone];
                others.into_iter().find_map(|wait| wait(self))
            }
        };
        vec![found.unwrap_or(Awaited::Stable)]
    }

    /// What the program says to a line that it was given, apart from the prompt behind it: the lowest row that is the same in every run, or
    /// a stretch of one. It makes a tape fail when the answer is another.
    pub(super) fn answer(&self) -> Option<Awaited> {
        if self.reach != Reach::Answer {
            return None;
        }
        let line = self.old_line();
        // What fills the screen shows numbers of its own: sizes, loads, positions.
        let numbers = match self.new.modes.alternate_screen {
            true => Numbers::Varying,
            false => self.numbers.and(Numbers::of(&[line, self.typed])),
        };
        let asked = [line, self.typed].join(" ");
        let steady = |text: &'a str| self.varying.steady(text, &asked, numbers);
        let cursor = Some(self.new.cursor.position.row);
        let rows = match numbers {
            Numbers::Trusted => self.new_rows_but(cursor, str::to_owned),
            Numbers::Varying => self.new_rows_but(cursor, Varying::masked),
        };
        let whole = |row: &&'a str| {
            let text = row.trim();
            let is_one = steady(text) == [text] && text.chars().any(char::is_alphanumeric);
            is_one.then(|| self.whole(row)).flatten()
        };
        let found = rows.iter().find_map(whole);
        found.or_else(|| self.longest(rows, steady))
    }

    /// What is waited for, if it tells the two screens apart.
    fn checked(&self, awaited: Awaited) -> Option<Awaited> {
        let question = awaited.question()?;
        (question.holds(self.new) && !question.holds(self.old)).then_some(awaited)
    }

    /// The cursor's row, where a program asks for the next line.
    fn prompt(&self) -> Option<Awaited> {
        if self.reach == Reach::Line {
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
        let pattern = Pattern::Regex(Regex::new(&pattern).ok()?);
        self.checked(Awaited::Said(Scope::Line, pattern))
    }

    /// The rows that are new, from the lowest on: what a program writes last is seldom above what it wrote first.
    fn new_rows(&self) -> Vec<&'a str> {
        let cursor = self.new.cursor.position.row;
        let left_out = (self.reach == Reach::Line).then_some(cursor);
        self.new_rows_but(left_out, Varying::masked)
    }

    /// The same without one of them; rows that read alike are the same.
    fn new_rows_but(&self, left_out: Option<usize>, read: impl Fn(&str) -> String) -> Vec<&'a str> {
        let old = self.old.rows.iter();
        let known: HashSet<String> = old.map(|row| read(row.text())).collect();
        let rows = self.new.rows.iter().enumerate().rev();
        rows.filter(|(row, _)| Some(*row) != left_out)
            .map(|(_, row)| row.text())
            .filter(|text| !known.contains(&read(text)))
            .filter(|text| !self.is_echo(text))
            .collect()
    }

    /// Whether a row is only what was typed: the line as far as it was shown when it was given to the program, and then the rest of it; or
    /// nothing else, as some shells say `exit` once more.
    fn is_echo(&self, text: &str) -> bool {
        if self.typed.is_empty() {
            return false;
        }
        let line = self.old_line().trim_end();
        let rest = text.trim_end().strip_prefix(line).map(str::trim_start);
        let shown = rest.and_then(|rest| self.typed.strip_suffix(rest));
        let goes_on = shown.is_some_and(|shown| line.ends_with(shown.trim_end()));
        goes_on || text.trim() == self.typed
    }

    /// The row that the cursor was in.
    fn old_line(&self) -> &'a str {
        let row = self.old.row(self.old.cursor.position.row);
        row.map(|row| row.text()).unwrap_or_default()
    }

    /// A whole row that is the same in every run.
    fn row(&self) -> Option<Awaited> {
        self.new_rows().into_iter().find_map(|row| {
            let text = row.trim();
            let plain = self.varying.stretches(text) == [text] && letters(text) >= LETTERS;
            plain.then(|| self.whole(row)).flatten()
        })
    }

    /// A row as a whole, where it can be read as one.
    fn whole(&self, row: &str) -> Option<Awaited> {
        let text = row.trim();
        if text.chars().count() > LONGEST || text.contains(is_frame) {
            return None;
        }
        let indented = row.starts_with(char::is_whitespace);
        let before = if indented { r"\s*" } else { "" };
        let pattern = format!("(?m)^{before}{}$", escaped(text));
        let pattern = Pattern::Regex(Regex::new(&pattern).ok()?);
        self.checked(Awaited::Said(Scope::Screen, pattern))
    }

    /// The longest stretch of a new row that is the same in every run.
    fn stretch(&self) -> Option<Awaited> {
        self.longest(self.new_rows(), |text| self.varying.stretches(text))
    }

    fn longest(
        &self,
        rows: Vec<&'a str>,
        same: impl Fn(&'a str) -> Vec<&'a str>,
    ) -> Option<Awaited> {
        let mut found = self
            .stretches(rows, same)
            .into_iter()
            .filter_map(|text| self.checked(Awaited::Said(Scope::Screen, Pattern::Text(text))));
        found.next()
    }

    /// What is no longer there.
    fn gone(&self) -> Option<Awaited> {
        let known: HashSet<&str> = self.new.rows.iter().map(|row| row.text()).collect();
        let rows = self.old.rows.iter().rev().map(|row| row.text());
        let rows = rows.filter(|row| !known.contains(row) && !self.is_echo(row));
        let same = |text| self.varying.stretches(text);
        let stretches = self.stretches(rows.collect(), same);
        let mut found = stretches
            .into_iter()
            .filter_map(|text| self.checked(Awaited::Gone(text)));
        found.next()
    }

    /// What stays the same of rows, the longest first.
    fn stretches(&self, rows: Vec<&'a str>, same: impl Fn(&'a str) -> Vec<&'a str>) -> Vec<String> {
        let mut stretches: Vec<String> = rows
            .into_iter()
            .flat_map(|row| row.split(is_frame))
            .flat_map(|part| part.split("  "))
            .flat_map(same)
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

impl Awaited {
    /// What whoever runs the tape asks of a screen.
    fn question(&self) -> Option<Condition> {
        match self {
            Awaited::Said(scope, pattern) => Some(scope.asks(pattern.clone())),
            Awaited::Gone(text) => Some(!Condition::visible(text.as_str())),
            Awaited::Stable => None,
        }
    }

    /// The command that waits, and what it waits for.
    pub(super) fn words(&self) -> (&'static str, String) {
        match self {
            Awaited::Said(scope, pattern) => {
                let command = match scope {
                    Scope::Line => "Wait+Line",
                    Scope::Screen => "Wait+Screen",
                };
                let words = match pattern {
                    Pattern::Regex(regex) => format!("/{}/", regex.as_str()),
                    Pattern::Text(text) => tape::quoted(text, Dialect::Vhs).unwrap_or_default(),
                };
                (command, words)
            }
            Awaited::Gone(text) => {
                let selector = Selector::from(text.as_str());
                ("ExpectNot", selector.notation().to_string())
            }
            Awaited::Stable => ("Stable", "200ms".to_owned()),
        }
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
