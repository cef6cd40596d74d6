//! Pictures of terminal screens.
//!
//! A screen and a theme go in; pixels, or text that draws them, come out. Same screen, same theme, same fonts: same bytes.
#![warn(missing_docs)]

pub mod animation;
pub mod font;
mod formats;
mod glyph;
mod layout;
mod options;
pub mod picture;
pub mod pixels;

pub use animation::{Animation, Painter};
pub use font::{FontError, FontFallback, Fonts, SystemFonts};
pub use formats::{apng, gif, html, png, svg, video, webp};
pub use glyph::Grid;
pub use layout::window::{Bar, Fill, Window};
pub use options::{Bold, CursorVisibility, Options, OptionsError, Scale};
pub use picture::{Picture, PictureError, ScreenPainter, draw};
pub use pixels::{Pixel, Pixels};
