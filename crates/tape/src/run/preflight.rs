//! Finds errors of a tape before it runs: missing programs, unreadable files, outputs that cannot
//! be written, pictures that cannot be drawn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::language::{
    Assertion, Diagnostic, Output, OutputKind, Place, Placed, Plan, Report, Severity, Step,
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
use screentest::recording::recorder::Existing;

/// The largest State JSON file to compare with: a screen with a hundred thousand rows of
/// scrollback.
const MOST_STATE: usize = 256 << 20;

/// The results of the checks that a run needs.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) app: App,
    pub(super) prompt: Prompt,
    pub(super) look: Appearance,
    /// The expected states, by the number of their step.
    pub(super) states: BTreeMap<usize, State>,
}

/// Errors without a position in the tape, each with an optional hint.
pub(super) type Reasons = Vec<(String, Option<String>)>;

/// Runs all checks and adds errors to the report. If the tape has syntax errors, checks only the
/// lines that could be parsed, and skips the appearance, which may depend on the others.
pub(super) fn check(
    plan: &Plan,
    options: &TapeOptions,
    report: &mut Report,
) -> (Option<Prepared>, Reasons) {
    let understood = !report.has_errors();
    let mut check = Check {
        plan,
        report,
        reasons: Vec::new(),
        states: BTreeMap::new(),
        written: BTreeMap::new(),
    };
    let (app, prompt) = shells::app(plan);
    // After a syntax error, the shell may not be the intended one.
    if understood || plan.launch.is_some() {
        check.program(&app);
    }
    check.requires(&app);
    let look = if understood {
        check.look(plan, options)
    } else {
        None
    };
    check.outputs(options, look.as_ref());
    check.steps();
    let Check {
        reasons, states, ..
    } = check;
    let found = look.map(|look| Prepared {
        app,
        prompt,
        look,
        states,
    });
    (found, reasons)
}

struct Check<'a> {
    plan: &'a Plan,
    report: &'a mut Report,
    reasons: Reasons,
    states: BTreeMap<usize, State>,
    /// The paths that are written, with their positions in the tape, if any.
    written: BTreeMap<PathBuf, Option<&'a Place>>,
}

impl<'a> Check<'a> {
    fn error(&mut self, place: &Place, message: String, hint: Option<&str>) {
        let mut found = Diagnostic::new(Severity::Error, place.clone(), message);
        found.hint = hint.map(str::to_owned);
        self.report.diagnostics.push(found);
    }

    /// Adds an error at a position, or one without a position.
    fn wrong(&mut self, place: Option<&Place>, message: String, hint: Option<&str>) {
        match place {
            Some(place) => self.error(place, message, hint),
            None => self.reasons.push((message, hint.map(str::to_owned))),
        }
    }

    fn program(&mut self, app: &App) {
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
        let place = self.plan.launch.as_ref().map(|launch| launch.place.clone());
        self.wrong(place.as_ref(), chain(&error), hint);
    }

    /// Checks the required programs, in the `PATH` of the program that runs.
    fn requires(&mut self, app: &App) {
        let plan = self.plan;
        for Placed { value, place } in &plan.requires {
            let variables = app.variables();
            let needed = variables.fold(App::new(value), |needed, (name, value)| match value {
                Some(value) => needed.env(name, value),
                None => needed.unset_env(name),
            });
            if let Err(error) = pty::check(&needed) {
                let message = format!("a required program is missing: {}", chain(&error));
                self.error(place, message, Some("install it, and run the tape again"));
            }
        }
    }

