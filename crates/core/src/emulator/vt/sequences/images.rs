//! Strings that carry images: sixels, kitty's graphics, iTerm2's files.
//!
//! Sixels and kitty's data are decoded while they arrive, so that a slice of work stays small. The
//! files of iTerm2 are operating system commands and are decoded at their end.
//!
//! See also: `emulator/graphics.rs` (the protocols), `terminal/images.rs` (writes images into the
//! grid).

use std::sync::Arc;

use super::super::parsing::params::Params;
use super::super::parsing::parser::Parser;
use super::super::terminal::Terminal;
use super::super::terminal::images::{CoveredText, ImageScrolling};
use crate::emulator::graphics::cells::CellGeometry;
use crate::emulator::graphics::dump::{self, RestoreReader, Restored};
use crate::emulator::graphics::iterm::{ItermFile, ItermLength, ItermTransfer};
use crate::emulator::graphics::kitty::{KittyContext, KittyReader};
use crate::emulator::graphics::sixel::{SixelBackground, SixelDecoder};
use crate::emulator::vt::terminal::modes::Mode;
use crate::emulator::{Image, ImageKind, ImageLength};
use crate::screen::geometry::Position;
use crate::screen::image::ImageContent;

/// Work for each byte of an image when it is complete: its hash is computed, and it is compared
/// with the others.
const WORK_OF_BYTE: usize = 4;
/// Work of a graphics command, besides its data.
const WORK_OF_COMMAND: usize = 256;

/// A string in progress, of a kind that the parser passes on as it arrives.
#[derive(Debug)]
pub(crate) struct StringInProgress {
    kind: StringKind,
    content: StringContent,
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
}

/// What is known about a string so far.
#[derive(Debug)]
enum StringContent {
    /// It has no effect, or too little of it has arrived.
    Unknown,
    Sixel(Box<SixelDecoder>),
    Kitty(Box<KittyReader>),
    /// A piece of a dump.
    Restore(Box<RestoreReader>),
}

impl StringInProgress {
    /// Number of bytes stored of a string without effect, for messages.
    const HEAD: usize = 1024;
    /// Maximum length of a string with an image: the largest one as RGBA in base64 fits.
    pub(crate) const LONGEST_IMAGE: usize = 48 << 20;

    /// Returns how long the string may become.
    pub(crate) fn limit(&self) -> usize {
        match self.content {
            StringContent::Unknown => Parser::LONGEST,
            _ => StringInProgress::LONGEST_IMAGE,
        }
    }

    /// Processes bytes. Returns the work, besides the number of bytes.
    fn put(&mut self, bytes: &[u8]) -> usize {
        self.bytes += bytes.len() as u64;
        match &mut self.content {
            StringContent::Sixel(decoder) => return decoder.put(bytes),
            StringContent::Kitty(reader) => reader.put(bytes),
            StringContent::Restore(reader) => reader.put(bytes),
            StringContent::Unknown => {
                let room = StringInProgress::HEAD - self.head.len();
                let (head, rest) = bytes.split_at(room.min(bytes.len()));
                self.head.extend_from_slice(head);
                if self.kind == StringKind::Apc {
                    self.recognise(rest);
                }
            }
        }
        0
    }

    /// Starts to decode an application program command once its kind is known. `rest` are the
    /// bytes after the head.
    fn recognise(&mut self, rest: &[u8]) {
        if let Some(data) = self.head.strip_prefix(b"G") {
            let mut reader = KittyReader::default();
            reader.put(data);
            reader.put(rest);
            self.content = StringContent::Kitty(Box::new(reader));
        } else if let Some(data) = self.head.strip_prefix(dump::PREFIX) {
            let mut reader = RestoreReader::default();
            reader.put(data);
            reader.put(rest);
            self.content = StringContent::Restore(Box::new(reader));
        }
    }
}

impl Terminal {
    pub(crate) fn begin_string(&mut self, kind: StringKind) {
        self.begin_string_with(kind, StringContent::Unknown);
    }

    /// Begins a sixel image (DCS q).
    pub(crate) fn begin_sixel(&mut self, params: &Params) {
        let decoder = SixelDecoder::new(params.get(1));
        self.begin_string_with(StringKind::Sixel, StringContent::Sixel(Box::new(decoder)));
    }

    fn begin_string_with(&mut self, kind: StringKind, content: StringContent) {
        self.string_in_progress = Some(StringInProgress {
            kind,
            content,
            head: Vec::new(),
            bytes: 0,
            position: self.cursor_position(),
        });
    }

    #[inline]
    pub(crate) fn put_string(&mut self, bytes: &[u8]) {
        if let Some(incoming) = &mut self.string_in_progress {
            let work = incoming.put(bytes);
            self.add_work(work);
        }
    }

