//! The user's actions in a recording, in order, each with the screen at that moment.

use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::{InputKind, InputLine};
use screentest_core::input::decode::{DecodedInput, InputDecoder};
use screentest_core::input::encode_key::KeyPhase;
use screentest_core::input::mouse::{MouseEvent, MouseKind};
use screentest_core::redact::scrub::is_replacement;
use screentest_core::{Chord, Key, Keypad, Modifiers, Position, Screen, Size};

use super::redacted;
use super::wait::Reach;

/// An action.
#[derive(Debug, Clone)]
pub(super) struct Action {
    pub(super) what: What,
    /// The time of the action.
    pub(super) time: Duration,
    /// The screen at that time.
    pub(super) screen: Arc<Screen>,
    /// The time at which this screen appeared.
    pub(super) shown: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Press(Chord),
    Paste(String),
    Mouse(MouseEvent),
    /// The mouse moved with no button pressed.
    Hover(Position),
    Resize(Size),
    /// Input whose text was not recorded.
    Withheld,
    /// A secret was typed and redacted.
    Covered,
    Signal(String),
    Unknown(Vec<u8>),
    /// The end of the recording; the program was still running.
    End,
    /// The end of the recording; the program ended by itself.
    Ended,
}

impl What {
    /// The typed character, if the action types one.
    pub(super) fn text(&self) -> Option<char> {
        let What::Press(chord) = self else {
            return None;
        };
        match (chord.key(), chord.modifiers().is_empty()) {
            (Key::Char(c), true) => Some(c),
            (Key::Space, true) => Some(' '),
            (Key::Keypad(key), true) => key.text(),
            _ => None,
        }
    }

    /// The part of the screen on which the action may have an effect.
    pub(super) fn reach(&self) -> Reach {
        let What::Press(chord) = self else {
            return Reach::Screen;
        };
        if *chord == Key::Enter.into() {
            return Reach::Answer;
        }
        let within_line = match (chord.key(), chord.modifiers()) {
            (Key::Backspace | Key::Delete | Key::Left | Key::Right | Key::Home | Key::End, _) => {
                true
            }
            (Key::Char(c), Modifiers::CTRL) => "abefhktuwy".contains(c),
            (Key::Char(_), Modifiers::ALT) => true,
            _ => self.text().is_some(),
        };
        if within_line {
            Reach::Line
        } else {
            Reach::Screen
        }
    }
}

/// Collects the actions.
#[derive(Debug)]
pub(super) struct Actions {
    actions: Vec<Action>,
    decoder: InputDecoder,
    size: Size,
    secrets: bool,
    closed: bool,
}

impl Actions {
    /// Starts with no actions. `secrets`: secrets were redacted, possibly in typed text too.
    pub(super) fn new(size: Size, secrets: bool) -> Actions {
        Actions {
            actions: Vec::new(),
            decoder: InputDecoder::new(),
            size,
            secrets,
            closed: false,
        }
    }

    /// Adds an input of the program and the screen at that moment.
    pub(super) fn add(&mut self, input: &InputLine, screen: Screen, shown: Duration) {
        let mut action = Action {
            what: What::End,
            time: input.t_ms.time(),
            screen: Arc::new(screen),
            shown,
        };
        let whats = match &input.kind {
            InputKind::Reply { .. } => return,
            InputKind::Resize { cols, rows } => {
                let size = Size {
                    cols: *cols,
                    rows: *rows,
                };
                if std::mem::replace(&mut self.size, size) == size {
                    return;
                }
                vec![What::Resize(size)]
            }
            InputKind::Withheld => vec![What::Withheld],
            InputKind::Signal { name } => vec![What::Signal(name.clone())],
            kind => self.typed(kind.bytes().unwrap_or_default(), &action.screen),
        };
        for what in whats {
            let last = self.actions.last().map(|action| &action.what);
            // Each key of a password is recorded as a withheld input of its own.
            if what == What::Withheld && last == Some(&What::Withheld) {
                continue;
            }
            action.what = what;
            self.actions.push(action.clone());
        }
    }

