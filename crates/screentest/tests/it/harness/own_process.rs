//! Runs the body of a test in a separate process.
//!
//! `cargo test` runs tests as threads of one process. A test that counts the resources of its
//! process, or kills helper processes that all tests share, would interfere with other tests. Such
//! a test passes its body to [`in_own_process`].

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Set in the new process, which runs the body instead of starting another process.
const IN_OWN_PROCESS: &str = "SCREENTEST_TEST_ALONE";

/// Runs the body of the calling test in a process that runs no other test.
///
/// The body must be a closure in the test itself: its type name contains the name of the test.
#[track_caller]
pub(crate) fn in_own_process<F: FnOnce()>(body: F) {
    in_own_process_under(&[], body);
}

/// Like [`in_own_process`], but starts the process through a wrapper command.
#[track_caller]
pub(crate) fn in_own_process_under<F: FnOnce()>(wrapper: &[&str], body: F) {
    if std::env::var_os(IN_OWN_PROCESS).is_some() {
        return body();
    }
    let path = std::any::type_name::<F>();
    let (_binary, test) = path.split_once("::").unwrap_or(("", path));
    let test = test.trim_end_matches("::{{closure}}");
    let this = std::env::current_exe().unwrap();
    let words = wrapper.iter().map(OsStr::new);
    let mut words = words.chain([this.as_os_str()]);
    #[expect(
        clippy::disallowed_methods,
        reason = "starts this test binary, optionally through a wrapper; it needs no terminal"
    )]
    let run = Command::new(words.next().unwrap())
        .args(words)
        .args(["--exact", test, "--nocapture"])
        .env(IN_OWN_PROCESS, "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let [stdout, stderr] = [&run.stdout, &run.stderr].map(|text| String::from_utf8_lossy(text));
    // With a wrong name no test runs, and none fails.
    assert!(
        run.status.success() && stdout.contains("1 passed"),
        "`{test}` in its own process ({}):\n{stdout}{stderr}",
        run.status
    );
}

#[test]
fn a_failure_in_the_other_process_fails_the_test() {
    let failed = std::panic::catch_unwind(|| {
        in_own_process(|| panic!("panicked in process {}.", std::process::id()));
    });
    let message = failed.unwrap_err();
    if std::env::var_os(IN_OWN_PROCESS).is_some() {
        std::panic::resume_unwind(message);
    }
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.contains("panicked in process "), "{message}");
    let here = format!("panicked in process {}.", std::process::id());
    assert!(!message.contains(&here), "{message}");
}
