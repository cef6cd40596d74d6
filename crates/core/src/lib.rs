//! What a terminal shows, as values.
//!
//! Bytes go into an emulator, a screen comes out, and everything else here
//! asks that screen questions or writes it down. Nothing in this crate touches a process, a clock, a file or a socket.
#![warn(missing_docs)]

pub mod geometry;

pub use geometry::{Position, Rect, Size, SizeError, WirePosition};
