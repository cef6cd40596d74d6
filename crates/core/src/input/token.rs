//! Tokenizer that separates keys from terminal replies in input bytes.
//!
//! A terminal's replies arrive at any time between keys, and terminals reply differently. Replies
//! are recognised by their form, which no key has, except F3 with a modifier: it looks like a
//! cursor position report (`\e[1;2R`).
//!
//! See also: `input/decode.rs` (decodes keys).

/// The first token of a byte string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Length in bytes.
    pub length: usize,
    /// What the bytes mean.
    pub kind: TokenKind,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A key, a mouse event or a character.
    Key,
    /// A reply from the terminal.
    Answer,
    /// The beginning of a sequence, or the Escape key.
    Part,
}

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// Returns the first token; `None` if `bytes` is empty.
pub fn first(bytes: &[u8]) -> Option<Token> {
    let token = |length, kind| Some(Token { length, kind });
    let part = token(bytes.len(), TokenKind::Part);
    match bytes {
        [] => None,
        [ESC] | [ESC, b'O'] => part,
        [ESC, b'[', rest @ ..] => {
            let mut possible = rest.iter().take(LONGEST - 2);
            match possible.position(|byte| (0x40..=0x7e).contains(byte)) {
                None => part,
                // Mouse events in their oldest encoding have three more bytes, of any value.
                Some(0) if rest[0] == b'M' => match rest.len() {
                    0..4 => part,
                    _ => token(6, TokenKind::Key),
                },
                Some(place) => token(place + 3, kind_of(&rest[..place], rest[place])),
            }
        }
        [ESC, b'O', _, ..] => token(3, TokenKind::Key),
        // Alt with one of these characters, followed by another key. Only the next byte decides
        // this, so that the result does not depend on how reads split the bytes.
        [ESC, b']' | b'P' | b'_', control, ..] if *control < b' ' => token(2, TokenKind::Key),
        // Strings: colours, capabilities, names. No key sends one.
        [ESC, b']' | b'P' | b'_', rest @ ..] => {
            let end = rest
                .iter()
                .take(LONGEST)
                .enumerate()
                .find_map(|(place, byte)| {
                    let ends = match *byte {
                        BEL => 1,
                        ESC if rest.get(place + 1) == Some(&b'\\') => 2,
                        _ => return None,
                    };
                    Some(place + ends + 2)
                });
            match end.filter(|end| *end <= LONGEST) {
                None if bytes.len() >= LONGEST => token(2, TokenKind::Key),
                None => part,
                Some(end) => token(end, TokenKind::Answer),
            }
        }
        [ESC, byte, ..] => token((1 + width(*byte)).min(bytes.len()), TokenKind::Key),
        [byte, ..] => token(width(*byte).min(bytes.len()), TokenKind::Key),
    }
}

/// Returns the number of bytes of the UTF-8 character that begins with this byte.
pub(super) fn width(first: u8) -> usize {
    match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

/// The maximum length of a reply; longer ones are not waited for. Names and capabilities are
/// shorter.
pub(super) const LONGEST: usize = 4096;

fn kind_of(parameters: &[u8], last: u8) -> TokenKind {
    let private = parameters.first().is_some_and(|byte| b"?>=".contains(byte));
    let two = parameters.iter().filter(|byte| **byte == b';').count() == 1;
    match last {
        // No key sends a private sequence. Terminal identification, modes and keyboard replies are
        // private.
        _ if private => TokenKind::Answer,
        // Identification, status, a mode, the size or the cursor position.
        b'c' | b'n' | b'y' | b't' => TokenKind::Answer,
        b'R' if two => TokenKind::Answer,
        _ => TokenKind::Key,
    }
}

/// Returns the length in bytes of the first `count` tokens; `None` if there are fewer.
pub fn keys(bytes: &[u8], count: usize) -> Option<usize> {
    let mut length = 0;
    for _ in 0..count {
        length += first(&bytes[length..])?.length;
    }
    Some(length)
}

/// Returns the number of tokens.
pub fn count(bytes: &[u8]) -> usize {
    let mut length = 0;
    let mut count = 0;
    while let Some(token) = first(&bytes[length..]) {
        length += token.length;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &str, length: usize, kind: TokenKind) {
        assert_eq!(first(bytes.as_bytes()), Some(Token { length, kind }));
    }

    #[test]
    fn terminal_replies_are_distinguished_from_keys() {
        for answer in [
            "\x1b[?62;22c",
            "\x1b[>0;276;0c",
            "\x1b[0n",
            "\x1b[12;40R",
            "\x1b[?2026;2$y",
            "\x1b[8;24;80t",
            "\x1b[?1u",
            "\x1b[>4;0m",
            "\x1b]11;rgb:0000/0000/0000\x1b\\",
            "\x1b]10;rgb:ffff/ffff/ffff\x07",
            "\x1bP>|screentest\x1b\\",
        ] {
            check(&format!("{answer}x"), answer.len(), TokenKind::Answer);
        }
        for key in [
            "x",
            "\r",
            "\x1b[A",
            "\x1bOA",
            "\x1b[1;5C",
            "\x1b[3~",
            "\x1bx",
            "\x1bé",
            "\x1b[<0;3;4M",
            "\x1b[I",
            "é",
            "\x1b[97;5u",
            "\x1b[M !!",
        ] {
            check(&format!("{key}x"), key.len(), TokenKind::Key);
        }
    }

    #[test]
    fn an_incomplete_sequence_is_a_part() {
        for part in [
            "\x1b",
            "\x1b[",
            "\x1bO",
            "\x1b[?62",
            "\x1b]11;rgb",
            "\x1bP>|scr",
            "\x1b[M !",
        ] {
            check(part, part.len(), TokenKind::Part);
        }
        assert_eq!(first(b""), None);
    }

    #[test]
    fn alt_bracket_is_a_key_once_no_string_can_follow() {
        check("\x1b]\r", 2, TokenKind::Key);
        check(&format!("\x1b]{}", "x".repeat(5000)), 2, TokenKind::Key);
    }

    #[test]
    fn keys_and_count_work_on_tokens_not_bytes() {
        let bytes = "a\x1b[Aé\r".as_bytes();
        assert_eq!(count(bytes), 4);
        assert_eq!(keys(bytes, 2), Some(4));
        assert_eq!(keys(bytes, 5), None);
    }

    #[test]
    fn any_bytes_split_into_tokens() {
        let mut random = screentest_fixtures::random::Random::new(3);
        for _ in 0..2000 {
            let length = random.below(20);
            let bytes: Vec<u8> = (0..length)
                .map(|_| match random.below(3) {
                    0 => *b"\x1b[]P;?c".get(random.below(7)).unwrap_or(&0),
                    _ => random.bits() as u8,
                })
                .collect();
            let mut at = 0;
            while let Some(token) = first(&bytes[at..]) {
                assert!(
                    token.length > 0 && at + token.length <= bytes.len(),
                    "{bytes:?}"
                );
                at += token.length;
            }
            assert_eq!(at, bytes.len());
        }
    }
}
