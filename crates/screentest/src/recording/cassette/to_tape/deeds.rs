//! What somebody did in a recording, one thing after the other, each with what was shown when it was done.

use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::{InputKind, InputLine};
use screentest_core::input::decode::{Decoder, Typed};
use screentest_core::input::encode_key::Phase;
use screentest_core::input::mouse::{MouseEvent, MouseKind};
use screentest_core::redact::scrub::is_cover;
use screentest_core::{Chord, Key, Keypad, Modifiers, Position, Screen, Size};

use super::covered;
use super::wait::Reach;

/// Something that was done.
#[derive(Debug, Clone)]
pub(super) struct Deed {
    pub(super) what: What,
    /// When.
    pub(super) time: Duration,
    /// What was shown then.
    pub(super) screen: Arc<Screen>,
    /// Since when.
    pub(super) shown: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Press(Chord),
    Paste(String),
    Mouse(MouseEvent),
    /// The mouse came by with no button down.
    Hover(Position),
    Resize(Size),
    /// Something was typed that was not kept.
    Withheld,
    /// A secret was typed, and is covered.
    Covered,
    Signal(String),
    Unknown(Vec<u8>),
    /// Nothing more was done.
    End,
    /// Nothing more was done, and the program ended by itself.
    Ended,
}

impl What {
    /// The character that was typed, if it was one.
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

    /// How far what comes of it may be expected to reach.
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
        match within_line {
            true => Reach::Line,
            false => Reach::Screen,
        }
    }
}

/// Gathers what was done.
#[derive(Debug)]
pub(super) struct Deeds {
    deeds: Vec<Deed>,
    decoder: Decoder,
    size: Size,
    secrets: bool,
    closed: bool,
}

impl Deeds {
    /// Nothing yet, in a terminal of this size; where secrets were covered, some of what was typed may be covered too.
    pub(super) fn new(size: Size, secrets: bool) -> Deeds {
        Deeds {
            deeds: Vec::new(),
            decoder: Decoder::new(),
            size,
            secrets,
            closed: false,
        }
    }

    /// Something was given to the program while this was shown.
    pub(super) fn add(&mut self, input: &InputLine, screen: Screen, shown: Duration) {
        let mut deed = Deed {
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
            kind => self.typed(kind.bytes().unwrap_or_default(), &deed.screen),
        };
        for what in whats {
            let last = self.deeds.last().map(|deed| &deed.what);
            // A password is withheld key by key.
            if what == What::Withheld && last == Some(&What::Withheld) {
                continue;
            }
            deed.what = what;
            self.deeds.push(deed.clone());
        }
    }

    /// The session was closed while this was shown.
    pub(super) fn closed(&mut self, screen: &Screen, shown: Duration) {
        self.closed = true;
        self.push_end(What::End, screen, shown);
    }

    /// All of it, with what was shown last.
    pub(super) fn finish(mut self, ended: bool, screen: &Screen, shown: Duration) -> Vec<Deed> {
        if !self.closed {
            let end = match ended {
                true => What::Ended,
                false => What::End,
            };
            self.push_end(end, screen, shown);
        }
        if self.secrets {
            cover(&mut self.deeds);
        }
        self.deeds
    }

    fn push_end(&mut self, end: What, screen: &Screen, shown: Duration) {
        let rest = self.decoder.finish();
        let time = self.deeds.last().map_or(Duration::ZERO, |deed| deed.time);
        let whats = rest.into_iter().filter_map(what).chain([end]);
        let screen = Arc::new(screen.clone());
        self.deeds.extend(whats.map(|what| Deed {
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
                // A script that goes on behind an Escape means the key; a person who holds Alt does so alone.
                What::Press(chord)
                    if !alone
                        && chord.modifiers().contains(Modifiers::ALT)
                        && matches!(chord.key(), Key::Char(_)) =>
                {
                    let rest = Chord::new(chord.key(), chord.modifiers() - Modifiers::ALT);
                    vec![What::Press(Key::Esc.into()), What::Press(rest)]
                }
                // A line end of a script is Enter, but to a program that fills the screen it may be another key.
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

fn what(typed: Typed) -> Option<What> {
    Some(match typed {
        Typed::Key(chord, Phase::Press | Phase::Repeat) => {
            What::Press(match (chord.key(), chord.modifiers()) {
                (Key::Keypad(Keypad::Enter), held) => Chord::new(Key::Enter, held),
                _ => chord,
            })
        }
        Typed::Key(_, Phase::Release) | Typed::Focus(_) | Typed::Answer(_) => return None,
        Typed::Mouse(MouseEvent {
            kind: MouseKind::Move(None),
            position,
            ..
        }) => What::Hover(position),
        Typed::Mouse(event) => What::Mouse(event),
        Typed::Paste(text) => What::Paste(text),
        Typed::Unknown(bytes) => What::Unknown(bytes),
        // What nobody thought of here yet.
        _ => return None,
    })
}

/// Makes one thing of the signs that stand for a secret.
fn cover(deeds: &mut Vec<Deed>) {
    let covers = |deed: &Deed| deed.what.text().is_some_and(is_cover);
    let mut kept: Vec<Deed> = Vec::with_capacity(deeds.len());
    let mut signs: Vec<Deed> = Vec::new();
    let settle = |signs: &mut Vec<Deed>, kept: &mut Vec<Deed>| {
        if signs.len() >= covered::FEWEST {
            signs.truncate(1);
            signs[0].what = What::Covered;
        }
        kept.append(signs);
    };
    for deed in deeds.drain(..) {
        if covers(&deed) {
            signs.push(deed);
            continue;
        }
        settle(&mut signs, &mut kept);
        kept.push(match deed.what {
            What::Paste(text) if covered::is_covered(&text) => Deed {
                what: What::Covered,
                ..deed
            },
            what => Deed { what, ..deed },
        });
    }
    settle(&mut signs, &mut kept);
    *deeds = kept;
}
