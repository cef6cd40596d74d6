//! The state of the terminal, and the operations on it as a whole.
//!
//! The folder has the operations by topic. `sequences.rs` maps sequences to them.

use std::ops::Range;
use std::sync::Arc;

use super::grid::cell::{CellFlags, Pen};
use super::grid::line::Line;
use super::grid::{Grid, TrackedCursor};
use super::sequences::dcs::DcsRequest;
use super::sequences::images::StringInProgress;
use crate::emulator::colors::ColorState;
use crate::emulator::{EmulatorOptions, Image, Notes, TransientScreen, Work};
use crate::screen::Screen;
use crate::screen::cursor::CursorShape;
use crate::screen::geometry::Size;
use crate::screen::modes::KittyKeyboard;
use crate::screen::row::{Row, RowBuilder};
use charsets::Charsets;
use margins::Margins;
use modes::{Mode, SavedModes};
use pens::PenStack;
use rectangles::Checksum;
use remembered_modes::RememberedModes;
use repaint::RepaintDetector;
use saved_cursor::SavedCursor;
use undelivered::UndeliveredCells;

pub(super) use erasing::{ErasedPart, Erasing};

pub(super) mod charsets;
mod editing;
mod erasing;
pub(super) mod margins;
pub(super) mod modes;
mod movement;
pub(super) mod pens;
mod print;
mod reading;
pub(super) mod rectangles;
mod remembered_modes;
mod repaint;
pub(super) mod saved_cursor;
mod screens;
mod scrolling;
mod transient_screens;
mod undelivered;

/// Titles that a program set and saved.
#[derive(Debug, Default)]
pub(super) struct Titles {
    pub(super) window: String,
    pub(super) icon: String,
    /// Saved titles, newest last: window and icon.
    pub(super) stack: Vec<(String, String)>,
    /// Whether titles are set in hexadecimal digits (XTSMTITLE).
    pub(super) set_as_hex: bool,
    /// Whether titles are reported in hexadecimal digits.
    pub(super) report_as_hex: bool,
}

/// What the cursor looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CursorLook {
    pub(super) shape: CursorShape,
    pub(super) blinking: bool,
}

impl CursorLook {
    pub(super) const DEFAULT: CursorLook = CursorLook {
        shape: CursorShape::Block,
        blinking: false,
    };
}

/// The terminal.
pub(super) struct Terminal {
    pub(super) options: EmulatorOptions,
    pub(super) notes: Notes,
    pub(super) replies: Vec<u8>,
    /// Work done since the last call of `feed_slice` began.
    pub(super) work: Work,
    /// Set at the end of a sequence; makes the parser stop there.
    pub(super) sequence_done: bool,
    /// The received part of the current sequence, for parameters that the parser has no room for.
    pub(super) raw_sequence: Vec<u8>,

    pub(super) grid: Grid,
    /// The screen that is not shown: the main one, or an alternate one that ?47 may show again.
    pub(super) hidden: Option<Grid>,
    /// The cursor of the main screen when the alternate one was entered.
    pub(super) main_cursor: TrackedCursor,
    pub(super) cursor: TrackedCursor,
    pub(super) pen: Pen,
    pub(super) margins: Margins,
    pub(super) charsets: Charsets,
    pub(super) modes: Mode,
    pub(super) xtsaved_modes: SavedModes,
    pub(super) remembered_modes: RememberedModes,
    /// For each column whether there is a tab stop.
    pub(super) tabs: Vec<bool>,
    /// The cursor that DECSC saved on the main and on the alternate screen.
    pub(super) saved_cursors: [SavedCursor; 2],
    /// Pens saved by XTPUSHSGR.
    pub(super) pen_stack: PenStack,
    /// Whether DECCARA and DECRARA change a rectangle instead of a stream (DECSACE).
    pub(super) change_rectangles: bool,
    /// What the checksum of DECRQCRA includes (XTCHECKSUM).
    pub(super) checksum: Checksum,
    pub(super) cursor_look: CursorLook,
    /// The character printed just before, which REP repeats.
    pub(super) preceding: Option<char>,
    pub(super) titles: Titles,
    pub(super) working_directory: String,
    /// The colours that the program has changed.
    pub(super) colors: ColorState,
    /// The kitty keyboard flags of the main and the alternate screen, newest last.
    pub(super) keyboards: [Vec<KittyKeyboard>; 2],

