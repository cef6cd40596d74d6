//! The default backend: `alacritty_terminal`, read by our own performer.
//!
//! The crate brings the grid: scrolling, wrapping, reflow, damage. Its own sequence processor is not used, as it drops
//! what we need (blink, overline, OSC 7, OSC 133) before anybody can see it. Instead `perform.rs` maps what `vte` parses to
//! the same public `Handler` methods, in one pass, and adds the rest; `print.rs` writes runs of text straight into the
//! grid, which is where most of a program's bytes go.
//!
//! The one rule: with the additions off, the grid is equal to what the crate's own processor makes of the same bytes.
//! A differential test holds us to it, so an upgrade that changes something is noticed.

use std::sync::Arc;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::{Config, Osc52, Term};

use super::{Capabilities, Compacted, Emulator, Identity, Notes, Options, PassedScreen};
use crate::screen::Screen;
use crate::screen::geometry::Size;
use crate::screen::row::Row;
use machine::Machine;
use parser::Parser;
use utf8::Utf8;

mod alternate;
mod fresh;
mod images;
mod machine;
mod modes;
mod osc;
mod packed;
mod params;
mod parser;
mod passed;
mod pen;
mod perform;
mod portrait;
mod print;
mod repaint;
mod replies;
mod room;
mod sgr;
mod stains;
#[cfg(test)]
mod tests;
mod utf8;
mod view;

/// A terminal on top of `alacritty_terminal`.
#[derive(Debug)]
pub struct Alacritty {
    parser: Parser,
    machine: Machine,
    utf8: Utf8,
    /// What has come of a sequence that is under way.
    begun: Vec<u8>,
}

impl Alacritty {
    /// The wrapped crate's version; a test compares it with what is built.
    const VERSION: &str = "0.26.0";
    /// Raised whenever the same bytes give another screen than before; `tests/kept` holds the derivation it stands for.
    const REVISION: u32 = 3;

    /// An empty terminal.
    pub fn new(size: Size, options: Options) -> Alacritty {
        Alacritty {
            parser: Parser::new(),
            machine: Machine::new(size, options),
            utf8: Utf8::default(),
            begun: Vec::new(),
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

    fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let was_between = self.parser.in_ground();
            let rest = if was_between {
                self.feed_text(bytes)
            } else {
                self.parser.advance(&mut self.machine, bytes)
            };
            if !(was_between && self.parser.in_ground()) {
                self.begin(was_between, &bytes[..bytes.len() - rest.len()], rest);
            }
            self.machine.notes.counts.bytes += (bytes.len() - rest.len()) as u64;
            bytes = rest;
        }
    }

    fn take_replies(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.machine.replies)
    }

    fn resize(&mut self, size: Size) {
        self.machine.resize(size.clamped());
    }

    fn screen(&mut self) -> Screen {
        self.machine.screen()
    }

    fn scrollback(&mut self, rows: usize) -> Vec<Arc<Row>> {
        self.machine.scrollback(rows)
    }

    fn portrait(&mut self, scrollback: usize) -> Vec<u8> {
        let mut portrait = self.machine.portrait(scrollback).into_bytes();
        // What an escape has ended has had its effect.
        let from = memchr::memrchr(0x1b, &self.begun).unwrap_or(0);
        portrait.extend_from_slice(match self.parser.is_dropping() {
            // Whatever it was, it has no effect any more and ends as this does.
            true => b"\x1b]x",
            false => &self.begun[from..],
        });
        portrait.extend_from_slice(self.utf8.begun());
        portrait
    }

    fn take_passed(&mut self) -> Vec<PassedScreen> {
        self.machine.take_passed()
    }

    fn end_synchronized(&mut self) {
        self.machine.end_synchronized();
    }

    fn compact(&mut self) -> Compacted {
        self.machine.pack(packed::KEPT)
    }

    fn notes(&self) -> &Notes {
        &self.machine.notes
    }
}

impl Alacritty {
    /// Remembers what has come of a sequence that is under way, so that somebody can begin with it elsewhere.
    fn begin(&mut self, was_between: bool, taken: &[u8], rest: &[u8]) {
        let is_done = self.parser.held == 0;
        if was_between || is_done {
            self.begun.clear();
        }
        if self.parser.in_ground() || self.parser.is_dropping() {
            return;
        }
        let from = match (is_done, was_between) {
            // The parser reads on by itself, and may hold the start of a character if it was given no more.
            (true, _) => match rest.first() {
                None | Some(0x1b) => taken.len() - utf8::cut_off(taken),
                Some(_) => taken.len(),
            },
            // Before the escape there is text.
            (false, true) => memchr::memchr(0x1b, taken).unwrap_or(0),
            (false, false) => 0,
        };
        // Controls in the middle of a sequence are obeyed at once, but for DEL, which is text within a string.
        let rest = taken[from..].iter().copied();
        self.begun
            .extend(rest.filter(|byte| matches!(byte, 0x1b | 0x7f) || !byte.is_ascii_control()));
    }

    /// Writes text up to the next escape, which the parser is given. Returns what is left.
    fn feed_text<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = memchr::memchr(0x1b, bytes).unwrap_or(bytes.len());
        let (text, rest) = bytes.split_at(end);
        self.utf8
            .feed(text, rest.is_empty(), |piece| self.machine.text(piece));
        match params::Plain::read(rest) {
            Some(sequence) => {
                self.machine.plain_sequence(&sequence);
                &rest[sequence.len..]
            }
            None if rest.is_empty() => rest,
            None => self.parser.advance(&mut self.machine, rest),
        }
    }
}

/// A size as the bought grid wants it.
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

/// The bought terminal, with nothing on that we answer ourselves.
fn term(size: Size, scrollback: usize) -> Term<VoidListener> {
    let config = Config {
        scrolling_history: scrollback,
        kitty_keyboard: true,
        osc52: Osc52::Disabled,
        ..Config::default()
    };
    Term::new(config, &GridSize(size), VoidListener)
}
