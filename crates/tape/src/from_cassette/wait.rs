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

use crate::language::{self, Dialect};
use screentest_core::query::condition::{WaitPattern, WaitScope};
use screentest_core::query::selector::Regex;
use screentest_core::{Condition, Screen};

use super::numbers::NumberStability;
use super::volatile::VolatileText;

/// The part of the screen on which the first action may have an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EffectArea {
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
pub(super) enum WaitCondition {
    /// The text appears there.
    Appears(WaitScope, WaitPattern),
    /// The text disappears.
    Disappears(String),
    /// The screen stops changing.
    Stable,
}

/// The longest row that is waited for as a whole. Longer rows are rarely lines of text, and are
/// hard to read in a tape.
const MAX_LENGTH: usize = 60;

/// The least number of characters, and of letters among them, in a part of a row that is waited
/// for.
const MIN_LENGTH: usize = 4;
const MIN_LETTERS: usize = 3;

/// The characters that may end a prompt.
const PROMPT_ENDINGS: &str = "$#%>:?❯➜»›λ⟩]})";

/// How the text of two screens differs.
enum ChangedText {
    /// No text changed, or only the line being edited.
    Nothing,
    /// Only text changed that varies between runs.
    VolatileOnly,
    Rows,
}

fn changed_text(old: &Screen, new: &Screen, effect_area: EffectArea) -> ChangedText {
    let same = old.rows.len() == new.rows.len()
        && old
            .rows
            .iter()
            .zip(&new.rows)
            .all(|(old, new)| Arc::ptr_eq(old, new) || old.text() == new.text());
    if same {
        return ChangedText::Nothing;
    }
    let masked = |screen: &Screen| -> Vec<String> {
        let rows = screen.rows.iter();
        rows.map(|row| VolatileText::masked(row.text())).collect()
    };
    let (old_rows, new_rows) = (masked(old), masked(new));
    if old_rows == new_rows {
        return ChangedText::VolatileOnly;
    }
    let lines = [old.cursor.position.row, new.cursor.position.row];
    let elsewhere = old_rows.len() != new_rows.len()
        || (0..new_rows.len()).any(|row| !lines.contains(&row) && old_rows[row] != new_rows[row]);
    if effect_area == EffectArea::Line && !elsewhere {
        ChangedText::Nothing
    } else {
        ChangedText::Rows
    }
}

/// The screens at two consecutive actions.
pub(super) struct ScreenPair<'a> {
    old: &'a Screen,
    new: &'a Screen,
    effect_area: EffectArea,
    typed: &'a str,
    volatile: &'a VolatileText,
    numbers: NumberStability,
}

