//! Titles, and the window operations that only report or save something.

use super::super::parsing::params::Params;
use super::super::terminal::Terminal;
use super::replies::{CELL_HEIGHT, CELL_WIDTH};

/// Maximum length of a title, in characters.
const LONGEST_TITLE: usize = 4096;
/// Maximum number of saved titles.
const MAX_TITLES: usize = 64;

impl Terminal {
    /// OSC 0, 1 and 2: window and icon title, icon title, window title.
    pub(super) fn set_title(&mut self, kind: &[u8], title: &[u8]) {
        let title = String::from_utf8_lossy(title);
        let title: String = title.trim().chars().take(LONGEST_TITLE).collect();
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
            (20, _) => self.reply(&format!(
                "\x1b]L{}\x1b\\",
                without_controls(&self.titles.icon)
            )),
            (21, _) => self.reply(&format!(
                "\x1b]l{}\x1b\\",
                without_controls(&self.titles.window)
            )),
            (22, 0..=2) => self.push_title(),
            (23, which @ 0..=2) => self.pop_title(which),
            _ => return false,
        }
        true
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

/// A reported title must not act as input of the program.
fn without_controls(title: &str) -> String {
    title.chars().filter(|c| !c.is_control()).collect()
}
