//! Nothing that `snap` started is left when it is gone, however it went.

use crate::harness::cli::{Folder, Run, run};
use crate::harness::processes::{STAYS, assert_gone};

#[track_caller]
fn check(options: &[&str], end: impl FnOnce(Run)) {
    let folder = Folder::new();
    let cwd = folder.join("");
    let mut words = vec!["snap", "--cwd", &cwd];
    words.extend(options);
    words.extend(["--", "sh", "-c", STAYS]);
    end(run(words));
    assert_gone(folder.path());
}

#[test]
fn after_a_screen_was_taken() {
    check(&["--wait", "ready"], |run| {
        assert_eq!(run.text(), "ready\n");
    });
}

#[test]
fn after_a_step_that_failed() {
    // The program leaves, and what it put into the background does not.
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
fn after_a_file_that_could_not_be_written() {
    check(&["--wait", "ready", "-o", "/dev/full"], |run| {
        assert_eq!(
            run.failed(2),
            "error: could not write `/dev/full`: No space left on device (os error 28)\n"
        );
    });
}
