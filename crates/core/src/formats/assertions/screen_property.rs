//! Conditions on a screen other than its text: cursor, size, title, modes.

use std::fmt;

use serde_json::Value;

use super::field_reader::{FieldReader, listed};
use crate::query::truncate::quoted;
use crate::{CursorShape, Modes, MouseEncoding, MouseTracking, Screen};

/// A condition that must hold. Rows and columns count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScreenProperty {
    /// The cursor is in this row.
    CursorRow(usize),
    /// The cursor is in this column.
    CursorCol(usize),
    /// The cursor is shown, or is not.
    CursorVisible(bool),
    /// The cursor has this shape.
    CursorShape(CursorShape),
    /// The screen has this number of columns.
    Cols(u16),
    /// The screen has this number of rows.
    Rows(u16),
    /// The title contains this text; an empty text means that no title is set.
    Title(String),
    /// A mode is on, off, or has this value.
    Mode(ModeName, Value),
    /// The scrollback has this number of rows.
    ScrollbackRows(usize),
}

/// A mode by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModeName(&'static str);

/// The modes that can be asserted, with their names in a cassette's frames.
const MODES: [&str; 13] = [
    "alternate_screen",
    "application_cursor",
    "application_keypad",
    "bracketed_paste",
    "focus_events",
    "mouse",
    "mouse_encoding",
    "alternate_scroll",
    "kitty_keyboard",
    "autowrap",
    "origin",
    "insert",
    "newline",
];

const MOUSE: [&str; 4] = ["off", "clicks", "drags", "motion"];
const ENCODINGS: [&str; 3] = ["default", "utf8", "sgr"];
const SHAPES: [(&str, CursorShape); 3] = [
    ("block", CursorShape::Block),
    ("underline", CursorShape::Underline),
    ("bar", CursorShape::Bar),
];

impl ScreenProperty {
    /// Whether the condition holds.
    pub fn holds(&self, screen: &Screen) -> bool {
        let cursor = &screen.cursor;
        match self {
            ScreenProperty::CursorRow(row) => cursor.position.row == *row,
            ScreenProperty::CursorCol(col) => cursor.position.col == *col,
            ScreenProperty::CursorVisible(visible) => cursor.visible == *visible,
            ScreenProperty::CursorShape(shape) => cursor.shape == *shape,
            ScreenProperty::Cols(cols) => screen.size.cols == *cols,
            ScreenProperty::Rows(rows) => screen.size.rows == *rows,
            ScreenProperty::Title(text) if text.is_empty() => screen.title.is_empty(),
            ScreenProperty::Title(text) => screen.title.contains(text.as_str()),
            ScreenProperty::Mode(mode, value) => mode.of(&screen.modes) == *value,
            ScreenProperty::ScrollbackRows(rows) => screen.scrollback_rows == *rows,
        }
    }

    /// Describes the actual state, as a sentence.
    pub fn instead(&self, screen: &Screen) -> String {
        let cursor = &screen.cursor;
        match self {
            ScreenProperty::CursorRow(_)
            | ScreenProperty::CursorCol(_)
            | ScreenProperty::CursorVisible(_) => {
                let hidden = if cursor.visible { "" } else { ", hidden" };
                format!("the cursor is at {}{hidden}", cursor.position.to_wire())
            }
            ScreenProperty::CursorShape(_) => format!("the cursor is a {}", shape(cursor.shape)),
            ScreenProperty::Cols(_) | ScreenProperty::Rows(_) => {
                format!("the size is {}", screen.size)
            }
            ScreenProperty::Title(_) if screen.title.is_empty() => "no title is set".to_owned(),
            ScreenProperty::Title(_) => format!("the title is {}", quoted(&screen.title)),
            ScreenProperty::Mode(mode, _) => format!("{} is {}", mode.0, mode.of(&screen.modes)),
            ScreenProperty::ScrollbackRows(_) => {
                format!("{} rows have scrolled out", screen.scrollback_rows)
            }
        }
    }
}

impl fmt::Display for ScreenProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScreenProperty::CursorRow(row) => write!(f, "cursor in row {}", row + 1),
            ScreenProperty::CursorCol(col) => write!(f, "cursor in column {}", col + 1),
            ScreenProperty::CursorVisible(true) => f.write_str("cursor visible"),
            ScreenProperty::CursorVisible(false) => f.write_str("cursor hidden"),
            ScreenProperty::CursorShape(form) => write!(f, "cursor a {}", shape(*form)),
            ScreenProperty::Cols(cols) => write!(f, "{cols} columns"),
            ScreenProperty::Rows(rows) => write!(f, "{rows} rows"),
            ScreenProperty::Title(text) if text.is_empty() => f.write_str("no title"),
            ScreenProperty::Title(text) => write!(f, "title {text:?}"),
            ScreenProperty::Mode(mode, value) => write!(f, "{} {value}", mode.0),
            ScreenProperty::ScrollbackRows(rows) => write!(f, "{rows} rows scrolled out"),
        }
    }
}

