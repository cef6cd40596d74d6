//! Finds secrets that were typed with mistakes and corrected.
//!
//! The typed bytes include the mistakes and the keys that delete them, so no substring equals the
//! secret; the edited line does. This file follows the editing keys that every terminal and shell
//! has: delete a character (Backspace), a word (Ctrl+W) or the line (Ctrl+U). It does not follow
//! edits after cursor movements.

use std::collections::BTreeSet;
use std::sync::Arc;

use screentest_core::redact::scrub::{RedactedSecret, Rules, replacements};

/// The number of bytes of a line that are remembered; no secret is longer.
const MAX_LINE: usize = 4 << 10;

const BS: u8 = 0x08;
const DEL: u8 = 0x7f;
const CTRL_U: u8 = 0x15;
const CTRL_W: u8 = 0x17;

/// The line being typed.
#[derive(Debug)]
pub(super) struct EditedLine {
    secrets: Arc<Rules>,
    /// The text of the line, and the offset at which each byte was typed.
    text: Vec<u8>,
    offsets: Vec<u64>,
    /// The offsets of characters that were deleted.
    deleted: Vec<u64>,
    /// The offsets at which the secrets begin that were found in the line.
    found: BTreeSet<u64>,
}

/// Newly found secrets: the bytes to overwrite, and entries for the report.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FoundSecrets {
    pub(super) patches: Vec<(u64, u8)>,
    pub(super) redactions: Vec<RedactedSecret>,
}

impl EditedLine {
    pub(super) fn new(secrets: Arc<Rules>) -> EditedLine {
        EditedLine {
            secrets,
            text: Vec::new(),
            offsets: Vec::new(),
            deleted: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    /// Adds typed bytes; `from` is the offset of the first one.
    pub(super) fn push(&mut self, bytes: &[u8], from: u64) -> FoundSecrets {
        let mut found = FoundSecrets::default();
        for (at, byte) in (from..).zip(bytes) {
            match *byte {
                BS | DEL => {
                    self.delete_from(|text| {
                        let start = text.iter().rposition(|byte| byte & 0xc0 != 0x80);
                        start.unwrap_or(0)
                    });
                }
                CTRL_W => {
                    self.delete_from(|text| {
                        let word = text.trim_ascii_end();
                        let blank = word.iter().rposition(|byte| *byte == b' ');
                        blank.map_or(0, |blank| blank + 1)
                    });
                }
                CTRL_U => self.delete_from(|_| 0),
                0..0x20 => {
                    // The line was entered, or the cursor moved.
                    self.find_secrets(&mut found);
                    self.clear();
                }
                _ => {
                    self.text.push(*byte);
                    self.offsets.push(at);
                }
            }
        }
        self.find_secrets(&mut found);
        if self.text.len().max(self.deleted.len()) > 2 * MAX_LINE {
            let excess = self.text.len().saturating_sub(MAX_LINE);
            self.text.drain(..excess);
            self.offsets.drain(..excess);
            let excess = self.deleted.len().saturating_sub(MAX_LINE);
            self.deleted.drain(..excess);
        }
        found
    }

    fn clear(&mut self) {
        self.text.clear();
        self.offsets.clear();
        self.deleted.clear();
        self.found.clear();
    }

    /// Deletes the text from a position on.
    fn delete_from(&mut self, from: impl FnOnce(&[u8]) -> usize) {
        let from = from(&self.text);
        self.text.truncate(from);
        self.deleted.extend(self.offsets.drain(from..));
    }

    /// Looks for secrets that were typed with corrections. Others are found in the typed bytes
    /// themselves.
    fn find_secrets(&mut self, found: &mut FoundSecrets) {
        if self.deleted.is_empty() {
            return;
        }
        for secret in self.secrets.find(&self.text) {
            let (Some(first), Some(last)) = (secret.pieces.first(), secret.pieces.last()) else {
                continue;
            };
            let (first, last) = (first.start as usize, last.end as usize);
            let typed = self.offsets[first]..=self.offsets[last - 1];
            if typed.end() - typed.start() < (last - first) as u64 {
                // It was typed without interruption.
                continue;
            }
            let mistakes = self.deleted.iter().filter(|at| typed.contains(at));
            found.patches.extend(mistakes.map(|at| (*at, b'*')));
            let offsets = self.offsets[first..last].iter().copied();
            let cover = replacements(&self.text[first..last]);
            found.patches.extend(offsets.zip(cover));
            if self.found.insert(*typed.start()) {
                let pieces = std::iter::once(*typed.start()..*typed.end() + 1).collect();
                let rule = secret.rule;
                found.redactions.push(RedactedSecret { rule, pieces });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the redacted typing, and the number of secrets reported.
    fn redacted(pieces: &[&str]) -> (String, usize) {
        let secrets = Rules::known_tokens().and_value("WORD", "correct-hörse".as_bytes());
        let mut line = EditedLine::new(Arc::new(secrets.unwrap()));
        let mut typed = Vec::new();
        let mut reported = 0;
        for piece in pieces {
            let found = line.push(piece.as_bytes(), typed.len() as u64);
            typed.extend_from_slice(piece.as_bytes());
            reported += found.redactions.len();
            for (at, cover) in found.patches {
                typed[at as usize] = cover;
            }
        }
        (String::from_utf8(typed).unwrap(), reported)
    }

    #[test]
    fn a_corrected_mistake_does_not_hide_a_secret() {
        let typed = "su correct-hx\x7försw\x08e ok";
        let (text, reported) = redacted(&[typed]);
        assert_eq!(
            (text.as_str(), reported),
            ("su **********\x7f×***\x08* ok", 1)
        );
        let keys: Vec<String> = typed.chars().map(String::from).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        assert_eq!(redacted(&keys), redacted(&[typed]));
    }

    #[test]
    fn deleted_words_and_lines_are_followed() {
        assert_eq!(
            redacted(&["correct-horst\x17correct-hörse"]).1,
            0,
            "it was typed without corrections"
        );
        assert_eq!(redacted(&["corr oh\x17\x7fect-hörse"]).1, 1);
        assert_eq!(
            redacted(&["correct\x15-hörse"]).1,
            0,
            "nothing is left of the line"
        );
        assert_eq!(
            redacted(&["corrx\x7fect\r-hörse"]).1,
            0,
            "two lines are separate"
        );
        assert_eq!(redacted(&["\x7f\x7f\x17\x15"]).1, 0);
    }

    #[test]
    fn a_growing_token_is_reported_once() {
        let (typed, reported) = redacted(&["sk-0123456789x\x7f", "0123456789", "ab", "cd"]);
        assert_eq!(
            (typed.as_str(), reported),
            ("sk-***********\x7f**************", 1)
        );
    }
}
