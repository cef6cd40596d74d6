//! Pictures of terminal screens.
//!
//! A screen and a theme go in; pixels, or text that draws them, come out. Same screen, same theme, same fonts: same bytes.
#![warn(missing_docs)]

pub mod apng;
mod caret;
pub mod film;
pub mod font;
pub mod gif;
mod glyph;
pub mod html;
mod options;
mod paint;
mod palette;
pub mod picture;
pub mod pixels;
pub mod png;
mod shape;
mod span;
pub mod svg;
pub mod video;
pub mod webp;
mod window;

pub use film::{Film, Painter};
pub use font::{Borrowed, FontError, Fonts, SystemFonts};
pub use glyph::Grid;
pub use options::{Bold, Caret, Options, OptionsError, Scale};
pub use picture::{Camera, Picture, PictureError, draw};
pub use pixels::{Pixel, Pixels};
pub use window::{Bar, Fill, Window};
