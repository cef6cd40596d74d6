//! A test's input: keys, text, mouse events and resizing.

use std::time::Duration;

use screentest_core::action::{Action, Click, ClickTarget};
use screentest_core::input::focus::Focus;
use screentest_core::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use screentest_core::query::truncate;
use screentest_core::{
    Chord, Condition, Key, KeyError, Match, Modifiers, MouseTracking, Position, Screen, Selector,
    Size,
};

use super::{Terminal, TuiError};
use crate::pty::signal::Signal;
use crate::session::input::queue::InputError;
use crate::session::{InputOptions, InputSender, Session, click};

/// How long a program that waits for input may take to enable mouse reporting.
const MOUSE_GRACE: Duration = Duration::from_millis(250);

/// Keys and text, as a terminal would send them in the modes that the program has set.
impl Terminal {
    /// Presses a key, by value or by name: `Key::Enter`, `'x'`, `Key::Up.ctrl()`, `"Ctrl+C"`.
    pub fn press<C: TryInto<Chord>>(&self, chord: C) -> Result<(), TuiError>
    where
        KeyError: From<C::Error>,
    {
        let chord = chord.try_into().map_err(unknown)?;
        self.press_chord(chord)
    }

    pub(super) fn press_chord(&self, chord: Chord) -> Result<(), TuiError> {
        let session = self.session()?;
        Ok(self.input(&session).press(chord)?)
    }

    /// Types a text; see [`Session::type_text`].
    pub fn type_text(&self, text: &str) -> Result<(), TuiError> {
        let session = self.session()?;
        Ok(self.input(&session).type_text(text)?)
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&self, bytes: &[u8]) -> Result<(), TuiError> {
        let session = self.session()?;
        Ok(self.input(&session).send(bytes)?)
    }

    /// Returns a sender with the options of this terminal and its test, limited to the test's time.
    fn input<'a>(&self, session: &'a Session) -> InputSender<'a> {
        let usual = session.input_options();
        let options = InputOptions {
            auto_wait: self.waits.auto_wait.unwrap_or(usual.auto_wait),
            delay: self.waits.delay.unwrap_or(usual.delay),
        };
        // At most half of the test's remaining time: a wait after the input needs time, too.
        let left = self.time_left().map_or(Duration::MAX, |left| left / 2);
        let most = left.min(self.waits.input_timeout.unwrap_or(Duration::MAX));
        let input = session.input_with(options).within(most);
        input.interrupted_by(self.waits.interrupt.clone())
    }

    /// Types a text and presses Enter.
    pub fn send_line(&self, text: &str) -> Result<(), TuiError> {
        if !text.is_empty() {
            self.type_text(text)?;
        }
        self.press(Key::Enter)
    }

    /// Types a text, waits until it is shown, presses Enter, and waits until something changes. So
    /// neither text nor Enter is lost to a program that was not ready. Returns the first screen
    /// after Enter.
    pub fn submit(&self, text: &str) -> Result<Screen, TuiError> {
        let session = self.session()?;
        let typed = Selector::exact(text);
        let before = typed.matches(&session.screen()).len();
        self.type_text(text)?;
        let echoed = Condition::new(
            format!("the typed text {}", truncate::quoted(text)),
            move |screen| {
                let matches = typed.matches(screen);
                // A line editor leaves the cursor after the text; a program that draws its own
                // field may hide the cursor.
                matches.len() > before
                    || matches
                        .iter()
                        .any(|found| found.end() == screen.cursor.position)
            },
        );
        if !text.is_empty() {
            self.wait_for(echoed)
                .map_err(|source| TuiError::NotEchoed {
                    text: truncate::quoted(text),
                    source: Box::new(source),
                })?;
        }
        self.press(Key::Enter)?;
        // Changes before Enter, such as a suggestion, are not a response to it.
        let mark = session.mark_before_input();
        match self.wait_for_frame(mark) {
            Ok(frame) => Ok(frame.screen.clone()),
            Err(source) => Err(TuiError::NothingChanged {
                text: truncate::quoted(text),
                source: Box::new(source),
            }),
        }
    }

    /// Pastes a text; as a bracketed paste if the program enabled that mode.
    pub fn paste(&self, text: &str) -> Result<(), TuiError> {
        let session = self.session()?;
        Ok(self.input(&session).paste(text)?)
    }

    /// Reports that the terminal gained or lost the focus, if the program enabled focus reporting.
    pub fn focus(&self, focus: Focus) -> Result<(), TuiError> {
        Ok(self.session()?.focus(focus)?)
    }
}

/// Converts the error of an unknown key.
pub(super) fn unknown<E>(error: E) -> InputError
where
    KeyError: From<E>,
{
    InputError::Key(KeyError::from(error))
}

