//! Writes the tape of a recording, and prints its warnings.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use screentest::recording::Cassette;
use screentest::recording::cassette::ExistingCassette;
use screentest_tape::{TapeError, launch_line};

use crate::failure::{self, Failure};
use crate::input::cassette_failure::play_failure;
use crate::output::OutputFile;

/// The file of the tape.
#[derive(Debug)]
pub(crate) struct TapeOutput {
    path: PathBuf,
    file: OutputFile,
}

impl TapeOutput {
    /// Returns whether the file name indicates a tape.
    pub(crate) fn is_tape_path(path: &Path) -> bool {
        path.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("tape"))
    }

    /// Opens the target, before there is anything to write.
    pub(crate) fn to(path: &Path, existing: ExistingCassette) -> Result<TapeOutput, Failure> {
        if !TapeOutput::is_tape_path(path) {
            let name = path.display();
            let word = crate::quoted(&format!("{name}.tape"));
            return Err(
                Failure::usage(anyhow!("`--tape {name}`: expected the extension .tape"))
                    .hint(format!("`--tape {word}`")),
            );
        }
        Ok(TapeOutput {
            path: path.to_owned(),
            file: OutputFile::to(Some(path), existing)?,
        })
    }

    /// Checks that a tape can start this command, before anything is recorded.
    pub(super) fn check_command(command: &[OsString]) -> Result<(), Failure> {
        let words = command.iter().map(|word| word.to_string_lossy());
        let words: Vec<String> = words.map(std::borrow::Cow::into_owned).collect();
        let Some((program, args)) = words.split_first() else {
            return Ok(());
        };
        launch_line(program, args).map(drop).map_err(tape_failure)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the tape of a recording, and prints how to run it.
    pub(crate) fn write(&self, cassette: &Cassette) -> Result<(), Failure> {
        let tape = screentest_tape::from_cassette(cassette).map_err(tape_failure)?;
        self.file.write(|out| {
            let written = out.write_all(tape.text.as_bytes());
            written
                .with_context(|| format!("could not write `{}`", self.path.display()))
                .map_err(Failure::usage)
        })?;
        let path = self.path.display();
        for warning in &tape.warnings {
            failure::warning(&format!("{path}:{}: {}", warning.line, warning.message));
        }
        let next = if tape.warnings.is_empty() {
            "repeats the session"
        } else {
            "repeats the session, after you fill in the missing input"
        };
        let word = crate::quoted_path(&self.path);
        failure::note(&format!("wrote {path}: `screentest run {word}` {next}"));
        Ok(())
    }
}

fn tape_failure(error: TapeError) -> Failure {
    match error {
        TapeError::Play(error) => play_failure(error),
        error @ TapeError::Command { .. } => {
            Failure::usage(error).hint("put it into a script, and record the script")
        }
        error => Failure::usage(error),
    }
}
