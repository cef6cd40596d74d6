//! Options of running a tape.

use crate::language::Output;

use screentest::session::Interrupt;
use screentest::test::run_options::{RunOptions, Update};

/// Options of running a tape.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct TapeOptions {
    /// Whether pauses take real time.
    pub tempo: Tempo,
    /// Additional outputs. They replace outputs of the tape of the same kind.
    pub outputs: Vec<Output>,
    /// Artifacts directory, snapshot update mode, emulator and other options. Times, size and
    /// colours come from the tape.
    pub run: RunOptions,
    /// Which baselines are written, overriding `CI` and the environment: for an explicit request
    /// of the user.
    pub update: Option<Update>,
    /// Ends a run early.
    pub interrupt: Option<Interrupt>,
}

/// Whether the pauses of a tape take real time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tempo {
    /// Pauses take the time that the tape gives.
    #[default]
    RealTime,
    /// Pauses end as soon as the program waits for input, but the recording has the times that the
    /// tape gives. A program that only reacts to its input shows the same at the same times.
    Fast,
}

impl TapeOptions {
    /// Ends pauses early.
    #[must_use]
    pub fn fast(mut self) -> TapeOptions {
        self.tempo = Tempo::Fast;
        self
    }

    /// Adds an output.
    #[must_use]
    pub fn output(mut self, output: Output) -> TapeOptions {
        self.outputs.push(output);
        self
    }

    /// Sets the run options.
    #[must_use]
    pub fn run(mut self, run: RunOptions) -> TapeOptions {
        self.run = run;
        self
    }

    /// Writes these baselines, overriding `CI` and the environment.
    #[must_use]
    pub fn update(mut self, update: Update) -> TapeOptions {
        self.update = Some(update);
        self
    }

    /// Ends the run early when this is raised.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> TapeOptions {
        self.interrupt = Some(interrupt);
        self
    }
}
