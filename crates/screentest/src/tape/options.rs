//! How a tape is run.

use screentest_core::tape::Output;

use crate::session::wait::limits::Interrupt;
use crate::test::run_options::{RunOptions, Update};

/// How a tape is run.
///
/// ```
/// use screentest::tape::{Tempo, TapeOptions};
///
/// let options = TapeOptions::default().fast();
/// assert_eq!(options.tempo, Tempo::Fast);
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct TapeOptions {
    /// Whether pauses are lived through.
    pub tempo: Tempo,
    /// What is written besides what the tape says; an output of the tape that is of the same kind is not.
    pub outputs: Vec<Output>,
    /// Where artifacts go, what becomes of snapshots, which emulator is used. Times, size and colours are the tape's.
    pub run: RunOptions,
    /// Which baselines are written, whatever `CI` and the environment say: for who was asked just now.
    pub update: Option<Update>,
    /// What ends a run early.
    pub interrupt: Option<Interrupt>,
}

/// Whether the pauses of a tape are lived through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tempo {
    /// They take the time that the tape says.
    #[default]
    Lived,
    /// They end as soon as the program waits for input. In the recording they have the time that the tape says: what a program shows
    /// of its input alone is the same, at the same times.
    Fast,
}

impl TapeOptions {
    /// Ends pauses early.
    #[must_use]
    pub fn fast(mut self) -> TapeOptions {
        self.tempo = Tempo::Fast;
        self
    }

    /// Writes this as well.
    #[must_use]
    pub fn output(mut self, output: Output) -> TapeOptions {
        self.outputs.push(output);
        self
    }

    /// Obeys these options.
    #[must_use]
    pub fn run(mut self, run: RunOptions) -> TapeOptions {
        self.run = run;
        self
    }

    /// Writes these baselines, whatever `CI` and the environment say.
    #[must_use]
    pub fn update(mut self, update: Update) -> TapeOptions {
        self.update = Some(update);
        self
    }

    /// Ends early when this is raised.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> TapeOptions {
        self.interrupt = Some(interrupt);
        self
    }
}
