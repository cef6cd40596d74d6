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
use screentest::recording::{Cassette, RecordOptions};
use screentest::session::SessionOptions;
use screentest::{App, Session};
use screentest_fixtures::scratch::Scratch;

use super::TIMEOUT;
use crate::harness::processes::{processes_with_tag, unique_tag, wait_until};

/// Input of the killed test: the tag of its processes and the path of its recording.
const HOST: &str = "SCREENTEST_TEST_OUT_OF_TIME";
const STARTED: &str = "everything runs";

/// A process that ignores signals, one in its own session, and a daemon. Each has the tag,
/// `$0`.
const PROGRAM: &str = "\
    (trap '' TERM HUP INT; sh -c 'sleep $0; :' \"$0\") &
    setsid sh -c 'trap \"\" TERM HUP; sleep $0; :' \"$0\" &
    setsid sh -c '(exec </dev/null >/dev/null 2>&1; setsid nohup sh -c \"sleep \\$0; :\" \"$0\" &) &' \"$0\"
    echo ready; exec sleep $0";

/// A test runner sends SIGTERM to the process group of a test that takes too long, as `cargo
/// nextest` does, and SIGKILL later or at once. Nothing that the test started is left running,
/// daemons included, and its recording is recovered as a cassette that verifies.
#[test]
fn a_test_killed_by_its_runner_leaves_no_process_and_a_recording() {
    for signals in [&[Kill::TERM][..], &[Kill::KILL], &[Kill::TERM, Kill::KILL]] {
        let scratch = Scratch::new();
        let path = scratch.path().join("x.cassette");
        let part = scratch.path().join("x.cassette.part");
        let tag = unique_tag();
        #[expect(
            clippy::disallowed_methods,
            reason = "the test to be killed is of this test binary, not a program in a terminal"
        )]
        let mut test = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "faults::killed::process_of_a_test_out_of_time"])
            .arg("--nocapture")
            .env(HOST, format!("{tag} {}", path.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(test.stdout.take().unwrap()).lines();
        let started = lines.any(|line| line.unwrap() == STARTED);
        let group = Pid::from_child(&test);
        // Each has a shell with the tag, and a `sleep`.
        wait_until(|| !started || processes_with_tag(&tag).len() >= 7);
        wait_until(|| !started || is_recorded(&part));
        for signal in signals {
            // The process may have ended after the first signal.
            let _ = kill_process_group(group, *signal);
        }
        let status = test.wait().unwrap();
        assert!(started, "{status}");
        assert!(signals.contains(&Kill::from_named_raw(status.signal().unwrap()).unwrap()));
        wait_until(|| processes_with_tag(&tag).is_empty());
        let recovered = recover(&part, &Rules::known_tokens()).unwrap();
        let cassette = Cassette::open(&recovered.path).unwrap();
        cassette.verify().unwrap();
        assert_eq!(cassette.ending().screen().unwrap().text(), "ready\n");
    }
}

/// Returns whether the program's output has been written to disk.
fn is_recorded(part: &Path) -> bool {
    let frames = fs::read_to_string(part.join("frames.jsonl"));
    frames.is_ok_and(|frames| frames.contains("ready") && frames.ends_with('\n'))
}

/// Not a test: the process that the test above starts. It waits for longer than its runner does.
#[test]
#[expect(clippy::print_stdout, reason = "the test above reads it")]
fn process_of_a_test_out_of_time() {
    let Ok(given) = std::env::var(HOST) else {
        return;
    };
    let (tag, path) = given.split_once(' ').unwrap();
    let options = SessionOptions::default().record(RecordOptions::new(path));
    let app = App::new("sh").args(["-c", PROGRAM, tag]);
    let session = Session::start(&app, options).unwrap();
    session.wait_for("ready", TIMEOUT).unwrap();
    // On a separate line, since the test harness has already begun one.
    println!("\n{STARTED}");
    let _ = session.wait_for("never", Duration::from_secs(3600));
}
