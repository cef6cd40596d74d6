//! Lookup of processes that are not children of the test, by a tag among their arguments.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::process::Pid;

/// Long enough for any machine; a wait that takes this long is a failure.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Returns an argument that no other process has. It is also a duration for `sleep`, longer than
/// any test.
pub(crate) fn unique_tag() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("300.{:08}{next:04}", std::process::id())
}

/// Returns the processes that have `tag` as an argument.
pub(crate) fn processes_with_tag(tag: &str) -> Vec<Pid> {
    processes()
        .filter(|pid| {
            let path = format!("/proc/{}/cmdline", pid.as_raw_nonzero());
            let line = fs::read(path).unwrap_or_default();
            line.split(|byte| *byte == 0)
                .any(|argument| argument == tag.as_bytes())
        })
        .collect()
}

pub(crate) fn children(parent: Pid) -> Vec<Pid> {
    processes()
        .filter(|pid| stat(*pid).get(1) == Some(&parent.to_string()))
        .collect()
}

/// Returns the fields of `/proc/PID/stat` after the name: the state, the parent, and so on.
pub(crate) fn stat(process: Pid) -> Vec<String> {
    let path = format!("/proc/{}/stat", process.as_raw_nonzero());
    let stat = fs::read_to_string(path).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    after_name.split_whitespace().map(str::to_owned).collect()
}

pub(crate) fn processes() -> impl Iterator<Item = Pid> {
    fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let name = entry.ok()?.file_name();
        Pid::from_raw(name.to_str()?.parse().ok()?)
    })
}

/// Polls the state of processes, for which there is no event.
#[track_caller]
#[expect(
    clippy::disallowed_methods,
    reason = "no event reports the state of other processes"
)]
pub(crate) fn wait_until(done: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !done() {
        assert!(start.elapsed() < TIMEOUT, "waited too long");
        std::thread::yield_now();
    }
}
