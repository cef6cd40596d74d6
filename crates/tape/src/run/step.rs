//! Performs the steps of a tape.
//!
//! Each step becomes an action on the session, as by a user or a test. A step that looks at the
//! screen first gives the program a moment to finish its output; a step that sends input then
//! pauses for the time that the tape gives.
//!
//! See also: `step/mouse.rs` (mouse), `step/question.rs` (waits, assertions and snapshots),
//! `step/error.rs` (failures), `tape/pace.rs` (pauses), `tape/assertion.rs` (assertions),
//! `tape/develop.rs` (files of screenshots and states).

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::language::{KeyboardOverlay, Press, Scroll, Settings, Step, Towards};
use screentest_core::input::mouse::Button;
use screentest_core::query::selector::Cover;
use screentest_core::{Key, Normaliser, Position, Screen, State};

use super::annotations::Annotation;
use super::outputs;
use super::scheduler::Scheduler;
use super::script::Ready;
use screentest::session::Session;
use screentest::session::history::Mark;
use screentest::test::artifacts::Artifacts;
use screentest::test::snapshot::Baseline;

mod error;
mod mouse;
mod question;

pub(super) use error::StepError;

/// How long a program may take to finish its output before its screen is used.
pub(super) const FINISHING: Duration = Duration::from_millis(50);

/// The number of scrollback rows that can be scrolled to and that a state includes.
pub(super) const SCROLLBACK: usize = 10_000;

/// The state while the steps of a tape are performed.
pub(super) struct StepRunner<'a> {
    pub(super) ready: &'a Ready,
    pub(super) session: &'a Session,
    pub(super) pace: Scheduler<'a>,
    /// The directory of the snapshots; set if a step needs it.
    pub(super) artifacts: Option<&'a Artifacts>,
    pub(super) typing_speed: Duration,
    pub(super) clipboard: String,
    pub(super) marks: Vec<(Option<String>, Mark)>,
    pub(super) masks: Vec<Normaliser>,
    pub(super) mouse: Position,
    pub(super) held: Option<Button>,
    /// The number of rows by which the view is scrolled up.
    pub(super) view: usize,
    pub(super) hidden: bool,
    pub(super) caption: String,
    pub(super) checkpoints: Vec<PathBuf>,
    pub(super) snapshots: Vec<PathBuf>,
    pub(super) baselines: Vec<(String, Baseline)>,
}

