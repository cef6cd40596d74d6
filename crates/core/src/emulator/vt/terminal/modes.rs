//! Modes: which there are, what setting them does, XTSAVE and XTRESTORE.

use std::collections::BTreeMap;

use bitflags::bitflags;

use super::Terminal;
use super::margins::Margins;
use crate::emulator::vt::parsing::params::Params;
use crate::screen::modes::{KittyKeyboard, Modes, MouseEncoding, MouseTracking};

bitflags! {
    /// Modes that are on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Mode: u64 {
        const APPLICATION_CURSOR = 1;
        const APPLICATION_KEYPAD = 1 << 1;
        const SMOOTH_SCROLL = 1 << 2;
        const REVERSE_VIDEO = 1 << 3;
        const ORIGIN = 1 << 4;
        const AUTOWRAP = 1 << 5;
        const CURSOR_VISIBLE = 1 << 7;
        const ALLOW_COLUMNS = 1 << 8;
        const COLUMNS_132 = 1 << 9;
        const REVERSE_WRAP = 1 << 10;
        const EXTENDED_REVERSE_WRAP = 1 << 11;
        const ALTERNATE = 1 << 12;
        const BACKARROW_KEY = 1 << 13;
        const LEFT_RIGHT_MARGINS = 1 << 14;
        const MOUSE_CLICKS = 1 << 16;
        const MOUSE_DRAGS = 1 << 17;
        const MOUSE_MOTION = 1 << 18;
        const FOCUS = 1 << 19;
        const MOUSE_UTF8 = 1 << 20;
        const MOUSE_SGR = 1 << 21;
        const MOUSE_URXVT = 1 << 22;
        const MOUSE_PIXELS = 1 << 23;
        const ALTERNATE_SCROLL = 1 << 24;
        const META_SENDS_ESCAPE = 1 << 25;
        const URGENT_BELL = 1 << 26;
        const BRACKETED_PASTE = 1 << 27;
        const THEME_REPORTS = 1 << 28;
        const RESIZE_REPORTS = 1 << 29;
        const INSERT = 1 << 30;
        const NEWLINE = 1 << 31;
        const MORE_FIX = 1 << 32;
        const KEEP_SELECTION = 1 << 33;
        const RAISE_ON_BELL = 1 << 34;
        const KEYBOARD_LOCKED = 1 << 35;
        const LOCAL_ECHO_OFF = 1 << 36;
        const EIGHT_BIT_META = 1 << 37;
        /// Cells were protected by SPA last, not by DECSCA: ordinary erasing respects it too.
        const ERASING_RESPECTS_PROTECTION = 1 << 38;
        const NATIONAL_SETS = 1 << 39;
    }
}

impl Mode {
    pub(crate) const INITIAL: Mode = Mode::AUTOWRAP
        .union(Mode::CURSOR_VISIBLE)
        .union(Mode::BACKARROW_KEY)
        .union(Mode::EIGHT_BIT_META)
        .union(Mode::ALTERNATE_SCROLL)
        .union(Mode::KEEP_SELECTION)
        .union(Mode::LOCAL_ECHO_OFF);

    const MOUSE: Mode = Mode::MOUSE_CLICKS
        .union(Mode::MOUSE_DRAGS)
        .union(Mode::MOUSE_MOTION);
    const MOUSE_ENCODING: Mode = Mode::MOUSE_UTF8
        .union(Mode::MOUSE_SGR)
        .union(Mode::MOUSE_URXVT)
        .union(Mode::MOUSE_PIXELS);

    /// The modes of SM and RM.
    fn ansi(number: u16) -> Option<Mode> {
        Some(match number {
            2 => Mode::KEYBOARD_LOCKED,
            4 => Mode::INSERT,
            12 => Mode::LOCAL_ECHO_OFF,
            20 => Mode::NEWLINE,
            _ => return None,
        })
    }

    /// The modes of DECSET and DECRST that only need a flag. Those that change nothing on a screen
    /// are remembered, so that programs can restore them.
    fn private(number: u16) -> Option<Mode> {
        PRIVATE
            .iter()
            .find(|(known, _)| *known == number)
            .map(|(_, mode)| *mode)
    }
}

