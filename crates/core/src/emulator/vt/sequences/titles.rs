//! Titles, and the window operations that only report or save something.

use std::borrow::Cow;

use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use super::replies::{CELL_HEIGHT, CELL_WIDTH, hex};

/// Maximum length of a title, in characters.
const LONGEST_TITLE: usize = 4096;
/// Maximum number of saved titles.
const MAX_TITLES: usize = 64;

impl Terminal {
    /// OSC 0, 1 and 2: window and icon title, icon title, window title.
    pub(super) fn set_title(&mut self, kind: &[u8], title: &[u8]) {
        let decoded = if self.titles.set_as_hex {
            let Some(decoded) = from_hex(title) else {
                return;
            };
            Cow::from(decoded)
        } else {
            Cow::from(title)
        };
        let title = String::from_utf8_lossy(&decoded);
        let title: String = title
            .chars()
            .filter(|c| !c.is_control())
            .take(LONGEST_TITLE)
            .collect();
        if kind != b"2" {
            self.titles.icon.clone_from(&title);
        }
        if kind != b"1" {
            self.titles.window = title;
        }
    }

    /// XTWINOPS. Returns false if the operation is not supported: the size and place of the window
    /// belong to the user.
    pub(super) fn window_operation(&mut self, params: &Params) -> bool {
        let (rows, cols) = (self.rows(), self.cols());
        let (height, width) = (rows * CELL_HEIGHT, cols * CELL_WIDTH);
        match (params.first(), params.get(1)) {
            (11, _) => self.reply("\x1b[1t"),
            (13, _) => self.reply("\x1b[3;0;0t"),
            (14, _) => self.reply(&format!("\x1b[4;{height};{width}t")),
            (15, _) => self.reply(&format!("\x1b[5;{height};{width}t")),
            (16, _) => self.reply(&format!("\x1b[6;{CELL_HEIGHT};{CELL_WIDTH}t")),
            (18, _) => self.reply(&format!("\x1b[8;{rows};{cols}t")),
            (19, _) => self.reply(&format!("\x1b[9;{rows};{cols}t")),
            (20, _) => self.reply(&format!("\x1b]L{}\x1b\\", self.reported(&self.titles.icon))),
            (21, _) => self.reply(&format!(
                "\x1b]l{}\x1b\\",
                self.reported(&self.titles.window)
            )),
            (22, 0..=2) => self.push_title(),
            (23, which @ 0..=2) => self.pop_title(which),
            _ => return false,
        }
        true
    }

    /// XTSMTITLE: whether titles are set (0) or reported (1) in hexadecimal digits. They are always
    /// UTF-8 (2, 3). Resetting without a parameter resets all.
    pub(super) fn set_title_modes(&mut self, params: &Params, on: bool) -> bool {
        for number in params.numbers() {
            match number {
                0 => self.titles.set_as_hex = on,
                1 => self.titles.report_as_hex = on,
                2 | 3 => {}
                _ => return false,
            }
        }
        true
    }

    /// Returns a title as it is reported. It must not act as input of the program.
    fn reported(&self, title: &str) -> String {
        if self.titles.report_as_hex {
            return hex(title);
        }
        title.chars().filter(|c| !c.is_control()).collect()
    }

    fn push_title(&mut self) {
        if self.titles.stack.len() == MAX_TITLES {
            self.titles.stack.remove(0);
        }
        let now = (self.titles.window.clone(), self.titles.icon.clone());
        self.titles.stack.push(now);
    }

    /// Restores both titles (0), the icon title (1) or the window title (2).
    fn pop_title(&mut self, which: u16) {
        if let Some((window, icon)) = self.titles.stack.pop() {
            if which != 1 {
                self.titles.window = window;
            }
            if which != 2 {
                self.titles.icon = icon;
            }
        }
    }

    /// The report of mode 2048: the size in cells and in pixels.
    pub(crate) fn report_size(&mut self) {
        let (rows, cols) = (self.rows(), self.cols());
        let (height, width) = (rows * CELL_HEIGHT, cols * CELL_WIDTH);
        self.reply(&format!("\x1b[48;{rows};{cols};{height};{width}t"));
    }
}

/// Decodes hexadecimal digits, two per byte.
fn from_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let digits = std::str::from_utf8(digits).ok()?;
    let pairs = (0..digits.len())
        .step_by(2)
        .map(|at| digits.get(at..at + 2));
    pairs
        .map(|pair| u8::from_str_radix(pair?, 16).ok())
        .collect()
}
