//! Exit status of a program.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process;

use crate::pty::signal::Signal;

/// Exit status of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExitStatus {
    /// It exited with this code.
    Exited(i32),
    /// A signal killed it.
    Signaled(Signal),
}

impl ExitStatus {
    /// Returns whether the exit code is 0.
    pub fn success(self) -> bool {
        self == ExitStatus::Exited(0)
    }

    /// Converts the status that `wait` returns.
    pub(crate) fn from_wait_status(status: i32) -> ExitStatus {
        let status = process::ExitStatus::from_raw(status);
        match (status.code(), status.signal().and_then(Signal::from_number)) {
            (Some(code), _) => ExitStatus::Exited(code),
            (None, Some(signal)) => ExitStatus::Signaled(signal),
            // Stops and continues are not requested, so no other status can occur.
            (None, None) => ExitStatus::Exited(status.into_raw()),
        }
    }
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExitStatus::Exited(code) => write!(f, "exit code {code}"),
            ExitStatus::Signaled(signal) => write!(f, "killed by {signal}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_status_is_displayed_as_a_phrase() {
        let phrase = |status| ExitStatus::from_wait_status(status).to_string();
        assert_eq!(phrase(0), "exit code 0");
        assert_eq!(phrase(3 << 8), "exit code 3");
        assert_eq!(phrase(15), "killed by SIGTERM");
        // With the flag for a core dump.
        assert_eq!(phrase(11 | 0x80), "killed by SIGSEGV");
    }

    #[test]
    fn only_code_zero_is_success() {
        assert!(ExitStatus::Exited(0).success());
        assert!(!ExitStatus::Exited(1).success());
        assert!(!ExitStatus::Signaled(Signal::TERM).success());
    }
}
