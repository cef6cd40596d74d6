//! The user's actions in a recording, in order, each with the screen at that moment.

use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::{InputLine, InputLineKind};
use screentest_core::input::decode::{DecodedInput, InputDecoder};
use screentest_core::input::encode_key::KeyPhase;
use screentest_core::input::mouse::{MouseEvent, MouseKind};
use screentest_core::redact::scrub::is_replacement;
use screentest_core::{Action, Chord, Key, Keypad, Modifiers, Screen, Size};

use super::redacted;
use super::wait::EffectArea;

/// An action of the user, or another event after which a tape waits.
#[derive(Debug, Clone)]
pub(super) struct RecordedAction {
    pub(super) kind: EventKind,
    /// The time of the action.
    pub(super) time: Duration,
    /// The screen at that time.
    pub(super) screen: Arc<Screen>,
    /// The time at which this screen appeared.
    pub(super) shown: Duration,
}

/// The kind of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EventKind {
    /// An action.
    Action(Action),
    /// An event of the mouse, with its position. In a tape, separate actions move the mouse there
    /// and use it.
    Mouse(MouseEvent),
    /// Input whose text was not recorded.
    Withheld,
    /// A secret was typed and redacted.
    Redacted,
    /// The end of the recording; the program was still running.
    RecordingEnded,
    /// The end of the recording; the program ended by itself.
    ProgramEnded,
}

impl EventKind {
    fn press(chord: impl Into<Chord>) -> EventKind {
        EventKind::Action(Action::Press(chord.into()))
    }

    /// Returns the pressed key.
    fn pressed(&self) -> Option<Chord> {
        match self {
            EventKind::Action(Action::Press(chord)) => Some(*chord),
            _ => None,
        }
    }

    /// Returns whether the mouse moved with no button pressed.
    pub(super) fn is_hover(&self) -> bool {
        matches!(self, EventKind::Mouse(event) if event.kind == MouseKind::Move(None))
    }

    /// The typed character, if the action types one.
    pub(super) fn text(&self) -> Option<char> {
        let chord = self.pressed()?;
        match (chord.key(), chord.modifiers().is_empty()) {
            (Key::Char(c), true) => Some(c),
            (Key::Space, true) => Some(' '),
            (Key::Keypad(key), true) => key.text(),
            _ => None,
        }
    }

    /// The part of the screen on which the action may have an effect.
    pub(super) fn effect_area(&self) -> EffectArea {
        let Some(chord) = self.pressed() else {
            return EffectArea::Screen;
        };
        if chord == Key::Enter.into() {
            return EffectArea::Answer;
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
            EffectArea::Line
        } else {
            EffectArea::Screen
        }
    }
}

/// Collects the actions.
#[derive(Debug)]
pub(super) struct ActionCollector {
    actions: Vec<RecordedAction>,
    decoder: InputDecoder,
    size: Size,
    secrets: bool,
    closed: bool,
}

impl ActionCollector {
    /// Starts with no actions. `secrets`: secrets were redacted, possibly in typed text too.
    pub(super) fn new(size: Size, secrets: bool) -> ActionCollector {
        ActionCollector {
            actions: Vec::new(),
            decoder: InputDecoder::new(),
            size,
            secrets,
            closed: false,
        }
    }

    /// Adds an input of the program and the screen at that moment.
    pub(super) fn add(&mut self, input: &InputLine, screen: Screen, shown: Duration) {
        let mut action = RecordedAction {
            kind: EventKind::RecordingEnded,
            time: input.t_ms.time(),
            screen: Arc::new(screen),
            shown,
        };
        let kinds = match &input.kind {
            InputLineKind::Reply { .. } => return,
            InputLineKind::Resize { cols, rows } => {
                let size = Size {
                    cols: *cols,
                    rows: *rows,
                };
                if std::mem::replace(&mut self.size, size) == size {
                    return;
                }
                vec![EventKind::Action(Action::Resize(size))]
            }
            InputLineKind::Withheld => vec![EventKind::Withheld],
            InputLineKind::Signal { name } => vec![EventKind::Action(Action::Signal(name.clone()))],
            kind => self.decode(kind.bytes().unwrap_or_default(), &action.screen),
        };
        for kind in kinds {
            let last = self.actions.last().map(|action| &action.kind);
            // Each key of a password is recorded as a withheld input of its own.
            if kind == EventKind::Withheld && last == Some(&EventKind::Withheld) {
                continue;
            }
            action.kind = kind;
            self.actions.push(action.clone());
        }
    }

    /// Records that the session was closed while this screen was shown.
    pub(super) fn closed(&mut self, screen: &Screen, shown: Duration) {
        self.closed = true;
        self.push_end(EventKind::RecordingEnded, screen, shown);
    }

