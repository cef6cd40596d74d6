//! Bytes as the text that an asciicast has room for.
//!
//! A program's writes, and the reads of whoever records it, may end inside a character. What has come of such a character is held
//! back until its rest is there, as asciinema does, so that the text of all events in a row is what the program wrote.

/// Makes texts of stretches of bytes.
///
/// ```
/// use screentest_core::formats::asciicast::Decoder;
///
/// let mut decoder = Decoder::default();
/// assert_eq!(decoder.push(b"caf\xc3"), "caf");
/// assert_eq!(decoder.push(b"\xa9 \xff!"), "é \u{fffd}!");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Decoder {
    /// The beginning of a character, of three bytes at most.
    held: Vec<u8>,
}

impl Decoder {
    /// The text of what was held back and these bytes, as far as its characters are whole. What is not UTF-8 becomes U+FFFD,
    /// as on a terminal's screen.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        let mut text = String::with_capacity(all.len());
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            match chunk.invalid() {
                [] => {}
                last if chunks.peek().is_none() && is_beginning(last) => self.held = last.to_vec(),
                _ => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
        text
    }
}

/// Whether more bytes could make a character of these.
fn is_beginning(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use crate::emulator::{Backend, Options};
    use crate::random::{Random, rounds};

    #[test]
    fn a_character_in_pieces_comes_when_it_is_whole() {
        let text = "aé界😀z";
        for size in 1..5 {
            let mut decoder = Decoder::default();
            let pieces = text.as_bytes().chunks(size);
            let whole: String = pieces.map(|piece| decoder.push(piece)).collect();
            assert_eq!(whole, text, "{size} bytes at a time");
        }
    }

    #[test]
    fn what_is_no_character_is_replaced_and_holds_nothing_up() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b"\xe7\x95"), "");
        assert_eq!(decoder.push(b"x"), "\u{fffd}x");
        assert_eq!(decoder.push(b"\xff"), "\u{fffd}");
        assert_eq!(decoder.push(b""), "");
    }

    #[test]
    fn any_bytes_in_any_pieces_are_the_text_of_all_of_them() {
        let mut random = Random::new(5);
        for _ in 0..rounds() {
            let mut bytes = random.bytes(40);
            // What ends inside a character is held back for ever.
            bytes.push(b'.');
            let mut decoder = Decoder::default();
            let mut text = String::new();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(1 + random.below(rest.len()));
                text.push_str(&decoder.push(piece));
                rest = after;
            }
            assert_eq!(text, String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn a_terminal_shows_of_the_texts_what_it_shows_of_the_bytes() {
        // But no byte of 0x80 to 0x9f alone, which this terminal takes for a control and shows nothing for.
        let words: [&[u8]; 11] = [
            b"abc",
            b"\r\n",
            "é界😀".as_bytes(),
            b"\xff",
            b"\xe7\x95",
            b"\xf0\x9f\x98",
            b"\xc3",
            b"\x1b[31m",
            b"\x1b[2;3H",
            b"\x1b[",
            b"K\xe9\x1b\xc3",
        ];
        let mut random = Random::new(8);
        for _ in 0..rounds() {
            let size = Size { cols: 12, rows: 4 };
            let terminal = || Backend::Alacritty.emulator(size, Options::default());
            let (mut of_bytes, mut of_texts) = (terminal(), terminal());
            let mut decoder = Decoder::default();
            let mut told = Vec::new();
            for _ in 0..12 {
                let word = *random.pick(&words);
                let (piece, rest) = word.split_at(random.below(word.len() + 1));
                for piece in [piece, rest] {
                    of_bytes.feed(piece);
                    of_texts.feed(decoder.push(piece).as_bytes());
                    told.extend_from_slice(piece);
                    let (expected, found) = (of_bytes.screen(), of_texts.screen());
                    assert_eq!(found, expected, "{}", told.escape_ascii());
                }
            }
        }
    }
}
