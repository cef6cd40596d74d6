//! Strings that carry images: sixels, kitty's graphics, iTerm2's files.
//!
//! Their data may be many megabytes, so it is counted but never stored. Only the head of a string,
//! which describes the image, is read.

use super::super::terminal::Terminal;
use crate::emulator::{Image, ImageKind, ImageLength};
use crate::screen::geometry::Position;

/// A string in progress, of a kind that the parser skips or passes on byte by byte.
#[derive(Debug)]
pub(crate) struct StringInProgress {
    pub(crate) kind: StringKind,
    head: Vec<u8>,
    bytes: u64,
    position: Position,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StringKind {
    Sixel,
    /// Application program command.
    Apc,
    /// Privacy message.
    Pm,
    /// Start of string.
    Sos,
    /// An operating system command that is too long to be stored.
    Osc,
}

impl StringInProgress {
    /// Number of bytes stored of a string: more than any program sends before the data.
    pub(crate) const HEAD: usize = 1024;

    fn put(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let room = StringInProgress::HEAD - self.head.len();
        self.head.extend_from_slice(&bytes[..room.min(bytes.len())]);
    }
}

impl Terminal {
    pub(crate) fn begin_string(&mut self, kind: StringKind) {
        self.string_in_progress = Some(StringInProgress {
            kind,
            head: Vec::new(),
            bytes: 0,
            position: self.cursor_position(),
        });
    }

    /// Handles an operating system command that grew too long to be stored; `command` is its start.
    /// Returns whether it carries an image.
    pub(crate) fn begin_long_osc(&mut self, command: &[u8]) -> bool {
        let head = &command[..command.len().min(StringInProgress::HEAD)];
        let is_image = iterm(head.split(|byte| *byte == b';')).is_some();
        if is_image {
            self.begin_string(StringKind::Osc);
            self.put_string(command);
        }
        is_image
    }

    pub(crate) fn put_string(&mut self, bytes: &[u8]) {
        if let Some(incoming) = &mut self.string_in_progress {
            incoming.put(bytes);
        }
    }

    /// Counts bytes that are not read.
    pub(crate) fn skip_string(&mut self, bytes: u64) {
        if let Some(incoming) = &mut self.string_in_progress {
            incoming.bytes += bytes;
        }
    }

    pub(crate) fn end_string(&mut self) {
        let Some(incoming) = self.string_in_progress.take() else {
            return;
        };
        let kind = match incoming.kind {
            StringKind::Sixel => return self.add_sixel(&incoming),
            StringKind::Osc => {
                let parts = incoming.head.split(|byte| *byte == b';');
                if let Some(mut file) = iterm(parts) {
                    file.bytes += incoming.bytes - incoming.head.len() as u64;
                    self.add_file(file, incoming.position);
                }
                return;
            }
            StringKind::Apc => match incoming.head.strip_prefix(b"G") {
                Some(head) => return self.graphics_command(head, &incoming),
                None => "APC",
            },
            StringKind::Pm => "PM",
            StringKind::Sos => "SOS",
        };
        self.unknown(readable(kind, &incoming.head));
    }

    fn cursor_position(&self) -> Position {
        Position {
            row: self.cursor.row,
            col: self.cursor.col,
        }
    }
}

/// Sixels.
impl Terminal {
    /// Records a sixel image. Its size is in the raster attributes, `"1;1;width;height`, if
    /// present.
    fn add_sixel(&mut self, incoming: &StringInProgress) {
        let raster = incoming.head.strip_prefix(b"\"").unwrap_or_default();
        let end = raster
            .iter()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b';'));
        let mut numbers = raster[..end.unwrap_or(raster.len())]
            .split(|byte| *byte == b';')
            .skip(2)
            .map(|digits| number(digits).map(ImageLength::Pixels));
        self.notes.add_image(Image {
            kind: ImageKind::Sixel,
            position: incoming.position,
            width: numbers.next().flatten(),
            height: numbers.next().flatten(),
            bytes: incoming.bytes,
        });
    }
}

