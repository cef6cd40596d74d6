//! `screentest new`: writes a starter tape, which passes unchanged.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest_tape::language::{self, Dialect};

use crate::failure::{self, Failure};
use crate::output::AtomicFile;

const STARTER: &str = include_str!("starter.tape");

const AFTER_HELP: &str = "\
The tape passes unchanged; its comments say what to edit. An existing file is not
overwritten.

Examples:
  screentest new demo          writes demo.tape
  screentest new tests/login   writes tests/login.tape, and creates the folder";

/// Write a starter tape.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct New {
    /// Name of the tape, with or without .tape
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

/// Writes the starter tape.
pub(crate) fn run(new: &New) -> Result<(), Failure> {
    let path = tape_path(&new.name)?;
    let name = path.display();
    let write_error = || format!("could not write `{name}`");
    let directory = path.parent().unwrap_or(Path::new(""));
    if directory != Path::new("") {
        let created = fs::create_dir_all(directory);
        created.with_context(write_error).map_err(Failure::usage)?;
    }
    let file = AtomicFile::new(&path, starter(&path).as_bytes()).map_err(Failure::usage)?;
    match file.persist_new() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::usage(anyhow!("`{name}` exists already"))
                .hint("remove it, or choose another name"));
        }
        written => written.with_context(write_error).map_err(Failure::usage)?,
    }
    let word = crate::quoted(&name.to_string());
    failure::note(&format!("wrote {name}; `screentest run {word}` runs it"));
    Ok(())
}

/// Returns the text of the starter tape. Its output files are next to it, with the same name.
fn starter(path: &Path) -> String {
    let mut text = STARTER.to_owned();
    // A name that a tape cannot contain on one line is replaced by `demo`.
    let name = path.with_extension("");
    let name = name
        .to_str()
        .filter(|name| !name.contains(char::is_control));
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    for extension in ["gif", "png"] {
        let file = format!("{}.{extension}", name.unwrap_or("demo"));
        let word = if file.chars().all(plain) {
            file
        } else {
            language::quote(&file, Dialect::Vhs).unwrap_or_else(|| format!("demo.{extension}"))
        };
        text = text.replace(&format!("NAME.{extension}"), &word);
    }
    let shown = path
        .to_str()
        .filter(|path| !path.contains(char::is_control));
    text.replace("TAPE", &crate::quoted(shown.unwrap_or("demo.tape")))
}

/// Returns the path with the extension `.tape`.
fn tape_path(name: &Path) -> Result<PathBuf, Failure> {
    let Some(file) = name.file_name().filter(|_| !name.is_dir()) else {
        let error = anyhow!("`{}` is not the name of a tape", name.display());
        return Err(Failure::usage(error).hint("name a file, as in `screentest new demo`"));
    };
    let has_extension = Path::new(file).extension().is_some_and(|end| end == "tape");
    // Append to the file name, not to the path: `demo/` would become `demo/.tape`.
    let mut file = file.to_owned();
    if !has_extension {
        file.push(".tape");
    }
    Ok(name.with_file_name(file))
}
