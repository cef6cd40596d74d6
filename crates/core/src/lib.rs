//! Terminal screens as values.
//!
//! An [`Emulator`] turns bytes into a [`Screen`]. The rest of the crate queries screens, compares
//! them and converts them to and from file formats. The crate is pure: it uses no process, clock,
//! file or socket.
#![warn(missing_docs)]

pub mod action;
pub mod emulator;
pub mod formats;
pub mod input;
pub mod query;
#[cfg(test)]
mod random;
pub mod redact;
pub mod screen;

pub use action::Action;
pub use emulator::{Backend, Capabilities, Emulator, Identity};
pub use formats::paint::Paint;
pub use input::key::{Chord, Key, KeyError, Keypad, Modifiers};
pub use query::condition::Condition;
pub use query::diff::Diff;
pub use query::extract::{
    Captures, Choice, Column, CommandProgress, ShellCommand, Table, TableRow,
};
pub use query::mask::Mask;
pub use query::match_::Match;
pub use query::near_miss::NearMiss;
pub use query::new_text::{Appeared, Baseline, Changes, ClearState};
pub use query::normaliser::Normaliser;
pub use query::selector::{Ambiguity, SelectError, Selector};
pub use redact::secret::Secrets;
pub use screen::colors::ScreenColors;
pub use screen::cursor::{Cursor, CursorShape};
pub use screen::frame::RecordingFrame;
pub use screen::geometry::{Position, Rect, Size, SizeError, WirePosition};
pub use screen::image::{ImageContent, ImageData, ImageHash, ImageKind, ImagePlacement, ImageSize};
pub use screen::modes::{KittyKeyboard, Modes, MouseEncoding, MouseTracking};
pub use screen::palette::{Palette, PaletteEntry};
pub use screen::row::{CellView, Hyperlink, Row, RowBuilder, StyleRun, Text, Width, Zone};
pub use screen::style::{Attributes, Color, Rgb, Style, Underline};
pub use screen::theme::{Theme, ThemeCollection, ThemeError};
pub use screen::{Screen, State};
