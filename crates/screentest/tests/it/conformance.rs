//! Conformance with popular programs, installed from their packages, and with byte streams that
//! have an unambiguous meaning.
//!
//! Each test asserts facts that a person could read off the screen. A missing program is a failure
//! that names its package, never a skipped test: `cargo xtask test` installs all programs.

use screentest::App;
use screentest::core::{Attributes, Screen, Size};

use crate::harness::sandbox::Sandbox;

mod dialog;
mod fixtures;
mod htop;
mod images;
mod less;
mod nano;
mod recorded;
mod synthetic;
mod top;
mod vim;

/// Returns a program in a sandbox; `package` is its Debian package.
#[track_caller]
fn program(sandbox: &Sandbox, name: &str, package: &str) -> App {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    assert!(
        installed,
        "`{name}` was not found: `cargo xtask test` installs it, or `apt-get install {package}` on Debian"
    );
    sandbox.app(name)
}

/// Returns `#` for each inverse cell of a row and `.` for the others, without trailing dots.
fn inverse(screen: &Screen, row: usize) -> String {
    let cells = screen.rows[row].cells();
    let marks: String = cells
        .map(|cell| {
            if cell.style.is(Attributes::INVERSE) {
                '#'
            } else {
                '.'
            }
        })
        .collect();
    marks.trim_end_matches('.').to_owned()
}

/// Returns the text of a row; empty below the last row.
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
    program(&Sandbox::new(), "no-such-editor", "no-such-package");
}
