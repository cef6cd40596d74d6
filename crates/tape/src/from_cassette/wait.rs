//! Chooses the waits between two actions.
//!
//! A wait looks for text that is on the screen at the second action and was not on the screen at
//! the first one; otherwise it would be over before anything has happened. Each candidate is tested
//! on both screens in the same way as the tape runner does it.
//!
//! See also: `volatile.rs` (text that no wait looks for), `numbers.rs` (numbers that may be part of
//! a wait).

use std::collections::HashSet;
use std::sync::Arc;

use crate::language::{self, Dialect, Pattern, Scope};
use screentest_core::query::selector::Regex;
use screentest_core::{Condition, Screen, Selector};

use super::numbers::Numbers;
use super::volatile::VolatileText;

/// The part of the screen on which the first action may have an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The line being edited. The echo of a character or the effect of an editing key yields no
    /// wait.
    Line,
    /// The whole screen.
    Screen,
    /// The whole screen, and the program was given a line that it answers.
    Answer,
}

/// The condition of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Awaited {
    /// The text appears there.
    Said(Scope, Pattern),
    /// The text disappears.
    Gone(String),
    /// The screen stops changing.
    Stable,
}

/// The longest row that is waited for as a whole. Longer rows are rarely lines of text, and are
/// hard to read in a tape.
const LONGEST: usize = 60;

/// The least number of characters, and of letters among them, in a part of a row that is waited
/// for.
const SHORTEST: usize = 4;
const LETTERS: usize = 3;

/// The characters that may end a prompt.
const SIGNS: &str = "$#%>:?❯➜»›λ⟩]})";

enum Change {
    /// No text changed, or only the line being edited.
    Nothing,
    /// Only text changed that varies between runs.
    VolatileText,
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
        rows.map(|row| VolatileText::masked(row.text())).collect()
    };
    let (old_rows, new_rows) = (masked(old), masked(new));
    if old_rows == new_rows {
        return Change::VolatileText;
    }
    let lines = [old.cursor.position.row, new.cursor.position.row];
    let elsewhere = old_rows.len() != new_rows.len()
        || (0..new_rows.len()).any(|row| !lines.contains(&row) && old_rows[row] != new_rows[row]);
    if reach == Reach::Line && !elsewhere {
        Change::Nothing
    } else {
        Change::Rows
    }
}

/// The screens at two consecutive actions.
pub(super) struct Between<'a> {
    old: &'a Screen,
    new: &'a Screen,
    reach: Reach,
    typed: &'a str,
    volatile: &'a VolatileText,
    numbers: Numbers,
}

