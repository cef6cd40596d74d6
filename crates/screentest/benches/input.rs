//! Measures the cost of auto-wait: the time of a key with and without it, in several programs.
//!
//! Each round types a row of letters, one `press` each, and waits until the screen shows them all,
//! once with auto-wait and once without. Both alternate within one session.
//! `SCREENTEST_BENCH_ROUNDS` sets the number of rounds (15). If a program loses keys without
//! auto-wait, its row ends with a note.

use std::path::{Path, PathBuf};
use std::time::Duration;

use screentest::session::{InputOptions, SessionOptions};
use screentest::{App, Session};

mod measure;

use measure::{monotonic, number, quartiles};

const TIMEOUT: Duration = Duration::from_secs(10);
/// Keys per round. The form of the Textual app shows 36 characters of a field.
const KEYS: usize = 30;

/// A program in which letters can be typed.
struct Program {
    name: &'static str,
    app: App,
    /// Text that shows that the program is ready.
    ready: &'static str,
    /// Keys pressed before the first letter.
    start: &'static [&'static str],
    /// Keys pressed after each round to get an empty line.
    clear: &'static [&'static str],
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let rounds = number("SCREENTEST_BENCH_ROUNDS", 15);
    println!("a key, µs, medians of {rounds} rounds of {KEYS}, alternating");
    println!(
        "{:<12}{:>10}{:>11}{:>8}{:>18}",
        "", "at once", "auto-wait", "ratio", "quartiles"
    );
    for program in programs() {
        let (mut without, mut with, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        let mut lost = 0;
        let session = start(&program);
        for round in 0..rounds {
            let auto = type_row(&session, &program, InputOptions::default(), round);
            let auto = auto.expect("auto-wait loses no key");
            with.push(auto);
            match type_row(&session, &program, InputOptions::AT_ONCE, round) {
                Some(time) => {
                    without.push(time);
                    ratios.push(auto / time);
                }
                None => lost += 1,
            }
        }
        let auto = quartiles(&with)[1];
        let name = program.name;
        if without.is_empty() {
            println!(
                "{name:<12}{:>10}{auto:>11.0}    keys are lost in every round without auto-wait",
                ""
            );
            continue;
        }
        let [low, ratio, high] = quartiles(&ratios);
        let quartiles_shown = format!("{low:.2} … {high:.2}");
        let at_once = quartiles(&without)[1];
        print!("{name:<12}{at_once:>10.0}{auto:>11.0}{ratio:>8.2}{quartiles_shown:>18}");
        match lost {
            0 => println!(),
            lost => println!("   keys lost without auto-wait in {lost} of {rounds} rounds"),
        }
    }
}

fn programs() -> Vec<Program> {
    let shell = |name, app: App| Program {
        name,
        app: app.env("PS1", "ready> "),
        ready: "ready> ",
        start: &[],
        clear: &["Ctrl+U", "Enter"],
    };
    let mut programs = vec![
        Program {
            name: "cat",
            app: App::new("cat"),
            ready: "",
            start: &[],
            clear: &["Ctrl+U", "Enter"],
        },
        shell("sh", App::new("sh")),
        shell("bash", App::new("bash").args(["--norc", "--noprofile"])),
        Program {
            name: "vim",
            app: App::new("vim").args(["--clean", "-n"]),
            ready: "VIM",
            start: &["i"],
            clear: &["Ctrl+U", "Enter"],
        },
    ];
    // Skipped if its Python packages are missing; `cargo xtask bench input` installs them.
    let python = project().join("target/python-apps/bin/python");
    if python.exists() {
        programs.push(Program {
            name: "Textual",
            app: App::new(python).args([project().join("examples/apps/textual_form.py")]),
            ready: "New person",
            start: &["n"],
            clear: &["Ctrl+U"],
        });
    }
    programs
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn start(program: &Program) -> Session {
    let session =
        Session::start(&program.app, SessionOptions::default()).expect("the program starts");
    if !program.ready.is_empty() {
        session
            .wait_for(program.ready, TIMEOUT)
            .expect("the program is ready");
    }
    press(&session, program.start, InputOptions::default());
    session
}

/// Types a row and returns the time per key in microseconds. `None` if a key was lost.
fn type_row(
    session: &Session,
    program: &Program,
    options: InputOptions,
    round: usize,
) -> Option<f64> {
    // Wait until earlier work is done, so that it does not count for this contender.
    assert!(session.wait_until_idle(TIMEOUT), "{} is idle", program.name);
    // Rows differ, so that earlier text on the screen does not end the wait.
    let first = char::from(b'a' + (round % 26) as u8);
    let row: String = std::iter::once(first)
        .chain(('a'..='z').cycle().skip(round).take(KEYS - 1))
        .collect();
    let input = session.input_with(options);
    let start = monotonic();
    for key in row.chars() {
        input
            .press(key.to_string().as_str())
            .expect("the key is sent");
    }
    let shown = session
        .wait_for(row.as_str(), Duration::from_secs(2))
        .is_ok();
    let time = (monotonic() - start) / KEYS as f64;
    press(session, program.clear, InputOptions::default());
    shown.then_some(time)
}

fn press(session: &Session, keys: &[&str], options: InputOptions) {
    for key in keys {
        session
            .input_with(options)
            .press(*key)
            .expect("the key is sent");
    }
}
