//! Cassettes on disk: opening, verifying, recovering, and asciicasts of them and into them.
//!
//! A [`Cassette`] that was opened has a manifest whose digest is right and the files that it lists, in the lengths that it says. Whether every
//! byte is the one that was recorded, and whether the frames are what the emulator shows, is what [`Cassette::verify`] finds out.
//!
//! Elsewhere: who writes them (`recorder.rs`), who plays them (`player.rs`), the format (`screentest_core::formats::cassette`).

mod error;
mod from_cast;
pub(crate) mod lines;
mod open;
pub(crate) mod part;
pub(crate) mod place;
mod recover;
mod state;
mod to_cast;
mod verify;
pub(crate) mod walk;

pub use error::CassetteError;
pub use open::Cassette;
pub use recover::{RecoverError, Recovered, recover};
pub use to_cast::{CastError, CastOptions, LeftOut, Typed};
pub use verify::{Difference, Verified};

pub use crate::recorder::Existing;
