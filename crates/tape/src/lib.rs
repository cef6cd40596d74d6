//! Runs tapes: scripts that serve as demos and as tests.
//!
//! [`TapeScript::read`] reads a tape and everything it sources, [`TapeScript::ready`] finds errors
//! before anything runs, and [`ReadyTape::run`] runs the tape: it records a session and, if all
//! steps succeed, makes the tape's outputs from the recording.
//!
//! ```no_run
//! use screentest_tape::{TapeOptions, TapeScript};
//!
//! let options = TapeOptions::default().fast();
//! let script = TapeScript::read("demo.tape".as_ref(), None)?;
//! let run = script.ready(options)?.run(|progress| println!("{progress:?}"));
//! assert!(run.passed(), "{}", run.failure_text());
//! # Ok::<(), screentest_tape::RefusedTape>(())
//! ```
//!
//! A tape may give the size of its terminal in pixels, which needs a font to convert. That is why
//! this crate depends on `screentest_render`, even for tapes without pictures.
//!
//! See also: [`language`] (from the text of a tape to the plan that is run), [`from_cassette`]
//! (makes a tape from a recording), `screentest_render` (draws).
#![warn(missing_docs)]

mod from_cassette;
pub mod language;
mod run;
pub mod video;

pub use from_cassette::{TapeError, TapeFromCassette, TapeWarning, from_cassette, launch_line};
pub use run::options::{TapeOptions, Tempo};
pub use run::result::{TapeFailure, TapeFailureKind, TapeRun};
pub use run::runner::TapeProgress;
pub use run::script::{ReadyTape, RefusedTape, TapeScript};
