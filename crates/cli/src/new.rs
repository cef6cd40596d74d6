//! `screentest new`: a tape to begin with, which passes as it is.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest_tape::language::{self, Dialect};

use crate::failure::{self, Failure};

const STARTER: &str = include_str!("new/starter.tape");

const AFTER_HELP: &str = "\
The tape runs and passes as it is; its comments say what to change. What is there is not
overwritten.

Examples:
  screentest new demo          writes demo.tape
  screentest new tests/login   writes tests/login.tape, in a folder that is made";

/// Write a tape to begin with.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct New {
    /// The name of the tape, with or without .tape
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

/// Writes a tape.
pub(crate) fn run(new: &New) -> Result<(), Failure> {
    let path = path(&new.name)?;
    let name = path.display();
    let could_not = || format!("could not write `{name}`");
    let folder = path.parent().unwrap_or(Path::new(""));
    if folder != Path::new("") {
        let made = fs::create_dir_all(folder);
        made.with_context(could_not).map_err(Failure::usage)?;
    }
    let written = match File::create_new(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::usage(anyhow!("`{name}` exists already"))
                .hint("remove it, or take another name"));
        }
        file => file.and_then(|mut file| file.write_all(starter(&path).as_bytes())),
    };
    written.with_context(could_not).map_err(Failure::usage)?;
    let word = crate::quoted(&name.to_string());
    failure::note(&format!("wrote {name}; `screentest run {word}` runs it"));
    Ok(())
}

/// The tape of this path: what it writes stands beside it, under its name.
fn starter(path: &Path) -> String {
    let mut text = STARTER.to_owned();
    // What a tape cannot say in one line, or would not say as it is, has another name there.
    let name = path.with_extension("");
    let name = name
        .to_str()
        .filter(|name| !name.contains(char::is_control));
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    for ending in ["gif", "png"] {
        let file = format!("{}.{ending}", name.unwrap_or("demo"));
        let word = match file.chars().all(plain) {
            true => file,
            false => {
                language::quote(&file, Dialect::Vhs).unwrap_or_else(|| format!("demo.{ending}"))
            }
        };
        text = text.replace(&format!("NAME.{ending}"), &word);
    }
    let shown = path
        .to_str()
        .filter(|path| !path.contains(char::is_control));
    text.replace("TAPE", &crate::quoted(shown.unwrap_or("demo.tape")))
}

/// The name with its ending.
fn path(name: &Path) -> Result<PathBuf, Failure> {
    let Some(file) = name.file_name().filter(|_| !name.is_dir()) else {
        let fault = anyhow!("`{}` is not the name of a tape", name.display());
        return Err(Failure::usage(fault).hint("name a file, as in `screentest new demo`"));
    };
    let ends = Path::new(file).extension().is_some_and(|end| end == "tape");
    // A slash behind it would make a file without a name.
    let mut file = file.to_owned();
    if !ends {
        file.push(".tape");
    }
    Ok(name.with_file_name(file))
}