    /// Returns all actions; the last one is the end, with the last screen.
    pub(super) fn finish(
        mut self,
        ended: bool,
        screen: &Screen,
        shown: Duration,
    ) -> Vec<RecordedAction> {
        if !self.closed {
            let end = if ended {
                EventKind::ProgramEnded
            } else {
                EventKind::RecordingEnded
            };
            self.push_end(end, screen, shown);
        }
        if self.secrets {
            redact(&mut self.actions);
        }
        self.actions
    }

    fn push_end(&mut self, end: EventKind, screen: &Screen, shown: Duration) {
        let rest = self.decoder.finish();
        let time = self
            .actions
            .last()
            .map_or(Duration::ZERO, |action| action.time);
        let kinds = rest.into_iter().filter_map(event_kind).chain([end]);
        let screen = Arc::new(screen.clone());
        self.actions.extend(kinds.map(|kind| RecordedAction {
            kind,
            time,
            screen: Arc::clone(&screen),
            shown,
        }));
    }

    fn decode(&mut self, bytes: &[u8], screen: &Screen) -> Vec<EventKind> {
        let mut typed = self.decoder.push(bytes, &screen.modes);
        typed.extend(self.decoder.pause());
        let alone = typed.len() == 1;
        let kinds = typed.into_iter().filter_map(event_kind);
        kinds
            .flat_map(|kind| match kind.pressed() {
                // An Escape followed by more input comes from a script and means the Escape key. A
                // person who holds Alt sends that chord alone.
                Some(chord)
                    if !alone
                        && chord.modifiers().contains(Modifiers::ALT)
                        && matches!(chord.key(), Key::Char(_)) =>
                {
                    let rest = Chord::new(chord.key(), chord.modifiers() - Modifiers::ALT);
                    vec![EventKind::press(Key::Esc), EventKind::press(rest)]
                }
                // A line feed sent by a script means Enter; for a full-screen program it may be
                // another key.
                Some(chord) if chord == Key::Char('j').ctrl() && !screen.modes.alternate_screen => {
                    vec![EventKind::press(Key::Enter)]
                }
                _ => vec![kind],
            })
            .collect()
    }
}

fn event_kind(typed: DecodedInput) -> Option<EventKind> {
    Some(match typed {
        DecodedInput::Key(chord, KeyPhase::Press | KeyPhase::Repeat) => {
            EventKind::press(match (chord.key(), chord.modifiers()) {
                (Key::Keypad(Keypad::Enter), held) => Chord::new(Key::Enter, held),
                _ => chord,
            })
        }
        DecodedInput::Key(_, KeyPhase::Release)
        | DecodedInput::Focus(_)
        | DecodedInput::Answer(_) => return None,
        // The modifiers make no difference to a movement without a button.
        DecodedInput::Mouse(
            event @ MouseEvent {
                kind: MouseKind::Move(None),
                ..
            },
        ) => EventKind::Mouse(MouseEvent {
            modifiers: Modifiers::empty(),
            ..event
        }),
        DecodedInput::Mouse(event) => EventKind::Mouse(event),
        DecodedInput::Paste(text) => EventKind::Action(Action::Paste(text)),
        DecodedInput::Unknown(bytes) => EventKind::Action(Action::Send(bytes)),
        // Variants that may be added to `DecodedInput` later.
        _ => return None,
    })
}

/// Replaces each run of at least `MIN_RUN` cover characters, and each paste with such a run, by one
/// `EventKind::Redacted`.
fn redact(actions: &mut Vec<RecordedAction>) {
    let is_covered = |action: &RecordedAction| action.kind.text().is_some_and(is_replacement);
    let mut result: Vec<RecordedAction> = Vec::with_capacity(actions.len());
    let mut covers: Vec<RecordedAction> = Vec::new();
    let flush = |covers: &mut Vec<RecordedAction>, result: &mut Vec<RecordedAction>| {
        if covers.len() >= redacted::MIN_RUN {
            covers.truncate(1);
            covers[0].kind = EventKind::Redacted;
        }
        result.append(covers);
    };
    for action in actions.drain(..) {
        if is_covered(&action) {
            covers.push(action);
            continue;
        }
        flush(&mut covers, &mut result);
        result.push(match action.kind {
            EventKind::Action(Action::Paste(text)) if redacted::is_redacted(&text) => {
                RecordedAction {
                    kind: EventKind::Redacted,
                    ..action
                }
            }
            kind => RecordedAction { kind, ..action },
        });
    }
    flush(&mut covers, &mut result);
    *actions = result;
}
