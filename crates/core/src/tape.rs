//! Tapes: scripts that type, wait, look and record.
//!
//! One language for what VHS and Betamax read, and for tests. [`parse`] gives a [`Tape`], its commands as they stand, together
//! with all that is wrong with it; [`Tape::resolve`] puts in what it sources and gives a [`Plan`], which is what is run.
//! Where VHS and Betamax disagree, a [`Dialect`] decides; what only one of them refuses means what the other says.
//!
//! Nothing here touches a file: whoever calls gives the text, and that of every sourced tape.
//!
//! Elsewhere: the language itself (docs/formats/tape.md), its selectors (`selector/notation.rs`).

use std::sync::Arc;

use crate::query::selector::Expressions;

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

pub use command::{
    Assertion, Command, Elsewhere, Expectation, Launch, Mouse, MouseAction, Pattern, Press, Scope,
    Scroll, Seen, Stable, Step, Towards, Typed, Variable, Wait,
};
pub use diagnostic::{Diagnostic, Report, Severity};
pub use dialect::{Dialect, UnknownDialect};
pub use format::format;
pub use output::{Output, OutputKind, UnknownOutput};
pub use quote::{quoted, typed};
pub use resolve::Plan;
pub use setting::{
    Buttons, KeyboardOverlay, LoopOffset, MarginFill, OverlayLocation, Setting, Settings, Shell,
    ShellName, Side, WindowBar,
};
pub use source::{Place, Placed, Source};
pub use time::shown as time;

/// The longest tape that is read, in bytes. What people write is a thousandth of it.
pub const LONGEST: usize = 4 << 20;

/// A tape as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Tape {
    /// Its text.
    pub source: Arc<Source>,
    /// What its words mean.
    pub dialect: Dialect,
    /// Its commands, in order; those that could not be read are left out.
    pub commands: Vec<Placed<Command>>,
}

impl Tape {
    /// Its commands without their places, to compare what two tapes say.
    pub fn meaning(&self) -> Vec<&Command> {
        self.commands.iter().map(|command| &command.value).collect()
    }
}

/// Reads a tape, and finds all that is wrong with it. `name` is what messages call it, as a rule its path. Without a dialect,
/// a line `# dialect: betamax` before the first command decides, else it is VHS's.
///
/// ```
/// use screentest_core::tape;
///
/// let (tape, report) = tape::parse("Type 'hello'\nSleep 1s\nEntre\n", "demo.tape", None);
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
pub fn parse(text: &str, name: &str, dialect: Option<Dialect>) -> (Tape, Report) {
    let mut expressions = Expressions::default();
    let parsed = parser::parse(text, name, dialect, Dialect::Vhs, &mut expressions);
    (parsed.tape, parsed.report)
}
