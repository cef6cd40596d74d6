//! Plays a script several times and reports lost keys.
//!
//! | Variable | |
//! |---|---|
//! | `SCREENTEST_KEYS_RUNS` | number of runs of each script: 2, or 100 with `SCREENTEST_FULL` |
//! | `SCREENTEST_KEYS_BUSY` | keeps every CPU busy |
//! | `SCREENTEST_KEYS_PATIENCE` | seconds per wait: 10, or 20 if busy |
//! | `SCREENTEST_KEYS_LOG` | file to which each run appends a line; runs continue after a loss |

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use screentest::clock::Clock;
use screentest_fixtures::cpu_load::CpuLoad;

use super::driver::Interface;
use super::program::Program;

/// Plays the script of a program through an interface. Panics if a key was lost.
#[track_caller]
pub(super) fn check(program: &Program, interface: Interface) {
    let busy = std::env::var_os("SCREENTEST_KEYS_BUSY").map(|_| CpuLoad::start());
    let log = std::env::var_os("SCREENTEST_KEYS_LOG");
    let seconds = number("SCREENTEST_KEYS_PATIENCE");
    let patience = seconds.unwrap_or(if busy.is_some() { 20 } else { 10 });
    let patience = Duration::from_secs(patience);
    let mut driver = interface.driver(patience);
    let clock = Clock::system();
    let runs = runs();
    let mut losses = Vec::new();
    for run in 1..=runs {
        // The path of tmux's socket in this directory must be short.
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let began = clock.now();
        let played = driver.play(&program.command(directory), program.steps, directory);
        let took = clock.now() - began;
        let result = played.and_then(|()| check_files(program, directory));
        if let Some(log) = &log {
            record(Path::new(log), program, interface, result.is_ok(), took);
        }
        if let Err(loss) = result {
            losses.push(format!("run {run} of {runs}: {loss}"));
            if log.is_none() {
                break;
            }
        }
    }
    assert!(losses.is_empty(), "{}", losses.join("\n\n"));
}

/// Compares the files that the program wrote with the expected content.
fn check_files(program: &Program, directory: &Path) -> Result<(), String> {
    for (name, expected) in program.files {
        let actual = fs::read_to_string(directory.join(name));
        if actual.as_ref().is_ok_and(|actual| actual == expected) {
            continue;
        }
        return Err(format!(
            "`{name}` differs\nexpected: {expected:?}\n  actual: {actual:?}"
        ));
    }
    Ok(())
}

fn record(log: &Path, program: &Program, interface: Interface, kept: bool, took: Duration) {
    let mut log = File::options().append(true).create(true).open(log).unwrap();
    let kept = if kept { "kept" } else { "lost" };
    let (name, took) = (program.name, took.as_millis());
    let line = format!("{name}\t{}\t{kept}\t{took}\n", interface.name());
    // One write, because other tests append to the same file.
    log.write_all(line.as_bytes()).unwrap();
}

fn runs() -> u64 {
    let full = std::env::var_os("SCREENTEST_FULL").is_some();
    number("SCREENTEST_KEYS_RUNS").unwrap_or(if full { 100 } else { 2 })
}

/// Returns the value of a variable, if it is set.
fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().expect("the value is a number"))
}
