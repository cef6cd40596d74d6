//! One step of a tape, done.
//!
//! Each becomes what a person or a test does to a session. A step that looks at the screen first gives the program a moment to
//! finish what it is at; one that gives it something takes the time that the tape says.
//!
//! Elsewhere: pauses (`tape/pace.rs`), assertions (`tape/assertion.rs`), the files of checkpoints (`tape/develop.rs`).

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use screentest_core::input::mouse::{Button, MouseEvent, MouseKind};
use screentest_core::selector::Cover;
use screentest_core::tape::{
    Assertion, Expectation, KeyboardOverlay, Mouse, MouseAction, Pattern, Press, Scope, Scroll,
    Seen, Settings, Step, Towards, Wait,
};
use screentest_core::{
    Chord, Condition, Key, Modifiers, Normaliser, Paint, Position, Screen, SelectError, State,
};

use super::assertion::{self, Untrue};
use super::cue::Cue;
use super::develop::{self, DevelopError};
use super::options::Tempo;
use super::pace::{Given, Pace, Stopped};
use super::script::Ready;
use crate::artifacts::{ArtifactError, Artifacts};
use crate::failure::chain;
use crate::history::Mark;
use crate::outbox::InputError;
use crate::session::{MouseError, ResizeError, Session};
use crate::snapshot::{Baseline, GiveUp, Snapshot, SnapshotError};
use crate::tui::TuiError;
use crate::wait::WaitError;

/// How long a program may take to finish what it is at, before its screen is looked at.
const FINISHING: Duration = Duration::from_millis(50);

/// How long a snapshot is waited for: as long as in a test.
const SNAPSHOT: Duration = Duration::from_secs(5);

/// How long a screen that differs must have been there, with a program that waits for input, before nothing else is hoped for
/// where pauses are not lived through: far longer than one takes that only has to draw.
const HOPELESS: Duration = Duration::from_millis(500);

/// How many rows above the screen can be scrolled to and are kept with a state.
pub(super) const SCROLLBACK: usize = 10_000;

