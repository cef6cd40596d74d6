//! Reads format and size from the header of an image file.
//!
//! Written by hand because nothing else is needed here: the pixels are decoded where they are
//! drawn, in `screentest-render`, so that this crate needs no decoders. Every function reads a file
//! at most once, and nothing is allocated.

use super::ImageSize;

/// The format of an image file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// TIFF. `chafa` sends uncompressed TIFF files to iTerm2.
    Tiff,
}

impl ImageFormat {
    /// Returns format and size of a file, or `None` if its header is not valid.
    pub fn read(file: &[u8]) -> Option<(ImageFormat, ImageSize)> {
        let found = |format, size: Option<(u32, u32)>| {
            let (width, height) = size?;
            Some((format, ImageSize { width, height }))
        };
        match file {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', rest @ ..] => {
                found(ImageFormat::Png, png(rest))
            }
            [0xff, 0xd8, rest @ ..] => found(ImageFormat::Jpeg, jpeg(rest)),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', rest @ ..] => {
                found(ImageFormat::Gif, gif(rest))
            }
            [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => {
                found(ImageFormat::Tiff, tiff(file))
            }
            _ => None,
        }
    }

    /// Returns the type of such a file on the web.
    pub fn media_type(self) -> &'static str {
        match self {
            ImageFormat::Png => "image/png",
            ImageFormat::Jpeg => "image/jpeg",
            ImageFormat::Gif => "image/gif",
            ImageFormat::Tiff => "image/tiff",
        }
    }
}

/// The first chunk is IHDR: length, name, width, height.
fn png(after_signature: &[u8]) -> Option<(u32, u32)> {
    let [_, _, _, _, b'I', b'H', b'D', b'R', rest @ ..] = after_signature else {
        return None;
    };
    let (width, rest) = rest.split_first_chunk()?;
    let height = rest.first_chunk()?;
    Some((u32::from_be_bytes(*width), u32::from_be_bytes(*height)))
}

/// The size is in the first frame header (SOF); segments before it are skipped.
fn jpeg(after_start: &[u8]) -> Option<(u32, u32)> {
    let mut rest = after_start;
    loop {
        // Any number of FF bytes may precede a marker.
        let marker = match rest {
            [0xff, 0xff, ..] => {
                rest = &rest[1..];
                continue;
            }
            [0xff, marker, after @ ..] => {
                rest = after;
                *marker
            }
            _ => return None,
        };
        match marker {
            // Markers without a segment.
            0x01 | 0xd0..=0xd7 => continue,
            // The data would follow here.
            0x00 | 0xd8..=0xda => return None,
            _ => {}
        }
        let [high, low, segment @ ..] = rest else {
            return None;
        };
        let length = usize::from(u16::from_be_bytes([*high, *low])).checked_sub(2)?;
        let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if is_frame {
            // Bits per sample, height, width.
            let [_, a, b, c, d, ..] = segment.get(..length)? else {
                return None;
            };
            let number = |high, low| u32::from(u16::from_be_bytes([high, low]));
            return Some((number(*c, *d), number(*a, *b)));
        }
        rest = segment.get(length..)?;
    }
}

/// The size of the canvas, on which the frames are drawn.
fn gif(after_version: &[u8]) -> Option<(u32, u32)> {
    let [a, b, c, d, ..] = after_version else {
        return None;
    };
    let number = |low, high| u32::from(u16::from_le_bytes([low, high]));
    Some((number(*a, *b), number(*c, *d)))
}

/// The entries of the first directory with the numbers 256 and 257.
fn tiff(file: &[u8]) -> Option<(u32, u32)> {
    let tiff = Tiff { file };
    Some((tiff.first(256)?, tiff.first(257)?))
}

/// A TIFF file; reads the numbers in its first directory.
#[derive(Debug, Clone, Copy)]
pub struct Tiff<'a> {
    /// The whole file.
    pub file: &'a [u8],
}