    pub(crate) fn end_string(&mut self) {
        let Some(incoming) = self.string_in_progress.take() else {
            return;
        };
        let StringInProgress {
            kind,
            content,
            head,
            bytes,
            position,
        } = incoming;
        match content {
            StringContent::Sixel(decoder) => self.add_sixel(*decoder, bytes, position),
            StringContent::Kitty(reader) => self.graphics_command(*reader),
            StringContent::Restore(reader) => self.restore_image(*reader),
            StringContent::Unknown => {
                let kind = match kind {
                    StringKind::Sixel => "DCS",
                    StringKind::Apc => "APC",
                    StringKind::Pm => "PM",
                    StringKind::Sos => "SOS",
                };
                self.unknown(readable(kind, &head));
            }
        }
    }

    fn cursor_position(&self) -> Position {
        Position {
            row: self.cursor.row,
            col: self.cursor.col,
        }
    }

    /// Counts the work of storing an image.
    fn add_image_work(&mut self, content: &ImageContent) {
        self.add_work(content.bytes() * WORK_OF_BYTE + self.graphics.records());
    }
}

/// Sixels.
impl Terminal {
    /// Places a sixel image as xterm does. Afterwards the cursor is in the image's last row: in the
    /// image's first column, or after its last one (?8452). With ?80, the image is at the upper
    /// left, does not scroll, and leaves the cursor where it is.
    fn add_sixel(&mut self, decoder: SixelDecoder, bytes: u64, position: Position) {
        let covered = match decoder.background {
            SixelBackground::Filled => CoveredText::Erased,
            SixelBackground::Unchanged => CoveredText::Kept,
        };
        let Some(content) = decoder.finish() else {
            return self.unknown("DCS q without pixels".to_owned());
        };
        self.add_image_work(&content);
        let size = content.size();
        self.notes.add_image(Image {
            kind: ImageKind::Sixel,
            position,
            width: Some(ImageLength::Pixels(size.width)),
            height: Some(ImageLength::Pixels(size.height)),
            bytes,
        });
        let geometry = CellGeometry::natural(size);
        let content = Arc::new(content);
        if self.modes.contains(Mode::SIXEL_DISPLAY) {
            let cursor = self.cursor;
            self.go_to(0, 0);
            let scrolling = ImageScrolling::Clipped;
            self.place_in_cells(content, ImageKind::Sixel, geometry, covered, scrolling);
            self.cursor = cursor;
            return;
        }
        let scrolling = ImageScrolling::Scrolls;
        self.place_in_cells(content, ImageKind::Sixel, geometry, covered, scrolling);
        if self.modes.contains(Mode::SIXEL_SCROLLS_RIGHT) {
            let col = self.cursor.col + geometry.cols as usize;
            if col < self.right_limit() {
                self.cursor.col = col;
            } else {
                self.index();
                self.cursor.col = self.margins.left;
            }
        }
    }
}

/// The kitty graphics protocol.
impl Terminal {
    /// Performs a command: `G`, keys, `;`, data.
    fn graphics_command(&mut self, reader: KittyReader) {
        let name = readable("APC", &[b"G", reader.keys()].concat());
        let is_query = reader
            .keys()
            .split(|byte| *byte == b',')
            .any(|key| key == b"a=q");
        // Any command can remove or replace a placement.
        self.before_placements_change();
        let context = KittyContext {
            row: self.cursor.row,
            col: self.cursor.col,
            size: self.size(),
        };
        let position = self.cursor_position();
        self.add_work(WORK_OF_COMMAND + self.graphics.records());
        let outcome = self.graphics.kitty(reader, self.is_alternate(), context);
        let Some(outcome) = outcome else {
            return self.unknown(name);
        };
        self.add_work(outcome.decoded);
        if let Some(received) = outcome.received {
            self.add_image_work(&received.content);
            let size = received.content.size();
            let length = |cells, pixels| match cells {
                0 => ImageLength::Pixels(pixels),
                cells => ImageLength::Cells(cells),
            };
            self.notes.add_image(Image {
                kind: ImageKind::Kitty,
                position,
                width: Some(length(received.cells.0, size.width)),
                height: Some(length(received.cells.1, size.height)),
                bytes: received.encoded,
            });
        }
        if outcome.is_unsupported {
            if is_query && outcome.answer.is_none() {
                self.notes.add_unanswered(name.clone());
            }
            self.unknown(name);
        }
        if let Some(answer) = outcome.answer {
            self.reply(&answer);
        }
        if let Some((cols, rows)) = outcome.cursor {
            self.move_after_placement(cols as usize, rows as usize);
        }
    }

    /// Moves the cursor as kitty does: right by the columns, then down to the last row. Right of
    /// the screen it continues in the next row, and below the margin the region scrolls.
    fn move_after_placement(&mut self, cols: usize, rows: usize) {
        self.cursor.pending_wrap = false;
        let (mut row, mut col) = (self.cursor.row + rows - 1, self.cursor.col + cols);
        if col >= self.cols() {
            col = 0;
            row += 1;
        }
        let is_inside = self.is_inside_margins();
        let bottom = if is_inside {
            self.margins.bottom
        } else {
            self.rows()
        };
        let over = (row + 1).saturating_sub(bottom);
        if over > 0 && is_inside {
            // Further than this, nothing but blank rows would scroll.
            let most = self.margins.bottom - self.margins.top;
            (0..over.div_ceil(most))
                .for_each(|turn| self.scroll_up((over - turn * most).min(most)));
        }
        self.go_to(row - over, col);
    }

