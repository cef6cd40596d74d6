//! Detection of programs that wait for input.

use std::fs;
use std::time::Duration;

use screentest::pty::native::NativePty;
use screentest::pty::{Activity, Pty, Relay, Waiting};
use screentest::{App, Signal};

use super::driver::{read_until, sh, start};

/// Polls a state that no event reports.
fn poll_until(mut happened: impl FnMut() -> bool) {
    while !happened() {
        std::thread::yield_now();
    }
}

fn waits(pty: &NativePty) -> bool {
    matches!(pty.activity(), Activity::Waiting(_))
}

#[test]
fn unread_input_is_not_waiting() {
    let pty = start(&App::new("cat"));
    poll_until(|| waits(&pty));
    let state = |state: &str| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pty.pid())).unwrap();
        stat.contains(&format!(") {state} "))
    };
    // The program is stopped within its read, which looks like waiting.
    pty.signal(Signal::from_number(19).unwrap()).unwrap();
    poll_until(|| state("T"));
    assert_eq!(pty.write(b"x\n").unwrap(), 2);
    assert_eq!(pty.activity(), Activity::Unread);
    pty.signal(Signal::from_number(18).unwrap()).unwrap();
    poll_until(|| waits(&pty));
    // An unfinished line cannot be read in canonical mode.
    assert_eq!(pty.write(b"half").unwrap(), 4);
    poll_until(|| waits(&pty));
}

/// Starts a Python script that prints a line and then runs `script`, with `select`, `os`, `socket`
/// and others imported.
fn python(script: &str) -> NativePty {
    let script =
        format!("import os, select, socket, threading, time; print(1, flush=True); {script}");
    start(&App::new("python3").args(["-c", &script]))
}

#[test]
fn polling_the_terminal_is_waiting_for_input() {
    for wait in [
        "select.select([0], [], [])",
        "p = select.poll(); p.register(0, select.POLLIN); p.poll()",
        "e = select.epoll(); e.register(0, select.EPOLLIN); e.poll()",
    ] {
        let pty = python(wait);
        poll_until(|| waits(&pty));
    }
    // A socket is not input.
    let pty = python("a, b = socket.socketpair(); select.select([a], [], [])");
    read_until(&pty, |text| text.contains('1'));
    for _ in 0..1000 {
        assert_eq!(pty.activity(), Activity::Busy);
    }
}

/// Polls until the program waits, and returns how.
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
    // A sleeping thread is a timer, too.
    let pty = python(
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); os.read(0, 1)",
    );
    poll_until(|| waiting(&pty).timers.len() == 1);
}

#[test]
fn polling_between_short_sleeps_is_waiting_in_a_raw_terminal() {
    let naps = "exec python3 -c 'import time\nwhile True: time.sleep(0.02)'";
    let pty = sh(&format!("stty -icanon; {naps}"));
    poll_until(|| waits(&pty));
}

#[test]
fn a_call_restarted_after_a_stop_is_unknown() {
    let pty = python("p = select.poll(); p.register(0, select.POLLIN); p.poll(60_000)");
    poll_until(|| waits(&pty));
    for signal in [19, 18] {
        pty.signal(Signal::from_number(signal).unwrap()).unwrap();
    }
    poll_until(|| pty.activity() == Activity::Unknown);
}

#[test]
fn a_process_name_that_is_not_utf8_is_handled() {
    let named = "import ctypes; ctypes.CDLL(None).prctl(15, b'\\xff\\xfe'); input()";
    let pty = start(&App::new("python3").args(["-c", named]));
    poll_until(|| waits(&pty));
}

#[test]
fn a_relay_waits_when_the_relayed_program_waits() {
    let pty = start(&App::new("script").args(["-q", "-c", "sh", "/dev/null"]));
    poll_until(|| waiting(&pty).relay == Some(Relay::Waiting));
    let pty = start(&App::new("script").args(["-q", "-c", "echo on; sleep 60", "/dev/null"]));
    read_until(&pty, |text| text.contains("on"));
    for _ in 0..100 {
        assert_eq!(pty.activity(), Activity::Busy);
    }
    // A TCP socket next to the terminal: its peer may be another process.
    let elsewhere = "l = socket.socket(); l.bind((\"127.0.0.1\", 0)); l.listen(); \
        c = socket.create_connection(l.getsockname()); select.select([0, c], [], [])";
    let pty = python(elsewhere);
    assert_eq!(waiting(&pty).relay, Some(Relay::Hidden));
    // An event loop with a socket to wake itself.
    let itself = "a, b = socket.socketpair(); select.select([0, a], [], [])";
    let pty = python(itself);
    assert_eq!(waiting(&pty).relay, None);
}

#[test]
fn a_stopped_job_that_reads_the_terminal_is_ignored() {
    // The background job is stopped because it reads.
    let jobs = "set -m; cat & until grep -q 'State:.T' /proc/$!/status; do :; done; \
        echo stopped; sleep 60";
    let pty = start(&App::new("bash").args(["--norc", "-c", jobs]));
    read_until(&pty, |text| text.contains("stopped"));
    for _ in 0..100 {
        assert_eq!(pty.activity(), Activity::Busy);
    }
}

#[test]
fn after_a_job_ends_the_shell_is_busy_until_it_has_the_terminal() {
    let jobs = "set -m; for i in $(seq 30); do sleep 0.01; done; echo done; read x";
    let pty = start(&App::new("bash").args(["--norc", "-c", jobs]));
    let mut queries = 0;
    while !waits(&pty) {
        assert_ne!(pty.activity(), Activity::Unknown, "after {queries} queries");
        queries += 1;
    }
}

#[test]
fn a_zombie_child_does_not_prevent_waiting() {
    let script = "import subprocess; child = subprocess.Popen(['true']); input()";
    let pty = start(&App::new("python3").args(["-c", script]));
    let ended = || {
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", pty.pid()));
        let child = children.unwrap_or_default().trim().to_owned();
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        stat.contains(") Z ")
    };
    poll_until(ended);
    poll_until(|| waits(&pty));
}

#[test]
fn sleeping_computing_or_waiting_for_a_child_is_busy() {
    for script in [
        "sleep 60",
        "while :; do :; done",
        "sleep 60; true",
        // `cat` reads, but not from the terminal.
        "setsid sleep 60 | cat",
    ] {
        let pty = sh(script);
        for _ in 0..1000 {
            assert_eq!(pty.activity(), Activity::Busy, "{script}");
        }
    }
    // After the exit the activity is unknown.
    let pty = sh("exit");
    poll_until(|| pty.exit_status().is_some());
    assert_eq!(pty.activity(), Activity::Unknown);
}
