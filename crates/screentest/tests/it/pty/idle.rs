//! Whether a program waits for input.

use std::fs;
use std::time::Duration;

use screentest::pty::native::NativePty;
use screentest::pty::{Activity, Pty, Relay, Waiting};
use screentest::{App, Signal};

use super::driver::{read_until, sh, start};

/// Waits for something that no event tells of.
fn until(mut happened: impl FnMut() -> bool) {
    while !happened() {
        std::thread::yield_now();
    }
}

fn waits(pty: &NativePty) -> bool {
    matches!(pty.activity(), Activity::Waiting(_))
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
    assert_eq!(pty.activity(), Activity::Unread);
    pty.signal(Signal::from_number(18).unwrap()).unwrap();
    until(|| waits(&pty));
    // A line that has not ended is nothing that it could read.
    assert_eq!(pty.write(b"half").unwrap(), 4);
    until(|| waits(&pty));
}

/// Starts a Python script that prints a line, then does this with `select`, `os` and `socket` at hand.
fn python(script: &str) -> NativePty {
    let script =
        format!("import os, select, socket, threading, time; print(1, flush=True); {script}");
    start(&App::new("python3").args(["-c", &script]))
}

#[test]
fn a_program_that_polls_waits_for_input_if_the_terminal_is_among_its_files() {
    for wait in [
        "select.select([0], [], [])",
        "p = select.poll(); p.register(0, select.POLLIN); p.poll()",
        "e = select.epoll(); e.register(0, select.EPOLLIN); e.poll()",
    ] {
        let pty = python(wait);
        until(|| waits(&pty));
    }
    // A socket is not input.
    let pty = python("a, b = socket.socketpair(); select.select([a], [], [])");
    read_until(&pty, |text| text.contains('1'));
    for _ in 0..1000 {
        assert_eq!(pty.activity(), Activity::Busy);
    }
}

/// How the program waits, once it does.
fn waiting(pty: &NativePty) -> Waiting {
    loop {
        if let Activity::Waiting(waiting) = pty.activity() {
            return waiting;
        }
        std::thread::yield_now();
    }
}

#[test]
fn timers_of_all_threads_are_reported() {
    let pty = python("select.select([0], [], [], 30)");
    assert_eq!(waiting(&pty).timers, [Duration::from_secs(30)]);
    let pty = python("e = select.epoll(); e.register(0, select.EPOLLIN); e.poll(20.5)");
    assert_eq!(waiting(&pty).timers, [Duration::from_millis(20_500)]);
    let pty = python("select.select([0], [], [])");
    assert_eq!(waiting(&pty), waiting(&pty));
    assert!(waiting(&pty).timers.is_empty());
    // A thread that sleeps is a timer, too.
    let pty = python(
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); os.read(0, 1)",
    );
    until(|| waiting(&pty).timers.len() == 1);
}

#[test]
fn a_program_that_asks_for_input_between_short_sleeps_waits_in_a_raw_terminal() {
    let naps = "exec python3 -c 'import time\nwhile True: time.sleep(0.02)'";
    let pty = sh(&format!("stty -icanon; {naps}"));
    until(|| waits(&pty));
}

#[test]
fn a_call_that_goes_on_after_a_stop_is_unknown() {
    let pty = python("p = select.poll(); p.register(0, select.POLLIN); p.poll(60_000)");
    until(|| waits(&pty));
    for signal in [19, 18] {
        pty.signal(Signal::from_number(signal).unwrap()).unwrap();
    }
    until(|| pty.activity() == Activity::Unknown);
}

#[test]
fn a_name_that_is_no_text_hides_no_process() {
    let named = "import ctypes; ctypes.CDLL(None).prctl(15, b'\\xff\\xfe'); input()";
    let pty = start(&App::new("python3").args(["-c", named]));
    until(|| waits(&pty));
}

#[test]
fn a_relay_waits_when_the_program_behind_it_does() {
    let pty = start(&App::new("script").args(["-q", "-c", "sh", "/dev/null"]));
    until(|| waiting(&pty).relay == Some(Relay::Waiting));
    let pty = start(&App::new("script").args(["-q", "-c", "echo on; sleep 60", "/dev/null"]));
    read_until(&pty, |text| text.contains("on"));
    for _ in 0..100 {
        assert_eq!(pty.activity(), Activity::Busy);
    }
    // A socket to somebody else, next to the terminal.
    let elsewhere = "l = socket.socket(); l.bind((\"127.0.0.1\", 0)); l.listen(); \
        c = socket.create_connection(l.getsockname()); select.select([0, c], [], [])";
    let pty = python(elsewhere);
    assert_eq!(waiting(&pty).relay, Some(Relay::Hidden));
    // An event loop that wakes itself.
    let itself = "a, b = socket.socketpair(); select.select([0, a], [], [])";
    let pty = python(itself);
    assert_eq!(waiting(&pty).relay, None);
}

#[test]
fn a_stopped_job_that_would_read_the_terminal_does_not_count() {
    // The job in the background is stopped because it reads.
    let jobs = "set -m; cat & until grep -q 'State:.T' /proc/$!/status; do :; done; \
        echo stopped; sleep 60";
    let pty = start(&App::new("bash").args(["--norc", "-c", jobs]));
    read_until(&pty, |text| text.contains("stopped"));
    for _ in 0..100 {
        assert_eq!(pty.activity(), Activity::Busy);
    }
}

#[test]
fn a_job_that_has_ended_is_busy_until_its_shell_has_the_terminal_back() {
    let jobs = "set -m; for i in $(seq 30); do sleep 0.01; done; echo done; read x";
    let pty = start(&App::new("bash").args(["--norc", "-c", jobs]));
    let mut looks = 0;
    while !waits(&pty) {
        assert_ne!(pty.activity(), Activity::Unknown, "after {looks} looks");
        looks += 1;
    }
}

#[test]
fn a_child_that_has_ended_keeps_nobody_from_waiting() {
    let script = "import subprocess; child = subprocess.Popen(['true']); input()";
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
