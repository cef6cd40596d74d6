//! Splits the bytes of a program into text and sequences.

pub(super) mod params;
pub(super) mod parser;
pub(super) mod utf8;
