//! The images of a screen in a message: all of them, if any changed. A message has only their
//! hashes; viewers fetch the content on their own.

use std::sync::Arc;

use super::StreamError;
use super::bytes::{MessageReader, put_count, put_number};
use crate::screen::image::{
    ImageContent, ImageHash, ImageKind, ImagePlacement, ImageRect, ImageSize, MAX_SIDE,
};
use crate::{Rect, Screen, Size};

/// Maximum number of images. Each takes at most 113 bytes without its rectangles, so all of them
/// fit into the room that a message has besides its rows.
const MAX_IMAGES: usize = 300;
/// Maximum number of rectangles of all images together, of at most 8 bytes each.
const MAX_RECTS: usize = 1024;
/// Maximum of columns, rows and pixels of a placement.
const MAX_LENGTH: u64 = 1 << 20;

/// Drops images that a message cannot represent.
pub(super) fn limit(screen: &mut Screen) {
    if screen.images.is_empty() {
        return;
    }
    let mut left = MAX_RECTS;
    let size = screen.size;
    let fits = |image: &&ImagePlacement| {
        let rects = image.visible.len();
        let fits = rects <= left && is_valid(image, size);
        if fits {
            left -= rects;
        }
        fits
    };
    let images = screen.images.iter().filter(fits);
    let kept: Vec<ImagePlacement> = images.take(MAX_IMAGES).cloned().collect();
    if kept.len() < screen.images.len() {
        screen.images = kept.into();
    }
}

/// Returns whether reading the image gives the same one.
fn is_valid(image: &ImagePlacement, size: Size) -> bool {
    let ImagePlacement {
        cols,
        rows,
        source,
        drawn,
        visible,
        ..
    } = image;
    let length = |length: u32| (1..=MAX_LENGTH).contains(&length.into());
    let rect = |rect: &ImageRect| {
        length(rect.width)
            && length(rect.height)
            && u64::from(rect.x) <= MAX_LENGTH
            && u64::from(rect.y) <= MAX_LENGTH
    };
    let inside = |rect: &Rect| !rect.is_empty() && rect.clipped(size.rect()) == *rect;
    image.image.size().is_allowed()
        && length(*cols)
        && length(*rows)
        && rect(source)
        && rect(drawn)
        && !visible.is_empty()
        && visible.iter().all(inside)
}

/// Writes the images, or that they are unchanged.
pub(super) fn write(
    bytes: &mut Vec<u8>,
    before: &Arc<[ImagePlacement]>,
    after: &Arc<[ImagePlacement]>,
) {
    if Arc::ptr_eq(before, after) || before == after {
        put_number(bytes, 0);
        return;
    }
    put_count(bytes, after.len() + 1);
    for image in after.iter() {
        let kind = ImageKind::ALL.iter().position(|kind| *kind == image.kind);
        bytes.push(kind.unwrap_or(0) as u8);
        bytes.extend(image.image.hash().0);
        let size = image.image.size();
        put_number(bytes, size.width.into());
        put_number(bytes, size.height.into());
        put_signed(bytes, image.row);
        put_signed(bytes, image.col);
        put_number(bytes, image.cols.into());
        put_number(bytes, image.rows.into());
        for rect in [image.source, image.drawn] {
            for number in [rect.x, rect.y, rect.width, rect.height] {
                put_number(bytes, number.into());
            }
        }
        put_signed(bytes, image.z);
        put_count(bytes, image.visible.len());
        for rect in image.visible.iter() {
            for number in [rect.row, rect.col, rect.rows, rect.cols] {
                put_count(bytes, number);
            }
        }
    }
}

/// Reads the images; `None` if they are unchanged.
pub(super) fn read(
    input: &mut MessageReader<'_>,
) -> Result<Option<Arc<[ImagePlacement]>>, StreamError> {
    let Some(count) = input.count("images", 0, MAX_IMAGES + 1)?.checked_sub(1) else {
        return Ok(None);
    };
    let mut images = Vec::new();
    let mut rects_left = MAX_RECTS;
    for _ in 0..count {
        let image = read_image(input, rects_left)?;
        rects_left -= image.visible.len();
        images.push(image);
    }
    Ok(Some(images.into()))
}

fn read_image(
    input: &mut MessageReader<'_>,
    rects_left: usize,
) -> Result<ImagePlacement, StreamError> {
    let offset = input.at;
    let kind = input.byte()?;
    let Some(kind) = ImageKind::ALL.get(usize::from(kind)) else {
        return Err(StreamError::Head {
            offset,
            what: "kind of image",
            value: kind.into(),
        });
    };
    let mut hash = [0; 32];
    hash.copy_from_slice(input.take(32)?);
    let offset = input.at;
    let width = input.within("the width of an image", 1, MAX_SIDE.into())? as u32;
    let height = input.within("the height of an image", 1, MAX_SIDE.into())? as u32;
    let size = ImageSize { width, height };
    if !size.is_allowed() {
        return Err(StreamError::Head {
            offset,
            what: "size of an image",
            value: size.pixels(),
        });
    }
    let (row, col) = (read_signed(input)?, read_signed(input)?);
    let cols = input.within("columns of an image", 1, MAX_LENGTH)? as u32;
    let rows = input.within("rows of an image", 1, MAX_LENGTH)? as u32;
    let (source, drawn) = (read_rect(input)?, read_rect(input)?);
    let z = read_signed(input)?;
    let count = input.count("rectangles of an image", 1, rects_left)?;
    let mut visible = Vec::new();
    for _ in 0..count {
        let last = |end: u16| usize::from(end) - 1;
        visible.push(Rect {
            row: input.count("an image's row", 0, last(*Size::ROWS.end()))?,
            col: input.count("an image's column", 0, last(*Size::COLS.end()))?,
            rows: input.count("rows of an image", 1, (*Size::ROWS.end()).into())?,
            cols: input.count("columns of an image", 1, (*Size::COLS.end()).into())?,
        });
    }
    Ok(ImagePlacement {
        image: Arc::new(ImageContent::missing(ImageHash(hash), size)),
        kind: *kind,
        row,
        col,
        cols,
        rows,
        source,
        drawn,
        z,
        visible: visible.into(),
    })
}

fn read_rect(input: &mut MessageReader<'_>) -> Result<ImageRect, StreamError> {
    let mut number = |least| input.within("pixels", least, MAX_LENGTH);
    Ok(ImageRect {
        x: number(0)? as u32,
        y: number(0)? as u32,
        width: number(1)? as u32,
        height: number(1)? as u32,
    })
}

/// Writes a number with its sign in the lowest bit, so that small numbers take few bytes.
fn put_signed(bytes: &mut Vec<u8>, number: i32) {
    put_number(bytes, (number << 1 ^ number >> 31) as u32 as u64);
}

fn read_signed(input: &mut MessageReader<'_>) -> Result<i32, StreamError> {
    let number = input.within("signed number", 0, u32::MAX.into())? as u32;
    Ok((number >> 1) as i32 ^ -((number & 1) as i32))
}