    /// Performs a piece of a dump.
    fn restore_image(&mut self, reader: RestoreReader) {
        self.add_work(WORK_OF_COMMAND + self.graphics.records());
        let is_alternate = self.is_alternate();
        match self.graphics.restore(reader, is_alternate) {
            Some(Restored::Cells(image, rects)) => self.restore_cells(&image, &rects),
            Some(Restored::Image) => {
                let work = self.graphics.restored_bytes() * WORK_OF_BYTE;
                self.add_work(work);
            }
            None => self.unknown("APC screentest-image".to_owned()),
        }
    }
}

/// Inline files of iTerm2.
impl Terminal {
    /// Returns whether an operating system command carries data of a file, so that it may be long.
    pub(crate) fn is_file_command(command: &[u8]) -> bool {
        command.starts_with(b"1337;File=") || command.starts_with(b"1337;FilePart=")
    }

    /// Handles OSC 1337 with data of a file. Returns false if there is no file that it belongs to.
    pub(crate) fn file_command(&mut self, command: &[u8]) -> bool {
        if let Some(part) = command.strip_prefix(b"1337;FilePart=") {
            let Some((transfer, _, bytes)) = &mut self.file_transfer else {
                return false;
            };
            *bytes += part.len() as u64;
            transfer.put(part);
            return true;
        }
        let Some(file) = command.strip_prefix(b"1337;File=") else {
            return false;
        };
        let end = memchr::memchr(b':', file).unwrap_or(file.len());
        let data = file.get(end + 1..).unwrap_or_default();
        let mut transfer = ItermTransfer::new(&file[..end]);
        transfer.put(data);
        self.add_file(transfer, self.cursor_position(), data.len() as u64);
        true
    }

    /// Handles the start or the end of a file in parts. Returns false for other commands.
    pub(super) fn iterm_command(&mut self, parts: &[&[u8]]) -> bool {
        let first = parts.get(1).copied().unwrap_or_default();
        if let Some(start) = first.strip_prefix(b"MultipartFile=") {
            let mut arguments = vec![start];
            arguments.extend_from_slice(parts.get(2..).unwrap_or_default());
            let transfer = ItermTransfer::new(&arguments.join(&b';'));
            self.file_transfer = Some((transfer, self.cursor_position(), 0));
            return true;
        }
        if first != b"FileEnd" {
            return false;
        }
        let Some((transfer, position, bytes)) = self.file_transfer.take() else {
            return false;
        };
        self.add_file(transfer, position, bytes);
        true
    }

    /// Places a complete file, with the cursor after its last row. A file that is not inline is a
    /// download, which has no effect.
    fn add_file(&mut self, transfer: ItermTransfer, position: Position, bytes: u64) {
        let file = transfer.file;
        if !file.is_inline {
            return self.unknown("OSC 1337;File= without inline=1".to_owned());
        }
        let Some(content) = transfer.finish() else {
            return self.unknown("OSC 1337;File= without a supported image".to_owned());
        };
        self.add_image_work(&content);
        self.notes.add_image(Image {
            kind: ImageKind::Iterm,
            position,
            width: length(file.width),
            height: length(file.height),
            bytes,
        });
        self.place_file(file, Arc::new(content));
    }

    fn place_file(&mut self, file: ItermFile, content: Arc<ImageContent>) {
        let geometry = file.geometry(content.size(), self.cursor.col, self.size());
        let (kind, covered) = (ImageKind::Iterm, CoveredText::Erased);
        if file.moves_cursor {
            let scrolling = ImageScrolling::Scrolls;
            self.place_in_cells(content, kind, geometry, covered, scrolling);
            let col = self.cursor.col + geometry.cols as usize;
            self.cursor.col = col.min(self.cols() - 1);
        } else {
            let cursor = self.cursor;
            let scrolling = ImageScrolling::Clipped;
            self.place_in_cells(content, kind, geometry, covered, scrolling);
            self.cursor = cursor;
        }
    }
}

fn length(length: ItermLength) -> Option<ImageLength> {
    match length {
        ItermLength::Auto => None,
        ItermLength::Cells(cells) => Some(ImageLength::Cells(cells)),
        ItermLength::Pixels(pixels) => Some(ImageLength::Pixels(pixels)),
        ItermLength::Percent(percent) => Some(ImageLength::Percent(percent)),
    }
}

/// Returns a string for messages; long ones are truncated.
fn readable(kind: &str, head: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(head).chars().take(40).collect();
    format!("{kind} {}", text.escape_debug())
}
