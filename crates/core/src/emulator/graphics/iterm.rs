//! Inline files of iTerm2 (OSC 1337).
//!
//! `File=` carries a whole file. `MultipartFile=`, `FilePart=` and `FileEnd` carry it in parts,
//! since some terminals limit the length of a string. Files that are not inline are downloads,
//! which have no effect.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::base64::Base64Decoder;
use super::cells::CellGeometry;
use super::kitty::placement::fit;
use crate::screen::geometry::Size;
use crate::screen::image::{
    CELL_HEIGHT, CELL_WIDTH, ImageContent, ImageRect, ImageSize, cells_for,
};

#[cfg(test)]
mod tests;

/// Maximum size of a file.
const MAX_FILE: usize = 32 << 20;
/// Maximum length of the arguments that a dump restores: more than all of them take.
const MAX_ARGUMENTS: usize = 4096;
/// Maximum height in rows, as in iTerm2.
const MAX_ROWS: u32 = 255;

/// A width or height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ItermLength {
    /// From the size of the image.
    #[default]
    Auto,
    Cells(u32),
    Pixels(u32),
    /// Of the screen.
    Percent(u32),
}

/// The arguments of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ItermFile {
    pub(crate) width: ItermLength,
    pub(crate) height: ItermLength,
    keeps_shape: bool,
    pub(crate) is_inline: bool,
    /// Whether the cursor moves; an addition of WezTerm.
    pub(crate) moves_cursor: bool,
}

impl ItermFile {
    /// Parses `key=value` pairs, separated by `;`. Unknown keys are ignored.
    pub(crate) fn parse(arguments: &[u8]) -> ItermFile {
        let mut file = ItermFile {
            width: ItermLength::Auto,
            height: ItermLength::Auto,
            keeps_shape: true,
            is_inline: false,
            moves_cursor: true,
        };
        for pair in arguments.split(|byte| *byte == b';') {
            let Some(end) = pair.iter().position(|byte| *byte == b'=') else {
                continue;
            };
            let (key, value) = (&pair[..end], &pair[end + 1..]);
            match key {
                b"inline" => file.is_inline = value == b"1",
                b"width" => file.width = length(value),
                b"height" => file.height = length(value),
                b"preserveAspectRatio" => file.keeps_shape = value != b"0",
                b"doNotMoveCursor" => file.moves_cursor = value != b"1",
                _ => {}
            }
        }
        file
    }

    /// Computes the cells of an image at a column of the screen.
    pub(crate) fn geometry(&self, image: ImageSize, col: usize, size: Size) -> CellGeometry {
        let box_side = |length: ItermLength, cell: u32, cells: u16| match length {
            ItermLength::Auto => None,
            ItermLength::Cells(count) => Some(count.clamp(1, 10_000) * cell),
            ItermLength::Pixels(pixels) => Some(pixels.clamp(1, 100_000)),
            ItermLength::Percent(percent) => {
                let share = u32::from(cells) * percent.min(100);
                Some(share.div_ceil(100).max(1) * cell)
            }
        };
        let width = box_side(self.width, CELL_WIDTH, size.cols);
        let height = box_side(self.height, CELL_HEIGHT, size.rows);
        // A side that is not given follows from the shape, whether that is kept or not.
        let unlimited = u32::MAX / 2;
        let mut room = match (width, height) {
            (None, None) => image,
            (Some(width), None) => fit(image, ImageSize::new(width, unlimited)),
            (None, Some(height)) => fit(image, ImageSize::new(unlimited, height)),
            (Some(width), Some(height)) => ImageSize::new(width, height),
        };
        let columns_left = usize::from(size.cols).saturating_sub(col).max(1) as u32;
        let widest = columns_left * CELL_WIDTH;
        if room.width > widest {
            room = fit(room, ImageSize::new(widest, room.height));
        }
        room.height = room.height.min(MAX_ROWS * CELL_HEIGHT);
        let drawn = if self.keeps_shape {
            fit(image, room)
        } else {
            room
        };
        CellGeometry {
            cols: cells_for(room.width, CELL_WIDTH),
            rows: cells_for(room.height, CELL_HEIGHT),
            source: ImageRect::of(image),
            drawn: ImageRect {
                x: (room.width - drawn.width) / 2,
                y: (room.height - drawn.height) / 2,
                width: drawn.width,
                height: drawn.height,
            },
        }
    }
}

/// Parses a length: `8` is cells, `8px` pixels, `8%` a share of the screen; anything else, such as
/// `auto`, lets the terminal choose.
fn length(text: &[u8]) -> ItermLength {
    let number = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).ok()?;
        digits.parse::<u32>().ok().filter(|number| *number > 0)
    };
    let length = if let Some(digits) = text.strip_suffix(b"px") {
        number(digits).map(ItermLength::Pixels)
    } else if let Some(digits) = text.strip_suffix(b"%") {
        number(digits).map(ItermLength::Percent)
    } else {
        number(text).map(ItermLength::Cells)
    };
    length.unwrap_or_default()
}

/// A file while it arrives.
#[derive(Debug)]
pub(crate) struct ItermTransfer {
    pub(crate) file: ItermFile,
    /// As they were received, for a dump.
    arguments: Vec<u8>,
    base64: Base64Decoder,
    data: Vec<u8>,
}

impl ItermTransfer {
    /// Starts a file with these arguments.
    pub(crate) fn new(arguments: &[u8]) -> ItermTransfer {
        ItermTransfer {
            file: ItermFile::parse(arguments),
            arguments: arguments[..arguments.len().min(MAX_ARGUMENTS)].to_vec(),
            base64: Base64Decoder::default(),
            data: Vec::new(),
        }
    }

    /// Adds data in base64. Data of a download is not stored.
    pub(crate) fn put(&mut self, base64: &[u8]) {
        if self.file.is_inline {
            self.base64.put(base64, &mut self.data, MAX_FILE + 1);
        }
    }

    /// Writes the parts that have arrived.
    pub(crate) fn dump(&self, out: &mut String) {
        out.push_str("\x1b]1337;MultipartFile=");
        out.push_str(&String::from_utf8_lossy(&self.arguments));
        out.push_str("\x07\x1b]1337;FilePart=");
        STANDARD.encode_string(&self.data, out);
        out.extend(self.base64.incomplete());
        out.push('\x07');
    }

    /// Returns the image; `None` if the file is not an image in a supported format, or too large.
    pub(crate) fn finish(mut self) -> Option<ImageContent> {
        let is_valid = self.base64.finish(&mut self.data, MAX_FILE + 1);
        if !is_valid || self.data.len() > MAX_FILE {
            return None;
        }
        ImageContent::file(self.data)
    }
}
