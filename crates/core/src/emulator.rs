//! Terminal emulators that turn a program's output into screens.
//!
//! The emulators are hidden behind one trait that uses only our own types. [`vt`] is the default:
//! our own grid under the parser of the crate `vte`. `avt` is an independent second implementation,
//! with the feature of that name. Only a backend's own folder names the crate it uses.
//!
//! An emulator starts no process, writes no file and knows no application. It takes bytes and
//! returns its state.

use std::fmt::{self, Debug};
use std::sync::Arc;

use bitflags::bitflags;

use crate::screen::geometry::Size;
use crate::screen::row::Row;
use crate::screen::theme::Theme;
use crate::screen::{Screen, State};

#[cfg(feature = "avt")]
pub mod avt;
pub(crate) mod colors;
pub mod counts;
mod graphics;
pub mod image;
pub mod notes;
#[cfg(test)]
mod tests;
pub mod vt;

pub use counts::Counts;
pub use image::{Image, ImageKind, ImageLength};
pub use notes::Notes;

/// A terminal that turns a program's bytes into a [`Screen`].
pub trait Emulator: Debug + Send {
    /// Returns which emulator this is. Assertions on its screens depend on this identity.
    fn identity(&self) -> Identity;
    /// Returns the optional features that this emulator supports.
    fn capabilities(&self) -> Capabilities;
    /// Processes bytes of the program. They may end inside a sequence.
    fn feed(&mut self, bytes: &[u8]);
    /// Processes bytes like [`Emulator::feed`], but stops when about `budget` units of [`Work`] are
    /// done. The time of a call depends on its work, not on the number of bytes: a few bytes can
    /// fill, clear and scroll a screen many times. Processes at least one byte if there is one and
    /// `budget` is not 0.
    fn feed_slice(&mut self, bytes: &[u8], budget: Work) -> FedSlice {
        let _ = budget;
        self.feed(bytes);
        FedSlice {
            bytes: bytes.len(),
            work: bytes.len() as Work,
        }
    }
    /// Takes the replies for the program, such as a cursor position report, in the order of the
    /// queries.
    fn take_replies(&mut self) -> Vec<u8>;
    /// Resizes the screen.
    fn resize(&mut self, size: Size);
    /// Returns the screen after the last byte; during a synchronized update, the screen from before
    /// the update.
    fn screen(&mut self) -> Screen;
    /// Returns the newest rows of the scrollback, at most `rows`, oldest first.
    fn scrollback(&mut self, rows: usize) -> Vec<Arc<Row>>;
    /// Returns bytes that bring a new terminal of the same kind and size into the state of this
    /// one, with the newest rows of the scrollback, at most `scrollback`, and with the received
    /// part of an incomplete sequence or character. The same input afterwards gives the same
    /// screens in both, except for rare states that only a resize produces. Does not change this
    /// terminal.
    fn dump(&mut self, scrollback: usize) -> Vec<u8>;
    /// Takes the transient screens since the last call, oldest first: screens that were complete
    /// and then changed before they were read. These are the screens from before a loss of text
    /// that was not yet read, and from before and after every synchronized update. Empty unless
    /// [`EmulatorOptions::transient_screens`] is [`TransientScreens::Keep`].
    fn take_transient_screens(&mut self) -> Vec<TransientScreen>;
    /// Shows the current state of a synchronized update, because the program did not end it in
    /// time.
    fn end_synchronized(&mut self);
    /// Compacts internal storage in a short slice of work. To be called while no input arrives. Not
    /// observable from outside.
    fn compact(&mut self) -> Compaction {
        Compaction::Complete
    }
    /// Returns events other than changes of the screen.
    fn notes(&self) -> &Notes;

    /// Returns the screen with at most `scrollback` rows of the scrollback. The alternate screen
    /// has no scrollback.
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

/// Amount of work. A unit is about the work of writing one cell: a nanosecond or two.
pub type Work = u64;

/// Result of [`Emulator::feed_slice`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FedSlice {
    /// Number of bytes that were processed.
    pub bytes: usize,
    /// Work that they took.
    pub work: Work,
}

/// Result of [`Emulator::compact`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    /// There is more to compact in another call.
    Partial,
    /// Nothing is left to compact.
    Complete,
}

