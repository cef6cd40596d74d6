//! Encoders, one file per format.
//!
//! SVG and HTML keep text as text; both split rows into spans of one style (`formats/span.rs`).

pub mod apng;
pub mod gif;
pub mod html;
pub mod png;
mod span;
pub mod svg;
pub mod video;
pub mod webp;
