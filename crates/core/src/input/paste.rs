//! The bytes of a paste.
//!
//! A program that asked for it (?2004) gets a paste between two marks and takes nothing in between for a command. Pasted
//! text must therefore not be able to end the paste itself: an end mark inside it loses its escape character.

use crate::Modes;

/// Opens a bracketed paste.
const START: &str = "\x1b[200~";
/// Ends it.
const END: &str = "\x1b[201~";
/// The end mark with the one-character CSI that some programs take as well.
const END_C1: &str = "\u{9b}201~";

/// What a paste of `text` sends.
pub fn bytes(text: &str, modes: &Modes) -> Vec<u8> {
    if !modes.bracketed_paste {
        // Without marks a paste is typing, and Enter types a carriage return.
        return text.replace("\r\n", "\r").replace('\n', "\r").into_bytes();
    }
    // A sign takes the place of the escape character. To take it away alone would not do: what is left of two nested
    // marks would be a whole one.
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
    fn without_marks_line_ends_are_those_of_enter() {
        check(false, "one\ntwo\r\nthree\rfour", "one\rtwo\rthree\rfour");
    }

    #[test]
    fn with_marks_the_text_is_kept() {
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
        // Taking away what is inside would put together what is around it.
        let nested = "\x1b[20\x1b[201~1~";
        check(true, nested, "\x1b[200~\x1b[20␛[201~1~\x1b[201~");
    }
}
