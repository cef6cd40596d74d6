//! A parsed tape, and a tape that is ready to run.
//!
//! All errors are reported together, before anything runs: in the tape, in the tapes that it
//! sources, and in what they need from this system.
//!
//! See also: `tape/check.rs` (the checks before a run), `tape/performance.rs` (the run).

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::language::{self, Dialect, Plan, Report};
use screentest_core::{Paint, Theme};

use super::options::TapeOptions;
use super::paths::{self, ReadError};
use super::preflight::{self, Prepared};
use super::result::Run;
use super::runner::{self, Progress};
use screentest::internals::Slug;
use screentest::internals::chain;
use screentest::internals::shell_word;
use screentest::internals::{Runner, environment};
use screentest::session::AutoWait;

/// A parsed tape and everything it sources.
#[derive(Debug, Clone)]
pub struct Script {
    name: String,
    /// The path relative to the current directory.
    path: String,
    plan: Plan,
    /// Whether the tape has no commands.
    empty: bool,
    report: Report,
    files: Vec<PathBuf>,
}

/// A tape that was checked and can run.
#[derive(Debug)]
pub struct Ready {
    pub(super) name: String,
    path: String,
    pub(super) plan: Plan,
    pub(super) options: TapeOptions,
    /// The results of the checks.
    pub(super) found: Prepared,
    report: Report,
}

/// All errors of a tape that cannot run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// Errors with a position in the tape or in a tape that it sources.
    pub report: Report,
    /// Errors without a position, such as a tape that cannot be read, each with an optional hint.
    pub reasons: Vec<(String, Option<String>)>,
}

impl Script {
    /// Reads a tape. Paths in it are relative to the current directory; a sourced tape may also be
    /// in the same directory as the tape that sources it. Without a dialect, the first lines of the
    /// tape decide.
    pub fn read(path: &Path, dialect: Option<Dialect>) -> Result<Script, Refused> {
        let script = Script::parse(&Script::text(path)?, &paths::shown(path), dialect);
        Ok(Script {
            name: paths::named(path),
            ..script
        })
    }

    /// The text of a tape, valid or not.
    pub fn text(path: &Path) -> Result<String, Refused> {
        let text = paths::read(path, language::LONGEST);
        text.map_err(|error| unreadable(&path.display().to_string(), &error))
    }

    /// The text of a tape from a reader; `name` is its name in messages.
    pub fn text_from(from: impl Read, name: &str) -> Result<String, Refused> {
        let text = paths::text(from, language::LONGEST);
        text.map_err(|error| unreadable(name, &error))
    }

    /// Reads a tape from a reader; `name` is its name in messages.
    pub fn read_from(
        from: impl Read,
        name: &str,
        dialect: Option<Dialect>,
    ) -> Result<Script, Refused> {
        let text = Script::text_from(from, name)?;
        Ok(Script::parse(&text, name, dialect))
    }

    fn parse(text: &str, name: &str, dialect: Option<Dialect>) -> Script {
        let (tape, mut report) = language::parse(text, name, dialect);
        let empty = tape.commands.is_empty() && report.is_empty();
        let mut files = Vec::new();
        let (plan, more) = tape.resolve(|path, from| {
            let (path, read) = sourced(path, from);
            files.push(path.clone());
            Ok::<_, ReadError>((paths::shown(&path), read?))
        });
        report.diagnostics.extend(more.diagnostics);
        Script {
            name: name.to_owned(),
            path: name.to_owned(),
            plan,
            empty,
            report,
            files,
        }
    }

    /// The name of the tape at a path: its path relative to the project root, independent of the
    /// current directory. All paths of one tape give the same name.
    pub fn name_of(path: &Path) -> String {
        paths::named(path)
    }

    /// The name of the tape.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The parsed tape.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The tapes that it sources, including unreadable ones.
    pub fn sourced(&self) -> &[PathBuf] {
        &self.files
    }

    /// Errors and warnings.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Checks whether the tape can run with these options, without running anything.
    pub fn ready(self, options: TapeOptions) -> Result<Ready, Refused> {
        self.checked(options, |report| report)
    }

