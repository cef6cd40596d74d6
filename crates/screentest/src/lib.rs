//! Start, drive, watch and test terminal programs.
//!
//! A [`Session`] runs a program in a real terminal, understands its screen, types and clicks like a person, and waits
//! for what the screen should say. Nothing that the program starts outlives it.
#![warn(missing_docs)]

pub mod app;
mod board;
pub mod clock;
mod environment;
pub mod history;
mod intake;
pub mod leftover;
mod outbox;
pub mod outcome;
pub mod pty;
mod pump;
pub mod report;
pub mod session;
pub mod signal;
mod wait;

pub use app::App;
pub use clock::Clock;
pub use history::{Frame, Mark};
pub use leftover::Leftover;
pub use outbox::InputError;
pub use outcome::Outcome;
pub use pty::SpawnError;
pub use report::{Miss, Report};
pub use screentest_core as core;
pub use session::{Options, Session};
pub use signal::Signal;
pub use wait::WaitError;
