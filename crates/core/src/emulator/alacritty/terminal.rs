//! The wrapped terminal with the state and operations that it lacks.
//!
//! This file has the operations on the terminal as a whole: moving, clearing, resetting, saving.
//! `sequences.rs` maps sequences to them. With `additions` off, only the behaviour of the wrapped
//! crate remains, for the differential test.

use std::ops::Range;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::{Cursor as GridCursor, Dimensions, Grid};
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::Cell;
use alacritty_terminal::term::{Term, TermMode};
use alacritty_terminal::vte::ansi::{
    Attr, CharsetIndex, ClearMode, CursorShape, CursorStyle, Handler, LineClearMode, NamedMode,
    TabulationClearMode,
};

use super::print::ordinary_width;
use super::read_grid::GridReader;
use super::scrollback::compressed::CompressedScrollback;
use super::scrollback::growth::ScrollbackCapacity;
use super::sequences::images::StringInProgress;
use super::sequences::replies::DcsQuery;
use super::{GridSize, term};
use crate::emulator::colors::ColorState;
use crate::emulator::{EmulatorOptions, Image, Notes, TransientScreen, Work};
use crate::screen::Screen;
use crate::screen::geometry::Size;
use crate::screen::modes::KittyKeyboard;
use extra_attrs::ExtraAttrs;
use repaint::RepaintDetector;
use undelivered::UndeliveredCells;

mod alternate_screen;
mod erase_color_fix;
pub(super) mod extra_attrs;
mod modes;
mod repaint;
mod transient_screens;
mod undelivered;

/// State that DECSC saves and the wrapped terminal does not.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SavedModes {
    pub(super) origin: bool,
    pub(super) charset: CharsetIndex,
}

/// The wrapped terminal with the state that it lacks.
pub(super) struct Terminal {
    pub(super) term: Term<VoidListener>,
    pub(super) additions: bool,
    pub(super) options: EmulatorOptions,
    pub(super) notes: Notes,
    pub(super) replies: Vec<u8>,
    /// Work done since the last call of `feed_slice` began.
    pub(super) work: Work,
    /// Set at the end of a sequence; makes the parser stop there.
    pub(super) sequence_done: bool,
    /// The last printed character, which REP repeats.
    pub(super) preceding: Option<char>,
    /// The active character set; the wrapped terminal does not expose its own.
    pub(super) charset: CharsetIndex,
    /// The scrolling region; the wrapped terminal does not expose its own.
    pub(super) region: Range<usize>,
    /// Attributes and zone of the pen that the wrapped terminal does not support.
    pub(super) extra_attrs: ExtraAttrs,
    pub(super) title: String,
    pub(super) titles: Vec<String>,
    pub(super) working_directory: String,
    /// The colours that the program has changed.
    pub(super) colors: ColorState,
    /// The kitty keyboard flags of the main and the alternate screen, newest last.
    pub(super) keyboards: [Vec<KittyKeyboard>; 2],
    /// State that DECSC saved on the main and the alternate screen, in addition to the state that
    /// the wrapped terminal saves.
    pub(super) saved_modes: [SavedModes; 2],
    /// The main screen's saved cursor while ?47 or ?1047 shows the alternate screen: entering the
    /// alternate screen overwrites this cursor in the wrapped terminal.
    pub(super) saved_cursor_before_swap: Option<GridCursor<Cell>>,
    /// The main screen's saved cursor while the alternate screen is shown, if the main screen was
    /// read meanwhile: reading it makes the wrapped terminal lose this cursor.
    pub(super) saved_cursor_before_read: Option<GridCursor<Cell>>,
    pub(super) query: Option<DcsQuery>,
    /// Set to how a command ended, by a bell or not, whose parts `vte` did not split completely.
    pub(super) unsplit_osc: Option<bool>,
    /// The string in progress, if the parser does not store it.
    pub(super) string_in_progress: Option<StringInProgress>,
    /// The image of which only the first parts have arrived.
    pub(super) partial_image: Option<Image>,
    pub(super) grid_reader: GridReader,
    undelivered: UndeliveredCells,
    /// The screen from before the current synchronized update.
    pub(super) frozen_screen: Option<Screen>,
    pub(super) transient_screens: Vec<TransientScreen>,
    repaint_detector: RepaintDetector,
    pub(super) scrollback_capacity: ScrollbackCapacity,
    pub(super) compressed: CompressedScrollback,
    /// Whether the rows of the main screen are already prepared for a resize while the alternate
    /// screen is shown.
    pub(super) main_screen_prepared: bool,
}

