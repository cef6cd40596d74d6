//! Renders terminal screens and recordings as pictures: PNG, SVG, HTML, GIF, APNG, WebP and the
//! frames of a video.
//!
//! The input is a screen and a theme. The output is pixels, or SVG or HTML text, that show the
//! screen. The same screen, theme and fonts always give the same bytes.
#![warn(missing_docs)]

pub mod animation;
pub mod font;
mod formats;
mod glyph;
mod image;
mod layout;
mod options;
pub mod picture;
pub mod pixels;

pub use animation::{Animation, Painter};
pub use font::{FontError, FontFallback, Fonts, SystemFonts};
pub use formats::{apng, gif, html, png, svg, video, webp};
pub use glyph::Grid;
pub use image::image_png;
pub use layout::window::{Bar, Fill, Window};
pub use options::{Bold, CursorVisibility, RenderOptions, RenderOptionsError, Scale};
pub use picture::{Picture, PictureError, ScreenPainter, draw};
pub use pixels::{Pixel, Pixels};
