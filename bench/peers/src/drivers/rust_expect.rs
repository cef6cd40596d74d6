//! rust-expect: a stream, or a screen if one is attached. Both are contenders.

use std::time::Duration;

use rust_expect::backend::AsyncPty;
use rust_expect::screen::{Color, Screen};
use rust_expect::{Session, SessionConfig};
use tokio::runtime::{Builder, Runtime};

use super::PATIENCE;
use crate::driver::{Driver, Size, Sum};

/// The stream.
pub(crate) struct Stream {
    // A single-threaded runtime per session, as in its own synchronous session.
    runtime: Runtime,
    session: Session<AsyncPty>,
    matched: String,
}

impl Driver for Stream {
    fn start(program: &[&str], size: Size) -> Self {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let mut config = SessionConfig::default();
        config.dimensions = (size.cols, size.rows);
        config.delay_before_send = Duration::ZERO;
        let session = Session::spawn_with_config(program[0], &program[1..], config);
        let session = runtime.block_on(session).expect("the program starts");
        Stream {
            runtime,
            session,
            matched: String::new(),
        }
    }

    fn send(&mut self, text: &str) {
        let sent = self.session.send(text.as_bytes());
        self.runtime.block_on(sent).expect("it reads");
    }

    fn wait(&mut self, text: &str) {
        let found = self.session.expect_timeout(text, PATIENCE);
        self.matched = self
            .runtime
            .block_on(found)
            .expect("the text appears")
            .before;
    }

    fn matched(&mut self) -> String {
        std::mem::take(&mut self.matched)
    }

    fn finish(mut self) -> bool {
        let ended = self.session.wait_timeout(PATIENCE);
        self.runtime.block_on(ended).expect("it ends").success()
    }
}

/// The screen, which is checked after every read.
pub(crate) struct WithScreen(Stream);

impl WithScreen {
    fn look<T>(&self, look: impl FnOnce(&Screen) -> T) -> T {
        let screen = self.0.session.screen().expect("a screen is attached");
        look(
            &screen
                .lock()
                .expect("no thread panics while it holds the lock"),
        )
    }
}

impl Driver for WithScreen {
    fn start(program: &[&str], size: Size) -> Self {
        let mut stream = Stream::start(program, size);
        stream.session.attach_screen();
        WithScreen(stream)
    }

    fn send(&mut self, text: &str) {
        self.0.send(text);
    }

    fn wait(&mut self, text: &str) {
        let stream = &mut self.0;
        let found = stream.session.expect_screen_contains(text, PATIENCE);
        stream.runtime.block_on(found).expect("the text appears");
    }

    fn matched(&mut self) -> String {
        self.look(Screen::text)
    }

    fn finish(self) -> bool {
        self.0.finish()
    }

    fn styled(&mut self) -> Option<u64> {
        self.look(|screen| {
            let mut sum = Sum::default();
            for row in 0..screen.rows() {
                for col in 0..screen.cols() {
                    let cell = screen.buffer().get(row, col).expect("it is on the screen");
                    let attributes = u64::from(cell.attrs.bits());
                    sum.add(cell.char, color(cell.fg) ^ color(cell.bg) ^ attributes);
                }
            }
            sum.get()
        })
    }
}

fn color(color: Color) -> u64 {
    match color {
        Color::Rgb(r, g, b) => u64::from(r) << 16 | u64::from(g) << 8 | u64::from(b),
        Color::Default => 0,
        _ => 1,
    }
}
