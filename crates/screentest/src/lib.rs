//! Start, drive, watch and test terminal programs.
//!
//! A program runs in a real terminal ([`pty`]); nothing that it starts outlives the handle to it.
#![warn(missing_docs)]

pub mod app;
mod environment;
pub mod outcome;
pub mod pty;
pub mod signal;

pub use app::App;
pub use outcome::Outcome;
pub use signal::Signal;
