//! Recorded sessions: recording them, cassette files, playing them, and a fake program that replays one.

pub mod cassette;
pub mod fake_program;
pub mod player;
pub mod recorder;
mod session;
