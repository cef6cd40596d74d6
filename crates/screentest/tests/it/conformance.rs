//! Programs that people use, as they come from their packages, and streams of bytes whose meaning is beyond doubt.
//!
//! Each test asserts facts that a person could read off the screen. A program that is missing is a failure which names
//! its package, never a skipped test: `cargo xtask test` installs them all.

use screentest::App;
use screentest::core::{Attributes, Screen, Size};

use crate::harness::sandbox::Desk;

mod dialog;
mod fixtures;
mod htop;
mod less;
mod nano;
mod recorded;
mod synthetic;
mod top;
mod vim;

/// A program at a desk; `package` is where Debian has it.
#[track_caller]
fn program(desk: &Desk, name: &str, package: &str) -> App {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    assert!(
        installed,
        "`{name}` was not found: `cargo xtask test` installs it, or `apt-get install {package}` on Debian"
    );
    desk.app(name)
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
#[should_panic(
    expected = "`no-such-editor` was not found: `cargo xtask test` installs it, or `apt-get install no-such-package`"
)]
fn a_missing_program_is_a_failure_that_names_its_package() {
    program(&Desk::new(), "no-such-editor", "no-such-package");
}
