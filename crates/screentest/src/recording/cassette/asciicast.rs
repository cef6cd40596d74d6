//! Converts cassettes from and to asciicasts.

mod from_cast;
pub(crate) mod to_cast;
