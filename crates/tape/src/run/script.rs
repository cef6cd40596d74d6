//! A parsed tape, and a tape that is ready to run.
//!
//! All errors are reported together, before anything runs: in the tape, in the tapes that it
//! sources, and in what they need from this system.
//!
//! See also: `run/preflight.rs` (the checks before a run), `run/runner.rs` (the run).

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::language::{self, DiagnosticReport, Dialect, Plan};
use screentest_core::{Paint, Theme};

use super::options::TapeOptions;
use super::paths::{self, ReadError};
use super::preflight::{self, PreparedRun};
use super::result::TapeRun;
use super::runner::{self, TapeProgress};
use screentest::internals::Slug;
use screentest::internals::chain;
use screentest::internals::shell_word;
use screentest::internals::{Runner, environment};
use screentest::session::AutoWait;

/// A parsed tape and everything it sources.
#[derive(Debug, Clone)]
pub struct TapeScript {
    name: String,
    /// The path relative to the current directory.
    path: String,
    plan: Plan,
    /// Whether the tape has no commands.
    empty: bool,
    report: DiagnosticReport,
    files: Vec<PathBuf>,
}

/// A tape that was checked and can run.
#[derive(Debug)]
pub struct ReadyTape {
    pub(super) name: String,
    path: String,
    pub(super) plan: Plan,
    pub(super) options: TapeOptions,
    /// The results of the checks.
    pub(super) prepared: PreparedRun,
    report: DiagnosticReport,
}

/// All errors of a tape that cannot run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedTape {
    /// Errors with a position in the tape or in a tape that it sources.
    pub report: DiagnosticReport,
    /// Errors without a position, such as a tape that cannot be read, each with an optional hint.
    pub general_errors: Vec<(String, Option<String>)>,
}

impl TapeScript {
    /// Reads a tape. Paths in it are relative to the current directory; a sourced tape may also be
    /// in the same directory as the tape that sources it. Without a dialect, the first lines of the
    /// tape decide.
    pub fn read(path: &Path, dialect: Option<Dialect>) -> Result<TapeScript, RefusedTape> {
        let script = TapeScript::parse(
            &TapeScript::text(path)?,
            &paths::display_path(path),
            dialect,
        );
        Ok(TapeScript {
            name: paths::tape_name(path),
            ..script
        })
    }

    /// The text of a tape, valid or not.
    pub fn text(path: &Path) -> Result<String, RefusedTape> {
        let text = paths::read(path, language::MAX_TAPE_LENGTH);
        text.map_err(|error| refuse_unreadable(&path.display().to_string(), &error))
    }

    /// The text of a tape from a reader; `name` is its name in messages.
    pub fn text_from(from: impl Read, name: &str) -> Result<String, RefusedTape> {
        let text = paths::read_text(from, language::MAX_TAPE_LENGTH);
        text.map_err(|error| refuse_unreadable(name, &error))
    }

    /// Reads a tape from a reader; `name` is its name in messages.
    pub fn read_from(
        from: impl Read,
        name: &str,
        dialect: Option<Dialect>,
    ) -> Result<TapeScript, RefusedTape> {
        let text = TapeScript::text_from(from, name)?;
        Ok(TapeScript::parse(&text, name, dialect))
    }

