//! What a tape can say.
//!
//! Names of files, programs and variables are as the tape has them; whether they exist, whoever runs it finds out.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use super::output::Output;
use super::setting::Setting;
use crate::formats::state_json::StyleJson;
use crate::input::mouse::{Button, Wheel};
use crate::query::new_text;
use crate::query::selector::{Cover, Regex};
use crate::{
    Appeared, Changes, Chord, Condition, Match, Modifiers, Position, Rect, Screen, Selector, Size,
};

/// One command of a tape.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// `Output`: write this when the tape has run.
    Output(Output),
    /// `Require`: this program must be there.
    Require(String),
    /// `Set`.
    Set(Setting),
    /// `Env`: a variable of what runs in the terminal.
    Env(Variable),
    /// `Source`: the commands of another tape.
    Source(String),
    /// `Launch`: this program runs in the terminal, instead of a shell.
    Launch(Launch),
    /// Something that is done while the program runs.
    Step(Step),
}

/// A variable of the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A program and what it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// Something that is done while the program runs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// `Type`: a text, character by character.
    Type(Typed),
    /// `Submit`: a text, and Enter.
    Submit(Typed),
    /// A key, or several.
    Press(Press),
    /// `ScrollUp`, `ScrollDown`: what is seen moves, the program learns nothing of it.
    Scroll(Scroll),
    /// `MouseMove`, `MouseDown`, `MouseUp`, `MouseScroll`.
    Mouse(Mouse),
    /// `Resize`: the terminal gets this size.
    Resize(Size),
    /// `Sleep`: time passes.
    Sleep(Duration),
    /// `Wait`: until the screen says something.
    Wait(Wait),
    /// `Stable`: until nothing changes for a while.
    Stable(Stable),
    /// `Hide`: what follows is not in the recording.
    Hide,
    /// `Show`: what follows is.
    Show,
    /// `Copy`: to the tape's own clipboard.
    Copy(String),
    /// `Paste`: from there.
    Paste,
    /// `Caption` or `Subtitle`: a text under the picture; a blank one takes it away.
    Caption(String),
    /// `Screenshot`: the screen as a PNG, at this path.
    Screenshot(String),
    /// `State`: the screen as State JSON, at this path.
    State(String),
    /// `Snapshot`: the screen is as it was kept under this name.
    Snapshot(String),
    /// `Mask`: in later snapshots, this does not count.
    Mask(Cover),
    /// `Mark`: a moment, to ask about later.
    Mark(Option<String>),
    /// `Expect`: this is found, now or in time.
    Expect(Expectation),
    /// `ExpectNot`: this is not found, now or in time.
    ExpectNot(Expectation),
    /// `Saw`: this was found on a screen since a mark.
    Saw(Seen),
    /// `Never`: this was found on no screen since a mark.
    Never(Seen),
    /// `AssertText` and its like: asked once, of the screen as it is.
    Assert(Assertion),
    /// `Set TypingSpeed` in the middle of a tape.
    TypingSpeed(Duration),
}

/// A text that is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The text.
    pub text: String,
    /// How long each character takes, where it is not as set.
    pub speed: Option<Duration>,
}

/// Keys that are pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// One after the other; as a rule there is one.
    pub chords: Vec<Chord>,
    /// How often all of them are pressed.
    pub times: u16,
    /// How long each takes, where it is not as set.
    pub speed: Option<Duration>,
}

/// What is seen moves over what was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scroll {
    /// Where to.
    pub towards: Towards,
    /// How many rows.
    pub rows: u16,
    /// How long each takes, where it is not as set.
    pub speed: Option<Duration>,
}

/// Where to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Towards {
    /// Back, to what was.
    Up,
    /// To what is now.
    Down,
}

/// Something that the mouse does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    /// What.
    pub action: MouseAction,
    /// What is held on the keyboard.
    pub modifiers: Modifiers,
}

/// What a mouse does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseAction {
    /// It goes to this cell.
    Move(Position),
    /// A button goes down.
    Down(Button),
    /// A button comes up.
    Up(Button),
    /// The wheel turns by so many notches.
    Scroll(Wheel, u16),
}

/// Waiting until the screen says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// Where it must be said.
    pub scope: Scope,
    /// What must be said; `None` for the `WaitPattern` that is set.
    pub pattern: Option<Pattern>,
    /// How long it may take, where it is not as set.
    pub timeout: Option<Duration>,
    /// Which matches satisfy it.
    pub appeared: Appeared,
}

/// What a wait reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The cursor's line: its row together with the rows that its text wraps into, without the blanks at its end.
    Line,
    /// Every line of the screen.
    Screen,
}

/// What must be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// This text, somewhere.
    Text(String),
    /// What an expression describes.
    Regex(Regex),
}

