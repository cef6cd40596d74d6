//! Cutting bytes into sequences.
//!
//! `vte` does it; what it keeps to itself, and the bounds that it lacks, are added here.

use alacritty_terminal::vte;

use super::machine::Machine;

/// The bought parser, with the two things it keeps to itself: whether it is between sequences, and how much of one it
/// holds.
pub(super) struct Parser {
    inner: vte::Parser,
    ground: bool,
    pub(super) held: usize,
    /// Inside a string that grew too long: its bytes are dropped up to its end.
    dropping: bool,
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
        }
    }

    /// Whether the next byte begins text or a sequence. False also where that cannot be known from outside, such as
    /// after a sequence that the parser dropped: it then reads on by itself, text included, until one is complete.
    pub(super) fn in_ground(&self) -> bool {
        self.ground
    }

    /// Reads up to the end of a sequence and returns what is left.
    pub(super) fn advance<'a>(&mut self, machine: &mut Machine, bytes: &'a [u8]) -> &'a [u8] {
        if self.dropping {
            return self.drop_string(bytes);
        }
        machine.sequence_done = false;
        // No further than the bound, so that where a read ends makes no difference to what is too long.
        let most = bytes.len().min(Parser::LONGEST + 1 - self.held);
        let taken = self.inner.advance_until_terminated(machine, &bytes[..most]);
        // In text that the parser reads by itself, CAN or SUB also reports an end, but the parser reads on to the end of
        // that text: it may have taken an escape, or hold the start of a character.
        let last = bytes[..taken].last().copied().unwrap_or(0x1b);
        self.ground = machine.sequence_done && last != 0x1b && last.is_ascii();
        self.held = if machine.sequence_done {
            0
        } else {
            self.held + taken
        };
        if self.held > Parser::LONGEST {
            machine
                .notes
                .add_unknown("a sequence longer than 1 MiB".to_owned());
            *self = Parser {
                ground: false,
                dropping: true,
                ..Parser::new()
            };
        }
        &bytes[taken..]
    }

    /// Skips to the end of a string: BEL, CAN, SUB, or an escape, which may also begin something new.
    fn drop_string<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        match bytes
            .iter()
            .position(|b| matches!(b, 0x07 | 0x18 | 0x1a | 0x1b))
        {
            None => &[],
            Some(end) => {
                self.dropping = false;
                self.ground = true;
                &bytes[end + usize::from(bytes[end] != 0x1b)..]
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