impl ModeName {
    /// Returns the mode's value, as in a cassette's frames.
    fn of(self, modes: &Modes) -> Value {
        match self.0 {
            "alternate_screen" => modes.alternate_screen.into(),
            "application_cursor" => modes.application_cursor.into(),
            "application_keypad" => modes.application_keypad.into(),
            "bracketed_paste" => modes.bracketed_paste.into(),
            "focus_events" => modes.focus_events.into(),
            "mouse" => MOUSE[match modes.mouse {
                MouseTracking::Off => 0,
                MouseTracking::Clicks => 1,
                MouseTracking::Drags => 2,
                MouseTracking::Motion => 3,
            }]
            .into(),
            "mouse_encoding" => ENCODINGS[match modes.mouse_encoding {
                MouseEncoding::Default => 0,
                MouseEncoding::Utf8 => 1,
                MouseEncoding::Sgr => 2,
            }]
            .into(),
            "alternate_scroll" => modes.alternate_scroll.into(),
            "kitty_keyboard" => modes.kitty_keyboard.bits().into(),
            "autowrap" => modes.autowrap.into(),
            "origin" => modes.origin.into(),
            "insert" => modes.insert.into(),
            // The only name in `MODES` that is left.
            _ => modes.newline.into(),
        }
    }

    /// Checks that the mode can have this value; the error lists the possible values.
    fn takes(self, value: &Value) -> Result<(), String> {
        let one_of = |names: &[&str]| {
            let known = value.as_str().is_some_and(|name| names.contains(&name));
            (known, listed(names))
        };
        let (known, which) = match self.0 {
            "mouse" => one_of(&MOUSE),
            "mouse_encoding" => one_of(&ENCODINGS),
            "kitty_keyboard" => {
                let flags = value.as_u64().is_some_and(|flags| flags < 32);
                (flags, "0 to 31".to_owned())
            }
            _ => (value.is_boolean(), "true, false".to_owned()),
        };
        if known {
            Ok(())
        } else {
            Err(format!("`modes.{}` must be one of {which}", self.0))
        }
    }
}

fn shape(shape: CursorShape) -> &'static str {
    let found = SHAPES.iter().find(|(_, known)| *known == shape);
    found.map_or("block", |(name, _)| name)
}

/// Reads all conditions of an assertion.
pub(super) fn all(fields: &mut FieldReader) -> Result<Vec<ScreenProperty>, String> {
    let mut properties = Vec::new();
    if let Some(value) = fields.take("cursor") {
        let mut cursor = FieldReader::new("cursor", value)?;
        properties.extend(cursor.place("row")?.map(ScreenProperty::CursorRow));
        properties.extend(cursor.place("col")?.map(ScreenProperty::CursorCol));
        properties.extend(cursor.flag("visible")?.map(ScreenProperty::CursorVisible));
        if let Some(name) = cursor.text("shape")? {
            let found = SHAPES.iter().find(|(known, _)| *known == name);
            let (_, shape) = found.ok_or_else(|| {
                let names = SHAPES.map(|(name, _)| name);
                format!(
                    "`cursor.shape` is `{name}`: expected one of {}",
                    listed(&names)
                )
            })?;
            properties.push(ScreenProperty::CursorShape(*shape));
        }
        cursor.finish()?;
    }
    if let Some(value) = fields.take("size") {
        let mut size = FieldReader::new("size", value)?;
        // Both fit: no screen is larger.
        properties.extend(
            size.number("cols", 2, 2000)?
                .map(|n| ScreenProperty::Cols(n as u16)),
        );
        properties.extend(
            size.number("rows", 1, 2000)?
                .map(|n| ScreenProperty::Rows(n as u16)),
        );
        size.finish()?;
    }
    properties.extend(fields.text("title")?.map(ScreenProperty::Title));
    if let Some(value) = fields.take("modes") {
        let mut modes = FieldReader::new("modes", value)?;
        for name in MODES {
            if let Some(value) = modes.take(name) {
                ModeName(name).takes(&value)?;
                properties.push(ScreenProperty::Mode(ModeName(name), value));
            }
        }
        modes.finish()?;
    }
    let rows = fields.number("scrollback_rows", 0, 1 << 20)?;
    properties.extend(rows.map(|rows| ScreenProperty::ScrollbackRows(rows as usize)));
    Ok(properties)
}
