//! Who is told how tapes went: people, as it happens; programs, when all is over.
//!
//! Elsewhere: one file for each format. What they mean to who reads them: docs/formats/reports.md.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{env, fmt, fs};

use anyhow::{Context, anyhow};
use screentest::core::query::suggest;
use screentest::recording::cassette::ExistingCassette;

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

    /// Whether it is written when all is over, and not told meanwhile.
    fn is_written(self) -> bool {
        !matches!(self, Kind::List | Kind::Line)
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
        let kind = kind.ok_or_else(|| match suggest::nearest(name, names) {
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
        let mut written: Vec<Written> = Vec::new();
        for one in asked.iter().filter(|one| one.kind.is_written()) {
            let one = one.to(artifacts)?;
            let shared = |other: &Written| Some((other.kind, other.to.shared(&one.to)?));
            if let Some((other, place)) = written.iter().find_map(shared) {
                let kind = one.kind;
                let fault = anyhow!("`{other}` and `{kind}` would both be written to {place}");
                return Err(Failure::usage(fault).hint(format!(
                    "give one a file of its own, such as `--reporter {kind}=FILE`"
                )));
            }
            written.push(one);
        }
        Ok(Reporters {
            line: asked.iter().any(|one| one.kind == Kind::Line),
            written,
        })
    }

    /// Whether people are told in one line.
    pub(crate) fn line(&self) -> bool {
        self.line
    }

    /// Writes all that is written when all is over, and gives what failed: one report keeps no other from being written.
    pub(crate) fn write(&self, results: &Results) -> Vec<Failure> {
        let failed = |one: &Written| one.write(results).err();
        self.written.iter().filter_map(failed).collect()
    }
}

impl Written {
    fn write(&self, results: &Results) -> Result<(), Failure> {
        let text = match self.kind {
            Kind::Json => json::write(results),
            Kind::Junit => junit::write(results)?,
            Kind::Github => github::write(results),
            Kind::Html => html::write(results),
            Kind::List | Kind::Line => return Ok(()),
        };
        self.to.write(|out| {
            let written = out.write_all(text.as_bytes());
            written
                .with_context(|| format!("could not write the {} report", self.kind))
                .map_err(Failure::usage)
        })?;
        if let Some(path) = &self.unasked {
            let cwd = env::current_dir().unwrap_or_default();
            let path = path.strip_prefix(cwd).unwrap_or(path);
            failure::note(&format!("the report is in `{}`", path.display()));
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
    /// Where it writes; the folder for that is made.
    fn to(&self, artifacts: &Path) -> Result<Written, Failure> {
        let page = self.kind == Kind::Html && self.file.is_none();
        let unasked = page.then(|| artifacts.join(PAGE));
        let path = self.file.as_deref().or(unasked.as_deref());
        if let Some((path, folder)) = path.and_then(|path| Some((path, path.parent()?))) {
            let made = fs::create_dir_all(folder);
            let name = path.display();
            made.with_context(|| format!("could not write `{name}`: its folder could not be made"))
                .map_err(Failure::usage)?;
        }
        if page {
            leave_to_git(artifacts);
        }
        Ok(Written {
            kind: self.kind,
            to: Stream::to(path, ExistingCassette::Replace)?,
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
