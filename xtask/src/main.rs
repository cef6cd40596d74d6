//! The chores of this project: `cargo xtask test`, `cargo xtask bench`, `cargo xtask fuzz`, `cargo xtask keys`, `cargo xtask readme`,
//! `cargo xtask record-asciinema`, `cargo xtask record-fixtures`, `cargo xtask soak`, `cargo xtask tidy`.
//!
//! One command sets up and checks everything, so that people and CI run the same. Each command has a file; what they
//! share is how a step is run (`step.rs`) and what belongs to the project (`tree.rs`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "chores speak to a person or to a log; nothing reads their output"
)]

use std::process::ExitCode;

use anyhow::{Result, bail};

mod asciinema;
mod bench;
mod fuzz;
mod keys;
mod node;
mod python;
mod readme;
mod record_fixtures;
mod setup;
mod soak;
mod step;
mod test;
mod tidy;
mod tree;

const HELP: &str = "\
Usage: cargo xtask <command>

Commands:
  test [--full]  Install what the tests need, then check everything, as CI does: format, lints, tidy, tests, the
                 examples in the documentation and in the readme, and the documentation itself. A failing step names
                 the command that repeats it alone. With --full the long tests run at their full counts (SCREENTEST_FULL=1).
  bench [NAME]   Measure beside the floors: `cassette` (recording, deriving), `emulator` (feeding, taking screens), `film`
                 (GIFs), `input` (a key, with auto-wait and without), `picture` (PNG), `render` (the command), `server`
                 (round trips), `session` (waiting, starting, floods) and `suite` (50 small tests).
                 SCREENTEST_BENCH_ROUNDS (15) and SCREENTEST_BENCH_MB (200) make a quick run possible.
  bench --peers [ROW…]
                 Install the peers from their registries, build against them (bench/peers), and print one table of how many
                 times better we are, from one run; it is left in target/bench-peers.md too. The method and the last table are in
                 docs/performance.md. SCREENTEST_BENCH_ROUNDS (9) and SCREENTEST_BENCH_MB (50) make a quick run possible.
  fuzz [TARGET…] [--seconds N] [--jobs J] [--keep]
                 Look for bytes that break what must hold: the targets of fuzz/ (or those that are named), each for N (60)
                 seconds, J (as many as there are processors) at a time. What is found is named with the command that repeats
                 it. With --keep, the inputs of fuzz/corpus are chosen anew: few that lead wherever any does.
  keys [--runs N] [--jobs J] [--busy] [--patience SECONDS] [--auto-wait off] [--program NAME] [--interface NAME]
                 Play the scripts of crates/cli/tests/it/keys N (10) times through each interface, and print a table of the runs
                 that lost a key; it is left in target/keys.md too. --busy keeps every processor busy meanwhile. Each wait
                 takes at most 10 seconds, 20 if busy, or as many as --patience says.
  readme         Follow the readme's first steps in a new project: the test passes, and fails as shown there.
  record-asciinema
                 Install asciinema 3, compare with it, and record what the tests have of asciinema 2 and 3 afresh.
  record-fixtures [NAME]
                 Record the cassettes of crates/screentest/tests/cassettes afresh (or one of them, such as `vim`), as after a
                 change of the emulator, and bind their assertions to them. Look at what changed before it is committed.
  soak [--minutes N] [--seed S]
                 Start, drive, kill, record and replay sessions by the hundred, while every processor is busy, and count
                 what is left: processes, threads, descriptors, files, memory. `cargo xtask soak --help` says more.
  tidy           Check what lints cannot: which file may name which crate, that documents name files that exist, that
                 no test file is forgotten. The rules are the table in xtask/src/tidy.rs.
  help           Print this.

New here? Run `cargo xtask test` once, then read ARCHITECTURE.md.
";

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
    // Cargo builds from wherever it is called; every path below starts at the project's root.
    std::env::set_current_dir(tree::root())?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] | ["help" | "--help" | "-h"] => print!("{HELP}"),
        ["test"] => test::run(test::Counts::Quick)?,
        ["test", "--full"] => test::run(test::Counts::Full)?,
        ["bench"] => bench::run(None)?,
        ["bench", "--peers", rows @ ..] => bench::peers::run(rows)?,
        ["bench", name] => bench::run(Some(name))?,
        ["fuzz", words @ ..] => fuzz::run(words)?,
        ["keys", words @ ..] => keys::run(words)?,
        ["readme"] => readme::run()?,
        ["record-asciinema"] => asciinema::run()?,
        ["record-fixtures"] => record_fixtures::run(None)?,
        ["record-fixtures", name] => record_fixtures::run(Some(name))?,
        ["soak", rest @ ..] => soak::run(rest)?,
        ["tidy"] => tidy::run()?,
        other => {
            eprint!("{HELP}");
            bail!("unknown arguments `{}`", other.join(" "));
        }
    }
    Ok(())
}
