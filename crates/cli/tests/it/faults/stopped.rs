//! A stopped program.

use crate::harness::cli::run;

/// The wait times out with code 1. The report says that the program is stopped and which signal
/// continues it. The program is killed.
#[test]
fn wait_reports_that_the_program_is_stopped() {
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
    crate::harness::processes::assert_exits(program);
}