impl<'a> ScreenPair<'a> {
    /// The screen at one action and at the next. `typed` is the text typed in this line.
    pub(super) fn new(
        old: &'a Screen,
        new: &'a Screen,
        effect_area: EffectArea,
        typed: &'a str,
        volatile: &'a VolatileText,
    ) -> ScreenPair<'a> {
        ScreenPair {
            old,
            new,
            effect_area,
            typed: typed.trim(),
            volatile,
            numbers: NumberStability::Trusted,
        }
    }

    /// Takes into account whether earlier input makes numbers vary.
    pub(super) fn with(self, numbers: NumberStability) -> ScreenPair<'a> {
        ScreenPair { numbers, ..self }
    }

    /// The waits until the new screen is shown. After a line was entered, these are waits for the
    /// next prompt and for the program's answer.
    pub(super) fn waits(&self) -> Vec<WaitCondition> {
        let found = match changed_text(self.old, self.new, self.effect_area) {
            ChangedText::Nothing => return Vec::new(),
            ChangedText::VolatileOnly if self.effect_area == EffectArea::Line => return Vec::new(),
            ChangedText::VolatileOnly => self.answer(),
            ChangedText::Rows => {
                let both: Vec<WaitCondition> = [self.prompt(), self.answer()]
                    .into_iter()
                    .flatten()
                    .collect();
                if !both.is_empty() {
                    return both;
                }
                let others = [
                    ScreenPair::row,
                    ScreenPair::longest_stable_part,
                    ScreenPair::disappeared,
                ];
                others.into_iter().find_map(|wait| wait(self))
            }
        };
        vec![found.unwrap_or(WaitCondition::Stable)]
    }

    /// Waits for the program's answer to a line: the lowest row that is the same in every run, or a
    /// part of one. It makes a tape fail if the answer changes.
    pub(super) fn answer(&self) -> Option<WaitCondition> {
        if self.effect_area != EffectArea::Answer {
            return None;
        }
        let line = self.old_line();
        // Full-screen programs show their own numbers: sizes, loads, positions.
        let numbers = if self.new.modes.alternate_screen {
            NumberStability::Volatile
        } else {
            self.numbers.and(NumberStability::of(&[line, self.typed]))
        };
        let command = [line, self.typed].join(" ");
        let stable_parts = |text: &'a str| {
            self.volatile
                .stable_parts_of_answer(text, &command, numbers)
        };
        let cursor = Some(self.new.cursor.position.row);
        let rows = match numbers {
            NumberStability::Trusted => self.new_rows_but(cursor, str::to_owned),
            NumberStability::Volatile => self.new_rows_but(cursor, VolatileText::masked),
        };
        let whole_row = |row: &&'a str| {
            let text = row.trim();
            let is_one = stable_parts(text) == [text] && text.chars().any(char::is_alphanumeric);
            is_one.then(|| self.whole_row(row)).flatten()
        };
        let found = rows.iter().find_map(whole_row);
        found.or_else(|| self.longest(rows, stable_parts))
    }

    /// Returns the wait if it distinguishes the two screens.
    fn if_distinguishing(&self, condition: WaitCondition) -> Option<WaitCondition> {
        let evaluated = condition.to_condition()?;
        (evaluated.holds(self.new) && !evaluated.holds(self.old)).then_some(condition)
    }

    /// Waits for the cursor's row if the program asks for the next line there.
    fn prompt(&self) -> Option<WaitCondition> {
        if self.effect_area == EffectArea::Line {
            return None;
        }
        let cursor = self.new.cursor;
        let row = self.new.row(cursor.position.row)?;
        let text = row.text();
        let cursor_at_end = row.byte_of_col(cursor.position.col) >= text.len() && cursor.visible;
        let prompt_text = text.trim_start();
        let is_symbol = |c: char| !c.is_alphanumeric() && !is_border(c);
        let only_symbols = !prompt_text.is_empty() && prompt_text.chars().all(is_symbol);
        if !cursor_at_end || !(text.ends_with(|c| PROMPT_ENDINGS.contains(c)) || only_symbols) {
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
        let pattern = WaitPattern::Regex(Regex::new(&pattern).ok()?);
        self.if_distinguishing(WaitCondition::Appears(WaitScope::Line, pattern))
    }

    /// The new rows, from the lowest up: programs rarely write their last output above earlier
    /// output.
    fn new_rows(&self) -> Vec<&'a str> {
        let cursor = self.new.cursor.position.row;
        let left_out = (self.effect_area == EffectArea::Line).then_some(cursor);
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
        let continues_line = shown.is_some_and(|shown| line.ends_with(shown.trim_end()));
        continues_line || text.trim() == self.typed
    }

    /// The row of the cursor on the old screen.
    fn old_line(&self) -> &'a str {
        let row = self.old.row(self.old.cursor.position.row);
        row.map(|row| row.text()).unwrap_or_default()
    }

    /// Waits for a whole row that is the same in every run.
    fn row(&self) -> Option<WaitCondition> {
        self.new_rows().into_iter().find_map(|row| {
            let text = row.trim();
            let plain = self.volatile.stable_parts(text) == [text] && letters(text) >= MIN_LETTERS;
            plain.then(|| self.whole_row(row)).flatten()
        })
    }

    /// Waits for a row as a whole, if it is short enough and has no borders.
    fn whole_row(&self, row: &str) -> Option<WaitCondition> {
        let text = row.trim();
        if text.chars().count() > MAX_LENGTH || text.contains(is_border) {
            return None;
        }
        let indented = row.starts_with(char::is_whitespace);
        let before = if indented { r"\s*" } else { "" };
        let pattern = format!("(?m)^{before}{}$", escaped(text));
        let pattern = WaitPattern::Regex(Regex::new(&pattern).ok()?);
        self.if_distinguishing(WaitCondition::Appears(WaitScope::Screen, pattern))
    }

    /// Waits for the longest part of a new row that is the same in every run.
    fn longest_stable_part(&self) -> Option<WaitCondition> {
        self.longest(self.new_rows(), |text| self.volatile.stable_parts(text))
    }

    fn longest(
        &self,
        rows: Vec<&'a str>,
        same: impl Fn(&'a str) -> Vec<&'a str>,
    ) -> Option<WaitCondition> {
        let mut found = self
            .stable_parts(rows, same)
            .into_iter()
            .filter_map(|text| {
                self.if_distinguishing(WaitCondition::Appears(
                    WaitScope::Screen,
                    WaitPattern::Text(text),
                ))
            });
        found.next()
    }

    /// Waits until some text is gone.
    fn disappeared(&self) -> Option<WaitCondition> {
        let known: HashSet<&str> = self.new.rows.iter().map(|row| row.text()).collect();
        let rows = self.old.rows.iter().rev().map(|row| row.text());
        let rows = rows.filter(|row| !known.contains(row) && !self.is_echo(row));
        let same = |text| self.volatile.stable_parts(text);
        let stable_parts = self.stable_parts(rows.collect(), same);
        let mut found = stable_parts
            .into_iter()
            .filter_map(|text| self.if_distinguishing(WaitCondition::Disappears(text)));
        found.next()
    }

    /// The parts of rows that do not vary, the longest first.
    fn stable_parts(
        &self,
        rows: Vec<&'a str>,
        same: impl Fn(&'a str) -> Vec<&'a str>,
    ) -> Vec<String> {
        let mut parts: Vec<String> = rows
            .into_iter()
            .flat_map(|row| row.split(is_border))
            .flat_map(|cell| cell.split("  "))
            .flat_map(same)
            .map(|part| truncated(part.trim()).to_owned())
            .filter(|part| {
                part.chars().count() >= MIN_LENGTH
                    && letters(part) >= MIN_LETTERS
                    && language::quote(part, Dialect::Vhs).is_some()
                    && !self.typed.ends_with(part.as_str())
            })
            .collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.chars().count()));
        parts
    }
}

impl WaitCondition {
    /// The condition that the tape runner evaluates.
    fn to_condition(&self) -> Option<Condition> {
        match self {
            WaitCondition::Appears(scope, pattern) => Some(scope.condition(pattern.clone())),
            WaitCondition::Disappears(text) => Some(!Condition::visible(text.as_str())),
            WaitCondition::Stable => None,
        }
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count()
}

/// Returns whether a character is used for borders (box drawing, block elements, `|`), or is a
/// control character.
fn is_border(c: char) -> bool {
    ('\u{2500}'..='\u{259f}').contains(&c) || c == '|' || c.is_control()
}

/// The beginning of a text, cut between words if it is too long.
fn truncated(text: &str) -> &str {
    let Some((end, _)) = text.char_indices().nth(MAX_LENGTH) else {
        return text;
    };
    let beginning = text.get(..end).unwrap_or_default();
    match beginning.rsplit_once(' ') {
        Some((words, _)) if words.chars().count() >= MIN_LENGTH => words,
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
