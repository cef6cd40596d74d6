//! Who is told how tapes went: people, as it happens; programs, when all is over.
//!
//! Elsewhere: one file for each format. What they mean to who reads them: docs/formats/reports.md.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow};
use screentest::cassette::Existing;
use screentest::core::nearest;

use super::case::Results;
use crate::failure::{self, Failure};
use crate::output::Stream;

mod github;
mod html;
mod json;
mod junit;
mod list;

pub(crate) use list::tell;

/// Where the page is, unless told otherwise: in the folder for artifacts.
const PAGE: &str = "report.html";

/// What a reporter writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    List,
    Line,
    Json,
    Junit,
    Github,
    Html,
}

impl Kind {
    const ALL: [Kind; 6] = [
        Kind::List,
        Kind::Line,
        Kind::Json,
        Kind::Junit,
        Kind::Github,
        Kind::Html,
    ];

    fn name(self) -> &'static str {
        match self {
            Kind::List => "list",
            Kind::Line => "line",
            Kind::Json => "json",
            Kind::Junit => "junit",
            Kind::Github => "github",
            Kind::Html => "html",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A reporter, as it was asked for: `junit`, or `junit=report.xml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reporter {
    pub(crate) kind: Kind,
    pub(crate) file: Option<PathBuf>,
}

impl FromStr for Reporter {
    type Err = String;

    fn from_str(text: &str) -> Result<Reporter, String> {
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (text, None),
        };
        let names = Kind::ALL.map(Kind::name);
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| match nearest::nearest(name, names) {
            Some(near) => format!("unknown reporter, did you mean `{near}`?"),
            None => format!("unknown reporter: there are {}", names.join(", ")),
        })?;
        match (kind, file) {
            (Kind::List | Kind::Line, Some(_)) => Err(format!(
                "`{kind}` is for people, on stderr, and takes no file"
            )),
            (_, Some("")) => Err(format!("`{kind}=` names no file")),
            (kind, file) => Ok(Reporter {
                kind,
                file: file.map(PathBuf::from),
            }),
        }
    }
}

/// A reporter that writes when all is over, and where to.
#[derive(Debug)]
struct Written {
    kind: Kind,
    to: Stream,
    /// The page that was not asked for by its name.
    unasked: Option<PathBuf>,
}

/// All reporters of a run.
#[derive(Debug)]
pub(crate) struct Reporters {
    line: bool,
    written: Vec<Written>,
}

impl Reporters {
    /// Settles where each writes, before anything runs.
    pub(crate) fn new(asked: &[Reporter], artifacts: &Path) -> Result<Reporters, Failure> {
        let stdout = |one: &&Reporter| {
            let data = matches!(one.kind, Kind::Json | Kind::Junit | Kind::Github);
            data && one
                .file
                .as_deref()
                .is_none_or(|file| file == Path::new("-"))
        };
        if let [one, other, ..] = asked.iter().filter(stdout).collect::<Vec<_>>()[..] {
            let (one, other) = (one.kind, other.kind);
            let fault = anyhow!("`{one}` and `{other}` would both be written to stdout");
            return Err(Failure::usage(fault).hint(format!(
                "give one a file, such as `--reporter {other}=FILE`"
            )));
        }
        let written = asked
            .iter()
            .filter(|one| !matches!(one.kind, Kind::List | Kind::Line));
        let written = written.map(|one| one.to(artifacts));
        Ok(Reporters {
            line: asked.iter().any(|one| one.kind == Kind::Line),
            written: written.collect::<Result<_, _>>()?,
        })
    }

    /// Whether people are told in one line.
    pub(crate) fn line(&self) -> bool {
        self.line
    }

    /// Writes all that is written when all is over.
    pub(crate) fn write(&self, results: &Results) -> Result<(), Failure> {
        for one in &self.written {
            let text = match one.kind {
                Kind::Json => json::write(results),
                Kind::Junit => junit::write(results)?,
                Kind::Github => github::write(results),
                Kind::Html => html::write(results),
                Kind::List | Kind::Line => continue,
            };
            one.to.write(|out| {
                let written = out.write_all(text.as_bytes());
                written
                    .with_context(|| format!("could not write the {} report", one.kind))
                    .map_err(Failure::usage)
            })?;
            if let Some(path) = &one.unasked {
                let cwd = env::current_dir().unwrap_or_default();
                let path = path.strip_prefix(cwd).unwrap_or(path);
                failure::note(&format!("the report is in `{}`", path.display()));
            }
        }
        Ok(())
    }
}

/// The page is not for the repository, as what tapes leave is not; the baselines beside it are.
fn leave_to_git(artifacts: &Path) {
    let ignore = artifacts.join(".gitignore");
    if !ignore.exists() {
        // Without it there is a file more for git to tell of, and nothing else.
        let _ = fs::write(ignore, format!("/.gitignore\n/{PAGE}\n"));
    }
}

impl Reporter {
    fn to(&self, artifacts: &Path) -> Result<Written, Failure> {
        let (path, unasked) = match (&self.file, self.kind) {
            (None, Kind::Html) => {
                let made = fs::create_dir_all(artifacts);
                let made =
                    made.with_context(|| format!("could not make `{}`", artifacts.display()));
                made.map_err(Failure::usage)?;
                leave_to_git(artifacts);
                let path = artifacts.join(PAGE);
                (Some(path.clone()), Some(path))
            }
            (file, _) => (file.clone(), None),
        };
        Ok(Written {
            kind: self.kind,
            to: Stream::to(path.as_deref(), Existing::Replaced)?,
            unasked,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reporter_is_a_name_and_perhaps_a_file() {
        let read = |text: &str| text.parse::<Reporter>().map(|one| (one.kind, one.file));
        assert_eq!(read("list"), Ok((Kind::List, None)));
        let file = Some(PathBuf::from("a=b.xml"));
        assert_eq!(read("junit=a=b.xml"), Ok((Kind::Junit, file)));
        for (text, said) in [
            ("jnuit", "unknown reporter, did you mean `junit`?"),
            (
                "xyzzy",
                "unknown reporter: there are list, line, json, junit, github, html",
            ),
            ("html=", "`html=` names no file"),
            (
                "list=x",
                "`list` is for people, on stderr, and takes no file",
            ),
        ] {
            assert_eq!(read(text), Err(said.to_owned()));
        }
    }
}