/// The private modes, in the order in which a dump writes them.
pub(crate) const PRIVATE: &[(u16, Mode)] = &[
    (1, Mode::APPLICATION_CURSOR),
    (4, Mode::SMOOTH_SCROLL),
    (5, Mode::REVERSE_VIDEO),
    (6, Mode::ORIGIN),
    (7, Mode::AUTOWRAP),
    (25, Mode::CURSOR_VISIBLE),
    (40, Mode::ALLOW_COLUMNS),
    (41, Mode::MORE_FIX),
    (42, Mode::NATIONAL_SETS),
    (45, Mode::REVERSE_WRAP),
    (66, Mode::APPLICATION_KEYPAD),
    (67, Mode::BACKARROW_KEY),
    (69, Mode::LEFT_RIGHT_MARGINS),
    (1000, Mode::MOUSE_CLICKS),
    (1002, Mode::MOUSE_DRAGS),
    (1003, Mode::MOUSE_MOTION),
    (1004, Mode::FOCUS),
    (1005, Mode::MOUSE_UTF8),
    (1006, Mode::MOUSE_SGR),
    (1015, Mode::MOUSE_URXVT),
    (1016, Mode::MOUSE_PIXELS),
    (1007, Mode::ALTERNATE_SCROLL),
    (1034, Mode::EIGHT_BIT_META),
    (1036, Mode::META_SENDS_ESCAPE),
    (1040, Mode::KEEP_SELECTION),
    (1042, Mode::URGENT_BELL),
    (1043, Mode::RAISE_ON_BELL),
    (1045, Mode::EXTENDED_REVERSE_WRAP),
    (2004, Mode::BRACKETED_PASTE),
    (2031, Mode::THEME_REPORTS),
    (2048, Mode::RESIZE_REPORTS),
];

/// Modes saved by XTSAVE, with their numbers.
pub(crate) type SavedModes = BTreeMap<u16, bool>;

impl Terminal {
    pub(crate) fn set_modes(&mut self, params: &Params, on: bool) -> bool {
        let mut known = true;
        for param in params.iter() {
            match Mode::ansi(param[0]) {
                Some(mode) => self.modes.set(mode, on),
                None => known = false,
            }
        }
        known
    }

    pub(crate) fn set_private_modes(&mut self, params: &Params, on: bool) -> bool {
        let mut known = true;
        for param in params.iter() {
            known &= self.set_private_mode(param[0], on);
        }
        known
    }

    pub(crate) fn set_private_mode(&mut self, number: u16, on: bool) -> bool {
        match number {
            3 => self.set_columns_mode(on),
            6 => {
                self.modes.set(Mode::ORIGIN, on);
                self.home();
            }
            12 => self.cursor_look.blinking = on,
            40 => self.modes.set(Mode::ALLOW_COLUMNS, on),
            47 => self.show_alternate(on, None),
            69 => self.set_left_right_margin_mode(on),
            1000 | 1002 | 1003 => self.set_exclusive(number, Mode::MOUSE, on),
            1005 | 1006 | 1015 | 1016 => self.set_exclusive(number, Mode::MOUSE_ENCODING, on),
            1047..=1049 => self.set_alternate_mode(number, on),
            2026 => self.set_synchronized(on),
            2048 => {
                self.modes.set(Mode::RESIZE_REPORTS, on);
                if on {
                    self.report_size();
                }
            }
            // Keys always repeat, as in xterm.
            8 => {}
            _ => match Mode::private(number) {
                Some(mode) => self.modes.set(mode, on),
                None => return self.remembered_modes.set(number, on),
            },
        }
        true
    }

    /// Sets one of several modes that exclude each other. Resetting any mouse mode resets all, as
    /// in xterm.
    fn set_exclusive(&mut self, number: u16, group: Mode, on: bool) {
        let Some(mode) = Mode::private(number) else {
            return;
        };
        if on || group == Mode::MOUSE {
            self.modes.remove(group);
        }
        self.modes.set(mode, on);
    }

    /// DECCOLM: clears the screen and resets the margins, but does not change the width, which
    /// belongs to the user. Programs must allow it with ?40 first.
    fn set_columns_mode(&mut self, on: bool) {
        if !self.modes.contains(Mode::ALLOW_COLUMNS) {
            return;
        }
        self.modes.set(Mode::COLUMNS_132, on);
        self.before_loss(0..usize::MAX);
        self.add_work_of_rows(self.rows());
        self.record_clear();
        let (rows, blank) = (self.rows(), self.pen.blank());
        self.grid.clear_lines(0, rows, blank);
        self.mark_read();
        self.margins = Margins::whole(self.size());
        self.modes.remove(Mode::LEFT_RIGHT_MARGINS);
        self.home();
    }

