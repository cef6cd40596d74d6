//! What each sequence does.
//!
//! [`Machine`] is the bought terminal with everything it lacks beside it. The parser calls it for every sequence; what
//! the terminal knows goes to the terminal, as the crate's own processor would do it, and the rest is done here and in
//! the files beside. `additions` off leaves only the first part, for the differential test.

use std::ops::Range;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::{Cursor as GridCursor, Dimensions};
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::Cell;
use alacritty_terminal::term::{Term, TermMode};
use alacritty_terminal::vte::ansi::{
    Attr, CharsetIndex, ClearMode, CursorShape, CursorStyle, Handler, LineClearMode, NamedMode,
    StandardCharset, TabulationClearMode,
};
use alacritty_terminal::vte::{self, Perform};

use super::fresh::Fresh;
use super::params::{Params, Plain};
use super::pen::Extra;
use super::replies::DcsQuery;
use super::view::View;
use super::{GridSize, term};
use crate::emulator::{Notes, Options, Passed};
use crate::geometry::Size;
use crate::modes::KittyKeyboard;
use crate::screen::Screen;

/// What DECSC saves and the bought terminal does not.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Saved {
    pub(super) origin: bool,
    pub(super) charset: CharsetIndex,
}

/// The bought terminal and what it lacks.
pub(super) struct Machine {
    pub(super) term: Term<VoidListener>,
    pub(super) additions: bool,
    pub(super) options: Options,
    pub(super) notes: Notes,
    pub(super) replies: Vec<u8>,
    /// Set when the parser is back between sequences, and makes it stop there.
    pub(super) sequence_done: bool,
    /// The last printed character, which REP repeats.
    pub(super) preceding: Option<char>,
    /// The character set in use; the terminal keeps its own to itself.
    pub(super) charset: CharsetIndex,
    /// The scrolling rows; the terminal keeps its own to itself.
    pub(super) region: Range<usize>,
    /// The pen's styles and zone beyond the terminal's own.
    pub(super) extra: Extra,
    pub(super) title: String,
    pub(super) titles: Vec<String>,
    pub(super) working_directory: String,
    /// The kitty keyboard flags of the main and the alternate screen, newest last.
    pub(super) keyboards: [Vec<KittyKeyboard>; 2],
    /// What DECSC saved of the main and the alternate screen, beside what the terminal saves itself.
    pub(super) saved: [Saved; 2],
    /// The main screen's saved cursor while ?47 or ?1047 shows the other: entering overwrites it.
    pub(super) kept_cursor: Option<GridCursor<Cell>>,
    pub(super) query: Option<DcsQuery>,
    pub(super) view: View,
    pub(super) fresh: Fresh,
    /// The screen as it was when a synchronized update began.
    pub(super) frozen: Option<Screen>,
    pub(super) passed: Vec<Screen>,
}

impl Machine {
    pub(super) fn new(size: Size, options: Options) -> Machine {
        let mut machine = Machine {
            term: term(size, options.scrollback),
            additions: true,
            options,
            notes: Notes::default(),
            replies: Vec::new(),
            sequence_done: false,
            preceding: None,
            charset: CharsetIndex::G0,
            region: 0..size.rows.into(),
            extra: Extra::NONE,
            title: String::new(),
            titles: Vec::new(),
            working_directory: String::new(),
            keyboards: [Vec::new(), Vec::new()],
            saved: [Saved::default(); 2],
            kept_cursor: None,
            query: None,
            view: View::default(),
            fresh: Fresh::default(),
            frozen: None,
            passed: Vec::new(),
        };
        machine.fresh.reset(size.rows.into());
        machine
    }

    pub(super) fn resize(&mut self, size: Size) {
        // The same size again changes nothing, neither margins nor an update under way.
        if (size.cols, size.rows) == (self.term.columns() as u16, self.term.screen_lines() as u16) {
            return;
        }
        self.keep_screen_if(|fresh| fresh.touches_rows(0..usize::MAX));
        // A size change ends what was frozen: the program redraws for the new one.
        self.frozen = None;
        self.term.resize(GridSize(size));
        self.region = 0..size.rows.into();
        self.fresh.reset(size.rows.into());
        if let Some(cursor) = &mut self.kept_cursor {
            // The terminal moves the cursors it knows; one outside the screen would make it panic.
            cursor.point.line = cursor.point.line.min(self.term.bottommost_line());
            cursor.point.column = cursor.point.column.min(self.term.last_column());
        }
    }

