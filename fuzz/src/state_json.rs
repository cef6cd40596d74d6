//! Target: the reader of State JSON.
//!
//! - Writing a state that was read, with the file's own colours, and reading it again gives what
//!   `reduce` specifies. A second round trip loses nothing more and gives the same text.
//! - The screen has the size in the file, its cursor is on it, and no row is wider.
//! - A JSON error refers to a line of the text.

use std::error::Error as _;

use screentest_core::formats::state_json::{
    MAX_SCROLLBACK, StateJson, StateJsonError, StateJsonOptions, reduce,
};
use screentest_core::{State, Theme};

/// Reads the bytes as a state.
pub fn check(bytes: &[u8]) {
    let (state, colours) = match StateJson::parse_with_default_style(bytes) {
        Ok(read) => read,
        Err(error) => return check_error(&error, bytes),
    };
    sized(&state);
    let options = StateJsonOptions {
        theme: Theme {
            fg: colours.fg,
            bg: colours.bg,
            ..Theme::default()
        },
        scrollback: MAX_SCROLLBACK,
    };
    let reduced = reduce(&state, &options);
    let written = StateJson::from_state(&state, &options).to_string();
    let (again, same) =
        StateJson::parse_with_default_style(&written).expect("written data can be read");
    assert_eq!(again, reduced);
    assert_eq!(reduce(&again, &options), again);
    assert_eq!(same, colours);
    let rewritten = StateJson::from_state(&again, &options).to_string();
    assert_eq!(rewritten, written);
}

fn sized(state: &State) {
    let screen = &state.screen;
    let cols = usize::from(screen.size.cols);
    assert_eq!(screen.rows.len(), usize::from(screen.size.rows));
    assert!(screen.cursor.position.row < screen.rows.len());
    assert!(screen.cursor.position.col < cols);
    assert_eq!(screen.scrollback_rows, state.scrollback.len());
    assert!(state.scrollback.len() <= MAX_SCROLLBACK);
    for row in screen.rows.iter().chain(&state.scrollback) {
        assert!(row.len() <= cols);
    }
}

fn check_error(error: &StateJsonError, bytes: &[u8]) {
    assert!(!error.to_string().is_empty());
    if let StateJsonError::Syntax(cause) = error {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
        assert!(cause.line() <= lines, "{cause}");
        assert!(error.source().is_some());
    }
}
