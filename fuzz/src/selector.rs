//! Target: the reader of selectors.
//!
//! - A selector that was read survives a round trip.
//! - An error contains a range of the text at character boundaries.
//! - The search terminates, and every match is on the screen.

use std::sync::LazyLock;

use screentest_core::emulator::EmulatorOptions;
use screentest_core::{Ambiguity, Backend, Screen, Selector, Size};

/// A screen with something of every kind that a selector can match.
static SCREEN: LazyLock<Screen> = LazyLock::new(|| {
    let mut emulator = Backend::Vt.emulator(Size { cols: 30, rows: 8 }, EmulatorOptions::default());
    emulator.feed(
        "Name: \x1b[1mAda\x1b[0m\r\n\x1b[7m[ Save ]\x1b[0m [ Quit ]\r\n\x1b[4:3;58;5;9;31mwavy\x1b[0m 日本語 e\u{301}\r\n\
         \x1b]8;id=1;https://example.org/a\x1b\\link\x1b]8;;\x1b\\ (a|b) /c/ \"d\"\r\n\x1b[48;2;1;2;3mTotal: 42\x1b[0m\r\n\
         a long line that wraps around to the next row\x1b[3;6H"
            .as_bytes(),
    );
    emulator.screen()
});

/// Reads the bytes as a selector and searches for it.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let selector: Selector = match text.parse() {
        Ok(selector) => selector,
        Err(error) => {
            assert!(text.get(error.range.clone()).is_some(), "{error:?}");
            assert!(!error.message.is_empty());
            return;
        }
    };
    let written = selector.syntax().to_string();
    let again = written.parse();
    assert_eq!(again.as_ref(), Ok(&selector), "{written:?}");
    assert!(!selector.to_string().is_empty());
    let screen = &*SCREEN;
    for found in selector.matches(screen) {
        for span in found.spans() {
            assert!(span.row < screen.rows.len(), "{found:?}");
            assert!(span.cols.end <= usize::from(screen.size.cols), "{found:?}");
        }
    }
    for ambiguity in [Ambiguity::Fail, Ambiguity::First, Ambiguity::Last] {
        // Any result is correct here; only panics matter.
        let _ = selector.resolve(screen, ambiguity);
    }
    let _ = selector.check(screen.size);
}