impl StepRunner<'_> {
    fn settings(&self) -> &Settings {
        &self.ready.plan.settings
    }

    /// Performs the step with this number.
    pub(super) fn perform(&mut self, number: usize, step: &Step) -> Result<(), StepError> {
        match step {
            Step::Type(typed) => self.type_text(&typed.text, typed.speed)?,
            Step::Submit(typed) => {
                self.type_text(&typed.text, typed.speed)?;
                let enter = Press {
                    chords: vec![Key::Enter.into()],
                    times: 1,
                    speed: typed.speed,
                };
                self.press(&enter)?;
            }
            Step::Press(press) => self.press(press)?,
            Step::Scroll(scroll) => self.scroll(scroll)?,
            Step::Mouse(mouse) => self.do_mouse(*mouse)?,
            Step::Resize(size) => self.session.resize(*size)?,
            Step::Sleep(time) => self.pace.pause(*time)?,
            Step::Wait(wait) => self.wait(wait)?,
            Step::Stable(stable) => {
                let timeout = stable.timeout.unwrap_or(self.settings().wait_timeout);
                let limits = self.pace.limits(timeout);
                self.session.wait_for_stable(stable.quiet, limits)?;
                self.pace.waited();
            }
            Step::Hide => self.hide(),
            Step::Show => self.show(),
            Step::Copy(text) => self.clipboard.clone_from(text),
            Step::Paste => {
                self.giving();
                let text = self.clipboard.clone();
                self.pace.input().paste(&text)?;
            }
            Step::Caption(text) => {
                self.caption.clone_from(text);
                Annotation::Caption(text.clone()).give(self.session);
            }
            Step::Screenshot(path) => self.screenshot(path)?,
            Step::State(path) => self.state_file(path)?,
            Step::Snapshot(name) => self.snapshot(name)?,
            Step::Mask(Cover::Rect(rect)) => self.masks.push(Normaliser::mask(*rect)),
            Step::Mask(Cover::Found(selector)) => {
                self.masks.push(Normaliser::selector(selector.clone()));
            }
            Step::Mark(name) => {
                self.marks.push((name.clone(), self.session.mark()));
                if let Some(name) = name {
                    self.session.record_mark(name);
                }
            }
            Step::Expect(expectation) => self.expect(expectation, |condition| condition)?,
            Step::ExpectNot(expectation) => self.expect(expectation, |condition| !condition)?,
            Step::Saw(seen) => self.saw(seen)?,
            Step::Never(seen) => self.never(seen)?,
            Step::Assert(assertion) => self.assert(number, assertion)?,
            Step::TypingSpeed(speed) => self.typing_speed = *speed,
            // Steps that may be added to the language later.
        }
        Ok(())
    }

    /// The visible screen, possibly scrolled up.
    pub(super) fn seen(&self) -> Screen {
        match self.view {
            0 => self.session.screen(),
            _ => self.seen_state().screen,
        }
    }

    /// The screen without secrets, as it is written to files.
    pub(super) fn kept(&self, screen: &Screen) -> Screen {
        self.ready.options.run.secrets.screen(screen)
    }

    fn seen_state(&self) -> State {
        let state = self.session.state(SCROLLBACK);
        State {
            screen: scrolled(&state, self.view),
            ..state
        }
    }

    /// Scrolls down to the current screen before input is sent, as every terminal does.
    fn giving(&mut self) {
        self.look_at(0);
    }

    fn look_at(&mut self, view: usize) {
        if std::mem::replace(&mut self.view, view) != view {
            Annotation::View(view).give(self.session);
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

/// Keys and text.
impl StepRunner<'_> {
    fn type_text(&mut self, text: &str, speed: Option<Duration>) -> Result<(), StepError> {
        let speed = speed.unwrap_or(self.typing_speed);
        for c in text.chars() {
            self.giving();
            if self.shows(KeyboardOverlay::Input) {
                Annotation::Typed(c.to_string()).give(self.session);
            }
            self.pace.input().type_text(c.encode_utf8(&mut [0; 4]))?;
            self.pace.pause(speed)?;
        }
        Ok(())
    }

    fn press(&mut self, press: &Press) -> Result<(), StepError> {
        let speed = press.speed.unwrap_or(self.typing_speed);
        for _ in 0..press.times {
            for chord in &press.chords {
                self.giving();
                if self.shows(KeyboardOverlay::Keys) {
                    Annotation::Key(chord.to_string()).give(self.session);
                }
                self.pace.input().press(*chord)?;
                self.pace.pause(speed)?;
            }
        }
        Ok(())
    }

    fn shows(&self, what: KeyboardOverlay) -> bool {
        let overlay = self.settings().keyboard_overlay;
        overlay == what || overlay == KeyboardOverlay::All
    }

    fn scroll(&mut self, scroll: &Scroll) -> Result<(), StepError> {
        let speed = scroll.speed.unwrap_or(self.typing_speed);
        for _ in 0..scroll.rows {
            let screen = self.session.screen();
            // The alternate screen has no scrollback.
            let most = if screen.modes.alternate_screen {
                0
            } else {
                screen.scrollback_rows.min(SCROLLBACK)
            };
            let view = match scroll.towards {
                Towards::Up => self.view.saturating_add(1).min(most),
                Towards::Down => self.view.saturating_sub(1),
            };
            self.look_at(view);
            self.pace.pause(speed)?;
        }
        Ok(())
    }
}

/// Pictures and files.
impl StepRunner<'_> {
    pub(super) fn hide(&mut self) {
        if !std::mem::replace(&mut self.hidden, true) {
            Annotation::Hide.give(self.session);
        }
    }

    fn show(&mut self) {
        if std::mem::replace(&mut self.hidden, false) {
            Annotation::Show.give(self.session);
        }
    }

    fn screenshot(&mut self, path: &str) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let png = outputs::still(&self.kept(&self.seen()), &self.caption, self.ready)?;
        self.checkpoint(path, &png)
    }

    fn state_file(&mut self, path: &str) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let state = self.ready.options.run.secrets.state(&self.seen_state());
        let json = outputs::state(&state, &self.ready.found.look.theme);
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
            .field("pace", &self.pace)
            .finish()
    }
}
