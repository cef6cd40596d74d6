//! Encoders and decoders for terminal input.
//!
//! The encoders return the bytes that a terminal sends to its program, given the
//! [`Modes`](crate::Modes) that the program set: for a [`key`], a [`mouse`] event, typed [`text`],
//! a [`paste`] or a change of [`focus`]. The sequences are those of xterm, as `TERM` promises, and
//! those of the kitty keyboard protocol if a program turned it on.
//!
//! [`token`] and [`decode`] do the inverse: they turn bytes into the keys that were pressed.

pub mod decode;
pub mod encode_key;
pub mod focus;
pub mod key;
pub mod mouse;
pub mod paste;
pub mod text;
pub mod token;
