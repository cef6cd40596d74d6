//! Cutting bytes into sequences.
//!
//! `vte` does it; what it keeps to itself, and the bounds that it lacks, are added here. Strings that it skips without a word
//! (APC, PM, SOS) are taken from it, as pictures come in them.

use alacritty_terminal::vte;

use super::images::{Incoming, StringKind};
use super::machine::Machine;

const ESC: u8 = 0x1b;

/// The bought parser, with the two things it keeps to itself: whether it is between sequences, and how much of one it
/// holds.
pub(super) struct Parser {
    inner: vte::Parser,
    ground: bool,
    pub(super) held: usize,
    /// Inside a string that grew too long: its bytes are dropped up to its end.
    dropping: bool,
    place: Place,
    /// How an operating system command began, and how much of it has come.
    head: Vec<u8>,
    osc: u64,
}

/// Where the bought parser stands, as far as it can be told from outside: an escape leads to the same place from anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Behind an escape.
    Escape,
    /// Inside a string that it skips.
    Skipped,
    /// Inside an operating system command.
    Osc,
    Elsewhere,
}

impl Parser {
    /// How long a sequence may grow. The parser keeps all of an OSC in memory; a megabyte is a large clipboard, and
    /// far beyond any title or link.
    pub(super) const LONGEST: usize = 1 << 20;

    pub(super) fn new() -> Parser {
        Parser {
            inner: vte::Parser::new(),
            ground: true,
            held: 0,
            dropping: false,
            place: Place::Elsewhere,
            head: Vec::new(),
            osc: 0,
        }
    }

    /// Whether the next byte begins text or a sequence. False also where that cannot be known from outside, such as
    /// after a sequence that the parser dropped: it then reads on by itself, text included, until one is complete.
    pub(super) fn in_ground(&self) -> bool {
        self.ground
    }

    /// Whether it is inside a string that grew too long.
    pub(super) fn is_dropping(&self) -> bool {
        self.dropping
    }

    /// Reads up to the end of a sequence and returns what is left.
    pub(super) fn advance<'a>(&mut self, machine: &mut Machine, bytes: &'a [u8]) -> &'a [u8] {
        if self.dropping {
            return self.drop_string(machine, bytes);
        }
        machine.sequence_done = false;
        // No further than the bound, so that where a read ends makes no difference to what is too long.
        let most = bytes.len().min(Parser::LONGEST + 1 - self.held);
        let mut taken = self.skip_string(machine, &bytes[..most]);
        if taken < most {
            taken += self.parse(machine, &bytes[taken..most]);
        }
        // In text that the parser reads by itself, CAN or SUB also reports an end, but the parser reads on to the end of
        // that text: it may have taken an escape, or hold the start of a character.
        let last = bytes[..taken].last().copied().unwrap_or(ESC);
        self.ground = machine.sequence_done && last != ESC && last.is_ascii();
        self.held = if machine.sequence_done {
            0
        } else {
            self.held + taken
        };
        if self.held > Parser::LONGEST {
            let is_image = match (self.place, &machine.incoming) {
                (Place::Osc, _) => machine.begin_long_osc(&self.head, self.osc),
                (_, incoming) => incoming.is_some(),
            };
            if !is_image {
                machine.unknown("a sequence longer than 1 MiB".to_owned());
            }
            *self = Parser {
                ground: false,
                dropping: true,
                ..Parser::new()
            };
        }
        &bytes[taken..]
    }

    /// Takes what the bought parser would skip, up to what ends it. Returns how much that is.
    fn skip_string(&mut self, machine: &mut Machine, bytes: &[u8]) -> usize {
        if self.place != Place::Skipped {
            return 0;
        }
        let end = memchr::memchr3(0x18, 0x1a, ESC, bytes);
        let taken = end.unwrap_or(bytes.len());
        machine.put_string(&bytes[..taken]);
        if end.is_some() {
            self.place = Place::Elsewhere;
            machine.end_string();
        }
        taken
    }

    /// Lets the bought parser read, no further than the next escape or the beginning of what it would skip. Returns how
    /// much it took.
    fn parse(&mut self, machine: &mut Machine, bytes: &[u8]) -> usize {
        let mut at = usize::from(bytes.first() == Some(&ESC));
        let mut end = memchr::memchr(ESC, &bytes[at..]).map_or(bytes.len(), |next| at + next);
        if at == 1 {
            self.place = Place::Escape;
        }
        let mut skipped = None;
        if self.place == Place::Escape {
            // Controls are obeyed behind an escape, and what is beyond ASCII means nothing there: it is still behind it.
            let waits = |byte: &&u8| !matches!(byte, 0x18 | 0x1a | 0x20..=0x7e);
            at += bytes[at..end].iter().take_while(waits).count();
            self.place = match bytes[at..end].first() {
                None => Place::Escape,
                Some(b']') => {
                    self.head.clear();
                    self.osc = 0;
                    Place::Osc
                }
                Some(byte) => {
                    skipped = match byte {
                        b'_' => Some(StringKind::Apc),
                        b'^' => Some(StringKind::Pm),
                        b'X' => Some(StringKind::Sos),
                        _ => None,
                    };
                    Place::Elsewhere
                }
            };
            at = (at + 1).min(end);
            if skipped.is_some() {
                end = at;
            }
        }
        let taken = self.inner.advance_until_terminated(machine, &bytes[..end]);
        if self.place == Place::Osc {
            let string = &bytes[at.min(taken)..taken];
            let room = Incoming::HEAD - self.head.len();
            self.head
                .extend_from_slice(&string[..room.min(string.len())]);
            self.osc += string.len() as u64;
        }
        // It may have stopped before, with the rest of a character that came first.
        if let Some(kind) = skipped.filter(|_| taken == end) {
            self.place = Place::Skipped;
            machine.begin_string(kind);
        }
        taken
    }

    /// Skips to the end of a string: BEL, CAN, SUB, or an escape, which may also begin something new.
    fn drop_string<'a>(&mut self, machine: &mut Machine, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes
            .iter()
            .position(|b| matches!(b, 0x07 | 0x18 | 0x1a | 0x1b));
        machine.skip_string(end.unwrap_or(bytes.len()) as u64);
        match end {
            None => &[],
            Some(end) => {
                machine.end_string();
                self.dropping = false;
                self.ground = true;
                &bytes[end + usize::from(bytes[end] != ESC)..]
            }
        }
    }
}

impl std::fmt::Debug for Parser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parser")
            .field("ground", &self.ground)
            .field("held", &self.held)
            .finish_non_exhaustive()
    }
}
