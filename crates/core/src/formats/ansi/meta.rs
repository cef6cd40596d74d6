//! The file beside an ANSI snapshot, which says how large the screen was.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Cursor, Position, Screen, Size, SizeError};

/// How large the screen was; `to_string` writes it as one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meta {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// The version of what wrote the file; empty where it does not say.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Where the cursor was, if that was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<MetaCursor>,
}

/// Where a cursor was, counted from 0, in the words of State JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetaCursor {
    /// Its column.
    pub x: u16,
    /// Its row.
    pub y: u16,
    /// Whether it was shown.
    pub visible: bool,
}

/// Why a text does not give a size.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MetaError {
    /// Not JSON, or without columns and rows.
    #[error("the text is not an object with `cols` and `rows`")]
    Syntax(#[from] serde_json::Error),
    /// A size that no screen has.
    #[error("`cols` and `rows` are not a screen's")]
    Size(#[from] SizeError),
}

/// What is looked at; the rest is passed over, of whatever kind it is.
#[derive(Deserialize)]
struct Fields {
    cols: u64,
    rows: u64,
    #[serde(default)]
    version: Value,
    #[serde(default)]
    cursor: Value,
}

impl Meta {
    /// A size, written by this version.
    pub fn new(size: Size) -> Meta {
        Meta {
            cols: size.cols,
            rows: size.rows,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            cursor: None,
        }
    }

    /// The same with the place of a cursor.
    pub fn with_cursor(self, cursor: &Cursor) -> Meta {
        let number = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        Meta {
            cursor: Some(MetaCursor {
                x: number(cursor.position.col),
                y: number(cursor.position.row),
                visible: cursor.visible,
            }),
            ..self
        }
    }

    /// Reads the file. Only columns and rows must be there.
    pub fn parse(json: impl AsRef<[u8]>) -> Result<Meta, MetaError> {
        let fields: Fields = serde_json::from_slice(json.as_ref())?;
        let size = Size::checked(fields.cols, fields.rows)?;
        Ok(Meta {
            cols: size.cols,
            rows: size.rows,
            version: fields.version.as_str().unwrap_or_default().to_owned(),
            cursor: serde_json::from_value(fields.cursor).ok(),
        })
    }

    /// How large the screen was.
    pub fn size(&self) -> Size {
        Size {
            cols: self.cols,
            rows: self.rows,
        }
    }

    /// Puts the cursor of a screen where it was, if that was kept.
    pub fn place_cursor(&self, screen: &mut Screen) {
        if let Some(cursor) = self.cursor {
            screen.cursor = Cursor {
                position: Position {
                    row: usize::from(cursor.y.min(screen.size.rows.saturating_sub(1))),
                    col: usize::from(cursor.x.min(screen.size.cols.saturating_sub(1))),
                },
                visible: cursor.visible,
                ..Cursor::default()
            };
        }
    }
}

impl fmt::Display for Meta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&line)
    }
}