impl<'a> Between<'a> {
    /// The screen at one action and at the next. `typed` is the text typed in this line.
    pub(super) fn new(
        old: &'a Screen,
        new: &'a Screen,
        reach: Reach,
        typed: &'a str,
        volatile: &'a VolatileText,
    ) -> Between<'a> {
        Between {
            old,
            new,
            reach,
            typed: typed.trim(),
            volatile,
            numbers: Numbers::Trusted,
        }
    }

    /// Takes into account whether earlier input makes numbers vary.
    pub(super) fn with(self, numbers: Numbers) -> Between<'a> {
        Between { numbers, ..self }
    }

    /// The waits until the new screen is shown. After a line was entered, these are its prompt and
    /// its answer.
    pub(super) fn waits(&self) -> Vec<Awaited> {
        let found = match change(self.old, self.new, self.reach) {
            Change::Nothing => return Vec::new(),
            Change::VolatileText if self.reach == Reach::Line => return Vec::new(),
            Change::VolatileText => self.answer(),
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

    /// Waits for the program's answer to a line: the lowest row that is the same in every run, or a
    /// part of one. It makes a tape fail if the answer changes.
    pub(super) fn answer(&self) -> Option<Awaited> {
        if self.reach != Reach::Answer {
            return None;
        }
        let line = self.old_line();
        // Full-screen programs show their own numbers: sizes, loads, positions.
        let numbers = if self.new.modes.alternate_screen {
            Numbers::VolatileText
        } else {
            self.numbers.and(Numbers::of(&[line, self.typed]))
        };
        let asked = [line, self.typed].join(" ");
        let steady = |text: &'a str| self.volatile.steady(text, &asked, numbers);
        let cursor = Some(self.new.cursor.position.row);
        let rows = match numbers {
            Numbers::Trusted => self.new_rows_but(cursor, str::to_owned),
            Numbers::VolatileText => self.new_rows_but(cursor, VolatileText::masked),
        };
        let whole = |row: &&'a str| {
            let text = row.trim();
            let is_one = steady(text) == [text] && text.chars().any(char::is_alphanumeric);
            is_one.then(|| self.whole(row)).flatten()
        };
        let found = rows.iter().find_map(whole);
        found.or_else(|| self.longest(rows, steady))
    }

    /// Returns the wait if it distinguishes the two screens.
    fn checked(&self, awaited: Awaited) -> Option<Awaited> {
        let question = awaited.question()?;
        (question.holds(self.new) && !question.holds(self.old)).then_some(awaited)
    }

    /// Waits for the cursor's row if the program asks for the next line there.
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
        for (piece, varies) in self.volatile.prompt(text) {
            if varies {
                pattern.push_str(".*");
            } else {
                pattern.push_str(&escaped(piece));
            }
        }
        if pattern.ends_with(".*") {
            return None;
        }
        pattern.push('$');
        let pattern = Pattern::Regex(Regex::new(&pattern).ok()?);
        self.checked(Awaited::Said(Scope::Line, pattern))
    }

    /// The new rows, from the lowest up: programs rarely write their last output above earlier
    /// output.
    fn new_rows(&self) -> Vec<&'a str> {
        let cursor = self.new.cursor.position.row;
        let left_out = (self.reach == Reach::Line).then_some(cursor);
        self.new_rows_but(left_out, VolatileText::masked)
    }

    /// The new rows but one; `read` decides which rows count as equal.
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

    /// Returns whether a row is only an echo: the line as it was shown when it was entered,
    /// followed by the rest of the typed text; or the typed text alone, as some shells print `exit`
    /// again.
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

    /// The row of the cursor on the old screen.
    fn old_line(&self) -> &'a str {
        let row = self.old.row(self.old.cursor.position.row);
        row.map(|row| row.text()).unwrap_or_default()
    }

    /// Waits for a whole row that is the same in every run.
    fn row(&self) -> Option<Awaited> {
        self.new_rows().into_iter().find_map(|row| {
            let text = row.trim();
            let plain = self.volatile.stretches(text) == [text] && letters(text) >= LETTERS;
            plain.then(|| self.whole(row)).flatten()
        })
    }

    /// Waits for a row as a whole, if it is short enough and has no borders.
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

    /// Waits for the longest part of a new row that is the same in every run.
    fn stretch(&self) -> Option<Awaited> {
        self.longest(self.new_rows(), |text| self.volatile.stretches(text))
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

    /// Waits until some text is gone.
    fn gone(&self) -> Option<Awaited> {
        let known: HashSet<&str> = self.new.rows.iter().map(|row| row.text()).collect();
        let rows = self.old.rows.iter().rev().map(|row| row.text());
        let rows = rows.filter(|row| !known.contains(row) && !self.is_echo(row));
        let same = |text| self.volatile.stretches(text);
        let stretches = self.stretches(rows.collect(), same);
        let mut found = stretches
            .into_iter()
            .filter_map(|text| self.checked(Awaited::Gone(text)));
        found.next()
    }

    /// The parts of rows that do not vary, the longest first.
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
                    && language::quoted(stretch, Dialect::Vhs).is_some()
                    && !self.typed.ends_with(stretch.as_str())
            })
            .collect();
        stretches.sort_by_key(|stretch| std::cmp::Reverse(stretch.chars().count()));
        stretches
    }
}

impl Awaited {
    /// The condition that the tape runner evaluates.
    fn question(&self) -> Option<Condition> {
        match self {
            Awaited::Said(scope, pattern) => Some(scope.asks(pattern.clone())),
            Awaited::Gone(text) => Some(!Condition::visible(text.as_str())),
            Awaited::Stable => None,
        }
    }

    /// The tape command and its argument.
    pub(super) fn words(&self) -> (&'static str, String) {
        match self {
            Awaited::Said(scope, pattern) => {
                let command = match scope {
                    Scope::Line => "Wait+Line",
                    Scope::Screen => "Wait+Screen",
                };
                let words = match pattern {
                    Pattern::Regex(regex) => format!("/{}/", regex.as_str()),
                    Pattern::Text(text) => language::quoted(text, Dialect::Vhs).unwrap_or_default(),
                };
                (command, words)
            }
            Awaited::Gone(text) => {
                let selector = Selector::from(text.as_str());
                ("ExpectNot", selector.syntax().to_string())
            }
            Awaited::Stable => ("Stable", "200ms".to_owned()),
        }
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count()
}

/// Returns whether a character draws a border (lines and blocks) or is a control character in a
/// cell without text.
fn is_frame(c: char) -> bool {
    ('\u{2500}'..='\u{259f}').contains(&c) || c == '|' || c.is_control()
}

/// The beginning of a text, cut between words if it is too long.
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

/// Escapes a text for a regular expression between slashes.
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
