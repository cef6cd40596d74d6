//! The live stream: what a viewer of a terminal is sent while the program runs.
//!
//! Each message stands alone but for the screen that it changes: a keyframe is a whole screen, a delta what is different since the
//! revision it names, with rows that only moved named instead of written again. Styles and links are in a table of the message, so
//! nothing else is remembered between two. `docs/formats/stream.md` gives the bytes.
//!
//! What is sent is a [`Seen`], which holds no more than the format can: reading what was written gives exactly that. A viewer keeps a
//! [`View`] and gives every message to [`apply`]; what does not follow from what it has is refused, and it asks for a keyframe.
//!
//! Elsewhere: numbers and texts as bytes (`bytes.rs`), what is written (`encode.rs` with `moves.rs`, `row.rs`, `look.rs` and
//! `facts.rs`), what is read (`decode.rs`), and what a viewer has (`view.rs`). The page's own reader is
//! `crates/server/page/stream.js`. Sockets, and who is sent what and when, are the server's.

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

/// The version that is written, and the only one that is read.
pub const VERSION: u8 = 1;
/// The largest number in a message: a page holds whole numbers exactly only so far.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;
/// The longest title or working directory, in bytes; what is longer is cut.
pub const MAX_TEXT: usize = 4096;
/// The most bytes that a row may add to a message, table included. 2,000 cells of which no two look the same fit; a row that could take
/// more, by links and marks without end, is sent as text alone.
pub const MAX_ROW: usize = 64 << 10;
/// The longest message: as many rows as a screen may have, and room for the rest.
pub const MAX_MESSAGE: usize = (*Size::ROWS.end() as usize + 1) * MAX_ROW;

/// A message, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Which of the sessions that share a socket.
    pub channel: u32,
    /// What the viewer has once it is applied; the last one, where the screen does not change.
    pub revision: u64,
    /// What it says.
    pub body: Body,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// A whole screen.
    Keyframe {
        /// How large it is.
        size: Size,
        /// What is different from a blank one.
        changes: Changes,
    },
    /// What is different since a screen that the viewer has.
    Delta {
        /// The revision of that screen.
        base: u64,
        /// What is different.
        changes: Changes,
    },
    /// The program ended. Its last screen stays.
    Ended(Ended),
    /// The session is closed, and nothing follows on this channel.
    Closed,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Nobody knows.
    Unknown,
    /// It left on its own, with this code.
    Exited(i32),
    /// A signal of this name, such as `SIGTERM`, killed it.
    Signaled(Arc<str>),
}

/// What is different between two screens of one size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    facts: Facts,
    moves: Vec<Move>,
    /// What pieces call 1, 2 and so on; 0 is the plain look.
    looks: Vec<Look>,
    rows: Vec<RowChange>,
    /// Of all rows, one after another: a message of many pieces takes little more memory than bytes.
    pieces: Vec<Piece>,
    /// Of all pieces.
    text: String,
}

/// Whether two rows are the same; at no cost where they are shared.
fn same(one: &Arc<Row>, other: &Arc<Row>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}