    fn parse(text: &str, name: &str, dialect: Option<Dialect>) -> TapeScript {
        let (tape, mut report) = language::parse(text, name, dialect);
        let empty = tape.commands.is_empty() && report.is_empty();
        let mut files = Vec::new();
        let (plan, more) = tape.resolve(|path, from| {
            let (path, read) = sourced(path, from);
            files.push(path.clone());
            Ok::<_, ReadError>((paths::display_path(&path), read?))
        });
        report.diagnostics.extend(more.diagnostics);
        TapeScript {
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
        paths::tape_name(path)
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
    pub fn report(&self) -> &DiagnosticReport {
        &self.report
    }

    /// Checks whether the tape can run with these options, without running anything.
    pub fn ready(self, options: TapeOptions) -> Result<ReadyTape, RefusedTape> {
        self.check(options, |report| report)
    }

    /// Like [`TapeScript::ready`], with warnings as errors.
    pub fn ready_strictly(self, options: TapeOptions) -> Result<ReadyTape, RefusedTape> {
        self.check(options, DiagnosticReport::strict)
    }

    fn check(
        self,
        mut options: TapeOptions,
        adjust: impl FnOnce(DiagnosticReport) -> DiagnosticReport,
    ) -> Result<ReadyTape, RefusedTape> {
        let TapeScript {
            name,
            path,
            mut plan,
            empty,
            mut report,
            files: _,
        } = self;
        let requested = options.outputs.iter().map(|output| output.kind);
        let requested: Vec<_> = requested.collect();
        plan.outputs
            .retain(|output| !requested.contains(&output.value.kind));
        let (prepared, mut general_errors) = preflight::check(&plan, &options, &mut report);
        // A test that does nothing would always pass.
        if empty {
            let hint =
                "add one, such as `Type \"text\"`; `screentest new demo` writes a first tape";
            general_errors.push((format!("`{path}` has no command"), Some(hint.to_owned())));
        }
        if !plan.settings.auto_wait {
            options.run.input.auto_wait = AutoWait::Off;
        }
        // The environment overrides the tape, as in tests.
        match options.run.clone().overridden(Runner::Tape, &environment) {
            Ok(run) => options.run = run,
            Err(error) => general_errors.push((chain(&error), None)),
        }
        if let Some(update) = options.update {
            options.run.update_snapshots = update;
        }
        let report = adjust(report).in_order();
        match prepared {
            Some(prepared) if !report.has_errors() && general_errors.is_empty() => Ok(ReadyTape {
                name,
                path,
                plan,
                options,
                prepared,
                report,
            }),
            _ => Err(RefusedTape {
                report,
                general_errors,
            }),
        }
    }
}

impl ReadyTape {
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
    pub fn warnings(&self) -> &DiagnosticReport {
        &self.report
    }

    /// The options, including overrides from the environment.
    pub fn options(&self) -> &TapeOptions {
        &self.options
    }

    /// The colours of the terminal.
    pub fn theme(&self) -> &Theme {
        &self.prepared.appearance.theme
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
    pub fn run(&self, watch: impl FnMut(TapeProgress<'_>)) -> TapeRun {
        runner::run(self, watch)
    }
}

/// The path of a sourced tape, and its text.
fn sourced(path: &str, from: &str) -> (PathBuf, Result<String, ReadError>) {
    let in_current_directory = PathBuf::from(path);
    let beside_source = Path::new(from).with_file_name(path);
    let path = if in_current_directory.exists() || !beside_source.exists() {
        in_current_directory
    } else {
        beside_source
    };
    let read = paths::read_regular(&path, language::MAX_TAPE_LENGTH);
    (path, read)
}

fn refuse_unreadable(name: &str, error: &ReadError) -> RefusedTape {
    let hint = match error {
        ReadError::Directory => Some(format!("name a tape in it, such as `{name}/demo.tape`")),
        _ => None,
    };
    RefusedTape {
        report: DiagnosticReport::default(),
        general_errors: vec![(format!("`{name}` cannot be read: {error}"), hint)],
    }
}

impl RefusedTape {
    /// Makes an error from a report.
    pub fn new(report: DiagnosticReport) -> RefusedTape {
        RefusedTape {
            report,
            general_errors: Vec::new(),
        }
    }

    /// All errors, for people.
    pub fn render(&self, paint: Paint) -> String {
        let mut text = self.report.render(paint);
        for (message, hint) in &self.general_errors {
            if !text.is_empty() {
                text.push('\n');
            }
            let message = language::without_control_chars(message);
            text.push_str(&format!("error: {message}\n"));
            if let Some(hint) = hint {
                let hint = language::without_control_chars(hint);
                text.push_str(&format!("hint: {hint}\n"));
            }
        }
        text
    }
}

impl fmt::Display for RefusedTape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(Paint::Plain).trim_end_matches('\n'))
    }
}

impl std::error::Error for RefusedTape {}
