//! Programs that people use, as they come from their packages.
//!
//! Each test asserts facts that a person could read off the screen. A program that is missing is a failure which names
//! its package, never a skipped test: `cargo xtask test` installs them all.

use std::time::Duration;

use screentest::core::{Attributes, Screen, Size};
use screentest::{App, Options, Session};

use screentest_fixtures::scratch::Scratch;

mod dialog;
mod htop;
mod less;
mod nano;
mod top;
mod vim;

/// Long enough for a busy machine; a test that waits this long has failed.
const SOON: Duration = Duration::from_secs(20);

/// A program in a home of its own, where nobody's settings reach it.
struct Home(Scratch);

impl Home {
    fn new() -> Home {
        Home(Scratch::new())
    }

    /// Puts a file there.
    fn with(self, name: &str, text: &str) -> Home {
        self.0.write(name, text);
        self
    }

    /// What to start, with this home and a plain environment.
    fn app(&self, program: &str) -> App {
        let app = App::new(program)
            .cwd(self.0.path())
            .env("HOME", self.0.path())
            .env("TMPDIR", self.0.path());
        // What these programs would take their settings from besides the files of their home.
        let settings = [
            "DIALOGOPTS",
            "DIALOGRC",
            "EXINIT",
            "HTOPRC",
            "LESS",
            "LESSKEY",
            "LESSOPEN",
            "LS_COLORS",
            "NCURSES_NO_UTF8_ACS",
            "VIM",
            "VIMINIT",
            "VIMRUNTIME",
            "XDG_CONFIG_HOME",
        ];
        settings.iter().fold(app, |app, name| app.unset_env(*name))
    }

    /// Starts it; `package` is where Debian has it.
    #[track_caller]
    fn start(&self, app: &App, package: &str) -> Session {
        match Session::start(app, Options::default()) {
            Ok(session) => session,
            Err(error) => panic!(
                "{error}: `cargo xtask test` installs it, or `apt-get install {package}` on Debian"
            ),
        }
    }
}

/// Which cells of a row are shown inverse: `#` for those that are, `.` before and between them.
fn inverse(screen: &Screen, row: usize) -> String {
    let cells = screen.rows[row].cells();
    let marks: String = cells
        .map(|cell| match cell.style.is(Attributes::INVERSE) {
            true => '#',
            false => '.',
        })
        .collect();
    marks.trim_end_matches('.').to_owned()
}

/// The text of a row; empty below the last.
fn line(screen: &Screen, row: usize) -> &str {
    screen.row(row).map_or("", |row| row.text())
}

fn size(cols: u16, rows: u16) -> Size {
    Size { cols, rows }
}

#[test]
fn a_missing_program_is_a_failure_that_names_its_package() {
    let home = Home::new();
    let app = home.app("no-such-editor");
    let failed = std::panic::catch_unwind(|| home.start(&app, "no-such-package")).unwrap_err();
    let message = failed.downcast_ref::<String>().unwrap();
    assert!(
        message.contains("`no-such-editor` was not found"),
        "{message}"
    );
    assert!(
        message.contains("apt-get install no-such-package"),
        "{message}"
    );
}
