//! Tapes: scripts that type, wait, check and record.
//!
//! One language covers VHS's tapes, Betamax's tapes and tests. [`parse`] returns a [`Tape`] with
//! its commands as written, and all errors in it. [`Tape::resolve`] inserts the tapes that it
//! sources and returns a [`Plan`], which can be run. Where VHS and Betamax disagree, a [`Dialect`]
//! decides; syntax that only one of them accepts has the meaning that it has there.
//!
//! Nothing here accesses files: the caller passes the text of the tape and of every sourced tape.
//!
//! See also: the language itself (docs/formats/tape.md), its selectors
//! (`crates/core/src/query/selector/syntax.rs`).

use std::sync::Arc;

use screentest_core::query::selector::Expressions;

mod action_lines;
mod command;
mod diagnostic;
mod dialect;
mod format;
mod lexer;
mod output;
mod parser;
mod quote;
mod resolve;
mod setting;
mod source;
#[cfg(test)]
mod tests;
mod time;

pub use action_lines::NotInTape;
pub use command::{
    ActionStep, Assertion, Command, DefaultWait, Expectation, HistoryCheck, LaunchCommand,
    ScrollDirection, ScrollStep, TapeStep, Variable,
};
pub(crate) use diagnostic::without_control_chars;
pub use diagnostic::{Diagnostic, DiagnosticReport, Severity};
pub use dialect::{Dialect, UnknownDialect};
pub use format::format;
pub use output::{Output, OutputKind, UnknownOutput};
pub(crate) use quote::typing_actions;
pub use quote::{quote, type_commands};
pub use resolve::Plan;
pub use setting::{
    ButtonSide, KeyboardOverlay, LoopOffset, MarginFill, OverlayLocation, Shell, ShellName,
    TapeSetting, TapeSettings, WindowBar, WindowButtons,
};
pub use source::{Source, Span, Spanned};
pub use time::format_time;

/// The longest tape that is accepted, in bytes; a thousand times as much as people write.
pub const MAX_TAPE_LENGTH: usize = 4 << 20;

/// A tape as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Tape {
    /// Its text.
    pub source: Arc<Source>,
    /// The dialect of its commands.
    pub dialect: Dialect,
    /// Its commands, in order; commands with errors are left out.
    pub commands: Vec<Spanned<Command>>,
}

impl Tape {
    /// Returns its commands without their places, to compare the meaning of two tapes.
    pub fn meaning(&self) -> Vec<&Command> {
        self.commands.iter().map(|command| &command.value).collect()
    }
}

/// Parses a tape and reports all errors in it. `name` is its name in messages, usually its path.
/// Without a dialect, a line `# dialect: betamax` before the first command decides, otherwise VHS's
/// applies.
///
/// ```
/// use screentest_tape::language;
///
/// let (tape, report) = language::parse("Type 'hello'\nSleep 1s\nEntre\n", "demo.tape", None);
/// assert_eq!(tape.commands.len(), 2);
/// assert_eq!(
///     report.to_string(),
///     "error: unknown command `Entre`\n \
///       --> demo.tape:3:1\n  \
///        |\n\
///      3 | Entre\n  \
///        | ^^^^^ did you mean `Enter`?"
/// );
/// ```
pub fn parse(text: &str, name: &str, dialect: Option<Dialect>) -> (Tape, DiagnosticReport) {
    let mut expressions = Expressions::default();
    let parsed = parser::parse(text, name, dialect, Dialect::Vhs, &mut expressions);
    (parsed.tape, parsed.report)
}
