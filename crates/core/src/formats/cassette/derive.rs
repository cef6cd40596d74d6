//! The screens again, from the bytes: the same function of `output.raw`, the resizes and the size at the start, for ever.
//!
//! Another emulator than the pinned one may show something else, so asking for it without saying so is an error.

use super::manifest::{Pin, Terminal};
use crate::emulator::{Options, Passed};
use crate::{Backend, Emulator, Identity, Screen, Size, SizeError};

/// An emulator on its way through a cassette.
#[derive(Debug)]
pub struct Deriver {
    emulator: Box<dyn Emulator>,
    fed: u64,
}

/// Why frames cannot be derived as they were.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OtherEmulator {
    /// This build does not have the one that derived them.
    #[error("the frames were derived by `{pinned}`, and this build has {}", listed(.built))]
    Mismatch {
        /// What derived them.
        pinned: Pin,
        /// What there is.
        built: Vec<Identity>,
    },
    /// The size is no screen's.
    #[error("`terminal` is not a screen's size")]
    Size(#[from] SizeError),
}

fn listed(built: &[Identity]) -> String {
    let names: Vec<String> = built.iter().map(|known| format!("`{known}`")).collect();
    names.join(" and ")
}

/// The backend that a pin names, in the same version and revision.
pub fn pinned(pin: &Pin) -> Result<Backend, OtherEmulator> {
    let found = Backend::ALL
        .into_iter()
        .find(|backend| Pin::of(backend.identity()) == *pin);
    found.ok_or_else(|| OtherEmulator::Mismatch {
        pinned: pin.clone(),
        built: Backend::ALL.map(Backend::identity).to_vec(),
    })
}

impl Deriver {
    /// The emulator that derived the frames, at the start.
    pub fn pinned(terminal: &Terminal) -> Result<Deriver, OtherEmulator> {
        Deriver::with(terminal, pinned(&terminal.emulator)?)
    }

    /// Another one, for whoever wants to see what differs.
    pub fn with(terminal: &Terminal, backend: Backend) -> Result<Deriver, OtherEmulator> {
        let options = Options {
            scrollback: terminal.scrollback.min(MAX_SCROLLBACK),
            hostname: terminal.hostname.clone().unwrap_or_default(),
            passed: Passed::Dropped,
            ..Options::default()
        };
        Ok(Deriver {
            emulator: backend.emulator(terminal.size()?, options),
            fed: 0,
        })
    }

    /// How many bytes it has been fed.
    pub fn fed(&self) -> u64 {
        self.fed
    }

    /// Feeds what the program wrote next.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.emulator.feed(bytes);
        self.fed += bytes.len() as u64;
        // Whoever was asked then has answered then.
        self.emulator.take_replies();
    }

    /// Gives the terminal another size, here.
    pub fn resize(&mut self, size: Size) {
        self.emulator.resize(size);
    }

    /// Shows what a synchronized update has drawn so far.
    pub fn end_synchronized(&mut self) {
        self.emulator.end_synchronized();
    }

    /// What is shown now.
    pub fn screen(&mut self) -> Screen {
        let mut screen = self.emulator.screen();
        // An update that begins or goes on changes nothing that is shown.
        screen.modes.synchronized = false;
        screen
    }

    /// The emulator itself, to ask for what scrolled out.
    pub fn emulator(&mut self) -> &mut dyn Emulator {
        &mut *self.emulator
    }
}

/// The most rows that are kept once they scroll out, whatever a manifest says: memory is taken for them.
const MAX_SCROLLBACK: usize = 1 << 20;