    pub(super) request: Option<DcsRequest>,
    /// The string in progress, if the parser does not store it.
    pub(super) string_in_progress: Option<StringInProgress>,
    /// The image of which only the first parts have arrived.
    pub(super) partial_image: Option<Image>,

    builder: RowBuilder,
    blank_row: Arc<Row>,
    undelivered: UndeliveredCells,
    /// The screen from before the current synchronized update.
    pub(super) frozen_screen: Option<Screen>,
    transient_screens: Vec<TransientScreen>,
    repaint_detector: RepaintDetector,
}

impl Terminal {
    pub(super) fn new(size: Size, options: EmulatorOptions) -> Terminal {
        let mut terminal = Terminal {
            notes: Notes::default(),
            replies: Vec::new(),
            work: 0,
            sequence_done: false,
            raw_sequence: Vec::new(),
            grid: Grid::new(size, options.scrollback),
            hidden: None,
            main_cursor: TrackedCursor::default(),
            cursor: TrackedCursor::default(),
            pen: Pen::default(),
            margins: Margins::whole(size),
            charsets: Charsets::default(),
            modes: Mode::INITIAL,
            xtsaved_modes: SavedModes::default(),
            remembered_modes: RememberedModes::default(),
            tabs: Vec::new(),
            saved_cursors: [SavedCursor::default(), SavedCursor::default()],
            pen_stack: PenStack::default(),
            change_rectangles: false,
            checksum: Checksum::default(),
            cursor_look: CursorLook::DEFAULT,
            preceding: None,
            titles: Titles::default(),
            working_directory: String::new(),
            colors: ColorState::default(),
            keyboards: [Vec::new(), Vec::new()],
            request: None,
            string_in_progress: None,
            partial_image: None,
            builder: RowBuilder::new(),
            blank_row: Arc::default(),
            undelivered: UndeliveredCells::default(),
            frozen_screen: None,
            transient_screens: Vec::new(),
            repaint_detector: RepaintDetector::default(),
            options,
        };
        terminal.reset_tabs();
        terminal.undelivered.reset(size.rows.into());
        terminal.repaint_detector.reset(size.rows.into());
        terminal
    }

    pub(super) fn size(&self) -> Size {
        Size {
            cols: self.cols() as u16,
            rows: self.rows() as u16,
        }
    }

    #[inline]
    pub(super) fn rows(&self) -> usize {
        self.grid.rows()
    }

    #[inline]
    pub(super) fn cols(&self) -> usize {
        self.grid.cols()
    }

    pub(super) fn line(&mut self) -> &mut Line {
        self.grid.line_mut(self.cursor.row)
    }

    pub(super) fn resize(&mut self, size: Size) {
        // A resize to the current size changes nothing, neither margins nor an update in progress.
        if size == self.size() {
            return;
        }
        self.store_transient_if(|cells| cells.touches_rows(0..usize::MAX));
        // A resize ends a synchronized update: the program redraws for the new size.
        self.frozen_screen = None;
        self.resize_grids(size);
        self.margins = Margins::whole(size);
        let known = self.tabs.len();
        self.tabs.resize(size.cols.into(), false);
        for col in (known.next_multiple_of(8)..self.tabs.len()).step_by(8) {
            self.tabs[col] = true;
        }
        self.undelivered.reset(size.rows.into());
        self.repaint_detector.reset(size.rows.into());
        if self.modes.contains(Mode::RESIZE_REPORTS) {
            self.report_size();
        }
    }

    /// Resizes both screens and moves their cursors. A cursor that no program saved stays at the
    /// top left.
    fn resize_grids(&mut self, size: Size) {
        let is_alternate = self.is_alternate();
        let [main_saved, alternate_saved] = &mut self.saved_cursors;
        let (main_saved, alternate_saved) = (main_saved.tracked(), alternate_saved.tracked());
        let (shown_saved, hidden_saved) = if is_alternate {
            (alternate_saved, main_saved)
        } else {
            (main_saved, alternate_saved)
        };
        let mut shown = vec![&mut self.cursor];
        shown.extend(shown_saved);
        self.grid.resize(size, !is_alternate, &mut shown);
        let mut hidden = Vec::new();
        if is_alternate {
            hidden.push(&mut self.main_cursor);
        }
        hidden.extend(hidden_saved);
        match &mut self.hidden {
            Some(grid) => grid.resize(size, is_alternate, &mut hidden),
            // Only the saved cursor of the alternate screen exists; it stays inside the screen.
            None => hidden.iter_mut().for_each(|cursor| cursor.limit(size)),
        }
    }

