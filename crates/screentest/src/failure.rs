//! Why a test failed.
//!
//! The body of a test may meet any error: `?` turns each into a [`Failure`], which keeps it and shows it for people.

use std::error::Error;
use std::fmt;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::Arc;

use screentest_core::Paint;

use crate::tui::TuiError;
use crate::wait::WaitError;

/// Any error that ended a test. `{:?}` is for people.
///
/// It is made by `?` from every error. Being made from all of them, it cannot be one itself.
#[derive(Clone)]
pub struct Failure {
    error: Arc<dyn Error + Send + Sync>,
    place: &'static Location<'static>,
    /// Where what explains it was left.
    artifacts: Option<PathBuf>,
}

impl Failure {
    /// A failure that says this.
    #[track_caller]
    pub fn new(message: impl Into<String>) -> Failure {
        Failure {
            error: Arc::from(Box::<dyn Error + Send + Sync>::from(message.into())),
            place: Location::caller(),
            artifacts: None,
        }
    }

    /// The error, if it is of this kind.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.error.downcast_ref()
    }

    /// The same, and where what explains it was left.
    pub(crate) fn with_artifacts(self, folder: PathBuf) -> Failure {
        Failure {
            artifacts: Some(folder),
            ..self
        }
    }

    /// Where in the test the error was met: the line of the `?`.
    pub fn place(&self) -> &'static Location<'static> {
        self.place
    }

    /// The error and all that explains it, for people.
    pub(crate) fn told(&self, paint: Paint) -> String {
        // Our own explain themselves; of others the chain of causes is what there is.
        if let Some(error) = self.downcast_ref::<TuiError>() {
            return error.told(paint);
        } else if let Some(error) = self.downcast_ref::<WaitError>() {
            return error.told(paint);
        }
        chain(&*self.error)
    }

    /// Whether what it tells shows what was on the screen.
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

/// The error alone, without what explains it.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

/// The error and all that explains it, for people.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(Paint::Plain))?;
        match &self.artifacts {
            Some(folder) => write!(f, "\nartifacts: {}", folder.display()),
            None => Ok(()),
        }
    }
}

/// An error and its causes, in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
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
    fn any_error_becomes_one_and_tells_its_causes() {
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
    fn it_knows_the_line_where_it_was_met() {
        fn body() -> Result<(), Failure> {
            "x".parse::<u8>()?;
            Ok(())
        }
        let here = Failure::new("here").place().line();
        let there = body().unwrap_err().place().line();
        assert_eq!(there, here - 3);
    }

    #[test]
    fn our_own_errors_explain_themselves() {
        let failure = Failure::from(TuiError::NotLaunched);
        let text = "no program was started: call `launch` first";
        assert_eq!(format!("{failure:?}"), text);
    }
}
