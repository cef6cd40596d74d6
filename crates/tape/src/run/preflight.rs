//! Finds errors of a tape before it runs: missing programs, unreadable files, outputs that cannot
//! be written, pictures that cannot be drawn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::language::{
    Assertion, Diagnostic, DiagnosticReport, Output, OutputKind, Plan, Severity, Span, Spanned,
    TapeStep,
};
use screentest_core::State;
use screentest_core::formats::state_json::StateJson;
use screentest_render::animation::{self, Painter, PixelSize};
use screentest_render::{self as render, ScreenPainter, picture, webp};

use super::appearance::{Appearance, AppearanceError};
use super::options::TapeOptions;
use super::paths;
use super::shells::{self, Prompt};
use crate::video;
use screentest::app::App;
use screentest::internals::chain;
use screentest::internals::partial;
use screentest::internals::{Variables, environment};
use screentest::pty::{self, SpawnError};
use screentest::recording::recorder::ExistingCassette;

/// Maximum size in bytes of a State JSON file to compare with: enough for a screen with a hundred
/// thousand rows of scrollback.
const MAX_STATE_FILE: usize = 256 << 20;

/// The results of the checks that a run needs.
#[derive(Debug)]
pub(super) struct PreparedRun {
    pub(super) app: App,
    pub(super) prompt: Prompt,
    pub(super) appearance: Appearance,
    /// The expected states, by the number of their step.
    pub(super) states: BTreeMap<usize, State>,
}

/// Errors without a position in the tape, each with an optional hint.
pub(super) type GeneralErrors = Vec<(String, Option<String>)>;

/// Runs all checks and adds errors to the report. If the tape has errors already, checks only the
/// lines that could be parsed, and skips the appearance, which may depend on the other lines.
pub(super) fn check(
    plan: &Plan,
    options: &TapeOptions,
    report: &mut DiagnosticReport,
) -> (Option<PreparedRun>, GeneralErrors) {
    let is_parsed = !report.has_errors();
    let mut preflight = Preflight {
        plan,
        report,
        general_errors: Vec::new(),
        states: BTreeMap::new(),
        written_paths: BTreeMap::new(),
    };
    let (app, prompt) = shells::app(plan);
    // After a syntax error, the shell may not be the intended one.
    if is_parsed || plan.launch.is_some() {
        preflight.check_program(&app);
    }
    preflight.check_required_programs(&app);
    let appearance = if is_parsed {
        preflight.check_appearance(plan, options)
    } else {
        None
    };
    preflight.check_outputs(options, appearance.as_ref());
    preflight.check_steps();
    let Preflight {
        general_errors,
        states,
        ..
    } = preflight;
    let prepared = appearance.map(|appearance| PreparedRun {
        app,
        prompt,
        appearance,
        states,
    });
    (prepared, general_errors)
}

/// The checks of one tape, and their results so far.
struct Preflight<'a> {
    plan: &'a Plan,
    report: &'a mut DiagnosticReport,
    general_errors: GeneralErrors,
    states: BTreeMap<usize, State>,
    /// The paths that are written, with their positions in the tape, if any.
    written_paths: BTreeMap<PathBuf, Option<&'a Span>>,
}

impl<'a> Preflight<'a> {
    fn error(&mut self, span: &Span, message: String, hint: Option<&str>) {
        let mut diagnostic = Diagnostic::new(Severity::Error, span.clone(), message);
        diagnostic.hint = hint.map(str::to_owned);
        self.report.diagnostics.push(diagnostic);
    }

    /// Adds an error at a position, or one without a position.
    fn add_error(&mut self, span: Option<&Span>, message: String, hint: Option<&str>) {
        match span {
            Some(span) => self.error(span, message, hint),
            None => self.general_errors.push((message, hint.map(str::to_owned))),
        }
    }

