//! A program that stands still because it was stopped.

use crate::harness::cli::run;

/// A wait for what it does not show ends with its time, code 1, and says that it is stopped and what continues it. Nothing of it is left.
#[test]
fn a_wait_for_a_stopped_program_says_so() {
    let script = "echo $$ before; kill -STOP $$; echo after";
    let words = ["snap", "--wait", "before", "--wait", "after"];
    let words = words.into_iter().chain(["--timeout", "1", "--"]);
    let said = run(words.chain(["sh", "-c", script])).failed(1);
    assert!(
        said.contains("the program is stopped (by SIGSTOP or Ctrl+Z); SIGCONT continues it\n"),
        "{said}"
    );
    let shown = said.lines().find_map(|line| line.strip_prefix("  │ "));
    let program = shown.unwrap().split(' ').next().unwrap();
    crate::harness::processes::assert_goes(program);
}
