//! Rules that were typed with mistakes that were taken back.
//!
//! What was typed has the mistakes and the keys that took them back in its middle, so that no stretch of it is the secret; the line that was
//! meant has it. Known are the keys with which every terminal and every shell takes back a character (Backspace), a word (Ctrl+W) and the
//! line (Ctrl+U); what was put in elsewhere, after the cursor was moved, is not followed.

use std::collections::BTreeSet;
use std::sync::Arc;

use screentest_core::redact::scrub::{Covered, Rules, covers};

/// How much of a line is kept: longer than any secret is.
const MOST: usize = 4 << 10;

const BS: u8 = 0x08;
const DEL: u8 = 0x7f;
const CTRL_U: u8 = 0x15;
const CTRL_W: u8 = 0x17;

/// The line that is being typed.
#[derive(Debug)]
pub(super) struct Corrections {
    secrets: Arc<Rules>,
    /// What is left of it, and where each byte was typed.
    text: Vec<u8>,
    places: Vec<u64>,
    /// Where the characters were typed that were taken back.
    taken_back: Vec<u64>,
    /// Where the secrets begin that were found in it.
    found: BTreeSet<u64>,
}

/// What turned out to be a secret.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) patches: Vec<(u64, u8)>,
    pub(super) covered: Vec<Covered>,
}

impl Corrections {
    pub(super) fn new(secrets: Arc<Rules>) -> Corrections {
        Corrections {
            secrets,
            text: Vec::new(),
            places: Vec::new(),
            taken_back: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    /// Takes what was typed next, which begins at `from`.
    pub(super) fn push(&mut self, bytes: &[u8], from: u64) -> Found {
        let mut found = Found::default();
        for (at, byte) in (from..).zip(bytes) {
            match *byte {
                BS | DEL => {
                    self.take_back(|text| {
                        let start = text.iter().rposition(|byte| byte & 0xc0 != 0x80);
                        start.unwrap_or(0)
                    });
                }
                CTRL_W => {
                    self.take_back(|text| {
                        let word = text.trim_ascii_end();
                        let blank = word.iter().rposition(|byte| *byte == b' ');
                        blank.map_or(0, |blank| blank + 1)
                    });
                }
                CTRL_U => self.take_back(|_| 0),
                0..0x20 => {
                    // The line is done, or the cursor is elsewhere.
                    self.look(&mut found);
                    self.begin();
                }
                _ => {
                    self.text.push(*byte);
                    self.places.push(at);
                }
            }
        }
        self.look(&mut found);
        if self.text.len().max(self.taken_back.len()) > 2 * MOST {
            let too_many = self.text.len().saturating_sub(MOST);
            self.text.drain(..too_many);
            self.places.drain(..too_many);
            let too_many = self.taken_back.len().saturating_sub(MOST);
            self.taken_back.drain(..too_many);
        }
        found
    }

    fn begin(&mut self) {
        self.text.clear();
        self.places.clear();
        self.taken_back.clear();
        self.found.clear();
    }

    /// A key takes back everything from a place in the text on.
    fn take_back(&mut self, from: impl FnOnce(&[u8]) -> usize) {
        let from = from(&self.text);
        self.text.truncate(from);
        self.taken_back.extend(self.places.drain(from..));
    }

    /// Looks for secrets that were corrected: another was seen as it was typed.
    fn look(&mut self, found: &mut Found) {
        if self.taken_back.is_empty() {
            return;
        }
        for secret in self.secrets.find(&self.text) {
            let (Some(first), Some(last)) = (secret.pieces.first(), secret.pieces.last()) else {
                continue;
            };
            let (first, last) = (first.start as usize, last.end as usize);
            let typed = self.places[first]..=self.places[last - 1];
            if typed.end() - typed.start() < (last - first) as u64 {
                // Nothing came in between.
                continue;
            }
            let mistakes = self.taken_back.iter().filter(|at| typed.contains(at));
            found.patches.extend(mistakes.map(|at| (*at, b'*')));
            let places = self.places[first..last].iter().copied();
            let cover = covers(&self.text[first..last]);
            found.patches.extend(places.zip(cover));
            if self.found.insert(*typed.start()) {
                let pieces = std::iter::once(*typed.start()..*typed.end() + 1).collect();
                let rule = secret.rule;
                found.covered.push(Covered { rule, pieces });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of pieces of typing, and how many secrets were told of.
    fn kept(pieces: &[&str]) -> (String, usize) {
        let secrets = Rules::shapes().and_value("WORD", "correct-hörse".as_bytes());
        let mut corrections = Corrections::new(Arc::new(secrets.unwrap()));
        let mut typed = Vec::new();
        let mut told = 0;
        for piece in pieces {
            let found = corrections.push(piece.as_bytes(), typed.len() as u64);
            typed.extend_from_slice(piece.as_bytes());
            told += found.covered.len();
            for (at, cover) in found.patches {
                typed[at as usize] = cover;
            }
        }
        (String::from_utf8(typed).unwrap(), told)
    }

    #[test]
    fn a_mistake_in_its_middle_does_not_hide_a_secret() {
        let typed = "su correct-hx\x7försw\x08e ok";
        let (left, told) = kept(&[typed]);
        assert_eq!((left.as_str(), told), ("su **********\x7f×***\x08* ok", 1));
        let keys: Vec<String> = typed.chars().map(String::from).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        assert_eq!(kept(&keys), kept(&[typed]));
    }

    #[test]
    fn words_and_lines_are_taken_back_too() {
        assert_eq!(
            kept(&["correct-horst\x17correct-hörse"]).1,
            0,
            "it was typed whole"
        );
        assert_eq!(kept(&["corr oh\x17\x7fect-hörse"]).1, 1);
        assert_eq!(
            kept(&["correct\x15-hörse"]).1,
            0,
            "nothing is left of the line"
        );
        assert_eq!(
            kept(&["corrx\x7fect\r-hörse"]).1,
            0,
            "two lines are not one"
        );
        assert_eq!(kept(&["\x7f\x7f\x17\x15"]).1, 0);
    }

    #[test]
    fn a_token_that_goes_on_is_told_of_once() {
        let (typed, told) = kept(&["sk-0123456789x\x7f", "0123456789", "ab", "cd"]);
        assert_eq!(
            (typed.as_str(), told),
            ("sk-***********\x7f**************", 1)
        );
    }
}
