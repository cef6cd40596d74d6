//! Prints pending snapshots as a list, for scripts and when there is no terminal.

use std::error::Error;
use std::iter;

use anyhow::{Context, anyhow};
use screentest::test::Pending;
use screentest::test::pending_snapshots::{Comparison, PendingError};
use serde::Serialize;

use crate::failure::{Exit, Failure};
use crate::output;

/// A pending snapshot in the list.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    kind: String,
    slug: &'a str,
    name: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    baseline: String,
    capture: String,
    diff: String,
}

impl Entry<'_> {
    fn new(pending: &Pending) -> Entry<'_> {
        let (status, error) = match pending.read() {
            Ok(Comparison { old: Some(_), .. }) => ("changed", None),
            Ok(Comparison { old: None, .. }) => ("new", None),
            Err(error) => ("broken", Some(reason(&error))),
        };
        Entry {
            kind: pending.kind().to_string(),
            slug: pending.slug(),
            name: pending.name(),
            status,
            error,
            baseline: pending.baseline_path().display().to_string(),
            capture: pending.capture_path().display().to_string(),
            diff: pending.diff_path().display().to_string(),
        }
    }

    fn line(&self) -> String {
        let Entry {
            kind,
            slug,
            name,
            status,
            ..
        } = self;
        let line = format!("{status:<7}  {kind:<7}  {slug} / {name}");
        match &self.error {
            Some(error) => format!("{line}: {error}"),
            None => line,
        }
    }
}

/// Formats an error and its causes on one line.
pub(super) fn reason(error: &PendingError) -> String {
    let causes = iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// Prints the list. Fails if it is not empty.
pub(super) fn print(pending: &[Pending], json: bool) -> Result<(), Failure> {
    let entries: Vec<Entry<'_>> = pending.iter().map(Entry::new).collect();
    let text = if json {
        serde_json::to_string_pretty(&entries)
            .context("could not write the list as JSON")
            .map_err(|error| Failure::new(Exit::Internal, error))?
            + "\n"
    } else {
        entries.iter().map(|entry| entry.line() + "\n").collect()
    };
    output::print(text.as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)?;
    let broken = entries.iter().filter(|entry| entry.error.is_some()).count();
    match broken {
        0 => check_none_left(entries.len()),
        _ => Err(Failure::usage(anyhow!(
            "{broken} of {} could not be read",
            counted(entries.len())
        ))
        .hint("run the test again to write its files, or remove them with `--reject-all`")),
    }
}

/// Fails if snapshots are left pending.
pub(super) fn check_none_left(count: usize) -> Result<(), Failure> {
    match count {
        0 => Ok(()),
        _ => Err(
            Failure::new(Exit::Failed, anyhow!("{} pending", counted(count))).hint(
                "run `screentest review` in a terminal to review them one by one, or accept all with `--accept-all`",
            ),
        ),
    }
}

fn counted(count: usize) -> String {
    match count {
        1 => "1 snapshot".to_owned(),
        _ => format!("{count} snapshots"),
    }
}
