//! Conditions: predicates on a screen.
//!
//! A condition is evaluated on one screen and returns at once; waiting for it is implemented in the
//! session. Its [`Display`](fmt::Display) is the description in errors: `text "Ready"`, `not cursor
//! visible`.
//!
//! See also: the parts that do not hold, and their closest matches (`condition/unmet.rs`), lines of
//! text that a wait looks for (`condition/wait_pattern.rs`).

use std::sync::Arc;
use std::{fmt, ops};

use crate::{Changes, Position, Screen, SelectError, Selector, Size};

mod unmet;
mod wait_pattern;

pub use wait_pattern::{MatchElsewhere, WaitPattern, WaitScope};

/// A predicate on a screen.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Condition {
    /// The selector has a match.
    Visible(Selector),
    /// The title contains this text.
    Title(String),
    /// The cursor is in this cell, visible or not.
    CursorAt(Position),
    /// The cursor is visible.
    CursorVisible,
    /// The inner condition does not hold.
    Not(Box<Condition>),
    /// All of them hold; always true if empty.
    All(Vec<Condition>),
    /// At least one of them holds; never true if empty.
    Any(Vec<Condition>),
    /// A function returns `true`.
    Custom(CustomCondition),
}

impl Condition {
    /// Creates a condition from a function. The description completes “… did not appear within
    /// 5 s”: `two rows of dashes`.
    pub fn new(
        description: impl Into<String>,
        holds: impl Fn(&Screen) -> bool + Send + Sync + 'static,
    ) -> Condition {
        Condition::Custom(CustomCondition {
            description: description.into(),
            holds: Arc::new(move |changes| holds(changes.screen())),
            requires_new_text: false,
        })
    }

    /// Creates a condition from a function of the changes since a [`Baseline`](crate::Baseline).
    #[doc(hidden)]
    pub fn of_changes(
        description: impl Into<String>,
        holds: impl Fn(&Changes<'_>) -> bool + Send + Sync + 'static,
    ) -> Condition {
        Condition::Custom(CustomCondition {
            description: description.into(),
            holds: Arc::new(holds),
            requires_new_text: true,
        })
    }

    /// Holds if `text` is on the screen, as [`Selector::Exact`] finds it.
    pub fn text(text: impl Into<String>) -> Condition {
        Condition::Visible(Selector::Exact(text.into()))
    }

    /// Holds if a selector has at least one match.
    pub fn visible(selector: impl Into<Selector>) -> Condition {
        Condition::Visible(selector.into())
    }

    /// Holds if the title contains `text`.
    pub fn title(text: impl Into<String>) -> Condition {
        Condition::Title(text.into())
    }

    /// Holds if all conditions hold.
    pub fn all(conditions: impl IntoIterator<Item = impl Into<Condition>>) -> Condition {
        Condition::All(conditions.into_iter().map(Into::into).collect())
    }

    /// Holds if any condition holds.
    pub fn any(conditions: impl IntoIterator<Item = impl Into<Condition>>) -> Condition {
        Condition::Any(conditions.into_iter().map(Into::into).collect())
    }

    /// Checks that every position in its selectors is on a screen of this size, and returns
    /// [`SelectError::Outside`] if not. Nothing can be found outside the screen, so a
    /// [`Condition::Not`] there would always hold.
    pub fn check(&self, size: Size) -> Result<(), SelectError> {
        match self {
            Condition::Visible(selector) => selector.check(size),
            Condition::Not(condition) => condition.check(size),
            Condition::All(conditions) | Condition::Any(conditions) => {
                conditions.iter().try_for_each(|each| each.check(size))
            }
            Condition::Title(_)
            | Condition::CursorAt(_)
            | Condition::CursorVisible
            | Condition::Custom(_) => Ok(()),
        }
    }

    /// Evaluates the condition on a screen.
    pub fn holds(&self, screen: &Screen) -> bool {
        self.holds_in(&Changes::all(screen))
    }

    /// Evaluates the condition. Only content that is new since a [`Baseline`](crate::Baseline)
    /// counts as visible. Titles, cursors, functions given to [`Condition::new`], and conditions
    /// inside [`Condition::Not`] are evaluated on the whole screen. If this returns `true`, so does
    /// [`Condition::holds`].
    pub fn holds_in(&self, changes: &Changes<'_>) -> bool {
        let screen = changes.screen();
        match self {
            Condition::Visible(selector) if changes.excludes() => {
                !selector.matches_in(changes).is_empty()
            }
            Condition::Visible(selector) => selector.is_visible(screen),
            Condition::Title(text) => screen.title.contains(text.as_str()),
            Condition::CursorAt(position) => screen.cursor.position == *position,
            Condition::CursorVisible => screen.cursor.visible,
            Condition::Not(condition) => !condition.holds(screen),
            Condition::All(conditions) => conditions.iter().all(|c| c.holds_in(changes)),
            Condition::Any(conditions) => conditions.iter().any(|c| c.holds_in(changes)),
            Condition::Custom(custom) => (custom.holds)(changes),
        }
    }

    /// Returns whether the condition depends on which content is new: see [`Condition::holds_in`].
    pub fn requires_new_text(&self) -> bool {
        match self {
            Condition::Visible(_) => true,
            Condition::All(conditions) | Condition::Any(conditions) => {
                conditions.iter().any(Condition::requires_new_text)
            }
            Condition::Custom(custom) => custom.requires_new_text,
            Condition::Title(_)
            | Condition::CursorAt(_)
            | Condition::CursorVisible
            | Condition::Not(_) => false,
        }
    }
}

/// `!condition` holds when `condition` does not; a double negation is removed.
impl ops::Not for Condition {
    type Output = Condition;

