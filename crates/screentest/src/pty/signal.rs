//! Unix signals by name or number.
//!
//! A signal is stored as its number, because the kernel may report any number; the names are in one
//! table. `pty` sends signals.

use std::fmt;
use std::str::FromStr;

/// A signal, such as [`Signal::TERM`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signal(i32);

macro_rules! signals {
    ($($name:ident = $number:ident,)*) => {
        impl Signal {
            $(
                #[doc = concat!("`", stringify!($number), "`.")]
                pub const $name: Signal = Signal(libc::$number);
            )*
        }

        /// Names without the prefix `SIG`, in the order of their numbers on Linux.
        const NAMES: &[(&str, i32)] = &[$((stringify!($name), libc::$number),)*];
    };
}

signals! {
    HUP = SIGHUP,
    INT = SIGINT,
    QUIT = SIGQUIT,
    ILL = SIGILL,
    TRAP = SIGTRAP,
    ABRT = SIGABRT,
    BUS = SIGBUS,
    FPE = SIGFPE,
    KILL = SIGKILL,
    USR1 = SIGUSR1,
    SEGV = SIGSEGV,
    USR2 = SIGUSR2,
    PIPE = SIGPIPE,
    ALRM = SIGALRM,
    TERM = SIGTERM,
    CHLD = SIGCHLD,
    CONT = SIGCONT,
    STOP = SIGSTOP,
    TSTP = SIGTSTP,
    TTIN = SIGTTIN,
    TTOU = SIGTTOU,
    URG = SIGURG,
    XCPU = SIGXCPU,
    XFSZ = SIGXFSZ,
    VTALRM = SIGVTALRM,
    PROF = SIGPROF,
    WINCH = SIGWINCH,
    IO = SIGIO,
    SYS = SIGSYS,
}

/// The largest signal number on Linux, including real-time signals. Other systems have fewer and
/// refuse the rest.
const LARGEST: i32 = 64;

impl Signal {
    /// Returns the signal with this number, if it is in range.
    pub fn from_number(number: i32) -> Option<Signal> {
        (1..=LARGEST).contains(&number).then_some(Signal(number))
    }

    /// Returns its number on this system.
    pub fn number(self) -> i32 {
        self.0
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(_, number)| *number == self.0) {
            Some((name, _)) => write!(f, "SIG{name}"),
            None => write!(f, "signal {}", self.0),
        }
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Signal {
    type Err = UnknownSignal;

    /// Parses `TERM`, `SIGTERM` or `15`, case-insensitively.
    fn from_str(text: &str) -> Result<Signal, UnknownSignal> {
        let unknown = || UnknownSignal(text.to_owned());
        if let Ok(number) = text.parse() {
            return Signal::from_number(number).ok_or_else(unknown);
        }
        let name = text.to_ascii_uppercase();
        let name = name.strip_prefix("SIG").unwrap_or(&name);
        NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, number)| Signal(*number))
            .ok_or_else(unknown)
    }
}

/// No signal has this name or number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a signal (such as `TERM`, `SIGTERM` or `15`)")]
pub struct UnknownSignal(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_parsed_by_name_or_number() {
        for text in ["TERM", "SIGTERM", "sigterm", "15"] {
            assert_eq!(text.parse(), Ok(Signal::TERM), "{text}");
        }
        assert_eq!("34".parse::<Signal>().unwrap().to_string(), "signal 34");
    }

    #[test]
    fn every_name_parses_as_it_is_displayed() {
        for (_, number) in NAMES {
            let signal = Signal(*number);
            assert_eq!(signal.to_string().parse(), Ok(signal));
        }
    }

    #[test]
    fn unknown_signal_names_are_quoted_in_the_error() {
        for text in ["", "SIG", "TERMINATE", "0", "-9", "65", "SIGSIGTERM"] {
            let message = text.parse::<Signal>().unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("`{text}` is not a signal")),
                "{message}"
            );
        }
    }
}
