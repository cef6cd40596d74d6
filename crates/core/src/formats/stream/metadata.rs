//! Metadata of a screen in a message: cursor, title, working directory, modes, scrollback, bells,
//! changed colours.
//!
//! A bit set lists the fields that follow; the others are unchanged.

use std::sync::Arc;

use super::bytes::{MessageReader, put_count, put_number, put_text};
use super::{MAX_NUMBER, MAX_TEXT, StreamError, WireScreen};
use crate::{
    Cursor, CursorShape, KittyKeyboard, Modes, MouseEncoding, MouseTracking, Palette, PaletteEntry,
    Position, Size,
};

const CURSOR: u64 = 1 << 0;
const TITLE: u64 = 1 << 1;
const WORKING_DIRECTORY: u64 = 1 << 2;
const MODES: u64 = 1 << 3;
const SCROLLBACK: u64 = 1 << 4;
const BELLS: u64 = 1 << 5;
const PALETTE: u64 = 1 << 6;
/// The bits of version 1, which has no palette.
const ALL_OF_VERSION_1: u64 = (1 << 6) - 1;
const ALL: u64 = (1 << 7) - 1;

/// Number of the first colour of a palette that is not indexed.
const FIRST_NAMED: u64 = 256;

/// Bits of the cursor's last field.
const VISIBLE: u64 = 1 << 0;
const BLINKING: u64 = 1 << 1;
const PENDING_WRAP: u64 = 1 << 2;
const SHAPE_SHIFT: u64 = 3;
const SHAPES: [CursorShape; 3] = [CursorShape::Block, CursorShape::Underline, CursorShape::Bar];

/// Bits of the modes: the boolean modes come first, then three fields with more than two values.
const MOUSE_SHIFT: u64 = 11;
const ENCODING_SHIFT: u64 = 13;
const KITTY_SHIFT: u64 = 15;
const MAX_MODES: u64 = (1 << 20) - 1;
const TRACKINGS: [MouseTracking; 4] = [
    MouseTracking::Off,
    MouseTracking::Clicks,
    MouseTracking::Drags,
    MouseTracking::Motion,
];
const ENCODINGS: [MouseEncoding; 3] = [
    MouseEncoding::Default,
    MouseEncoding::Utf8,
    MouseEncoding::Sgr,
];

/// The changed metadata.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MetadataChanges {
    cursor: Option<Cursor>,
    title: Option<Arc<str>>,
    working_directory: Option<Arc<str>>,
    modes: Option<Modes>,
    scrollback_rows: Option<usize>,
    bells: Option<u64>,
    palette: Option<Palette>,
}

impl MetadataChanges {
    pub(super) fn between(before: &WireScreen, after: &WireScreen) -> MetadataChanges {
        fn changed<T: PartialEq + Clone>(before: &T, after: &T) -> Option<T> {
            (before != after).then(|| after.clone())
        }
        let (old, new) = (before.screen(), after.screen());
        MetadataChanges {
            cursor: changed(&old.cursor, &new.cursor),
            title: changed(&old.title, &new.title),
            working_directory: changed(&old.working_directory, &new.working_directory),
            modes: changed(&old.modes, &new.modes),
            scrollback_rows: changed(&old.scrollback_rows, &new.scrollback_rows),
            bells: changed(&before.bells(), &after.bells()),
            palette: changed(&old.palette, &new.palette),
        }
    }

