//! The keys and names of sessions.
//!
//! Names are shown in terminals, in logs and on pages, and are parts of URLs. Session names of
//! tuispec are texts such as `My demo`, so spaces and letters of any script are allowed.

use super::{ErrorCode, RpcError};
use crate::limits::{MAX_NAME_CHARS, MAX_QUOTED_CHARS};

/// Fails if a session may not have this key or name. `field` is the parameter.
pub(crate) fn check(field: &str, name: &str) -> Result<(), RpcError> {
    let length = name.chars().take(MAX_NAME_CHARS + 1).count();
    let is_valid = !name.trim().is_empty()
        && length <= MAX_NAME_CHARS
        && !matches!(name, "." | "..")
        && name.chars().all(is_printable);
    if is_valid {
        Ok(())
    } else {
        Err(RpcError::new(
            ErrorCode::InvalidParams,
            format!(
                "{field}: invalid name `{}`: expected 1 to {MAX_NAME_CHARS} printable characters, not only spaces, and not `.` or `..`",
                shortened(name)
            ),
        ))
    }
}

/// Whether a character is visible and does not affect the text around it. Control characters act on
/// terminals; format characters change the order of the text or are invisible.
fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the first characters of a wrong value, for an error.
pub(crate) fn shortened(value: &str) -> String {
    match value.char_indices().nth(MAX_QUOTED_CHARS) {
        None => value.escape_debug().to_string(),
        Some((end, _)) => format!("{}…", value.split_at(end).0.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_names_are_valid() {
        let longest = "é".repeat(MAX_NAME_CHARS);
        for name in [
            "session",
            "My demo",
            "日本語",
            "e\u{301}",
            "a/b",
            "it's \"x\"",
            "...",
            &longest,
        ] {
            check("session", name).unwrap();
        }
    }

    #[test]
    fn other_names_are_rejected_and_shortened() {
        let too_long = "x".repeat(MAX_NAME_CHARS + 1);
        let huge = "y".repeat(100_000);
        for name in [
            "",
            "  ",
            ".",
            "..",
            "\u{1b}[2J",
            "a\r\nb",
            "a\0",
            "\u{202e}x",
            "\u{9b}m",
            &too_long,
            &huge,
        ] {
            let error = check("session", name).unwrap_err();
            let details = error.details();
            assert!(details.starts_with("session: invalid name `"), "{details}");
            assert!(
                details.contains("1 to 128 printable characters"),
                "{details}"
            );
            assert!(
                details.len() < 400 && !details.contains(char::is_control),
                "{details}"
            );
        }
    }
}
