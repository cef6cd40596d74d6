//! Error type of a test's body.
//!
//! In the body of a test, `?` converts any error into a [`Failure`], which stores it and prints it
//! for people.

use std::error::Error;
use std::fmt;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, Weak};

use screentest_core::{Paint, Secrets};

use crate::session::wait::WaitError;
use crate::test::terminal::TuiError;
use crate::test::tui;

/// Any error that ended a test. `{:?}` is meant for people.
///
/// `?` converts every error into it. Therefore it cannot implement `Error` itself.
#[derive(Clone)]
pub struct Failure {
    error: Arc<dyn Error + Send + Sync>,
    place: &'static Location<'static>,
    /// Set once the files that explain it are written.
    origin: Arc<OnceLock<FailureOrigin>>,
}

/// The run that failed.
#[derive(Debug)]
pub(crate) struct FailureOrigin {
    /// The directory of the files that explain the failure.
    pub(crate) artifacts: PathBuf,
    /// Values that must not be printed.
    pub(crate) secrets: Secrets,
    /// Whether to print the line of the failure. The harness prints returned failures below
    /// `Error: `, without a line.
    pub(crate) shows_place: bool,
}

/// Weak reference to a failure, which exists for as long as the test holds it.
#[derive(Debug)]
pub(crate) struct FailureRef {
    error: Weak<dyn Error + Send + Sync>,
    place: &'static Location<'static>,
    origin: Arc<OnceLock<FailureOrigin>>,
}

impl FailureRef {
    /// Returns whether the test still has the failure.
    pub(crate) fn exists(&self) -> bool {
        self.error.strong_count() > 0
    }

    /// Returns the failure, unless the test has dropped it.
    pub(crate) fn upgrade(&self) -> Option<Failure> {
        Some(Failure {
            error: self.error.upgrade()?,
            place: self.place,
            origin: Arc::clone(&self.origin),
        })
    }
}

impl Failure {
    /// Creates a failure with this message.
    #[track_caller]
    pub fn new(message: impl Into<String>) -> Failure {
        let error = Box::<dyn Error + Send + Sync>::from(message.into());
        Failure::of(Arc::from(error), Location::caller())
    }

    fn of(error: Arc<dyn Error + Send + Sync>, place: &'static Location<'static>) -> Failure {
        let failure = Failure {
            error,
            place,
            origin: Arc::default(),
        };
        tui::note_failure(&failure);
        failure
    }

    /// Returns the error, if it has this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.error.downcast_ref()
    }

    /// Sets the run that failed, for this failure and its clones.
    pub(crate) fn set_origin(&self, origin: FailureOrigin) {
        // Only the first call has an effect. If a test has several terminals, the first call is
        // that of the last one launched, because it is dropped first.
        let _ = self.origin.set(origin);
    }

    pub(crate) fn downgrade(&self) -> FailureRef {
        FailureRef {
            error: Arc::downgrade(&self.error),
            place: self.place,
            origin: Arc::clone(&self.origin),
        }
    }

    /// Returns where in the test the error occurred: the line of the `?`.
    pub fn place(&self) -> &'static Location<'static> {
        self.place
    }

    /// Formats the error with its explanation, for people.
    pub(crate) fn to_text(&self, paint: Paint) -> String {
        // This crate's errors contain an explanation; for others, print the chain of causes.
        if let Some(error) = self.downcast_ref::<TuiError>() {
            return error.to_text(paint);
        } else if let Some(error) = self.downcast_ref::<WaitError>() {
            return error.to_text(paint);
        }
        chain(&*self.error)
    }

    /// Returns whether the formatted failure contains a screen.
    pub(crate) fn shows_screen(&self) -> bool {
        let wait = self.downcast_ref::<WaitError>();
        self.downcast_ref::<TuiError>()
            .is_some_and(TuiError::shows_screen)
            || wait.is_some_and(|error| error.report().is_some())
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    #[track_caller]
    fn from(error: E) -> Failure {
        Failure::of(Arc::new(error), Location::caller())
    }
}

/// Only the error, without its explanation.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

/// The error with its explanation, for people.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_text(Paint::Plain);
        let Some(origin) = self.origin.get() else {
            return f.write_str(&text);
        };
        if origin.shows_place {
            writeln!(f, "at {}", self.place)?;
        }
        f.write_str(&origin.secrets.text(&text))?;
        write!(f, "\nartifacts: {}", origin.artifacts.display())
    }
}

/// Formats an error and its causes in one line.
#[doc(hidden)]
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_error_converts_to_a_failure_with_its_causes() {
        fn body() -> Result<(), Failure> {
            "x".parse::<u8>()?;
            Ok(())
        }
        let failure = body().unwrap_err();
        assert_eq!(format!("{failure:?}"), "invalid digit found in string");
        assert!(failure.downcast_ref::<std::num::ParseIntError>().is_some());
        assert_eq!(Failure::new("no").to_string(), "no");
    }

    #[test]
    fn a_failure_has_the_line_of_its_error() {
        fn body() -> Result<(), Failure> {
            "x".parse::<u8>()?;
            Ok(())
        }
        let here = Failure::new("here").place().line();
        let there = body().unwrap_err().place().line();
        assert_eq!(there, here - 3);
    }

    #[test]
    fn errors_of_this_crate_are_printed_with_their_explanation() {
        let failure = Failure::from(TuiError::NotLaunched);
        let text = "no program was started: call `launch` first";
        assert_eq!(format!("{failure:?}"), text);
    }
}
