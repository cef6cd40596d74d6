//! Keys, and what a terminal says on its own, in the bytes that come from it.
//!
//! A terminal's answers come at a time of their own between keys, and another terminal answers otherwise. They are known by their
//! shape: no key sends them, but for F3 with something held, which looks like a report of the cursor (`\e[1;2R`).
//!
//! Elsewhere: which key it is (`input/typed.rs`).

/// What bytes begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// How many bytes it has.
    pub length: usize,
    /// What it is.
    pub kind: Kind,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A key, a mouse event, a character.
    Key,
    /// What a terminal answers.
    Answer,
    /// The beginning of a sequence, unless it is the Escape key.
    Part,
}

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// What these bytes begin with; `None` where there are none.
pub fn first(bytes: &[u8]) -> Option<Token> {
    let token = |length, kind| Some(Token { length, kind });
    let part = token(bytes.len(), Kind::Part);
    match bytes {
        [] => None,
        [ESC] | [ESC, b'O'] => part,
        [ESC, b'[', rest @ ..] => {
            let mut possible = rest.iter().take(LONGEST - 2);
            match possible.position(|byte| (0x40..=0x7e).contains(byte)) {
                None => part,
                // Mouse events in their oldest form have three more bytes, of any value.
                Some(0) if rest[0] == b'M' => match rest.len() {
                    0..4 => part,
                    _ => token(6, Kind::Key),
                },
                Some(place) => token(place + 3, kind_of(&rest[..place], rest[place])),
            }
        }
        [ESC, b'O', _, ..] => token(3, Kind::Key),
        // Alt with one of these characters, and then something else. Decided by the first byte alone: how the bytes were cut, and so what
        // has come by now, is no matter.
        [ESC, b']' | b'P' | b'_', control, ..] if *control < b' ' => token(2, Kind::Key),
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
                None if bytes.len() >= LONGEST => token(2, Kind::Key),
                None => part,
                Some(end) => token(end, Kind::Answer),
            }
        }
        [ESC, byte, ..] => token((1 + width(*byte)).min(bytes.len()), Kind::Key),
        [byte, ..] => token(width(*byte).min(bytes.len()), Kind::Key),
    }
}

/// How many bytes the character has that begins with this one.
pub(super) fn width(first: u8) -> usize {
    match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

/// The longest answer that is waited for: names and capabilities are shorter.
pub(super) const LONGEST: usize = 4096;

fn kind_of(parameters: &[u8], last: u8) -> Kind {
    let private = parameters.first().is_some_and(|byte| b"?>=".contains(byte));
    let two = parameters.iter().filter(|byte| **byte == b';').count() == 1;
    match last {
        // No key is private; what a terminal is, its modes and its keyboard are.
        _ if private => Kind::Answer,
        // What it is, how it does, a mode, its size, its cursor.
        b'c' | b'n' | b'y' | b't' => Kind::Answer,
        b'R' if two => Kind::Answer,
        _ => Kind::Key,
    }
}

/// How many bytes so many keys have; `None` where there are not so many.
pub fn keys(bytes: &[u8], count: usize) -> Option<usize> {
    let mut length = 0;
    for _ in 0..count {
        length += first(&bytes[length..])?.length;
    }
    Some(length)
}

/// How many keys there are.
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
    fn check(bytes: &str, length: usize, kind: Kind) {
        assert_eq!(first(bytes.as_bytes()), Some(Token { length, kind }));
    }

    #[test]
    fn what_a_terminal_answers_is_told_from_keys() {
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
            check(&format!("{answer}x"), answer.len(), Kind::Answer);
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
            check(&format!("{key}x"), key.len(), Kind::Key);
        }
    }

    #[test]
    fn what_is_not_all_there_is_a_part() {
        for part in [
            "\x1b",
            "\x1b[",
            "\x1bO",
            "\x1b[?62",
            "\x1b]11;rgb",
            "\x1bP>|scr",
            "\x1b[M !",
        ] {
            check(part, part.len(), Kind::Part);
        }
        assert_eq!(first(b""), None);
    }

    #[test]
    fn alt_with_a_bracket_is_a_key_once_that_is_sure() {
        check("\x1b]\r", 2, Kind::Key);
        check(&format!("\x1b]{}", "x".repeat(5000)), 2, Kind::Key);
    }

    #[test]
    fn keys_are_counted_not_bytes() {
        let bytes = "a\x1b[Aé\r".as_bytes();
        assert_eq!(count(bytes), 4);
        assert_eq!(keys(bytes, 2), Some(4));
        assert_eq!(keys(bytes, 5), None);
    }

    #[test]
    fn any_bytes_are_tokens() {
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
