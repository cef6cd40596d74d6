//! Decodes base64 that arrives in pieces.
//!
//! Image data comes in strings of many megabytes, cut at any byte, and each chunk of a longer
//! transfer may have its own padding. Both need a decoder with a state, which the crate `base64`
//! does not have without a `Read` around it.

/// Decodes base64 in pieces.
#[derive(Debug, Default, Clone)]
pub(crate) struct Base64Decoder {
    /// The characters of an incomplete group of four, six bits each.
    held: u32,
    count: u32,
    invalid: bool,
}

impl Base64Decoder {
    /// Decodes characters and appends the bytes, up to a total of `most`; further bytes are
    /// dropped. Line ends are skipped. Padding ends a group.
    pub(crate) fn put(&mut self, characters: &[u8], out: &mut Vec<u8>, most: usize) {
        for character in characters {
            let value = VALUES[usize::from(*character)];
            match value {
                0..64 => {
                    self.held = self.held << 6 | u32::from(value);
                    self.count += 1;
                    if self.count == 4 {
                        let [_, bytes @ ..] = self.held.to_be_bytes();
                        (self.held, self.count) = (0, 0);
                        let room = most.saturating_sub(out.len()).min(3);
                        out.extend_from_slice(&bytes[..room]);
                    }
                }
                PADDING => self.finish_group(out, most),
                SKIPPED => {}
                _ => self.invalid = true,
            }
        }
    }

    /// Returns the characters of an incomplete group.
    pub(crate) fn incomplete(&self) -> impl Iterator<Item = char> {
        let held = self.held;
        (0..self.count).rev().map(move |index| {
            let value = held >> (6 * index) & 63;
            char::from(ALPHABET[value as usize])
        })
    }

    /// Ends the data, which may lack its padding. Returns false if it had invalid characters.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>, most: usize) -> bool {
        self.finish_group(out, most);
        !self.invalid
    }

    fn finish_group(&mut self, out: &mut Vec<u8>, most: usize) {
        let count = std::mem::take(&mut self.count);
        let held = std::mem::take(&mut self.held);
        let whole = match count {
            0 => return,
            // Six bits are less than a byte.
            1 => {
                self.invalid = true;
                return;
            }
            count => count as usize - 1,
        };
        let [_, bytes @ ..] = (held << (6 * (4 - count))).to_be_bytes();
        let room = most.saturating_sub(out.len()).min(whole);
        out.extend_from_slice(&bytes[..room]);
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING: u8 = 64;
const SKIPPED: u8 = 65;

/// The value of each character; 255 for invalid ones.
const VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let mut index = 0;
    while index < ALPHABET.len() {
        values[ALPHABET[index] as usize] = index as u8;
        index += 1;
    }
    values[b'=' as usize] = PADDING;
    values[b'\n' as usize] = SKIPPED;
    values[b'\r' as usize] = SKIPPED;
    values
};

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
    use screentest_fixtures::random::Random;

    use super::*;

    fn decoded(pieces: &[&[u8]], most: usize) -> Option<Vec<u8>> {
        let (mut decoder, mut out) = (Base64Decoder::default(), Vec::new());
        for piece in pieces {
            decoder.put(piece, &mut out, most);
        }
        decoder.finish(&mut out, most).then_some(out)
    }

    #[test]
    fn padded_and_unpadded_data_is_decoded_however_it_is_cut() {
        let mut random = Random::new(1);
        for length in 0..200 {
            let bytes = random.bytes(length);
            for text in [STANDARD.encode(&bytes), STANDARD_NO_PAD.encode(&bytes)] {
                let (one, other) = text.as_bytes().split_at(random.below(text.len() + 1));
                assert_eq!(decoded(&[one, other], usize::MAX), Some(bytes.clone()));
                let most = random.below(length + 1);
                let cut = decoded(&[one, other], most).expect("it is valid");
                assert_eq!(cut, bytes[..most]);
            }
        }
    }

    #[test]
    fn every_chunk_may_have_its_own_padding() {
        assert_eq!(decoded(&[b"YQ==", b"Yg=="], 9), Some(b"ab".to_vec()));
        assert_eq!(decoded(&[b"YQ=\r\n=Yg"], 9), Some(b"ab".to_vec()));
    }

    #[test]
    fn other_characters_and_a_single_one_are_invalid() {
        assert_eq!(decoded(&[b"YQ!="], 9), None);
        assert_eq!(decoded(&[b"YWJjZ"], 9), None);
        assert_eq!(decoded(&[b""], 9), Some(Vec::new()));
    }
}
