//! The content of an image, and the hash by which tests name it.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::{ImageFormat, ImageSize};

/// An image: its pixels or its file. Two images are equal if their hashes and sizes are equal.
#[derive(Clone)]
pub struct ImageContent {
    hash: ImageHash,
    size: ImageSize,
    data: ImageData,
}

/// The data of an image.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageData {
    /// Red, green, blue and alpha of each pixel, row by row; not premultiplied.
    Rgba(Box<[u8]>),
    /// A file as the program sent it.
    File(ImageFormat, Box<[u8]>),
    /// Not known: the screen was read from a format that stores only the hash.
    Missing,
}

impl ImageContent {
    /// Creates an image of pixels: red, green, blue and alpha of each. Returns `None` if the size
    /// is not allowed or the number of bytes does not fit it.
    pub fn rgba(size: ImageSize, pixels: impl Into<Box<[u8]>>) -> Option<ImageContent> {
        let pixels: Box<[u8]> = pixels.into();
        let fits = size.is_allowed() && pixels.len() as u64 == size.pixels() * 4;
        fits.then(|| {
            let mut digest = Sha256::new();
            digest.update(size.width.to_be_bytes());
            digest.update(size.height.to_be_bytes());
            digest.update(&pixels);
            ImageContent {
                hash: ImageHash(digest.finalize().into()),
                size,
                data: ImageData::Rgba(pixels),
            }
        })
    }

    /// Creates an image of a file in a supported format. Only the header is read. Returns `None`
    /// for other files and for sizes that are not allowed.
    pub fn file(bytes: impl Into<Box<[u8]>>) -> Option<ImageContent> {
        let bytes: Box<[u8]> = bytes.into();
        let (format, size) = ImageFormat::read(&bytes)?;
        size.is_allowed().then(|| ImageContent {
            hash: ImageHash(Sha256::digest(&bytes).into()),
            size,
            data: ImageData::File(format, bytes),
        })
    }

    /// Creates an image whose data is not known.
    pub fn missing(hash: ImageHash, size: ImageSize) -> ImageContent {
        ImageContent {
            hash,
            size,
            data: ImageData::Missing,
        }
    }

    /// Returns the hash: the SHA-256 digest of the file, or of width, height (four bytes each, most
    /// significant first) and pixels (four bytes each: red, green, blue, alpha).
    pub fn hash(&self) -> ImageHash {
        self.hash
    }

    /// Returns the size in pixels.
    pub fn size(&self) -> ImageSize {
        self.size
    }

    /// Returns the data.
    pub fn data(&self) -> &ImageData {
        &self.data
    }

    /// Returns the memory that it takes.
    pub fn bytes(&self) -> usize {
        let data = match &self.data {
            ImageData::Rgba(bytes) | ImageData::File(_, bytes) => bytes.len(),
            ImageData::Missing => 0,
        };
        data + size_of::<ImageContent>()
    }
}

impl PartialEq for ImageContent {
    fn eq(&self, other: &ImageContent) -> bool {
        (self.hash, self.size) == (other.hash, other.size)
    }
}

impl Eq for ImageContent {}

/// Omits the data, which may be many megabytes.
impl fmt::Debug for ImageContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ImageContent({} {})", self.hash, self.size)
    }
}

impl fmt::Debug for ImageData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImageData::Rgba(pixels) => write!(f, "Rgba({} bytes)", pixels.len()),
            ImageData::File(format, bytes) => write!(f, "File({format:?}, {} bytes)", bytes.len()),
            ImageData::Missing => f.write_str("Missing"),
        }
    }
}

/// The hash of an image's content: see [`ImageContent::hash`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImageHash(pub [u8; 32]);

impl ImageHash {
    /// Number of hexadecimal digits in messages. Two different images of one test have the same
    /// digits with a probability of 1 in 2⁴⁸.
    pub const SHORT: usize = 12;

