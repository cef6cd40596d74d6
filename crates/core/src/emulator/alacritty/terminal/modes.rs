//! Modes, the alternate screen, synchronized updates, and reading the resulting screen.

use std::sync::Arc;

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::vte::ansi::{
    CursorShape as TermShape, Handler, KeyboardModes, KeyboardModesApplyBehavior, NamedMode,
    NamedPrivateMode,
};

use super::super::parsing::params::Params;
use super::extra_attrs::ExtraAttrs;
use super::{Terminal, alternate_screen};
use crate::emulator::TransientScreens;
use crate::screen::Screen;
use crate::screen::cursor::{Cursor, CursorShape};
use crate::screen::geometry::{Position, Size};
use crate::screen::modes::{KittyKeyboard, Modes, MouseEncoding, MouseTracking};
use crate::screen::row::Row;

/// Returns the private mode with this number, if the wrapped terminal supports it.
fn private(mode: u16) -> Option<NamedPrivateMode> {
    Some(match mode {
        1 => NamedPrivateMode::CursorKeys,
        3 => NamedPrivateMode::ColumnMode,
        6 => NamedPrivateMode::Origin,
        7 => NamedPrivateMode::LineWrap,
        12 => NamedPrivateMode::BlinkingCursor,
        25 => NamedPrivateMode::ShowCursor,
        1000 => NamedPrivateMode::ReportMouseClicks,
        1002 => NamedPrivateMode::ReportCellMouseMotion,
        1003 => NamedPrivateMode::ReportAllMouseMotion,
        1004 => NamedPrivateMode::ReportFocusInOut,
        1005 => NamedPrivateMode::Utf8Mouse,
        1006 => NamedPrivateMode::SgrMouse,
        1007 => NamedPrivateMode::AlternateScroll,
        1042 => NamedPrivateMode::UrgencyHints,
        1049 => NamedPrivateMode::SwapScreenAndSetRestoreCursor,
        2004 => NamedPrivateMode::BracketedPaste,
        _ => return None,
    })
}

impl Terminal {
    pub(crate) fn set_modes(&mut self, params: &Params, on: bool) -> bool {
        let mut known = true;
        for param in params.iter() {
            let mode = match param[0] {
                4 => NamedMode::Insert,
                20 => NamedMode::LineFeedNewLine,
                _ => {
                    known = false;
                    continue;
                }
            };
            if on {
                self.term.set_mode(mode.into());
            } else {
                self.term.unset_mode(mode.into());
            }
        }
        known
    }

    pub(crate) fn set_private_modes(&mut self, params: &Params, on: bool) -> bool {
        let mut known = true;
        for param in params.iter() {
            known &= if on {
                self.set_private_mode(param[0])
            } else {
                self.unset_private_mode(param[0])
            };
        }
        known
    }

    pub(super) fn set_private_mode(&mut self, mode: u16) -> bool {
        match mode {
            47 | 1047 if self.additions => {
                if !self.is_alternate() {
                    let saved = self.term.grid().saved_cursor.clone();
                    self.swap_screens();
                    self.saved_cursor_before_swap = Some(saved);
                }
            }
            1048 if self.additions => self.save_cursor(),
            1049 if !self.is_alternate() => {
                if self.additions {
                    self.save_cursor();
                }
                self.swap_screens();
            }
            66 if self.additions => self.term.set_keypad_application_mode(),
            2026 => {
                self.notes.unfinished_update = true;
                self.begin_synchronized();
            }
            3 => self.change_columns(true),
            _ => match private(mode) {
                Some(mode) => self.term.set_private_mode(mode.into()),
                None => return false,
            },
        }
        true
    }

