//! The metadata file of an ANSI snapshot: size, version and cursor as one line of JSON.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Cursor, Position, Screen, Size, SizeError};

/// Metadata of an ANSI snapshot; `to_string` writes it as one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meta {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Version of the program that wrote the file; empty if the file has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Cursor position, if the file has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<MetaCursor>,
}

/// A cursor position, counted from 0, with the field names of State JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetaCursor {
    /// Its column.
    pub x: u16,
    /// Its row.
    pub y: u16,
    /// Whether the cursor was visible.
    pub visible: bool,
}

/// Reason why a metadata file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MetaError {
    /// Not a JSON object with whole numbers in `cols` and `rows`.
    #[error("not an object with `cols` and `rows`")]
    Syntax(#[from] serde_json::Error),
    /// A size that no screen can have.
    #[error("invalid `cols` or `rows`")]
    Size(#[from] SizeError),
}

/// The fields that are read; others are ignored. `version` and `cursor` may have any type.
#[derive(Deserialize)]
struct MetaFields {
    cols: u64,
    rows: u64,
    #[serde(default)]
    version: Value,
    #[serde(default)]
    cursor: Value,
}

impl Meta {
    /// Metadata for a screen of this size, with the current version and without a cursor.
    pub fn new(size: Size) -> Meta {
        Meta {
            cols: size.cols,
            rows: size.rows,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            cursor: None,
        }
    }

    /// Adds the cursor's position and visibility.
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

    /// Parses the file. Only `cols` and `rows` are required.
    pub fn parse(json: impl AsRef<[u8]>) -> Result<Meta, MetaError> {
        let fields: MetaFields = serde_json::from_slice(json.as_ref())?;
        let size = Size::checked(fields.cols, fields.rows)?;
        Ok(Meta {
            cols: size.cols,
            rows: size.rows,
            version: fields.version.as_str().unwrap_or_default().to_owned(),
            cursor: serde_json::from_value(fields.cursor).ok(),
        })
    }

    /// Returns the size of the screen.
    pub fn size(&self) -> Size {
        Size {
            cols: self.cols,
            rows: self.rows,
        }
    }

    /// Moves a screen's cursor to the stored position, if there is one.
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
