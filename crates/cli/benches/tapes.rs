//! Measures how long 100 tapes of a shell session take with one worker and with two; how much
//! `--fast` speeds up a demo, and whether its recording shows the same screens at the same times.
//!
//! Whole processes are measured, as a user runs them: once with all pauses, and once with `--fast`,
//! which skips them. The variants alternate; `SCREENTEST_BENCH_ROUNDS` is the number of rounds (3).

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use screentest::recording::{Cassette, Player};
use screentest_fixtures::scratch::Scratch;

const TAPES: usize = 100;

/// A demo of vim, with the default typing speed of tapes.
const DEMO: &str = include_str!("../../../examples/vim.tape");

/// A program that draws in several writes gives several frames, depending on the kernel. Frames
/// within this time count as one screen.
const MERGE_WITHIN: Duration = Duration::from_millis(15);

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
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
        "{TAPES} tapes of a shell session, whole process, s, medians of {rounds} alternating rounds"
    );
    println!(
        "{:<8}{:>10}{:>11}{:>8}",
        "", "1 worker", "2 workers", "ratio"
    );
    for (kind, options) in [("paused", &[][..]), ("fast", &["--fast"])] {
        let (mut ones, mut twos) = (Vec::new(), Vec::new());
        for _ in 0..rounds.max(1) {
            let workers = |count| [&["--workers", count][..], options].concat();
            ones.push(measure(scratch.path(), &workers("1"), &names));
            twos.push(measure(scratch.path(), &workers("2"), &names));
        }
        let (one, two) = (median(&mut ones), median(&mut twos));
        println!("{kind:<8}{one:>10.2}{two:>11.2}{:>8.2}", one / two);
    }
    demo(&scratch, rounds);
}

/// Runs a demo with and without pauses.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn demo(scratch: &Scratch, rounds: usize) {
    let tape: String = DEMO
        .lines()
        .filter(|line| !line.starts_with("Output"))
        .map(|line| format!("{line}\n"))
        .collect();
    scratch.write("demo.tape", &tape);
    let (mut paused, mut fast, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
    let mut count = 0;
    for round in 0..rounds.max(1) {
        let run = |name: &str, options: &[&str]| {
            let output = format!("{name}-{round}.cassette");
            let options = [&["-o", &output][..], options].concat();
            let took = measure(scratch.path(), &options, &["demo.tape".to_owned()]);
            (took, shown(&scratch.path().join(output)))
        };
        let (slow, with_pauses) = run("paused", &[]);
        let (quick, without_pauses) = run("fast", &["--fast"]);
        let screens = |shown: &[(Duration, String)]| -> Vec<String> {
            shown.iter().map(|(_, screen)| screen.clone()).collect()
        };
        assert_eq!(
            screens(&with_pauses),
            screens(&without_pauses),
            "both show the same screens"
        );
        // Count from the second screen: the time of the first one is the start of the program,
        // which varies.
        let since = |shown: &[(Duration, String)]| -> Vec<Duration> {
            let times = shown.iter().skip(1).map(|(time, _)| *time);
            times.map(|time| time - shown[1].0).collect()
        };
        let both = since(&with_pauses).into_iter().zip(since(&without_pauses));
        let differences = both.map(|(a, b)| a.abs_diff(b).as_secs_f64() * 1e3);
        offsets.push(differences.fold(0.0, f64::max));
        count = with_pauses.len();
        paused.push(slow);
        fast.push(quick);
    }
    let (paused, fast) = (median(&mut paused), median(&mut fast));
    println!(
        "\na demo of vim, recorded: {paused:.2} s with pauses, {fast:.2} s with --fast, {:.0}× faster",
        paused / fast
    );
    println!(
        "{count} screens, equal in both; their times differ by at most {:.1} ms",
        median(&mut offsets)
    );
}

/// Returns the screens of a recording that differ from the previous one, with their times.
fn shown(path: &Path) -> Vec<(Duration, String)> {
    let cassette = Cassette::open(path).expect("the run has written it");
    let player = Player::new(&cassette).expect("this build recorded it");
    let mut shown: Vec<(Duration, String)> = Vec::new();
    for frame in player.into_frames() {
        let frame = frame.expect("the frame is complete");
        let since = shown.last().map(|(time, _)| frame.time - *time);
        if since.is_some_and(|since| since < MERGE_WITHIN) {
            shown.pop();
        }
        let picture = frame.screen.picture();
        if shown.last().is_none_or(|(_, last)| *last != picture) {
            shown.push((frame.time, picture));
        }
    }
    shown
}

fn tape(number: usize) -> String {
    format!(
        "Set TypingSpeed 10ms\nType 'echo $((6 * 7)) {number}' Enter\nExpect '42 {number}'\n\
         Type 'ls /' Enter\nWait+Screen /usr/\nSleep 100ms\nType 'exit' Enter\n"
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "this measures the tool as a user runs it"
)]
fn measure(directory: &Path, options: &[&str], names: &[String]) -> f64 {
    let start = now();
    let status = Command::new(env!("CARGO_BIN_EXE_screentest"))
        .args(["run", "--quiet"])
        .args(options)
        .args(names)
        .current_dir(directory)
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