impl Terminal {
    pub(super) fn new(size: Size, options: EmulatorOptions) -> Terminal {
        let mut terminal = Terminal {
            term: {
                let mut term = term(size, options.scrollback);
                alternate_screen::free_while_hidden(&mut term);
                term
            },
            additions: true,
            options,
            notes: Notes::default(),
            replies: Vec::new(),
            work: 0,
            sequence_done: false,
            preceding: None,
            charset: CharsetIndex::G0,
            region: 0..size.rows.into(),
            extra_attrs: ExtraAttrs::NONE,
            title: String::new(),
            titles: Vec::new(),
            working_directory: String::new(),
            colors: ColorState::default(),
            keyboards: [Vec::new(), Vec::new()],
            saved_modes: [SavedModes::default(); 2],
            saved_cursor_before_swap: None,
            saved_cursor_before_read: None,
            query: None,
            unsplit_osc: None,
            string_in_progress: None,
            partial_image: None,
            grid_reader: GridReader::default(),
            undelivered: UndeliveredCells::default(),
            frozen_screen: None,
            transient_screens: Vec::new(),
            repaint_detector: RepaintDetector::default(),
            scrollback_capacity: ScrollbackCapacity::UNKNOWN,
            compressed: CompressedScrollback::default(),
            main_screen_prepared: false,
        };
        terminal.undelivered.reset(size.rows.into());
        terminal.repaint_detector.reset(size.rows.into());
        terminal
    }

    pub(super) fn resize(&mut self, size: Size) {
        // A resize to the current size changes nothing, neither margins nor an update in progress.
        if (size.cols, size.rows) == (self.term.columns() as u16, self.term.screen_lines() as u16) {
            return;
        }
        self.store_transient_if(|cells| cells.touches_rows(0..usize::MAX));
        // A resize ends a synchronized update: the program redraws for the new size.
        self.frozen_screen = None;
        self.prepare_rows(size);
        self.term.resize(GridSize(size));
        alternate_screen::free_while_hidden(&mut self.term);
        self.apply_keyboard();
        self.region = 0..size.rows.into();
        self.undelivered.reset(size.rows.into());
        self.repaint_detector.reset(size.rows.into());
        self.scrollback_capacity = ScrollbackCapacity::UNKNOWN;
        let cursors = [
            &mut self.saved_cursor_before_swap,
            &mut self.saved_cursor_before_read,
        ];
        for cursor in cursors.into_iter().flatten() {
            // The wrapped terminal moves the cursors it knows; one outside the screen would make it
            // panic.
            cursor.point.line = cursor.point.line.min(self.term.bottommost_line());
            cursor.point.column = cursor.point.column.min(self.term.last_column());
        }
        if self.additions {
            self.drop_misplaced_wraps();
        }
    }

    /// Prepares the rows of both screens for a resize.
    fn prepare_rows(&mut self, size: Size) {
        if !self.is_alternate() {
            self.decompress_for_resize(size);
        } else if !std::mem::replace(&mut self.main_screen_prepared, true) {
            self.on_main_screen(|terminal| {
                terminal.decompress_all();
                terminal.fix_erase_colors();
            });
        }
        self.fix_erase_colors();
    }

    /// Runs `work` on the main screen while the alternate one is shown, before the main screen is
    /// resized. The wrapped terminal gives access to its other screen only by switching to it, and
    /// loses the cursor saved there when switching back. No information is lost: entering the
    /// alternate screen already overwrote the saved cursor with the cursor, and only a resize moves
    /// them.
    fn on_main_screen(&mut self, work: impl FnOnce(&mut Terminal)) {
        let shown = std::mem::replace(self.term.grid_mut(), Grid::new(1, 1, 0));
        self.term.swap_alt();
        debug_assert_eq!(self.term.grid().saved_cursor, self.term.grid().cursor);
        work(self);
        self.term.swap_alt();
        *self.term.grid_mut() = shown;
    }

