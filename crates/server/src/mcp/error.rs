//! Errors of tools, written for agents.
//!
//! An agent sees only the text of the result. It contains, in this order and in few characters:
//! what went wrong, what to do next, the closest match, and the screen.

use std::fmt;

use screentest::TuiError;
use screentest::core::{Screen, SelectError};
use screentest::pty::SpawnError;
use screentest::session::{InputError, WaitError, WaitReport};

use super::observation;
use crate::wire::RpcError;
use crate::wire::rpc_error::chain;

/// Maximum number of characters of a report: a small screen, or the beginning of a large one.
const MAX_REPORT_CHARS: usize = 2000;

/// Why a tool failed, and what to do next.
#[derive(Debug)]
pub(super) struct ToolError {
    message: String,
    next: String,
    report: String,
}

impl ToolError {
    pub(super) fn new(message: impl Into<String>, next: impl Into<String>) -> ToolError {
        ToolError {
            message: message.into(),
            next: next.into(),
            report: String::new(),
        }
    }

    /// Returns the error for a panic in the server.
    pub(super) fn internal(tool: &str) -> ToolError {
        ToolError::new(
            format!("{tool} failed because of a bug in the server; its stderr has the details"),
            "the sessions are still open; try another way",
        )
    }

    /// Returns the error for a cancelled call.
    pub(super) fn cancelled() -> ToolError {
        ToolError::new(
            "the call was cancelled",
            "its remaining actions were not done",
        )
    }

    /// Converts an error of the service.
    pub(super) fn from_rpc(error: &RpcError, next: impl Into<String>) -> ToolError {
        ToolError::new(error.details(), next)
    }

    /// Replaces the message.
    pub(super) fn with_message(mut self, message: String) -> ToolError {
        self.message = message;
        self
    }

    /// Prefixes the message with a context.
    pub(super) fn with_context(mut self, context: &str) -> ToolError {
        self.message = format!("{context}: {}", self.message);
        self
    }

    /// Converts an error of a terminal.
    pub(super) fn from_tui(error: &TuiError) -> ToolError {
        if error.is_interrupted() {
            return ToolError::cancelled();
        }
        let next = match error {
            TuiError::Wait { error, .. } => return ToolError::from_wait(error),
            TuiError::Launch(SpawnError::NotInPath { .. } | SpawnError::NoSuchFile { .. }) => {
                "put the program's arguments in `args`, or use command `sh` with args [\"-c\", \"…\"]"
            }
            TuiError::Launch(_) => "correct `command`, `args`, `cwd` or `env`",
            TuiError::Input(InputError::Ended(_)) => AFTER_EXIT,
            TuiError::Select {
                error: SelectError::Ambiguous { .. },
                ..
            } => "select one with `nth`, from 0, or give more of the text",
            TuiError::Mouse(_) => "use keys instead",
            TuiError::NotLaunched => "tui_launch starts a program",
            _ => "tui_look shows the screen",
        };
        ToolError::new(chain(error), next).with_report(error.report())
    }

    /// Converts the error of a wait.
    pub(super) fn from_wait(error: &WaitError) -> ToolError {
        let next = match error {
            WaitError::TimedOut { .. } => {
                "check the screen below; if the program is only slow, wait again or longer (`timeout_ms`)"
            }
            WaitError::Ended { .. } => AFTER_EXIT,
            WaitError::Closed { .. } => "tui_launch starts a program",
            _ => "tui_look shows the screen",
        };
        ToolError::new(chain(error), next).with_report(error.report())
    }

    fn with_report(mut self, report: Option<&WaitReport>) -> ToolError {
        if let Some(report) = report {
            self.report = truncate(&format!(
                "{}{}",
                report.details(),
                screen_rows(&report.last)
            ));
        }
        self
    }
}

/// The next step when the program has exited.
const AFTER_EXIT: &str =
    "the last screen is below; tui_look shows all of it; tui_launch starts a program again";

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ToolError {
            message,
            next,
            report,
        } = self;
        write!(f, "{message}\nnext: {next}")?;
        if report.is_empty() {
            Ok(())
        } else {
            write!(f, "\n{report}")
        }
    }
}

/// Formats the non-blank rows of a screen with their numbers.
fn screen_rows(screen: &Screen) -> String {
    let rows = screen.rows.iter().enumerate();
    let rows = rows.filter(|(_, row)| !row.text().is_empty());
    let lines: Vec<String> = rows
        .map(|(row, text)| observation::numbered_line(row + 1, text.text()))
        .collect();
    if lines.is_empty() {
        "the screen is blank".to_owned()
    } else {
        format!("the screen:\n{}", lines.join("\n"))
    }
}

/// Truncates a text and appends the number of characters left out.
fn truncate(text: &str) -> String {
    let text = text.trim_end();
    match text.char_indices().nth(MAX_REPORT_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => {
            let (shown, rest) = text.split_at(end);
            format!("{shown}\n… {} more characters", rest.chars().count())
        }
    }
}
