//! Runs hundreds of sessions repeatedly on a busy machine, and checks that nothing is left behind
//! and nothing breaks.
//!
//! A soak consists of waves. Each wave starts many sessions at once. A seed determines each session
//! (`session_run.rs`): the program (`program.rs`), the actions (`actions.rs`) and the end
//! (`session_end.rs`). Recordings are verified and played (`cassette_checks.rs`). In every wave a
//! recording process is killed as well, and its recordings are recovered (`killed_recorder.rs`).
//! After a wave no process, thread, descriptor or file of it may be left (`resources.rs`), and
//! memory must not grow from wave to wave (`memory.rs`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the output is for people and logs"
)]

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

mod actions;
mod cassette_checks;
mod counters;
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

/// Repeats one session with the seed of a finding.
fn run_one(seed: u64) -> Result<()> {
    let place = screentest_fixtures::scratch::Scratch::new();
    let session_run = session_run::SessionRun::new(seed, place.path());
    println!("{session_run}");
    let mut counters = counters::Counters::default();
    session_run.run(&mut counters)?;
    println!("{counters}");
    let left = resources::processes(Path::new(place.path()));
    if !left.is_empty() {
        bail!("left running: {}", left.join(", "));
    }
    Ok(())
}