    /// Returns the first version of the format that can express the changes.
    pub(super) fn version(&self) -> u8 {
        if self.palette.is_some() { 2 } else { 1 }
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let there = bit(self.cursor.is_some(), CURSOR)
            | bit(self.title.is_some(), TITLE)
            | bit(self.working_directory.is_some(), WORKING_DIRECTORY)
            | bit(self.modes.is_some(), MODES)
            | bit(self.scrollback_rows.is_some(), SCROLLBACK)
            | bit(self.bells.is_some(), BELLS)
            | bit(self.palette.is_some(), PALETTE);
        put_number(bytes, there);
        if let Some(cursor) = &self.cursor {
            write_cursor(bytes, cursor);
        }
        if let Some(title) = &self.title {
            put_text(bytes, title);
        }
        if let Some(directory) = &self.working_directory {
            put_text(bytes, directory);
        }
        if let Some(modes) = &self.modes {
            put_number(bytes, modes_to_bits(modes));
        }
        if let Some(rows) = self.scrollback_rows {
            put_count(bytes, rows);
        }
        if let Some(bells) = self.bells {
            put_number(bytes, bells);
        }
        if let Some(palette) = &self.palette {
            write_palette(bytes, palette);
        }
    }

    /// Reads the changes of a message of this version.
    pub(super) fn read(
        input: &mut MessageReader<'_>,
        version: u8,
    ) -> Result<MetadataChanges, StreamError> {
        let all = if version == 1 { ALL_OF_VERSION_1 } else { ALL };
        let there = input.within("metadata bits", 0, all)?;
        let mut metadata = MetadataChanges::default();
        if there & CURSOR != 0 {
            metadata.cursor = Some(read_cursor(input)?);
        }
        if there & TITLE != 0 {
            metadata.title = Some(input.text("bytes of a title", 0, MAX_TEXT)?.into());
        }
        if there & WORKING_DIRECTORY != 0 {
            let directory = input.text("bytes of a working directory", 0, MAX_TEXT)?;
            metadata.working_directory = Some(directory.into());
        }
        if there & MODES != 0 {
            metadata.modes = Some(read_modes(input)?);
        }
        if there & SCROLLBACK != 0 {
            let rows = input.within("rows of scrollback", 0, MAX_NUMBER)?;
            metadata.scrollback_rows = Some(usize::try_from(rows).unwrap_or(usize::MAX));
        }
        if there & BELLS != 0 {
            metadata.bells = Some(input.within("bells", 0, MAX_NUMBER)?);
        }
        if there & PALETTE != 0 {
            metadata.palette = Some(read_palette(input)?);
        }
        Ok(metadata)
    }

    /// Returns the new cursor position, if the cursor changed.
    pub(super) fn cursor(&self) -> Option<Position> {
        Some(self.cursor?.position)
    }

    /// Applies the changes. The caller must have checked the cursor position.
    pub(super) fn apply(self, seen: &mut WireScreen) {
        fn set<T>(place: &mut T, new: Option<T>) {
            if let Some(new) = new {
                *place = new;
            }
        }
        let (screen, bells) = seen.parts();
        set(&mut screen.cursor, self.cursor);
        set(&mut screen.title, self.title);
        set(&mut screen.working_directory, self.working_directory);
        set(&mut screen.modes, self.modes);
        set(&mut screen.scrollback_rows, self.scrollback_rows);
        set(bells, self.bells);
        set(&mut screen.palette, self.palette);
    }
}

fn bit(on: bool, bit: u64) -> u64 {
    if on { bit } else { 0 }
}

fn write_palette(bytes: &mut Vec<u8>, palette: &Palette) {
    put_count(bytes, palette.iter().count());
    for (entry, color) in palette.iter() {
        let number = match entry {
            PaletteEntry::Indexed(index) => u64::from(index),
            named => {
                let index = PaletteEntry::NAMED.iter().position(|known| *known == named);
                FIRST_NAMED + index.unwrap_or(0) as u64
            }
        };
        put_number(bytes, number);
        bytes.extend([color.r, color.g, color.b]);
    }
}

