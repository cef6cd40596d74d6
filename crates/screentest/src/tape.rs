//! Running tapes, with the feature `render`: scripts as demos, and as tests.
//!
//! [`Script::read`] reads a tape with all that it sources, [`Script::ready`] finds out what would go wrong, before anything
//! runs, and [`Ready::run`] runs it: a session is recorded, and once every step went well, whatever the tape wants written is made
//! of the recording.
//!
//! ```no_run
//! use screentest::tape::{Script, TapeOptions};
//!
//! let options = TapeOptions::default().fast();
//! let script = Script::read("demo.tape".as_ref(), None)?;
//! let run = script.ready(options)?.run(|progress| println!("{progress:?}"));
//! assert!(run.passed(), "{}", run.told());
//! # Ok::<(), screentest::tape::Refused>(())
//! ```
//!
//! How large a terminal is follows from the pixels that a tape asks for, and so from a font: that is why all of it takes the
//! feature, also for tapes that draw nothing.
//!
//! Elsewhere: the language (`screentest_core::tape`), the drawing (`screentest_render`).

mod assertion;
mod check;
mod cue;
mod develop;
mod dress;
mod golden;
mod look;
mod options;
mod pace;
mod performance;
mod pictures;
mod place;
mod run;
mod script;
mod shell;
mod step;

pub use options::{TapeOptions, Tempo};
pub use performance::Progress;
pub use run::{Broken, Failed, Run};
pub use script::{Ready, Refused, Script};
