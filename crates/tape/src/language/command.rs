//! The commands of a tape.
//!
//! Names of files, programs and variables are as written in the tape. Whether they exist is checked
//! when the tape is run.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use super::output::Output;
use super::setting::Setting;
use screentest_core::formats::state_json::StyleJson;
use screentest_core::input::mouse::{Button, Wheel};
use screentest_core::query::new_text;
use screentest_core::query::selector::{MaskTarget, Regex};
use screentest_core::{
    Appeared, Changes, Chord, Condition, Match, Modifiers, Position, Rect, Screen, Selector, Size,
};

/// One command of a tape.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// `Output`: writes this when the tape has run.
    Output(Output),
    /// `Require`: fails unless this program is installed.
    Require(String),
    /// `Set`.
    Set(Setting),
    /// `Env`: an environment variable of the program in the terminal.
    Env(Variable),
    /// `Source`: inserts the commands of another tape.
    Source(String),
    /// `Launch`: runs this program in the terminal, instead of a shell.
    Launch(LaunchCommand),
    /// A step that is executed while the program runs.
    Step(TapeStep),
}

/// An environment variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// A step that is executed while the program runs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TapeStep {
    /// `Type`: types a text, character by character.
    Type(TypedText),
    /// `Submit`: types a text, then presses Enter.
    Submit(TypedText),
    /// Presses one or more keys.
    Press(PressStep),
    /// `ScrollUp`, `ScrollDown`: scrolls the view; the program is not notified.
    Scroll(ScrollStep),
    /// `MouseMove`, `MouseDown`, `MouseUp`, `MouseScroll`.
    Mouse(MouseStep),
    /// `Resize`: changes the terminal's size.
    Resize(Size),
    /// `Sleep`: waits for a fixed time.
    Sleep(Duration),
    /// `Wait`: waits until a text or expression matches.
    Wait(WaitStep),
    /// `Stable`: waits until nothing changes for a while.
    Stable(StableStep),
    /// `Hide`: excludes the following steps from the recording.
    Hide,
    /// `Show`: includes the following steps again.
    Show,
    /// `Copy`: writes to the tape's own clipboard.
    Copy(String),
    /// `Paste`: pastes the tape's clipboard.
    Paste,
    /// `Caption` or `Subtitle`: shows a text below the picture; a blank one removes it.
    Caption(String),
    /// `Screenshot`: writes the screen as a PNG to this path.
    Screenshot(String),
    /// `State`: writes the screen as State JSON to this path.
    State(String),
    /// `Snapshot`: compares the screen with the stored snapshot of this name.
    Snapshot(String),
    /// `Mask`: ignores this in later snapshots.
    Mask(MaskTarget),
    /// `Mark`: sets a mark that later checks can refer to.
    Mark(Option<String>),
    /// `Expect`: requires a match, now or within the timeout.
    Expect(Expectation),
    /// `ExpectNot`: requires that there is no match, now or within the timeout.
    ExpectNot(Expectation),
    /// `Saw`: requires that there was a match on a screen since a mark.
    Saw(HistoryCheck),
    /// `Never`: requires that there was no match on any screen since a mark.
    Never(HistoryCheck),
    /// `AssertText` and similar: checks the current screen once.
    Assert(Assertion),
    /// `Set TypingSpeed` in the middle of a tape.
    TypingSpeed(Duration),
}

/// A text that is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedText {
    /// The text.
    pub text: String,
    /// Time per character, if it differs from the setting.
    pub speed: Option<Duration>,
}

/// Keys that are pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PressStep {
    /// The keys in order; usually one.
    pub chords: Vec<Chord>,
    /// How often the whole sequence is pressed.
    pub times: u16,
    /// Time per key, if it differs from the setting.
    pub speed: Option<Duration>,
}

/// Scrolling of the view through the scrollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScrollStep {
    /// The direction.
    pub direction: ScrollDirection,
    /// Number of rows.
    pub rows: u16,
    /// Time per row, if it differs from the setting.
    pub speed: Option<Duration>,
}

/// A direction of scrolling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScrollDirection {
    /// Back, to older text.
    Up,
    /// Forward, to the current screen.
    Down,
}

/// A mouse action with modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MouseStep {
    /// The action.
    pub action: MouseAction,
    /// The modifiers held on the keyboard.
    pub modifiers: Modifiers,
}

/// An action of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseAction {
    /// Moves to this cell.
    Move(Position),
    /// Presses a button.
    Down(Button),
    /// Releases a button.
    Up(Button),
    /// Turns the wheel by this number of notches.
    Scroll(Wheel, u16),
}

/// Waiting until a text or expression matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitStep {
    /// Where it must match.
    pub scope: WaitScope,
    /// The pattern; `None` for the `WaitPattern` setting.
    pub pattern: Option<WaitPattern>,
    /// The timeout, if it differs from the setting.
    pub timeout: Option<Duration>,
    /// Which matches satisfy the wait.
    pub appeared: Appeared,
}

/// The part of the screen that a wait reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WaitScope {
    /// The cursor's line: its row together with the rows that its text wraps into, without trailing
    /// spaces.
    Line,
    /// Every line of the screen.
    Screen,
}

/// The pattern of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitPattern {
    /// This text, anywhere.
    Text(String),
    /// A match of this expression.
    Regex(Regex),
}

impl WaitPattern {
    /// Returns whether a text contains a match.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            WaitPattern::Text(part) => text.contains(part.as_str()),
            WaitPattern::Regex(regex) => regex.is_in(text),
        }
    }
}

