//! Compares 50 small tests with bare system calls on a PTY (`floor.c`): in sequence, in two threads
//! as with `cargo test`, and each in its own process as with nextest.
//!
//! Each test starts `sh`, types a command, waits for its result, exits, and checks the exit code.
//! Ours are complete tests: they include the body's thread, the artifacts folder, and the check for
//! terminal leaks. Contenders alternate as in `session.rs` and time themselves, except where each
//! test is a process.
//! `SCREENTEST_BENCH_ROUNDS` sets the number of rounds (15).

use std::path::Path;
use std::thread;

use screentest::{App, AutoWait, RunOptions, tui_test};
use screentest_fixtures::scratch::Scratch;

mod floor;
mod measure;

use floor::{Floor, figures};
use measure::{monotonic, number, quartiles};

const TESTS: usize = 50;

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Runs as a contender, started by this same program.
    if let [kind, count, threads, folder] = args.as_slice()
        && let Some(auto_wait) = match kind.as_str() {
            "ours" => Some(AutoWait::ON),
            "at-once" => Some(AutoWait::Off),
            _ => None,
        }
    {
        let parse = |number: &String| number.parse().expect("a number");
        let took = ours(parse(count), parse(threads), folder, auto_wait);
        println!("{:.0}", took * 1e3);
        return;
    }
    let scratch = Scratch::new();
    let folder = scratch.path().to_str().expect("a path of ASCII");
    let floor = Floor::build(scratch.path());
    let exe = std::env::current_exe().expect("this program has a path");
    let ours = |count: &str, threads| figures(&exe, &["ours", count, threads, folder])[0];
    let bare = |count: &str, threads| floor.run(&["suite", count, threads])[0];

    let rounds = number("SCREENTEST_BENCH_ROUNDS", 15);
    println!("{TESTS} small tests, ms, medians of {rounds} rounds, alternating");
    println!(
        "{:<14}{:>9}{:>9}{:>8}{:>16}",
        "", "floor", "ours", "ratio", "quartiles"
    );
    let all = TESTS.to_string();
    let report = |name: &str, bare: &dyn Fn() -> f64, ours: &dyn Fn() -> f64| {
        let (mut floors, mut times, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let (f, o) = (bare(), ours());
            ratios.push(o / f);
            floors.push(f / 1e3);
            times.push(o / 1e3);
        }
        let [low, ratio, high] = quartiles(&ratios);
        println!(
            "{name:<14}{:>9.0}{:>9.0}{ratio:>8.2}{:>16}",
            quartiles(&floors)[1],
            quartiles(&times)[1],
            format!("{low:.2} … {high:.2}")
        );
    };
    report("serial", &|| bare(&all, "1"), &|| ours(&all, "1"));
    // Here the first column is ours without auto-wait, so the ratio is the cost of auto-wait.
    let at_once = |count: &str, threads| figures(&exe, &["at-once", count, threads, folder])[0];
    report("no auto-wait", &|| at_once(&all, "1"), &|| ours(&all, "1"));
    report("two threads", &|| bare(&all, "2"), &|| ours(&all, "2"));
    // Whole processes are compared, so they are timed from outside.
    let each = |run: &dyn Fn()| {
        let start = monotonic();
        (0..TESTS).for_each(|_| run());
        monotonic() - start
    };
    report(
        "process each",
        &|| {
            each(&|| {
                bare("1", "1");
            })
        },
        &|| {
            each(&|| {
                ours("1", "1");
            })
        },
    );
}

/// Runs this many tests and returns their duration in microseconds.
fn ours(count: usize, threads: usize, folder: &str, auto_wait: AutoWait) -> f64 {
    let start = monotonic();
    thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                for test in 0..count / threads {
                    let name = format!("small {thread} {test}");
                    small_test(&name, Path::new(folder), auto_wait);
                }
            });
        }
    });
    monotonic() - start
}

fn small_test(name: &str, folder: &Path, auto_wait: AutoWait) {
    let options = RunOptions::default()
        .artifacts_dir(folder)
        .auto_wait(auto_wait);
    tui_test(options, name, |tui| {
        tui.launch_and_wait(App::new("sh").env("PS1", "> "), ">")?;
        tui.send_line("echo $((6*7))")?;
        tui.expect_visible("42")?;
        tui.send_line("exit")?;
        assert!(tui.wait_for_exit()?.success());
        Ok(())
    });
}
