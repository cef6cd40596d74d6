//! Encoders, one file per format.
//!
//! SVG and HTML keep text as text; both split rows into spans of one style (`formats/span.rs`), and
//! contain images as PNG files (`formats/image_element.rs`).

pub mod apng;
pub mod gif;
pub mod html;
mod image_element;
pub mod png;
mod span;
pub mod svg;
pub mod video;
pub mod webp;