/// The mouse. Clicks and movement wait until the program has enabled mouse reporting. Wheel events
/// do not wait for that, because they also reach programs that do not use the mouse.
impl Terminal {
    /// Clicks a text, the match of a selector, or a cell: waits until the text is shown and the
    /// program is ready for input, then clicks the middle of the match with the left button.
    ///
    /// ```no_run
    /// # use screentest::{Position, Selector, Terminal, TuiError};
    /// # fn body(tui: &Terminal) -> Result<(), TuiError> {
    /// tui.click("OK")?;
    /// tui.click(Selector::exact("[ ]").right_of("Notify me"))?;
    /// tui.click(Position { row: 0, col: 3 })?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn click(&self, target: impl Into<ClickTarget>) -> Result<(), TuiError> {
        self.click_with(target, Button::Left, Modifiers::empty())
    }

    /// Like [`Terminal::click`], with a button and modifiers.
    pub fn click_with(
        &self,
        target: impl Into<ClickTarget>,
        button: Button,
        modifiers: Modifiers,
    ) -> Result<(), TuiError> {
        self.perform(&Action::Click(Click {
            target: target.into(),
            button,
            modifiers,
        }))
    }

    /// Like [`Terminal::click`] of a selector, but `cell` chooses the cell of the match.
    pub fn click_match(
        &self,
        selector: impl Into<Selector>,
        cell: impl Fn(&Match) -> Position,
        button: Button,
        modifiers: Modifiers,
    ) -> Result<(), TuiError> {
        let selector = selector.into();
        let session = self.session()?;
        let end = self.wait_end();
        loop {
            // Text from before Enter can be clicked as well.
            let mut waits = self.waits.clone().anytime();
            waits.timeout = Some(end.saturating_sub(self.shared.clock.now()));
            waits.input_timeout = waits.timeout;
            let left = self.with(waits);
            left.expect(&selector)?;
            left.wait_for_mouse(MouseTracking::Clicks)?;
            let ready = left.input(&session).ready()?;
            // Resolved again on the screen on which the program is ready: its output may have moved
            // the match.
            let screen = session.screen();
            match selector.resolve(&screen, self.ambiguity()) {
                Ok(found) => {
                    let events = click(cell(&found), button, modifiers);
                    ready.mouse_events(&events)?;
                    self.moved_mouse(&events);
                    return Ok(());
                }
                // The next wait finds it again, or fails with an explanation.
                Err(_) if self.shared.clock.now() < end => drop(ready),
                Err(error) => {
                    let report = session.report(&Condition::visible(&selector));
                    return Err(TuiError::Select {
                        error,
                        report: Box::new(report),
                    });
                }
            }
        }
    }

    /// Presses the left button on one cell, moves to another, and releases it there.
    pub fn drag(&self, from: Position, to: Position) -> Result<(), TuiError> {
        let button = Button::Left;
        for (kind, position) in [
            (MouseKind::Press(button), from),
            (MouseKind::Move(Some(button)), to),
            (MouseKind::Release(button), to),
        ] {
            self.mouse(MouseEvent {
                kind,
                position,
                modifiers: Modifiers::empty(),
            })?;
        }
        Ok(())
    }

    /// Turns the wheel at a cell by a number of notches.
    pub fn wheel(&self, position: Position, wheel: Wheel, notches: u32) -> Result<(), TuiError> {
        let event = MouseEvent {
            kind: MouseKind::Wheel(wheel),
            position,
            modifiers: Modifiers::empty(),
        };
        (0..notches).try_for_each(|_| self.mouse(event))
    }

    /// Sends one mouse event.
    pub fn mouse(&self, event: MouseEvent) -> Result<(), TuiError> {
        self.mouse_events(&[event])
    }

    /// Sends several mouse events in direct succession.
    pub fn mouse_events(&self, events: &[MouseEvent]) -> Result<(), TuiError> {
        let Some(wanted) = events.iter().map(|event| event.kind.tracking()).max() else {
            return Ok(());
        };
        let session = self.session()?;
        for event in events {
            self.checked(Condition::visible(Selector::at(event.position)))?;
        }
        self.wait_for_mouse(wanted)?;
        self.input(&session).ready()?.mouse_events(events)?;
        self.moved_mouse(events);
        Ok(())
    }

    /// Stores where these events left the mouse.
    fn moved_mouse(&self, events: &[MouseEvent]) {
        let mut running = self.running();
        for event in events {
            running.pointer.follow(event);
        }
    }

    /// Waits until the program has enabled mouse reporting. Gives up if the program waits for input
    /// and has not enabled it within a moment, because it probably never will.
    fn wait_for_mouse(&self, wanted: MouseTracking) -> Result<(), TuiError> {
        let session = self.session()?;
        let has_asked = || session.screen().modes.mouse >= wanted;
        let end = self.wait_end();
        let mut waits = self.waits.clone();
        while !has_asked() {
            let left = end.saturating_sub(self.shared.clock.now());
            waits.timeout = Some(left.min(MOUSE_GRACE));
            let asked = Condition::new("a program that uses the mouse", move |screen| {
                screen.modes.mouse >= wanted
            });
            // The error of the mouse event explains more than the error of this wait.
            let asked = self.with(waits.clone()).wait_for(asked);
            if asked.is_ok() || left <= MOUSE_GRACE || session.wait_until_idle(Duration::ZERO) {
                break;
            }
        }
        Ok(())
    }
}

/// The terminal's size and signals.
impl Terminal {
    /// Resizes the terminal and notifies the program.
    pub fn resize(&self, size: impl Into<Size>) -> Result<(), TuiError> {
        let size = size.into();
        self.session()?.resize(size)?;
        self.running().size = size;
        Ok(())
    }

    /// Sends a signal to the program's process group.
    pub fn signal(&self, signal: Signal) -> Result<(), TuiError> {
        self.session()?.signal(signal).map_err(TuiError::Signal)
    }
}
