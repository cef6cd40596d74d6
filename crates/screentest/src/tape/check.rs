//! What would go wrong with a tape, found before anything runs: programs that are missing, files that cannot be read, places that
//! cannot be written, pictures that cannot be drawn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use screentest_core::State;
use screentest_core::formats::state_json::StateJson;
use screentest_core::tape::{
    Assertion, Diagnostic, Output, OutputKind, Place, Placed, Plan, Report, Severity, Step,
};
use screentest_render::animation::{self, Extent, Painter};
use screentest_render::{self as render, ScreenPainter, picture, webp};

use super::look::{Look, LookError};
use super::options::TapeOptions;
use super::place;
use super::shell::{self, Prompt};
use crate::app::App;
use crate::cassette::part;
use crate::failure::chain;
use crate::pty::{self, SpawnError};
use crate::recorder::Existing;
use crate::run_options::{Variables, environment};
use crate::video;

/// The largest State JSON that is compared with: a screen with a hundred thousand rows above it.
const MOST_STATE: usize = 256 << 20;

/// What was found out on the way.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) app: App,
    pub(super) prompt: Prompt,
    pub(super) look: Look,
    /// What is compared with, by the number of the step.
    pub(super) states: BTreeMap<usize, State>,
}

/// What is wrong at no place of the tape, and what to do about it.
pub(super) type Reasons = Vec<(String, Option<String>)>;

/// Looks at everything, and adds to the report what is wrong. Of a tape that was not understood, that is what its other lines need:
/// how it would look may depend on the ones that were not.
pub(super) fn check(
    plan: &Plan,
    options: &TapeOptions,
    report: &mut Report,
) -> (Option<Found>, Reasons) {
    let understood = !report.has_errors();
    let mut check = Check {
        plan,
        report,
        reasons: Vec::new(),
        states: BTreeMap::new(),
        written: BTreeMap::new(),
    };
    let (app, prompt) = shell::app(plan);
    // The shell may be another than it seems where a line was not understood.
    if understood || plan.launch.is_some() {
        check.program(&app);
    }
    check.requires(&app);
    let look = match understood {
        true => check.look(plan, options),
        false => None,
    };
    check.outputs(options, look.as_ref());
    check.steps();
    let Check {
        reasons, states, ..
    } = check;
    let found = look.map(|look| Found {
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
    /// What is written, and where the tape says so, if it does.
    written: BTreeMap<PathBuf, Option<&'a Place>>,
}

impl<'a> Check<'a> {
    fn error(&mut self, place: &Place, message: String, hint: Option<&str>) {
        let mut found = Diagnostic::new(Severity::Error, place.clone(), message);
        found.hint = hint.map(str::to_owned);
        self.report.diagnostics.push(found);
    }

    /// At a place of the tape, if there is one to blame.
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
                Some("it is the tape's shell: install it, or `Set Shell` to another")
            }
            _ => None,
        };
        let place = self.plan.launch.as_ref().map(|launch| launch.place.clone());
        self.wrong(place.as_ref(), chain(&error), hint);
    }

    /// What must be there, in the `PATH` of what runs.
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

    fn look(&mut self, plan: &Plan, options: &TapeOptions) -> Option<Look> {
        let (look, missing) = match Look::of(&plan.settings) {
            Ok(found) => found,
            Err(error) => {
                let hint = match error {
                    LookError::Room { .. } => {
                        "set a larger `Width` and `Height`, or `Columns` and `Rows`"
                    }
                    LookError::MarginPicture(_) => "fill it with a colour, as in \"#674EFF\"",
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
                Some((name, _)) => format!("the one that `{name}` names"),
                None => "`DejaVu Sans Mono`".to_owned(),
            };
            let message = format!(
                "the font `{font}` is not on this system, or its letters are not of one width: {instead} is drawn with instead"
            );
            let found = Diagnostic::new(Severity::Warning, place.clone(), message);
            self.report.diagnostics.push(found.hint("`Set FontFamily` takes several names with commas between them; the first that is there is taken"));
        }
        Some(look)
    }

    fn outputs(&mut self, options: &TapeOptions, look: Option<&Look>) {
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

    /// Whether something is written at a path already, which is told: of the two only one would be left.
    fn is_written(&mut self, path: &str, place: Option<&'a Place>) -> bool {
        let Some(first) = self.written.insert(place::whole(Path::new(path)), place) else {
            return false;
        };
        let message = format!("`{path}` is written twice");
        let hint = match first {
            Some(first) => format!("it is written at {first} already: leave one out"),
            None => "leave one out, or give it another name".to_owned(),
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
                    if let Err(why) = place::takes_a_file(Path::new(path)) {
                        self.error(place, format!("`{path}` cannot be written: {why}"), None);
                    }
                }
                Step::Assert(Assertion::State(path)) => match state(path) {
                    Ok(state) => {
                        self.states.insert(number, state);
                    }
                    Err(message) => {
                        let hint = "`State` in a tape, or `screentest snap -o x.json`, writes one";
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
    let text = place::read(Path::new(path), MOST_STATE).map_err(|error| unread(&error))?;
    StateJson::parse(text).map_err(|error| unread(&chain(&error)))
}

type Misfit = (String, Option<&'static str>);

/// Whether an output can be made, and put where it should be.
fn output_fits(output: &Output, look: Option<&Look>) -> Result<(), Misfit> {
    let Output { path, kind } = output;
    let cannot = |why: String| (format!("`{path}` cannot be written: {why}"), None);
    let place = PathBuf::from(path);
    match kind {
        OutputKind::Frames => place::takes_a_folder(&place).map_err(cannot)?,
        OutputKind::Cassette => {
            let taken = part::may_take(&place, Existing::Replaced);
            taken.map_err(|error| cannot(chain(&crate::RecordError::from(error))))?;
            place::takes_a_folder(place.parent().unwrap_or(Path::new(""))).map_err(cannot)?;
        }
        _ => place::takes_a_file(&place).map_err(cannot)?,
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
    let Extent { width, height } = camera.extent(look.size);
    if width.saturating_mul(height) > most || width.max(height) > side {
        let message =
            format!("`{path}` would be {width}x{height} pixels, which is more than it can have");
        return Err((
            message,
            Some("a smaller `FontSize`, or fewer columns and rows, make it smaller"),
        ));
    }
    Ok(())
}
