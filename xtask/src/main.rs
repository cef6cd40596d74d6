//! The developer commands of this project: `cargo xtask help` lists them.
//!
//! `cargo xtask test` sets up and checks everything, so that people and CI run the same. Each
//! command has a file; they share the running of steps (`step.rs`) and the list of project files
//! (`tree.rs`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the output is for people and logs; no program parses it"
)]

use std::process::ExitCode;

use anyhow::{Result, bail};

mod asciinema;
mod bench;
mod conformance;
mod fuzz;
mod hostile;
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
  test [--full]  Install what the tests need and run all checks, as CI does: format, lints, tidy, tests, the examples in
                 the documentation and the readme, and the documentation itself. A failing step prints the command that
                 repeats it. --full runs the long tests with their full counts (SCREENTEST_FULL=1).
  bench [NAME]   Run the benchmarks, or one of them, and compare with lower bounds: `animation` (GIF), `cassette`
                 (recording, deriving), `emulator` (feeding, taking screens), `flood` (calls during expensive output),
                 `input` (a key, with and without auto-wait), `picture` (PNG), `render` (the command), `server` (round
                 trips), `session` (waiting, starting, floods), `shell`, `suite` (50 small tests), `tapes`, `web`. For a
                 quick run, lower SCREENTEST_BENCH_ROUNDS and SCREENTEST_BENCH_MB; each benchmark has its own defaults.
  bench --peers [ROW…]
                 Install the projects that we are compared with, build the comparison (bench/peers), run it once and print a
                 table of ratios; it is also written to target/bench-peers.md. docs/performance.md has the method and the
                 last table. For a quick run, lower SCREENTEST_BENCH_ROUNDS (9) and SCREENTEST_BENCH_MB (50).
  conformance [--update] [--stored] [--json] [TEXT…]
                 Compare our emulator with a real xterm under Xvfb, cell by cell: more than a thousand probes and the recorded
                 output of real programs. Prints a table by topic and every difference without a reason. --update stores
                 xterm's answers, which the tests use; --stored needs no xterm. See `cargo xtask conformance --help`.
  fuzz [TARGET…] [--seconds N] [--jobs J] [--keep]
                 Search for inputs that violate a guarantee, in all targets of fuzz/ or the named ones, each for N (60)
                 seconds, J (the number of processors) at a time. A finding is printed with the command that repeats it.
                 --keep chooses the inputs of fuzz/corpus again: a small set that reaches all known code.
  hostile [--quick] [--jobs J] [--input TEXT] [--command TEXT] [--tool PATH]
                 Run the commands that read a file or speak to a program with generated hostile inputs, in a terminal and in
                 a pipe, J (the number of processors) at a time, and print a table of violations: control characters in the
                 terminal, time, memory, exit codes, panics, files outside the folder. It is also written to
                 target/hostile.md. --quick runs a small part; TEXT selects inputs and commands by name; --tool runs another
                 binary.
  keys [--runs N] [--jobs J] [--busy] [--patience SECONDS] [--auto-wait off] [--program NAME] [--interface NAME]
                 Run the scripts of crates/cli/tests/it/keys N (10) times through each interface and print a table of runs
                 that lost a key; it is also written to target/keys.md. J (1) tests run at a time. --busy keeps every
                 processor busy. --patience is the timeout of a wait, 10 seconds by default and 20 with --busy.
                 --auto-wait sets SCREENTEST_AUTO_WAIT.
  readme         Follow the first steps of the readme in a new project, and check that the test passes and fails as shown.
  record-asciinema
                 Install asciinema 3, compare with it, and record the fixtures of asciinema 2 and 3 again.
  record-fixtures [NAME]
                 Record the cassettes of crates/screentest/tests/cassettes again (or one of them, such as `vim`), as after a
                 change of the emulator, and bind their assertions to them. Review the changes before you commit them.
  soak [--minutes N] [--seed S]
                 Start, drive, kill, record and replay hundreds of sessions while every processor is busy, and check that no
                 process, thread, descriptor, file or memory is left. See `cargo xtask soak --help`.
  tidy           Check the rules that lints cannot: which file may name which crate, that documents name existing files,
                 that every test file is declared; also the licences, sources and duplicate versions of dependencies. The
                 rules are the tables in xtask/src/tidy.rs and its folder.
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
    // Cargo may be called from any folder; all paths below are relative to the root of the project.
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
        ["conformance", words @ ..] => conformance::run(words)?,
        ["fuzz", words @ ..] => fuzz::run(words)?,
        ["hostile", words @ ..] => hostile::run(words)?,
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
