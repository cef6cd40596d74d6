//! Tests that their runner kills because they took too long.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal as Kill, kill_process_group};
use screentest::core::redact::scrub::Rules;
use screentest::recording::cassette::recover;
use screentest::{App, Cassette, Options, RecordOptions, Session};
use screentest_fixtures::scratch::Scratch;

use super::SOON;
use crate::processes::{unique_word, wait_until, with_word};

/// What such a test is given: where it records, and the word that its processes have.
const HOST: &str = "SCREENTEST_TEST_OUT_OF_TIME";
const STARTED: &str = "everything runs";

/// One process that asks to be left alone, one in a session of its own, and a daemon. Each has the word, `$0`.
const PROGRAM: &str = "\
    (trap '' TERM HUP INT; sh -c 'sleep $0; :' \"$0\") &
    setsid sh -c 'trap \"\" TERM HUP; sleep $0; :' \"$0\" &
    setsid sh -c '(exec </dev/null >/dev/null 2>&1; setsid nohup sh -c \"sleep \\$0; :\" \"$0\" &) &' \"$0\"
    echo ready; exec sleep $0";

/// A runner asks the process group of a test that takes too long to end (SIGTERM, as `cargo nextest` does), and kills it when it does not, or at once. Nothing
/// that the test started is left, daemons included, and what it recorded until then is a cassette that verifies.
#[test]
fn a_test_that_its_runner_kills_leaves_nothing_that_runs_and_its_recording() {
    for signals in [&[Kill::TERM][..], &[Kill::KILL], &[Kill::TERM, Kill::KILL]] {
        let scratch = Scratch::new();
        let path = scratch.path().join("x.cassette");
        let part = scratch.path().join("x.cassette.part");
        let word = unique_word();
        #[expect(
            clippy::disallowed_methods,
            reason = "the test to be killed is of this test binary, not a program in a terminal"
        )]
        let mut test = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "faults::killed::as_a_test_out_of_time"])
            .arg("--nocapture")
            .env(HOST, format!("{word} {}", path.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(test.stdout.take().unwrap()).lines();
        let started = lines.any(|line| line.unwrap() == STARTED);
        let group = Pid::from_child(&test);
        // Each has a shell that has the word, and a `sleep`.
        wait_until(|| !started || with_word(&word).len() >= 7);
        wait_until(|| !started || is_recorded(&part));
        for signal in signals {
            // One that has left by the first is not there for the second.
            let _ = kill_process_group(group, *signal);
        }
        let status = test.wait().unwrap();
        assert!(started, "{status}");
        assert!(signals.contains(&Kill::from_named_raw(status.signal().unwrap()).unwrap()));
        wait_until(|| with_word(&word).is_empty());
        let recovered = recover(&part, &Rules::known_tokens()).unwrap();
        let cassette = Cassette::open(&recovered.path).unwrap();
        cassette.verify().unwrap();
        assert_eq!(cassette.ending().screen().unwrap().text(), "ready\n");
    }
}

/// Whether what the program says is on the disk.
fn is_recorded(part: &Path) -> bool {
    let frames = fs::read_to_string(part.join("frames.jsonl"));
    frames.is_ok_and(|frames| frames.contains("ready") && frames.ends_with('\n'))
}

/// Not a test by itself: what the test above runs, which waits for longer than its runner does.
#[test]
#[expect(
    clippy::print_stdout,
    reason = "tells the test above that everything was started"
)]
fn as_a_test_out_of_time() {
    let Ok(given) = std::env::var(HOST) else {
        return;
    };
    let (word, path) = given.split_once(' ').unwrap();
    let options = Options {
        record: Some(RecordOptions::new(path)),
        ..Options::default()
    };
    let app = App::new("sh").args(["-c", PROGRAM, word]);
    let session = Session::start(&app, options).unwrap();
    session.wait_for("ready", SOON).unwrap();
    // On a line of its own: the test harness has begun one already.
    println!("\n{STARTED}");
    let _ = session.wait_for("never", Duration::from_secs(3600));
}
