//! Items that only screentest's own crates use. Not part of the public API: they change without
//! notice.

pub use crate::environment::{Variables, environment};
pub use crate::format_duration::Elapsed;
#[cfg(feature = "cassette-tools")]
pub use crate::recording::cassette::asciicast::to_cast::shell_word;
pub use crate::recording::cassette::directory::{partial, paths as cassette_paths};
pub use crate::session::input::pause::PauseEnd;
pub use crate::session::ready::Ready;
pub use crate::test::atomic_write::AtomicFile;
pub use crate::test::dir_lock::Owner;
pub use crate::test::failure::chain;
pub use crate::test::failure_bundle;
pub use crate::test::run_options::Runner;
pub use crate::test::slug::Slug;
pub use crate::test::snapshot::{GiveUp, Snapshot};
