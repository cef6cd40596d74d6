//! Terminal screens as values.
//!
//! An [`Emulator`] turns bytes into a [`Screen`]. The rest of the crate queries screens, compares
//! them and converts them to and from file formats. The crate is pure: it uses no process, clock,
//! file or socket.
#![warn(missing_docs)]

pub mod baseline;
pub mod condition;
pub mod cursor;
pub mod diff;
pub mod emulator;
pub mod excerpt;
pub mod extract;
pub mod formats;
pub mod frame;
pub mod geometry;
pub mod input;
pub mod key;
pub mod mask;
pub mod matched;
mod measured;
pub mod modes;
pub mod near_miss;
pub mod nearest;
pub mod normaliser;
pub mod paint;
#[cfg(test)]
mod random;
pub mod row;
pub mod screen;
pub mod scrub;
pub mod secret;
pub mod selector;
pub mod style;
pub mod tape;
mod text;
pub mod theme;

pub use baseline::{Appeared, Baseline, Changes, Cleared};
pub use condition::Condition;
pub use cursor::{Cursor, CursorShape};
pub use diff::Diff;
pub use emulator::{Backend, Capabilities, Emulator, Identity};
pub use extract::{Captures, Choice, Column, Command, Stage, Table, TableRow};
pub use frame::Frame;
pub use geometry::{Position, Rect, Size, SizeError, WirePosition};
pub use key::{Chord, Key, KeyError, Keypad, Modifiers};
pub use mask::Mask;
pub use matched::Match;
pub use modes::{KittyKeyboard, Modes, MouseEncoding, MouseTracking};
pub use near_miss::NearMiss;
pub use normaliser::Normaliser;
pub use paint::Paint;
pub use row::{CellView, Hyperlink, Row, RowBuilder, Run, Text, Width, Zone};
pub use screen::{Screen, State};
pub use secret::Secrets;
pub use selector::{Ambiguity, SelectError, Selector};
pub use style::{Attributes, Color, Rgb, Style, Underline};
pub use theme::{Theme, ThemeError};
