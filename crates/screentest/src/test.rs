//! The test library: the terminal that a test drives, snapshots, the runner, and the files of a
//! failure.

pub mod artifacts;
pub(crate) mod atomic_write;
pub(crate) mod dir_lock;
pub mod failure;
#[doc(hidden)]
pub mod failure_bundle;
pub mod pending_snapshots;
#[cfg(feature = "render")]
pub mod picture;
pub mod project;
pub mod run_options;
pub mod runner;
pub(crate) mod slug;
pub mod snapshot;
pub(crate) mod snapshot_files;
pub mod terminal;
pub mod tui;

pub use artifacts::ArtifactError;
pub use pending_snapshots::Pending;
pub use run_options::{InputOverrides, OptionError};
pub use snapshot::{Baseline, Mismatch, SnapshotError, SnapshotFiles};
