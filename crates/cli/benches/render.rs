//! Measures how long `screentest render` takes to draw a screen, compared to Python with Pillow
//! (`pillow.py`).
//!
//! Both read the same State JSON and write a PNG, each in its own process, alternately.
//! `SCREENTEST_BENCH_PYTHON` is a Python with Pillow, `SCREENTEST_BENCH_ROUNDS` the number of
//! rounds (15).

use std::path::Path;
use std::process::{Command, Stdio};

use rustix::time::{ClockId, clock_gettime};
use screentest::core::emulator::EmulatorOptions;
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::{Backend, Size, State};
use screentest_fixtures::code;
use screentest_fixtures::scratch::Scratch;

const SIZE: Size = Size {
    cols: 134,
    rows: 40,
};

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn main() {
    let scratch = Scratch::new();
    let at = |name: &str| scratch.path().join(name);
    std::fs::write(at("screen.json"), screen()).expect("the directory is writable");
    std::fs::write(at("regular.ttf"), dejavu::sans_mono::regular())
        .expect("the directory is writable");
    std::fs::write(at("bold.ttf"), dejavu::sans_mono::bold()).expect("the directory is writable");

    let ours = || {
        let screentest = Path::new(env!("CARGO_BIN_EXE_screentest"));
        let args = [
            "render",
            "screen.json",
            "-o",
            "ours.png",
            "--no-system-fonts",
        ];
        measure(screentest, &args, scratch.path())
    };
    let python = std::env::var_os("SCREENTEST_BENCH_PYTHON").unwrap_or("python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/pillow.py");
    let pillow = || {
        let args = [
            script,
            "screen.json",
            "regular.ttf",
            "bold.ttf",
            "pillow.png",
        ];
        measure(Path::new(&python), &args, scratch.path())
    };

    let rounds: usize = std::env::var("SCREENTEST_BENCH_ROUNDS")
        .map_or(15, |rounds| rounds.parse().expect("a number of rounds"));
    let (mut our_times, mut pillow_times, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (pillow, ours) = (pillow(), ours());
        ratios.push(pillow / ours);
        our_times.push(ours * 1e3);
        pillow_times.push(pillow * 1e3);
    }
    println!(
        "`screentest render` of a {SIZE} screen, whole process, ms, medians of {rounds} alternating rounds"
    );
    println!(
        "{:>9}{:>9}{:>16}{:>16}",
        "Pillow", "ours", "times faster", "quartiles"
    );
    let [low, ratio, high] = quartiles(&mut ratios);
    println!(
        "{:>9.1}{:>9.1}{ratio:>16.1}{:>16}",
        quartiles(&mut pillow_times)[1],
        quartiles(&mut our_times)[1],
        format!("{low:.1} … {high:.1}")
    );
    let size = |name| std::fs::metadata(at(name)).map_or(0, |file| file.len());
    println!(
        "bytes: Pillow {}, ours {}",
        size("pillow.png"),
        size("ours.png")
    );
}

/// Returns a page of source code with coloured tokens, as State JSON.
fn screen() -> String {
    let mut emulator = Backend::default().emulator(SIZE, EmulatorOptions::default());
    emulator.feed(&code::page(SIZE.rows));
    let state = State {
        screen: emulator.screen(),
        scrollback: Vec::new(),
    };
    StateJson::from_state(&state, &state_json::StateJsonOptions::default()).to_string()
}

/// Runs a command and returns its duration in seconds.
#[expect(
    clippy::disallowed_methods,
    reason = "this measures a process, not a program in a terminal"
)]
fn measure(program: &Path, args: &[&str], directory: &Path) -> f64 {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::null());
    let start = now();
    let output = command.output().expect("the program starts");
    let taken = now() - start;
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    taken
}

fn now() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

fn quartiles(values: &mut [f64]) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|part| values[(values.len() - 1) * part / 4])
}