    fn not(self) -> Condition {
        match self {
            Condition::Not(inner) => *inner,
            condition => Condition::Not(Box::new(condition)),
        }
    }
}

/// A text becomes the condition that it is visible.
impl From<&str> for Condition {
    fn from(text: &str) -> Condition {
        Condition::text(text)
    }
}

impl From<String> for Condition {
    fn from(text: String) -> Condition {
        Condition::text(text)
    }
}

/// A selector becomes the condition that it has a match.
impl From<Selector> for Condition {
    fn from(selector: Selector) -> Condition {
        Condition::Visible(selector)
    }
}

impl From<&Selector> for Condition {
    fn from(selector: &Selector) -> Condition {
        Condition::Visible(selector.clone())
    }
}

impl From<&Condition> for Condition {
    fn from(condition: &Condition) -> Condition {
        condition.clone()
    }
}

/// A condition evaluated by a function; made by [`Condition::new`].
#[derive(Clone)]
pub struct CustomCondition {
    description: String,
    holds: Arc<dyn Fn(&Changes<'_>) -> bool + Send + Sync>,
    requires_new_text: bool,
}

impl fmt::Debug for CustomCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Custom").field(&self.description).finish()
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Visible(selector) => write!(f, "{selector}"),
            Condition::Title(text) => write!(f, "title {text:?}"),
            Condition::CursorAt(position) => write!(f, "cursor at {}", position.to_wire()),
            Condition::CursorVisible => f.write_str("cursor visible"),
            Condition::Not(condition) => write!(f, "not {}", NestedCondition(condition)),
            Condition::All(conditions) => join(f, conditions, "and", "anything"),
            Condition::Any(conditions) => join(f, conditions, "or", "any of no conditions"),
            Condition::Custom(custom) => f.write_str(&custom.description),
        }
    }
}

fn join(
    f: &mut fmt::Formatter<'_>,
    conditions: &[Condition],
    word: &str,
    none: &str,
) -> fmt::Result {
    match conditions {
        [] => f.write_str(none),
        // A single condition needs neither the word nor brackets.
        [only] => write!(f, "{only}"),
        [first, rest @ ..] => {
            write!(f, "{}", NestedCondition(first))?;
            rest.iter()
                .try_for_each(|condition| write!(f, " {word} {}", NestedCondition(condition)))
        }
    }
}

/// A condition inside another; in brackets where the description would be ambiguous.
struct NestedCondition<'a>(&'a Condition);

