//! The output of a program within half a minute: a user types, coloured lines scroll, a progress
//! bar fills, a spinner turns.

use std::time::Duration;

use screentest_core::emulator::EmulatorOptions;
use screentest_core::{Backend, RecordingFrame, Size};

/// Returns 300 frames in 30 seconds, the same every time.
pub(crate) fn frames() -> Vec<RecordingFrame> {
    let mut emulator =
        Backend::Vt.emulator(Size { cols: 80, rows: 24 }, EmulatorOptions::default());
    let mut frames = Vec::new();
    for n in 0..300 {
        emulator.feed(wrote(n).as_bytes());
        frames.push(RecordingFrame {
            time: Duration::from_millis(n as u64 * 100),
            screen: emulator.screen(),
        });
    }
    frames
}

const COMMAND: &str =
    "cargo build --release --workspace --all-targets && cargo test -- --nocapture";
const WORDS: [&str; 12] = [
    "Compiling",
    "Checking",
    "Fresh",
    "Finished",
    "screentest-core",
    "alacritty_terminal",
    "unicode-width",
    "v0.26.0",
    "(/home/user/project)",
    "warning:",
    "unused",
    "variable",
];

fn wrote(n: usize) -> String {
    match n {
        0 => "\x1b[1;32muser@host\x1b[0m:\x1b[34m~/project\x1b[0m$ ".to_owned(),
        1..=76 => COMMAND
            .chars()
            .nth(n - 1)
            .map_or(String::new(), String::from),
        77..=186 => line(n),
        187..=246 => bar(n - 187),
        _ => wheel(n - 247),
    }
}

/// Returns one to three lines of a build.
fn line(n: usize) -> String {
    let mut text = String::new();
    for k in 0..=n % 3 {
        let word = |at: usize| WORDS[(n * 7 + k * 5 + at * 3) % WORDS.len()];
        let color = 31 + (n + k) % 6;
        text += &format!(
            "\r\n\x1b[1;{color}m{:>12}\x1b[0m {} \x1b[3{}m{}\x1b[0m {} {n}",
            word(0),
            word(1),
            (n + 2) % 7 + 1,
            word(2),
            word(3)
        );
    }
    text
}

fn bar(n: usize) -> String {
    let full = "=".repeat(n);
    let start = if n == 0 { "\r\n" } else { "" };
    format!(
        "{start}\r\x1b[36mBuilding\x1b[0m [\x1b[42m{full}>\x1b[0m{:1$}] {n}/60: screentest",
        "",
        59 - n
    )
}

fn wheel(n: usize) -> String {
    let start = if n == 0 { "\r\n\x1b[?25l" } else { "" };
    let sign = ['|', '/', '-', '\\'][n % 4];
    format!(
        "{start}\r\x1b[33m{sign}\x1b[0m waiting for the tests to finish … {}.{} s",
        n / 10,
        n % 10
    )
}
