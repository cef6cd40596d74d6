//! Failures of commands: the exit code and the message.
//!
//! The error and its causes are printed on one line, followed by the report of the actual state and
//! a hint. The exit code says what failed: the program (1), the command line (2, or 3 if there is
//! no session), or screentest and its daemon (4, 5).

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use anyhow::anyhow;
use screentest::core::Secrets;
use screentest::pty::SpawnError;
use screentest::session::{InputError, WaitError, WaitReport};
use serde_json::json;

use crate::output::print;
use crate::output::sanitize::{replace_controls_in_lines, replace_controls_in_styled};

/// The exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Success.
    Done = 0,
    /// An assertion or a wait failed.
    Failed = 1,
    /// Wrong usage, or a file that cannot be read or written.
    Usage = 2,
    /// There is no such session.
    NoSession = 3,
    /// The session daemon could not be reached.
    Transport = 4,
    /// An internal error, or an error of the operating system.
    Internal = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    error: anyhow::Error,
    report: Option<String>,
    hint: Option<String>,
    /// Whether the failure was already printed.
    is_printed: bool,
}

impl Failure {
    /// Creates a failure.
    pub(crate) fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Failure {
        Failure {
            exit,
            error: error.into(),
            report: None,
            hint: None,
            is_printed: false,
        }
    }

    /// Creates a failure that the user can fix.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Failure {
        Failure::new(Exit::Usage, error)
    }

    /// Adds context in front of the error message.
    pub(crate) fn within(self, what: String) -> Failure {
        Failure {
            error: self.error.context(what),
            ..self
        }
    }

    /// Adds the report of a failed wait.
    pub(crate) fn report(self, report: Option<&WaitReport>) -> Failure {
        Failure {
            report: report.map(WaitReport::to_string),
            ..self
        }
    }

    /// Adds a report in text form, as a server sends it.
    pub(crate) fn report_text(self, report: Option<String>) -> Failure {
        Failure { report, ..self }
    }

    /// Adds a hint: what to do next.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Failure {
        Failure {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Redacts secrets in all texts.
    pub(crate) fn redacted(self, secrets: &Secrets) -> Failure {
        let redacted = |text: String| secrets.text(&text).into_owned();
        let message = self.message();
        let shown = redacted(message.clone());
        Failure {
            error: if shown == message {
                self.error
            } else {
                anyhow!(shown)
            },
            report: self.report.map(redacted),
            hint: self.hint.map(redacted),
            ..self
        }
    }

    /// Returns the failure with the highest exit code, and prints the others.
    pub(crate) fn most_severe(mut failures: Vec<Failure>) -> Result<(), Failure> {
        let exits = failures.iter().map(|failure| failure.exit).enumerate();
        let Some((index, _)) = exits.max_by_key(|(_, exit)| *exit) else {
            return Ok(());
        };
        let most_severe = failures.remove(index);
        failures.iter().for_each(Failure::print);
        Err(most_severe)
    }

    /// Returns the error message with its causes, without report and hint.
    pub(crate) fn message(&self) -> String {
        format!("{:#}", self.error)
    }

    /// Returns the exit code.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Prints the failure on stdout as JSON, instead of on stderr.
    pub(crate) fn print_json(self) -> Failure {
        let mut json = json!({ "error": self.message(), "exit": self.exit as u8 });
        for (field, text) in [("report", &self.report), ("hint", &self.hint)] {
            if let Some(text) = text {
                json[field] = text.as_str().into();
            }
        }
        Failure {
            // If stdout cannot be written, `print` writes to stderr.
            is_printed: print(format!("{json}\n").as_bytes()).is_ok(),
            ..self
        }
    }

    /// Prints the failure on stderr, in colour if stderr is a terminal that supports it.
    pub(crate) fn print(&self) {
        if self.is_printed {
            return;
        }
        // If stderr is closed, the message cannot be delivered.
        let _ = self.write(&mut anstream::stderr().lock());
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        label(out, "error", AnsiColor::Red)?;
        // The message includes the causes.
        let message = self.message();
        writeln!(out, "{}", replace_controls_in_lines(&message))?;
        if let Some(report) = &self.report {
            write!(out, "{}", replace_controls_in_lines(report))?;
        }
        if let Some(hint) = &self.hint {
            label(out, "hint", AnsiColor::Cyan)?;
            writeln!(out, "{}", replace_controls_in_lines(hint))?;
        }
        Ok(())
    }
}

/// Prints a note on stderr.
pub(crate) fn note(text: &str) {
    print_labelled("note", text);
}

/// Prints a warning on stderr.
pub(crate) fn warning(text: &str) {
    print_label_in(AnsiColor::Yellow, "warning", text);
}

/// Prints a hint on stderr, after an error that was already printed.
pub(crate) fn hint(text: &str) {
    print_labelled("hint", text);
}

/// Returns the hint for a program that is not in PATH.
pub(crate) fn not_in_path_hint(program: &str) -> String {
    format!(
        "use the path of the program, such as `./{program}`, or set another PATH: `--env PATH=…`"
    )
}

/// The result that a status line reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusLevel {
    Good,
    Warning,
    Bad,
}

/// Prints a status line on stderr, with a coloured label.
pub(crate) fn print_status(level: StatusLevel, word: &str, text: &str) {
    let color = match level {
        StatusLevel::Good => AnsiColor::Green,
        StatusLevel::Warning => AnsiColor::Yellow,
        StatusLevel::Bad => AnsiColor::Red,
    };
    print_label_in(color, word, text);
}

fn print_labelled(word: &str, text: &str) {
    print_label_in(AnsiColor::Cyan, word, text);
}

