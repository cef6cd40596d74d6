//! `frames.jsonl`: the screens of a recording, as whole screens (keyframes) and the changes between
//! them.
//!
//! When a screen scrolls, its line stores where the rows moved instead of writing them again. The
//! line of a keyframe starts with [`KEY`], so that a player finds one anywhere in a large file by
//! its first bytes, without reading the lines before.
//!
//! See also: `rows.rs` (one row), `style_json.rs` (style and link of cells),
//! `frames/cursor_and_modes.rs` (cursor and modes), `frames/images.rs` (images),
//! `formats/palette_json.rs` (changed colours).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::rows::{RowJson, StyleNumbers};
use super::style_json::{FrameStyleJson, LinkedStyle};
use super::{LineError, Millis, from_line, to_line};
use crate::formats::palette_json::PaletteJson;
use crate::{Row, RowBuilder, Screen, Size};

mod cursor_and_modes;
mod images;

use cursor_and_modes::{FrameCursorJson, FrameModesJson};
use images::FrameImageJson;

/// The first bytes of a keyframe's line.
pub const KEY: &[u8] = b"{\"key\":true,";

/// A keyframe is written when the changes since the last one take this many times its bytes:
/// seeking then reads little, and keyframes add little to the file.
const CHANGES: usize = 8;
/// Minimum size of the changes before a keyframe. Reading fewer bytes takes no noticeable time.
const MIN_CHANGES: usize = 16 << 10;
/// Maximum size of the changes before a keyframe. A player reads them in a few milliseconds.
const MAX_CHANGES: usize = 256 << 10;
/// Number of styles after which a keyframe starts a new table.
const MAX_STYLES: usize = 4096;
/// Limit on failed searches for a row among those of the previous screen, for one line.
const MAX_SEARCHES: usize = 64;

/// A line of the file. An absent size, cursor, title, working directory, modes or number of
/// scrollback rows has the value of the line before, and in a keyframe its default value. Any other
/// absent field is false or empty.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FrameLine {
    #[serde(default, skip_serializing_if = "super::is_false")]
    key: bool,
    /// Its sequence number among all lines of the cassette.
    pub seq: u64,
    /// The time at which it was shown.
    pub t_ms: Millis,
    /// Number of bytes of `output.raw` that it shows.
    pub at: u64,
    /// Whether it shows an unfinished synchronized update, one that took too long.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub unfinished: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<(u64, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    looks: Vec<FrameStyleJson>,
    /// Rows that moved since the line before: first row now, first row before, and number of rows.
    #[serde(default, rename = "move", skip_serializing_if = "Vec::is_empty")]
    moved: Vec<(usize, usize, usize)>,
    /// Rows with their index, counted from 0. A keyframe omits blank rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<(usize, RowJson)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cursor: Option<FrameCursorJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    working_directory: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    modes: Option<FrameModesJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    palette: Option<PaletteJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scrollback_rows: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    images: Option<Vec<FrameImageJson>>,
}

impl FrameLine {
    /// Whether it is a keyframe, that is a whole screen.
    pub fn is_key(&self) -> bool {
        self.key
    }

    /// Returns its time and its position in the output.
    pub fn shown(&self) -> FrameTime {
        FrameTime {
            seq: self.seq,
            time: self.t_ms,
            at: self.at,
            unfinished: self.unfinished,
        }
    }

    /// Parses a line; `number` is its line number, counted from 1.
    pub fn parse(line: &[u8], number: usize) -> Result<FrameLine, LineError> {
        from_line(line, number)
    }
}

/// The time of a screen, and its position in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameTime {
    /// Its sequence number among all lines of the cassette.
    pub seq: u64,
    /// The time at which it was shown.
    pub time: Millis,
    /// Number of bytes of `output.raw` that it shows.
    pub at: u64,
    /// Whether it shows an unfinished synchronized update, one that took too long.
    pub unfinished: bool,
}

/// The time and position of a line, parsed without its screen. Other fields are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct FrameMoment {
    seq: u64,
    t_ms: Millis,
    at: u64,
    #[serde(default)]
    unfinished: bool,
}

