//! Runs tapes, with the feature `render`: scripts that serve as demos and as tests.
//!
//! [`Script::read`] reads a tape and everything it sources, [`Script::ready`] finds errors before
//! anything runs, and [`Ready::run`] runs the tape: it records a session and, if all steps succeed,
//! makes the tape's outputs from the recording.
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
//! A tape may give the size of its terminal in pixels, which needs a font to convert. That is why
//! all of this module needs the feature `render`, even for tapes without pictures.
//!
//! See also: `screentest_core::tape` (the language), `screentest_render` (the drawing).

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
