//! How a program ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use crate::pty::signal::Signal;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It left on its own, with this code.
    Exited(i32),
    /// A signal killed it.
    Signaled(Signal),
}

impl Outcome {
    /// Whether the program said that all went well.
    pub fn success(self) -> bool {
        self == Outcome::Exited(0)
    }

    /// Reads the number that the kernel hands to whoever waits for a child.
    pub(crate) fn from_wait_status(status: i32) -> Outcome {
        let status = ExitStatus::from_raw(status);
        match (status.code(), status.signal().and_then(Signal::from_number)) {
            (Some(code), _) => Outcome::Exited(code),
            (None, Some(signal)) => Outcome::Signaled(signal),
            // Stops and continues are never asked for, so every other status is one that no kernel hands out.
            (None, None) => Outcome::Exited(status.into_raw()),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Exited(code) => write!(f, "exit code {code}"),
            Outcome::Signaled(signal) => write!(f, "killed by {signal}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_reads_as_a_phrase() {
        let phrase = |status| Outcome::from_wait_status(status).to_string();
        assert_eq!(phrase(0), "exit code 0");
        assert_eq!(phrase(3 << 8), "exit code 3");
        assert_eq!(phrase(15), "killed by SIGTERM");
        // With the bit that says a core was dumped.
        assert_eq!(phrase(11 | 0x80), "killed by SIGSEGV");
    }

    #[test]
    fn only_code_zero_is_success() {
        assert!(Outcome::Exited(0).success());
        assert!(!Outcome::Exited(1).success());
        assert!(!Outcome::Signaled(Signal::TERM).success());
    }
}