impl FrameMoment {
    /// Returns its time and its position in the output.
    pub fn shown(&self) -> FrameTime {
        FrameTime {
            seq: self.seq,
            time: self.t_ms,
            at: self.at,
            unfinished: self.unfinished,
        }
    }
}

/// Encodes screens as lines.
#[derive(Debug, Default)]
pub struct FrameWriter {
    last: Option<Screen>,
    styles: StyleNumbers,
    key_bytes: usize,
    changes: usize,
}

impl FrameWriter {
    /// Creates a writer for a new file.
    pub fn new() -> FrameWriter {
        FrameWriter::default()
    }

    /// Returns the line for a screen, with its newline. Returns `None` if nothing has changed since
    /// the last one. If `shown` is unfinished, its line is always written, because it tells a
    /// replay of `output.raw` to end the synchronized update at this point.
    pub fn line(&mut self, shown: FrameTime, screen: &Screen) -> Option<Vec<u8>> {
        let due = MIN_CHANGES.max(self.key_bytes * CHANGES).min(MAX_CHANGES);
        let line = match self.last.take() {
            Some(last) if last == *screen && !shown.unfinished => {
                self.last = Some(last);
                return None;
            }
            Some(last)
                if last.size == screen.size
                    && self.changes < due
                    && self.styles.len() < MAX_STYLES =>
            {
                let line = to_line(&self.change(shown, &last, screen));
                self.changes += line.len();
                line
            }
            _ => {
                let line = to_line(&self.key(shown, screen));
                self.key_bytes = line.len();
                self.changes = 0;
                line
            }
        };
        self.last = Some(screen.clone());
        Some(line)
    }

    fn key(&mut self, shown: FrameTime, screen: &Screen) -> FrameLine {
        self.styles.clear();
        let rows = screen.rows.iter().enumerate();
        let rows = rows
            .filter(|(_, row)| ***row != Row::default())
            .map(|(index, row)| (index, RowJson::of(row, &mut self.styles)))
            .collect();
        FrameLine {
            key: true,
            seq: shown.seq,
            t_ms: shown.time,
            at: shown.at,
            unfinished: shown.unfinished,
            size: Some((screen.size.cols.into(), screen.size.rows.into())),
            looks: std::mem::take(&mut self.styles.new),
            moved: Vec::new(),
            rows,
            cursor: Some(FrameCursorJson::of(&screen.cursor)),
            title: some(&screen.title, ""),
            working_directory: some(&screen.working_directory, ""),
            modes: Some(FrameModesJson::of(&screen.modes))
                .filter(|modes| *modes != FrameModesJson::default()),
            palette: PaletteJson::of(&screen.palette),
            scrollback_rows: Some(screen.scrollback_rows).filter(|rows| *rows > 0),
            images: Some(images_of(screen)).filter(|images| !images.is_empty()),
        }
    }

    fn change(&mut self, shown: FrameTime, last: &Screen, screen: &Screen) -> FrameLine {
        let mut moved = Vec::new();
        let mut rows = Vec::new();
        let mut searches = 0;
        let mut index = 0;
        while let Some(row) = screen.rows.get(index) {
            if same(row, &last.rows[index]) {
                index += 1;
                continue;
            }
            let from = (!row.is_empty() && searches < MAX_SEARCHES)
                .then(|| last.rows.iter().position(|before| same(row, before)))
                .flatten();
            let Some(from) = from else {
                searches += 1;
                rows.push((index, RowJson::of(row, &mut self.styles)));
                index += 1;
                continue;
            };
            let now = screen.rows[index..].iter();
            let count = now
                .zip(&last.rows[from..])
                .take_while(|(now, before)| same(now, before))
                .count();
            moved.push((index, from, count));
            index += count;
        }
        let changed = |now: &Arc<str>, before: &Arc<str>| (now != before).then(|| now.to_string());
        FrameLine {
            key: false,
            seq: shown.seq,
            t_ms: shown.time,
            at: shown.at,
            unfinished: shown.unfinished,
            size: None,
            looks: std::mem::take(&mut self.styles.new),
            moved,
            rows,
            cursor: (screen.cursor != last.cursor).then(|| FrameCursorJson::of(&screen.cursor)),
            title: changed(&screen.title, &last.title),
            working_directory: changed(&screen.working_directory, &last.working_directory),
            modes: (screen.modes != last.modes).then(|| FrameModesJson::of(&screen.modes)),
            palette: (screen.palette != last.palette).then(|| PaletteJson(screen.palette.clone())),
            scrollback_rows: (screen.scrollback_rows != last.scrollback_rows)
                .then_some(screen.scrollback_rows),
            images: (screen.images != last.images).then(|| images_of(screen)),
        }
    }
}

