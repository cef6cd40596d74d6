//! Derives screens from the recorded bytes: a pure function of `output.raw`, the resizes and the
//! manifest's `terminal`.
//!
//! An emulator other than the pinned one may show something else. Deriving with it is therefore an
//! error unless the caller asks for it.

use super::manifest::{PinnedEmulator, RecordedTerminal};
use crate::emulator::{EmulatorOptions, TransientScreens};
use crate::{Backend, Emulator, Identity, Screen, Size, SizeError};

/// An emulator that replays a cassette.
#[derive(Debug)]
pub struct Deriver {
    emulator: Box<dyn Emulator>,
    fed: u64,
}

/// Reason why frames cannot be derived.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// This build does not have the emulator that derived the frames.
    #[error("the frames were derived by `{pinned}`, and this build has {}", listed(.built))]
    Mismatch {
        /// The emulator that derived them.
        pinned: PinnedEmulator,
        /// The emulators of this build.
        built: Vec<Identity>,
    },
    /// The manifest's size is not valid.
    #[error("invalid size in `terminal`")]
    Size(#[from] SizeError),
}

fn listed(built: &[Identity]) -> String {
    let names: Vec<String> = built.iter().map(|known| format!("`{known}`")).collect();
    names.join(" and ")
}

/// Returns the backend that a pin names, in the same version and revision.
pub fn pinned(pin: &PinnedEmulator) -> Result<Backend, DeriveError> {
    let found = Backend::ALL
        .into_iter()
        .find(|backend| PinnedEmulator::of(backend.identity()) == *pin);
    found.ok_or_else(|| DeriveError::Mismatch {
        pinned: pin.clone(),
        built: Backend::ALL.map(Backend::identity).to_vec(),
    })
}

impl Deriver {
    /// Creates a deriver with the emulator that derived the frames.
    pub fn pinned(terminal: &RecordedTerminal) -> Result<Deriver, DeriveError> {
        Deriver::with(terminal, pinned(&terminal.emulator)?)
    }

    /// Creates a deriver with the given emulator, which may differ from the pinned one.
    pub fn with(terminal: &RecordedTerminal, backend: Backend) -> Result<Deriver, DeriveError> {
        let options = EmulatorOptions {
            scrollback: terminal.scrollback.min(MAX_SCROLLBACK),
            hostname: terminal.hostname.clone().unwrap_or_default(),
            transient_screens: TransientScreens::Drop,
            ..EmulatorOptions::default()
        };
        Ok(Deriver {
            emulator: backend.emulator(terminal.size()?, options),
            fed: 0,
        })
    }

    /// Number of bytes fed so far.
    pub fn fed(&self) -> u64 {
        self.fed
    }

    /// Feeds the next bytes of output.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.emulator.feed(bytes);
        self.fed += bytes.len() as u64;
        // The recorded terminal already answered the program's queries.
        self.emulator.take_replies();
    }

    /// Resizes the terminal at this point of the output.
    pub fn resize(&mut self, size: Size) {
        self.emulator.resize(size);
    }

    /// Shows the content of an unfinished synchronized update.
    pub fn end_synchronized(&mut self) {
        self.emulator.end_synchronized();
    }

    /// Returns the current screen.
    pub fn screen(&mut self) -> Screen {
        let mut screen = self.emulator.screen();
        // Starting or continuing a synchronized update does not change the visible screen.
        screen.modes.synchronized = false;
        screen
    }

    /// Returns the emulator itself, for its scrollback.
    pub fn emulator(&mut self) -> &mut dyn Emulator {
        &mut *self.emulator
    }
}

/// Maximum number of scrollback rows. A manifest may ask for more, but the rows take memory.
const MAX_SCROLLBACK: usize = 1 << 20;
