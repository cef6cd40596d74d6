//! `frames.jsonl`: what was shown. Whole screens (keyframes), and between them what changed since the line before.
//!
//! A screen that scrolls says where its rows went instead of writing them again. The line of a keyframe begins with [`KEY`], so that a
//! player finds one anywhere in a large file by its first bytes, without reading what lies before.
//!
//! Elsewhere: one row (`rows.rs`), how its cells look (`look.rs`), cursor and modes (`frames/facts.rs`).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::look::{Look, LookJson};
use super::rows::{LookNumbers, RowJson};
use super::{LineError, Millis, from_line, to_line};
use crate::{Row, RowBuilder, Screen, Size};

mod facts;

use facts::{CursorJson, ModesJson};

/// How the line of a keyframe begins.
pub const KEY: &[u8] = b"{\"key\":true,";

/// A keyframe comes at the latest when the changes since the last one take this many times its bytes: so seeking reads
/// little, and keyframes add little to a file.
const CHANGES: usize = 8;
/// But not before the changes take this many bytes: reading them is nothing.
const LEAST_CHANGES: usize = 16 << 10;
/// And not after more than this many: a player reads them in a few milliseconds.
const MOST_CHANGES: usize = 256 << 10;
/// How many looks there may be before a keyframe forgets them.
const MOST_LOOKS: usize = 4096;
/// How many rows are looked for among those of the screen before, in vain, for one line.
const MOST_SEARCHES: usize = 64;

/// A line of the file. What is left out is as in the line before.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FrameLine {
    #[serde(default, skip_serializing_if = "super::is_false")]
    key: bool,
    /// Its number among everything that happened.
    pub seq: u64,
    /// When it was shown.
    pub t_ms: Millis,
    /// How much of `output.raw` it shows.
    pub at: u64,
    /// Whether a synchronized update that took too long was shown as it was.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub unfinished: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<(u64, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    looks: Vec<LookJson>,
    /// Rows that stood elsewhere in the line before: where they are now, where they were, and how many.
    #[serde(default, rename = "move", skip_serializing_if = "Vec::is_empty")]
    moved: Vec<(usize, usize, usize)>,
    /// Rows by their number, from 0. A keyframe leaves blank ones out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<(usize, RowJson)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cursor: Option<CursorJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    working_directory: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    modes: Option<ModesJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scrollback_rows: Option<usize>,
}

impl FrameLine {
    /// Whether it is a whole screen.
    pub fn is_key(&self) -> bool {
        self.key
    }

    /// When it was shown, and how much of the output it shows.
    pub fn shown(&self) -> Shown {
        Shown {
            seq: self.seq,
            time: self.t_ms,
            at: self.at,
            unfinished: self.unfinished,
        }
    }

    /// Reads a line; `number` is which, from 1.
    pub fn parse(line: &[u8], number: usize) -> Result<FrameLine, LineError> {
        from_line(line, number)
    }
}

/// When a screen was shown, and how much of the output it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Its number among everything that happened.
    pub seq: u64,
    /// When.
    pub time: Millis,
    /// How much of `output.raw` it shows.
    pub at: u64,
    /// Whether a synchronized update that took too long was shown as it was.
    pub unfinished: bool,
}

/// When a line's screen was shown, for who does not want the screen: all else is passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct FrameMoment {
    seq: u64,
    t_ms: Millis,
    at: u64,
    #[serde(default)]
    unfinished: bool,
}

impl FrameMoment {
    /// When, and how much of the output is shown.
    pub fn shown(&self) -> Shown {
        Shown {
            seq: self.seq,
            time: self.t_ms,
            at: self.at,
            unfinished: self.unfinished,
        }
    }
}

/// Writes screens as lines.
#[derive(Debug, Default)]
pub struct FrameWriter {
    last: Option<Screen>,
    looks: LookNumbers,
    key_bytes: usize,
    changes: usize,
}

impl FrameWriter {
    /// A writer at the beginning of a file.
    pub fn new() -> FrameWriter {
        FrameWriter::default()
    }

