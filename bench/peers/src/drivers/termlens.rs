//! termlens: a screen, and waits that are woken by output.

use termlens::{Color, Terminal};

use super::PATIENCE;
use crate::driver::{Driver, Size, Sum};

pub(crate) struct Termlens {
    terminal: Terminal,
}

impl Driver for Termlens {
    fn start(program: &[&str], size: Size) -> Self {
        let builder = Terminal::builder()
            .size(size.cols, size.rows)
            .timeout(PATIENCE)
            .args(&program[1..]);
        Termlens {
            terminal: builder.spawn(program[0]).expect("the program starts"),
        }
    }

    fn send(&mut self, text: &str) {
        self.terminal.send_str(text).expect("it reads");
    }

    fn wait(&mut self, text: &str) {
        let matched = self.terminal.wait_until(|screen| screen.contains(text));
        matched.expect("the text appears");
    }

    fn matched(&mut self) -> String {
        self.terminal.screen().text()
    }

    fn finish(mut self) -> bool {
        self.terminal.wait_for_exit().expect("it ends").success()
    }

    fn styled(&mut self) -> Option<u64> {
        let screen = self.terminal.screen();
        let mut sum = Sum::default();
        for row in 0..screen.rows() {
            for col in 0..screen.cols() {
                let cell = screen.cell(row, col).expect("it is on the screen");
                let style = cell.style();
                let character = cell.contents().chars().next().unwrap_or(' ');
                let attributes = u64::from(style.bold) << 32 | u64::from(style.italic) << 33;
                sum.add(character, color(style.fg) ^ color(style.bg) ^ attributes);
            }
        }
        sum.get()
    }
}

fn color(color: Color) -> u64 {
    match color {
        Color::Rgb(r, g, b) => u64::from(r) << 16 | u64::from(g) << 8 | u64::from(b),
        Color::Default => 0,
        _ => 1,
    }
}
