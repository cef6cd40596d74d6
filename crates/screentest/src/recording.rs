//! Recorded sessions: the recorder, cassette files, the player, and a fake program that replays a
//! recording.

#[cfg_attr(
    not(feature = "cassette-tools"),
    expect(dead_code, reason = "used only with the feature `cassette-tools`")
)]
pub mod cassette;
pub mod fake_program;
pub mod player;
pub mod recorder;
mod session;

pub use cassette::{Cassette, CassetteError};
pub use fake_program::{FakeProgram, FakeProgramOptions};
pub use player::{Moment, Pace, PlayError, Player};
pub use recorder::{RecordError, RecordOptions};
