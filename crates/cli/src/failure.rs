//! How a command fails: the exit code, and what a person reads.
//!
//! An error and its causes stand on one line, then comes what was there instead, then what to do next. Scripts look at
//! the code, which says whose turn it is: the program's (1), the caller's (2, and 3 where a session is to be opened first) or ours (4, 5).

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use anyhow::anyhow;
use screentest::{InputError, Report, SpawnError, WaitError};
use serde_json::json;

use crate::output::print;

/// How much of a PATH is shown: two lines of a terminal tell which one it is.
const LONG_PATH: usize = 160;

/// What a script is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Exit {
    /// All went well.
    Done = 0,
    /// An assertion or a wait failed.
    Failed = 1,
    /// Wrong usage, or a file that cannot be read or written.
    Usage = 2,
    /// There is no session to do it with.
    NoSession = 3,
    /// Whoever has the sessions could not be asked.
    Transport = 4,
    /// A fault of screentest itself, or of the system under it.
    Internal = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    error: anyhow::Error,
    report: Option<String>,
    hint: Option<String>,
    /// Somebody has been told already.
    is_told: bool,
}

impl Failure {
    /// A failure with what went wrong.
    pub(crate) fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Failure {
        Failure {
            exit,
            error: error.into(),
            report: None,
            hint: None,
            is_told: false,
        }
    }

    /// A failure that the caller can mend.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Failure {
        Failure::new(Exit::Usage, error)
    }

    /// The same within something larger, which is named first.
    pub(crate) fn within(self, what: String) -> Failure {
        Failure {
            error: self.error.context(what),
            ..self
        }
    }

    /// The same with what was there instead.
    pub(crate) fn report(self, report: Option<&Report>) -> Failure {
        Failure {
            report: report.map(Report::to_string),
            ..self
        }
    }

    /// The same with what somebody else says was there instead.
    pub(crate) fn reported(self, report: Option<String>) -> Failure {
        Failure { report, ..self }
    }

    /// The same with what to do next.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Failure {
        Failure {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Of several the gravest, for which a script is told its code; the others are told here.
    pub(crate) fn gravest(mut failures: Vec<Failure>) -> Result<(), Failure> {
        let exits = failures.iter().map(|failure| failure.exit).enumerate();
        let Some((index, _)) = exits.max_by_key(|(_, exit)| *exit) else {
            return Ok(());
        };
        let gravest = failures.remove(index);
        failures.iter().for_each(Failure::print);
        Err(gravest)
    }

    /// What went wrong, alone.
    pub(crate) fn words(&self) -> String {
        format!("{:#}", self.error)
    }

    /// What a script is told.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Tells a program, on stdout, in place of a person.
    pub(crate) fn told_in_json(self) -> Failure {
        let mut told = json!({ "error": self.words(), "exit": self.exit as u8 });
        for (field, words) in [("report", &self.report), ("hint", &self.hint)] {
            if let Some(words) = words {
                told[field] = words.as_str().into();
            }
        }
        Failure {
            // Where stdout takes nothing, a person is told.
            is_told: print(format!("{told}\n").as_bytes()).is_ok(),
            ..self
        }
    }

    /// Tells a person, in colour where stderr is a terminal that wants it.
    pub(crate) fn print(&self) {
        if self.is_told {
            return;
        }
        // Nobody is left to tell when stderr is gone.
        let _ = self.write(&mut anstream::stderr().lock());
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        label(out, "error", AnsiColor::Red)?;
        // The alternate form has the causes too.
        writeln!(out, "{:#}", self.error)?;
        if let Some(report) = &self.report {
            write!(out, "{report}")?;
        }
        if let Some(hint) = &self.hint {
            label(out, "hint", AnsiColor::Cyan)?;
            writeln!(out, "{hint}")?;
        }
        Ok(())
    }
}

/// Says something that is no failure.
pub(crate) fn note(text: &str) {
    say("note", text);
}

/// Says that something is not as it should be, and goes on.
pub(crate) fn warning(text: &str) {
    say_in(AnsiColor::Yellow, "warning", text);
}

/// Says what to do next, after an error that somebody else has printed.
pub(crate) fn hint(text: &str) {
    say("hint", text);
}

/// How something went that was done for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Well,
    Doubtful,
    Badly,
}

/// Says how something went that was done for itself.
pub(crate) fn went(manner: Manner, word: &str, text: &str) {
    let color = match manner {
        Manner::Well => AnsiColor::Green,
        Manner::Doubtful => AnsiColor::Yellow,
        Manner::Badly => AnsiColor::Red,
    };
    say_in(color, word, text);
}

fn say(word: &str, text: &str) {
    say_in(AnsiColor::Cyan, word, text);
}

fn say_in(color: AnsiColor, word: &str, text: &str) {
    let mut out = anstream::stderr().lock();
    let _ = label(&mut out, word, color).and_then(|()| writeln!(out, "{text}"));
}

/// Says what has its own words, and perhaps colours.
pub(crate) fn talk(text: &str) {
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
                    "each word stands alone, `-- {words}`; a shell takes a line, `-- sh -c '{words}'`"
                );
                (Exit::Usage, Some(hint))
            }
            SpawnError::NotInPath { program, .. } => {
                let name = program.display();
                let hint = format!(
                    "name a program that is not in PATH by its path, such as `./{name}`, or give another PATH: `--env PATH=…`"
                );
                (Exit::Usage, Some(hint))
            }
            SpawnError::NoSuchFile { .. } => {
                let hint = "a relative path begins at the directory to start in, `--cwd`";
                (Exit::Usage, Some(hint.to_owned()))
            }
            // Behind a folder that may not be entered nothing can be told, and nothing changed.
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
            // The system refused; a kind that is not known yet is not the caller's to mend either.
            _ => (Exit::Internal, None),
        };
        let error = match error {
            SpawnError::NotInPath { program, path } if path.len() > LONG_PATH => {
                let name = program.display();
                let path = path.to_string_lossy();
                let folders = path.split(':').count();
                let start: String = path.chars().take(LONG_PATH).collect();
                anyhow!("`{name}` was not found in PATH (`{start}…`, {folders} directories)")
            }
            error => error.into(),
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
        let report = error.report().map(Report::to_string);
        let hint = match error {
            WaitError::TimedOut { .. } => {
                Some("`--timeout S` gives each step S seconds".to_owned())
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
    fn causes_stand_behind_what_they_caused() {
        let source = io::Error::from_raw_os_error(2);
        let failure = Failure::from(SpawnError::Terminal(source)).within("step 1".to_owned());
        check(
            &failure,
            Exit::Internal,
            "error: step 1: could not open a terminal: No such file or directory (os error 2)\n",
        );
    }

    // No command line can hold a NUL byte, so this is not seen from outside.
    #[test]
    fn an_argument_that_no_program_can_be_given_is_the_callers() {
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
    fn a_closed_session_is_ours() {
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
    fn input_that_nobody_reads_is_the_programs() {
        check(
            &InputError::NotRead { queued: 3 }.into(),
            Exit::Failed,
            "error: the program does not read its input: 3 bytes are queued\n",
        );
    }

    #[test]
    fn an_interrupt_is_no_fault_of_ours() {
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
