//! The default backend: our own grid under the `vte` parser.
//!
//! `parsing/` splits the bytes into text and sequences. `sequences/` maps sequences to operations
//! of the terminal, which `terminal/` implements on the lines of `grid/`. `dump/` writes the state
//! as bytes. Text that is not part of a sequence goes to `terminal/print.rs` directly, since most
//! bytes of a program are text.
//!
//! There are two kinds of cells: those of the grid, and those of our [`Row`]s, which a [`Screen`]
//! contains. `terminal/reading.rs` converts the first to the second.
//!
//! Where terminals differ, this one does what xterm does. A differential test compares it with
//! `alacritty_terminal` and lists each difference with its reason.

use std::sync::Arc;

use super::{
    Capabilities, Emulator, EmulatorOptions, FedSlice, Identity, Notes, TransientScreen, Work,
};
use crate::screen::Screen;
use crate::screen::geometry::Size;
use crate::screen::row::Row;
use parsing::params::SimpleSequence;
use parsing::parser::Parser;
use parsing::utf8::{self, Utf8};
use terminal::Terminal;

mod dump;
mod grid;
mod parsing;
mod sequences;
mod terminal;
#[cfg(test)]
mod tests;

/// Maximum number of bytes processed before the work is checked. A line feed in a scrolling region
/// of the largest screen moves 2,000 rows, so 4 KiB of line feeds take 20 ms.
const PIECE: usize = 4 << 10;

/// Work of a sequence, besides its bytes and the cells that it changes.
const SEQUENCE: usize = 8;

/// The terminal.
#[derive(Debug)]
pub struct Vt {
    parser: Parser,
    terminal: Terminal,
    utf8: Utf8,
    /// The received part of an incomplete sequence.
    partial_sequence: Vec<u8>,
}

impl Vt {
    /// Version of the terminal, raised together with [`Vt::REVISION`] only if everything changed.
    const VERSION: &str = "1";
    /// Raised whenever the same bytes give a different screen than before.
    /// `crates/core/tests/compatibility` stores the derived screens of each revision.
    const REVISION: u32 = 3;

    /// Creates an empty terminal.
    pub fn new(size: Size, options: EmulatorOptions) -> Vt {
        Vt {
            parser: Parser::new(),
            terminal: Terminal::new(size, options),
            utf8: Utf8::default(),
            partial_sequence: Vec::new(),
        }
    }
}

impl Emulator for Vt {
    fn identity(&self) -> Identity {
        Identity {
            name: "screentest-vt",
            version: Vt::VERSION,
            revision: Vt::REVISION,
        }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::all()
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.feed_slice(bytes, Work::MAX);
    }

    fn feed_slice(&mut self, bytes: &[u8], budget: Work) -> FedSlice {
        self.terminal.work = 0;
        let mut left = bytes;
        while !left.is_empty() && self.terminal.work < budget {
            let piece = &left[..left.len().min(PIECE)];
            let was_between = self.parser.in_ground();
            let rest = if was_between {
                self.feed_text(piece)
            } else {
                self.parser.advance(&mut self.terminal, piece)
            };
            let taken = piece.len() - rest.len();
            if !(was_between && self.parser.in_ground()) {
                self.store_partial_sequence(was_between, &piece[..taken], rest);
            }
            self.terminal.notes.counts.bytes += taken as u64;
            self.terminal.add_work(SEQUENCE + taken);
            left = &left[taken..];
        }
        FedSlice {
            bytes: bytes.len() - left.len(),
            work: self.terminal.work,
        }
    }

    fn take_replies(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.terminal.replies)
    }

    fn resize(&mut self, size: Size) {
        self.terminal.resize(size.clamped());
    }

    fn screen(&mut self) -> Screen {
        self.terminal.screen()
    }

    fn scrollback(&mut self, rows: usize) -> Vec<Arc<Row>> {
        self.terminal.scrollback(rows)
    }

    fn dump(&mut self, scrollback: usize) -> Vec<u8> {
        let mut dump = self.terminal.dump(scrollback).into_bytes();
        let from = self.parser.start_of_partial(&self.partial_sequence);
        dump.extend_from_slice(if self.parser.is_dropping() {
            // The dropped string has no effect any more. This OSC ends in the same way.
            b"\x1b]x"
        } else {
            &self.partial_sequence[from..]
        });
        dump.extend_from_slice(self.utf8.partial());
        dump
    }

    fn take_transient_screens(&mut self) -> Vec<TransientScreen> {
        self.terminal.take_transient_screens()
    }

    fn end_synchronized(&mut self) {
        self.terminal.end_synchronized();
    }

    fn notes(&self) -> &Notes {
        &self.terminal.notes
    }
}

impl Vt {
    /// Stores the received part of an incomplete sequence, for [`Emulator::dump`].
    fn store_partial_sequence(&mut self, was_between: bool, taken: &[u8], rest: &[u8]) {
        let is_done = self.parser.held == 0;
        if was_between || is_done {
            self.partial_sequence.clear();
        }
        if self.parser.in_ground() || self.parser.is_dropping() {
            return;
        }
        let from = match (is_done, was_between) {
            // After a complete sequence the parser may read text by itself, and may hold the start
            // of a character if no more bytes were given.
            (true, _) => match rest.first() {
                None | Some(0x1b) => taken.len() - utf8::incomplete_suffix(taken),
                Some(_) => taken.len(),
            },
            // Text precedes the escape.
            (false, true) => memchr::memchr(0x1b, taken).unwrap_or(0),
            (false, false) => 0,
        };
        // Control characters inside a sequence take effect at once and are not stored, except DEL,
        // which is text within a string.
        let rest = taken[from..].iter().copied();
        self.partial_sequence
            .extend(rest.filter(|byte| matches!(byte, 0x1b | 0x7f) || !byte.is_ascii_control()));
    }

    /// Writes text up to the next escape and passes the escape to the parser. Returns the remaining
    /// bytes.
    fn feed_text<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = memchr::memchr(0x1b, bytes).unwrap_or(bytes.len());
        let (text, rest) = bytes.split_at(end);
        self.utf8
            .feed(text, rest.is_empty(), |piece| self.terminal.text(piece));
        match SimpleSequence::read(rest) {
            Some(sequence) => {
                self.terminal.simple_sequence(&sequence);
                &rest[sequence.len..]
            }
            None if rest.is_empty() => rest,
            None => self.parser.advance(&mut self.terminal, rest),
        }
    }
}
