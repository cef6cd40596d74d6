//! Compares our emulator with a real xterm, cell by cell.
//!
//! ```text
//! probes/, programs/ ──► xterm under Xvfb ──► Observation ──► answers/ (stored)
//!          │                                                    │
//!          └───────────► our Emulator ──────► Observation ──────┴─► differences
//! ```
//!
//! A *probe* is a few bytes of terminal output. A *recorded program* is the output of a real
//! program with checkpoints. For both, the state of the terminal afterwards is an [`Observation`]:
//! text, widths, colours and attributes of each cell, the cursor, the title, the modes, the
//! scrollback and the replies. What xterm showed is stored next to the probes, so that the tests
//! of this package need no xterm. `cargo xtask conformance` asks a real one.
//!
//! Only the public trait [`screentest_core::Emulator`] is used, so that any emulator can be
//! compared.

pub mod difference;
pub mod emulator;
pub mod known;
pub mod notation;
pub mod observation;
pub mod probe;
pub mod program;
pub mod report;
pub mod suite;
pub mod unicode;
pub mod xterm;

pub use difference::{Aspect, Difference};
pub use observation::Observation;
pub use probe::Probe;
