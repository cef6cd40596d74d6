//! The default backend: the grid of `alacritty_terminal`, driven by our own sequence handler.
//!
//! The crate provides the grid: scrolling, wrapping, reflow, damage. Its own sequence processor is
//! not used, because it drops sequences that we need (blink, overline, OSC 7, OSC 133). Instead,
//! `sequences.rs` maps the sequences that `vte` parses to the same public `Handler` methods, in one
//! pass, and adds the missing ones. `parsing/` splits the bytes into text and sequences. `print.rs`
//! writes runs of text directly into the grid, since most bytes of a program are text.
//!
//! There are two kinds of cells: those of the grid, and those of our [`Row`]s, which a [`Screen`]
//! contains. `read_grid.rs` converts the first to the second.
//!
//! Invariant: with the additions turned off, the grid equals the one that the crate's own processor
//! produces from the same bytes. A differential test checks this, so an upgrade that changes
//! something is noticed.

use std::sync::Arc;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::{Config, Osc52, Term};

use super::{
    Capabilities, Compaction, Emulator, EmulatorOptions, FedSlice, Identity, Notes,
    TransientScreen, Work,
};
use crate::screen::Screen;
use crate::screen::geometry::Size;
use crate::screen::row::Row;
use parsing::params::SimpleSequence;
use parsing::parser::Parser;
use parsing::utf8::{self, Utf8};
use terminal::Terminal;

mod dump;
mod named_colors;
mod parsing;
mod print;
mod read_grid;
mod scrollback;
mod sequences;
mod terminal;
#[cfg(test)]
mod tests;

/// Maximum number of bytes processed before the work is checked. A line feed in a scrolling region
/// of the largest screen moves 2,000 rows, so 4 KiB of line feeds take 20 ms.
const PIECE: usize = 4 << 10;

/// Work of a sequence, besides its bytes and the cells that it changes.
const SEQUENCE: usize = 8;

/// A terminal on top of `alacritty_terminal`.
#[derive(Debug)]
pub struct Alacritty {
    parser: Parser,
    terminal: Terminal,
    utf8: Utf8,
    /// The received part of an incomplete sequence.
    partial_sequence: Vec<u8>,
}

impl Alacritty {
    /// Version of the wrapped crate; a test compares it with the version that is built.
    const VERSION: &str = "0.26.0";
    /// Raised whenever the same bytes give a different screen than before.
    /// `crates/core/tests/compatibility` stores the derived screens of each revision.
    const REVISION: u32 = 4;

    /// Creates an empty terminal.
    pub fn new(size: Size, options: EmulatorOptions) -> Alacritty {
        Alacritty {
            parser: Parser::new(),
            terminal: Terminal::new(size, options),
            utf8: Utf8::default(),
            partial_sequence: Vec::new(),
        }
    }
}

impl Emulator for Alacritty {
    fn identity(&self) -> Identity {
        Identity {
            name: "alacritty_terminal",
            version: Alacritty::VERSION,
            revision: Alacritty::REVISION,
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
        // Anything before the last escape has already taken effect.
        let from = memchr::memrchr(0x1b, &self.partial_sequence).unwrap_or(0);
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

    fn compact(&mut self) -> Compaction {
        self.terminal
            .compress(scrollback::compressed::UNCOMPRESSED_ROWS)
    }

    fn notes(&self) -> &Notes {
        &self.terminal.notes
    }
}

impl Alacritty {
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

/// A size in the form that the wrapped grid takes.
#[derive(Debug, Clone, Copy)]
struct GridSize(Size);

impl Dimensions for GridSize {
    fn total_lines(&self) -> usize {
        self.screen_lines()
    }

    fn screen_lines(&self) -> usize {
        self.0.rows.into()
    }

    fn columns(&self) -> usize {
        self.0.cols.into()
    }
}

/// Creates the wrapped terminal, with every feature off that we handle ourselves.
fn term(size: Size, scrollback: usize) -> Term<VoidListener> {
    let config = Config {
        scrolling_history: scrollback,
        kitty_keyboard: true,
        osc52: Osc52::Disabled,
        ..Config::default()
    };
    Term::new(config, &GridSize(size), VoidListener)
}
