//! Compares screentest with its peers in one run and prints a table: `cargo xtask bench --peers`.
//!
//! ```text
//! peers                      the whole run; the table goes to stdout, progress to stderr
//! peers ROW…                 only these rows (src/rows.rs)
//! peers as CONTENDER TASK…   one turn of one contender, as the run calls it
//! ```
//!
//! This is a separate workspace, because its dependencies are not needed elsewhere. See also:
//! `contender.rs` (the contenders), `rows/` (the measurements), `measure.rs` (the ratios).

use std::process::ExitCode;

mod bench;
mod cassettes;
mod clock;
mod contender;
mod driver;
mod drivers;
mod measure;
mod painting;
mod process;
mod rows;
mod table;

use screentest_fixtures::scratch::Scratch;

use bench::Bench;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["as", contender, task @ ..] => turn(contender, task),
        rows => run(rows),
    }
}

/// The run.
#[expect(clippy::print_stdout, reason = "this program prints the table")]
fn run(only: &[&str]) -> ExitCode {
    let known = rows::names();
    if let Some(row) = only.iter().find(|row| !known.contains(row)) {
        bench::say(&format!("no row `{row}`: there are {}", known.join(", ")));
        return ExitCode::from(2);
    }
    let scratch = Scratch::new();
    let bench = Bench::prepare(scratch.path().to_owned());
    let before = table::load();
    let asked = |name: &&str| only.is_empty() || only.contains(name);
    let sections = rows::SECTIONS.map(|section| {
        let rows = section.rows.iter().filter(|(name, _)| asked(name));
        let measures: Vec<_> = rows.flat_map(|(_, row)| row(&bench)).collect();
        (section.title, measures)
    });
    let page = table::page(&bench, &sections, &before);
    println!("{page}");
    // A copy of the table for pasting.
    if let Some(file) = std::env::var_os("SCREENTEST_BENCH_TABLE") {
        std::fs::write(file, page).expect("there is room for the table");
    }
    ExitCode::SUCCESS
}

/// One turn of a contender.
fn turn(contender: &str, task: &[&str]) -> ExitCode {
    use drivers::{
        expectrl, rexpect, rust_expect, screentest, termlens, termwright, tmux, tui_test,
    };
    match (contender, task) {
        ("screentest", ["tests", tests, threads]) => {
            screentest::tests(driver::number(tests), driver::number(threads));
        }
        ("screentest", ["png", times, file]) => painting::ours(driver::number(times), file),
        ("screentest", ["gif", out]) => painting::our_gif(out),
        ("screentest", ["record", file, target]) => cassettes::record(file, target),
        ("screentest", ["replay", cassette]) => cassettes::replay(cassette),
        ("screentest", ["last", cassette]) => cassettes::last(cassette),
        ("screentest", task) => return driver::run::<screentest::Screentest>(task),
        ("termwright", ["png", times, file]) => painting::termwright(driver::number(times), file),
        ("termwright", task) => return driver::run::<termwright::Termwright>(task),
        ("termlens", task) => return driver::run::<termlens::Termlens>(task),
        ("tui-test-rs", ["gif", folder, out]) => painting::tui_test_gif(folder, out),
        ("tui-test-rs", task) => return driver::run::<tui_test::TuiTest>(task),
        ("rust-expect", task) => return driver::run::<rust_expect::Stream>(task),
        ("rust-expect + screen", task) => return driver::run::<rust_expect::WithScreen>(task),
        ("expectrl", task) => return driver::run::<expectrl::Expectrl>(task),
        ("rexpect", task) => return driver::run::<rexpect::Rexpect>(task),
        ("tmux", task) => {
            let _end = tmux::End;
            return driver::run::<tmux::Tmux>(task);
        }
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}