/// Identity of the emulator that derived a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Name of the terminal or of the wrapped crate.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Revision of our adapter: raised whenever the same bytes give a different screen than before.
    pub revision: u32,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}+{}", self.name, self.version, self.revision)
    }
}

bitflags! {
    /// Optional features of an emulator, beyond text, colours, bold, italic, underline and the
    /// alternate screen.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Capabilities: u32 {
        /// Replies to queries.
        const REPLIES = 1 << 0;
        /// Links (OSC 8).
        const HYPERLINKS = 1 << 1;
        /// Double, curly, dotted and dashed underlines, and underline colours.
        const UNDERLINE_KINDS = 1 << 2;
        /// Slow blinking.
        const BLINK = 1 << 3;
        /// Fast blinking, distinguished from slow blinking.
        const RAPID_BLINK = 1 << 4;
        /// Overlines.
        const OVERLINE = 1 << 5;
        /// Invisible text.
        const INVISIBLE = 1 << 6;
        /// Bold and faint at the same time.
        const BOLD_FAINT = 1 << 7;
        /// Combining marks.
        const COMBINING = 1 << 8;
        /// The window title (OSC 0 and 2).
        const TITLE = 1 << 9;
        /// The working directory (OSC 7).
        const WORKING_DIRECTORY = 1 << 10;
        /// Shell zones: prompts, inputs and outputs (OSC 133).
        const ZONES = 1 << 11;
        /// Synchronized updates as one change (?2026).
        const SYNCHRONIZED = 1 << 12;
        /// The cursor's shape.
        const CURSOR_SHAPE = 1 << 13;
        /// The modes that affect keys, mouse and pastes.
        const INPUT_MODES = 1 << 14;
        /// Transient screens: complete, but changed before they were read.
        const TRANSIENT_SCREENS = 1 << 15;
        /// Notes about events that no cell shows. Without this, only bytes are counted.
        const NOTES = 1 << 16;
        /// Colours that the program changes (OSC 4, 10, 11, 12, 17 and 19).
        const PALETTE = 1 << 17;
    }
}

/// Settings of an emulator.
#[derive(Debug, Clone)]
pub struct EmulatorOptions {
    /// Maximum number of scrollback rows.
    pub scrollback: usize,
    /// The colours that the terminal reports to programs.
    pub theme: Theme,
    /// The host name, to recognise a working directory (OSC 7) as local.
    pub hostname: String,
    /// Whether transient screens are kept for [`Emulator::take_transient_screens`].
    pub transient_screens: TransientScreens,
}

impl Default for EmulatorOptions {
    fn default() -> EmulatorOptions {
        EmulatorOptions {
            scrollback: 10_000,
            theme: Theme::default(),
            hostname: String::new(),
            transient_screens: TransientScreens::Drop,
        }
    }
}

/// Handling of transient screens: complete, but changed before they were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransientScreens {
    /// They are kept until they are taken.
    Keep,
    /// They are dropped, which is faster.
    Drop,
}

/// A screen that was complete and then changed before it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransientScreen {
    /// The screen.
    pub screen: Screen,
    /// The counts at the time of the screen.
    pub counts: Counts,
}

/// The available emulators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Backend {
    /// Our own grid: all styles, all replies.
    #[default]
    Vt,
    /// `avt`: text and basic styles, with an independent parser and grid.
    #[cfg(feature = "avt")]
    Avt,
}

impl Backend {
    /// Every backend of this build.
    pub const ALL: [Backend; if cfg!(feature = "avt") { 2 } else { 1 }] = [
        Backend::Vt,
        #[cfg(feature = "avt")]
        Backend::Avt,
    ];

    /// Creates a terminal of this kind. A size outside the allowed range becomes the nearest
    /// allowed size.
    pub fn emulator(self, size: Size, options: EmulatorOptions) -> Box<dyn Emulator> {
        match self {
            Backend::Vt => Box::new(vt::Vt::new(size.clamped(), options)),
            #[cfg(feature = "avt")]
            Backend::Avt => Box::new(avt::Avt::new(size.clamped(), &options)),
        }
    }

    /// Returns the identity of this emulator.
    pub fn identity(self) -> Identity {
        let smallest = Size { cols: 2, rows: 1 };
        self.emulator(smallest, EmulatorOptions::default())
            .identity()
    }
}
