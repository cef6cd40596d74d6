//! Makes xterm count rows as scrolled out at once.
//!
//! xterm collects scrolling until it draws (`jumpScroll`). Rows that wait for it enter the
//! scrollback late: after an ED 3 that was to erase them, or never if the program changes to the
//! other screen before. A person who types sees no difference, because xterm draws whenever no
//! input is left. Setting smooth scrolling (DECSCLM) draws, so it is set and reset before such
//! sequences. xterm does not run with smooth scrolling throughout, since SU by the whole height of
//! the margins then erases the screen.

/// Draws what waits.
pub(super) const FLUSH: &str = "\x1b[?4h\x1b[?4l";

/// Returns the bytes with [`FLUSH`] before each RIS, erasing of the display, and change of a
/// private mode.
pub(super) fn flush_before_erasing(bytes: &[u8]) -> Vec<u8> {
    let mut flushed = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == 0x1b && erases(&bytes[at + 1..]) {
            flushed.extend_from_slice(FLUSH.as_bytes());
        }
        flushed.push(*byte);
    }
    flushed
}

/// Whether the rest of an escape sequence is one of those.
fn erases(rest: &[u8]) -> bool {
    let Some(parameters) = rest.strip_prefix(b"[") else {
        return rest.starts_with(b"c");
    };
    let private = parameters.starts_with(b"?");
    let last = parameters
        .iter()
        .find(|byte| !matches!(byte, b'0'..=b'9' | b';' | b'?'));
    match last {
        Some(b'J') => true,
        Some(b'h' | b'l') => private,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_rows_are_drawn_before_they_are_erased() {
        for (before, after) in [
            ("a\x1b[3Jb", "a<\x1b[3Jb"),
            ("\x1bc\x1b[?1049h", "<\x1bc<\x1b[?1049h"),
            ("\x1b[4h\x1b[31m\x1b[", "\x1b[4h\x1b[31m\x1b["),
        ] {
            let flushed = flush_before_erasing(before.as_bytes());
            assert_eq!(
                String::from_utf8(flushed).unwrap(),
                after.replace('<', FLUSH)
            );
        }
    }
}