    /// Like [`Script::ready`], with warnings as errors.
    pub fn ready_strictly(self, options: TapeOptions) -> Result<Ready, Refused> {
        self.checked(options, Report::strict)
    }

    fn checked(
        self,
        mut options: TapeOptions,
        judged: impl FnOnce(Report) -> Report,
    ) -> Result<Ready, Refused> {
        let Script {
            name,
            path,
            mut plan,
            empty,
            mut report,
            files: _,
        } = self;
        let asked = options.outputs.iter().map(|output| output.kind);
        let asked: Vec<_> = asked.collect();
        plan.outputs
            .retain(|output| !asked.contains(&output.value.kind));
        let (found, mut reasons) = preflight::check(&plan, &options, &mut report);
        // A test that does nothing would always pass.
        if empty {
            let hint =
                "add one, such as `Type \"text\"`; `screentest new demo` writes a first tape";
            reasons.push((format!("`{path}` has no command"), Some(hint.to_owned())));
        }
        if !plan.settings.auto_wait {
            options.run.input.auto_wait = AutoWait::Off;
        }
        // The environment overrides the tape, as in tests.
        match options.run.clone().overridden(Runner::Tape, &environment) {
            Ok(run) => options.run = run,
            Err(error) => reasons.push((chain(&error), None)),
        }
        if let Some(update) = options.update {
            options.run.update_snapshots = update;
        }
        let report = judged(report).in_order();
        match found {
            Some(found) if !report.has_errors() && reasons.is_empty() => Ok(Ready {
                name,
                path,
                plan,
                options,
                found,
                report,
            }),
            _ => Err(Refused { report, reasons }),
        }
    }
}

impl Ready {
    /// The name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tape's name on a command line.
    pub(super) fn command_word(&self) -> String {
        match self.path.as_str() {
            // The command line uses `-` for stdin.
            "stdin" => "-".to_owned(),
            path => shell_word(path),
        }
    }

    /// Warnings, which do not keep the tape from running.
    pub fn warnings(&self) -> &Report {
        &self.report
    }

    /// The options, including overrides from the environment.
    pub fn options(&self) -> &TapeOptions {
        &self.options
    }

    /// The colours of the terminal.
    pub fn theme(&self) -> &Theme {
        &self.found.look.theme
    }

    /// The name of the directory of its artifacts. Tapes with the same directory cannot run in
    /// parallel.
    pub fn folder(&self) -> String {
        Slug::of_tape(&self.name).to_string()
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.plan.steps.len()
    }

    /// Runs the tape and reports progress. Failures are part of the result.
    pub fn run(&self, watch: impl FnMut(Progress<'_>)) -> Run {
        runner::run(self, watch)
    }
}

/// The path of a sourced tape, and its text.
fn sourced(path: &str, from: &str) -> (PathBuf, Result<String, ReadError>) {
    let here = PathBuf::from(path);
    let beside = Path::new(from).with_file_name(path);
    let path = if here.exists() || !beside.exists() {
        here
    } else {
        beside
    };
    let read = paths::read(&path, language::LONGEST);
    (path, read)
}

fn unreadable(name: &str, error: &ReadError) -> Refused {
    let hint = match error {
        ReadError::Directory => Some(format!("name a tape in it, such as `{name}/demo.tape`")),
        _ => None,
    };
    Refused {
        report: Report::default(),
        reasons: vec![(format!("`{name}` cannot be read: {error}"), hint)],
    }
}

impl Refused {
    /// Makes an error of a report.
    pub fn new(report: Report) -> Refused {
        Refused {
            report,
            reasons: Vec::new(),
        }
    }

    /// All errors, for people.
    pub fn painted(&self, paint: Paint) -> String {
        let mut told = self.report.painted(paint);
        for (reason, hint) in &self.reasons {
            if !told.is_empty() {
                told.push('\n');
            }
            told.push_str(&format!("error: {reason}\n"));
            if let Some(hint) = hint {
                told.push_str(&format!("hint: {hint}\n"));
            }
        }
        told
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.painted(Paint::Plain).trim_end_matches('\n'))
    }
}

impl std::error::Error for Refused {}
