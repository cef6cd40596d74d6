//! How long a command of a shell's session takes, from its start to its end, beside the shortest that a program can take.
//!
//! The program is `cat`, and what is waited for is there already. `SCREENTEST_BENCH_ROUNDS` is the number of runs of each command (100).

use std::process::{Command, Stdio};

use rustix::time::{ClockId, clock_gettime};
use screentest_fixtures::scratch::Scratch;

/// The commands, each with what it is told.
const COMMANDS: [&[&str]; 11] = [
    &["type", "x"],
    &["press", "Backspace"],
    &["paste", "x"],
    &["wait", "ready"],
    &["expect", "ready"],
    &["view"],
    &["state"],
    &["resize", "80", "24"],
    &["signal", "CONT"],
    &["sessions"],
    &["shot", "-o", "shot.png"],
];

#[expect(
    clippy::print_stdout,
    reason = "a benchmark's figures are what it is run for"
)]
fn main() {
    let rounds: usize = std::env::var("SCREENTEST_BENCH_ROUNDS")
        .map_or(100, |rounds| rounds.parse().expect("a number of rounds"));
    let home = Home(Scratch::new());
    let program = ["open", "--", "sh", "-c", "echo ready; exec cat"];
    home.time(&program);
    home.time(&["wait", "ready"]);
    println!("a command of a shell's session, ms, of {rounds} runs: median (99th percentile)");
    let mut kinds: Vec<(String, &[&str], Vec<f64>)> = COMMANDS
        .iter()
        .map(|words| (words[0].to_owned(), *words, Vec::new()))
        .collect();
    kinds.push(("--version".to_owned(), &["--version"], Vec::new()));
    // One of each after the other, so that what else the machine does meets all of them.
    for _ in 0..rounds {
        for (_, words, times) in &mut kinds {
            times.push(home.time(words));
        }
    }
    for (name, _, times) in &mut kinds {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1e3;
        println!("{name:<10} {:>6.1} ({:.1})", at(0.5), at(0.99));
    }
}

/// A folder in which a daemon of our own listens, until dropped.
struct Home(Scratch);

impl Home {
    /// How long a command takes, which must go well.
    #[expect(
        clippy::disallowed_methods,
        reason = "what is measured is a command of a shell"
    )]
    fn time(&self, words: &[&str]) -> f64 {
        let start = now();
        let status = Command::new(env!("CARGO_BIN_EXE_screentest"))
            .args(words)
            .current_dir(self.0.path())
            .env("XDG_RUNTIME_DIR", self.0.path())
            .env("SCREENTEST_LINGER", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .expect("the tool starts");
        let time = now() - start;
        assert!(status.success(), "{words:?}: {status}");
        time
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        self.time(&["close", "--all"]);
    }
}

fn now() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
