//! Splits a program's output into text and escape sequences.

pub(super) mod params;
pub(super) mod parser;
pub(super) mod utf8;