/// What does the steps of one tape.
pub(super) struct Performer<'a> {
    pub(super) ready: &'a Ready,
    pub(super) session: &'a Session,
    pub(super) pace: Pace<'a>,
    /// Where snapshots are; there where a step needs it.
    pub(super) artifacts: Option<&'a Artifacts>,
    pub(super) typing_speed: Duration,
    pub(super) clipboard: String,
    pub(super) marks: Vec<(Option<String>, Mark)>,
    pub(super) masks: Vec<Normaliser>,
    pub(super) mouse: Position,
    pub(super) held: Option<Button>,
    /// How many rows above the screen what is seen begins.
    pub(super) view: usize,
    pub(super) hidden: bool,
    pub(super) caption: String,
    pub(super) checkpoints: Vec<PathBuf>,
    pub(super) snapshots: Vec<PathBuf>,
    pub(super) baselines: Vec<(String, Baseline)>,
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum StepError {
    #[error(transparent)]
    Tui(#[from] TuiError),
    #[error(transparent)]
    Untrue(#[from] Untrue),
    #[error(transparent)]
    Develop(#[from] DevelopError),
    #[error("could not write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the {0} mouse button is {1}")]
    Button(&'static str, &'static str),
    #[error("nobody knows how to do `{0}`")]
    Unknown(String),
    #[error("the run was ended")]
    Stopped,
}

impl From<Stopped> for StepError {
    fn from(_: Stopped) -> StepError {
        StepError::Stopped
    }
}

/// What is an error of a test is one here.
macro_rules! from {
    ($($error:ty),*) => {$(
        impl From<$error> for StepError {
            fn from(error: $error) -> StepError {
                StepError::Tui(error.into())
            }
        }
    )*};
}
from!(
    WaitError,
    InputError,
    MouseError,
    ResizeError,
    ArtifactError
);

impl StepError {
    /// What went wrong, in a line with its causes.
    pub(super) fn message(&self) -> String {
        chain(self)
    }

    /// What explains it.
    pub(super) fn details(&self, session: &Session, ready: &Ready) -> String {
        match self {
            StepError::Tui(error) => {
                let told = match self.hint(ready) {
                    Some(hint) => error.told_hinting(Paint::Plain, Some(hint)),
                    None => error.told(Paint::Plain),
                };
                let first = told.lines().next().unwrap_or_default();
                let rest = told.strip_prefix(first).unwrap_or_default();
                let rest = rest.trim_start_matches('\n').to_owned();
                match error.shows_screen() {
                    true => rest,
                    false => format!("{rest}\n{}", session.report_now()),
                }
            }
            StepError::Untrue(untrue) => {
                format!("{}{}", untrue.details(), session.report_now())
            }
            _ => session.report_now().to_string(),
        }
        .trim_start_matches('\n')
        .to_owned()
    }

    /// What to do about it, where a test would do something else.
    fn hint(&self, ready: &Ready) -> Option<String> {
        let StepError::Tui(TuiError::Snapshot(error)) = self else {
            return None;
        };
        let tape = ready.command_word();
        Some(match error {
            SnapshotError::Mismatch(_) => format!(
                "`screentest run -u {tape}` takes every screen that differs; `screentest review` shows each and asks"
            ),
            SnapshotError::NoBaseline { .. } => {
                format!("`screentest run -u {tape}` writes it, to be looked at and committed")
            }
            SnapshotError::Artifact(ArtifactError::Read { .. } | ArtifactError::Meta { .. }) => {
                format!("`screentest run -u=all {tape}` writes it anew")
            }
            _ => return None,
        })
    }

    /// Whether somebody ended the run.
    pub(super) fn is_stop(&self) -> bool {
        match self {
            StepError::Stopped => true,
            StepError::Tui(
                TuiError::Wait { error, .. } | TuiError::Snapshot(SnapshotError::Wait(error)),
            ) => matches!(error, WaitError::Interrupted { .. }),
            _ => false,
        }
    }
}

impl Performer<'_> {
    fn settings(&self) -> &Settings {
        &self.ready.plan.settings
    }

    /// Does a step, the one of this number.
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
                let patience = self.pace.patience(timeout);
                self.session.wait_stable(stable.quiet, patience)?;
                self.pace.waited();
            }
            Step::Hide => self.hide(),
            Step::Show => self.show(),
            Step::Copy(text) => self.clipboard.clone_from(text),
            Step::Paste => {
                self.giving(Given::Other);
                let text = self.clipboard.clone();
                self.session.paste(&text)?;
            }
            Step::Caption(text) => {
                self.caption.clone_from(text);
                Cue::Caption(text.clone()).give(self.session);
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
            // The language may grow before this does.
            other => return Err(StepError::Unknown(format!("{other:?}"))),
        }
        Ok(())
    }

    /// What is seen: the screen, or what is above it.
    pub(super) fn seen(&self) -> Screen {
        match self.view {
            0 => self.session.screen(),
            _ => self.seen_state().screen,
        }
    }

    /// The same as it is kept, without secrets.
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

    /// Something is about to be given to the program: what is seen is its screen again, as in any terminal.
    fn giving(&mut self, given: Given) {
        self.look_at(0);
        self.pace.giving(given);
    }

    fn look_at(&mut self, view: usize) {
        if std::mem::replace(&mut self.view, view) != view {
            Cue::View(view).give(self.session);
        }
    }
}

/// What is seen of a state from so many rows above its screen on.
pub(super) fn scrolled(state: &State, view: usize) -> Screen {
    let view = view.min(state.scrollback.len());
    let mut screen = state.screen.clone();
    if view > 0 {
        let above = state.scrollback.iter().rev().take(view).rev();
        let rows = above.chain(&state.screen.rows).cloned();
        screen.rows = rows.take(state.screen.rows.len()).collect();
        // It stands in the part that is not seen, or further down than it did.
        screen.cursor.position.row += view;
        screen.cursor.visible &= screen.cursor.position.row < screen.rows.len();
        screen.cursor.position.row = screen.cursor.position.row.min(screen.rows.len() - 1);
    }
    screen
}

