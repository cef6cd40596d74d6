//! Live stream: binary messages for viewers of a running terminal.
//!
//! A keyframe is a whole screen. A delta contains the changes since the revision it names; rows
//! that only moved are referenced instead of written again. Every message has its own table of
//! styles and links, so the only state shared between messages is the screen.
//! `docs/formats/stream.md` gives the bytes.
//!
//! The encoder takes a [`Seen`], which holds only what the format can represent, so decoding
//! returns exactly that. A viewer has a [`View`] and passes every message to [`apply`]. A delta
//! that does not fit the view is refused, and the viewer asks for a keyframe.
//!
//! See also: `bytes.rs` (numbers and texts), `encode.rs` with `moves.rs`, `row.rs`, `look.rs` and
//! `facts.rs`, `decode.rs`, `view.rs` (the viewer's state). The web page has its own decoder,
//! `crates/server/page/protocol/stream.js`. The server owns the sockets and decides when to send which
//! message.

use std::sync::Arc;

use crate::{Row, Size};

mod bytes;
mod decode;
mod encode;
mod facts;
mod look;
mod moves;
mod row;
mod seen;
#[cfg(test)]
mod tests;
mod view;

pub use decode::{StreamError, decode};
pub use encode::{closed, delta, ended, keyframe};
pub use seen::Seen;
pub use view::{ApplyError, View, apply};

use facts::Facts;
use look::Look;
use moves::Move;
use row::{Piece, RowChange};

/// The version that is written, and the only one that can be read.
pub const VERSION: u8 = 1;
/// The largest number in a message: JavaScript represents whole numbers exactly only up to here.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;
/// The longest title or working directory, in bytes; longer ones are truncated.
pub const MAX_TEXT: usize = 4096;
/// The most bytes that a row may add to a message, including its table entries. 2,000 cells with
/// 2,000 different styles fit. A row that could need more, because of many long links or combining
/// characters, is sent as unstyled text.
pub const MAX_ROW: usize = 64 << 10;
/// The longest message: the largest number of rows, and space for the remaining fields.
pub const MAX_MESSAGE: usize = (*Size::ROWS.end() as usize + 1) * MAX_ROW;

/// A decoded message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The session, if several share a socket.
    pub channel: u32,
    /// The viewer's revision after this message; if the message does not change the screen, its
    /// current revision.
    pub revision: u64,
    /// The content.
    pub body: Body,
}

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// A whole screen.
    Keyframe {
        /// Its size.
        size: Size,
        /// The differences from a blank screen.
        changes: Changes,
    },
    /// The changes since a screen that the viewer has.
    Delta {
        /// The revision of that screen.
        base: u64,
        /// The changes.
        changes: Changes,
    },
    /// The program exited. Its last screen remains visible.
    Ended(Ended),
    /// The session is closed; no more messages follow on this channel.
    Closed,
}

/// How a program exited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Not known.
    Unknown,
    /// With this exit code.
    Exited(i32),
    /// Killed by the signal of this name, such as `SIGTERM`.
    Signaled(Arc<str>),
}

/// The differences between two screens of one size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    facts: Facts,
    moves: Vec<Move>,
    /// The styles that pieces refer to as 1, 2 and so on; 0 is the default style.
    looks: Vec<Look>,
    rows: Vec<RowChange>,
    /// The pieces of all rows, in one vector, so that a message with many pieces takes little more
    /// memory than bytes.
    pieces: Vec<Piece>,
    /// The text of all pieces.
    text: String,
}

/// Whether two rows are equal. Cheap if they are shared.
fn same(one: &Arc<Row>, other: &Arc<Row>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}
