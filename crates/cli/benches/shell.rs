//! Measures how long the commands for sessions take, from process start to exit, compared to
//! `--version`, the shortest run.
//!
//! The program is `cat`, and the text that is waited for is already on the screen.
//! `SCREENTEST_BENCH_ROUNDS` is the number of runs of each command (default 100).

use std::process::{Command, Stdio};

use rustix::time::{ClockId, clock_gettime};
use screentest_fixtures::scratch::Scratch;

/// The commands with their arguments.
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

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn main() {
    let rounds: usize = std::env::var("SCREENTEST_BENCH_ROUNDS")
        .map_or(100, |rounds| rounds.parse().expect("a number of rounds"));
    let daemon = DaemonDir(Scratch::new());
    let program = ["open", "--", "sh", "-c", "echo ready; exec cat"];
    daemon.time(&program);
    daemon.time(&["wait", "ready"]);
    println!("commands for sessions, ms, {rounds} runs each: median (99th percentile)");
    let mut commands: Vec<(String, &[&str], Vec<f64>)> = COMMANDS
        .iter()
        .map(|words| (words[0].to_owned(), *words, Vec::new()))
        .collect();
    commands.push(("--version".to_owned(), &["--version"], Vec::new()));
    // Alternate between the commands, so that other load on the machine affects all of them.
    for _ in 0..rounds {
        for (_, words, times) in &mut commands {
            times.push(daemon.time(words));
        }
    }
    for (name, _, times) in &mut commands {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1e3;
        println!("{name:<10} {:>6.1} ({:.1})", at(0.5), at(0.99));
    }
}

/// A directory for the socket of a separate daemon. The sessions are closed on drop.
struct DaemonDir(Scratch);

impl DaemonDir {
    /// Runs a command, which must succeed, and returns its duration in seconds.
    #[expect(
        clippy::disallowed_methods,
        reason = "measures the binary as a shell starts it"
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

impl Drop for DaemonDir {
    fn drop(&mut self) {
        self.time(&["close", "--all"]);
    }
}

fn now() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
