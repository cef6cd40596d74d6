//! `screentest cassette check`: whether a recording shows what its assertions say.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::formats::cassette::Millis;
use screentest::recording::cassette::{
    CheckError, CheckResult, FailedAssertion, FrameSource, assertions_file,
};
use screentest::{Cassette, CassetteError};
use serde_json::json;

use super::{count, refused, refused_unless, say, unplayed};
use crate::failure::{self, Exit, Failure};

/// Check what a recording must show, in no time at all
#[derive(Debug, Args)]
pub(super) struct Check {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// The file of assertions; without it X.assertions.toml or X.assertions.json beside the cassette
    #[arg(long, value_name = "FILE")]
    assertions: Option<PathBuf>,
    /// Print what came of it as JSON
    #[arg(long)]
    json: bool,
    /// Check the frames as they are kept, whatever emulator derived them
    #[arg(long)]
    any_emulator: bool,
    /// Write a file of assertions to begin with, as TOML, instead of checking one
    #[arg(long, conflicts_with = "json")]
    new: bool,
    /// Bind the file of assertions to this cassette first, as after the same was recorded again
    #[arg(long, conflicts_with = "new")]
    bind: bool,
}

pub(super) fn run(asked: &Check) -> Result<(), Failure> {
    let cassette = Cassette::open(&asked.path).map_err(refused)?;
    if asked.new {
        return begin(asked, &cassette);
    }
    let path = match &asked.assertions {
        Some(path) => path.clone(),
        None => assertions_file::find(&asked.path)
            .map_err(|error| Failure::usage(error).hint("`--new` writes one to begin with"))?,
    };
    let bound = match asked.bind {
        true => Some(assertions_file::rebind(&path, &cassette).map_err(Failure::usage)?),
        false => None,
    };
    let assertions = match &bound {
        Some(text) => assertions_file::parse(text, &path),
        None => assertions_file::read(&path),
    };
    let checked = cassette.check(&assertions.map_err(Failure::usage)?, believed(asked));
    let checked = checked.map_err(|error| unchecked(error, &path))?;
    // Only what could be checked is bound: a cassette that is refused is not the same recorded again.
    if let Some(text) = bound {
        write(&path, &text)?;
    }
    match asked.json {
        true => say(&format!("{:#}\n", json(&cassette, &checked)))?,
        false => say(&told(asked, &path, &checked))?,
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

fn believed(asked: &Check) -> FrameSource {
    match asked.any_emulator {
        true => FrameSource::Stored,
        false => FrameSource::Derived,
    }
}

/// Writes a file to begin with.
fn begin(asked: &Check, cassette: &Cassette) -> Result<(), Failure> {
    let beside = || assertions_file::path_for(&asked.path, "toml");
    let path = asked.assertions.clone().unwrap_or_else(beside);
    let name = path.display();
    if path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
    {
        return Err(
            Failure::usage(anyhow!("`--new` writes TOML, and `{name}` promises JSON")).hint(
                format!("`--assertions {}`", path.with_extension("toml").display()),
            ),
        );
    }
    let text = assertions_file::generate(cassette, believed(asked)).map_err(unplayed)?;
    let written = match File::create_new(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::usage(anyhow!("`{name}` exists already"))
                .hint("remove it, or name another with `--assertions`"));
        }
        file => file.and_then(|mut file| file.write_all(text.as_bytes())),
    };
    written
        .with_context(|| format!("could not write `{name}`"))
        .map_err(Failure::usage)?;
    failure::note(&format!("wrote {name}"));
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text)
        .with_context(|| format!("could not write `{}`", path.display()))
        .map_err(Failure::usage)
}

fn unchecked(error: CheckError, path: &Path) -> Failure {
    let within = path.display().to_string();
    match error {
        CheckError::Cassette(error @ CassetteError::Emulator(_)) => {
            refused_unless(error, "`--any-emulator` checks the frames as they are kept")
        }
        CheckError::Cassette(error) => refused(error),
        error @ (CheckError::OtherCassette { .. } | CheckError::OtherManifest { .. }) => {
            Failure::usage(error)
                .within(within)
                .hint("`--bind` binds them to this cassette, where it is the same recorded again")
        }
        error => Failure::usage(error).within(within),
    }
}

fn told(asked: &Check, path: &Path, checked: &CheckResult) -> String {
    if checked.failed.is_empty() {
        let holds = match checked.assertions {
            1 => "1 assertion holds".to_owned(),
            number => format!("{number} assertions hold"),
        };
        let frames = count(checked.frames as u64, "frame");
        return format!("{}: {holds}, {frames}\n", asked.path.display());
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
            "near_misses": failed.held().into_iter().chain(failed.near_misses.iter().map(String::as_str)).collect::<Vec<_>>(),
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
