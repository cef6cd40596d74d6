//! Writers of file formats: one file per format.
//!
//! SVG and HTML keep text as text and share the splitting of rows into spans (`formats/span.rs`).

pub mod apng;
pub mod gif;
pub mod html;
pub mod png;
mod span;
pub mod svg;
pub mod video;
pub mod webp;
