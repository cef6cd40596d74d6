//! Bytes sent for a paste.
//!
//! A program that asked for bracketed paste (?2004) receives a paste between a start and an end
//! sequence, and treats nothing in between as a command. Pasted text must therefore not be able to
//! end the paste: the escape character of an end sequence inside it is replaced.

use crate::Modes;

/// Starts a bracketed paste.
const START: &str = "\x1b[200~";
/// Ends a bracketed paste.
const END: &str = "\x1b[201~";
/// The end sequence with the one-character CSI (C1), which some programs accept.
const END_C1: &str = "\u{9b}201~";

/// Returns the bytes sent for a paste of `text`.
pub fn bytes(text: &str, modes: &Modes) -> Vec<u8> {
    if !modes.bracketed_paste {
        // Without bracketed paste a paste is typing, and Enter types a carriage return.
        return text.replace("\r\n", "\r").replace('\n', "\r").into_bytes();
    }
    // The escape character is replaced, not removed: removing an end sequence nested in another one
    // would leave a whole one.
    let harmless = text.replace(END, "␛[201~").replace(END_C1, "␛[201~");
    [START, &harmless, END].concat().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bracketed_paste: bool, text: &str, sent: &str) {
        let modes = Modes {
            bracketed_paste,
            ..Modes::default()
        };
        assert_eq!(String::from_utf8(bytes(text, &modes)).unwrap(), sent);
    }

    #[test]
    fn without_bracketed_paste_line_ends_become_carriage_returns() {
        check(false, "one\ntwo\r\nthree\rfour", "one\rtwo\rthree\rfour");
    }

    #[test]
    fn with_bracketed_paste_the_text_is_unchanged() {
        check(
            true,
            "one\ntwo\t\x1b[1m",
            "\x1b[200~one\ntwo\t\x1b[1m\x1b[201~",
        );
        check(true, "", "\x1b[200~\x1b[201~");
    }

    #[test]
    fn pasted_text_cannot_end_the_paste() {
        check(true, "a\x1b[201~rm", "\x1b[200~a␛[201~rm\x1b[201~");
        check(true, "a\u{9b}201~rm", "\x1b[200~a␛[201~rm\x1b[201~");
        // Removing the inner sequence would join the parts around it into another one.
        let nested = "\x1b[20\x1b[201~1~";
        check(true, nested, "\x1b[200~\x1b[20␛[201~1~\x1b[201~");
    }
}
