//! A recorded program as an [`App`], which starts the replay in place of a program.

use std::any::Any;
use std::path::PathBuf;

use screentest_core::{Identity, Size};

use super::{FakeProgram, FakeProgramError, FakeProgramOptions, replayed_pty};
use crate::app::App;
use crate::clock::Clock;
use crate::pty::{ProgramSubstitute, Pty, SpawnError};

impl App {
    /// The program that was recorded in this cassette, replayed by this process. The replay writes
    /// the recorded output when it receives the recorded input, and exits as the program did.
    /// Neither the program nor its services are needed; arguments, environment and directory have
    /// no effect. [`FakeProgramOptions`] configure the replay.
    ///
    /// Different input ends the replay with exit code
    /// [125](super::MISMATCH), and its last screen shows the expected and
    /// the actual input.
    ///
    /// ```no_run
    /// use screentest::App;
    ///
    /// let deploy = App::cassette("tests/deploy.cassette");
    /// ```
    pub fn cassette(path: impl Into<PathBuf>) -> App {
        App::from(FakeProgramOptions::of(path))
    }
}

/// A recorded program, named by its cassette.
impl From<FakeProgramOptions> for App {
    fn from(options: FakeProgramOptions) -> App {
        App::new(options.path()).with_substitute(options)
    }
}

impl ProgramSubstitute for FakeProgramOptions {
    fn spawn(
        &self,
        size: Size,
        clock: &Clock,
        emulator: Option<Identity>,
    ) -> Result<Box<dyn Pty>, SpawnError> {
        let fake_program = FakeProgram::open(self, Some(size), emulator)?;
        Ok(Box::new(replayed_pty::start(fake_program, size, clock)?))
    }

    fn equals(&self, other: &dyn ProgramSubstitute) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }
}

impl From<FakeProgramError> for SpawnError {
    fn from(error: FakeProgramError) -> SpawnError {
        SpawnError::Substitute(Box::new(error))
    }
}
