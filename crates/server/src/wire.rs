//! What stands on the wire, and nothing else: messages, parameters, errors.
//!
//! Rows and columns count from 1 here and from 0 everywhere else; `wire/place.rs` is where the two meet.

pub(crate) mod failure;
pub(crate) mod input;
pub(crate) mod message;
pub(crate) mod nothing;
pub(crate) mod number;
pub(crate) mod params;
pub(crate) mod place;
pub(crate) mod selector;
pub(crate) mod theme;

pub use failure::{Code, Failure};