/// Keys and text.
impl Performer<'_> {
    fn type_text(&mut self, text: &str, speed: Option<Duration>) -> Result<(), StepError> {
        let speed = speed.unwrap_or(self.typing_speed);
        for c in text.chars() {
            self.giving(match c {
                '\x1b' => Given::Escape,
                _ => Given::Other,
            });
            if self.shows(KeyboardOverlay::Input) {
                Cue::Typed(c.to_string()).give(self.session);
            }
            self.session.type_text(c.encode_utf8(&mut [0; 4]))?;
            self.pace.pause(speed)?;
        }
        Ok(())
    }

    fn press(&mut self, press: &Press) -> Result<(), StepError> {
        let speed = press.speed.unwrap_or(self.typing_speed);
        for _ in 0..press.times {
            for chord in &press.chords {
                self.giving(match *chord == Chord::from(Key::Esc) {
                    true => Given::Escape,
                    false => Given::Other,
                });
                if self.shows(KeyboardOverlay::Keys) {
                    Cue::Key(chord.to_string()).give(self.session);
                }
                self.session.press(*chord)?;
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
            // The other screen has nothing above it.
            let most = match screen.modes.alternate_screen {
                true => 0,
                false => screen.scrollback_rows.min(SCROLLBACK),
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

/// The mouse.
impl Performer<'_> {
    fn do_mouse(&mut self, mouse: Mouse) -> Result<(), StepError> {
        let kinds: Vec<MouseKind> = match mouse.action {
            MouseAction::Move(position) => {
                let visible = Condition::visible(screentest_core::Selector::at(position));
                self.inside(&visible)?;
                self.mouse = position;
                vec![MouseKind::Move(self.held)]
            }
            MouseAction::Down(button) => {
                if self.held.replace(button).is_some() {
                    return Err(StepError::Button(
                        named(button),
                        "down already, or another is",
                    ));
                }
                vec![MouseKind::Press(button)]
            }
            MouseAction::Up(button) => {
                if self.held.take() != Some(button) {
                    return Err(StepError::Button(named(button), "not down"));
                }
                vec![MouseKind::Release(button)]
            }
            MouseAction::Scroll(wheel, notches) => {
                vec![MouseKind::Wheel(wheel); notches.into()]
            }
        };
        for kind in kinds {
            self.mouse_event(kind, mouse.modifiers)?;
        }
        Ok(())
    }

    fn mouse_event(&mut self, kind: MouseKind, modifiers: Modifiers) -> Result<(), StepError> {
        let wanted = kind.tracking();
        // A program that has not asked for it yet is given a moment to do so.
        if self.session.screen().modes.mouse < wanted {
            self.pace.settle(FINISHING)?;
        }
        // Nobody hears of a mouse that only moves, where no program asked for it: it still is where it went.
        if matches!(kind, MouseKind::Move(_)) && self.session.screen().modes.mouse < wanted {
            return Ok(());
        }
        self.giving(Given::Other);
        self.session.mouse(MouseEvent {
            kind,
            position: self.mouse,
            modifiers,
        })?;
        Ok(())
    }
}

fn named(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

/// Waits and questions.
impl Performer<'_> {
    fn wait(&mut self, wait: &Wait) -> Result<(), StepError> {
        let timeout = wait.timeout.unwrap_or(self.settings().wait_timeout);
        let pattern = match &wait.pattern {
            Some(pattern) => pattern.clone(),
            None => Pattern::Regex(self.settings().wait_pattern.clone()),
        };
        self.session
            .wait_for(said(wait.scope, pattern), self.pace.patience(timeout))?;
        self.pace.waited();
        Ok(())
    }

    fn expect(
        &mut self,
        expectation: &Expectation,
        asked: impl FnOnce(Condition) -> Condition,
    ) -> Result<(), StepError> {
        let timeout = expectation.timeout.unwrap_or(self.settings().wait_timeout);
        let condition = asked(Condition::visible(expectation.selector.clone()));
        self.inside(&condition)?;
        self.session
            .wait_for(condition, self.pace.patience(timeout))?;
        self.pace.waited();
        Ok(())
    }

    /// What names a place outside of the screen could never be found, and its absence says nothing.
    fn inside(&self, condition: &Condition) -> Result<(), StepError> {
        let outside = |error: SelectError| TuiError::Select {
            error,
            report: Box::new(self.session.report_now()),
        };
        let size = self.session.screen().size;
        Ok(condition.check(size).map_err(outside)?)
    }

    fn since(&self, name: Option<&String>) -> Mark {
        let mut marks = self.marks.iter().rev();
        let mark = match name {
            None => marks.next(),
            Some(name) => marks.find(|(known, _)| known.as_ref() == Some(name)),
        };
        mark.map_or(Mark::START, |(_, mark)| *mark)
    }

    fn saw(&mut self, seen: &Seen) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let condition = Condition::visible(seen.selector.clone());
        self.inside(&condition)?;
        let found = self
            .session
            .saw(&condition, self.since(seen.since.as_ref()));
        match found.map_err(TuiError::from)? {
            Some(_) => Ok(()),
            None => Err(StepError::Tui(TuiError::NotSeen {
                report: Box::new(self.session.report(&condition)),
                condition: condition.to_string(),
            })),
        }
    }

    fn never(&mut self, seen: &Seen) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let condition = Condition::visible(seen.selector.clone());
        self.inside(&condition)?;
        let found = self
            .session
            .saw(&condition, self.since(seen.since.as_ref()));
        match found.map_err(TuiError::from)? {
            None => Ok(()),
            Some(frame) => Err(StepError::Tui(TuiError::Seen {
                condition: condition.to_string(),
                after: self.session.since_start(&frame),
                report: Box::new(self.session.report_now()),
                frame,
            })),
        }
    }

    fn assert(&mut self, number: usize, asked: &Assertion) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let screen = self.seen();
        match asked {
            Assertion::Text(text) => assertion::text(&screen, text)?,
            Assertion::Absent { text, lasting } => {
                assertion::absent(&screen, text)?;
                if !lasting.is_zero() {
                    self.stays_away(text, *lasting)?;
                }
            }
            Assertion::Cells { at, cells } => assertion::cells(&screen, *at, cells)?,
            Assertion::Style { at, width, style } => {
                let theme = &self.ready.found.look.theme;
                assertion::style(&screen, theme, *at, *width, style)?;
            }
            Assertion::State(path) => {
                let expected = &self.ready.found.states[&number];
                let state = self.seen_state();
                assertion::state(&state, &self.ready.found.look.theme, path, expected)?;
            }
        }
        Ok(())
    }

    fn stays_away(&mut self, text: &str, lasting: Duration) -> Result<(), StepError> {
        let patience = self.pace.patience(lasting);
        let shown = self.session.wait_for(Condition::text(text), patience);
        self.pace.waited();
        match shown {
            Ok(screen) => Ok(assertion::absent(&screen, text)?),
            // A program that has ended shows nothing new.
            Err(WaitError::TimedOut { .. } | WaitError::Ended { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn snapshot(&mut self, name: &str) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let Some(artifacts) = self.artifacts else {
            return Ok(());
        };
        let options = &self.ready.options.run;
        let mut masks = options.normalisers.clone();
        masks.extend(self.masks.iter().cloned());
        if !options.secrets.is_empty() {
            masks.push(options.secrets.normaliser());
        }
        let snapshot = Snapshot::new(artifacts, &masks, name).map_err(TuiError::from)?;
        let patience = self
            .pace
            .patience(SNAPSHOT.min(self.settings().wait_timeout));
        let give_up = match self.ready.options.tempo {
            Tempo::Lived => GiveUp::InTime,
            Tempo::Fast => GiveUp::AtRest(HOPELESS),
        };
        let fine = snapshot.expect(self.session, options.update_snapshots, &patience, give_up);
        let fine = fine.map_err(TuiError::from)?;
        self.snapshots.push(fine.capture);
        if fine.baseline != Baseline::Kept {
            self.baselines.push((name.to_owned(), fine.baseline));
        }
        self.pace.waited();
        Ok(())
    }
}

/// What goes into pictures and files.
impl Performer<'_> {
    pub(super) fn hide(&mut self) {
        if !std::mem::replace(&mut self.hidden, true) {
            Cue::Hide.give(self.session);
        }
    }

    fn show(&mut self) {
        if std::mem::replace(&mut self.hidden, false) {
            Cue::Show.give(self.session);
        }
    }

    fn screenshot(&mut self, path: &str) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let png = develop::still(&self.kept(&self.seen()), &self.caption, self.ready)?;
        self.checkpoint(path, &png)
    }

    fn state_file(&mut self, path: &str) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let state = self.ready.options.run.secrets.state(&self.seen_state());
        let json = develop::state(&state, &self.ready.found.look.theme);
        self.checkpoint(path, json.as_bytes())
    }

    fn checkpoint(&mut self, path: &str, bytes: &[u8]) -> Result<(), StepError> {
        let path = Path::new(path);
        let written = super::place::write(path, bytes);
        written.map_err(|source| StepError::Write {
            path: path.to_owned(),
            source,
        })?;
        self.checkpoints.push(path.to_owned());
        Ok(())
    }
}

/// The question of a wait.
fn said(scope: Scope, pattern: Pattern) -> Condition {
    match (scope, pattern) {
        // This one knows what came close.
        (Scope::Screen, Pattern::Text(text)) => Condition::text(text),
        (Scope::Screen, pattern) => {
            let what = format!("a screen with {pattern}");
            Condition::new(what, move |screen| pattern.is_in(&rows(screen)))
        }
        (Scope::Line, pattern) => {
            let what = format!("a cursor's row with {pattern}");
            Condition::new(what, move |screen| {
                let row = screen.row(screen.cursor.position.row);
                row.is_some_and(|row| pattern.is_in(row.text()))
            })
        }
    }
}

/// The text of every row, each with a line end.
fn rows(screen: &Screen) -> String {
    let rows = screen.rows.iter();
    rows.flat_map(|row| [row.text(), "\n"]).collect()
}

/// Without the session, which says too much.
impl fmt::Debug for Performer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Performer")
            .field("pace", &self.pace)
            .finish()
    }
}
