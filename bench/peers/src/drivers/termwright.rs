//! termwright: a screen, and waits that poll at intervals. It also draws pictures.

use std::sync::LazyLock;

use termwright::prelude::*;
use tokio::runtime::Runtime;

use super::PATIENCE;
use crate::driver::{Driver, Sum};

/// One runtime per process, as `#[tokio::main]` creates it.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));

pub(crate) struct Termwright {
    terminal: Terminal,
}

impl Termwright {
    /// Returns the screen as PNG.
    pub(crate) fn png(&self) -> Vec<u8> {
        let screenshot = RUNTIME.block_on(self.terminal.screenshot());
        screenshot.to_png().expect("there is a font")
    }
}

impl Driver for Termwright {
    fn start(program: &[&str], size: crate::driver::Size) -> Self {
        let builder = Terminal::builder()
            .size(size.cols, size.rows)
            .timeout(PATIENCE);
        let terminal = RUNTIME.block_on(builder.spawn(program[0], &program[1..]));
        Termwright {
            terminal: terminal.expect("the program starts"),
        }
    }

    fn send(&mut self, text: &str) {
        let sent = RUNTIME.block_on(self.terminal.type_str(text)).map(|_| ());
        sent.expect("it reads");
    }

    fn wait(&mut self, text: &str) {
        let expectation = self.terminal.expect(text).timeout(PATIENCE);
        RUNTIME
            .block_on(async { expectation.await })
            .expect("the text appears");
    }

    fn matched(&mut self) -> String {
        RUNTIME.block_on(self.terminal.screen()).text()
    }

    fn finish(self) -> bool {
        // termwright reports that a program has ended, but not the exit status.
        RUNTIME.block_on(self.terminal.wait_for_exit()).is_ok()
    }

    fn styled(&mut self) -> Option<u64> {
        let screen = RUNTIME.block_on(self.terminal.screen());
        let mut sum = Sum::default();
        for cell in screen.raw_cells().iter().flatten() {
            let attributes = u64::from(cell.attrs.bold) << 32 | u64::from(cell.attrs.italic) << 33;
            sum.add(cell.char, color(&cell.fg) ^ color(&cell.bg) ^ attributes);
        }
        sum.get()
    }
}

fn color(color: &Color) -> u64 {
    match *color {
        Color::Rgb(r, g, b) => u64::from(r) << 16 | u64::from(g) << 8 | u64::from(b),
        Color::Default => 0,
        _ => 1,
    }
}