    /// Returns all 64 hexadecimal digits.
    pub fn to_hex(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Parses 64 hexadecimal digits.
    pub fn from_hex(digits: &str) -> Option<ImageHash> {
        let mut bytes = [0; 32];
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
            *byte = (high? << 4 | low?) as u8;
        }
        Some(ImageHash(bytes))
    }
}

/// The first 12 hexadecimal digits.
impl fmt::Display for ImageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = &self.0[..ImageHash::SHORT / 2];
        short.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ImageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ImageHash({self})")
    }
}

/// The first hexadecimal digits of a hash, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HashPrefix(String);

/// A text that is not the start of a hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the hash of an image: expected 4 to 64 hexadecimal digits")]
pub struct HashPrefixError(pub String);

impl HashPrefix {
    /// Minimum number of digits: with fewer, different images match too easily.
    pub const MIN: usize = 4;

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a hash starts with these digits.
    pub fn matches(&self, hash: ImageHash) -> bool {
        hash.to_hex().starts_with(&self.0)
    }
}

impl FromStr for HashPrefix {
    type Err = HashPrefixError;

    fn from_str(digits: &str) -> Result<HashPrefix, HashPrefixError> {
        let all = (HashPrefix::MIN..=64).contains(&digits.len());
        if all && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            Ok(HashPrefix(digits.to_ascii_lowercase()))
        } else {
            Err(HashPrefixError(digits.to_owned()))
        }
    }
}

impl From<ImageHash> for HashPrefix {
    fn from(hash: ImageHash) -> HashPrefix {
        HashPrefix(hash.to_hex())
    }
}

impl fmt::Display for HashPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: ImageSize = ImageSize::new(1, 1);

    #[test]
    fn the_hash_of_pixels_depends_on_colours_and_size() {
        let hash = |width, height, pixels: &[u8]| {
            let size = ImageSize::new(width, height);
            ImageContent::rgba(size, pixels).map(|image| image.hash())
        };
        let red = [255, 0, 0, 255].repeat(2);
        assert_ne!(hash(2, 1, &red), hash(1, 2, &red));
        assert_eq!(hash(2, 1, &red), hash(2, 1, &red));
        assert_eq!(hash(2, 2, &red), None);
        assert_eq!(hash(0, 1, &[]), None);
        // Computed with `printf '\0\0\0\1\0\0\0\1\377\0\0\377' | sha256sum`.
        let one = ImageContent::rgba(ONE, [255, 0, 0, 255]).expect("it fits");
        assert_eq!(one.hash().to_string(), "da420d7a0250");
    }

    #[test]
    fn an_image_without_data_equals_the_one_with_the_same_hash() {
        let known = ImageContent::rgba(ONE, [1, 2, 3, 4]).expect("it fits");
        let missing = ImageContent::missing(known.hash(), known.size());
        assert_eq!(known, missing);
        let other = ImageContent::rgba(ONE, [1, 2, 3, 5]).expect("it fits");
        assert_ne!(known, other);
    }

    #[test]
    fn a_prefix_matches_hashes_in_any_case() {
        let hash = ImageContent::rgba(ONE, [1, 2, 3, 4])
            .expect("it fits")
            .hash();
        let hex = hash.to_hex();
        assert_eq!(ImageHash::from_hex(&hex), Some(hash));
        let start = |length| hex.chars().take(length).collect::<String>();
        assert_eq!(ImageHash::from_hex(&start(62)), None);
        for length in [4, 12, 64] {
            let prefix: HashPrefix = start(length).to_uppercase().parse().expect("hex digits");
            assert!(prefix.matches(hash));
        }
        let error = "12g4".parse::<HashPrefix>().unwrap_err().to_string();
        assert_eq!(
            error,
            "`12g4` is not the hash of an image: expected 4 to 64 hexadecimal digits"
        );
        assert!("123".parse::<HashPrefix>().is_err());
    }
}