    /// The line for a screen, with its end. `None` where nothing has changed since the last one, unless an update was shown
    /// unfinished: whoever derives the frames again must do the same there.
    pub fn line(&mut self, shown: Shown, screen: &Screen) -> Option<Vec<u8>> {
        let due = LEAST_CHANGES
            .max(self.key_bytes * CHANGES)
            .min(MOST_CHANGES);
        let line = match self.last.take() {
            Some(last) if last == *screen && !shown.unfinished => {
                self.last = Some(last);
                return None;
            }
            Some(last)
                if last.size == screen.size
                    && self.changes < due
                    && self.looks.len() < MOST_LOOKS =>
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

    fn key(&mut self, shown: Shown, screen: &Screen) -> FrameLine {
        self.looks.clear();
        let rows = screen.rows.iter().enumerate();
        let rows = rows
            .filter(|(_, row)| ***row != Row::default())
            .map(|(index, row)| (index, RowJson::of(row, &mut self.looks)))
            .collect();
        FrameLine {
            key: true,
            seq: shown.seq,
            t_ms: shown.time,
            at: shown.at,
            unfinished: shown.unfinished,
            size: Some((screen.size.cols.into(), screen.size.rows.into())),
            looks: std::mem::take(&mut self.looks.new),
            moved: Vec::new(),
            rows,
            cursor: Some(CursorJson::of(&screen.cursor)),
            title: some(&screen.title, ""),
            working_directory: some(&screen.working_directory, ""),
            modes: Some(ModesJson::of(&screen.modes))
                .filter(|modes| *modes != ModesJson::default()),
            scrollback_rows: Some(screen.scrollback_rows).filter(|rows| *rows > 0),
        }
    }

    fn change(&mut self, shown: Shown, last: &Screen, screen: &Screen) -> FrameLine {
        let mut moved = Vec::new();
        let mut rows = Vec::new();
        let mut searches = 0;
        let mut index = 0;
        while let Some(row) = screen.rows.get(index) {
            if same(row, &last.rows[index]) {
                index += 1;
                continue;
            }
            let from = (!row.is_empty() && searches < MOST_SEARCHES)
                .then(|| last.rows.iter().position(|before| same(row, before)))
                .flatten();
            let Some(from) = from else {
                searches += 1;
                rows.push((index, RowJson::of(row, &mut self.looks)));
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
            looks: std::mem::take(&mut self.looks.new),
            moved,
            rows,
            cursor: (screen.cursor != last.cursor).then(|| CursorJson::of(&screen.cursor)),
            title: changed(&screen.title, &last.title),
            working_directory: changed(&screen.working_directory, &last.working_directory),
            modes: (screen.modes != last.modes).then(|| ModesJson::of(&screen.modes)),
            scrollback_rows: (screen.scrollback_rows != last.scrollback_rows)
                .then_some(screen.scrollback_rows),
        }
    }
}

fn same(one: &Arc<Row>, other: &Arc<Row>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

fn some(text: &Arc<str>, unless: &str) -> Option<String> {
    (**text != *unless).then(|| text.to_string())
}

/// The line for one screen that stands alone.
pub(super) fn alone(shown: Shown, screen: &Screen) -> FrameLine {
    FrameWriter::new().key(shown, screen)
}

/// Reads lines as screens.
#[derive(Debug, Default)]
pub struct FrameReader {
    screen: Option<Screen>,
    looks: Vec<Look>,
    builder: RowBuilder,
}

impl FrameReader {
    /// A reader that has not seen a keyframe yet.
    pub fn new() -> FrameReader {
        FrameReader::default()
    }

    /// What is shown after a line. The first must be a keyframe.
    pub fn screen(&mut self, line: &FrameLine) -> Result<&Screen, String> {
        let read = self.read(line);
        if read.is_err() {
            // What is half changed is no screen.
            self.screen = None;
        }
        read?;
        self.screen.as_ref().ok_or_else(no_key)
    }

    fn read(&mut self, line: &FrameLine) -> Result<(), String> {
        if line.key {
            let (cols, rows) = line.size.ok_or("a keyframe without `size`")?;
            let size = Size::checked(cols, rows).map_err(|error| error.to_string())?;
            self.looks.clear();
            self.screen = Some(Screen::blank(size));
        } else if line.size.is_some() {
            return Err("`size` in a line that is no keyframe".to_owned());
        }
        for look in &line.looks {
            self.looks.push(look.look()?);
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
                        "`move` of {count} rows from {from} to {to}, and there are {}",
                        before.len()
                    ));
                };
                screen.rows[to..to_end].clone_from_slice(&before[from..from_end]);
            }
        }
        for (index, row) in &line.rows {
            let place = screen.rows.get_mut(*index);
            let place =
                place.ok_or_else(|| format!("row `{index}`, and there are {}", size.rows))?;
            *place = Arc::new(row.row(&self.looks, size.cols, &mut self.builder)?);
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
        if let Some(rows) = line.scrollback_rows {
            screen.scrollback_rows = rows;
        }
        Ok(())
    }
}

fn no_key() -> String {
    "a change without a keyframe before it".to_owned()
}