    fn check_program(&mut self, app: &App) {
        let Err(error) = pty::check(app) else {
            return;
        };
        let hint = match (&error, &self.plan.launch) {
            (SpawnError::NotInPath { .. }, Some(_)) => {
                Some("install it, or name it by its path, such as `./program`")
            }
            (SpawnError::NotInPath { .. }, None) => {
                Some("this is the tape's shell: install it, or choose another with `Set Shell`")
            }
            _ => None,
        };
        let span = self.plan.launch.as_ref().map(|launch| launch.span.clone());
        self.add_error(span.as_ref(), chain(&error), hint);
    }

    /// Checks the required programs, in the `PATH` of the program that runs.
    fn check_required_programs(&mut self, app: &App) {
        let plan = self.plan;
        for Spanned { value, span } in &plan.requires {
            let variables = app.variables();
            let needed = variables.fold(App::new(value), |needed, (name, value)| match value {
                Some(value) => needed.env(name, value),
                None => needed.unset_env(name),
            });
            if let Err(error) = pty::check(&needed) {
                let message = format!("a required program is missing: {}", chain(&error));
                self.error(span, message, Some("install it, and run the tape again"));
            }
        }
    }

    fn check_appearance(&mut self, plan: &Plan, options: &TapeOptions) -> Option<Appearance> {
        let (appearance, missing) = match Appearance::of(&plan.settings) {
            Ok(appearance) => appearance,
            Err(error) => {
                let hint = match error {
                    AppearanceError::Room { .. } => {
                        "set a larger `Width` and `Height`, or `Columns` and `Rows`"
                    }
                    AppearanceError::MarginPicture(_) => "use a colour, such as \"#674EFF\"",
                    _ => "change it in the settings of the tape",
                };
                self.general_errors
                    .push((chain(&error), Some(hint.to_owned())));
                return None;
            }
        };
        let draws = |kind| {
            !matches!(
                kind,
                OutputKind::Json | OutputKind::Text | OutputKind::Cassette | OutputKind::Cast
            )
        };
        let outputs = plan.outputs.iter().map(|output| &output.value);
        let drawn = outputs
            .chain(&options.outputs)
            .any(|output| draws(output.kind));
        let has_screenshot = plan
            .steps
            .iter()
            .any(|step| matches!(step.value, TapeStep::Screenshot(_)));
        let span = plan.font_family.as_ref();
        if let (Some(font), Some(span)) = (missing, span.filter(|_| drawn || has_screenshot)) {
            let substitute = match environment.library_variable("FONT_PATH") {
                Some((name, _)) => format!("the font in `{name}`"),
                None => "`DejaVu Sans Mono`".to_owned(),
            };
            let message =
                format!("the font `{font}` is not installed or not monospaced; using {substitute}");
            let diagnostic = Diagnostic::new(Severity::Warning, span.clone(), message);
            self.report.diagnostics.push(diagnostic.hint("`Set FontFamily` takes several names, separated by commas; the first installed one is used"));
        }
        Some(appearance)
    }

    fn check_outputs(&mut self, options: &TapeOptions, appearance: Option<&Appearance>) {
        let plan = self.plan;
        let from_tape = plan
            .outputs
            .iter()
            .map(|output| (&output.value, Some(&output.span)));
        let requested = options.outputs.iter().map(|output| (output, None));
        for (output, span) in from_tape.chain(requested) {
            if self.is_written_twice(&output.path, span) {
                continue;
            }
            if let Err((message, hint)) = check_output(output, appearance) {
                self.add_error(span, message, hint);
            }
        }
    }

    /// Records that a path is written. Returns true, and reports an error, if it is written
    /// already: only one of the two files would remain.
    fn is_written_twice(&mut self, path: &str, span: Option<&'a Span>) -> bool {
        let Some(first) = self
            .written_paths
            .insert(paths::absolute_path(Path::new(path)), span)
        else {
            return false;
        };
        let message = format!("`{path}` is written twice");
        let hint = match first {
            Some(first) => format!("it is already written at {first}: remove one of the two"),
            None => "remove one of the two, or rename it".to_owned(),
        };
        self.add_error(span, message, Some(&hint));
        true
    }

