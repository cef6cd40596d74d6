//! Splits a byte stream into sequences.
//!
//! `vte` parses control sequences, escape sequences and device control strings. This file adds the
//! state that `vte` does not expose, and limits that it lacks. The other strings are read here:
//! operating system commands, because `vte` performs those that are cut off by another sequence,
//! and drops parameters after the 16th; APC, PM and SOS, because `vte` skips them. Strings that
//! carry images may be longer than others.

use super::super::sequences::images::{StringInProgress, StringKind};
use super::super::terminal::Terminal;

const ESC: u8 = 0x1b;

/// The parser.
pub(crate) struct Parser {
    inner: vte::Parser,
    ground: bool,
    pub(crate) held: usize,
    /// Whether it is inside a string that grew too long and is dropped up to its end.
    dropping: bool,
    place: Place,
    /// The operating system command so far.
    command: Vec<u8>,
}

/// State of the parser, as far as `vte` does not need it: an escape leads from every state to the
/// same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// After an escape.
    Escape,
    /// Inside a string that `vte` skips.
    Skipped,
    /// Inside an operating system command.
    Command,
    /// After an escape inside an operating system command: `\` ends it, any other byte aborts it.
    CommandEscape,
    /// Inside a control sequence.
    Control,
    Elsewhere,
}

impl Parser {
    /// Maximum length of a sequence: 1 MiB is a large clipboard and far more than any title or
    /// link.
    pub(crate) const LONGEST: usize = 1 << 20;
    /// Maximum length of a control sequence of which all parameters are read.
    const LONGEST_CONTROL: usize = 4096;

    pub(crate) fn new() -> Parser {
        Parser {
            inner: vte::Parser::new(),
            ground: true,
            held: 0,
            dropping: false,
            place: Place::Elsewhere,
            command: Vec::new(),
        }
    }

    /// Returns whether the next byte begins text or a sequence. Also returns false if that cannot
    /// be determined, for instance after a sequence that `vte` dropped: it then continues to read
    /// by itself, including text, until a sequence is complete.
    pub(crate) fn in_ground(&self) -> bool {
        self.ground
    }

    /// Returns whether the bytes before the last escape have no effect any more.
    pub(crate) fn is_after_escape(&self) -> bool {
        self.place != Place::CommandEscape
    }

    /// Returns how long the current sequence may become.
    fn limit(&self, terminal: &Terminal) -> usize {
        match (self.place, &terminal.string_in_progress) {
            (Place::Command | Place::CommandEscape, _)
                if Terminal::is_file_command(&self.command) =>
            {
                StringInProgress::LONGEST_IMAGE
            }
            (Place::Command | Place::CommandEscape, _) | (_, None) => Parser::LONGEST,
            (_, Some(incoming)) => incoming.limit(),
        }
    }

    /// Returns whether it is inside a string that grew too long.
    pub(crate) fn is_dropping(&self) -> bool {
        self.dropping
    }

    /// Returns where a sequence that is not complete begins in the bytes received of it: at the
    /// last escape, since everything before it has already taken effect.
    pub(crate) fn start_of_partial(&self, partial: &[u8]) -> usize {
        let end = match self.place {
            Place::CommandEscape => partial.len() - 1,
            _ => partial.len(),
        };
        memchr::memrchr(ESC, &partial[..end]).unwrap_or(0)
    }

