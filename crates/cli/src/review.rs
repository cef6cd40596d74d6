//! `screentest review`: decide on changed snapshots.
//!
//! Decisions are gathered and applied when the review is left, so that taking one back is only forgetting it and whatever
//! ends the review early leaves every file as it was.
//!
//! Elsewhere: the files (`screentest::test::pending_snapshots`), what is looked at and decided (`desk.rs`, `walk.rs`, `sight.rs`), how it looks
//! (`page.rs`, `pane.rs`), the terminal itself (`terminal.rs`), who has none (`list.rs`).

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::Pending;
use screentest::test::pending_snapshots::{Found, PendingError};
use screentest::test::project;

use crate::failure::{self, Exit, Failure};
use queue::Decision;
use state::{Desk, Leaving};

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
Shows each snapshot that is not what its baseline says, or that has none yet: old and
new, with a row of marks below what differs (^ text, ~ only its look). Nothing is changed
before the review is left; what ends it early leaves every file as it was.";

const AFTER: &str = "\
Exit codes:
  0  nothing is left pending
  1  something is
  2  wrong usage, or a file that cannot be read or written

Without a terminal the list is printed, as with --list. Artifacts are looked for in
`artifacts` in the root of the project, which is the nearest folder above with .git or a
Cargo workspace; SCREENTEST_ARTIFACTS_DIR and SCREENTEST_PROJECT_ROOT name others.

Examples:
  screentest review                     one by one
  screentest review login               those of `login`, or with it in their name
  screentest review --list              what waits, for a script; exit code 1 if anything does
  screentest review --accept-all menu   take all that have `menu` in their name";

fn after_help() -> String {
    let keys: Vec<String> = keys::HELP
        .iter()
        .map(|(key, meaning)| format!("  {key:<12}  {meaning}"))
        .collect();
    format!("{ABOUT}\n\n{}\n\n{AFTER}", keys.join("\n"))
}

/// Decide on changed snapshots: accept, reject or skip each.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct Review {
    /// Only those with one of these words in `test/name`
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// The folder with the artifacts
    #[arg(long, value_name = "DIR")]
    artifact_dir: Option<PathBuf>,
    /// Accept all, without a question
    #[arg(long, group = "all")]
    accept_all: bool,
    /// Reject all, without a question
    #[arg(long, group = "all")]
    reject_all: bool,
    /// Print what waits, and change nothing
    #[arg(long, group = "all")]
    list: bool,
    /// Print the list as JSON, and change nothing
    #[arg(long, conflicts_with_all = ["accept_all", "reject_all"])]
    json: bool,
}

/// Shows what waits and does what is decided.
pub(crate) fn run(review: &Review) -> Result<(), Failure> {
    let artifacts = review.artifacts()?;
    let Found { pending, errors } = Pending::find(&artifacts);
    let all = pending.len();
    let pending: Vec<Pending> = pending
        .into_iter()
        .filter(|pending| review.wants(pending))
        .collect();
    if pending.is_empty() {
        let place = artifacts.display();
        failure::note(&match all {
            0 => format!("nothing is pending in `{place}`"),
            1 => format!("the one snapshot that is pending in `{place}` has another name"),
            _ => format!("none of the {all} snapshots pending in `{place}` has such a name"),
        });
    }
    let in_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let done = if review.accept_all {
        apply(pending.iter().map(|pending| {
            let accept = pending.read().map(|read| Decision::Accept(read.seen));
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
        ask(pending)
    };
    match unread(errors) {
        Some(failure) => {
            // The exit code speaks of the folder; what else there is to say is said before.
            if let Err(failure) = done {
                failure.print();
            }
            Err(failure)
        }
        None => done,
    }
}

impl Review {
    fn artifacts(&self) -> Result<PathBuf, Failure> {
        match &self.artifact_dir {
            Some(folder) if !folder.is_dir() => Err(Failure::usage(anyhow!(
                "there is no folder `{}`",
                folder.display()
            ))),
            Some(folder) => Ok(folder.clone()),
            None => {
                let cwd = env::current_dir().context("there is no current directory");
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

/// Asks a person about each, and does what they decided.
fn ask(pending: Vec<Pending>) -> Result<(), Failure> {
    let mut desk = Desk::new(pending);
    let left = terminal::run(&mut desk)
        .context("could not use the terminal")
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    match left {
        Leaving::Apply => {
            let decided = desk.decided();
            apply(decided.map(|(pending, decision)| (pending, Ok(decision))))
        }
        Leaving::AsItWas => list::left(desk.walk().total()),
    }
}

/// Does what was decided, and says so. What fails does not keep the rest from being done.
fn apply<'a>(
    decided: impl Iterator<Item = (&'a Pending, Result<Decision, PendingError>)>,
) -> Result<(), Failure> {
    let mut left = 0;
    let mut failed = Vec::new();
    for (pending, decision) in decided {
        let done = decision.and_then(|decision| match decision {
            Decision::Accept(seen) => pending.accept(&seen).map(|()| Some("accepted")),
            Decision::Reject => pending.reject().map(|()| Some("rejected")),
            Decision::Skip => Ok(None),
        });
        match done {
            Ok(Some(done)) => {
                let (slug, name) = (pending.slug(), pending.name());
                // Who closed the pipe has read enough; the work goes on.
                let _ = writeln!(io::stdout(), "{done}  {slug} / {name}");
            }
            Ok(None) => left += 1,
            Err(error) => failed.push(error),
        }
    }
    let last = failed.pop();
    for error in failed {
        Failure::usage(error).print();
    }
    match last {
        Some(error @ PendingError::Changed { .. }) => {
            Err(Failure::usage(error).hint("`screentest review` shows what is there now"))
        }
        Some(error) => Err(Failure::usage(error)),
        None => list::left(left),
    }
}

/// The folders that could not be looked into.
fn unread(errors: Vec<PendingError>) -> Option<Failure> {
    let mut failures = errors.into_iter().map(Failure::usage);
    let last = failures.next_back();
    failures.for_each(|failure| failure.print());
    last
}