    /// Returns whether a private mode is on; `None` if it is unknown.
    pub(crate) fn private_mode(&self, number: u16) -> Option<bool> {
        let mode = match number {
            3 => Mode::COLUMNS_132,
            12 => return Some(self.cursor_look.blinking),
            47 | 1047 | 1049 => Mode::ALTERNATE,
            1048 => return Some(self.saved_cursors[usize::from(self.is_alternate())].is_saved),
            2026 => return Some(self.frozen_screen.is_some()),
            _ => match Mode::private(number) {
                Some(mode) => mode,
                None => return self.remembered_modes.get(number),
            },
        };
        Some(self.modes.contains(mode))
    }

    /// Returns whether a mode of SM is on; `None` if it is unknown.
    pub(crate) fn ansi_mode(&self, number: u16) -> Option<bool> {
        Some(self.modes.contains(Mode::ansi(number)?))
    }

    /// XTSAVE: remembers private modes.
    pub(crate) fn save_private_modes(&mut self, params: &Params) -> bool {
        let mut known = true;
        for param in params.iter() {
            match self.private_mode(param[0]) {
                Some(on) => drop(self.xtsaved_modes.insert(param[0], on)),
                None => known = false,
            }
        }
        known
    }

    /// XTRESTORE: sets private modes to what XTSAVE remembered.
    pub(crate) fn restore_private_modes(&mut self, params: &Params) -> bool {
        let mut known = true;
        for param in params.iter() {
            match self.xtsaved_modes.get(&param[0]).copied() {
                Some(on) if self.private_mode(param[0]) != Some(on) => {
                    self.set_private_mode(param[0], on);
                }
                Some(_) => {}
                None => known &= self.private_mode(param[0]).is_some(),
            }
        }
        known
    }

    pub(crate) fn is_alternate(&self) -> bool {
        self.modes.contains(Mode::ALTERNATE)
    }

    /// Returns the modes that a screen has.
    pub(crate) fn screen_modes(&self) -> Modes {
        let on = |mode| self.modes.contains(mode);
        Modes {
            alternate_screen: on(Mode::ALTERNATE),
            application_cursor: on(Mode::APPLICATION_CURSOR),
            application_keypad: on(Mode::APPLICATION_KEYPAD),
            bracketed_paste: on(Mode::BRACKETED_PASTE),
            focus_events: on(Mode::FOCUS),
            mouse: if on(Mode::MOUSE_MOTION) {
                MouseTracking::Motion
            } else if on(Mode::MOUSE_DRAGS) {
                MouseTracking::Drags
            } else if on(Mode::MOUSE_CLICKS) {
                MouseTracking::Clicks
            } else {
                MouseTracking::Off
            },
            mouse_encoding: if on(Mode::MOUSE_SGR) {
                MouseEncoding::Sgr
            } else if on(Mode::MOUSE_UTF8) {
                MouseEncoding::Utf8
            } else {
                MouseEncoding::Default
            },
            alternate_scroll: on(Mode::ALTERNATE_SCROLL),
            kitty_keyboard: self.keyboard(),
            autowrap: on(Mode::AUTOWRAP),
            origin: on(Mode::ORIGIN),
            insert: on(Mode::INSERT),
            newline: on(Mode::NEWLINE),
            synchronized: self.frozen_screen.is_some(),
        }
    }
}

/// The kitty keyboard protocol.
impl Terminal {
    /// Maximum depth of the stack: more than programs need. The protocol asks for a limit and names
    /// none; it requires that the oldest entry of a full stack is dropped.
    const DEEPEST: usize = 64;

    pub(crate) fn set_keyboard(&mut self, mark: u8, first: u16, second: u16) {
        let flags = KittyKeyboard::from_bits_truncate(first as u8);
        let stack = &mut self.keyboards[usize::from(self.modes.contains(Mode::ALTERNATE))];
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
    }

    pub(crate) fn keyboard(&self) -> KittyKeyboard {
        self.keyboards[usize::from(self.is_alternate())]
            .last()
            .copied()
            .unwrap_or_default()
    }
}