    fn unknown(&mut self, sequence: String) {
        self.notes.add_unknown(sequence);
    }

    /// A control character.
    pub(super) fn control(&mut self, byte: u8) {
        match byte {
            0x07 => self.notes.bells += 1,
            0x08 => self.term.backspace(),
            0x09 => {
                // A tab after the last column goes to the next row.
                if self.wraps_next() {
                    self.before_line_feed();
                }
                self.term.put_tab(1);
            }
            0x0a..=0x0c => {
                self.line_feed();
                // The crate's processor never asks whether a line feed also returns (LNM).
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

    fn line_feed(&mut self) {
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

    /// Moves the cursor to a row of the screen, whatever the origin mode.
    fn go_to(&mut self, row: usize, col: usize) {
        let origin = if self.term.mode().contains(TermMode::ORIGIN) {
            self.region.start
        } else {
            0
        };
        self.term.goto(row as i32 - origin as i32, col);
    }

    /// CUU: up to the top margin, or to the top when the cursor is above the margin.
    fn up(&mut self, rows: usize) {
        let row = self.row();
        let top = if row >= self.region.start {
            self.region.start
        } else {
            0
        };
        self.go_to(row.saturating_sub(rows).max(top), self.col());
    }

    /// CUD: down to the bottom margin, or to the bottom when the cursor is below the margin.
    fn down(&mut self, rows: usize) {
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
        // A region has two rows at least; of margins below the screen nothing would be left.
        if self.additions && top >= end.min(lines) {
            return;
        }
        if top < end {
            self.region = (top - 1).min(lines)..end.min(lines);
        }
        self.term.set_scrolling_region(top, bottom);
    }

    fn repeat(&mut self, count: usize) {
        let Some(c) = self.preceding else { return };
        // Beyond a full screen every further row is the same; what is left decides the column.
        let cols = self.term.columns();
        let most = cols * (self.term.screen_lines() + 1);
        let count = if self.additions && count > most {
            most + (count - most) % cols
        } else {
            count
        };
        for _ in 0..count {
            self.print_char(c);
        }
    }

    fn clear_screen(&mut self, mode: ClearMode) {
        let (row, lines) = (self.row(), self.term.screen_lines());
        let lost = match mode {
            ClearMode::Below => row..lines,
            ClearMode::Above => 0..row + 1,
            ClearMode::All => 0..lines,
            ClearMode::Saved => 0..0,
        };
        self.before_loss(lost);
        let all = matches!(mode, ClearMode::All);
        // From the second row upwards the crate forgets the first.
        if self.additions && row == 1 && matches!(mode, ClearMode::Above) {
            self.term.grid_mut().reset_region(..Line(1));
        }
        self.term.clear_screen(mode);
        if all {
            self.fresh.clear();
        }
    }

    fn clear_line(&mut self, mode: LineClearMode) {
        let (col, cols) = (self.col(), self.term.columns());
        let lost = match mode {
            LineClearMode::Right => col..cols,
            LineClearMode::Left => 0..col + 1,
            LineClearMode::All => 0..cols,
        };
        self.before_loss_in_row(lost);
        self.term.clear_line(mode);
    }

    /// RIS: everything as at the start.
    fn reset(&mut self) {
        self.before_loss(0..usize::MAX);
        self.end_synchronized();
        self.term.reset_state();
        self.charset = CharsetIndex::G0;
        self.region = 0..self.term.screen_lines();
        self.extra = Extra::NONE;
        self.titles.clear();
        self.title.clear();
        self.keyboards = [Vec::new(), Vec::new()];
        self.saved = [Saved::default(); 2];
        self.kept_cursor = None;
        self.fresh.clear();
    }

    /// DECSTR: the modes, margins and pen as at the start; what is shown stays.
    fn soft_reset(&mut self) {
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
        self.set_extra(Extra {
            zone: self.extra.zone,
            ..Extra::NONE
        });
        self.use_charset(CharsetIndex::G0);
        let grid = self.term.grid_mut();
        grid.cursor.charsets = Default::default();
        grid.saved_cursor = GridCursor::default();
        self.saved[usize::from(self.is_alternate())] = Saved::default();
        self.go_to(cursor.line.0 as usize, cursor.column.0);
    }

    /// DECALN: the screen full of `E`, the margins and the cursor as at the start.
    fn align(&mut self) {
        self.before_loss(0..usize::MAX);
        self.term.decaln();
        if self.additions {
            self.unset_private_mode(6);
            self.set_region(1, None);
            self.go_to(0, 0);
        }
        let (lines, cols) = (self.term.screen_lines(), self.term.columns());
        (0..lines).for_each(|row| self.fresh.add(row, 0..cols));
    }

    /// Goes over tab stops, forwards or back. The crate would leave a wrap pending that was before.
    fn tabs(&mut self, go: impl FnOnce(&mut Term<VoidListener>)) {
        go(&mut self.term);
        if self.additions {
            self.term.grid_mut().cursor.input_needs_wrap = false;
        }
    }

    /// DECST8C: a tab stop every eight columns. The crate only sets them where the cursor is.
    fn reset_tabs(&mut self) {
        self.term.clear_tabs(TabulationClearMode::All);
        let col = self.term.grid().cursor.point.column;
        for stop in (0..self.term.columns()).step_by(8) {
            self.term.grid_mut().cursor.point.column = Column(stop);
            self.term.set_horizontal_tabstop();
        }
        self.term.grid_mut().cursor.point.column = col;
    }

    pub(super) fn set_extra(&mut self, extra: Extra) {
        self.extra = extra;
        extra.put(&mut self.term.grid_mut().cursor.template);
    }

    /// DECSC: the cursor with its pen, the origin mode and the character set in use.
    pub(super) fn save_cursor(&mut self) {
        self.term.save_cursor_position();
        self.saved[usize::from(self.is_alternate())] = Saved {
            origin: self.term.mode().contains(TermMode::ORIGIN),
            charset: self.charset,
        };
    }

    /// Restores what DECSC saved; the pen may be another.
    pub(super) fn restore_cursor(&mut self) {
        if self.additions {
            let saved = self.saved[usize::from(self.is_alternate())];
            self.restore(saved);
        }
        self.term.restore_cursor_position();
        self.extra = Extra {
            zone: self.extra.zone,
            ..Extra::of(&self.term.grid().cursor.template)
        };
        if self.additions && Extra::of(&self.term.grid().cursor.template) != self.extra {
            self.set_extra(self.extra);
        }
    }

    /// The cursor goes home where the origin mode changes, so it is put back afterwards.
    pub(super) fn restore(&mut self, saved: Saved) {
        if saved.origin {
            self.set_private_mode(6);
        } else {
            self.unset_private_mode(6);
        }
        self.use_charset(saved.charset);
    }

    fn set_cursor_style(&mut self, id: u16) -> bool {
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

/// Keeping screens that would be lost.
impl Machine {
    /// How many are kept until somebody takes them; the oldest go first. Of large screens it is fewer, so that all
    /// together they hold at most 16 million cells of eight bytes.
    const MOST_PASSED: usize = 1024;
    const MOST_PASSED_CELLS: usize = 16 << 20;

    fn is_keeping(&self) -> bool {
        self.options.passed == Passed::Kept && self.frozen.is_none()
    }

    fn keep_screen_if(&mut self, lost: impl Fn(&Fresh) -> bool) {
        if self.is_keeping() && lost(&self.fresh) {
            self.keep_screen();
        }
    }

    pub(super) fn keep_screen(&mut self) {
        let screen = self.look();
        self.keep(screen);
    }

    pub(super) fn keep(&mut self, screen: Screen) {
        if self.passed.last() != Some(&screen) {
            let cells = self.term.columns() * self.term.screen_lines();
            let most = (Machine::MOST_PASSED_CELLS / cells).clamp(4, Machine::MOST_PASSED);
            let over = (self.passed.len() + 1).saturating_sub(most);
            self.passed.drain(..over);
            self.passed.push(screen);
        }
    }

    pub(super) fn take_passed(&mut self) -> Vec<Screen> {
        std::mem::take(&mut self.passed)
    }

    /// Rows are about to lose what they show.
    pub(super) fn before_loss(&mut self, rows: Range<usize>) {
        self.keep_screen_if(|fresh| fresh.touches_rows(rows.clone()));
    }

    /// Cells of the cursor's row are about to lose what they show.
    fn before_loss_in_row(&mut self, cols: Range<usize>) {
        let row = self.row();
        self.keep_screen_if(|fresh| fresh.touches(row, cols.clone()));
    }

    /// Cells of a row are about to be written; what was there is lost.
    #[inline]
    pub(super) fn before_print(&mut self, row: usize, cols: Range<usize>) {
        if self.options.passed == Passed::Kept {
            self.keep_screen_if(|fresh| fresh.touches(row, cols.clone()));
            self.fresh.add(row, cols);
        }
    }

    /// A character is about to be written that may wrap first.
    #[inline]
    pub(super) fn before_input(&mut self, c: char) {
        if self.options.passed == Passed::Dropped {
            return;
        }
        let width = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        let (mut row, mut col) = (self.row(), self.col());
        let cols = self.term.columns();
        let does_not_fit = col + width > cols && self.term.mode().contains(TermMode::LINE_WRAP);
        if does_not_fit && !self.wraps_next() {
            // A wide character leaves the last column blank and goes to the next row.
            self.before_print(row, col..cols);
        }
        if does_not_fit || self.wraps_next() {
            self.before_line_feed();
            if row + 1 != self.region.end {
                row = (row + 1).min(self.term.screen_lines() - 1);
            }
            col = 0;
        }
        if self.term.mode().contains(TermMode::INSERT) && col + width < cols {
            self.keep_screen_if(|fresh| fresh.touches(row, cols - width..cols));
            self.fresh.push_right(row, col..col + width, cols);
        } else {
            self.before_print(row, col..col + width);
        }
    }

    /// Whether the next character goes to the next row.
    fn wraps_next(&self) -> bool {
        self.term.grid().cursor.input_needs_wrap && self.term.mode().contains(TermMode::LINE_WRAP)
    }

    /// The cursor is about to go down a row, or the region to scroll up under it.
    fn before_line_feed(&mut self) {
        if self.options.passed == Passed::Kept && self.row() + 1 == self.region.end {
            self.before_scroll_up(self.region.clone(), 1);
        }
    }

    fn before_scroll_up(&mut self, region: Range<usize>, lines: usize) {
        if self.options.passed == Passed::Dropped {
            return;
        }
        // What leaves the top of the main screen is not lost: it is in the scrollback.
        let lost = region.start > 0 || self.term.mode().contains(TermMode::ALT_SCREEN);
        if lost {
            self.before_loss(region.start..(region.start + lines).min(region.end));
        }
        self.fresh.scroll_up(region, lines);
    }

    fn before_scroll_down(&mut self, region: Range<usize>, lines: usize) {
        if self.options.passed == Passed::Dropped {
            return;
        }
        self.before_loss(region.end.saturating_sub(lines).max(region.start)..region.end);
        self.fresh.scroll_down(region, lines);
    }

    /// The part of the scrolling region from the cursor on; `None` when the cursor is outside.
    fn region_below(&self) -> Option<Range<usize>> {
        self.region
            .contains(&self.row())
            .then(|| self.row()..self.region.end)
    }
}

impl Perform for Machine {
    #[inline]
    fn print(&mut self, c: char) {
        // The parser prints between sequences only, so this is the end of one that it dropped.
        self.sequence_done = true;
        self.print_char(c);
    }

    #[inline]
    fn execute(&mut self, byte: u8) {
        // CAN and SUB end whatever sequence was under way.
        if matches!(byte, 0x18 | 0x1a) {
            self.sequence_done = true;
        }
        self.control(byte);
    }

    fn hook(&mut self, params: &vte::Params, intermediates: &[u8], ignore: bool, action: char) {
        self.query = if ignore {
            None
        } else {
            DcsQuery::new(intermediates, action)
        };
        if self.query.is_none() {
            self.unknown(name("DCS", &params.into(), intermediates, action));
        }
    }

    fn put(&mut self, byte: u8) {
        if let Some(query) = &mut self.query {
            query.push(byte);
        }
    }

    fn unhook(&mut self) {
        if let Some(query) = self.query.take() {
            self.answer_dcs(&query);
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], bell_terminated: bool) {
        // Ended by an escape, the parser is already inside the next sequence, usually the terminator.
        self.sequence_done = bell_terminated;
        self.operating_system_command(params, bell_terminated);
    }

    fn csi_dispatch(
        &mut self,
        params: &vte::Params,
        intermediates: &[u8],
        ignore: bool,
        action: char,
    ) {
        self.sequence_done = true;
        self.control_sequence(&params.into(), intermediates, ignore, action);
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        self.sequence_done = true;
        if !self.esc(intermediates, byte) {
            let intermediates = String::from_utf8_lossy(intermediates);
            self.unknown(format!("ESC {intermediates}{}", char::from(byte)));
        }
    }

    #[inline]
    fn terminated(&self) -> bool {
        self.sequence_done
    }
}

impl Machine {
    /// A control sequence that did not need the parser.
    #[inline]
    pub(super) fn plain_sequence(&mut self, plain: &Plain) {
        self.control_sequence(&plain.params, plain.mark.as_slice(), false, plain.action);
    }

    #[inline]
    fn control_sequence(
        &mut self,
        params: &Params,
        intermediates: &[u8],
        ignore: bool,
        action: char,
    ) {
        if ignore || !self.csi(params, intermediates, action) {
            let sequence = name("CSI", params, intermediates, action);
            if super::replies::is_query(params, intermediates, action) {
                self.notes.add_unanswered(sequence.clone());
            }
            self.unknown(sequence);
        }
    }

    /// A control sequence; false when it is not known.
    #[inline]
    fn csi(&mut self, params: &Params, intermediates: &[u8], action: char) -> bool {
        let mut numbers = params.iter().map(|param| param[0]);
        let mut next_or = |default: u16| match numbers.next() {
            Some(0) | None => default,
            Some(number) => number,
        };
        let first = params.first();
        match (action, intermediates) {
            ('m', []) => return self.select_graphics(params),
            ('H' | 'f', []) => {
                let row = i32::from(next_or(1)) - 1;
                self.term.goto(row, usize::from(next_or(1)) - 1);
            }
            ('K', []) => match next_or(0) {
                0 => self.clear_line(LineClearMode::Right),
                1 => self.clear_line(LineClearMode::Left),
                2 => self.clear_line(LineClearMode::All),
                _ => return false,
            },
            ('J', []) => match next_or(0) {
                0 => self.clear_screen(ClearMode::Below),
                1 => self.clear_screen(ClearMode::Above),
                2 => self.clear_screen(ClearMode::All),
                3 => self.clear_screen(ClearMode::Saved),
                _ => return false,
            },
            ('A', []) if self.additions => self.up(next_or(1).into()),
            ('A', []) => self.term.move_up(next_or(1).into()),
            ('B', []) if self.additions => self.down(next_or(1).into()),
            ('e', []) if self.additions => {
                let row = self.row() + usize::from(next_or(1));
                self.go_to(row, self.col());
            }
            ('B' | 'e', []) => self.term.move_down(next_or(1).into()),
            ('C' | 'a', []) => self.term.move_forward(next_or(1).into()),
            ('D', []) => self.term.move_backward(next_or(1).into()),
            ('E', []) if self.additions => {
                self.down(next_or(1).into());
                self.term.carriage_return();
            }
            ('E', []) => self.term.move_down_and_cr(next_or(1).into()),
            ('F', []) if self.additions => {
                self.up(next_or(1).into());
                self.term.carriage_return();
            }
            ('F', []) => self.term.move_up_and_cr(next_or(1).into()),
            ('G' | '`', []) if self.additions => {
                let row = self.row();
                self.go_to(row, usize::from(next_or(1)) - 1);
            }
            ('G' | '`', []) => self.term.goto_col(usize::from(next_or(1)) - 1),
            ('d', []) => self.term.goto_line(i32::from(next_or(1)) - 1),
            ('I', []) => self.tabs(|term| term.move_forward_tabs(next_or(1))),
            ('Z', []) => self.tabs(|term| term.move_backward_tabs(next_or(1))),
            ('@', []) => {
                self.before_loss_in_row(self.col()..self.term.columns());
                self.term.insert_blank(next_or(1).into());
            }
            ('P', []) => {
                let (col, cols) = (self.col(), self.term.columns());
                self.before_loss_in_row(col..cols);
                // Asked for more than there are, the crate also clears what is left of the cursor.
                let most = if self.additions { cols - col } else { cols };
                self.term.delete_chars(most.min(next_or(1).into()));
            }
            ('X', []) => {
                let count = usize::from(next_or(1));
                self.before_loss_in_row(self.col()..self.col() + count);
                self.term.erase_chars(count);
            }
            ('L', []) => {
                let count = usize::from(next_or(1));
                if let Some(region) = self.region_below() {
                    self.before_scroll_down(region, count);
                }
                self.term.insert_blank_lines(count);
            }
            ('M', []) => {
                let count = usize::from(next_or(1));
                if let Some(region) = self.region_below() {
                    self.before_scroll_up(region, count);
                }
                self.term.delete_lines(count);
            }
            ('S', []) => {
                let count = usize::from(next_or(1));
                self.before_scroll_up(self.region.clone(), count);
                self.term.scroll_up(count);
            }
            ('T', []) => {
                let count = usize::from(next_or(1));
                self.before_scroll_down(self.region.clone(), count);
                self.term.scroll_down(count);
            }
            ('b', []) => self.repeat(next_or(1).into()),
            ('r', []) => {
                let top = usize::from(next_or(1));
                let bottom = params
                    .iter()
                    .nth(1)
                    .map(|param| usize::from(param[0]))
                    .filter(|bottom| *bottom != 0);
                self.set_region(top, bottom);
            }
            ('g', []) => match next_or(0) {
                0 => self.term.clear_tabs(TabulationClearMode::Current),
                3 => self.term.clear_tabs(TabulationClearMode::All),
                _ => return false,
            },
            ('W', [b'?']) if first == 5 && self.additions => self.reset_tabs(),
            ('W', [b'?']) if first == 5 => {}
            ('h', []) => return self.set_modes(params, true),
            ('l', []) => return self.set_modes(params, false),
            ('h', [b'?']) => return self.set_private_modes(params, true),
            ('l', [b'?']) => return self.set_private_modes(params, false),
            ('q', [b' ']) => return self.set_cursor_style(next_or(0)),
            ('s', []) => self.save_cursor(),
            ('u', []) => self.restore_cursor(),
            ('u', [b'=' | b'>' | b'<']) => {
                let (first, second) = (next_or(0), next_or(1));
                self.set_keyboard(intermediates[0], first, second);
            }
            ('t', []) if first == 22 => self.push_title(),
            ('t', []) if first == 23 => self.pop_title(),
            ('p', [b'!']) if self.additions => self.soft_reset(),
            _ => return self.answer_csi(params, intermediates, action),
        }
        true
    }

    /// An escape sequence; false when it is not known.
    fn esc(&mut self, intermediates: &[u8], byte: u8) -> bool {
        match (byte, intermediates) {
            (b'B' | b'0', [set @ (b'(' | b')' | b'*' | b'+')]) => {
                let index = match set {
                    b'(' => CharsetIndex::G0,
                    b')' => CharsetIndex::G1,
                    b'*' => CharsetIndex::G2,
                    _ => CharsetIndex::G3,
                };
                let charset = if byte == b'B' {
                    StandardCharset::Ascii
                } else {
                    StandardCharset::SpecialCharacterAndLineDrawing
                };
                self.term.configure_charset(index, charset);
            }
            (b'D', []) => self.line_feed(),
            (b'E', []) => {
                self.line_feed();
                self.term.carriage_return();
            }
            (b'H', []) => self.term.set_horizontal_tabstop(),
            (b'M', []) => {
                if self.row() == self.region.start {
                    self.before_scroll_down(self.region.clone(), 1);
                }
                self.term.reverse_index();
            }
            (b'Z', []) => self.answer_primary_attributes(),
            (b'c', []) => self.reset(),
            (b'7', []) => self.save_cursor(),
            (b'8', []) => self.restore_cursor(),
            (b'8', [b'#']) => self.align(),
            (b'=', []) => self.term.set_keypad_application_mode(),
            (b'>', []) => self.term.unset_keypad_application_mode(),
            // The string terminator: the string itself was dealt with when it ended.
            (b'\\', []) => {}
            _ => return false,
        }
        true
    }
}

/// A sequence for people: `CSI ? 69 h`.
pub(super) fn name(kind: &str, params: &Params, intermediates: &[u8], action: char) -> String {
    let numbers = params
        .iter()
        .map(|param| {
            let parts: Vec<String> = param.iter().map(u16::to_string).collect();
            parts.join(":")
        })
        .collect::<Vec<_>>()
        .join(";");
    // The private marks `<=>?` stand before the numbers, true intermediates after.
    let (before, after): (Vec<u8>, Vec<u8>) = intermediates
        .iter()
        .partition(|b| (0x3c..=0x3f).contains(*b));
    [
        kind,
        &String::from_utf8_lossy(&before),
        &numbers,
        &String::from_utf8_lossy(&after),
        &action.to_string(),
    ]
    .iter()
    .filter(|part| !part.is_empty())
    .copied()
    .collect::<Vec<_>>()
    .join(" ")
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine")
            .field("cursor", &self.term.grid().cursor.point)
            .field("title", &self.title)
            .finish_non_exhaustive()
    }
}
