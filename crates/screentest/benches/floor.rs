//! Builds and runs the lower bound of the benchmarks: bare system calls on a PTY (`floor.c`).

use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiled C program.
#[derive(Debug)]
pub(crate) struct Floor {
    pub(crate) program: PathBuf,
}

impl Floor {
    /// Compiles the program into a folder.
    #[expect(
        clippy::disallowed_methods,
        reason = "the lower bound is a separate program"
    )]
    pub(crate) fn build(scratch: &Path) -> Floor {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/floor.c");
        let program = scratch.join("floor");
        let status = Command::new("cc")
            .args(["-O2", "-w", "-o"])
            .arg(&program)
            .arg(source)
            .status()
            .expect("a C compiler is installed (Debian: gcc)");
        assert!(status.success(), "could not compile floor.c: {status}");
        Floor { program }
    }

    /// Runs a task and returns one figure per printed line, in microseconds.
    pub(crate) fn run(&self, args: &[&str]) -> Vec<f64> {
        figures(&self.program, args)
    }
}

/// Runs a program that prints nanoseconds, one figure per line, and returns them in microseconds.
/// Panics with its stderr if it fails.
#[expect(
    clippy::disallowed_methods,
    reason = "contenders are separate programs"
)]
pub(crate) fn figures(program: &Path, args: &[&str]) -> Vec<f64> {
    let output = Command::new(program)
        .args(args)
        .output()
        .expect("the contender runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {stderr}", program.display());
    let text = String::from_utf8(output.stdout).expect("the program prints numbers");
    text.lines()
        .map(|line| line.parse::<f64>().expect("the program prints numbers") / 1e3)
        .collect()
}
