//! `snap` leaves no process after a capture, a failed step or a failed write.

use crate::harness::cli::{Folder, Run, run};
use crate::harness::processes::{STUBBORN_SCRIPT, assert_all_exited};

#[track_caller]
fn check(options: &[&str], check_run: impl FnOnce(Run)) {
    let folder = Folder::new();
    let cwd = folder.join("");
    let mut words = vec!["snap", "--cwd", &cwd];
    words.extend(options);
    words.extend(["--", "sh", "-c", STUBBORN_SCRIPT]);
    check_run(run(words));
    assert_all_exited(folder.path());
}

#[test]
fn no_process_is_left_after_a_capture() {
    check(&["--wait", "ready"], |run| {
        assert_eq!(run.text(), "ready\n");
    });
}

#[test]
fn no_process_is_left_after_a_failed_step() {
    // The program exits, but its background process does not.
    let steps = ["--wait", "ready", "--key", "Enter", "--wait", "x"];
    check(&steps, |run| {
        let said = run.failed(1);
        assert!(
            said.contains("the program ended (exit code 0) before"),
            "{said}"
        );
    });
}

#[test]
fn no_process_is_left_after_a_failed_write() {
    check(&["--wait", "ready", "-o", "/dev/full"], |run| {
        assert_eq!(
            run.failed(2),
            "error: could not write `/dev/full`: No space left on device (os error 28)\n"
        );
    });
}