fn images_of(screen: &Screen) -> Vec<FrameImageJson> {
    let images = screen.images.iter();
    images
        .map(|image| FrameImageJson::of(image, screen.size))
        .collect()
}

fn same(one: &Arc<Row>, other: &Arc<Row>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

fn some(text: &Arc<str>, unless: &str) -> Option<String> {
    (**text != *unless).then(|| text.to_string())
}

/// Returns the line for a single screen: a keyframe.
pub(super) fn alone(shown: FrameTime, screen: &Screen) -> FrameLine {
    FrameWriter::new().key(shown, screen)
}

/// Decodes lines to screens.
#[derive(Debug, Default)]
pub struct FrameReader {
    screen: Option<Screen>,
    styles: Vec<LinkedStyle>,
    builder: RowBuilder,
}

impl FrameReader {
    /// Creates a reader that has not read a keyframe yet.
    pub fn new() -> FrameReader {
        FrameReader::default()
    }

    /// Returns the screen after a line. The first line must be a keyframe.
    pub fn screen(&mut self, line: &FrameLine) -> Result<&Screen, String> {
        let read = self.read(line);
        if read.is_err() {
            // A line that failed halfway leaves no valid screen.
            self.screen = None;
        }
        read?;
        self.screen.as_ref().ok_or_else(no_key)
    }

    fn read(&mut self, line: &FrameLine) -> Result<(), String> {
        if line.key {
            let (cols, rows) = line.size.ok_or("a keyframe without `size`")?;
            let size = Size::checked(cols, rows).map_err(|error| error.to_string())?;
            self.styles.clear();
            self.screen = Some(Screen::blank(size));
        } else if line.size.is_some() {
            return Err("`size` in a line that is not a keyframe".to_owned());
        }
        for style in &line.looks {
            self.styles.push(style.linked_style()?);
        }
        let screen = self.screen.as_mut().ok_or_else(no_key)?;
        let size = screen.size;
        if !line.moved.is_empty() {
            let before = screen.rows.clone();
            for &(to, from, count) in &line.moved {
                let end =
                    |start: usize| start.checked_add(count).filter(|end| *end <= before.len());
                let (Some(to_end), Some(from_end)) = (end(to), end(from)) else {
                    return Err(format!(
                        "`move` of {count} rows from {from} to {to} is out of range: the screen has {} rows",
                        before.len()
                    ));
                };
                screen.rows[to..to_end].clone_from_slice(&before[from..from_end]);
            }
        }
        for (index, row) in &line.rows {
            let place = screen.rows.get_mut(*index);
            let place = place.ok_or_else(|| {
                format!(
                    "row `{index}` is out of range: the screen has {} rows",
                    size.rows
                )
            })?;
            *place = Arc::new(row.row(&self.styles, size.cols, &mut self.builder)?);
        }
        if let Some(cursor) = &line.cursor {
            screen.cursor = cursor.cursor();
        }
        if let Some(title) = &line.title {
            screen.title = title.as_str().into();
        }
        if let Some(directory) = &line.working_directory {
            screen.working_directory = directory.as_str().into();
        }
        if let Some(modes) = &line.modes {
            screen.modes = modes.modes();
        }
        if let Some(palette) = &line.palette {
            screen.palette.clone_from(&palette.0);
        }
        if let Some(rows) = line.scrollback_rows {
            screen.scrollback_rows = rows;
        }
        if let Some(images) = &line.images {
            screen.images = images::placements(images, size)?;
        }
        Ok(())
    }
}

fn no_key() -> String {
    "a change without a keyframe before it".to_owned()
}
