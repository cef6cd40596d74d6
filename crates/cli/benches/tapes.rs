//! How long 100 tapes of a shell session take with two workers, beside one.
//!
//! As a person runs them: the whole process, with every pause lived through, and once more with `--fast`, where what is left is work. Contenders
//! take turns; `SCREENTEST_BENCH_ROUNDS` sets the number of rounds (3).

use std::path::Path;
use std::process::{Command, Stdio};

use rustix::time::{ClockId, clock_gettime};
use screentest_fixtures::scratch::Scratch;

const TAPES: usize = 100;

#[expect(
    clippy::print_stdout,
    reason = "a benchmark's figures are what it is run for"
)]
fn main() {
    let rounds: usize = std::env::var("SCREENTEST_BENCH_ROUNDS")
        .map_or(3, |rounds| rounds.parse().expect("a number of rounds"));
    let scratch = Scratch::new();
    let names: Vec<String> = (0..TAPES)
        .map(|number| format!("{number:03}.tape"))
        .collect();
    for (number, name) in names.iter().enumerate() {
        scratch.write(name, &tape(number));
    }
    println!(
        "{TAPES} tapes of a shell session, whole process, s, medians of {rounds} rounds, taking turns"
    );
    println!(
        "{:<8}{:>10}{:>11}{:>8}",
        "", "1 worker", "2 workers", "ratio"
    );
    for (kind, options) in [("lived", &[][..]), ("fast", &["--fast"])] {
        let (mut ones, mut twos) = (Vec::new(), Vec::new());
        for _ in 0..rounds.max(1) {
            ones.push(timed(scratch.path(), "1", options, &names));
            twos.push(timed(scratch.path(), "2", options, &names));
        }
        let (one, two) = (median(&mut ones), median(&mut twos));
        println!("{kind:<8}{one:>10.2}{two:>11.2}{:>8.2}", one / two);
    }
}

fn tape(number: usize) -> String {
    format!(
        "Set TypingSpeed 10ms\nType 'echo $((6 * 7)) {number}' Enter\nExpect '42 {number}'\n\
         Type 'ls /' Enter\nWait+Screen /usr/\nSleep 100ms\nType 'exit' Enter\n"
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "the tool is measured as a person runs it"
)]
fn timed(folder: &Path, workers: &str, options: &[&str], names: &[String]) -> f64 {
    let start = now();
    let status = Command::new(env!("CARGO_BIN_EXE_screentest"))
        .args(["run", "--quiet", "--workers", workers])
        .args(options)
        .args(names)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the tool runs");
    assert!(status.success(), "{status}");
    now() - start
}

fn now() -> f64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