    /// Counts work in addition to that of the bytes.
    #[inline]
    pub(super) fn add_work(&mut self, units: usize) {
        self.work += units as Work;
    }

    /// Counts the work of writing or moving every cell of these rows.
    pub(super) fn add_work_of_rows(&mut self, rows: usize) {
        self.add_work(rows * self.cols());
    }

    pub(super) fn unknown(&mut self, sequence: String) {
        // Its name is formatted and looked up.
        self.add_work(512);
        self.notes.add_unknown(sequence);
    }

    /// Handles a control character.
    pub(super) fn control(&mut self, byte: u8) {
        match byte {
            0x07 => self.notes.counts.bells += 1,
            0x08 => self.back(1),
            0x09 => self.tab(),
            0x0a..=0x0c => {
                self.index();
                if self.modes.contains(Mode::NEWLINE) {
                    self.carriage_return();
                }
            }
            0x0d => self.carriage_return(),
            0x0e => self.charsets.lock_left(1),
            0x0f => self.charsets.lock_left(0),
            _ => {}
        }
    }

    /// Records that a row was written or erased.
    #[inline]
    pub(super) fn record_drawn_row(&mut self, row: usize) {
        if self.repaint_detector.draw(row) {
            self.notes.counts.repaints += 1;
        }
    }

    /// Records that the whole screen was erased.
    pub(super) fn record_clear(&mut self) {
        self.notes.counts.clears += 1;
        if self.repaint_detector.clear() {
            self.notes.counts.repaints += 1;
        }
    }

    /// RIS: resets the terminal, except its working directory and the last printed character. The
    /// titles and the stacks of titles and pens stay, as in xterm.
    pub(super) fn reset(&mut self) {
        self.before_loss(0..usize::MAX);
        self.add_work_of_rows(2 * self.rows());
        self.end_synchronized();
        self.notes.unfinished_update = false;
        self.record_clear();
        let size = self.size();
        let fresh = Terminal::new(size, self.options.clone());
        let old = std::mem::replace(self, fresh);
        self.notes = old.notes;
        self.replies = old.replies;
        self.work = old.work;
        self.sequence_done = old.sequence_done;
        self.raw_sequence = old.raw_sequence;
        self.working_directory = old.working_directory;
        self.titles = Titles {
            set_as_hex: false,
            report_as_hex: false,
            ..old.titles
        };
        self.pen_stack = old.pen_stack;
        self.preceding = old.preceding;
        self.partial_image = old.partial_image;
        self.transient_screens = old.transient_screens;
        self.repaint_detector = old.repaint_detector;
    }

    /// DECSTR: resets some modes, the margins, the pen, the character sets, the saved cursor, the
    /// cursor's shape and the indexed colours. The text and the cursor's position stay.
    pub(super) fn soft_reset(&mut self) {
        self.modes.remove(
            Mode::ORIGIN
                | Mode::APPLICATION_CURSOR
                | Mode::APPLICATION_KEYPAD
                | Mode::INSERT
                | Mode::REVERSE_WRAP
                | Mode::EXTENDED_REVERSE_WRAP
                | Mode::LEFT_RIGHT_MARGINS,
        );
        self.modes.insert(Mode::AUTOWRAP | Mode::CURSOR_VISIBLE);
        self.margins = Margins::whole(self.size());
        self.pen.reset_style();
        self.pen.cell.flags.remove(CellFlags::PROTECTED);
        self.modes.remove(Mode::ERASING_RESPECTS_PROTECTION);
        self.charsets = Charsets::default();
        self.cursor_look = CursorLook::DEFAULT;
        self.saved_cursors[usize::from(self.is_alternate())] = SavedCursor::default();
        self.colors.soft_reset();
    }

    /// DECST8C: sets a tab stop every eight columns.
    pub(super) fn reset_tabs(&mut self) {
        self.add_work_of_rows(1);
        self.tabs = (0..self.cols()).map(|col| col % 8 == 0).collect();
    }

    /// Returns the columns of the cursor's row from the cursor to the right edge or margin.
    pub(super) fn cols_right_of_cursor(&self) -> Range<usize> {
        self.cursor.col..self.right_limit()
    }
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal")
            .field("cursor", &self.cursor)
            .field("title", &self.titles.window)
            .finish_non_exhaustive()
    }
}
