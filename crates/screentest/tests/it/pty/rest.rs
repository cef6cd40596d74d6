//! Whether a program waits for input.

use std::fs;

use screentest::pty::native::NativePty;
use screentest::pty::{Activity, Pty};
use screentest::{App, Signal};

use super::driver::{read_until, sh, start};

/// Waits for something that no event tells of.
fn until(mut happened: impl FnMut() -> bool) {
    while !happened() {
        std::thread::yield_now();
    }
}

fn waits(pty: &NativePty) -> bool {
    pty.activity() == Activity::Waiting
}

#[test]
fn what_was_not_read_yet_is_not_waited_for() {
    let pty = start(&App::new("cat"));
    until(|| waits(&pty));
    let state = |state: &str| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pty.pid())).unwrap();
        stat.contains(&format!(") {state} "))
    };
    // It stands still in the middle of its read, and would be taken for one that waits.
    pty.signal(Signal::from_number(19).unwrap()).unwrap();
    until(|| state("T"));
    assert_eq!(pty.write(b"x\n").unwrap(), 2);
    assert_eq!(pty.activity(), Activity::Busy);
    pty.signal(Signal::from_number(18).unwrap()).unwrap();
    until(|| waits(&pty));
    // A line that has not ended is nothing that it could read.
    assert_eq!(pty.write(b"half").unwrap(), 4);
    until(|| waits(&pty));
}

#[test]
fn what_polls_waits_for_input_in_a_raw_terminal_only() {
    let polls = "exec python3 -c 'import select; print(1, flush=True); select.select([0], [], [])'";
    let pty = sh(&format!("stty -icanon; {polls}"));
    until(|| waits(&pty));
    // In one that edits lines it could as well be a network that it listens to.
    let pty = sh(polls);
    read_until(&pty, |text| text.contains('1'));
    for _ in 0..1000 {
        assert_eq!(pty.activity(), Activity::Busy);
    }
}

#[test]
fn a_child_that_has_ended_keeps_nobody_from_waiting() {
    let script = "import subprocess; subprocess.Popen(['true']); input()";
    let pty = start(&App::new("python3").args(["-c", script]));
    let ended = || {
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", pty.pid()));
        let child = children.unwrap_or_default().trim().to_owned();
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        stat.contains(") Z ")
    };
    until(ended);
    until(|| waits(&pty));
}

#[test]
fn what_sleeps_works_or_waits_for_its_child_is_busy() {
    for script in [
        "sleep 60",
        "while :; do :; done",
        "sleep 60; true",
        // It reads, and not the terminal.
        "setsid sleep 60 | cat",
    ] {
        let pty = sh(script);
        for _ in 0..1000 {
            assert_eq!(pty.activity(), Activity::Busy, "{script}");
        }
    }
    // And one that has ended is nobody's guess.
    let pty = sh("exit");
    until(|| pty.outcome().is_some());
    assert_eq!(pty.activity(), Activity::Unknown);
}