    /// Keeps a pending wrap after a resize only if the cursor is still in the last column. The
    /// wrapped terminal leaves it pending in the middle of a row, where no program can put it, and
    /// would wrap the next character there.
    pub(super) fn drop_misplaced_wraps(&mut self) {
        let last = self.term.last_column();
        let grid = self.term.grid_mut();
        let known = [&mut grid.cursor, &mut grid.saved_cursor];
        let kept = [
            &mut self.saved_cursor_before_swap,
            &mut self.saved_cursor_before_read,
        ];
        for cursor in known.into_iter().chain(kept.into_iter().flatten()) {
            cursor.input_needs_wrap &= cursor.point.column == last;
        }
    }

    /// Counts work in addition to that of the bytes.
    #[inline]
    pub(super) fn add_work(&mut self, units: usize) {
        self.work += units as Work;
    }

    /// Counts the work of writing or moving every cell of these rows.
    pub(super) fn add_work_of_rows(&mut self, rows: usize) {
        self.add_work(rows * self.term.columns());
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
            0x08 => self.term.backspace(),
            0x09 => {
                // A tab after the last column moves to the next row.
                if self.wraps_next() {
                    self.before_line_feed();
                }
                let col = self.col();
                self.term.put_tab(1);
                self.add_work(self.col().saturating_sub(col));
            }
            0x0a..=0x0c => {
                self.line_feed();
                // The crate's processor ignores newline mode (LNM).
                if self.additions && self.term.mode().contains(TermMode::LINE_FEED_NEW_LINE) {
                    self.term.carriage_return();
                }
            }
            0x0d => self.term.carriage_return(),
            0x0e => self.use_charset(CharsetIndex::G1),
            0x0f => self.use_charset(CharsetIndex::G0),
            _ => {}
        }
    }

    pub(super) fn line_feed(&mut self) {
        self.before_line_feed();
        self.term.linefeed();
    }

    fn use_charset(&mut self, charset: CharsetIndex) {
        self.charset = charset;
        self.term.set_active_charset(charset);
    }

    pub(super) fn row(&self) -> usize {
        self.term.grid().cursor.point.line.0 as usize
    }

    pub(super) fn col(&self) -> usize {
        self.term.grid().cursor.point.column.0
    }

    /// Moves the cursor to a cell of the screen, independent of the origin mode.
    pub(super) fn go_to(&mut self, row: usize, col: usize) {
        let origin = if self.term.mode().contains(TermMode::ORIGIN) {
            self.region.start
        } else {
            0
        };
        self.term.goto(row as i32 - origin as i32, col);
    }

    /// CUU: moves up to the top margin, or to the top if the cursor is above the margin.
    pub(super) fn up(&mut self, rows: usize) {
        let row = self.row();
        let top = if row >= self.region.start {
            self.region.start
        } else {
            0
        };
        self.go_to(row.saturating_sub(rows).max(top), self.col());
    }

    /// CUD: moves down to the bottom margin, or to the bottom if the cursor is below the margin.
    pub(super) fn down(&mut self, rows: usize) {
        let row = self.row();
        let last = self.term.screen_lines() - 1;
        let bottom = if row < self.region.end {
            self.region.end - 1
        } else {
            last
        };
        self.go_to((row + rows).min(bottom), self.col());
    }

    pub(super) fn set_region(&mut self, top: usize, bottom: Option<usize>) {
        let lines = self.term.screen_lines();
        let end = bottom.unwrap_or(lines);
        // A region has at least two rows. Margins below the screen would leave none.
        if self.additions && top >= end.min(lines) {
            return;
        }
        if top < end {
            self.region = (top - 1).min(lines)..end.min(lines);
        }
        self.term.set_scrolling_region(top, bottom);
    }

    pub(super) fn repeat(&mut self, count: usize) {
        let Some(c) = self.preceding else { return };
        // After a full screen, all further rows are the same; the remainder decides the column.
        let cols = self.term.columns();
        let most = cols * (self.term.screen_lines() + 1);
        let count = if self.additions && count > most {
            most + (count - most) % cols
        } else {
            count
        };
        self.add_work(count);
        if ordinary_width(c).is_none() {
            return (0..count).for_each(|_| self.print_char(c));
        }
        // Print whole rows at a time, like text.
        let run = String::from_iter(std::iter::repeat_n(c, count.min(cols)));
        let mut left = count;
        while left > 0 {
            let chars = left.min(cols);
            let (part, _) = run.split_at(chars * c.len_utf8());
            self.print(part);
            left -= chars;
        }
    }

    pub(super) fn clear_screen(&mut self, mode: ClearMode) {
        let (row, lines) = (self.row(), self.term.screen_lines());
        let lost = match mode {
            ClearMode::Below => row..lines,
            ClearMode::Above => 0..row + 1,
            ClearMode::All => 0..lines,
            ClearMode::Saved => 0..0,
        };
        self.before_loss(lost.clone());
        self.add_work_of_rows(lost.len());
        let all = matches!(mode, ClearMode::All);
        if all && !self.is_alternate() {
            // The rows down to the last one with text are not lost: they scroll out. On a blank
            // screen, the first row does.
            let grid = self.term.grid();
            let last = (0..lines).rposition(|row| !grid[Line(row as i32)].is_clear());
            self.reserve_scrollback(last.unwrap_or(0) + 1);
        }
        if lost == (0..lines) && (all || self.is_at_edge(&mode)) {
            self.record_clear();
        } else {
            lost.for_each(|row| self.record_drawn_row(row));
        }
        // When erasing upwards from the second row, the crate does not erase the first row.
        if self.additions && row == 1 && matches!(mode, ClearMode::Above) {
            self.term.grid_mut().reset_region(..Line(1));
        }
        if matches!(mode, ClearMode::Saved) && !self.is_alternate() {
            self.drop_compressed();
        }
        self.term.clear_screen(mode);
        if all {
            self.undelivered.clear();
        }
    }

    /// Returns whether erasing below or above the cursor erases the cursor's whole row.
    fn is_at_edge(&self, mode: &ClearMode) -> bool {
        match mode {
            ClearMode::Below => self.col() == 0,
            ClearMode::Above => self.col() + 1 == self.term.columns(),
            ClearMode::All | ClearMode::Saved => false,
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

    pub(super) fn clear_line(&mut self, mode: LineClearMode) {
        let (col, cols) = (self.col(), self.term.columns());
        let lost = match mode {
            LineClearMode::Right => col..cols,
            LineClearMode::Left => 0..col + 1,
            LineClearMode::All => 0..cols,
        };
        self.before_loss_in_row(lost);
        self.add_work_of_rows(1);
        self.term.clear_line(mode);
        self.record_drawn_row(self.row());
    }

    /// RIS: resets the terminal, except its colours, its working directory and the last printed
    /// character.
    pub(super) fn reset(&mut self) {
        self.before_loss(0..usize::MAX);
        self.add_work_of_rows(2 * self.term.screen_lines());
        self.end_synchronized();
        self.notes.unfinished_update = false;
        self.record_clear();
        if self.is_alternate() {
            alternate_screen::free_grid(&mut self.term);
        }
        self.drop_compressed();
        self.term.reset_state();
        self.charset = CharsetIndex::G0;
        self.region = 0..self.term.screen_lines();
        self.extra_attrs = ExtraAttrs::NONE;
        self.titles.clear();
        self.title.clear();
        self.colors.reset();
        self.keyboards = [Vec::new(), Vec::new()];
        self.saved_modes = [SavedModes::default(); 2];
        self.saved_cursor_before_swap = None;
        self.saved_cursor_before_read = None;
        self.undelivered.clear();
    }

    /// DECSTR: resets some modes, the margins, the pen, the character sets, the saved cursor and
    /// the indexed colours. The text and the cursor's position stay.
    pub(super) fn soft_reset(&mut self) {
        let cursor = self.term.grid().cursor.point;
        for mode in [6, 1] {
            self.unset_private_mode(mode);
        }
        for mode in [7, 25] {
            self.set_private_mode(mode);
        }
        self.term.unset_mode(NamedMode::Insert.into());
        self.term.unset_keypad_application_mode();
        self.set_region(1, None);
        self.term.terminal_attribute(Attr::Reset);
        self.set_extra_attrs(ExtraAttrs {
            zone: self.extra_attrs.zone,
            ..ExtraAttrs::NONE
        });
        self.use_charset(CharsetIndex::G0);
        let grid = self.term.grid_mut();
        grid.cursor.charsets = Default::default();
        grid.saved_cursor = GridCursor::default();
        self.saved_modes[usize::from(self.is_alternate())] = SavedModes::default();
        self.colors.soft_reset();
        self.go_to(cursor.line.0 as usize, cursor.column.0);
    }

    /// DECALN: fills the screen with `E` and resets the margins and the cursor.
    pub(super) fn align(&mut self) {
        self.before_loss(0..usize::MAX);
        // The crate writes cell by cell, which takes twice as long as clearing rows.
        self.add_work_of_rows(2 * self.term.screen_lines());
        self.term.decaln();
        if self.additions {
            self.unset_private_mode(6);
            self.set_region(1, None);
            self.go_to(0, 0);
        }
        let (lines, cols) = (self.term.screen_lines(), self.term.columns());
        for row in 0..lines {
            self.undelivered.add(row, 0..cols);
            self.record_drawn_row(row);
        }
    }

    /// Moves over tab stops, forwards or back. The crate alone would keep an earlier pending wrap.
    pub(super) fn tabs(&mut self, go: impl FnOnce(&mut Term<VoidListener>)) {
        self.add_work_of_rows(1);
        go(&mut self.term);
        if self.additions {
            self.term.grid_mut().cursor.input_needs_wrap = false;
        }
    }

    /// DECST8C: sets a tab stop every eight columns. The crate can only set one at the cursor.
    pub(super) fn reset_tabs(&mut self) {
        self.add_work_of_rows(1);
        self.term.clear_tabs(TabulationClearMode::All);
        let col = self.term.grid().cursor.point.column;
        for stop in (0..self.term.columns()).step_by(8) {
            self.term.grid_mut().cursor.point.column = Column(stop);
            self.term.set_horizontal_tabstop();
        }
        self.term.grid_mut().cursor.point.column = col;
    }

    pub(super) fn set_extra_attrs(&mut self, extra: ExtraAttrs) {
        self.extra_attrs = extra;
        extra.put(&mut self.term.grid_mut().cursor.template);
    }

    /// DECSC: saves the cursor with its pen, the origin mode and the active character set.
    pub(super) fn save_cursor(&mut self) {
        self.term.save_cursor_position();
        self.saved_modes[usize::from(self.is_alternate())] = SavedModes {
            origin: self.term.mode().contains(TermMode::ORIGIN),
            charset: self.charset,
        };
    }

    /// DECRC: restores the state saved by DECSC, including the pen.
    pub(super) fn restore_cursor(&mut self) {
        if self.additions {
            let saved = self.saved_modes[usize::from(self.is_alternate())];
            self.restore(saved);
        }
        self.term.restore_cursor_position();
        self.extra_attrs = ExtraAttrs {
            zone: self.extra_attrs.zone,
            ..ExtraAttrs::of(&self.term.grid().cursor.template)
        };
        if self.additions && ExtraAttrs::of(&self.term.grid().cursor.template) != self.extra_attrs {
            self.set_extra_attrs(self.extra_attrs);
        }
    }

    /// Restores the origin mode and the character set. Changing the origin mode moves the cursor
    /// home, so the cursor must be restored afterwards.
    pub(super) fn restore(&mut self, saved: SavedModes) {
        if saved.origin {
            self.set_private_mode(6);
        } else {
            self.unset_private_mode(6);
        }
        self.use_charset(saved.charset);
    }

    pub(super) fn set_cursor_style(&mut self, id: u16) -> bool {
        let shape = match id {
            0 => None,
            1 | 2 => Some(CursorShape::Block),
            3 | 4 => Some(CursorShape::Underline),
            5 | 6 => Some(CursorShape::Beam),
            _ => return false,
        };
        self.term.set_cursor_style(shape.map(|shape| CursorStyle {
            shape,
            blinking: id % 2 == 1,
        }));
        true
    }
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal")
            .field("cursor", &self.term.grid().cursor.point)
            .field("title", &self.title)
            .finish_non_exhaustive()
    }
}
