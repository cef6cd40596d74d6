//! A process of its own for a test that needs one.
//!
//! `cargo test` runs tests as threads of one process. A test that counts what the process holds, or kills what serves all of
//! it, would count what its neighbours hold, and kill what serves them. Such a test gives its body to [`alone`].

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Set where the body is to run, and not to be sent elsewhere.
const ALONE: &str = "SCREENTEST_TEST_ALONE";

/// Runs the body of the test that calls this in a process where no other test runs.
///
/// The body is a closure written in the test itself, whose type says which test that is.
#[track_caller]
pub(crate) fn alone<F: FnOnce()>(body: F) {
    alone_behind(&[], body);
}

/// The same in a process that is started by another program, which has these words before it.
#[track_caller]
pub(crate) fn alone_behind<F: FnOnce()>(words: &[&str], body: F) {
    if std::env::var_os(ALONE).is_some() {
        return body();
    }
    let path = std::any::type_name::<F>();
    let (_binary, test) = path.split_once("::").unwrap_or(("", path));
    let test = test.trim_end_matches("::{{closure}}");
    let this = std::env::current_exe().unwrap();
    let words = words.iter().map(OsStr::new);
    let mut words = words.chain([this.as_os_str()]);
    #[expect(
        clippy::disallowed_methods,
        reason = "the program is this test binary, with or without another before it, and needs no terminal"
    )]
    let run = Command::new(words.next().unwrap())
        .args(words)
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let [told, complaint] = [&run.stdout, &run.stderr].map(|text| String::from_utf8_lossy(text));
    // Had the name been wrong, no test would have run, and none failed.
    assert!(
        run.status.success() && told.contains("1 passed"),
        "`{test}`, alone ({}):\n{told}{complaint}",
        run.status
    );
}

#[test]
fn what_fails_in_another_process_fails_here() {
    let failed = std::panic::catch_unwind(|| {
        alone(|| panic!("said by {}.", std::process::id()));
    });
    let message = failed.unwrap_err();
    if std::env::var_os(ALONE).is_some() {
        std::panic::resume_unwind(message);
    }
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.contains("said by "), "{message}");
    let here = format!("said by {}.", std::process::id());
    assert!(!message.contains(&here), "{message}");
}
