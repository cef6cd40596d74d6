//! Our library, as test authors use it.

use std::path::Path;

use screentest::core::{self, Color, Screen};
use screentest::session::SessionOptions;
use screentest::{App, RunOptions, Session, tui_test};
use screentest_fixtures::scratch::Scratch;

use super::PATIENCE;
use crate::clock::monotonic;
use crate::driver::{Driver, Size, Sum, figure};

#[derive(Debug)]
pub(crate) struct Screentest {
    session: Session,
    matched: Option<Screen>,
}

impl Screentest {
    /// Returns the current screen.
    pub(crate) fn screen(&self) -> Screen {
        self.session.screen()
    }
}

impl Driver for Screentest {
    fn start(program: &[&str], size: Size) -> Self {
        let options = SessionOptions {
            size: core::Size {
                cols: size.cols,
                rows: size.rows,
            },
            ..SessionOptions::default()
        };
        let app = App::new(program[0]).args(&program[1..]);
        Screentest {
            session: Session::start(&app, options).expect("the program starts"),
            matched: None,
        }
    }

    fn send(&mut self, text: &str) {
        self.session.send(text.as_bytes()).expect("it reads");
    }

    fn wait(&mut self, text: &str) {
        self.matched = Some(
            self.session
                .wait_for(text, PATIENCE)
                .expect("the text appears"),
        );
    }

    fn matched(&mut self) -> String {
        self.matched.as_ref().map(Screen::text).unwrap_or_default()
    }

    fn finish(self) -> bool {
        let exit_status = self.session.wait_for_exit(PATIENCE).expect("it ends");
        exit_status.success()
    }

    fn styled(&mut self) -> Option<u64> {
        let screen = self.session.screen();
        let mut sum = Sum::default();
        for run in screen.rows.iter().flat_map(|row| row.runs()) {
            let style = run.style();
            let attributes = u64::from(style.attributes.bits());
            let style = color(style.fg) ^ color(style.bg) ^ attributes;
            run.cells().for_each(|cell| sum.add(cell.char(), style));
        }
        sum.get()
    }
}

fn color(color: Color) -> u64 {
    match color {
        Color::Rgb(rgb) => u64::from(rgb.r) << 16 | u64::from(rgb.g) << 8 | u64::from(rgb.b),
        Color::Default => 0,
        _ => 1,
    }
}

/// The suite as whole tests of our test library, including the test's own thread, the artifacts
/// folder and the check for leftovers.
pub(crate) fn tests(tests: usize, threads: usize) {
    let scratch = Scratch::new();
    let start = monotonic();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let folder = scratch.path();
            scope.spawn(move || {
                for test in 0..tests / threads {
                    small_test(&format!("small {thread} {test}"), folder);
                }
            });
        }
    });
    figure(monotonic() - start);
}

fn small_test(name: &str, folder: &Path) {
    let options = RunOptions::default().artifacts_dir(folder);
    tui_test(options, name, |tui| {
        tui.launch_and_wait(App::new("sh"), ">")?;
        tui.send_line("echo $((6*7))")?;
        tui.expect_visible("42")?;
        tui.send_line("exit")?;
        assert!(tui.wait_for_exit()?.success());
        Ok(())
    });
}
