//! Splits a stream of text bytes into characters.
//!
//! As in `vte`, each invalid sequence becomes one U+FFFD, except that a lone byte from 80 to 9F is
//! a C1 control. A character split by the end of a buffer is kept until the next buffer.

/// The received part of an incomplete character.
#[derive(Debug, Default)]
pub(crate) struct Utf8 {
    partial: [u8; 4],
    len: usize,
}

/// A part of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextPiece<'a> {
    /// Characters and C0 controls.
    Text(&'a str),
    /// A single byte that is a C1 control.
    Control,
    /// An invalid byte, or a character that is cut off.
    Invalid,
}

/// Returns the number of bytes at the end that begin an incomplete character.
pub(crate) fn incomplete_suffix(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    (1..=tail.len())
        .rev()
        .find(|count| {
            let suffix = std::str::from_utf8(&tail[tail.len() - count..]);
            suffix.is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or(0)
}

impl Utf8 {
    /// Returns the received part of an incomplete character.
    pub(crate) fn partial(&self) -> &[u8] {
        &self.partial[..self.len]
    }

    /// Reads bytes without escapes. With `more_may_follow`, an incomplete character at the end is
    /// kept for the next call; otherwise an escape follows, and the character is invalid.
    pub(crate) fn feed(
        &mut self,
        mut bytes: &[u8],
        more_may_follow: bool,
        mut take: impl FnMut(TextPiece<'_>),
    ) {
        if self.len > 0 {
            bytes = self.complete(bytes, more_may_follow, &mut take);
        }
        while !bytes.is_empty() {
            // Several times as fast as the standard library, which is used only to locate errors.
            if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
                return take(TextPiece::Text(text));
            }
            let Err(error) = std::str::from_utf8(bytes) else {
                return;
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            if let Ok(text) = std::str::from_utf8(valid)
                && !text.is_empty()
            {
                take(TextPiece::Text(text));
            }
            match error.error_len() {
                Some(len) => {
                    // A lone byte from 80 to 9F is a C1 control, as in `vte`.
                    take(if len == 1 && rest[0] <= 0x9f {
                        TextPiece::Control
                    } else {
                        TextPiece::Invalid
                    });
                    bytes = &rest[len..];
                }
                None if more_may_follow => {
                    self.partial[..rest.len()].copy_from_slice(rest);
                    self.len = rest.len();
                    return;
                }
                None => return take(TextPiece::Invalid),
            }
        }
    }

    /// Adds bytes to the incomplete character; returns the bytes after it.
    fn complete<'a>(
        &mut self,
        bytes: &'a [u8],
        more_may_follow: bool,
        take: &mut impl FnMut(TextPiece<'_>),
    ) -> &'a [u8] {
        let had = self.len;
        let added = bytes.len().min(self.partial.len() - had);
        self.partial[had..had + added].copy_from_slice(&bytes[..added]);
        self.len = 0;
        let all = &self.partial[..had + added];
        let error = std::str::from_utf8(all).err();
        let valid = error.map_or(all.len(), |error| error.valid_up_to());
        if let Some(c) = std::str::from_utf8(&all[..valid])
            .ok()
            .and_then(|text| text.chars().next())
        {
            take(TextPiece::Text(c.encode_utf8(&mut [0; 4])));
            return &bytes[c.len_utf8() - had..];
        }
        match error.and_then(|error| error.error_len()) {
            Some(len) => {
                take(TextPiece::Invalid);
                &bytes[len.saturating_sub(had)..]
            }
            None if more_may_follow => {
                self.len = had + added;
                &bytes[added..]
            }
            None => {
                take(TextPiece::Invalid);
                &bytes[added..]
            }
        }
    }
}
