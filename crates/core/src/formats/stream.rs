//! Live stream: binary messages for viewers of a running terminal.
//!
//! A keyframe is a whole screen. A delta contains the changes since the revision it names; rows
//! that only moved are referenced instead of written again. Every message has its own table of
//! styles and links, so the only state shared between messages is the screen.
//! `docs/formats/stream.md` gives the bytes.
//!
//! The encoder takes a [`WireScreen`], which holds only what the format can represent, so decoding
//! returns exactly that. A viewer has a [`Viewer`] and passes every message to [`apply`]. A delta
//! that does not fit the view is refused, and the viewer asks for a keyframe.
//!
//! See also: `bytes.rs` (numbers and texts), `encode.rs` with `row_moves.rs`, `row.rs`,
//! `style_table.rs`, `metadata.rs` and `image_list.rs`, `decode.rs`, `viewer.rs` (the state of a
//! viewer). The web page has its own decoder, `crates/server/page/protocol/stream.js`. The server
//! owns the sockets and decides when to send which message.

use std::sync::Arc;

use crate::{ImagePlacement, Row, Size};

mod bytes;
mod decode;
mod encode;
mod image_list;
mod metadata;
mod row;
mod row_moves;
mod style_table;
#[cfg(test)]
mod tests;
mod viewer;
mod wire_screen;

pub use decode::{StreamError, decode};
pub use encode::{closed, delta, ended, keyframe};
pub use viewer::{ApplyError, Viewer, apply};
pub use wire_screen::WireScreen;

use metadata::MetadataChanges;
use row::{RowChange, StreamPiece};
use row_moves::RowMove;
use style_table::StyleEntry;

/// The newest version that is written and read. A message has the lowest version that can express
/// it, so that older viewers understand as many as possible: version 2 only added changed colours,
/// version 3 only images.
pub const VERSION: u8 = 3;
/// The version of messages with images.
pub(crate) const VERSION_WITH_IMAGES: u8 = 3;
/// The largest number in a message: JavaScript represents whole numbers exactly only up to here.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;
/// The longest title or working directory, in bytes; longer ones are truncated.
pub const MAX_TEXT: usize = 4096;
/// The most bytes that a row may add to a message, including its table entries. 2,000 cells with
/// 2,000 different styles fit. A row that could need more, because of many long links or combining
/// characters, is sent as unstyled text.
pub const MAX_ROW_BYTES: usize = 64 << 10;
/// The longest message: the largest number of rows, and space for the remaining fields.
pub const MAX_MESSAGE: usize = (*Size::ROWS.end() as usize + 1) * MAX_ROW_BYTES;

/// A decoded message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamMessage {
    /// The session, if several share a socket.
    pub channel: u32,
    /// The viewer's revision after this message. A message that does not change the screen has the
    /// viewer's current revision.
    pub revision: u64,
    /// The content.
    pub body: StreamBody,
}

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamBody {
    /// A whole screen.
    Keyframe {
        /// Its size.
        size: Size,
        /// The differences from a blank screen.
        changes: ScreenChanges,
    },
    /// The changes since a screen that the viewer has.
    Delta {
        /// The revision of that screen.
        base: u64,
        /// The changes.
        changes: ScreenChanges,
    },
    /// The program exited. Its last screen remains visible.
    Ended(ProgramExit),
    /// The session is closed; no more messages follow on this channel.
    Closed,
}

/// How a program exited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramExit {
    /// Not known.
    Unknown,
    /// With this exit code.
    Exited(i32),
    /// Killed by the signal of this name, such as `SIGTERM`.
    Signaled(Arc<str>),
}

/// The differences between two screens of one size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScreenChanges {
    metadata: MetadataChanges,
    moves: Vec<RowMove>,
    /// The styles that pieces refer to as 1, 2 and so on; 0 is the default style.
    styles: Vec<StyleEntry>,
    rows: Vec<RowChange>,
    /// The pieces of all rows, in one vector, so that a message with many pieces needs few
    /// allocations.
    pieces: Vec<StreamPiece>,
    /// The text of all pieces.
    text: String,
    /// The new images; `None` if they are unchanged.
    images: Option<Arc<[ImagePlacement]>>,
}

/// Whether two rows are equal. Cheap if they are shared.
fn same(one: &Arc<Row>, other: &Arc<Row>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}
