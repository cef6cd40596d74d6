//! Writes the images of a terminal as strings that restore them in a new one.
//!
//! No protocol can restore everything: ids and numbers, cells that text has replaced, placements
//! that were cut off. So each piece is an APC of our own, which other terminals ignore. A program
//! may send one, too; it can only show images, within the same limits.
//!
//! | String, after `ESC _ screentest-image;` | Meaning |
//! |---|---|
//! | `i;WIDTH;HEIGHT:DATA` | an image; the pieces after it refer to it |
//! | `c;KIND;GEOMETRY;PARTS` | the image in cells of the shown screen |
//! | `s;KIND;GEOMETRY;ROW;COL;Z;RECTS` | the image before a synchronized update |
//! | `k;ID;NUMBER` | the image as one of kitty, on the shown screen |
//! | `p;NUMBER;ID;ANCHOR;GEOMETRY;Z;TOP;BOTTOM` | a placement of the last image of kitty |
//!
//! The data of an image are pixels, or a file if width and height are 0, in base64. A geometry is
//! columns, rows, four numbers of the source and four of the drawn rectangle, separated by commas.
//! Rectangles are separated by slashes: row, column, rows, columns, and for parts the row and
//! column within the image. Rows of the scrollback are negative. An anchor is `c,ROW,COL`, `v`, or
//! `r,NUMBER,ROWS,COLS`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Graphics;
use super::base64::Base64Decoder;
use super::cells::{CellGeometry, CellImage, CellImagePart};
use super::kitty::MAX_DATA;
use super::store::{ImageKey, MAX_BYTES};
use crate::screen::geometry::Rect;
use crate::screen::image::{
    ImageContent, ImageData, ImageKind, ImagePlacement, ImageRect, ImageSize,
};

/// The start of every string.
pub(crate) const PREFIX: &[u8] = b"screentest-image;";

/// Maximum length of a string without its data.
const MAX_HEAD: usize = 1 << 20;
/// Maximum number of images on a screen from before a synchronized update.
const MAX_FROZEN: usize = 8192;
/// Maximum of columns, rows and pixels.
const MAX_LENGTH: u32 = 1 << 20;

/// Cells that show neighbouring parts of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartRect {
    /// Negative in the scrollback.
    pub(crate) row: i32,
    pub(crate) col: usize,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// The part of the first cell.
    pub(crate) part_row: u16,
    pub(crate) part_col: u16,
}

/// Images in the cells of a screen, in the order in which they were placed.
pub(crate) type CellImageList = Vec<(Arc<CellImage>, Vec<PartRect>)>;

/// A string while it arrives, without [`PREFIX`].
#[derive(Debug, Default)]
pub(crate) struct RestoreReader {
    head: Vec<u8>,
    in_data: bool,
    base64: Base64Decoder,
    data: Vec<u8>,
}

impl RestoreReader {
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        let data = if self.in_data {
            bytes
        } else {
            let end = memchr::memchr(b':', bytes);
            let (head, data) = bytes.split_at(end.unwrap_or(bytes.len()));
            let room = MAX_HEAD + 1 - self.head.len();
            self.head.extend_from_slice(&head[..head.len().min(room)]);
            self.in_data = end.is_some();
            data.get(1..).unwrap_or_default()
        };
        self.base64.put(data, &mut self.data, MAX_DATA + 1);
    }
}

/// What a string restored.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Restored {
    /// Something that is not in cells.
    Image,
    /// Parts of an image, for the cells of the shown screen.
    Cells(Arc<CellImage>, Vec<PartRect>),
}

/// Numbers separated by `;` or `,`.
struct Fields<'a>(std::str::Split<'a, char>);

