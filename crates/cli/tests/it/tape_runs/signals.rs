//! A signal stops all tapes, and the finished ones are reported.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::session::Interrupt;

use super::{GOOD, tapes};
use crate::harness::cli::{command, start_in, start_in_after_setup};

/// Timeout of one wait. Long enough for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

#[test]
fn signal_stops_all_tapes_and_reports_finished_ones() {
    let long = |name: &str| {
        format!("Output {name}.gif\nLaunch sh -c 'touch {name}; cat'\nType 'a'\nSleep 60s\n")
    };
    let folder = tapes(&[
        ("good.tape", GOOD),
        ("one.tape", &long("one")),
        ("two.tape", &long("two")),
        ("late.tape", GOOD),
    ]);
    let words = ["good.tape", "one.tape", "two.tape", "late.tape"];
    let words = [
        &["run", "--workers", "2", "--reporter", "json=report.json"],
        &words[..],
    ];
    let mut child = start_in(&folder, &[], &words.concat());
    let has = |name: &str| folder.names().contains(&name.to_owned());
    let clock = Clock::system();
    while !(has("one") && has("two")) {
        assert!(
            clock.now() < TIMEOUT,
            "the two tapes do not run in parallel"
        );
        assert!(child.try_wait().unwrap().is_none(), "the run ended");
        std::thread::yield_now();
    }
    command("kill", ["-INT", &child.id().to_string()]);
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.signal(), Some(2), "{said}");
    assert!(said.starts_with("passed: good.tape: "), "{said}");
    assert!(said.contains("stopped: one.tape: "), "{said}");
    assert!(
        said.contains("note: 1 passed, 2 stopped, 1 not run in "),
        "{said}"
    );
    let report: serde_json::Value = serde_json::from_slice(&folder.read("report.json")).unwrap();
    let status = |index: usize| report["tapes"][index]["status"].as_str().unwrap();
    let all = [status(0), status(1), status(2), status(3)];
    assert_eq!(all, ["passed", "stopped", "stopped", "not_run"]);
    assert!(!has("one.gif") && !has("two.gif"));
}

#[test]
fn signal_ends_the_run_even_if_stderr_is_blocked() {
    let folder = tapes(&[("a.tape", "Launch sh -c 'touch one; cat'\nType 'a'\n")]);
    // The pipe of stderr is full before the run writes to it.
    let mut child = start_in_after_setup(&folder, "yes >&2 &", &["run", "a.tape"]);
    let clock = Clock::system();
    while !folder.names().contains(&"one".to_owned()) {
        assert!(clock.now() < TIMEOUT, "the tape does not run");
        std::thread::yield_now();
    }
    command("kill", ["-TERM", &child.id().to_string()]);
    let ended = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        } else if clock.now() > TIMEOUT {
            child.kill().unwrap();
            break None;
        }
        Interrupt::new().pause(Duration::from_millis(10));
    };
    assert_eq!(ended.and_then(|status| status.signal()), Some(15));
}
