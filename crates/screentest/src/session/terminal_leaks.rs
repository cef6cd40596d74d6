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
use crate::session::reader::PtyReader;

/// A terminal state that differs from the state before the program. Its text is a phrase for
/// people.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TerminalLeak {
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

impl fmt::Display for TerminalLeak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TerminalLeak::AlternateScreen => "the alternate screen is still shown",
            TerminalLeak::HiddenCursor => "the cursor is hidden",
            TerminalLeak::Mouse(MouseTracking::Off) => "mouse tracking is off",
            TerminalLeak::Mouse(MouseTracking::Clicks) => "mouse tracking is on, for clicks",
            TerminalLeak::Mouse(MouseTracking::Drags) => {
                "mouse tracking is on, for clicks and drags"
            }
            TerminalLeak::Mouse(MouseTracking::Motion) => "mouse tracking is on, for all motion",
            TerminalLeak::MouseEncoding(MouseEncoding::Default) => {
                "the mouse encoding is the default"
            }
            TerminalLeak::MouseEncoding(MouseEncoding::Utf8) => {
                "the mouse encoding is UTF-8 (?1005)"
            }
            TerminalLeak::MouseEncoding(MouseEncoding::Sgr) => "the mouse encoding is SGR (?1006)",
            TerminalLeak::BracketedPaste => "bracketed paste is on",
            TerminalLeak::FocusEvents => "focus events are on",
            TerminalLeak::KittyKeyboard(flags) => {
                return write!(f, "kitty keyboard flags are on: {}", flags.bits());
            }
            TerminalLeak::ApplicationCursor => "application cursor keys are on",
            TerminalLeak::ApplicationKeypad => "the application keypad is on",
            TerminalLeak::NoAutowrap => "autowrap is off",
            TerminalLeak::Origin => "origin mode is on",
            TerminalLeak::Insert => "insert mode is on",
            TerminalLeak::Newline => "newline mode is on",
            TerminalLeak::SynchronizedUpdate => "a synchronized update was not ended",
            TerminalLeak::Line(line) => {
                let differences = line.differences().join(", ");
                return write!(f, "the terminal's settings differ: {differences}");
            }
        })
    }
}

/// Returns all differences from the state before the program.
pub(crate) fn find(reader: &PtyReader) -> Vec<TerminalLeak> {
    let unfinished = reader.emulator().notes().unfinished_update;
    if unfinished && reader.state.lock().exit_status().is_some() {
        // The program that began the update cannot end it any more, and its content must be shown.
        reader.end_synchronized();
    }
    let mut found = of_screen(&reader.state.lock().history().last().screen);
    if unfinished {
        found.push(TerminalLeak::SynchronizedUpdate);
    }
    let line = reader.pty.line();
    found.extend(
        line.filter(|line| !line.differences().is_empty())
            .map(TerminalLeak::Line),
    );
    found
}

/// Returns the differences between a screen and that of a new terminal.
fn of_screen(screen: &Screen) -> Vec<TerminalLeak> {
    let (new, now) = (Modes::default(), &screen.modes);
    let keys = now.kitty_keyboard;
    let all = [
        (now.alternate_screen, TerminalLeak::AlternateScreen),
        (
            screen.cursor.visible != Cursor::default().visible,
            TerminalLeak::HiddenCursor,
        ),
        (now.mouse != new.mouse, TerminalLeak::Mouse(now.mouse)),
        (
            now.mouse_encoding != new.mouse_encoding,
            TerminalLeak::MouseEncoding(now.mouse_encoding),
        ),
        (now.bracketed_paste, TerminalLeak::BracketedPaste),
        (now.focus_events, TerminalLeak::FocusEvents),
        (!keys.is_empty(), TerminalLeak::KittyKeyboard(keys)),
        (now.application_cursor, TerminalLeak::ApplicationCursor),
        (now.application_keypad, TerminalLeak::ApplicationKeypad),
        (!now.autowrap, TerminalLeak::NoAutowrap),
        (now.origin, TerminalLeak::Origin),
        (now.insert, TerminalLeak::Insert),
        (now.newline, TerminalLeak::Newline),
    ];
    all.into_iter()
        .filter_map(|(differs, leak)| differs.then_some(leak))
        .collect()
}
