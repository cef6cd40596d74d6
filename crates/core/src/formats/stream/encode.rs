//! Encoder for messages. The same screens always give the same bytes.

use super::bytes::{put_count, put_number, put_text};
use super::metadata::MetadataChanges;
use super::style_table::StyleTable;
use super::{MAX_NUMBER, ProgramExit, VERSION_WITH_IMAGES, WireScreen, image_list, row, row_moves};

/// The kinds of messages.
pub(super) const KEYFRAME: u8 = 1;
pub(super) const DELTA: u8 = 2;
pub(super) const ENDED: u8 = 3;
pub(super) const CLOSED: u8 = 4;

/// The kinds of exit.
pub(super) const UNKNOWN: u8 = 0;
pub(super) const EXITED: u8 = 1;
pub(super) const SIGNALED: u8 = 2;
/// The longest name of a signal; a longer one is sent as unknown.
pub(super) const MAX_SIGNAL: usize = 32;

/// Encodes a whole screen. Like every message, it has at most [`MAX_MESSAGE`](super::MAX_MESSAGE)
/// bytes.
pub fn keyframe(channel: u32, revision: u64, seen: &WireScreen) -> Vec<u8> {
    let size = seen.screen().size;
    let blank = WireScreen::blank(size);
    let mut bytes = head(KEYFRAME, channel, revision);
    put_number(&mut bytes, size.cols.into());
    put_number(&mut bytes, size.rows.into());
    changes(&mut bytes, &blank, seen);
    bytes
}

/// Encodes the changes from `before`, at revision `base`, to `after`, at `revision`. Returns a
/// keyframe if the size differs, or if `base` is not less than `revision`.
///
/// Rows that the two screens share by their [`Arc`](std::sync::Arc) are not compared.
pub fn delta(
    channel: u32,
    revision: u64,
    base: u64,
    before: &WireScreen,
    after: &WireScreen,
) -> Vec<u8> {
    if before.screen().size != after.screen().size || base >= revision.min(MAX_NUMBER) {
        return keyframe(channel, revision, after);
    }
    let mut bytes = head(DELTA, channel, revision);
    put_number(&mut bytes, revision.min(MAX_NUMBER) - base);
    changes(&mut bytes, before, after);
    bytes
}

/// Encodes that the program exited; `revision` is that of its last screen.
pub fn ended(channel: u32, revision: u64, how: &ProgramExit) -> Vec<u8> {
    let mut bytes = head(ENDED, channel, revision);
    match how {
        ProgramExit::Exited(code) => {
            bytes.push(EXITED);
            // Zigzag encoding: small numbers take few bytes, whatever their sign. 0, -1, 1, -2
            // become 0, 1, 2, 3.
            put_number(&mut bytes, (code << 1 ^ code >> 31) as u32 as u64);
        }
        ProgramExit::Signaled(name) if name.len() <= MAX_SIGNAL => {
            bytes.push(SIGNALED);
            put_text(&mut bytes, name);
        }
        ProgramExit::Unknown | ProgramExit::Signaled(_) => bytes.push(UNKNOWN),
    }
    bytes
}

/// Encodes that the session is closed; no more messages follow on this channel.
pub fn closed(channel: u32, revision: u64) -> Vec<u8> {
    head(CLOSED, channel, revision)
}

fn head(kind: u8, channel: u32, revision: u64) -> Vec<u8> {
    // `changes` raises the version where it is needed.
    let mut bytes = vec![1, kind];
    put_number(&mut bytes, channel.into());
    put_number(&mut bytes, revision);
    bytes
}

/// Appends the differences between two screens of one size to the beginning of a message.
fn changes(bytes: &mut Vec<u8>, before: &WireScreen, after: &WireScreen) {
    let (old, new) = (&before.screen().rows, &after.screen().rows);
    let (moved, changed) = row_moves::find(old, new);
    // Encode the rows first, since they fill the table of styles, which precedes them in the
    // message.
    let mut styles = StyleTable::default();
    let mut rows = Vec::new();
    let mut scratch = Vec::new();
    let mut next = 0;
    for index in &changed {
        put_count(&mut rows, index - next);
        next = index + 1;
        let (row, before) = (&new[*index], &old[*index]);
        row::write(&mut rows, &mut scratch, &mut styles, row, before);
    }
    let metadata = MetadataChanges::between(before, after);
    // A screen without images needs nothing new from a viewer.
    let has_images = [before, after].map(|seen| !seen.screen().images.is_empty());
    let has_images = has_images.contains(&true);
    bytes[0] = if has_images {
        VERSION_WITH_IMAGES
    } else {
        metadata.version()
    };
    metadata.write(bytes);
    row_moves::write(&moved, bytes);
    styles.write(bytes);
    put_count(bytes, changed.len());
    bytes.extend(rows);
    if has_images {
        image_list::write(bytes, &before.screen().images, &after.screen().images);
    }
}