    pub(super) fn unset_private_mode(&mut self, mode: u16) -> bool {
        match mode {
            47 | 1047 if self.additions => {
                if self.is_alternate() {
                    // Unlike ?1049, these modes leave the cursor where it is.
                    let cursor = self.term.grid().cursor.clone();
                    self.swap_screens();
                    let kept = self.saved_cursor_before_swap.take();
                    self.saved_cursor_before_read = None;
                    let grid = self.term.grid_mut();
                    grid.cursor = cursor;
                    if let Some(saved) = kept {
                        grid.saved_cursor = saved;
                    }
                }
            }
            1048 if self.additions => self.restore_cursor(),
            1049 if self.is_alternate() => {
                self.swap_screens();
                self.saved_cursor_before_swap = None;
                if let Some(saved) = self.saved_cursor_before_read.take() {
                    self.term.grid_mut().saved_cursor = saved;
                }
                if self.additions {
                    let cursor = self.term.grid().cursor.clone();
                    self.restore(self.saved_modes[0]);
                    self.term.grid_mut().cursor = cursor;
                }
            }
            66 if self.additions => self.term.unset_keypad_application_mode(),
            6 if self.additions => {
                self.term
                    .unset_private_mode(NamedPrivateMode::Origin.into());
                // Setting and resetting DECOM both move the cursor home; the crate does so only
                // when it is set.
                self.term.goto(0, 0);
            }
            2026 => {
                // An update that took too long is already shown, but ends only here.
                self.notes.counts.updates += u64::from(self.notes.unfinished_update);
                self.notes.unfinished_update = false;
                self.end_synchronized();
            }
            3 => self.change_columns(false),
            _ => match private(mode) {
                Some(mode) => self.term.unset_private_mode(mode.into()),
                None => return false,
            },
        }
        true
    }

    /// DECCOLM clears the screen and resets the margins, for either width.
    fn change_columns(&mut self, on: bool) {
        self.before_loss(0..usize::MAX);
        self.add_work_of_rows(self.term.screen_lines());
        self.record_clear();
        self.region = 0..self.term.screen_lines();
        if on {
            self.term
                .set_private_mode(NamedPrivateMode::ColumnMode.into());
        } else {
            self.term
                .unset_private_mode(NamedPrivateMode::ColumnMode.into());
        }
    }

    pub(crate) fn is_alternate(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    fn swap_screens(&mut self) {
        self.before_loss(0..usize::MAX);
        self.add_work_of_rows(2 * self.term.screen_lines());
        alternate_screen::swap(&mut self.term);
        if self.additions {
            // A resize while the other screen was shown may have misplaced this screen's cursors.
            self.drop_misplaced_wraps();
        }
        if self.is_alternate() {
            self.main_screen_prepared = false;
            self.record_clear();
        } else {
            self.repaint_detector.forget();
        }
        self.apply_keyboard();
        let pen = ExtraAttrs::of(&self.term.grid().cursor.template);
        self.extra_attrs = ExtraAttrs {
            zone: self.extra_attrs.zone,
            ..pen
        };
        self.undelivered.clear();
    }
}

/// The kitty keyboard protocol, with our own stacks: the wrapped terminal panics when its stack is
/// full.
impl Terminal {
    /// Maximum depth of the stack: more than programs need. The protocol asks for a limit and names
    /// none; it requires that the oldest entry of a full stack is dropped.
    const DEEPEST: usize = 64;

    pub(crate) fn set_keyboard(&mut self, mark: u8, first: u16, second: u16) {
        let flags = KittyKeyboard::from_bits_truncate(first as u8);
        let stack =
            &mut self.keyboards[usize::from(self.term.mode().contains(TermMode::ALT_SCREEN))];
        match mark {
            b'>' => {
                if stack.len() == Terminal::DEEPEST {
                    stack.remove(0);
                }
                stack.push(flags);
            }
            b'<' => {
                let count = usize::from(first.max(1));
                stack.truncate(stack.len().saturating_sub(count));
            }
            _ => {
                let now = stack.pop().unwrap_or_default();
                stack.push(match second {
                    2 => now | flags,
                    3 => now - flags,
                    _ => flags,
                });
            }
        }
        self.apply_keyboard();
    }

    pub(crate) fn keyboard(&self) -> KittyKeyboard {
        self.keyboards[usize::from(self.is_alternate())]
            .last()
            .copied()
            .unwrap_or_default()
    }

    pub(crate) fn apply_keyboard(&mut self) {
        let flags = KeyboardModes::from_bits_truncate(self.keyboard().bits());
        Handler::set_keyboard_mode(&mut self.term, flags, KeyboardModesApplyBehavior::Replace);
    }
}

/// Synchronized updates.
impl Terminal {
    fn begin_synchronized(&mut self) {
        if !self.additions || self.frozen_screen.is_some() {
            return;
        }
        let screen = self.read_screen();
        if self.options.transient_screens == TransientScreens::Keep {
            self.store_screen(screen.clone());
        }
        self.frozen_screen = Some(screen);
    }

