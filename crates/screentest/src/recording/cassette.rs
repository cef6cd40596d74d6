//! Cassettes on disk: opening, verifying, checking, cutting, scrubbing, recovering, asciicasts of them and into them, and tapes
//! of what was done in them.
//!
//! A [`Cassette`] that was opened has a manifest whose digest is right and the files that it lists, in the lengths that it says. Whether every
//! byte is the one that was recorded, and whether the frames are what the emulator shows, is what [`Cassette::verify`] finds out.
//!
//! Elsewhere: who writes them (`recorder.rs`), who plays them (`player.rs`), the format (`screentest_core::formats::cassette`).

pub mod assertions_file;
mod check;
pub(crate) mod contents;
mod cut;
mod error;
mod failed;
mod from_cast;
pub(crate) mod iter;
pub(crate) mod lines;
mod open;
mod order;
pub(crate) mod partial;
pub(crate) mod paths;
mod recover;
mod scrub;
mod state;
pub(crate) mod stream;
mod to_cast;
mod to_tape;
mod verify;

pub use check::{Believed, CheckError, Checked};
pub use cut::CutError;
pub use error::CassetteError;
pub use failed::Failed;
pub use open::Cassette;
pub(crate) use open::{unread, wrong};
pub use recover::{RecoverError, Recovered, recover};
pub use scrub::ScrubError;
#[cfg(feature = "render")]
pub(crate) use to_cast::shell_word;
pub use to_cast::{CastError, CastOptions, LeftOut, Typed};
pub use to_tape::{TapeError, TapeWarning, Taped, launch_line};
pub use verify::{Difference, Verified};

pub use crate::recording::recorder::Existing;