impl fmt::Display for NestedCondition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bracketed = match self.0 {
            Condition::All(inner) | Condition::Any(inner) => inner.len() > 1,
            Condition::Visible(selector) => selector.is_compound(),
            _ => false,
        };
        if bracketed {
            write!(f, "({})", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::row::{LinkId, StyleId};
    use crate::{RowBuilder, Size};

    /// Returns a screen with “Ready” in its second row, the cursor after it, and the title “shell:
    /// make”.
    fn ready() -> Screen {
        let mut screen = Screen::blank(Size { cols: 20, rows: 3 });
        let mut builder = RowBuilder::new();
        for c in "Ready".chars() {
            builder.push(c, StyleId::PLAIN, LinkId::NONE);
        }
        screen.rows[1] = Arc::new(builder.finish());
        screen.cursor.position = Position { row: 1, col: 5 };
        screen.title = "shell: make".into();
        screen
    }

    #[track_caller]
    fn check(condition: impl Into<Condition>, described: &str, holds: bool) {
        let condition = condition.into();
        assert_eq!(condition.to_string(), described);
        assert_eq!(condition.holds(&ready()), holds, "{condition}");
    }

    #[test]
    fn text_and_title_match_substrings() {
        check("Ready", "text \"Ready\"", true);
        check("ready\n", "text \"ready\\n\"", false);
        check(Condition::title("make"), "title \"make\"", true);
        check(Condition::title("vim"), "title \"vim\"", false);
    }

    #[test]
    fn descriptions_count_the_cursor_from_one() {
        let at = |row, col| Condition::CursorAt(Position { row, col });
        check(at(1, 5), "cursor at row 2, column 6", true);
        check(at(5, 1), "cursor at row 6, column 2", false);
        check(Condition::CursorVisible, "cursor visible", true);
        check(!Condition::CursorVisible, "not cursor visible", false);
    }

    #[test]
    fn conditions_combine() {
        let no = || !Condition::text("x");
        check(no(), "not text \"x\"", true);
        check(!no(), "text \"x\"", false);
        check(
            Condition::all(["Re", "dy"]),
            "text \"Re\" and text \"dy\"",
            true,
        );
        check(
            Condition::any(["x", "dy"]),
            "text \"x\" or text \"dy\"",
            true,
        );
        check(
            Condition::any(["x", "y?"]),
            "text \"x\" or text \"y?\"",
            false,
        );
        check(
            !Condition::any(["x", "y?"]),
            "not (text \"x\" or text \"y?\")",
            true,
        );
        let both = Condition::all([Condition::any(["x", "Re"]), no()]);
        check(both, "(text \"x\" or text \"Re\") and not text \"x\"", true);
        check(Condition::all(["Re"]), "text \"Re\"", true);
        check(Condition::All(vec![]), "anything", true);
        check(Condition::Any(vec![]), "any of no conditions", false);
    }

    #[test]
    fn a_selector_converts_to_a_visibility_condition() {
        let pattern = || Selector::pattern("Ready|Done");
        check(pattern(), "pattern \"Ready|Done\"", true);
        let stored = pattern();
        check(&stored, "pattern \"Ready|Done\"", true);
        check(Condition::visible("Done"), "text \"Done\"", false);
        // Several matches satisfy it as well as one.
        check(
            Selector::pattern("Ready|Read"),
            "pattern \"Ready|Read\"",
            true,
        );
        let within = || Selector::exact("Ready").within(crate::Rect::across(1..4));
        check(within(), "text \"Ready\" within rows 2–4", true);
        let not = "not (text \"Ready\" within rows 2–4)";
        check(!Condition::from(within()), not, false);
        check(
            Condition::all([Condition::from("Re"), pattern().into()]),
            "text \"Re\" and pattern \"Ready|Done\"",
            true,
        );
    }

    #[test]
    fn a_function_is_shown_by_its_description() {
        let three = Condition::new("three rows", |screen| screen.rows.len() == 3);
        assert_eq!(format!("{three:?}"), r#"Custom(Custom("three rows"))"#);
        check(&three, "three rows", true);
        check(!three, "not three rows", false);
    }
}