impl<'a> Fields<'a> {
    fn new(text: &'a str, separator: char) -> Fields<'a> {
        Fields(text.split(separator))
    }

    fn text(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.text()?.parse().ok()
    }
}

impl Graphics {
    /// Performs a string. `None` if it is not valid.
    pub(crate) fn restore(
        &mut self,
        reader: RestoreReader,
        is_alternate: bool,
    ) -> Option<Restored> {
        let mut reader = reader;
        let is_valid = reader.base64.finish(&mut reader.data, MAX_DATA + 1);
        if !is_valid || reader.head.len() > MAX_HEAD || reader.data.len() > MAX_DATA {
            return None;
        }
        let head = std::str::from_utf8(&reader.head).ok()?;
        let mut fields = Fields::new(head, ';');
        match fields.text()? {
            "i" => {
                let size = ImageSize::new(fields.number()?, fields.number()?);
                let content = match size.pixels() {
                    0 => ImageContent::file(reader.data)?,
                    _ => ImageContent::rgba(size, reader.data)?,
                };
                self.restored = Some(Arc::new(content));
                Some(Restored::Image)
            }
            "c" => {
                let kind = ImageKind::named(fields.text()?)?;
                let content = self.restored.clone()?;
                let geometry = read_geometry(fields.text()?, content.size())?;
                let rects: Option<Vec<PartRect>> =
                    fields.text()?.split('/').map(read_rect).collect();
                let image = self.place_in_cells(content, kind, geometry);
                Some(Restored::Cells(image, rects?))
            }
            "s" => {
                let kind = ImageKind::named(fields.text()?)?;
                let image = self.restored.clone()?;
                let geometry = read_geometry(fields.text()?, image.size())?;
                let (row, col, z) = (fields.number()?, fields.number()?, fields.number()?);
                let visible: Option<Arc<[Rect]>> =
                    fields.text()?.split('/').map(read_cells).collect();
                let CellGeometry {
                    cols,
                    rows,
                    source,
                    drawn,
                } = geometry;
                self.add_frozen(ImagePlacement {
                    image,
                    kind,
                    row,
                    col,
                    cols,
                    rows,
                    source,
                    drawn,
                    z,
                    visible: visible?,
                });
                Some(Restored::Image)
            }
            "k" => {
                let content = self.restored.clone()?;
                let (id, number) = (fields.number()?, fields.number()?);
                let key = self.store.add(content);
                self.screens[usize::from(is_alternate)].restore_image(key, id, number);
                self.release();
                self.shrink();
                Some(Restored::Image)
            }
            "p" => {
                let screen = &mut self.screens[usize::from(is_alternate)];
                let key = screen.newest()?;
                let size = self.store.get(key)?.size();
                screen.restore_placement(key, || fields.text(), size)?;
                Some(Restored::Image)
            }
            _ => None,
        }
    }

    /// Returns the size of the image that was restored last.
    pub(crate) fn restored_bytes(&self) -> usize {
        self.restored.as_ref().map_or(0, |image| image.bytes())
    }

    /// Writes the images in the cells of the shown screen.
    pub(crate) fn dump_cells(&self, images: &CellImageList, out: &mut String) {
        for (image, rects) in images {
            if !self.dump_image(image.key, out) {
                continue;
            }
            let rects: Vec<String> = rects
                .iter()
                .map(|rect| {
                    let PartRect {
                        row,
                        col,
                        rows,
                        cols,
                        part_row,
                        part_col,
                    } = rect;
                    format!("{row},{col},{rows},{cols},{part_row},{part_col}")
                })
                .collect();
            let kind = image.kind.name();
            let geometry = geometry_text(&image.geometry);
            let rects = rects.join("/");
            put(out, &format!("c;{kind};{geometry};{rects}"), None);
        }
    }

    /// Keeps an image for the screen from before a synchronized update.
    fn add_frozen(&mut self, placement: ImagePlacement) {
        let held: usize = self.frozen.iter().map(|shown| shown.image.bytes()).sum();
        let is_known = self
            .frozen
            .iter()
            .any(|shown| shown.image == placement.image);
        let bytes = if is_known { 0 } else { placement.image.bytes() };
        if self.frozen.len() < MAX_FROZEN && held + bytes <= MAX_BYTES {
            self.frozen.push(placement);
        }
    }

    /// Takes the images that a dump restored for the screen from before a synchronized update.
    pub(crate) fn take_frozen(&mut self) -> Vec<ImagePlacement> {
        std::mem::take(&mut self.frozen)
    }

    /// Writes the kitty images of the shown screen, and a transfer in progress.
    pub(crate) fn dump_kitty(&self, is_alternate: bool, out: &mut String) {
        let screen = &self.screens[usize::from(is_alternate)];
        for image in screen.restorable() {
            if !self.dump_image(image.key, out) {
                continue;
            }
            put(out, &image.text, None);
            for placement in &image.placements {
                put(out, placement, None);
            }
        }
        screen.dump_transfer(out);
    }

