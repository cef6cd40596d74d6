//! Converts bytes to the text that an asciicast can hold.
//!
//! A chunk of output may end inside a character. The bytes of such a character are held back until
//! the rest arrives, as asciinema does, so that the texts of all events joined are the program's
//! output.

/// Decodes consecutive chunks of bytes to text.
///
/// ```
/// use screentest_core::formats::asciicast::Utf8Decoder;
///
/// let mut decoder = Utf8Decoder::default();
/// assert_eq!(decoder.push(b"caf\xc3"), "caf");
/// assert_eq!(decoder.push(b"\xa9 \xff!"), "é \u{fffd}!");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Utf8Decoder {
    /// The start of an incomplete character, at most three bytes.
    held: Vec<u8>,
}

impl Utf8Decoder {
    /// Returns the text of the held-back bytes and `bytes`, up to the last complete character.
    /// Bytes that are not UTF-8 become U+FFFD, as on a terminal's screen.
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

/// Whether more bytes could complete a character.
fn is_beginning(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use crate::emulator::{Backend, EmulatorOptions};
    use crate::random::{Random, rounds};

    #[test]
    fn a_split_character_is_returned_when_it_is_complete() {
        let text = "aé界😀z";
        for size in 1..5 {
            let mut decoder = Utf8Decoder::default();
            let pieces = text.as_bytes().chunks(size);
            let whole: String = pieces.map(|piece| decoder.push(piece)).collect();
            assert_eq!(whole, text, "{size} bytes at a time");
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_without_delay() {
        let mut decoder = Utf8Decoder::default();
        assert_eq!(decoder.push(b"\xe7\x95"), "");
        assert_eq!(decoder.push(b"x"), "\u{fffd}x");
        assert_eq!(decoder.push(b"\xff"), "\u{fffd}");
        assert_eq!(decoder.push(b""), "");
    }

    #[test]
    fn chunks_decode_to_the_same_text_as_the_whole() {
        let mut random = Random::new(5);
        for _ in 0..rounds() {
            let mut bytes = random.bytes(40);
            // The input must not end inside a character: its bytes would be held back forever.
            bytes.push(b'.');
            let mut decoder = Utf8Decoder::default();
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
    fn decoded_text_gives_the_same_screen_as_the_bytes() {
        // None of the words contains a lone byte of 0x80 to 0x9f: this terminal interprets it as a
        // control character and shows nothing.
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
            let terminal = || Backend::Vt.emulator(size, EmulatorOptions::default());
            let (mut of_bytes, mut of_texts) = (terminal(), terminal());
            let mut decoder = Utf8Decoder::default();
            let mut fed = Vec::new();
            for _ in 0..12 {
                let word = *random.pick(&words);
                let (piece, rest) = word.split_at(random.below(word.len() + 1));
                for piece in [piece, rest] {
                    of_bytes.feed(piece);
                    of_texts.feed(decoder.push(piece).as_bytes());
                    fed.extend_from_slice(piece);
                    let (expected, found) = (of_bytes.screen(), of_texts.screen());
                    assert_eq!(found, expected, "{}", fed.escape_ascii());
                }
            }
        }
    }
}
