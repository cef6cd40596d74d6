//! Options that several commands share, and parsers of their values.

pub(crate) mod duration_arg;
pub(crate) mod input_args;
pub(crate) mod key;
mod number;
pub(crate) mod picture_args;
pub(crate) mod program;
pub(crate) mod secrets;
pub(crate) mod size;
pub(crate) mod theme;
