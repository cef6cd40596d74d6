//! How long 100 tapes of a shell session take with two workers, beside one; and how much sooner a demo is done with `--fast`, and whether it
//! shows the same at the same times.
//!
//! As a person runs them: the whole process, with every pause lived through, and once more with `--fast`, where what is left is work. Contenders
//! take turns; `SCREENTEST_BENCH_ROUNDS` sets the number of rounds (3).

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use screentest::{Cassette, Player};
use screentest_fixtures::scratch::Scratch;

const TAPES: usize = 100;

/// A demo of vim, whose typing is as slow as tapes are by default.
const DEMO: &str = include_str!("../../../examples/vim.tape");

/// What a program draws in several goes comes in pieces, as the kernel hands them over: within this time they are one screen.
const TOGETHER: Duration = Duration::from_millis(15);

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
            let workers = |count| [&["--workers", count][..], options].concat();
            ones.push(timed(scratch.path(), &workers("1"), &names));
            twos.push(timed(scratch.path(), &workers("2"), &names));
        }
        let (one, two) = (median(&mut ones), median(&mut twos));
        println!("{kind:<8}{one:>10.2}{two:>11.2}{:>8.2}", one / two);
    }
    demo(&scratch, rounds);
}

/// A demo, lived through and not.
#[expect(
    clippy::print_stdout,
    reason = "a benchmark's figures are what it is run for"
)]
fn demo(scratch: &Scratch, rounds: usize) {
    let tape: String = DEMO
        .lines()
        .filter(|line| !line.starts_with("Output"))
        .map(|line| format!("{line}\n"))
        .collect();
    scratch.write("demo.tape", &tape);
    let (mut lived, mut fast, mut apart) = (Vec::new(), Vec::new(), Vec::new());
    let mut count = 0;
    for round in 0..rounds.max(1) {
        let run = |name: &str, options: &[&str]| {
            let output = format!("{name}-{round}.cassette");
            let options = [&["-o", &output][..], options].concat();
            let took = timed(scratch.path(), &options, &["demo.tape".to_owned()]);
            (took, shown(&scratch.path().join(output)))
        };
        let (slow, at_leisure) = run("lived", &[]);
        let (quick, at_once) = run("fast", &["--fast"]);
        let screens = |shown: &[(Duration, String)]| -> Vec<String> {
            shown.iter().map(|(_, screen)| screen.clone()).collect()
        };
        assert_eq!(screens(&at_leisure), screens(&at_once), "the same is shown");
        // Counted from the second screen: the first is the start, which takes as long as it takes.
        let since = |shown: &[(Duration, String)]| -> Vec<Duration> {
            let times = shown.iter().skip(1).map(|(time, _)| *time);
            times.map(|time| time - shown[1].0).collect()
        };
        let both = since(&at_leisure).into_iter().zip(since(&at_once));
        let differences = both.map(|(a, b)| a.abs_diff(b).as_secs_f64() * 1e3);
        apart.push(differences.fold(0.0, f64::max));
        count = at_leisure.len();
        lived.push(slow);
        fast.push(quick);
    }
    let (lived, fast) = (median(&mut lived), median(&mut fast));
    println!(
        "\na demo of vim, recorded: {lived:.2} s lived through, {fast:.2} s with --fast, {:.0}× sooner",
        lived / fast
    );
    println!(
        "{count} screens, the same both ways; the times of one are at most {:.1} ms apart",
        median(&mut apart)
    );
}

/// The screens of a recording that are unlike the one before, and when.
fn shown(path: &Path) -> Vec<(Duration, String)> {
    let cassette = Cassette::open(path).expect("it was written");
    let player = Player::new(&cassette).expect("it is ours");
    let mut shown: Vec<(Duration, String)> = Vec::new();
    for frame in player.into_frames() {
        let frame = frame.expect("it is whole");
        let since = shown.last().map(|(time, _)| frame.time - *time);
        if since.is_some_and(|since| since < TOGETHER) {
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
    reason = "the tool is measured as a person runs it"
)]
fn timed(folder: &Path, options: &[&str], names: &[String]) -> f64 {
    let start = now();
    let status = Command::new(env!("CARGO_BIN_EXE_screentest"))
        .args(["run", "--quiet"])
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