fn print_label_in(color: AnsiColor, word: &str, text: &str) {
    let mut out = anstream::stderr().lock();
    let text = replace_controls_in_lines(text);
    let _ = label(&mut out, word, color).and_then(|()| writeln!(out, "{text}"));
}

/// Prints text on stderr that has its own labels and styles.
pub(crate) fn print_text(text: &str) {
    let text = replace_controls_in_styled(text);
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

fn label(out: &mut impl Write, word: &str, color: AnsiColor) -> io::Result<()> {
    let style = Style::new().bold().fg_color(Some(color.into()));
    write!(out, "{style}{word}:{style:#} ")
}

impl From<SpawnError> for Failure {
    fn from(error: SpawnError) -> Failure {
        let (exit, hint) = match &error {
            SpawnError::NotInPath { program, .. }
                if program.to_string_lossy().contains(char::is_whitespace) =>
            {
                let words = program.to_string_lossy();
                let hint = format!(
                    "pass each word on its own, `-- {words}`, or run a shell, `-- sh -c '{words}'`"
                );
                (Exit::Usage, Some(hint))
            }
            SpawnError::NotInPath { program, .. } => {
                let hint = not_in_path_hint(&program.to_string_lossy());
                (Exit::Usage, Some(hint))
            }
            SpawnError::NoSuchFile { .. } => {
                let hint = "a relative path is relative to the directory of `--cwd`";
                (Exit::Usage, Some(hint.to_owned()))
            }
            // Inside a directory that cannot be entered, the file cannot be examined and `chmod` on
            // it would not help.
            SpawnError::NotExecutable { path } if fs::metadata(path).is_err() => {
                (Exit::Usage, None)
            }
            SpawnError::NotExecutable { path } => {
                let hint = format!("`chmod +x {}` makes it executable", path.display());
                (Exit::Usage, Some(hint))
            }
            SpawnError::VariableName { .. } => {
                let hint = "`--env NAME=value` sets a variable, `--env NAME` removes it";
                (Exit::Usage, Some(hint.to_owned()))
            }
            SpawnError::IsDirectory { .. }
            | SpawnError::NoInterpreter { .. }
            | SpawnError::Exec { .. }
            | SpawnError::CwdMissing { .. }
            | SpawnError::CwdNotDirectory { .. }
            | SpawnError::CwdRefused { .. }
            | SpawnError::Nul { .. } => (Exit::Usage, None),
            // Errors of the operating system. Unknown variants are not the caller's fault either.
            _ => (Exit::Internal, None),
        };
        Failure {
            hint,
            ..Failure::new(exit, error)
        }
    }
}

impl From<WaitError> for Failure {
    fn from(error: WaitError) -> Failure {
        let exit = match error {
            WaitError::TimedOut { .. }
            | WaitError::Ended { .. }
            | WaitError::Changed { .. }
            | WaitError::Interrupted { .. } => Exit::Failed,
            _ => Exit::Internal,
        };
        let report = error.report().map(WaitReport::to_string);
        let hint = match error {
            WaitError::TimedOut { .. } => {
                Some("`--timeout S` sets the timeout of each step in seconds".to_owned())
            }
            _ => None,
        };
        let error = match report {
            Some(_) => anyhow!(
                error
                    .to_string()
                    .replace(WaitError::ANYTIME, "`--wait-anytime TEXT`")
            ),
            None => error.into(),
        };
        Failure {
            report,
            hint,
            ..Failure::new(exit, error)
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        let exit = match error {
            InputError::NotRead { .. }
            | InputError::Ended(_)
            | InputError::Closed
            | InputError::Interrupted => Exit::Failed,
            InputError::Key(_) => Exit::Usage,
            _ => Exit::Internal,
        };
        Failure::new(exit, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(failure: &Failure, exit: Exit, words: &str) {
        let mut out = anstream::StripStream::new(Vec::new());
        failure.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out.into_inner()).unwrap(), words);
        assert_eq!(failure.exit(), exit);
    }

    #[test]
    fn causes_follow_their_effects() {
        let source = io::Error::from_raw_os_error(2);
        let failure = Failure::from(SpawnError::Terminal(source)).within("step 1".to_owned());
        check(
            &failure,
            Exit::Internal,
            "error: step 1: could not open a terminal: No such file or directory (os error 2)\n",
        );
    }

    // No command line can contain a NUL byte, so this cannot be tested from outside.
    #[test]
    fn nul_byte_in_an_argument_is_a_usage_error() {
        let failure = Failure::from(SpawnError::Nul {
            what: "argument 1".to_owned(),
            value: "a\0b".to_owned(),
        });
        check(
            &failure,
            Exit::Usage,
            "error: argument 1 contains a NUL byte: `a\\0b`\n",
        );
    }

    #[test]
    fn closed_session_is_an_internal_error() {
        let closed = WaitError::Closed {
            condition: "text \"x\"".to_owned(),
        };
        check(
            &closed.into(),
            Exit::Internal,
            "error: the session was closed before text \"x\" appeared\n",
        );
    }

    #[test]
    fn unread_input_fails_the_assertion() {
        check(
            &InputError::NotRead { queued: 3 }.into(),
            Exit::Failed,
            "error: the program does not read its input: 3 bytes are queued\n",
        );
    }

    #[test]
    fn interrupted_wait_is_not_an_internal_error() {
        check(
            &InputError::Interrupted.into(),
            Exit::Failed,
            "error: the wait before the input was interrupted\n",
        );
        let condition = "text \"x\"".to_owned();
        check(
            &WaitError::Interrupted { condition }.into(),
            Exit::Failed,
            "error: the wait for text \"x\" was interrupted\n",
        );
    }
}
