//! Hundreds of sessions, again and again, on a machine that has other things to do: what stays behind, and what breaks?
//!
//! A soak goes in waves. Each starts many sessions at once, and lives a life with each that a seed chooses (`session_run.rs`): a program
//! (`program.rs`), what is done to it (`actions.rs`), how it ends (`session_end.rs`). What was recorded is verified and played
//! (`cassette_checks.rs`). In every wave a process that records is killed as well, and what it left is recovered (`killed_recorder.rs`). When a wave is
//! over, nothing of it may be there: no process, thread, descriptor or file (`resources.rs`), and memory must stay flat from wave to wave
//! (`memory.rs`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore speaks to a person or to a log"
)]

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

mod actions;
mod cassette_checks;
mod counters;
mod cpu_load;
mod heap;
mod killed_recorder;
mod memory;
mod options;
mod program;
mod resources;
mod session_end;
mod session_run;
mod soak;

use options::{Mode, Options};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    match Options::parse(std::env::args().skip(1))?.mode {
        Mode::Help => print!("{}", options::HELP),
        Mode::Soak(plan) => soak::run(&plan)?,
        Mode::SessionRun { seed } => run_one(seed)?,
        Mode::Host { seed, place } => killed_recorder::run(seed, &place),
    }
    Ok(())
}

/// Repeats one life of a soak, as a finding says.
fn run_one(seed: u64) -> Result<()> {
    let place = screentest_fixtures::scratch::Scratch::new();
    let session_run = session_run::SessionRun::new(seed, place.path());
    println!("{life}");
    let mut counters = counters::Counters::default();
    session_run.run(&mut counters)?;
    println!("{tally}");
    let left = resources::processes(Path::new(place.path()));
    if !left.is_empty() {
        bail!("left running: {}", left.join(", "));
    }
    Ok(())
}
