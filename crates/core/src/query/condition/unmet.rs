//! Search for the parts of a condition that do not hold.
//!
//! For a compound condition only the failing parts are reported: the parts of `All` that do not
//! hold, and every part of `Any`. A `Not` around a compound condition is applied to its parts.

use std::sync::Arc;

use super::Condition;
use crate::{Changes, NearMiss, Row, Screen, Selector};

impl Condition {
    /// Returns the parts of the condition that do not hold, without compound ones; empty if the
    /// condition holds.
    pub fn unmet(&self, screen: &Screen) -> Vec<Condition> {
        self.unmet_in(&Changes::all(screen))
    }

    /// Does the same as [`Condition::unmet`], but only content that is new since a
    /// [`Baseline`](crate::Baseline) counts: see [`Condition::holds_in`].
    pub fn unmet_in(&self, changes: &Changes<'_>) -> Vec<Condition> {
        if self.holds_in(changes) {
            return Vec::new();
        }
        let parts: Vec<Condition> = match self {
            Condition::All(parts) | Condition::Any(parts) => parts
                .iter()
                .flat_map(|part| part.unmet_in(changes))
                .collect(),
            Condition::Visible(Selector::Any(selectors)) => selectors
                .iter()
                .flat_map(|selector| Condition::from(selector).unmet_in(changes))
                .collect(),
            Condition::Not(inner) => match &**inner {
                Condition::All(parts) | Condition::Any(parts) => parts
                    .iter()
                    .flat_map(|part| (!part.clone()).unmet_in(changes))
                    .collect(),
                Condition::Not(inner) => inner.unmet_in(changes),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if parts.is_empty() {
            return vec![self.clone()];
        }
        parts
    }

    /// Returns the closest matches of the parts that do not hold, part by part, the closest of each
    /// part first. `above` holds the rows that scrolled off the top, oldest first.
    pub fn near_misses(&self, screen: &Screen, above: &[Arc<Row>]) -> Vec<NearMiss> {
        self.near_misses_in(&Changes::all(screen), above)
    }

    /// Does the same as [`Condition::near_misses`], but only content that is new since a
    /// [`Baseline`](crate::Baseline) counts.
    pub fn near_misses_in(&self, changes: &Changes<'_>, above: &[Arc<Row>]) -> Vec<NearMiss> {
        let parts = self.unmet_in(changes);
        let misses = parts.iter().flat_map(|part| part.near(changes, above));
        misses.collect()
    }

    /// Does the same for a part that is not compound.
    fn near(&self, changes: &Changes<'_>, above: &[Arc<Row>]) -> Vec<NearMiss> {
        let screen = changes.screen();
        let wanted = match self {
            Condition::Not(inner) => &**inner,
            condition => condition,
        };
        match (self, wanted) {
            (Condition::Not(_), Condition::Visible(selector)) => {
                let mut matches = selector.matches(screen).into_iter();
                let first = matches.next();
                let still_there = first.map(|found| NearMiss::StillThere {
                    found,
                    more: matches.len(),
                });
                still_there.into_iter().collect()
            }
            (_, Condition::Visible(selector)) => match selector.matches(screen).pop() {
                Some(found) if changes.excludes() => vec![NearMiss::BeforeEnter(found)],
                _ => selector.near_misses(screen, above),
            },
            (_, Condition::Title(_)) => vec![NearMiss::Title(screen.title.to_string())],
            (_, Condition::CursorAt(_) | Condition::CursorVisible) => {
                vec![NearMiss::Cursor(screen.cursor)]
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Position, Size, emulator};

    /// Checks the unmet parts and closest matches of `condition` on a screen with the title
    /// “shell”, after a program wrote `bytes`.
    #[track_caller]
    fn check(bytes: &str, condition: impl Into<Condition>, unmet: &[&str], misses: &[&str]) {
        let size = Size { cols: 20, rows: 4 };
        let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
        emulator.feed(b"\x1b]2;shell\x07");
        emulator.feed(bytes.as_bytes());
        let screen = emulator.screen();
        let condition = condition.into();
        let shown = |all: Vec<String>| all.join("; ");
        let parts = condition.unmet(&screen);
        assert_eq!(
            shown(parts.iter().map(Condition::to_string).collect()),
            unmet.join("; ")
        );
        let found = condition.near_misses(&screen, &[]);
        assert_eq!(
            shown(found.iter().map(NearMiss::to_string).collect()),
            misses.join("; ")
        );
    }

    #[test]
    fn all_reports_only_the_parts_that_fail() {
        let all = Condition::all(["one", "TWO", "four"]);
        check(
            "one\r\ntwo",
            all,
            &["text \"TWO\"", "text \"four\""],
            &["\"two\" at row 2, column 1"],
        );
        check("one", Condition::all(["one"]), &[], &[]);
        let never = Condition::Any(vec![]);
        check("one", never, &["any of no conditions"], &[]);
    }

    #[test]
    fn any_reports_each_part() {
        let any = || Condition::any(["ONE", "x"]);
        let unmet = ["text \"ONE\"", "text \"x\""];
        let miss = ["\"one\" at row 1, column 1"];
        check("one", any(), &unmet, &miss);
        let selector = Selector::exact("ONE").or("x");
        check("one", selector, &unmet, &miss);
    }

    #[test]
    fn a_negated_text_reports_where_it_still_is() {
        check(
            "one\r\n one",
            !Condition::text("one"),
            &["not text \"one\""],
            &["\"one\" at row 1, column 1, and in 1 more place"],
        );
        check(
            "one two",
            !Condition::any(["two", "three"]),
            &["not text \"two\""],
            &["\"two\" at row 1, column 5"],
        );
    }

    #[test]
    fn title_and_cursor_are_reported_as_they_are() {
        let title = Condition::title("vim");
        check("", title, &["title \"vim\""], &["the title is \"shell\""]);
        check(
            "\x1b]2;\x07",
            Condition::title("vim"),
            &["title \"vim\""],
            &["no title is set"],
        );
        let at = Condition::CursorAt(Position { row: 2, col: 0 });
        check(
            "one",
            at,
            &["cursor at row 3, column 1"],
            &["the cursor is at row 1, column 4"],
        );
        check(
            "one\x1b[?25l",
            Condition::CursorVisible,
            &["cursor visible"],
            &["the cursor is at row 1, column 4, hidden"],
        );
    }

    #[test]
    fn a_custom_function_has_no_closest_match() {
        let odd = Condition::new("odd", |_| false);
        check("one", odd, &["odd"], &[]);
    }
}
