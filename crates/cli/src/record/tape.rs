//! The tape of a recording, and what is told of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use screentest::Cassette;
use screentest::recording::cassette::ExistingCassette;
use screentest_tape::{TapeError, launch_line};

use crate::cassette::unplayed;
use crate::failure::{self, Failure};
use crate::output::Stream;

/// Where a tape goes.
#[derive(Debug)]
pub(crate) struct Tape {
    path: PathBuf,
    stream: Stream,
}

impl Tape {
    /// Whether a name promises a tape.
    pub(crate) fn is_promised(path: &Path) -> bool {
        path.extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("tape"))
    }

    /// Settles where to write, before there is anything to write.
    pub(crate) fn to(path: &Path, existing: ExistingCassette) -> Result<Tape, Failure> {
        if !Tape::is_promised(path) {
            let path = path.display();
            return Err(
                Failure::usage(anyhow!("`--tape {path}`: a tape's name ends in .tape"))
                    .hint(format!("`--tape {path}.tape`")),
            );
        }
        Ok(Tape {
            path: path.to_owned(),
            stream: Stream::to(Some(path), existing)?,
        })
    }

    /// Whether a tape could start a command: a person's work should not be recorded for nothing.
    pub(super) fn check(command: &[OsString]) -> Result<(), Failure> {
        let words = command.iter().map(|word| word.to_string_lossy());
        let words: Vec<String> = words.map(std::borrow::Cow::into_owned).collect();
        let Some((program, args)) = words.split_first() else {
            return Ok(());
        };
        launch_line(program, args).map(drop).map_err(refused)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what was done in a recording, and says what to do with it.
    pub(crate) fn write(&self, cassette: &Cassette) -> Result<(), Failure> {
        let taped = screentest_tape::from_cassette(cassette).map_err(refused)?;
        self.stream.write(|out| {
            let written = out.write_all(taped.text.as_bytes());
            written
                .with_context(|| format!("could not write `{}`", self.path.display()))
                .map_err(Failure::usage)
        })?;
        let path = self.path.display();
        for warning in &taped.warnings {
            failure::warning(&format!("{path}:{}: {}", warning.line, warning.message));
        }
        let next = match taped.warnings.is_empty() {
            true => "does it again",
            false => "does it again, once what is missing is put in",
        };
        failure::note(&format!("wrote {path}: `screentest run {path}` {next}"));
        Ok(())
    }
}

fn refused(error: TapeError) -> Failure {
    match error {
        TapeError::Play(error) => unplayed(error),
        error @ TapeError::Command { .. } => {
            Failure::usage(error).hint("put it into a script, and record that")
        }
        error => Failure::usage(error),
    }
}
