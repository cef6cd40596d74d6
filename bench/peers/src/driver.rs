//! A library that drives programs in a terminal, and the tasks that each performs.
//!
//! A task is the same code for every library, and prints the same as `floor.c`: nanoseconds, one
//! figure per line. A line that begins with `cpu` is the processor time for the figures above it.
//!
//! See also: `drivers.rs` (the libraries), `scripts/` (the same tasks in Python and Node).

use std::io::Read;
use std::process::ExitCode;
use std::thread;

use crate::clock::{cpu_time, monotonic};
use crate::process;

/// A size in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) cols: u16,
    pub(crate) rows: u16,
}

/// The most common size.
pub(crate) const USUAL: Size = Size { cols: 80, rows: 24 };

/// A program in a terminal, driven through one library.
pub(crate) trait Driver: Sized + Send {
    /// Starts a program.
    fn start(program: &[&str], size: Size) -> Self;
    /// Sends text unchanged.
    fn send(&mut self, text: &str);
    /// Waits until the text appears on the screen, or in the stream if there is no screen.
    fn wait(&mut self, text: &str);
    /// Returns the screen or the output in which the last wait found its text. Called after the
    /// clock has stopped.
    fn matched(&mut self) -> String;
    /// Waits until the program has ended; returns whether it succeeded.
    fn finish(self) -> bool;
    /// Reads every cell with its colours and attributes, and returns a number that depends on all
    /// of them.
    fn styled(&mut self) -> Option<u64> {
        None
    }
    /// Starts a session that stays open with the text on its screen.
    fn hold(program: &[&str], text: &str) -> Self {
        let mut driver = Self::start(program, USUAL);
        driver.wait(text);
        driver
    }
    /// Returns processes of the library that are not children of this one.
    fn server_processes() -> Vec<u32> {
        Vec::new()
    }
}

/// Performs a task, given as words.
pub(crate) fn run<D: Driver>(task: &[&str]) -> ExitCode {
    match task {
        ["wait", times, child] => wait::<D>(number(times), child),
        ["startup", times] => startup::<D>(number(times)),
        ["suite", tests, threads] => suite::<D>(number(tests), number(threads)),
        ["cat", file] => cat::<D>(file),
        ["styled", times, file] => styled::<D>(number(times), file),
        ["hold", sessions, file] => hold::<D>(number(sessions), file),
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}

/// Parses a number of a task.
pub(crate) fn number(word: &str) -> usize {
    word.parse().expect("a number")
}

/// Prints one figure.
#[expect(clippy::print_stdout, reason = "a contender prints its figures")]
pub(crate) fn figure(nanoseconds: f64) {
    println!("{nanoseconds:.0}");
}

/// Measures the time from the child's write to the return of the wait.
#[expect(clippy::print_stdout, reason = "a contender prints its figures")]
fn wait<D: Driver>(times: usize, child: &str) {
    let mut driver = D::start(&[child, "child-at-random"], USUAL);
    driver.wait("up");
    let mut figures = Vec::new();
    let server_processes = D::server_processes();
    let before = cpu_time_with(&server_processes);
    for time in 0..times {
        driver.send("g");
        driver.wait(&format!("marker-{time};"));
        let end = monotonic();
        figures.push(end - written(&driver.matched()));
    }
    let cpu_time = cpu_time_with(&server_processes) - before;
    figures.into_iter().for_each(figure);
    println!("cpu {cpu_time:.0}");
}

/// Returns the processor time of this process and of these processes in nanoseconds.
fn cpu_time_with(server_processes: &[u32]) -> f64 {
    cpu_time()
        + server_processes
            .iter()
            .copied()
            .map(process::cpu_time)
            .sum::<f64>()
}

/// Parses the time before the last marker.
fn written(matched: &str) -> f64 {
    let (before, _) = matched
        .rsplit_once(" marker-")
        .unwrap_or((matched.trim_end(), ""));
    let from = before
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    before[from..].parse().expect("the time comes first")
}

/// Measures the time from the call to the first matched output.
fn startup<D: Driver>(times: usize) {
    let start = || {
        let start = monotonic();
        let mut driver = D::start(&["sh", "-c", "printf ready"], USUAL);
        driver.wait("ready");
        monotonic() - start
    };
    // Work that is done once per process, such as starting a server, is not counted.
    start();
    (0..times).for_each(|_| figure(start()));
}

/// Runs small tests in this many threads.
fn suite<D: Driver>(tests: usize, threads: usize) {
    let start = monotonic();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| (0..tests / threads).for_each(|_| test::<D>()));
        }
    });
    figure(monotonic() - start);
}

/// A minimal test: start, type, check, exit, and check the exit status.
fn test<D: Driver>() {
    let mut driver = D::start(&["sh"], USUAL);
    driver.wait(">");
    driver.send("echo $((6*7))\r");
    driver.wait("42");
    driver.send("exit\r");
    assert!(driver.finish(), "sh ends well");
}

/// Waits for the marker at the end of a file.
fn cat<D: Driver>(file: &str) {
    let start = monotonic();
    let mut driver = D::start(&["cat", file], USUAL);
    driver.wait("the-end-marker");
    figure(monotonic() - start);
}

/// Reads a large screen repeatedly.
fn styled<D: Driver>(times: usize, file: &str) {
    let size = Size {
        cols: 200,
        rows: 50,
    };
    let mut driver = D::start(&["sh", "-c", "cat \"$0\"; exec sleep 1000", file], size);
    driver.wait("the-end-marker");
    let first = driver.styled();
    for _ in 0..times {
        let start = monotonic();
        let read = driver.styled();
        figure(monotonic() - start);
        assert_eq!(read, first, "nothing changes");
    }
}

/// Starts sessions and holds them until stdin receives a byte or is closed.
#[expect(
    clippy::print_stdout,
    reason = "the measuring process waits for this line"
)]
fn hold<D: Driver>(sessions: usize, file: &str) {
    let program = ["sh", "-c", "cat \"$0\"; exec sleep 1000", file];
    let held: Vec<D> = (0..sessions)
        .map(|_| D::hold(&program, "the-end-marker"))
        .collect();
    let server_processes: Vec<String> = D::server_processes().iter().map(u32::to_string).collect();
    println!("ready {}", server_processes.join(" "));
    let _ = std::io::stdin().read(&mut [0]);
    drop(held);
}

/// A cheap checksum of everything that is added.
#[derive(Debug, Default)]
pub(crate) struct Sum(u64);

impl Sum {
    /// Adds a cell: its character and a number for its style.
    pub(crate) fn add(&mut self, character: char, style: u64) {
        self.0 = self.0.rotate_left(5) ^ u64::from(u32::from(character)) ^ style;
    }

    pub(crate) fn get(self) -> Option<u64> {
        Some(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_before_the_last_marker() {
        assert_eq!(written("\u{1b}[H123 marker-4;"), 123.0);
        assert_eq!(
            written("\u{1b}[H5 marker-3;\u{1b}[H123 marker-4;  \n"),
            123.0
        );
        assert_eq!(written(";\u{1b}[H123 "), 123.0);
    }
}
