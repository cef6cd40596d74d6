//! Performs the steps of a tape.
//!
//! Each step calls methods of the session, as a test does. A step that looks at the screen first
//! gives the program a moment to finish its output; a step that sends input then pauses for the
//! time that the tape gives.
//!
//! See also: `step/action.rs` (what is done to the program: keys, text, mouse, waits),
//! `step/checks.rs` (conditions of waits, expectations and snapshots),
//! `step/assertion.rs` (assertions about the screen), `step/error.rs` (failures),
//! `run/scheduler.rs` (pauses), `run/outputs.rs` (files of screenshots and states).

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::language::{ScrollDirection, ScrollStep, TapeSettings, TapeStep};
use screentest_core::action::{Action, Pointer};
use screentest_core::query::selector::MaskTarget;
use screentest_core::{Normaliser, Screen, State};

use super::annotations::Annotation;
use super::outputs;
use super::scheduler::Scheduler;
use super::script::ReadyTape;
use screentest::session::Session;
use screentest::session::history::Mark;
use screentest::test::artifacts::Artifacts;
use screentest::test::snapshot::Baseline;

mod action;
mod assertion;
mod checks;
mod error;

pub(super) use error::StepError;

/// How long a program may take to finish its output before its screen is used.
pub(super) const MAX_FINISHING: Duration = Duration::from_millis(50);

/// The number of scrollback rows that can be scrolled to and that a state includes.
pub(super) const SCROLLBACK: usize = 10_000;

/// The state while the steps of a tape are performed.
pub(super) struct StepRunner<'a> {
    pub(super) ready: &'a ReadyTape,
    pub(super) session: &'a Session,
    pub(super) scheduler: Scheduler<'a>,
    /// The directory of the snapshots; set if a step needs it.
    pub(super) artifacts: Option<&'a Artifacts>,
    pub(super) typing_speed: Duration,
    pub(super) clipboard: String,
    pub(super) marks: Vec<(Option<String>, Mark)>,
    pub(super) masks: Vec<Normaliser>,
    pub(super) pointer: Pointer,
    /// The number of rows by which the view is scrolled up.
    pub(super) view: usize,
    pub(super) hidden: bool,
    pub(super) caption: String,
    pub(super) checkpoints: Vec<PathBuf>,
    pub(super) snapshots: Vec<PathBuf>,
    pub(super) baselines: Vec<(String, Baseline)>,
}

impl StepRunner<'_> {
    fn settings(&self) -> &TapeSettings {
        &self.ready.plan.settings
    }

    /// Performs the step with this number.
    pub(super) fn perform(&mut self, number: usize, step: &TapeStep) -> Result<(), StepError> {
        match step {
            TapeStep::Action(step) => self.act(step)?,
            TapeStep::Scroll(scroll) => self.scroll(scroll)?,
            TapeStep::Sleep(time) => self.scheduler.pause(*time)?,
            TapeStep::DefaultWait(wait) => self.default_wait(wait)?,
            TapeStep::Hide => self.hide(),
            TapeStep::Show => self.show(),
            TapeStep::Copy(text) => self.clipboard.clone_from(text),
            TapeStep::Paste => {
                let paste = Action::Paste(self.clipboard.clone());
                self.perform_action(&paste, None)?;
            }
            TapeStep::Caption(text) => {
                self.caption.clone_from(text);
                Annotation::Caption(text.clone()).record(self.session);
            }
            TapeStep::Screenshot(path) => self.screenshot(path)?,
            TapeStep::State(path) => self.state_file(path)?,
            TapeStep::Snapshot(name) => self.snapshot(name)?,
            TapeStep::Mask(MaskTarget::Rect(rect)) => self.masks.push(Normaliser::mask(*rect)),
            TapeStep::Mask(MaskTarget::Matches(selector)) => {
                self.masks.push(Normaliser::selector(selector.clone()));
            }
            TapeStep::Mark(name) => {
                self.marks.push((name.clone(), self.session.mark()));
                if let Some(name) = name {
                    self.session.record_mark(name);
                }
            }
            TapeStep::ExpectNot(expectation) => self.expect_not(expectation)?,
            TapeStep::Saw(seen) => self.saw(seen)?,
            TapeStep::Never(seen) => self.never(seen)?,
            TapeStep::Assert(assertion) => self.assert(number, assertion)?,
            TapeStep::TypingSpeed(speed) => self.typing_speed = *speed,
        }
        Ok(())
    }

    /// The visible screen, possibly scrolled up.
    pub(super) fn visible_screen(&self) -> Screen {
        match self.view {
            0 => self.session.screen(),
            _ => self.visible_state().screen,
        }
    }

    /// The screen without secrets, as it is written to files.
    pub(super) fn without_secrets(&self, screen: &Screen) -> Screen {
        self.ready.options.run.secrets.screen(screen)
    }

    fn visible_state(&self) -> State {
        let state = self.session.state(SCROLLBACK);
        State {
            screen: scrolled(&state, self.view),
            ..state
        }
    }

    /// Scrolls down to the current screen before input is sent, as most terminals do.
    fn scroll_to_bottom(&mut self) {
        self.scroll_view(0);
    }

    fn scroll_view(&mut self, view: usize) {
        if std::mem::replace(&mut self.view, view) != view {
            Annotation::View(view).record(self.session);
        }
    }
}

