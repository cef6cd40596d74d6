//! Reporters of a run: `list` and `line` print to stderr while tapes run. The others write a report
//! at the end, to a file or to stdout.
//!
//! Each format except `line` has its own module. The formats are described in
//! docs/formats/reports.md.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{env, fmt, fs};

use anyhow::{Context, anyhow};
use screentest::core::query::suggest;
use screentest::recording::cassette::ExistingCassette;

use super::tape_result::RunResults;
use crate::failure::{self, Failure};
use crate::output::OutputFile;

mod github;
mod html;
mod json;
mod junit;
mod list;

pub(crate) use list::print_result;

/// The default file of the HTML report, in the artifact directory.
const DEFAULT_HTML_FILE: &str = "report.html";

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportFormat {
    List,
    Line,
    Json,
    Junit,
    Github,
    Html,
}

impl ReportFormat {
    const ALL: [ReportFormat; 6] = [
        ReportFormat::List,
        ReportFormat::Line,
        ReportFormat::Json,
        ReportFormat::Junit,
        ReportFormat::Github,
        ReportFormat::Html,
    ];

    fn name(self) -> &'static str {
        match self {
            ReportFormat::List => "list",
            ReportFormat::Line => "line",
            ReportFormat::Json => "json",
            ReportFormat::Junit => "junit",
            ReportFormat::Github => "github",
            ReportFormat::Html => "html",
        }
    }

    /// Returns whether the report is written at the end of the run.
    fn writes_report(self) -> bool {
        !matches!(self, ReportFormat::List | ReportFormat::Line)
    }
}

impl fmt::Display for ReportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A value of `--reporter`: `junit`, or `junit=report.xml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reporter {
    pub(crate) format: ReportFormat,
    pub(crate) file: Option<PathBuf>,
}

impl FromStr for Reporter {
    type Err = String;

    fn from_str(text: &str) -> Result<Reporter, String> {
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (text, None),
        };
        let names = ReportFormat::ALL.map(ReportFormat::name);
        let format = ReportFormat::ALL
            .into_iter()
            .find(|format| format.name() == name);
        let format = format.ok_or_else(|| match suggest::nearest(name, names) {
            Some(suggestion) => format!("unknown reporter, did you mean `{suggestion}`?"),
            None => format!("unknown reporter, expected one of {}", names.join(", ")),
        })?;
        match (format, file) {
            (ReportFormat::List | ReportFormat::Line, Some(_)) => {
                Err(format!("`{format}` prints to stderr and takes no file"))
            }
            (_, Some("")) => Err(format!("`{format}=` needs a file name")),
            (format, file) => Ok(Reporter {
                format,
                file: file.map(PathBuf::from),
            }),
        }
    }
}

/// A report that is written at the end, and its destination.
#[derive(Debug)]
struct ReportFile {
    format: ReportFormat,
    to: OutputFile,
    /// The path of an HTML report for which no file is named; `None` for other reports.
    default_path: Option<PathBuf>,
}

/// All reporters of a run.
#[derive(Debug)]
pub(crate) struct Reporters {
    line: bool,
    files: Vec<ReportFile>,
}

impl Reporters {
    /// Opens all destinations before anything runs.
    pub(crate) fn new(requested: &[Reporter], artifacts: &Path) -> Result<Reporters, Failure> {
        let mut files: Vec<ReportFile> = Vec::new();
        for reporter in requested
            .iter()
            .filter(|reporter| reporter.format.writes_report())
        {
            let report = reporter.to(artifacts)?;
            let shared = |other: &ReportFile| Some((other.format, other.to.shared(&report.to)?));
            if let Some((other, destination)) = files.iter().find_map(shared) {
                let format = report.format;
                let error =
                    anyhow!("`{other}` and `{format}` would both be written to {destination}");
                return Err(Failure::usage(error).hint(format!(
                    "write one to another file: `--reporter {format}=FILE`"
                )));
            }
            files.push(report);
        }
        Ok(Reporters {
            line: requested
                .iter()
                .any(|reporter| reporter.format == ReportFormat::Line),
            files,
        })
    }

    /// Returns whether the `line` reporter was selected.
    pub(crate) fn line(&self) -> bool {
        self.line
    }

    /// Writes all reports and returns the errors. An error does not prevent the other reports.
    pub(crate) fn write(&self, results: &RunResults) -> Vec<Failure> {
        let failed = |report: &ReportFile| report.write(results).err();
        self.files.iter().filter_map(failed).collect()
    }
}

impl ReportFile {
    fn write(&self, results: &RunResults) -> Result<(), Failure> {
        let text = match self.format {
            ReportFormat::Json => json::write(results),
            ReportFormat::Junit => junit::write(results)?,
            ReportFormat::Github => github::write(results),
            ReportFormat::Html => html::write(results),
            ReportFormat::List | ReportFormat::Line => return Ok(()),
        };
        self.to.write(|out| {
            let written = out.write_all(text.as_bytes());
            written
                .with_context(|| format!("could not write the {} report", self.format))
                .map_err(Failure::usage)
        })?;
        if let Some(path) = &self.default_path {
            let cwd = env::current_dir().unwrap_or_default();
            let path = path.strip_prefix(cwd).unwrap_or(path);
            failure::note(&format!("the report is in `{}`", path.display()));
        }
        Ok(())
    }
}

/// Excludes the report from git, but not the baselines in the same directory.
fn write_gitignore(artifacts: &Path) {
    let ignore = artifacts.join(".gitignore");
    if !ignore.exists() {
        // Without this file, git only lists the report as untracked, so an error is ignored.
        let _ = fs::write(ignore, format!("/.gitignore\n/{DEFAULT_HTML_FILE}\n"));
    }
}

impl Reporter {
    /// Returns the report's destination, and creates its directory.
    fn to(&self, artifacts: &Path) -> Result<ReportFile, Failure> {
        let page = self.format == ReportFormat::Html && self.file.is_none();
        let default_path = page.then(|| artifacts.join(DEFAULT_HTML_FILE));
        let path = self.file.as_deref().or(default_path.as_deref());
        if let Some((path, dir)) = path.and_then(|path| Some((path, path.parent()?))) {
            let made = fs::create_dir_all(dir);
            let name = path.display();
            made.with_context(|| {
                format!("could not write `{name}`: could not create its directory")
            })
            .map_err(Failure::usage)?;
        }
        if page {
            write_gitignore(artifacts);
        }
        Ok(ReportFile {
            format: self.format,
            to: OutputFile::to(path, ExistingCassette::Replace)?,
            default_path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_name_and_an_optional_file() {
        let read = |text: &str| {
            text.parse::<Reporter>()
                .map(|reporter| (reporter.format, reporter.file))
        };
        assert_eq!(read("list"), Ok((ReportFormat::List, None)));
        let file = Some(PathBuf::from("a=b.xml"));
        assert_eq!(read("junit=a=b.xml"), Ok((ReportFormat::Junit, file)));
        for (text, expected) in [
            ("jnuit", "unknown reporter, did you mean `junit`?"),
            (
                "xyzzy",
                "unknown reporter, expected one of list, line, json, junit, github, html",
            ),
            ("html=", "`html=` needs a file name"),
            ("list=x", "`list` prints to stderr and takes no file"),
        ] {
            assert_eq!(read(text), Err(expected.to_owned()));
        }
    }
}