    /// Records that the session was closed while this screen was shown.
    pub(super) fn closed(&mut self, screen: &Screen, shown: Duration) {
        self.closed = true;
        self.push_end(What::End, screen, shown);
    }

    /// Returns all actions; the last one is the end, with the last screen.
    pub(super) fn finish(mut self, ended: bool, screen: &Screen, shown: Duration) -> Vec<Action> {
        if !self.closed {
            let end = if ended { What::Ended } else { What::End };
            self.push_end(end, screen, shown);
        }
        if self.secrets {
            cover(&mut self.actions);
        }
        self.actions
    }

    fn push_end(&mut self, end: What, screen: &Screen, shown: Duration) {
        let rest = self.decoder.finish();
        let time = self
            .actions
            .last()
            .map_or(Duration::ZERO, |action| action.time);
        let whats = rest.into_iter().filter_map(what).chain([end]);
        let screen = Arc::new(screen.clone());
        self.actions.extend(whats.map(|what| Action {
            what,
            time,
            screen: Arc::clone(&screen),
            shown,
        }));
    }

    fn typed(&mut self, bytes: &[u8], screen: &Screen) -> Vec<What> {
        let mut typed = self.decoder.push(bytes, &screen.modes);
        typed.extend(self.decoder.pause());
        let alone = typed.len() == 1;
        let whats = typed.into_iter().filter_map(what);
        whats
            .flat_map(|what| match what {
                // An Escape followed by more input comes from a script and means the Escape key. A
                // person who holds Alt sends that chord alone.
                What::Press(chord)
                    if !alone
                        && chord.modifiers().contains(Modifiers::ALT)
                        && matches!(chord.key(), Key::Char(_)) =>
                {
                    let rest = Chord::new(chord.key(), chord.modifiers() - Modifiers::ALT);
                    vec![What::Press(Key::Esc.into()), What::Press(rest)]
                }
                // A line feed sent by a script means Enter; for a full-screen program it may be
                // another key.
                What::Press(chord)
                    if chord == Key::Char('j').ctrl() && !screen.modes.alternate_screen =>
                {
                    vec![What::Press(Key::Enter.into())]
                }
                what => vec![what],
            })
            .collect()
    }
}

fn what(typed: DecodedInput) -> Option<What> {
    Some(match typed {
        DecodedInput::Key(chord, KeyPhase::Press | KeyPhase::Repeat) => {
            What::Press(match (chord.key(), chord.modifiers()) {
                (Key::Keypad(Keypad::Enter), held) => Chord::new(Key::Enter, held),
                _ => chord,
            })
        }
        DecodedInput::Key(_, KeyPhase::Release)
        | DecodedInput::Focus(_)
        | DecodedInput::Answer(_) => return None,
        DecodedInput::Mouse(MouseEvent {
            kind: MouseKind::Move(None),
            position,
            ..
        }) => What::Hover(position),
        DecodedInput::Mouse(event) => What::Mouse(event),
        DecodedInput::Paste(text) => What::Paste(text),
        DecodedInput::Unknown(bytes) => What::Unknown(bytes),
        // Variants that may be added to `Typed` later.
        _ => return None,
    })
}

/// Replaces each run of cover characters by one `What::Covered`.
fn cover(actions: &mut Vec<Action>) {
    let covers = |action: &Action| action.what.text().is_some_and(is_replacement);
    let mut kept: Vec<Action> = Vec::with_capacity(actions.len());
    let mut signs: Vec<Action> = Vec::new();
    let settle = |signs: &mut Vec<Action>, kept: &mut Vec<Action>| {
        if signs.len() >= redacted::FEWEST {
            signs.truncate(1);
            signs[0].what = What::Covered;
        }
        kept.append(signs);
    };
    for action in actions.drain(..) {
        if covers(&action) {
            signs.push(action);
            continue;
        }
        settle(&mut signs, &mut kept);
        kept.push(match action.what {
            What::Paste(text) if redacted::is_covered(&text) => Action {
                what: What::Covered,
                ..action
            },
            what => Action { what, ..action },
        });
    }
    settle(&mut signs, &mut kept);
    *actions = kept;
}
