//! A library that drives programs in a terminal, and the tasks that each is given.
//!
//! A task is the same code for every library, and prints what `floor.c` prints: nanoseconds, one figure in each line. A line
//! that begins with `cpu` says what processors worked for the figures above it.
//!
//! Elsewhere: the libraries (`drivers.rs`), and the same tasks in Python and Node (`scripts/`).

use std::io::Read;
use std::process::ExitCode;
use std::thread;

use crate::clock::{monotonic, worked};
use crate::process;

/// A size in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) cols: u16,
    pub(crate) rows: u16,
}

/// What most terminals have.
pub(crate) const USUAL: Size = Size { cols: 80, rows: 24 };

/// A program in a terminal, through one library.
pub(crate) trait Driver: Sized + Send {
    /// Starts a program.
    fn start(program: &[&str], size: Size) -> Self;
    /// Sends text as it is.
    fn send(&mut self, text: &str);
    /// Waits until the text has come: on the screen, or in the stream where there is none.
    fn wait(&mut self, text: &str);
    /// What the last wait saw; asked for when the clock has stopped.
    fn seen(&mut self) -> String;
    /// Waits until the program has ended, and says whether it did so well.
    fn finish(self) -> bool;
    /// Reads every cell with its colours and attributes, and gives a number that depends on all of them.
    fn styled(&mut self) -> Option<u64> {
        None
    }
    /// A session that is only held, with the text on its screen.
    fn hold(program: &[&str], text: &str) -> Self {
        let mut driver = Self::start(program, USUAL);
        driver.wait(text);
        driver
    }
    /// Processes that belong to the library and are no children of ours.
    fn servants() -> Vec<u32> {
        Vec::new()
    }
}

/// Does a task, given as its words.
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

/// What a task is given as a number.
pub(crate) fn number(word: &str) -> usize {
    word.parse().expect("a number")
}

/// One figure.
#[expect(
    clippy::print_stdout,
    reason = "figures are what a contender is run for"
)]
pub(crate) fn figure(nanoseconds: f64) {
    println!("{nanoseconds:.0}");
}

/// From the child's write to the return of the wait.
#[expect(
    clippy::print_stdout,
    reason = "figures are what a contender is run for"
)]
fn wait<D: Driver>(times: usize, child: &str) {
    let mut driver = D::start(&[child, "child-at-random"], USUAL);
    driver.wait("up");
    let mut figures = Vec::new();
    let servants = D::servants();
    let before = worked_with(&servants);
    for time in 0..times {
        driver.send("g");
        driver.wait(&format!("marker-{time};"));
        let end = monotonic();
        figures.push(end - written(&driver.seen()));
    }
    let worked = worked_with(&servants) - before;
    figures.into_iter().for_each(figure);
    println!("cpu {worked:.0}");
}

/// Nanoseconds that processors have worked in this process and in these.
fn worked_with(servants: &[u32]) -> f64 {
    worked() + servants.iter().copied().map(process::worked).sum::<f64>()
}

/// The time that stands in front of the last marker.
fn written(seen: &str) -> f64 {
    let (before, _) = seen
        .rsplit_once(" marker-")
        .unwrap_or((seen.trim_end(), ""));
    let from = before
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    before[from..].parse().expect("the time comes first")
}

/// From the call to the first output matched.
fn startup<D: Driver>(times: usize) {
    let start = || {
        let start = monotonic();
        let mut driver = D::start(&["sh", "-c", "printf ready"], USUAL);
        driver.wait("ready");
        monotonic() - start
    };
    // What is done once for a process, such as starting a server, is outside of this figure.
    start();
    (0..times).for_each(|_| figure(start()));
}

/// Small tests, in so many threads.
fn suite<D: Driver>(tests: usize, threads: usize) {
    let start = monotonic();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| (0..tests / threads).for_each(|_| test::<D>()));
        }
    });
    figure(monotonic() - start);
}

/// A test as small as they get: start, type, look, leave, and see that all went well.
fn test<D: Driver>() {
    let mut driver = D::start(&["sh"], USUAL);
    driver.wait(">");
    driver.send("echo $((6*7))\r");
    driver.wait("42");
    driver.send("exit\r");
    assert!(driver.finish(), "sh ends well");
}

/// Until the marker at the end of a file has come.
fn cat<D: Driver>(file: &str) {
    let start = monotonic();
    let mut driver = D::start(&["cat", file], USUAL);
    driver.wait("the-end-marker");
    figure(monotonic() - start);
}

/// Reads a large screen over and over.
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

/// Holds sessions until nobody listens any more.
#[expect(clippy::print_stdout, reason = "whoever measures waits for this line")]
fn hold<D: Driver>(sessions: usize, file: &str) {
    let program = ["sh", "-c", "cat \"$0\"; exec sleep 1000", file];
    let held: Vec<D> = (0..sessions)
        .map(|_| D::hold(&program, "the-end-marker"))
        .collect();
    let servants: Vec<String> = D::servants().iter().map(u32::to_string).collect();
    println!("ready {}", servants.join(" "));
    let _ = std::io::stdin().read(&mut [0]);
    drop(held);
}

/// A number that depends on everything it was given, as cheap as they get.
#[derive(Debug, Default)]
pub(crate) struct Sum(u64);

impl Sum {
    /// Adds a cell: its character, and what a colour or attribute comes to.
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
    fn the_time_stands_before_the_last_marker() {
        assert_eq!(written("\u{1b}[H123 marker-4;"), 123.0);
        assert_eq!(
            written("\u{1b}[H5 marker-3;\u{1b}[H123 marker-4;  \n"),
            123.0
        );
        assert_eq!(written(";\u{1b}[H123 "), 123.0);
    }
}
