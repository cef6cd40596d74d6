//! Cassettes on disk: open, verify, check, cut, scrub and recover them, and convert them from and
//! to asciicasts.
//!
//! An open [`Cassette`] has a manifest with a valid digest, and all files that the manifest lists,
//! with the listed lengths. [`Cassette::verify`] compares every byte with the recorded digests, and
//! the frames with the emulator.
//!
//! See also: `recorder.rs` (writes cassettes), `player.rs` (plays them),
//! `screentest_core::formats::cassette` (the format).

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
#[doc(hidden)]
pub mod partial;
#[doc(hidden)]
pub mod paths;
mod recover;
mod scrub;
mod state;
pub(crate) mod stream;
mod to_cast;
mod verify;

pub use check::{Believed, CheckError, Checked};
pub use cut::CutError;
pub use error::CassetteError;
pub use failed::Failed;
pub use open::Cassette;
pub(crate) use open::{unread, wrong};
pub use recover::{RecoverError, Recovered, recover};
pub use scrub::ScrubError;
#[doc(hidden)]
pub use to_cast::shell_word;
pub use to_cast::{CastError, CastOptions, LeftOut, Typed};
pub use verify::{Difference, Verified};

pub use crate::recording::recorder::Existing;
