//! Why a test failed.
//!
//! The body of a test may meet any error: `?` turns each into a [`Failure`], which keeps it and shows it for people.

use std::error::Error;
use std::fmt;

use crate::tui::TuiError;
use crate::wait::WaitError;

/// Any error that ended a test. `{:?}` is for people.
///
/// It is made by `?` from every error. Being made from all of them, it cannot be one itself.
pub struct Failure(Box<dyn Error + Send + Sync>);

impl Failure {
    /// A failure that says this.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure(message.into().into())
    }

    /// The error, if it is of this kind.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(Box::new(error))
    }
}

/// The error alone, without what explains it.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The error and all that explains it, for people.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Our own explain themselves; of others the chain of causes is what there is.
        if let Some(error) = self.downcast_ref::<TuiError>() {
            return fmt::Debug::fmt(error, f);
        } else if let Some(error) = self.downcast_ref::<WaitError>() {
            return fmt::Debug::fmt(error, f);
        }
        write!(f, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
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
    fn our_own_errors_explain_themselves() {
        let failure = Failure::from(TuiError::NotLaunched);
        let text = "no program was started: `launch` one first";
        assert_eq!(format!("{failure:?}"), text);
    }
}
