//! Hundreds of sessions, again and again, on a machine that has other things to do: what stays behind, and what breaks?
//!
//! A soak goes in waves. Each starts many sessions at once, and lives a life with each that a seed chooses (`life.rs`): a program
//! (`program.rs`), what is done to it (`deed.rs`), how it ends (`ending.rs`). What was recorded is verified and played
//! (`evidence.rs`). In every wave a process that records is killed as well, and what it left is recovered (`host.rs`). When a wave is
//! over, nothing of it may be there: no process, thread, descriptor or file (`census.rs`), and memory must stay flat from wave to wave
//! (`memory.rs`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore speaks to a person or to a log"
)]

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

mod census;
mod deed;
mod ending;
mod evidence;
mod heap;
mod host;
mod life;
mod load;
mod memory;
mod options;
mod program;
mod soak;
mod tally;

use options::{Options, What};

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
    match Options::parse(std::env::args().skip(1))?.what {
        What::Help => print!("{}", options::HELP),
        What::Soak(plan) => soak::run(&plan)?,
        What::Life { seed } => one_life(seed)?,
        What::Host { seed, place } => host::live(seed, &place),
    }
    Ok(())
}

/// Repeats one life of a soak, as a finding says.
fn one_life(seed: u64) -> Result<()> {
    let place = screentest_fixtures::scratch::Scratch::new();
    let life = life::Life::new(seed, place.path());
    println!("{life}");
    let mut tally = tally::Tally::default();
    life.live(&mut tally)?;
    println!("{tally}");
    let left = census::processes(Path::new(place.path()));
    if !left.is_empty() {
        bail!("left running: {}", left.join(", "));
    }
    Ok(())
}
