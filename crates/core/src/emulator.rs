//! Turning a program's bytes into a screen.
//!
//! The terminal emulator is bought, and hidden behind one trait in our own types: [`alacritty`] is the default,
//! [`avt`] an independent second opinion. Only a backend's own folder names the crate it wraps.
//!
//! An emulator spawns nothing, writes no files and knows no application: it is fed bytes and asked questions.

use std::fmt::{self, Debug};
use std::sync::Arc;

use bitflags::bitflags;

use crate::screen::geometry::Size;
use crate::screen::row::Row;
use crate::screen::theme::Theme;
use crate::screen::{Screen, State};

pub mod alacritty;
pub mod avt;
pub mod counts;
pub mod image;
pub mod notes;
#[cfg(test)]
mod tests;

pub use counts::Counts;
pub use image::{Image, ImageKind, Length};
pub use notes::Notes;

/// A terminal that turns a program's bytes into a [`Screen`].
pub trait Emulator: Debug + Send {
    /// Which emulator this is; whatever asserts on its screens is bound to that.
    fn identity(&self) -> Identity;
    /// What it can do.
    fn capabilities(&self) -> Capabilities;
    /// Feeds bytes as the program wrote them; they may stop inside a sequence.
    fn feed(&mut self, bytes: &[u8]);
    /// Takes the bytes the terminal owes the program, such as a cursor report, in the order they were asked for.
    fn take_replies(&mut self) -> Vec<u8>;
    /// Gives the screen another size.
    fn resize(&mut self, size: Size);
    /// Returns the picture as of the last fed byte; within a synchronized update, the picture before it began.
    fn screen(&mut self) -> Screen;
    /// Returns the newest rows that scrolled out, at most `rows`, oldest first.
    fn scrollback(&mut self, rows: usize) -> Vec<Arc<Row>>;
    /// Bytes that bring a new terminal of this kind and size to where this one is, with the newest rows that scrolled out, at most
    /// `scrollback`, and with what has come of a sequence or a character whose rest has not. What is fed to both from then on gives the
    /// same screens. Nothing changes here.
    fn portrait(&mut self, scrollback: usize) -> Vec<u8>;
    /// Takes the screens that were complete but are gone again: what stood there before an erasure, and every
    /// synchronized update, oldest first. Empty unless [`Options::passed`] asks for them.
    fn take_passed(&mut self) -> Vec<PassedScreen>;
    /// Shows what a synchronized update has drawn so far: its program took too long to end it.
    fn end_synchronized(&mut self);
    /// Keeps what it has in less room where it can, for as long as nobody minds: nothing comes for now. It can be told by nothing else.
    fn compact(&mut self) -> Compacted {
        Compacted::All
    }
    /// What happened besides the picture.
    fn notes(&self) -> &Notes;

    /// The screen with what scrolled out above it, at most `scrollback` rows.
    fn state(&mut self, scrollback: usize) -> State {
        let screen = self.screen();
        State {
            scrollback: if screen.modes.alternate_screen {
                Vec::new()
            } else {
                self.scrollback(scrollback)
            },
            screen,
        }
    }
}

/// How much of what can be kept in less room is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compacted {
    /// There is more to do, if there is time.
    Part,
    /// There is nothing left to do.
    All,
}

/// Which emulator derived a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The wrapped crate.
    pub name: &'static str,
    /// The version that was built.
    pub version: &'static str,
    /// Our adapter's own: raised whenever the same bytes give another screen than before.
    pub revision: u32,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}+{}", self.name, self.version, self.revision)
    }
}

bitflags! {
    /// What an emulator can do beyond text, colours, bold, italic, underline and the alternate screen.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Capabilities: u32 {
        /// Queries are answered.
        const REPLIES = 1 << 0;
        /// Links (OSC 8).
        const HYPERLINKS = 1 << 1;
        /// Double, curly, dotted and dashed underlines, and their colour.
        const UNDERLINE_KINDS = 1 << 2;
        /// Slow blinking.
        const BLINK = 1 << 3;
        /// Fast blinking, apart from slow.
        const RAPID_BLINK = 1 << 4;
        /// Lines above.
        const OVERLINE = 1 << 5;
        /// Text that is there but not drawn.
        const INVISIBLE = 1 << 6;
        /// Bold and faint at once.
        const BOLD_FAINT = 1 << 7;
        /// Marks that join a character.
        const COMBINING = 1 << 8;
        /// The title (OSC 0 and 2).
        const TITLE = 1 << 9;
        /// The working directory (OSC 7).
        const WORKING_DIRECTORY = 1 << 10;
        /// Prompts, inputs and outputs (OSC 133).
        const ZONES = 1 << 11;
        /// Synchronized updates as one change (?2026).
        const SYNCHRONIZED = 1 << 12;
        /// The cursor's shape.
        const CURSOR_SHAPE = 1 << 13;
        /// The modes that keys, mouse and pastes obey.
        const INPUT_MODES = 1 << 14;
        /// Screens that were complete but are gone again.
        const PASSED = 1 << 15;
        /// What no cell shows is noted; without it only bytes are counted.
        const NOTES = 1 << 16;
    }
}

/// How an emulator is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many rows are kept once they scroll out.
    pub scrollback: usize,
    /// The colours that the terminal tells a program it has.
    pub theme: Theme,
    /// This machine's name, by which a working directory (OSC 7) is known to be a local one.
    pub hostname: String,
    /// Whether screens that were complete but are gone again are kept for [`Emulator::take_passed`].
    pub passed: Passed,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            scrollback: 10_000,
            theme: Theme::default(),
            hostname: String::new(),
            passed: Passed::Dropped,
        }
    }
}

/// What becomes of screens that were complete but are gone again before anyone looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// They are kept until taken.
    Kept,
    /// They are dropped, which is faster.
    Dropped,
}

/// A screen that was complete but is gone again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedScreen {
    /// What was shown.
    pub screen: Screen,
    /// What had been counted by then.
    pub counts: Counts,
}

/// An emulator to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Backend {
    /// `alacritty_terminal` with our adapter: every style, every reply.
    #[default]
    Alacritty,
    /// `avt`: text and basic styles from an independent parser and grid.
    Avt,
}

impl Backend {
    /// Every backend.
    pub const ALL: [Backend; 2] = [Backend::Alacritty, Backend::Avt];

    /// A terminal of this kind. A size outside the allowed range becomes the nearest within.
    pub fn emulator(self, size: Size, options: Options) -> Box<dyn Emulator> {
        match self {
            Backend::Alacritty => Box::new(alacritty::Alacritty::new(size.clamped(), options)),
            Backend::Avt => Box::new(avt::Avt::new(size.clamped(), &options)),
        }
    }

    /// What such a terminal is.
    pub fn identity(self) -> Identity {
        let smallest = Size { cols: 2, rows: 1 };
        self.emulator(smallest, Options::default()).identity()
    }
}