    fn dump_image(&self, key: ImageKey, out: &mut String) -> bool {
        let Some(content) = self.store.get(key) else {
            return false;
        };
        write_content(content, out)
    }
}

/// Writes the images on the screen from before a synchronized update.
pub(crate) fn write_frozen(images: &[ImagePlacement], out: &mut String) {
    for image in images {
        if !write_content(&image.image, out) {
            continue;
        }
        let geometry = geometry_text(&CellGeometry {
            cols: image.cols,
            rows: image.rows,
            source: image.source,
            drawn: image.drawn,
        });
        let visible: Vec<String> = image
            .visible
            .iter()
            .map(|rect| format!("{},{},{},{}", rect.row, rect.col, rect.rows, rect.cols))
            .collect();
        let (kind, visible) = (image.kind.name(), visible.join("/"));
        let ImagePlacement { row, col, z, .. } = image;
        put(
            out,
            &format!("s;{kind};{geometry};{row};{col};{z};{visible}"),
            None,
        );
    }
}

/// Writes an image. Returns false if its data is not known.
fn write_content(content: &ImageContent, out: &mut String) -> bool {
    let size = content.size();
    match content.data() {
        ImageData::Rgba(pixels) => {
            put(
                out,
                &format!("i;{};{}", size.width, size.height),
                Some(pixels),
            );
        }
        ImageData::File(_, file) => put(out, "i;0;0", Some(file)),
        ImageData::Missing => return false,
    }
    true
}

fn put(out: &mut String, head: &str, data: Option<&[u8]>) {
    out.push_str("\x1b_screentest-image;");
    out.push_str(head);
    if let Some(data) = data {
        out.push(':');
        STANDARD.encode_string(data, out);
    }
    out.push_str("\x1b\\");
}

/// Writes a geometry.
pub(super) fn geometry_text(geometry: &CellGeometry) -> String {
    let CellGeometry {
        cols,
        rows,
        source,
        drawn,
    } = geometry;
    let mut text = format!("{cols},{rows}");
    for rect in [source, drawn] {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            ",{},{},{},{}",
            rect.x, rect.y, rect.width, rect.height
        );
    }
    text
}

/// Reads a geometry of an image of this size.
pub(super) fn read_geometry(text: &str, image: ImageSize) -> Option<CellGeometry> {
    let mut fields = Fields::new(text, ',');
    let length = |number: u32| (1..=MAX_LENGTH).contains(&number).then_some(number);
    let (cols, rows) = (length(fields.number()?)?, length(fields.number()?)?);
    let mut rect = |most: ImageSize| {
        let rect = ImageRect {
            x: fields.number()?,
            y: fields.number()?,
            width: length(fields.number()?)?,
            height: length(fields.number()?)?,
        };
        let fits = |from: u32, length: u32, most: u32| {
            from.checked_add(length).is_some_and(|end| end <= most)
        };
        (fits(rect.x, rect.width, most.width) && fits(rect.y, rect.height, most.height))
            .then_some(rect)
    };
    Some(CellGeometry {
        cols,
        rows,
        source: rect(image)?,
        drawn: rect(ImageSize::new(MAX_LENGTH, MAX_LENGTH))?,
    })
}

fn read_rect(text: &str) -> Option<PartRect> {
    let mut fields = Fields::new(text, ',');
    let row = fields.number()?;
    let mut number = || fields.number::<u16>().map(usize::from);
    Some(PartRect {
        row,
        col: number()?,
        rows: number()?,
        cols: number()?,
        part_row: fields.number()?,
        part_col: fields.number()?,
    })
}

fn read_cells(text: &str) -> Option<Rect> {
    let mut fields = Fields::new(text, ',');
    let mut number = || fields.number::<u16>().map(usize::from);
    Some(Rect {
        row: number()?,
        col: number()?,
        rows: number()?,
        cols: number()?,
    })
}

/// Groups the parts in the cells of a screen, which must be given in reading order: row, column and
/// part.
pub(crate) fn group(parts: impl Iterator<Item = (i32, usize, CellImagePart)>) -> CellImageList {
    let mut images: BTreeMap<u64, (Arc<CellImage>, Vec<PartRect>)> = BTreeMap::new();
    for (row, col, part) in parts {
        let (_, rects) = images
            .entry(part.image.number)
            .or_insert_with(|| (Arc::clone(&part.image), Vec::new()));
        match rects.last_mut() {
            Some(last)
                if last.row == row
                    && last.col + last.cols == col
                    && last.part_row == part.row
                    && usize::from(last.part_col) + last.cols == usize::from(part.col) =>
            {
                last.cols += 1;
            }
            _ => rects.push(PartRect {
                row,
                col,
                rows: 1,
                cols: 1,
                part_row: part.row,
                part_col: part.col,
            }),
        }
    }
    images.into_values().collect()
}

/// The kitty image of a dump.
pub(super) struct RestorableImage {
    pub(super) key: ImageKey,
    pub(super) text: String,
    pub(super) placements: Vec<String>,
}
