//! A wall clock that jumps back and forth.

use std::path::Path;

use screentest::recording::Cassette;
use serde_json::Value;

use crate::harness::cli::{Folder, command, run_with_env};

/// A wall clock that is alternately an hour behind and an hour ahead. Other clocks are unchanged,
/// as they are when the date is set.
const JUMPING_CLOCK: &str = r"
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    static atomic_uint calls;
    int failed = syscall(SYS_clock_gettime, clock, time);
    if (!failed && clock == CLOCK_REALTIME)
        time->tv_sec += calls++ % 2 ? 3600 : -3600;
    return failed;
}
";

/// Compiles a library with this clock for `LD_PRELOAD`. `cc` is available because Rust links with
/// it.
fn jumping_clock(folder: &Folder) -> String {
    let (source, library) = (
        folder.file("clock.c", JUMPING_CLOCK),
        folder.join("clock.so"),
    );
    command("cc", ["-shared", "-fPIC", "-o", &library, &source]);
    library
}

/// Times in a recording count from its start and never decrease, whatever the wall clock does. Only
/// the date of the recording comes from the wall clock. The cassette verifies.
#[test]
fn recording_times_ignore_wall_clock_jumps() {
    let folder = Folder::new();
    let clock = jumping_clock(&folder);
    let path = folder.join("x.cassette");
    let script = "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.02; done";
    let words = ["record", "-o", &path, "--", "sh", "-c", script];
    let run = run_with_env(&[("LD_PRELOAD", &clock)], words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let cassette = Cassette::open(Path::new(&path)).unwrap();
    cassette.verify().unwrap();
    let now = screentest::clock::Clock::system().date().as_secs();
    let said = cassette.manifest().provenance.recorded_at.unwrap();
    assert!(now.abs_diff(said) > 1800, "the clock did not jump: {said}");
    let lasted = cassette.manifest().timing.duration_ms.time().as_secs();
    assert!(lasted < 1800, "{lasted} s");
    let raw = String::from_utf8(folder.read("x.cassette/output.jsonl")).unwrap();
    let lines = raw
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let times: Vec<f64> = lines.map(|line| line["t_ms"].as_f64().unwrap()).collect();
    assert!(times.len() > 1 && times.is_sorted(), "{times:?}");
}

/// A wait neither ends early nor an hour late, and text that appears in time is found.
#[test]
fn wait_timeouts_ignore_wall_clock_jumps() {
    let folder = Folder::new();
    let clock = jumping_clock(&folder);
    let snap = |text: &str, seconds: &str| {
        let words = ["snap", "--wait", text, "--timeout", seconds, "--"];
        let script = "sleep 0.05; echo shown; exec sleep 1000";
        run_with_env(
            &[("LD_PRELOAD", &clock)],
            words.into_iter().chain(["sh", "-c", script]),
        )
    };
    assert_eq!(snap("shown", "20").text(), "shown\n");
    let began = screentest::clock::Clock::system();
    let said = snap("never", "0.3").failed(1);
    assert!(said.contains("did not appear within 300ms"), "{said}");
    let took = began.now().as_millis();
    assert!((300..60_000).contains(&took), "{took} ms");
}
