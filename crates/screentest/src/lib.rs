//! Start, drive, watch and test terminal programs.
//!
//! A [`Session`] runs a program in a real terminal, understands its screen, types and clicks like a person, and waits
//! for what the screen should say. Nothing that the program starts outlives it.
#![warn(missing_docs)]

pub mod app;
pub mod artifacts;
mod board;
mod bundle;
pub mod clock;
mod elapsed;
mod environment;
pub mod failure;
pub mod history;
mod home;
pub mod inputs;
mod intake;
pub mod leftover;
pub mod miss;
mod outbox;
pub mod outcome;
pub mod pending;
pub mod project;
pub mod pty;
mod pump;
pub mod report;
pub mod run_options;
pub mod runner;
pub mod session;
pub mod signal;
mod slug;
pub mod snapshot;
mod tail;
pub mod tui;
mod wait;

pub use app::{App, CargoBinError};
pub use artifacts::ArtifactError;
pub use clock::Clock;
pub use failure::Failure;
pub use history::{Frame, Mark};
pub use inputs::{Input, InputKind};
pub use leftover::Leftover;
pub use miss::{Miss, Unmet};
pub use outbox::InputError;
pub use outcome::Outcome;
pub use pending::Pending;
pub use pty::SpawnError;
pub use report::Report;
pub use run_options::{ExitCheck, OptionError, RunOptions, SnapshotTheme, Update};
pub use runner::{tui_test, with_session};
pub use screentest_core as core;
pub use session::{Options, Session};
pub use signal::Signal;
pub use snapshot::SnapshotError;
pub use tui::{StepOptions, Tui, TuiError, WaitOptions};
pub use wait::WaitError;
