//! Checks that the processes of a session have exited, and reads the peak memory of a process.

use std::path::Path;
use std::thread;

use crate::harness::server_pipes::SOON;

/// A shell script that starts a background process which ignores SIGHUP and SIGTERM, records both
/// process ids in the file `both`, and prints "ready".
pub(crate) const STUBBORN_SCRIPT: &str = "\
    mkfifo noted
    echo $$ > pids
    sh -c 'trap \"\" HUP TERM; echo $$ >> pids; mv pids both; echo > noted; while :; do sleep 100; done' &
    read x < noted
    printf ready
    read line";

/// Returns the peak resident memory of a process so far, in bytes.
#[track_caller]
pub(crate) fn peak_memory(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB"));
    peak.unwrap().parse::<usize>().unwrap() << 10
}

/// Returns the process ids that [`STUBBORN_SCRIPT`] recorded in a folder.
#[track_caller]
fn recorded_pids(folder: &Path) -> Vec<String> {
    let pids = std::fs::read_to_string(folder.join("both")).unwrap();
    let pids: Vec<String> = pids.lines().map(str::to_owned).collect();
    assert_eq!(pids.len(), 2);
    pids
}

fn is_running(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

/// Waits until a process has exited.
#[track_caller]
pub(crate) fn assert_exits(pid: &str) {
    let clock = screentest::clock::Clock::system();
    while is_running(pid) {
        assert!(clock.now() < SOON, "{pid} is still running");
        thread::yield_now();
    }
}

/// Waits until all processes of [`STUBBORN_SCRIPT`] have exited. After a SIGKILL of the tool, the
/// guardian kills them a moment later.
#[track_caller]
pub(crate) fn assert_all_exit(folder: &Path) {
    for pid in recorded_pids(folder) {
        assert_exits(&pid);
    }
}

/// Checks that all processes of [`STUBBORN_SCRIPT`] have exited already.
#[track_caller]
pub(crate) fn assert_all_exited(folder: &Path) {
    for pid in recorded_pids(folder) {
        assert!(!is_running(&pid), "{pid} is still running");
    }
}