    /// Reads up to the end of a sequence and returns the remaining bytes.
    pub(crate) fn advance<'a>(&mut self, terminal: &mut Terminal, bytes: &'a [u8]) -> &'a [u8] {
        if self.dropping {
            return self.drop_string(terminal, bytes);
        }
        terminal.sequence_done = false;
        // Not beyond the limit, so that the limit does not depend on how reads split the bytes.
        let limit = self.limit(terminal);
        let most = bytes.len().min((limit + 1).saturating_sub(self.held));
        let mut taken = match self.place {
            Place::Skipped => self.skip_string(terminal, &bytes[..most]),
            Place::Command | Place::CommandEscape => self.read_command(terminal, &bytes[..most]),
            _ => 0,
        };
        if taken < most && !terminal.sequence_done {
            taken += self.parse(terminal, &bytes[taken..most]);
        }
        // In text that `vte` reads by itself, CAN or SUB also reports an end, but it continues to
        // the end of that text. It may have consumed an escape, or hold the start of a character.
        let last = bytes[..taken].last().copied().unwrap_or(ESC);
        self.ground = terminal.sequence_done && last != ESC && last.is_ascii();
        self.held = if terminal.sequence_done {
            0
        } else {
            self.held + taken
        };
        if self.held > limit {
            // What has arrived of an image takes effect at the end of the string.
            if terminal.string_in_progress.is_none() {
                let limit = limit >> 20;
                terminal.unknown(format!("a sequence longer than {limit} MiB"));
            }
            *self = Parser {
                ground: false,
                dropping: true,
                ..Parser::new()
            };
        }
        &bytes[taken..]
    }

    /// Reads a string that `vte` would skip, up to its end. Returns the number of bytes read.
    fn skip_string(&mut self, terminal: &mut Terminal, bytes: &[u8]) -> usize {
        let end = memchr::memchr3(0x18, 0x1a, ESC, bytes);
        let taken = end.unwrap_or(bytes.len());
        terminal.put_string(&bytes[..taken]);
        if end.is_some() {
            self.place = Place::Elsewhere;
            self.held = 0;
            terminal.end_string();
        }
        taken
    }

    /// Reads an operating system command, up to its end. Returns the number of bytes read.
    fn read_command(&mut self, terminal: &mut Terminal, bytes: &[u8]) -> usize {
        let mut taken = 0;
        if self.place == Place::Command {
            let is_end = |byte: &u8| matches!(*byte, 0x07 | 0x18 | 0x1a | ESC);
            let end = bytes.iter().position(is_end);
            self.command
                .extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            let Some(end) = end else { return bytes.len() };
            taken = end + 1;
            match bytes[end] {
                0x07 => self.end_command(terminal, true),
                ESC => self.place = Place::CommandEscape,
                byte => {
                    self.abort_command();
                    terminal.sequence_done = true;
                    terminal.control(byte);
                }
            }
        }
        if self.place == Place::CommandEscape
            && let Some(byte) = bytes.get(taken)
        {
            if *byte == b'\\' {
                taken += 1;
                self.end_command(terminal, false);
            } else {
                self.abort_command();
                self.held = 0;
                self.place = Place::Escape;
                self.inner.advance(terminal, &[ESC]);
            }
        }
        taken
    }

    fn end_command(&mut self, terminal: &mut Terminal, bell: bool) {
        let mut command = std::mem::take(&mut self.command);
        command.retain(|byte| *byte >= 0x20);
        terminal.sequence_done = true;
        if !Terminal::is_file_command(&command) || !terminal.file_command(&command) {
            let command = &command[..command.len().min(Parser::LONGEST)];
            let parts: Vec<&[u8]> = command.split(|byte| *byte == b';').collect();
            terminal.operating_system_command(&parts, bell);
        }
        self.abort_command();
        if command.len() < Parser::LONGEST_CONTROL {
            self.command = command;
            self.command.clear();
        }
    }

    fn abort_command(&mut self) {
        self.command.clear();
        self.place = Place::Elsewhere;
    }

    /// Runs `vte` up to the next escape or the start of a string that is read here. Returns the
    /// number of bytes read.
    fn parse(&mut self, terminal: &mut Terminal, bytes: &[u8]) -> usize {
        let mut at = usize::from(bytes.first() == Some(&ESC));
        let mut end = memchr::memchr(ESC, &bytes[at..]).map_or(bytes.len(), |next| at + next);
        if at == 1 {
            self.place = Place::Escape;
            self.held = 0;
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
                    self.inner.advance(terminal, &bytes[..at]);
                    self.inner = vte::Parser::new();
                    self.command.clear();
                    self.place = Place::Command;
                    return at + 1;
                }
                Some(b'[') => {
                    terminal.raw_sequence.clear();
                    Place::Control
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
        if self.place == Place::Control {
            let raw = &mut terminal.raw_sequence;
            let room = Parser::LONGEST_CONTROL - raw.len();
            raw.extend_from_slice(&bytes[at..end][..room.min(end - at)]);
        }
        let taken = self.inner.advance_until_terminated(terminal, &bytes[..end]);
        if terminal.sequence_done {
            self.place = Place::Elsewhere;
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
