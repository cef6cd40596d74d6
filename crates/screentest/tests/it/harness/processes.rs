//! Processes that are not ours to wait for: looked for by a word that no other has.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::process::Pid;

/// Long enough for any machine; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// A word that no other process has, and a time that `sleep` takes, longer than any test.
pub(crate) fn unique_word() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("300.{:08}{next:04}", std::process::id())
}

/// The processes that have `word` as an argument.
pub(crate) fn with_word(word: &str) -> Vec<Pid> {
    processes()
        .filter(|pid| {
            let path = format!("/proc/{}/cmdline", pid.as_raw_nonzero());
            let line = fs::read(path).unwrap_or_default();
            line.split(|byte| *byte == 0)
                .any(|argument| argument == word.as_bytes())
        })
        .collect()
}

pub(crate) fn children(parent: Pid) -> Vec<Pid> {
    processes()
        .filter(|pid| stat(*pid).get(1) == Some(&parent.to_string()))
        .collect()
}

/// What the kernel tells of a process, from its state and its parent on.
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

/// Looks at what nobody could tell us of: processes that are not ours.
#[track_caller]
#[expect(
    clippy::disallowed_methods,
    reason = "the state of foreign processes is told to nobody"
)]
pub(crate) fn wait_until(done: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "waited too long");
        std::thread::yield_now();
    }
}
