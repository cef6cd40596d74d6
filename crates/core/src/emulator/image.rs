//! Pictures that a program sends into its terminal.
//!
//! No cell shows them and nothing of their data is kept: what is known is that one was sent, where, and how large the program
//! said it is.

use crate::screen::geometry::Position;

/// A picture that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image {
    /// How it was sent.
    pub kind: ImageKind,
    /// The cursor's cell when it began.
    pub position: Position,
    /// How wide it is to be shown; `None` where the program leaves that to the terminal.
    pub width: Option<Length>,
    /// How high it is to be shown.
    pub height: Option<Length>,
    /// How many bytes of data came, as they were coded.
    pub bytes: u64,
}

/// The ways to send a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImageKind {
    /// Sixels (DCS q).
    Sixel,
    /// The kitty graphics protocol (APC G).
    Kitty,
    /// A file as iTerm2 takes it (OSC 1337;File).
    Iterm,
}

/// A width or a height, as a program says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Length {
    /// In cells.
    Cells(u32),
    /// In pixels.
    Pixels(u32),
    /// In percent of the screen.
    Percent(u32),
}
