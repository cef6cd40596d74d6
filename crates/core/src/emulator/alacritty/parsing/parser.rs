//! Splits a byte stream into sequences.
//!
//! `vte` does the parsing. This file adds the state that `vte` does not expose, and limits that it
//! lacks. Strings that `vte` skips (APC, PM, SOS) are read here, since they may carry images.

use alacritty_terminal::vte;

use super::super::sequences::images::{StringInProgress, StringKind};
use super::super::terminal::Terminal;

const ESC: u8 = 0x1b;

/// The wrapped parser, with two values that it does not expose: whether it is between sequences,
/// and how many bytes of a sequence it has consumed.
pub(crate) struct Parser {
    inner: vte::Parser,
    ground: bool,
    pub(crate) held: usize,
    /// Whether it is inside a string that grew too long and is dropped up to its end.
    dropping: bool,
    place: Place,
    /// The first bytes of an operating system command, at most [`HEAD`].
    head: Vec<u8>,
    /// The length of that command so far.
    osc: u64,
}

/// Maximum number of stored bytes of an operating system command: more than all 256 colours take.
const HEAD: usize = 16 << 10;

/// State of the wrapped parser, as far as it can be derived from its input: an escape leads from
/// every state to the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// After an escape.
    Escape,
    /// Inside a string that it skips.
    Skipped,
    /// Inside an operating system command.
    Osc,
    Elsewhere,
}

impl Parser {
    /// Maximum length of a sequence. The parser stores a whole OSC in memory; 1 MiB is a large
    /// clipboard and far more than any title or link.
    pub(crate) const LONGEST: usize = 1 << 20;

    pub(crate) fn new() -> Parser {
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

    /// Returns whether the next byte begins text or a sequence. Also returns false if that cannot
    /// be determined, for instance after a sequence that the parser dropped: it then continues to
    /// read by itself, including text, until a sequence is complete.
    pub(crate) fn in_ground(&self) -> bool {
        self.ground
    }

    /// Returns whether it is inside a string that grew too long.
    pub(crate) fn is_dropping(&self) -> bool {
        self.dropping
    }

    /// Reads up to the end of a sequence and returns the remaining bytes.
    pub(crate) fn advance<'a>(&mut self, terminal: &mut Terminal, bytes: &'a [u8]) -> &'a [u8] {
        if self.dropping {
            return self.drop_string(terminal, bytes);
        }
        terminal.sequence_done = false;
        // Not beyond the limit, so that the limit does not depend on how reads split the bytes.
        let most = bytes.len().min(Parser::LONGEST + 1 - self.held);
        let mut taken = self.skip_string(terminal, &bytes[..most]);
        if taken < most {
            taken += self.parse(terminal, &bytes[taken..most]);
        }
        // In text that the parser reads by itself, CAN or SUB also reports an end, but the parser
        // continues to the end of that text. It may have consumed an escape, or hold the start of a
        // character.
        let last = bytes[..taken].last().copied().unwrap_or(ESC);
        self.ground = terminal.sequence_done && last != ESC && last.is_ascii();
        self.held = if terminal.sequence_done {
            0
        } else {
            self.held + taken
        };
        if self.held > Parser::LONGEST {
            let is_image = match (self.place, &terminal.string_in_progress) {
                (Place::Osc, _) => {
                    let head = &self.head[..self.head.len().min(StringInProgress::HEAD)];
                    terminal.begin_long_osc(head, self.osc)
                }
                (_, incoming) => incoming.is_some(),
            };
            if !is_image {
                terminal.unknown("a sequence longer than 1 MiB".to_owned());
            }
            *self = Parser {
                ground: false,
                dropping: true,
                ..Parser::new()
            };
        }
        &bytes[taken..]
    }

    /// Reads a string that the wrapped parser would skip, up to its end. Returns the number of
    /// bytes read.
    fn skip_string(&mut self, terminal: &mut Terminal, bytes: &[u8]) -> usize {
        if self.place != Place::Skipped {
            return 0;
        }
        let end = memchr::memchr3(0x18, 0x1a, ESC, bytes);
        let taken = end.unwrap_or(bytes.len());
        terminal.put_string(&bytes[..taken]);
        if end.is_some() {
            self.place = Place::Elsewhere;
            terminal.end_string();
        }
        taken
    }

    /// Runs the wrapped parser up to the next escape or the start of a string that it would skip.
    /// Returns the number of bytes read.
    fn parse(&mut self, terminal: &mut Terminal, bytes: &[u8]) -> usize {
        let mut at = usize::from(bytes.first() == Some(&ESC));
        let mut end = memchr::memchr(ESC, &bytes[at..]).map_or(bytes.len(), |next| at + next);
        if at == 1 {
            self.place = Place::Escape;
        }
        let mut skipped = None;
        if self.place == Place::Escape {
            // After an escape, control characters take effect and non-ASCII bytes are ignored;
            // neither changes the state.
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
        let taken = self.inner.advance_until_terminated(terminal, &bytes[..end]);
        if self.place == Place::Osc {
            let string = &bytes[at.min(taken)..taken];
            let room = HEAD - self.head.len();
            self.head
                .extend_from_slice(&string[..room.min(string.len())]);
            self.osc += string.len() as u64;
        }
        if let Some(bell) = terminal.unsplit_osc.take() {
            // The last part of a command that was cut is incomplete.
            let is_cut = self.osc > self.head.len() as u64;
            let end = memchr::memrchr(b';', &self.head).filter(|_| is_cut);
            let command = &self.head[..end.unwrap_or(self.head.len())];
            terminal.long_operating_system_command(command, bell);
        }
        // It may have stopped earlier, at the end of a character that preceded the sequence.
        if let Some(kind) = skipped.filter(|_| taken == end) {
            self.place = Place::Skipped;
            terminal.begin_string(kind);
        }
        taken
    }

    /// Skips to the end of a string: BEL, CAN, SUB, or an escape, which may also begin a new
    /// sequence.
    fn drop_string<'a>(&mut self, terminal: &mut Terminal, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes
            .iter()
            .position(|b| matches!(b, 0x07 | 0x18 | 0x1a | 0x1b));
        terminal.skip_string(end.unwrap_or(bytes.len()) as u64);
        match end {
            None => &[],
            Some(end) => {
                terminal.end_string();
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
