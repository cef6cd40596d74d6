//! Error type of a test's body.
//!
//! In the body of a test, `?` converts any error into a [`Failure`], which stores it and prints it
//! for people.

use std::error::Error;
use std::fmt;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::Arc;

use screentest_core::Paint;

use crate::session::wait::WaitError;
use crate::test::tui::TuiError;

/// Any error that ended a test. `{:?}` is meant for people.
///
/// `?` converts every error into it. Therefore it cannot implement `Error` itself.
#[derive(Clone)]
pub struct Failure {
    error: Arc<dyn Error + Send + Sync>,
    place: &'static Location<'static>,
    /// The directory of the files that explain it.
    artifacts: Option<PathBuf>,
}

impl Failure {
    /// Creates a failure with this message.
    #[track_caller]
    pub fn new(message: impl Into<String>) -> Failure {
        Failure {
            error: Arc::from(Box::<dyn Error + Send + Sync>::from(message.into())),
            place: Location::caller(),
            artifacts: None,
        }
    }

    /// Returns the error, if it has this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.error.downcast_ref()
    }

    /// Returns the failure with the directory of its files.
    pub(crate) fn with_artifacts(self, folder: PathBuf) -> Failure {
        Failure {
            artifacts: Some(folder),
            ..self
        }
    }

    /// Returns where in the test the error occurred: the line of the `?`.
    pub fn place(&self) -> &'static Location<'static> {
        self.place
    }

    /// Formats the error with its explanation, for people.
    pub(crate) fn told(&self, paint: Paint) -> String {
        // This crate's errors contain an explanation; for others, print the chain of causes.
        if let Some(error) = self.downcast_ref::<TuiError>() {
            return error.told(paint);
        } else if let Some(error) = self.downcast_ref::<WaitError>() {
            return error.told(paint);
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
        Failure {
            error: Arc::new(error),
            place: Location::caller(),
            artifacts: None,
        }
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
        f.write_str(&self.told(Paint::Plain))?;
        match &self.artifacts {
            Some(folder) => write!(f, "\nartifacts: {}", folder.display()),
            None => Ok(()),
        }
    }
}

/// Formats an error and its causes in one line.
#[doc(hidden)]
pub fn chain(error: &dyn Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told.push_str(": ");
        told.push_str(&error.to_string());
        cause = error.source();
    }
    told
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
