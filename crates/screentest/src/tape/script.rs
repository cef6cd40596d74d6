//! A tape that was read, and one that is ready to run.
//!
//! Everything that is wrong is told at once and before anything runs: what the tape says, what it sources, and what of it cannot
//! be had here.
//!
//! Elsewhere: what is looked at before a run (`tape/check.rs`), the run (`tape/performance.rs`).

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use screentest_core::tape::{self, Dialect, Plan, Report};
use screentest_core::{Paint, Theme};

use super::check::{self, Found};
use super::options::TapeOptions;
use super::performance::{self, Progress};
use super::place::{self, ReadError};
use super::run::Run;
use crate::recording::cassette::shell_word;
use crate::session::AutoWait;
use crate::test::failure::chain;
use crate::test::run_options::{Runner, environment};
use crate::test::slug::Slug;

/// A tape that was read, with all that it sources.
#[derive(Debug, Clone)]
pub struct Script {
    name: String,
    /// As one finds it from here.
    path: String,
    plan: Plan,
    /// Whether nothing stands in it.
    empty: bool,
    report: Report,
    files: Vec<PathBuf>,
}

/// A tape of which is known that it can run.
#[derive(Debug)]
pub struct Ready {
    pub(super) name: String,
    path: String,
    pub(super) plan: Plan,
    pub(super) options: TapeOptions,
    /// What was found out on the way.
    pub(super) found: Found,
    report: Report,
}

/// Why a tape was not run: all that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// What is wrong at places of the tape, or of those that it sources.
    pub report: Report,
    /// What is wrong at none, such as a tape that cannot be read; each with what to do about it.
    pub reasons: Vec<(String, Option<String>)>,
}

impl Script {
    /// Reads a tape. Paths in it are those of the directory that we are in, and a sourced tape may also stand beside the one that
    /// sources it. Without a dialect, the tape's own first lines decide.
    pub fn read(path: &Path, dialect: Option<Dialect>) -> Result<Script, Refused> {
        let script = Script::parse(&Script::text(path)?, &place::shown(path), dialect);
        Ok(Script {
            name: place::named(path),
            ..script
        })
    }

    /// The text of a tape, whatever it says.
    pub fn text(path: &Path) -> Result<String, Refused> {
        let text = place::read(path, tape::LONGEST);
        text.map_err(|error| unreadable(&path.display().to_string(), &error))
    }

    /// The text of a tape from somewhere else; `name` is what messages call it.
    pub fn text_from(from: impl Read, name: &str) -> Result<String, Refused> {
        let text = place::text(from, tape::LONGEST);
        text.map_err(|error| unreadable(name, &error))
    }

    /// Reads a tape from somewhere else; `name` is what messages call it.
    pub fn read_from(
        from: impl Read,
        name: &str,
        dialect: Option<Dialect>,
    ) -> Result<Script, Refused> {
        let text = Script::text_from(from, name)?;
        Ok(Script::parse(&text, name, dialect))
    }

    fn parse(text: &str, name: &str, dialect: Option<Dialect>) -> Script {
        let (tape, mut report) = tape::parse(text, name, dialect);
        let empty = tape.commands.is_empty() && report.is_empty();
        let mut files = Vec::new();
        let (plan, more) = tape.resolve(|path, from| {
            let (path, read) = sourced(path, from);
            files.push(path.clone());
            Ok::<_, ReadError>((place::shown(&path), read?))
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

    /// What the tape at a path is called: its path from the root of the project, wherever one stands. Two paths of one tape give
    /// one name.
    pub fn name_of(path: &Path) -> String {
        place::named(path)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it says.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The tapes that it sources, those that could not be read included.
    pub fn sourced(&self) -> &[PathBuf] {
        &self.files
    }

    /// What is wrong with it, warnings included.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Finds out whether it can run like this, without running anything.
    pub fn ready(self, options: TapeOptions) -> Result<Ready, Refused> {
        self.checked(options, |report| report)
    }

    /// The same for who lets nothing pass: what would be a warning is a reason.
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
        let (found, mut reasons) = check::check(&plan, &options, &mut report);
        // A test that does nothing would always pass.
        if empty {
            let hint = "say what is done, as in `Type \"text\"`; `screentest new demo` writes a tape to begin with";
            reasons.push((format!("`{path}` has no command"), Some(hint.to_owned())));
        }
        if !plan.settings.auto_wait {
            options.run.input.auto_wait = AutoWait::Off;
        }
        // Whoever runs a tape has the last word, as with a test.
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
    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What names it on a command line.
    pub(super) fn command_word(&self) -> String {
        match self.path.as_str() {
            // As the command line calls what it reads there.
            "stdin" => "-".to_owned(),
            path => shell_word(path),
        }
    }

    /// What is not as it should be, and does not keep it from running.
    pub fn warnings(&self) -> &Report {
        &self.report
    }

    /// How it is run, once the environment has had its say.
    pub fn options(&self) -> &TapeOptions {
        &self.options
    }

    /// The colours of its terminal.
    pub fn theme(&self) -> &Theme {
        &self.found.look.theme
    }

    /// The name of the folder that its artifacts go to. Tapes that share it cannot run side by side.
    pub fn folder(&self) -> String {
        Slug::of_tape(&self.name).to_string()
    }

    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.plan.steps.len()
    }

    /// Runs it, and tells somebody how far it is. What goes wrong is in what comes back.
    pub fn run(&self, watch: impl FnMut(Progress<'_>)) -> Run {
        performance::run(self, watch)
    }
}

/// Where a sourced tape is, and its text.
fn sourced(path: &str, from: &str) -> (PathBuf, Result<String, ReadError>) {
    let here = PathBuf::from(path);
    let beside = Path::new(from).with_file_name(path);
    let path = match here.exists() || !beside.exists() {
        true => here,
        false => beside,
    };
    let read = place::read(&path, tape::LONGEST);
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
    /// What was found at places of a tape.
    pub fn new(report: Report) -> Refused {
        Refused {
            report,
            reasons: Vec::new(),
        }
    }

    /// All of it, for people.
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
