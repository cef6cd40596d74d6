//! Recorded sessions: the recorder, cassette files, the player, and a fake program that replays a
//! recording.

pub mod cassette;
pub mod fake_program;
pub mod player;
pub mod recorder;
mod session;