/// The kitty graphics protocol.
impl Terminal {
    /// Handles `keys;data`. An image may come in several commands; all but the last have `m=1`.
    fn graphics_command(&mut self, head: &[u8], incoming: &StringInProgress) {
        let end = head.iter().position(|byte| *byte == b';');
        let keys = &head[..end.unwrap_or(head.len())];
        let data = match end {
            Some(end) => incoming.bytes - end as u64 - 2,
            None => 0,
        };
        let pairs = keys.split(|byte| *byte == b',').filter_map(|pair| {
            let (key, value) = pair.split_first()?;
            Some((*key, value.strip_prefix(b"=")?))
        });
        let value = |wanted| pairs.clone().find(|(key, _)| *key == wanted);
        let value = |wanted| value(wanted).map(|(_, value)| value);
        let more = value(b'm') == Some(b"1");
        let continues = pairs
            .clone()
            .all(|(key, _)| matches!(key, b'm' | b'q' | b'i' | b'I'));
        let begun = self.partial_image.take();
        let image = match (continues, begun) {
            (true, Some(begun)) if begun.kind == ImageKind::Kitty => Image {
                bytes: begun.bytes + data,
                ..begun
            },
            // Without the first command of the image, this part may belong to anything.
            (true, _) => return self.unknown(readable("APC", &[b"G", keys].concat())),
            (false, _) => match value(b'a').unwrap_or(b"t") {
                b"t" | b"T" => Image {
                    kind: ImageKind::Kitty,
                    position: incoming.position,
                    width: length(value(b'c'), value(b's')),
                    height: length(value(b'r'), value(b'v')),
                    bytes: data,
                },
                action => {
                    let name = readable("APC", &[b"G", keys].concat());
                    if action == b"q" {
                        self.notes.add_unanswered(name.clone());
                    }
                    return self.unknown(name);
                }
            },
        };
        if more {
            self.partial_image = Some(image);
        } else {
            self.notes.add_image(image);
        }
    }
}

/// Returns the size in cells if given, otherwise in pixels.
fn length(cells: Option<&[u8]>, pixels: Option<&[u8]>) -> Option<ImageLength> {
    let cells = cells.and_then(number).map(ImageLength::Cells);
    cells.or_else(|| pixels.and_then(number).map(ImageLength::Pixels))
}

/// Inline files of iTerm2.
impl Terminal {
    /// Handles OSC 1337: a whole image or a part of one. Returns false for other commands.
    pub(super) fn iterm_command(&mut self, parts: &[&[u8]]) -> bool {
        let position = self.cursor_position();
        let first = parts.get(1).copied().unwrap_or_default();
        if let Some(file) = iterm(parts.iter().copied()) {
            if first.starts_with(b"File=") {
                self.add_file(file, position);
            } else {
                self.partial_image = Some(Image { position, ..file });
            }
            return true;
        }
        let Some(mut begun) = self
            .partial_image
            .filter(|begun| begun.kind == ImageKind::Iterm)
        else {
            return false;
        };
        if let Some(data) = first.strip_prefix(b"FilePart=") {
            begun.bytes += data.len() as u64;
            self.partial_image = Some(begun);
        } else if first == b"FileEnd" {
            self.partial_image = None;
            self.notes.add_image(begun);
        } else {
            return false;
        }
        true
    }

    fn add_file(&mut self, file: Image, position: Position) {
        self.notes.add_image(Image { position, ..file });
    }
}

/// Parses `1337;File=key=value;key=value:data`, or `MultipartFile=` without data. A file that is
/// not inline is a download and not an image.
fn iterm<'a>(mut parts: impl Iterator<Item = &'a [u8]>) -> Option<Image> {
    if parts.next()? != b"1337" {
        return None;
    }
    let first = parts.next()?;
    let first = first
        .strip_prefix(b"File=")
        .or_else(|| first.strip_prefix(b"MultipartFile="))?;
    let mut image = Image {
        kind: ImageKind::Iterm,
        position: Position::default(),
        width: None,
        height: None,
        bytes: 0,
    };
    let mut inline = false;
    for part in std::iter::once(first).chain(parts) {
        let end = part.iter().position(|byte| *byte == b':');
        let (pair, data) = part.split_at(end.unwrap_or(part.len()));
        image.bytes += data.len().saturating_sub(1) as u64;
        match pair
            .iter()
            .position(|byte| *byte == b'=')
            .map(|at| pair.split_at(at))
        {
            Some((b"inline", b"=1")) => inline = true,
            Some((b"width", value)) => image.width = iterm_length(&value[1..]),
            Some((b"height", value)) => image.height = iterm_length(&value[1..]),
            _ => {}
        }
    }
    inline.then_some(image)
}

/// Parses a size: `8` is cells, `8px` pixels, `8%` a percentage of the screen; `auto` lets the
/// terminal choose.
fn iterm_length(text: &[u8]) -> Option<ImageLength> {
    if let Some(digits) = text.strip_suffix(b"px") {
        number(digits).map(ImageLength::Pixels)
    } else if let Some(digits) = text.strip_suffix(b"%") {
        number(digits).map(ImageLength::Percent)
    } else {
        number(text).map(ImageLength::Cells)
    }
}

/// Parses a number; 0 counts as missing.
fn number(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    text.parse().ok().filter(|number| *number > 0)
}

/// Returns a string for messages; long ones are truncated.
fn readable(kind: &str, head: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(head).chars().take(40).collect();
    format!("{kind} {}", text.escape_debug())
}