impl WaitScope {
    /// Returns the condition that the pattern matches in this scope.
    pub fn condition(self, pattern: WaitPattern) -> Condition {
        match (self, pattern) {
            (WaitScope::Screen, WaitPattern::Regex(regex)) if regex.has_line_end() => {
                let what = format!("regex `{}`", regex.as_str());
                Condition::of_changes(what, move |changes| across_lines(&regex, changes))
            }
            // A selector can report closest matches, but finds only matches that have cells.
            (WaitScope::Screen, pattern) if !pattern.is_in("") => Condition::visible(pattern),
            (WaitScope::Screen, pattern) => {
                Condition::of_changes(pattern.to_string(), move |changes| {
                    let screen = changes.screen();
                    let mut lines = new_text::lines(screen);
                    lines.any(|line| pattern.is_new_in(line, changes))
                })
            }
            (WaitScope::Line, pattern) => {
                let what = format!("{pattern} in the cursor's line");
                Condition::of_changes(what, move |changes| {
                    let screen = changes.screen();
                    let line = screen.line(screen.cursor.position.row);
                    pattern.is_new_in(line, changes)
                })
            }
        }
    }
}

/// Returns whether an expression that contains a line end matches the lines of a screen, with a new
/// row in at least one line of the match.
fn across_lines(regex: &Regex, changes: &Changes<'_>) -> bool {
    let screen = changes.screen();
    let mut text = String::new();
    let mut lines = Vec::new();
    for line in new_text::lines(screen) {
        let start = text.len();
        text.push_str(new_text::text(screen, line.clone()).trim_end_matches(' '));
        text.push('\n');
        lines.push((start..text.len(), line));
    }
    let is_new = |found: &Range<usize>| {
        let overlaps = |span: &Range<usize>| span.start < found.end && found.start < span.end;
        let mut overlapping = lines.iter().filter(|(span, _)| overlaps(span));
        overlapping.any(|(_, line)| changes.has_new_row(line.clone()))
    };
    regex.ranges(&text).any(|found| is_new(&found))
}

impl WaitPattern {
    /// Returns whether a line matches and a row of the match is new.
    fn is_new_in(&self, line: Range<usize>, changes: &Changes<'_>) -> bool {
        // A pattern that matches the empty text has no cells that could be old.
        if self.is_in("") {
            let text = new_text::text(changes.screen(), line.clone());
            return self.is_in(&text) && changes.has_new_row(line);
        }
        let matches = Selector::from(self.clone()).matches_in_rect(changes, Rect::across(line));
        !matches.is_empty()
    }

    /// Returns the last match outside the cursor's line; a new one, if there is any.
    pub fn elsewhere(&self, changes: &Changes<'_>) -> Option<MatchElsewhere> {
        let screen = changes.screen();
        let line = screen.line(screen.cursor.position.row);
        let selector = Selector::from(self.clone());
        let last = |matches: Vec<Match>| {
            let mut rows = matches.into_iter().map(|found| found.position().row);
            rows.rfind(|row| !line.contains(row))
        };
        let row = |row, is_new| MatchElsewhere { row, is_new };
        match last(selector.matches_in(changes)) {
            Some(new) => Some(row(new, true)),
            None => last(selector.matches(screen)).map(|old| row(old, false)),
        }
    }

    /// Returns whether the cursor's line matches, new or not.
    pub fn matches_cursor_line(&self, screen: &Screen) -> bool {
        WaitScope::Line.condition(self.clone()).holds(screen)
    }
}

/// A match outside the cursor's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchElsewhere {
    /// The row of the match.
    pub row: usize,
    /// Whether it appeared after Enter.
    pub is_new: bool,
}

impl From<WaitPattern> for Selector {
    fn from(pattern: WaitPattern) -> Selector {
        match pattern {
            WaitPattern::Text(text) => Selector::Exact(text),
            WaitPattern::Regex(regex) => Selector::Regex(regex),
        }
    }
}

/// The form in messages: `text "Ready"`, `regex /re/`.
impl fmt::Display for WaitPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaitPattern::Text(text) => write!(f, "text {text:?}"),
            WaitPattern::Regex(regex) => write!(f, "regex /{}/", regex.as_str()),
        }
    }
}

/// Waiting until nothing changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StableStep {
    /// How long nothing must change.
    pub quiet: Duration,
    /// The timeout, if it differs from the setting.
    pub timeout: Option<Duration>,
}

/// An expectation that a selector has a match, or has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The selector.
    pub selector: Selector,
    /// The timeout, if it differs from the setting.
    pub timeout: Option<Duration>,
    /// Which matches satisfy it.
    pub appeared: Appeared,
}

/// A check that a selector had a match since a mark, or never had one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryCheck {
    /// The selector.
    pub selector: Selector,
    /// The name of the mark; `None` for the last mark, or the start if there is none.
    pub since: Option<String>,
}

/// A check of the current screen, made once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assertion {
    /// `AssertText`: this text is on the screen.
    Text(String),
    /// `AssertAbsent`: this text is not on the screen, and does not appear for some time.
    Absent {
        /// The text.
        text: String,
        /// How long it must stay absent.
        lasting: Duration,
    },
    /// `AssertCells`: the cells from here on have these texts; the second half of a wide character
    /// is a space.
    Cells {
        /// The first cell.
        at: Position,
        /// A text for each cell.
        cells: Vec<String>,
    },
    /// `AssertStyle`: `width` cells from here on have this style. A colour that is not given
    /// matches any; everything else must be equal.
    Style {
        /// The first cell.
        at: Position,
        /// Number of cells.
        width: u16,
        /// The style.
        style: StyleJson,
    },
    /// `AssertState`: the screen equals this State JSON file.
    State(String),
}
