//! Runs tapes: scripts that serve as demos and as tests.
//!
//! [`Script::read`] reads a tape and everything it sources, [`Script::ready`] finds errors before
//! anything runs, and [`Ready::run`] runs the tape: it records a session and, if all steps succeed,
//! makes the tape's outputs from the recording.
//!
//! ```no_run
//! use screentest_tape::{Script, TapeOptions};
//!
//! let options = TapeOptions::default().fast();
//! let script = Script::read("demo.tape".as_ref(), None)?;
//! let run = script.ready(options)?.run(|progress| println!("{progress:?}"));
//! assert!(run.passed(), "{}", run.told());
//! # Ok::<(), screentest_tape::Refused>(())
//! ```
//!
//! A tape may give the size of its terminal in pixels, which needs a font to convert. That is why
//! this crate depends on `screentest_render`, even for tapes without pictures.
//!
//! See also: [`language`] (from the text of a tape to the plan that is run), [`from_cassette`]
//! (makes a tape of a recording), `screentest_render` (draws).
#![warn(missing_docs)]

mod from_cassette;
pub mod language;
mod run;
pub mod video;

pub use from_cassette::{TapeError, TapeFromCassette, TapeWarning, from_cassette, launch_line};
pub use run::options::{TapeOptions, Tempo};
pub use run::result::{Broken, Failed, Run};
pub use run::runner::Progress;
pub use run::script::{Ready, Refused, Script};