impl Tiff<'_> {
    /// Returns the first number of an entry.
    pub fn first(self, tag: u16) -> Option<u32> {
        self.nth(tag, 0)
    }

    /// Returns one of the numbers of an entry. Entries of other types than 16 or 32 bits are
    /// ignored.
    pub fn nth(self, tag: u16, index: usize) -> Option<u32> {
        let directory = self.long(4)? as usize;
        let count = self.short(directory)?;
        let entries = directory.checked_add(2)?;
        // Directories are sorted and short; a file cannot make this search expensive.
        let entry = (0..usize::from(count.min(256)))
            .map(|index| entries.saturating_add(index * 12))
            .find(|at| self.short(*at) == Some(tag))?;
        let kind = self.short(entry + 2)?;
        let numbers = self.long(entry + 4)? as usize;
        let width = match kind {
            3 => 2,
            4 => 4,
            _ => return None,
        };
        if index >= numbers {
            return None;
        }
        // Up to four bytes are stored in the entry itself, more elsewhere.
        let place = if numbers.checked_mul(width)? <= 4 {
            entry + 8
        } else {
            self.long(entry + 8)? as usize
        };
        let at = place.checked_add(index.checked_mul(width)?)?;
        match width {
            2 => self.short(at).map(u32::from),
            _ => self.long(at),
        }
    }

    fn short(self, at: usize) -> Option<u16> {
        let bytes = self.file.get(at..)?.first_chunk()?;
        Some(match self.file.first()? {
            b'I' => u16::from_le_bytes(*bytes),
            _ => u16::from_be_bytes(*bytes),
        })
    }

    fn long(self, at: usize) -> Option<u32> {
        let bytes = self.file.get(at..)?.first_chunk()?;
        Some(match self.file.first()? {
            b'I' => u32::from_le_bytes(*bytes),
            _ => u32::from_be_bytes(*bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &[u8], expected: Option<(ImageFormat, u32, u32)>) {
        let read = |file| ImageFormat::read(file).map(|(f, s)| (f, s.width, s.height));
        assert_eq!(read(file), expected);
        // A truncated header is not valid, and reading it does not panic.
        for end in 0..file.len() {
            let cut = read(&file[..end]);
            assert!(cut.is_none() || cut == expected, "{end}");
        }
    }

    #[test]
    fn png_gif_and_jpeg_state_their_size() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\0\0\0\0\x20\x08\x06";
        check(png, Some((ImageFormat::Png, 256, 32)));
        check(
            b"GIF89a\x30\x01\x20\0\x80",
            Some((ImageFormat::Gif, 304, 32)),
        );
        let jpeg =
            b"\xff\xd8\xff\xe0\0\x06JFIF\xff\xff\xff\xdb\0\x03\0\xff\xc2\0\x08\x08\0\x20\x01\0\x03";
        check(jpeg, Some((ImageFormat::Jpeg, 256, 32)));
        // The scan begins without a frame header.
        check(
            b"\xff\xd8\xff\xda\0\x04\0\0\xff\xc0\0\x07\x08\0\x20\0\x20",
            None,
        );
        check(b"\xff\xd8\xff\xe0\0\0\xff\xe0", None);
        check(b"BM\0\0\0\0", None);
    }

    #[test]
    fn tiff_states_its_size_in_both_byte_orders() {
        let entry = |tag: u16, kind: u16, value: u32| {
            let mut bytes = Vec::new();
            bytes.extend(tag.to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(1u32.to_le_bytes());
            bytes.extend(value.to_le_bytes());
            bytes
        };
        let mut little = b"II*\0\x08\0\0\0\x02\0".to_vec();
        little.extend(entry(256, 3, 64));
        little.extend(entry(257, 4, 16));
        check(&little, Some((ImageFormat::Tiff, 64, 16)));
        let big = b"MM\0*\0\0\0\x08\0\x02\
            \x01\0\0\x03\0\0\0\x01\0\x40\0\0\
            \x01\x01\0\x04\0\0\0\x01\0\0\0\x10";
        check(big, Some((ImageFormat::Tiff, 64, 16)));
        // A directory outside the file, and an entry whose values are outside it.
        check(b"II*\0\xff\xff\xff\xff", None);
        let far = b"II*\0\x08\0\0\0\x01\0\0\x01\x04\0\xff\xff\xff\xff\xff\xff\xff\xff";
        check(far, None);
    }
}