    fn check_steps(&mut self) {
        let plan = self.plan;
        for (number, Spanned { value, span }) in plan.steps.iter().enumerate() {
            match value {
                TapeStep::Screenshot(path) | TapeStep::State(path) => {
                    if self.is_written_twice(path, Some(span)) {
                        continue;
                    }
                    if let Err(reason) = paths::check_file_writable(Path::new(path)) {
                        self.error(span, format!("`{path}` cannot be written: {reason}"), None);
                    }
                }
                TapeStep::Assert(Assertion::State(path)) => match read_state(path) {
                    Ok(state) => {
                        self.states.insert(number, state);
                    }
                    Err(message) => {
                        let hint =
                            "write one with `State` in a tape or with `screentest snap -o x.json`";
                        self.error(span, message, Some(hint));
                    }
                },
                _ => {}
            }
        }
    }
}

fn read_state(path: &str) -> Result<State, String> {
    let read_error = |error: &dyn std::fmt::Display| format!("`{path}` cannot be read: {error}");
    let text =
        paths::read_regular(Path::new(path), MAX_STATE_FILE).map_err(|error| read_error(&error))?;
    StateJson::parse(text).map_err(|error| read_error(&chain(&error)))
}

/// A problem of an output, with a hint.
type OutputProblem = (String, Option<&'static str>);

/// Checks that an output can be made and written.
fn check_output(output: &Output, appearance: Option<&Appearance>) -> Result<(), OutputProblem> {
    let Output { path, kind } = output;
    let cannot = |reason: String| (format!("`{path}` cannot be written: {reason}"), None);
    let target = Path::new(path);
    match kind {
        OutputKind::Frames => paths::check_directory_writable(target).map_err(cannot)?,
        OutputKind::Cassette => {
            let checked = partial::check_target(target, ExistingCassette::Replace);
            checked
                .map_err(|error| cannot(chain(&screentest::recording::RecordError::from(error))))?;
            paths::check_directory_writable(target.parent().unwrap_or(Path::new("")))
                .map_err(cannot)?;
        }
        _ => paths::check_file_writable(target).map_err(cannot)?,
    }
    if matches!(kind, OutputKind::Mp4 | OutputKind::Webm) {
        let hint = "`apt install ffmpeg` or `brew install ffmpeg` installs it; gif, apng and webp need no other program";
        video::check().map_err(|error| (error.to_string(), Some(hint)))?;
    }
    let Some(appearance) = appearance else {
        return Ok(());
    };
    let max_pixels = match kind {
        OutputKind::Png => picture::MAX_PIXELS,
        OutputKind::Gif
        | OutputKind::Apng
        | OutputKind::Webp
        | OutputKind::Mp4
        | OutputKind::Webm
        | OutputKind::Frames => {
            appearance
                .check_speed()
                .map_err(|error| (error.to_string(), None))?;
            animation::MAX_FRAME_PIXELS
        }
        _ => return Ok(()),
    };
    let max_side = match kind {
        OutputKind::Gif => render::gif::MAX_SIDE,
        OutputKind::Webp => webp::MAX_SIDE,
        OutputKind::Mp4 | OutputKind::Webm => 16384,
        _ => usize::MAX,
    };
    let painter = ScreenPainter::new(&appearance.theme, &appearance.fonts, &appearance.options);
    let painter = painter.map_err(|error| (error.to_string(), None))?;
    let PixelSize { width, height } = painter.extent(appearance.size);
    if width.saturating_mul(height) > max_pixels || width.max(height) > max_side {
        let message = format!("`{path}` would be {width}x{height} pixels, which is over the limit");
        return Err((
            message,
            Some("use a smaller `FontSize`, or fewer columns and rows"),
        ));
    }
    Ok(())
}