impl Pattern {
    /// Whether a text says it.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            Pattern::Text(part) => text.contains(part.as_str()),
            Pattern::Regex(regex) => regex.is_in(text),
        }
    }
}

impl Scope {
    /// The question whether something is said there.
    pub fn asks(self, pattern: Pattern) -> Condition {
        match (self, pattern) {
            (Scope::Screen, Pattern::Regex(regex)) if regex.has_line_end() => {
                let what = format!("regex `{}`", regex.as_str());
                Condition::of_changes(what, move |changes| across_lines(&regex, changes))
            }
            // A selector knows what came close, but finds only what has cells.
            (Scope::Screen, pattern) if !pattern.is_in("") => Condition::visible(pattern),
            (Scope::Screen, pattern) => {
                Condition::of_changes(pattern.to_string(), move |changes| {
                    let screen = changes.screen();
                    let mut lines = new_text::lines(screen);
                    lines.any(|line| pattern.is_new_in(line, changes))
                })
            }
            (Scope::Line, pattern) => {
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

/// Whether an expression with a line end in it matches the lines of a screen, of which one that it touches has a new row.
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
        let touches = |place: &Range<usize>| place.start < found.end && found.start < place.end;
        let mut touched = lines.iter().filter(|(place, _)| touches(place));
        touched.any(|(_, line)| changes.has_new_row(line.clone()))
    };
    regex.ranges(&text).any(|found| is_new(&found))
}

impl Pattern {
    /// Whether a line says it, and a row of it that says so is new.
    fn is_new_in(&self, line: Range<usize>, changes: &Changes<'_>) -> bool {
        // What matches no text has no cells that could be old.
        if self.is_in("") {
            let text = new_text::text(changes.screen(), line.clone());
            return self.is_in(&text) && changes.has_new_row(line);
        }
        let matches = Selector::from(self.clone()).matches_in_rect(changes, Rect::across(line));
        !matches.is_empty()
    }

    /// The last match outside the cursor's line; one that is new, if there is any.
    pub fn elsewhere(&self, changes: &Changes<'_>) -> Option<Elsewhere> {
        let screen = changes.screen();
        let line = screen.line(screen.cursor.position.row);
        let selector = Selector::from(self.clone());
        let last = |matches: Vec<Match>| {
            let mut rows = matches.into_iter().map(|found| found.position().row);
            rows.rfind(|row| !line.contains(row))
        };
        let row = |row, is_new| Elsewhere { row, is_new };
        match last(selector.matches_in(changes)) {
            Some(new) => Some(row(new, true)),
            None => last(selector.matches(screen)).map(|old| row(old, false)),
        }
    }

    /// Whether the cursor's line says it, new or not.
    pub fn is_in_cursor_line(&self, screen: &Screen) -> bool {
        Scope::Line.asks(self.clone()).holds(screen)
    }
}

/// A match outside the cursor's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elsewhere {
    /// Its row.
    pub row: usize,
    /// Whether it appeared after Enter.
    pub is_new: bool,
}

impl From<Pattern> for Selector {
    fn from(pattern: Pattern) -> Selector {
        match pattern {
            Pattern::Text(text) => Selector::Exact(text),
            Pattern::Regex(regex) => Selector::Regex(regex),
        }
    }
}

/// As messages name it: `text "Ready"`, `regex /re/`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Text(text) => write!(f, "text {text:?}"),
            Pattern::Regex(regex) => write!(f, "regex /{}/", regex.as_str()),
        }
    }
}

/// Waiting until nothing changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stable {
    /// How long nothing must change.
    pub quiet: Duration,
    /// How long it may take, where it is not as set.
    pub timeout: Option<Duration>,
}

/// Something that is, or is not, to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// What.
    pub selector: Selector,
    /// How long it may take, where it is not as set.
    pub timeout: Option<Duration>,
    /// Which matches satisfy it.
    pub appeared: Appeared,
}

/// Something that was, or was never, to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// What.
    pub selector: Selector,
    /// Since the mark of this name; `None` for the last mark, or the start where there is none.
    pub since: Option<String>,
}

/// A question that is asked once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assertion {
    /// `AssertText`: this text is on the screen.
    Text(String),
    /// `AssertAbsent`: this text is not on the screen, and stays away for a time.
    Absent {
        /// The text.
        text: String,
        /// How long it must stay away.
        lasting: Duration,
    },
    /// `AssertCells`: these are the texts of the cells from here on, a wide character's second half being a space.
    Cells {
        /// The first cell.
        at: Position,
        /// A text for each cell.
        cells: Vec<String>,
    },
    /// `AssertStyle`: so many cells from here on are drawn so. A colour that is not named may be any; the rest is exact.
    Style {
        /// The first cell.
        at: Position,
        /// How many cells.
        width: u16,
        /// How.
        style: StyleJson,
    },
    /// `AssertState`: the screen is as in this State JSON file.
    State(String),
}
