//! Images that a program sends to its terminal.
//!
//! A record of each image that was received, whether it is shown or not: protocol, position, data
//! size and requested size. What a screen shows is in [`crate::Screen::images`].

use crate::screen::geometry::Position;
pub use crate::screen::image::ImageKind;

/// An image that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image {
    /// The image protocol.
    pub kind: ImageKind,
    /// The cursor's cell at the start of the image.
    pub position: Position,
    /// The requested width; `None` if the terminal may choose it.
    pub width: Option<ImageLength>,
    /// The requested height; `None` if the terminal may choose it.
    pub height: Option<ImageLength>,
    /// Size of the encoded data in bytes.
    pub bytes: u64,
}

/// A requested width or height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageLength {
    /// In cells.
    Cells(u32),
    /// In pixels.
    Pixels(u32),
    /// In percent of the screen.
    Percent(u32),
}