    fn look(&mut self, plan: &Plan, options: &TapeOptions) -> Option<Appearance> {
        let (look, missing) = match Appearance::of(&plan.settings) {
            Ok(found) => found,
            Err(error) => {
                let hint = match error {
                    AppearanceError::Room { .. } => {
                        "set a larger `Width` and `Height`, or `Columns` and `Rows`"
                    }
                    AppearanceError::MarginPicture(_) => "use a colour, such as \"#674EFF\"",
                    _ => "change it in the settings of the tape",
                };
                self.reasons.push((chain(&error), Some(hint.to_owned())));
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
        let shot = plan
            .steps
            .iter()
            .find(|step| matches!(step.value, Step::Screenshot(_)));
        let place = plan.font_family.as_ref();
        if let (Some(font), Some(place)) = (missing, place.filter(|_| drawn || shot.is_some())) {
            let instead = match environment.told("FONT_PATH") {
                Some((name, _)) => format!("the font in `{name}`"),
                None => "`DejaVu Sans Mono`".to_owned(),
            };
            let message =
                format!("the font `{font}` is not installed or not monospaced; using {instead}");
            let found = Diagnostic::new(Severity::Warning, place.clone(), message);
            self.report.diagnostics.push(found.hint("`Set FontFamily` takes several names, separated by commas; the first installed one is used"));
        }
        Some(look)
    }

    fn outputs(&mut self, options: &TapeOptions, look: Option<&Appearance>) {
        let plan = self.plan;
        let own = plan
            .outputs
            .iter()
            .map(|output| (&output.value, Some(&output.place)));
        let asked = options.outputs.iter().map(|output| (output, None));
        for (output, place) in own.chain(asked) {
            if self.is_written(&output.path, place) {
                continue;
            }
            if let Err((message, hint)) = output_fits(output, look) {
                self.wrong(place, message, hint);
            }
        }
    }

    /// Records that a path is written. Returns true, and reports an error, if it is written
    /// already: only one of the two files would remain.
    fn is_written(&mut self, path: &str, place: Option<&'a Place>) -> bool {
        let Some(first) = self.written.insert(paths::whole(Path::new(path)), place) else {
            return false;
        };
        let message = format!("`{path}` is written twice");
        let hint = match first {
            Some(first) => format!("it is already written at {first}: remove one of the two"),
            None => "remove one of the two, or rename it".to_owned(),
        };
        self.wrong(place, message, Some(&hint));
        true
    }

    fn steps(&mut self) {
        let plan = self.plan;
        for (number, Placed { value, place }) in plan.steps.iter().enumerate() {
            match value {
                Step::Screenshot(path) | Step::State(path) => {
                    if self.is_written(path, Some(place)) {
                        continue;
                    }
                    if let Err(why) = paths::takes_a_file(Path::new(path)) {
                        self.error(place, format!("`{path}` cannot be written: {why}"), None);
                    }
                }
                Step::Assert(Assertion::State(path)) => match state(path) {
                    Ok(state) => {
                        self.states.insert(number, state);
                    }
                    Err(message) => {
                        let hint =
                            "write one with `State` in a tape or with `screentest snap -o x.json`";
                        self.error(place, message, Some(hint));
                    }
                },
                _ => {}
            }
        }
    }
}

fn state(path: &str) -> Result<State, String> {
    let unread = |error: &dyn std::fmt::Display| format!("`{path}` cannot be read: {error}");
    let text = paths::read(Path::new(path), MOST_STATE).map_err(|error| unread(&error))?;
    StateJson::parse(text).map_err(|error| unread(&chain(&error)))
}

type Misfit = (String, Option<&'static str>);

/// Checks that an output can be made and written.
fn output_fits(output: &Output, look: Option<&Appearance>) -> Result<(), Misfit> {
    let Output { path, kind } = output;
    let cannot = |why: String| (format!("`{path}` cannot be written: {why}"), None);
    let place = PathBuf::from(path);
    match kind {
        OutputKind::Frames => paths::takes_a_folder(&place).map_err(cannot)?,
        OutputKind::Cassette => {
            let taken = partial::may_take(&place, Existing::Replaced);
            taken.map_err(|error| cannot(chain(&screentest::RecordError::from(error))))?;
            paths::takes_a_folder(place.parent().unwrap_or(Path::new(""))).map_err(cannot)?;
        }
        _ => paths::takes_a_file(&place).map_err(cannot)?,
    }
    if matches!(kind, OutputKind::Mp4 | OutputKind::Webm) {
        let hint = "`apt install ffmpeg` or `brew install ffmpeg` gets it; gif, apng and webp need no other program";
        video::check().map_err(|error| (error.to_string(), Some(hint)))?;
    }
    let Some(look) = look else {
        return Ok(());
    };
    let most = match kind {
        OutputKind::Png => picture::MAX_PIXELS,
        OutputKind::Gif
        | OutputKind::Apng
        | OutputKind::Webp
        | OutputKind::Mp4
        | OutputKind::Webm
        | OutputKind::Frames => {
            look.check_film()
                .map_err(|error| (error.to_string(), None))?;
            animation::MAX_FRAME_PIXELS
        }
        _ => return Ok(()),
    };
    let side = match kind {
        OutputKind::Gif => render::gif::MAX_SIDE,
        OutputKind::Webp => webp::MAX_SIDE,
        OutputKind::Mp4 | OutputKind::Webm => 16384,
        _ => usize::MAX,
    };
    let camera = ScreenPainter::new(&look.theme, &look.fonts, &look.options);
    let camera = camera.map_err(|error| (error.to_string(), None))?;
    let PixelSize { width, height } = camera.extent(look.size);
    if width.saturating_mul(height) > most || width.max(height) > side {
        let message = format!("`{path}` would be {width}x{height} pixels, which is over the limit");
        return Err((
            message,
            Some("use a smaller `FontSize`, or fewer columns and rows"),
        ));
    }
    Ok(())
}
