//! `screentest review`: accepts or rejects changed snapshots.
//!
//! Decisions are collected and applied at the end of the review. Undo only drops a decision, and an
//! aborted review leaves all files unchanged.
//!
//! See also: `screentest::test::pending_snapshots` (the files), `review/state.rs`,
//! `review/queue.rs` and `review/viewport.rs` (state), `review/page.rs` and `review/pane.rs`
//! (drawing), `review/terminal.rs` (the terminal), `review/list.rs` (output without a terminal).

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::test::Pending;
use screentest::test::pending_snapshots::{PendingError, PendingList};
use screentest::test::project;

use crate::failure::{self, Exit, Failure};
use queue::Decision;
use state::{ReviewEnd, ReviewState};

mod comparison;
mod keys;
mod list;
mod page;
mod pane;
mod queue;
mod state;
mod terminal;
mod viewport;

const ABOUT: &str = "\
Shows each snapshot that differs from its baseline or has none yet: old and new, with
marks below the differences (^ text, ~ style only). Decisions are applied at the end of the
review; aborting it leaves all files unchanged.";

const AFTER: &str = "\
Exit codes:
  0  no snapshots are pending
  1  snapshots are pending
  2  usage error, or a file that cannot be read or written

Without a terminal, the list is printed as with --list. The artifacts are in `artifacts`
in the project root: the nearest enclosing directory with .git or a Cargo workspace, else
with screentest.toml. SCREENTEST_ARTIFACTS_DIR and SCREENTEST_PROJECT_ROOT select other
directories.

Examples:
  screentest review                     review pending snapshots one by one
  screentest review login               only those with `login` in test or name
  screentest review --list              list them; exit code 1 if there are any
  screentest review --accept-all menu   accept all with `menu` in test or name";

fn after_help() -> String {
    let keys: Vec<String> = keys::HELP
        .iter()
        .map(|(key, meaning)| format!("  {key:<12}  {meaning}"))
        .collect();
    format!("{ABOUT}\n\n{}\n\n{AFTER}", keys.join("\n"))
}

/// Review changed snapshots: accept, reject or skip each
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct Review {
    /// Only snapshots whose `test/name` contains one of these words
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Directory with the artifacts
    #[arg(long, value_name = "DIR")]
    artifact_dir: Option<PathBuf>,
    /// Accept all without asking
    #[arg(long, group = "all")]
    accept_all: bool,
    /// Reject all without asking
    #[arg(long, group = "all")]
    reject_all: bool,
    /// List pending snapshots and change nothing
    #[arg(long, group = "all")]
    list: bool,
    /// Print the list as JSON and change nothing
    #[arg(long, conflicts_with_all = ["accept_all", "reject_all"])]
    json: bool,
}

/// Finds pending snapshots and applies the decisions on them.
pub(crate) fn run(review: &Review) -> Result<(), Failure> {
    let artifacts = review.artifacts()?;
    let PendingList { pending, errors } = Pending::find(&artifacts);
    let all = pending.len();
    let pending: Vec<Pending> = pending
        .into_iter()
        .filter(|pending| review.wants(pending))
        .collect();
    if pending.is_empty() {
        let dir = artifacts.display();
        failure::note(&match all {
            0 => format!("no pending snapshots in `{dir}`"),
            1 => format!("the only pending snapshot in `{dir}` does not match"),
            _ => format!("none of the {all} pending snapshots in `{dir}` match"),
        });
    }
    let in_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let result = if review.accept_all {
        apply(pending.iter().map(|pending| {
            let accept = pending.read().map(|read| Decision::Accept(read.stamps));
            (pending, accept)
        }))
    } else if review.reject_all {
        apply(
            pending
                .iter()
                .map(|pending| (pending, Ok(Decision::Reject))),
        )
    } else if review.list || review.json || !in_terminal {
        list::print(&pending, review.json)
    } else if pending.is_empty() {
        Ok(())
    } else {
        review_interactively(pending)
    };
    match print_all_but_last(errors) {
        Some(failure) => {
            // The exit code is that of the unreadable directory, so print the other failure first.
            if let Err(failure) = result {
                failure.print();
            }
            Err(failure)
        }
        None => result,
    }
}

impl Review {
    fn artifacts(&self) -> Result<PathBuf, Failure> {
        match &self.artifact_dir {
            Some(dir) if !dir.is_dir() => Err(Failure::usage(anyhow!(
                "directory `{}` not found",
                dir.display()
            ))),
            Some(dir) => Ok(dir.clone()),
            None => {
                let cwd = env::current_dir().context("could not determine the current directory");
                let cwd = cwd.map_err(Failure::usage)?;
                Ok(project::artifacts(|name| env::var_os(name), &cwd))
            }
        }
    }

    fn wants(&self, pending: &Pending) -> bool {
        let name = format!("{}/{}", pending.slug(), pending.name());
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }
}

/// Shows each snapshot in the terminal and applies the decisions.
fn review_interactively(pending: Vec<Pending>) -> Result<(), Failure> {
    let mut review_state = ReviewState::new(pending);
    let end = terminal::run(&mut review_state)
        .context("could not use the terminal")
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    match end {
        ReviewEnd::Apply => {
            let decided = review_state.decisions();
            apply(decided.map(|(pending, decision)| (pending, Ok(decision))))
        }
        ReviewEnd::Discard => list::check_none_left(review_state.queue().total()),
    }
}

/// Applies decisions and prints each. An error does not prevent the others.
fn apply<'a>(
    decided: impl Iterator<Item = (&'a Pending, Result<Decision, PendingError>)>,
) -> Result<(), Failure> {
    let mut skipped = 0;
    let mut failed = Vec::new();
    for (pending, decision) in decided {
        let result = decision.and_then(|decision| match decision {
            Decision::Accept(stamps) => pending.accept(&stamps).map(|()| Some("accepted")),
            Decision::Reject => pending.reject().map(|()| Some("rejected")),
            Decision::Skip => Ok(None),
        });
        match result {
            Ok(Some(result)) => {
                let (slug, name) = (pending.slug(), pending.name());
                // Ignore a closed pipe: the remaining decisions must still be applied.
                let line = format!("{result}  {slug} / {name}\n");
                let _ = crate::output::print(line.as_bytes());
            }
            Ok(None) => skipped += 1,
            Err(error) => failed.push(error),
        }
    }
    let last = failed.pop();
    for error in failed {
        Failure::usage(error).print();
    }
    match last {
        Some(error @ PendingError::Changed { .. }) => {
            Err(Failure::usage(error)
                .hint("run `screentest review` again to see the current state"))
        }
        Some(error) => Err(Failure::usage(error)),
        None => list::check_none_left(skipped),
    }
}

/// Prints all errors but the last, which becomes the failure of the command.
fn print_all_but_last(errors: Vec<PendingError>) -> Option<Failure> {
    let mut failures = errors.into_iter().map(Failure::usage);
    let last = failures.next_back();
    failures.for_each(|failure| failure.print());
    last
}
