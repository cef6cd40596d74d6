//! Terminal state that a program did not restore.
//!
//! A program that exits should restore the terminal: the main screen for the shell's next prompt, a
//! visible cursor, default keys and mouse. The caller decides whether the program had the chance;
//! this module reports the current state.
//!
//! See also: `pty/guardian.rs` (remaining processes, which the session ends).

use std::fmt;

use screentest_core::{Cursor, KittyKeyboard, Modes, MouseEncoding, MouseTracking, Screen};

use crate::pty::LineState;
use crate::session::reader::Intake;

/// A terminal state that differs from the state before the program. Its text is a phrase for
/// people.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leftover {
    /// The alternate screen is shown.
    AlternateScreen,
    /// The cursor is hidden.
    HiddenCursor,
    /// Mouse events are reported.
    Mouse(MouseTracking),
    /// The encoding of mouse events is not the default.
    MouseEncoding(MouseEncoding),
    /// Pastes are bracketed.
    BracketedPaste,
    /// Focus events are reported.
    FocusEvents,
    /// Keys are reported by the kitty keyboard protocol.
    KittyKeyboard(KittyKeyboard),
    /// Cursor keys send application sequences.
    ApplicationCursor,
    /// The keypad sends application sequences.
    ApplicationKeypad,
    /// Text does not wrap to the next row.
    NoAutowrap,
    /// Cursor positions are relative to the top margin.
    Origin,
    /// New text pushes old text to the right.
    Insert,
    /// A line feed is also a carriage return.
    Newline,
    /// A synchronized update was begun and never ended.
    SynchronizedUpdate,
    /// The terminal's settings (termios) differ.
    Line(LineState),
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Leftover::AlternateScreen => "the alternate screen is still shown",
            Leftover::HiddenCursor => "the cursor is hidden",
            Leftover::Mouse(MouseTracking::Off) => "mouse tracking is off",
            Leftover::Mouse(MouseTracking::Clicks) => "mouse tracking is on, for clicks",
            Leftover::Mouse(MouseTracking::Drags) => "mouse tracking is on, for clicks and drags",
            Leftover::Mouse(MouseTracking::Motion) => "mouse tracking is on, for all motion",
            Leftover::MouseEncoding(MouseEncoding::Default) => "the mouse encoding is the default",
            Leftover::MouseEncoding(MouseEncoding::Utf8) => "the mouse encoding is UTF-8 (?1005)",
            Leftover::MouseEncoding(MouseEncoding::Sgr) => "the mouse encoding is SGR (?1006)",
            Leftover::BracketedPaste => "bracketed paste is on",
            Leftover::FocusEvents => "focus events are on",
            Leftover::KittyKeyboard(flags) => {
                return write!(f, "kitty keyboard flags are on: {}", flags.bits());
            }
            Leftover::ApplicationCursor => "application cursor keys are on",
            Leftover::ApplicationKeypad => "the application keypad is on",
            Leftover::NoAutowrap => "autowrap is off",
            Leftover::Origin => "origin mode is on",
            Leftover::Insert => "insert mode is on",
            Leftover::Newline => "newline mode is on",
            Leftover::SynchronizedUpdate => "a synchronized update was not ended",
            Leftover::Line(line) => {
                let differences = line.differences().join(", ");
                return write!(f, "the terminal's settings differ: {differences}");
            }
        })
    }
}

/// Returns all differences from the state before the program.
pub(crate) fn find(intake: &Intake) -> Vec<Leftover> {
    let unfinished = intake.emulator().notes().unfinished_update;
    if unfinished && intake.board.lock().outcome.is_some() {
        // The program that began the update cannot end it any more, and its content must be shown.
        intake.end_synchronized();
    }
    let mut found = of_screen(&intake.board.lock().history.last().screen);
    if unfinished {
        found.push(Leftover::SynchronizedUpdate);
    }
    let line = intake.pty.line();
    found.extend(
        line.filter(|line| !line.differences().is_empty())
            .map(Leftover::Line),
    );
    found
}

/// Returns the differences between a screen and a new one.
fn of_screen(screen: &Screen) -> Vec<Leftover> {
    let (new, now) = (Modes::default(), &screen.modes);
    let keys = now.kitty_keyboard;
    let all = [
        (now.alternate_screen, Leftover::AlternateScreen),
        (
            screen.cursor.visible != Cursor::default().visible,
            Leftover::HiddenCursor,
        ),
        (now.mouse != new.mouse, Leftover::Mouse(now.mouse)),
        (
            now.mouse_encoding != new.mouse_encoding,
            Leftover::MouseEncoding(now.mouse_encoding),
        ),
        (now.bracketed_paste, Leftover::BracketedPaste),
        (now.focus_events, Leftover::FocusEvents),
        (!keys.is_empty(), Leftover::KittyKeyboard(keys)),
        (now.application_cursor, Leftover::ApplicationCursor),
        (now.application_keypad, Leftover::ApplicationKeypad),
        (!now.autowrap, Leftover::NoAutowrap),
        (now.origin, Leftover::Origin),
        (now.insert, Leftover::Insert),
        (now.newline, Leftover::Newline),
    ];
    all.into_iter()
        .filter_map(|(is, leftover)| is.then_some(leftover))
        .collect()
}