/// The screen of a state, scrolled up by `view` rows.
pub(super) fn scrolled(state: &State, view: usize) -> Screen {
    let view = view.min(state.scrollback.len());
    let mut screen = state.screen.clone();
    if view > 0 {
        let above = state.scrollback.iter().rev().take(view).rev();
        let rows = above.chain(&state.screen.rows).cloned();
        screen.rows = rows.take(state.screen.rows.len()).collect();
        // The cursor moves down with its row, possibly out of view.
        screen.cursor.position.row += view;
        screen.cursor.visible &= screen.cursor.position.row < screen.rows.len();
        screen.cursor.position.row = screen.cursor.position.row.min(screen.rows.len() - 1);
    }
    screen
}

/// The view of the scrollback.
impl StepRunner<'_> {
    fn scroll(&mut self, scroll: &ScrollStep) -> Result<(), StepError> {
        let speed = scroll.speed.unwrap_or(self.typing_speed);
        for _ in 0..scroll.rows {
            let screen = self.session.screen();
            // The alternate screen has no scrollback.
            let max = if screen.modes.alternate_screen {
                0
            } else {
                screen.scrollback_rows.min(SCROLLBACK)
            };
            let view = match scroll.direction {
                ScrollDirection::Up => self.view.saturating_add(1).min(max),
                ScrollDirection::Down => self.view.saturating_sub(1),
            };
            self.scroll_view(view);
            self.scheduler.pause(speed)?;
        }
        Ok(())
    }
}

/// Pictures and files.
impl StepRunner<'_> {
    pub(super) fn hide(&mut self) {
        if !std::mem::replace(&mut self.hidden, true) {
            Annotation::Hide.record(self.session);
        }
    }

    fn show(&mut self) {
        if std::mem::replace(&mut self.hidden, false) {
            Annotation::Show.record(self.session);
        }
    }

    fn screenshot(&mut self, path: &str) -> Result<(), StepError> {
        self.scheduler.settle(MAX_FINISHING)?;
        let png = outputs::screenshot(
            &self.without_secrets(&self.visible_screen()),
            &self.caption,
            self.ready,
        )?;
        self.checkpoint(path, &png)
    }

    fn state_file(&mut self, path: &str) -> Result<(), StepError> {
        self.scheduler.settle(MAX_FINISHING)?;
        let state = self.ready.options.run.secrets.state(&self.visible_state());
        let json = outputs::state_json_text(&state, &self.ready.prepared.appearance.theme);
        self.checkpoint(path, json.as_bytes())
    }

    fn checkpoint(&mut self, path: &str, bytes: &[u8]) -> Result<(), StepError> {
        let path = Path::new(path);
        let written = super::paths::write(path, bytes);
        written.map_err(|source| StepError::Write {
            path: path.to_owned(),
            source,
        })?;
        self.checkpoints.push(path.to_owned());
        Ok(())
    }
}

/// Prints no session, which would be too long.
impl fmt::Debug for StepRunner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepRunner")
            .field("scheduler", &self.scheduler)
            .finish()
    }
}
