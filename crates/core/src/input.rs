//! What a terminal sends to its program.
//!
//! Each file here answers one question in bytes, given the [`Modes`](crate::Modes) that the program asked for: what does
//! a [`key`], a [`mouse`] event, typed [`text`], a [`paste`] or a change of [`focus`] send? The sequences are xterm's, as
//! its `TERM` promises, and those of the kitty keyboard protocol where a program turned it on.
//!
//! [`token`] and [`typed`] go the other way: from bytes to what was pressed.

pub mod decode;
pub mod encode_key;
pub mod focus;
pub mod key;
pub mod mouse;
pub mod paste;
pub mod text;
pub mod token;