    pub(crate) fn end_synchronized(&mut self) {
        if self.frozen_screen.take().is_some()
            && self.options.transient_screens == TransientScreens::Keep
        {
            self.store_transient();
        }
    }
}

/// Reading the screen.
impl Terminal {
    /// Returns the visible screen: during a synchronized update, the one from before the update.
    pub(crate) fn screen(&mut self) -> Screen {
        match &self.frozen_screen {
            Some(frozen) => {
                let mut screen = frozen.clone();
                screen.modes.synchronized = true;
                screen
            }
            None => self.read_screen(),
        }
    }

    /// Reads the current content of the grid.
    pub(super) fn read_screen(&mut self) -> Screen {
        self.undelivered.clear();
        let rows = self.grid_reader.rows(&mut self.term);
        self.add_work_of_rows(2 * self.grid_reader.updated);
        self.add_work(rows.len());
        Screen {
            size: Size {
                cols: self.term.columns() as u16,
                rows: self.term.screen_lines() as u16,
            },
            rows,
            cursor: self.cursor(),
            title: Arc::from(self.title.as_str()),
            working_directory: Arc::from(self.working_directory.as_str()),
            modes: self.modes(),
            scrollback_rows: self.history(),
            images: Arc::default(),
        }
    }

    /// Returns the cursor of the grid.
    pub(crate) fn cursor(&self) -> Cursor {
        let point = self.term.grid().cursor.point;
        let style = self.term.cursor_style();
        Cursor {
            position: Position {
                row: point.line.0 as usize,
                col: point.column.0,
            },
            visible: self.term.mode().contains(TermMode::SHOW_CURSOR),
            shape: match style.shape {
                TermShape::Underline => CursorShape::Underline,
                TermShape::Beam => CursorShape::Bar,
                _ => CursorShape::Block,
            },
            blinking: style.blinking,
            pending_wrap: self.term.grid().cursor.input_needs_wrap,
        }
    }

    pub(crate) fn scrollback(&mut self, rows: usize) -> Vec<Arc<Row>> {
        // Rows scrolled out by the synchronized update in progress are still on the visible screen.
        let all = self.history();
        let hidden = self
            .frozen_screen
            .as_ref()
            .map_or(0, |frozen| all.saturating_sub(frozen.scrollback_rows));
        let count = rows.saturating_add(hidden).min(all);
        let mut kept = self
            .grid_reader
            .scrollback(&self.term, &self.compressed, count);
        kept.truncate(kept.len().saturating_sub(hidden));
        kept
    }

    pub(crate) fn modes(&self) -> Modes {
        let mode = self.term.mode();
        let on = |flag| mode.contains(flag);
        Modes {
            alternate_screen: on(TermMode::ALT_SCREEN),
            application_cursor: on(TermMode::APP_CURSOR),
            application_keypad: on(TermMode::APP_KEYPAD),
            bracketed_paste: on(TermMode::BRACKETED_PASTE),
            focus_events: on(TermMode::FOCUS_IN_OUT),
            mouse: if on(TermMode::MOUSE_MOTION) {
                MouseTracking::Motion
            } else if on(TermMode::MOUSE_DRAG) {
                MouseTracking::Drags
            } else if on(TermMode::MOUSE_REPORT_CLICK) {
                MouseTracking::Clicks
            } else {
                MouseTracking::Off
            },
            mouse_encoding: if on(TermMode::SGR_MOUSE) {
                MouseEncoding::Sgr
            } else if on(TermMode::UTF8_MOUSE) {
                MouseEncoding::Utf8
            } else {
                MouseEncoding::Default
            },
            alternate_scroll: on(TermMode::ALTERNATE_SCROLL),
            kitty_keyboard: self.keyboard(),
            autowrap: on(TermMode::LINE_WRAP),
            origin: on(TermMode::ORIGIN),
            insert: on(TermMode::INSERT),
            newline: on(TermMode::LINE_FEED_NEW_LINE),
            synchronized: self.frozen_screen.is_some(),
        }
    }
}