fn read_palette(input: &mut MessageReader<'_>) -> Result<Palette, StreamError> {
    let end = FIRST_NAMED + PaletteEntry::NAMED.len() as u64;
    let count = input.within("changed colours", 0, end)?;
    let mut palette = Palette::default();
    let mut least = 0;
    for _ in 0..count {
        // In ascending order, so that no colour is listed twice.
        let number = input.within("changed colour", least, end - 1)?;
        least = number + 1;
        let entry = match u8::try_from(number) {
            Ok(index) => PaletteEntry::Indexed(index),
            Err(_) => PaletteEntry::NAMED[(number - FIRST_NAMED) as usize],
        };
        palette.set(entry, input.rgb()?);
    }
    Ok(palette)
}

fn write_cursor(bytes: &mut Vec<u8>, cursor: &Cursor) {
    put_count(bytes, cursor.position.row);
    put_count(bytes, cursor.position.col);
    let shape = SHAPES.iter().position(|shape| *shape == cursor.shape);
    let bits = bit(cursor.visible, VISIBLE)
        | bit(cursor.blinking, BLINKING)
        | bit(cursor.pending_wrap, PENDING_WRAP)
        | (shape.unwrap_or(0) as u64) << SHAPE_SHIFT;
    put_number(bytes, bits);
}

fn read_cursor(input: &mut MessageReader<'_>) -> Result<Cursor, StreamError> {
    let last = |end: u16| usize::from(end) - 1;
    let row = input.count("the cursor's row", 0, last(*Size::ROWS.end()))?;
    let col = input.count("the cursor's column", 0, last(*Size::COLS.end()))?;
    let most = ((SHAPES.len() as u64) << SHAPE_SHIFT) - 1;
    let bits = input.within("the cursor's style", 0, most)?;
    Ok(Cursor {
        position: Position { row, col },
        visible: bits & VISIBLE != 0,
        shape: SHAPES[(bits >> SHAPE_SHIFT) as usize],
        blinking: bits & BLINKING != 0,
        pending_wrap: bits & PENDING_WRAP != 0,
    })
}

/// The boolean modes in the order of their bits. Those that are on by default are among the first
/// seven, so that the default modes take one byte.
fn switches(modes: &mut Modes) -> [&mut bool; 11] {
    [
        &mut modes.alternate_screen,
        &mut modes.application_cursor,
        &mut modes.application_keypad,
        &mut modes.bracketed_paste,
        &mut modes.focus_events,
        &mut modes.alternate_scroll,
        &mut modes.autowrap,
        &mut modes.origin,
        &mut modes.insert,
        &mut modes.newline,
        &mut modes.synchronized,
    ]
}

fn modes_to_bits(modes: &Modes) -> u64 {
    let mut bits = 0;
    for (bit, switch) in switches(&mut modes.clone()).into_iter().enumerate() {
        bits |= u64::from(*switch) << bit;
    }
    let tracking = TRACKINGS.iter().position(|known| *known == modes.mouse);
    let encoding = ENCODINGS
        .iter()
        .position(|known| *known == modes.mouse_encoding);
    bits | (tracking.unwrap_or(0) as u64) << MOUSE_SHIFT
        | (encoding.unwrap_or(0) as u64) << ENCODING_SHIFT
        | u64::from(modes.kitty_keyboard.bits()) << KITTY_SHIFT
}

fn read_modes(input: &mut MessageReader<'_>) -> Result<Modes, StreamError> {
    let offset = input.at;
    let bits = input.within("modes", 0, MAX_MODES)?;
    let Some(encoding) = ENCODINGS.get((bits >> ENCODING_SHIFT & 0b11) as usize) else {
        return Err(StreamError::Head {
            offset,
            what: "set of modes",
            value: bits,
        });
    };
    let mut modes = Modes {
        mouse: TRACKINGS[(bits >> MOUSE_SHIFT & 0b11) as usize],
        mouse_encoding: *encoding,
        kitty_keyboard: KittyKeyboard::from_bits_truncate((bits >> KITTY_SHIFT) as u8),
        ..Modes::default()
    };
    for (bit, switch) in switches(&mut modes).into_iter().enumerate() {
        *switch = bits >> bit & 1 == 1;
    }
    Ok(modes)
}
