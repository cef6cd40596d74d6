//! Processes that a server started, and that they are gone.

use std::path::Path;
use std::thread;

use crate::harness::server_pipes::SOON;

/// A line of shell that notes its own process and one in the background that ignores being asked to leave, then says “ready”.
pub(crate) const STAYS: &str = "\
    mkfifo noted
    echo $$ > pids
    sh -c 'trap \"\" HUP TERM; echo $$ >> pids; mv pids both; echo > noted; while :; do sleep 100; done' &
    read x < noted
    printf ready
    read line";

/// The processes that [`STAYS`] noted in a folder.
#[track_caller]
fn noted(folder: &Path) -> Vec<String> {
    let pids = std::fs::read_to_string(folder.join("both")).unwrap();
    let pids: Vec<String> = pids.lines().map(str::to_owned).collect();
    assert_eq!(pids.len(), 2);
    pids
}

fn is_there(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

/// Makes sure that a process is gone, once it has had the time to go.
#[track_caller]
pub(crate) fn assert_goes(pid: &str) {
    let clock = screentest::Clock::system();
    while is_there(pid) {
        assert!(clock.now() < SOON, "{pid} is still there");
        thread::yield_now();
    }
}

/// Makes sure that all of [`STAYS`] is gone. Who was killed with -9 could not wait for the others: its guardian ends them a moment
/// later.
#[track_caller]
pub(crate) fn assert_all_go(folder: &Path) {
    for pid in noted(folder) {
        assert_goes(&pid);
    }
}

/// Makes sure that all of [`STAYS`] is gone already.
#[track_caller]
pub(crate) fn assert_gone(folder: &Path) {
    for pid in noted(folder) {
        assert!(!is_there(&pid), "{pid} is still there");
    }
}
