//! `screentest cassette check`: checks the assertions about a recording.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::formats::cassette::Millis;
use screentest::recording::cassette::{
    CheckError, CheckResult, FailedAssertion, FrameSource, assertions_file,
};
use screentest::recording::{Cassette, CassetteError};
use serde_json::json;

use super::{count, print_text};
use crate::failure::{self, Exit, Failure};
use crate::input::cassette_failure::{cassette_failure, cassette_failure_with_hint, play_failure};
use crate::output::AtomicFile;

/// Check the assertions about a recording, without running the program
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  screentest cassette check --new demo.cassette    write demo.assertions.toml
  screentest cassette check demo.cassette          check them
  screentest cassette check --bind demo.cassette   after recording it again")]
pub(super) struct Check {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Assertions file [default: X.assertions.toml or X.assertions.json next to the cassette]
    #[arg(long, value_name = "FILE")]
    assertions: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Check the stored frames, whichever emulator derived them
    #[arg(long)]
    any_emulator: bool,
    /// Write a new assertions file in TOML, instead of checking one
    #[arg(long, conflicts_with = "json")]
    new: bool,
    /// Bind the assertions file to this cassette first, if the session was recorded again
    #[arg(long, conflicts_with = "new")]
    bind: bool,
}

pub(super) fn run(args: &Check) -> Result<(), Failure> {
    let cassette = Cassette::open(&args.path).map_err(cassette_failure)?;
    if args.new {
        return write_new_file(args, &cassette);
    }
    let path = match &args.assertions {
        Some(path) => path.clone(),
        None => assertions_file::find(&args.path)
            .map_err(|error| Failure::usage(error).hint("`--new` writes one"))?,
    };
    let bound = if args.bind {
        Some(assertions_file::rebind(&path, &cassette).map_err(Failure::usage)?)
    } else {
        None
    };
    let assertions = match &bound {
        Some(text) => assertions_file::parse(text, &path),
        None => assertions_file::read(&path),
    };
    let checked = cassette.check(&assertions.map_err(Failure::usage)?, frames_to_check(args));
    let checked = checked.map_err(|error| check_failure(error, &path))?;
    // Write the binding only if the check could run, whether or not assertions failed: a cassette
    // that cannot be checked is not a new recording of the same session.
    if let Some(text) = bound {
        write(&path, &text)?;
    }
    if args.json {
        print_text(&format!("{:#}\n", json(&cassette, &checked)))?;
    } else {
        print_text(&summary(args, &path, &checked))?;
    }
    match checked.failed.len() {
        0 => Ok(()),
        failed => Err(Failure::new(
            Exit::Failed,
            anyhow!(
                "{failed} of {} failed",
                count(checked.assertions as u64, "assertion")
            ),
        )),
    }
}

fn frames_to_check(args: &Check) -> FrameSource {
    if args.any_emulator {
        FrameSource::Stored
    } else {
        FrameSource::Derived
    }
}

/// Writes a new assertions file.
fn write_new_file(args: &Check, cassette: &Cassette) -> Result<(), Failure> {
    let default_path = || assertions_file::path_for(&args.path, "toml");
    let path = args.assertions.clone().unwrap_or_else(default_path);
    let name = path.display();
    if path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
    {
        return Err(Failure::usage(anyhow!(
            "`--new` writes TOML, and the extension of `{name}` means JSON"
        ))
        .hint(format!(
            "`--assertions {}`",
            path.with_extension("toml").display()
        )));
    }
    let text = assertions_file::generate(cassette, frames_to_check(args)).map_err(play_failure)?;
    let file = AtomicFile::new(&path, text.as_bytes()).map_err(Failure::usage)?;
    match file.persist_new() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::usage(anyhow!("`{name}` exists already"))
                .hint("remove it, or choose another name with `--assertions`"));
        }
        written => written
            .with_context(|| format!("could not write `{name}`"))
            .map_err(Failure::usage)?,
    }
    failure::note(&format!("wrote {name}"));
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    AtomicFile::new(path, text.as_bytes())
        .and_then(AtomicFile::persist)
        .map_err(Failure::usage)
}

fn check_failure(error: CheckError, path: &Path) -> Failure {
    let within = path.display().to_string();
    match error {
        CheckError::Cassette(error @ CassetteError::Emulator(_)) => {
            cassette_failure_with_hint(error, "`--any-emulator` checks the stored frames")
        }
        CheckError::Cassette(error) => cassette_failure(error),
        error @ (CheckError::OtherCassette { .. } | CheckError::OtherManifest { .. }) => {
            Failure::usage(error).within(within).hint(
                "if the same session was recorded again, `--bind` binds them to this cassette",
            )
        }
        error => Failure::usage(error).within(within),
    }
}

fn summary(args: &Check, path: &Path, checked: &CheckResult) -> String {
    if checked.failed.is_empty() {
        let holds = match checked.assertions {
            1 => "1 assertion holds".to_owned(),
            number => format!("{number} assertions hold"),
        };
        let frames = count(checked.frames as u64, "frame");
        return format!("{}: {holds}, {frames}\n", args.path.display());
    }
    let mut text = String::new();
    for failed in &checked.failed {
        text.push_str(&format!(
            "{}, {failed}\n{}\n",
            path.display(),
            failed.details()
        ));
    }
    text
}

fn json(cassette: &Cassette, checked: &CheckResult) -> serde_json::Value {
    let failed = |failed: &FailedAssertion| {
        let shown = failed.shown.as_ref();
        json!({
            "line": failed.line,
            "name": failed.name,
            "when": failed.when,
            "problem": failed.problem,
            "near_misses": failed.near_misses,
            "held": failed.held(),
            "t_ms": shown.map(|(time, _)| Millis::new(*time)),
            "screen": shown.map(|(_, screen)| screen.text()),
        })
    };
    json!({
        "cassette": cassette.manifest().id,
        "assertions": checked.assertions,
        "frames": checked.frames,
        "failed": checked.failed.iter().map(failed).collect::<Vec<_>>(),
    })
}
