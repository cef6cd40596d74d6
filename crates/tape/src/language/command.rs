//! The commands of a tape.
//!
//! Names of files, programs and variables are as written in the tape. Whether they exist is checked
//! when the tape is run.

use std::time::Duration;

use super::output::Output;
use super::setting::TapeSetting;
use screentest_core::action::Action;
use screentest_core::formats::state_json::StyleJson;
use screentest_core::query::condition::WaitScope;
use screentest_core::query::selector::MaskTarget;
use screentest_core::{Appeared, Position, Selector};

/// One command of a tape.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// `Output`: an output to write after all steps have succeeded.
    Output(Output),
    /// `Require`: fails unless this program is installed.
    Require(String),
    /// `Set`.
    Set(TapeSetting),
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
    /// Does something to the program, or waits for it: `Type`, `Submit`, a key, the mouse,
    /// `Resize`, `Wait` with a pattern, `Stable`, `Expect`.
    Action(ActionStep),
    /// `ScrollUp`, `ScrollDown`: scrolls the view; the program is not notified.
    Scroll(ScrollStep),
    /// `Sleep`: waits for a fixed time.
    Sleep(Duration),
    /// `Wait` without a pattern.
    DefaultWait(DefaultWait),
    /// `Hide`: excludes the following steps from animations, videos, frames and golden text.
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

/// Actions of one line, with the parameters that only tapes have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionStep {
    /// The actions, in order. Several only if a line presses several keys, as in `Ctrl+X+S`.
    pub actions: Vec<Action>,
    /// Number of times that all of them are performed.
    pub times: u16,
    /// The time after `@`, if it differs from the setting: the time per key, or the timeout of a
    /// wait.
    pub time: Option<Duration>,
}

impl From<Action> for ActionStep {
    fn from(action: Action) -> ActionStep {
        ActionStep {
            actions: vec![action],
            times: 1,
            time: None,
        }
    }
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

/// A wait for the pattern that the setting `WaitPattern` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultWait {
    /// Where it must match.
    pub scope: WaitScope,
    /// The timeout, if it differs from the setting.
    pub timeout: Option<Duration>,
    /// Which matches satisfy the wait.
    pub appeared: Appeared,
}

/// An expectation that a selector has no match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The selector.
    pub selector: Selector,
    /// The timeout, if it differs from the setting.
    pub timeout: Option<Duration>,
    /// Which matches count.
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
