use std::ffi::OsString;
use std::sync::atomic::{AtomicU32, Ordering};

use screentest_core::{Condition, Key};
use screentest_fixtures::scratch::Scratch;

use super::*;
use crate::app::App;
use crate::test::run_options::{ExitCheck, Update};
use crate::test::terminal::{StepOptions, WaitOptions};

/// A shell script, as a program.
fn sh(script: &str) -> App {
    App::new("sh").args(["-c", script])
}

fn options(scratch: &Scratch) -> RunOptions {
    RunOptions::default()
        .artifacts_dir(scratch.path())
        .timeout(Duration::from_secs(20))
        .size(40, 5)
}

/// Runs a test without environment variables.
fn run_test(
    options: RunOptions,
    name: &str,
    body: impl Fn(&Terminal) -> Result<(), Failure> + Send + Sync + 'static,
) -> Result<String, String> {
    run_under(&[], options, name, body)
}

/// Runs a test with these variables set, and no others.
fn run_under(
    variables: &[(&str, &str)],
    options: RunOptions,
    name: &str,
    body: impl Fn(&Terminal) -> Result<(), Failure> + Send + Sync + 'static,
) -> Result<String, String> {
    let variables = |asked: &str| -> Option<OsString> {
        let found = variables.iter().find(|(name, _)| *name == asked);
        found.map(|(_, value)| value.into())
    };
    let body: Arc<Body> = Arc::new(body);
    // One location for all: a test may run again.
    test(options, name, Location::caller(), &body, &variables)
}

/// Lists the files below a directory with their relative paths, sorted.
fn files(scratch: &Scratch) -> Vec<String> {
    fn walk(folder: &std::path::Path, root: &std::path::Path, files: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, root, files);
            } else if !path.file_name().unwrap().to_str().unwrap().starts_with('.') {
                let path = path.strip_prefix(root).unwrap();
                files.push(path.display().to_string());
            }
        }
    }
    let mut files = Vec::new();
    walk(scratch.path(), scratch.path(), &mut files);
    files.sort();
    files
}

#[test]
fn a_body_that_returns_ok_passes_and_its_snapshots_are_named() {
    let scratch = Scratch::new();
    let summary = run_test(options(&scratch), "A test", |tui| {
        tui.launch(sh("echo ready; read x"))?;
        tui.wait_for_text("ready")?;
        tui.expect_snapshot("First view")?;
        Ok(())
    });
    let summary = summary.unwrap();
    assert!(summary.starts_with("[screentest] PASS A test (attempts: 1)\n[screentest] snapshot: "));
    assert!(
        summary.ends_with("tests/a-test/snapshots/first-view.ansi.txt"),
        "{summary}"
    );
    assert_eq!(
        files(&scratch),
        [
            "snapshots/a-test/first-view.ansi.txt",
            "snapshots/a-test/first-view.meta.json",
            "tests/a-test/snapshots/first-view.ansi.txt",
            "tests/a-test/snapshots/first-view.meta.json",
        ]
    );
}

#[test]
fn a_failure_prints_its_report_and_writes_the_bundle() {
    let scratch = Scratch::new();
    let report = run_test(
        options(&scratch).timeout(Duration::from_millis(300)),
        "fails",
        |tui| {
            tui.launch(sh("echo Ready; read x"))?;
            tui.wait_for(Condition::text("Ready"))?;
            tui.wait_for_text("ready")?;
            Ok(())
        },
    );
    let report = report.unwrap_err();
    for part in [
        "test `fails` failed: at crates/screentest/src/test/runner/tests.rs:",
        "\ntext \"ready\" did not appear within 2",
        "the last screen (40x5):",
        "│ Ready",
        "the program is running",
        "closest match: \"Ready\" at row 1, column 1",
        "tests/fails/failure-bundles",
    ] {
        assert!(report.contains(part), "{part} is missing:\n{report}");
    }
    let picture = cfg!(feature = "render").then_some("png");
    let left: Vec<String> = ["ansi.txt", "meta.json", "output.raw"]
        .into_iter()
        .chain(picture)
        .chain(["state.json", "txt"])
        .map(|ending| format!("tests/fails/failure-bundles/failure.{ending}"))
        .collect();
    assert_eq!(files(&scratch), left);
    let bundle = scratch.path().join("tests/fails/failure-bundles");
    let raw = std::fs::read(bundle.join("failure.output.raw")).unwrap();
    assert_eq!(raw, b"Ready\r\n");
}

#[test]
fn a_panic_in_the_body_is_a_failure_with_the_last_screen() {
    let scratch = Scratch::new();
    let report = run_test(options(&scratch), "panics", |tui| {
        tui.launch_and_wait(sh("echo here; read x"), "here")?;
        assert_eq!(1, 2, "numbers differ");
        Ok(())
    });
    let report = report.unwrap_err();
    assert!(report.contains("panicked: assertion `left == right` failed: numbers differ"));
    assert!(report.contains("│ here"), "{report}");
}

#[test]
fn each_attempt_begins_with_a_clean_directory() {
    let scratch = Scratch::new();
    let attempts = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&attempts);
    let summary = run_test(options(&scratch).retries(2), "third time", move |tui| {
        let attempt = counted.fetch_add(1, Ordering::Relaxed);
        tui.launch_and_wait(sh("echo there; read x"), "there")?;
        tui.dump_view(&format!("attempt {attempt}"))?;
        if attempt < 2 {
            return Err(Failure::new("not yet"));
        }
        Ok(())
    });
    assert!(summary.unwrap().contains("(attempts: 3)"));
    assert_eq!(attempts.load(Ordering::Relaxed), 3);
    assert_eq!(
        files(&scratch),
        [
            "tests/third-time/snapshots/attempt-2.ansi.txt",
            "tests/third-time/snapshots/attempt-2.meta.json",
        ]
    );
}

#[test]
fn a_body_that_never_ends_fails_when_its_time_is_over() {
    let scratch = Scratch::new();
    let options = options(&scratch).timeout(Duration::from_millis(400));
    let (stop, stopped) = mpsc::channel::<()>();
    let stopped = std::sync::Mutex::new(stopped);
    let report = run_test(options, "hangs", move |tui| {
        tui.launch_and_wait(sh("echo up; read x"), "up")?;
        tui.step(StepOptions::default(), "waiting for nobody", || {
            let _ = stopped.lock().unwrap().recv();
            Ok(())
        })?;
        Ok(())
    });
    drop(stop);
    let report = report.unwrap_err();
    assert!(
        report.starts_with(
            "test `hangs` failed: it was still running in step `waiting for nobody` after 400ms"
        ),
        "{report}"
    );
    assert!(report.contains("│ up"), "{report}");
}

#[test]
fn a_wait_reports_its_error_before_the_test_times_out() {
    let scratch = Scratch::new();
    let options = options(&scratch).timeout(Duration::from_millis(600));
    let report = run_test(options, "short", |tui| {
        tui.launch(sh("read x"))?;
        tui.with(WaitOptions::timeout(Duration::from_secs(3600)))
            .wait_for_text("never")?;
        Ok(())
    });
    let report = report.unwrap_err();
    assert!(report.contains("did not appear within 5"), "{report}");
    assert!(report.contains("before the 1h 0m of this wait"), "{report}");
}

#[test]
fn in_ci_a_missing_baseline_fails() {
    let scratch = Scratch::new();
    let report = run_under(&[("CI", "true")], options(&scratch), "in ci", |tui| {
        tui.launch_and_wait(sh("echo shown; read x"), "shown")?;
        tui.expect_snapshot("view")?;
        Ok(())
    });
    let report = report.unwrap_err();
    assert!(
        report.contains("snapshot `view` has no baseline"),
        "{report}"
    );
    let files = files(&scratch);
    assert!(files.contains(&"tests/in-ci/snapshots/view.diff.txt".to_owned()));
    assert!(!files.iter().any(|file| file.starts_with("snapshots/")));
}

#[test]
fn an_invalid_variable_fails_before_the_body_runs() {
    let scratch = Scratch::new();
    let variables = [("SCREENTEST_TIMEOUT_SECONDS", "abc")];
    let report = run_under(&variables, options(&scratch), "never", |_| unreachable!());
    assert_eq!(
        report.unwrap_err(),
        "test `never` could not start: `SCREENTEST_TIMEOUT_SECONDS=abc`: expected a number of seconds above 0, such as \
         `10` or `2.5`"
    );
}

#[test]
fn a_relative_artifact_directory_is_relative_to_the_root_from_the_variables() {
    let scratch = Scratch::new();
    let root = [("TUISPEC_PROJECT_ROOT", scratch.path().to_str().unwrap())];
    let options = options(&scratch).artifacts_dir("kept");
    run_under(&root, options, "rooted", |_| Ok(())).unwrap();
    assert!(scratch.path().join("kept/tests/rooted").is_dir());
}

#[test]
fn an_artifact_directory_that_cannot_be_written_is_named() {
    let scratch = Scratch::new();
    scratch.write("file", "");
    let options = options(&scratch).artifacts_dir(scratch.path().join("file/artifacts"));
    let report = run_test(options, "nowhere", |_| unreachable!()).unwrap_err();
    assert!(
        report.starts_with("test `nowhere` could not start: could not write `"),
        "{report}"
    );
    assert!(
        report.ends_with(
           "file/artifacts`: Not a directory (os error 20)\nhint: set `SCREENTEST_ARTIFACTS_DIR` to another directory"
        ),
        "{report}"
    );
    assert_eq!(report.matches("Not a directory").count(), 1, "{report}");
}

#[test]
fn two_names_with_one_slug_are_an_error() {
    let scratch = Scratch::new();
    run_test(options(&scratch), "same slug", |_| Ok(())).unwrap();
    run_test(options(&scratch), "same slug", |_| Ok(())).unwrap();
    let report = run_test(options(&scratch), "Same: slug!", |_| Ok(())).unwrap_err();
    assert!(
        report.ends_with(
           "`Same: slug!` and `same slug` would both be saved as `same-slug`: give one of them another name"
        ),
        "{report}"
    );
    let report = run_test(options(&scratch), "snapshots", |tui| {
        tui.launch_and_wait(sh("echo x; read x"), "x")?;
        tui.dump_view("a b")?;
        tui.dump_view("a-b")?;
        Ok(())
    });
    assert!(report.unwrap_err().contains("would both be saved as `a-b`"));
}

#[test]
fn two_tests_of_one_name_are_an_error_that_names_both_places() {
    let scratch = Scratch::new();
    let mut first = 0;
    // Tests from one location count as one test.
    for _ in 0..2 {
        first = line!() + 1;
        tui_test(options(&scratch), "starts", |_| Ok(()));
    }
    let again = catch_unwind(AssertUnwindSafe(|| {
        tui_test(options(&scratch), "starts", |_| Ok(()));
    }));
    let second = line!() - 2;
    let file = file!();
    assert_eq!(
        message(&*again.unwrap_err()),
        format!(
            "test `starts` could not start: the tests at `{file}:{second}` and at `{file}:{first}` are both named `starts`: \
             give one of them another name"
        )
    );
}

#[test]
fn a_test_that_runs_twice_at_once_is_an_error() {
    let scratch = Scratch::new();
    let inner = options(&scratch);
    run_test(options(&scratch), "twice", move |_| {
        let report = run_test(inner.clone(), "twice", |_| Ok(())).unwrap_err();
        assert!(report.contains("another `twice` is running"), "{report}");
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_snapshot_is_compared_with_its_baseline() {
    let scratch = Scratch::new();
    let body = |script: &'static str| {
        move |tui: &Terminal| {
            tui.launch(sh(script))?;
            tui.wait_for_text("done")?;
            tui.expect_snapshot("../../view")?;
            Ok(())
        }
    };
    let red = "printf '\\033[31mred\\033[m done'; read x";
    run_test(options(&scratch), "colours", body(red)).unwrap();
    run_test(options(&scratch), "colours", body(red)).unwrap();
    let short = options(&scratch).timeout(Duration::from_millis(800));
    let green = "printf '\\033[32mred\\033[m done'; read x";
    let report = run_test(short, "colours", body(green)).unwrap_err();
    assert!(
        report.contains("snapshot `../../view` differs from its baseline"),
        "{report}"
    );
    assert!(report.contains("foreground 1 → 2"), "{report}");
    assert!(report.contains("expected: "), "{report}");
    let files: Vec<String> = files(&scratch);
    for file in [
        "snapshots/colours/view.ansi.txt",
        "tests/colours/snapshots/view.actual.ansi.txt",
        "tests/colours/snapshots/view.ansi.txt",
        "tests/colours/snapshots/view.diff.txt",
        "tests/colours/snapshots/view.expected.ansi.txt",
    ] {
        assert!(files.contains(&file.to_owned()), "{file}: {files:?}");
    }
    let changed = options(&scratch).update_snapshots(Update::Changed);
    run_test(changed, "colours", body(green)).unwrap();
    run_test(options(&scratch), "colours", body(green)).unwrap();
}

#[test]
fn the_exit_check_reports_unrestored_state_and_can_be_turned_off() {
    let scratch = Scratch::new();
    let body = |tui: &Terminal| {
        tui.launch(sh("printf '\\033[?25l\\033[?1049h'"))?;
        tui.session()?.wait_for_exit(Duration::from_secs(20))?;
        Ok(())
    };
    let report = run_test(options(&scratch), "untidy", body).unwrap_err();
    assert!(report.contains("the alternate screen"), "{report}");
    assert!(report.contains("the cursor is hidden"), "{report}");
    let off = options(&scratch).exit_check(ExitCheck::Off);
    run_test(off, "untidy", body).unwrap();
}

#[test]
fn with_session_returns_the_value_of_the_body() {
    let scratch = Scratch::new();
    let path = with_session(options(&scratch), "demo", |tui| {
        tui.launch(App::new("sh").env("PS1", "> "))?;
        tui.wait_for_text(">")?;
        let screen = tui.submit("echo $((6 * 7))")?;
        drop(screen);
        tui.wait_for_text("42")?;
        tui.press("Ctrl+D")?;
        tui.wait_for_exit()?;
        Ok(tui.dump_view("the end")?)
    })
    .unwrap();
    assert!(path.ends_with("sessions/demo/snapshots/the-end.ansi.txt"));
    assert!(path.exists());
    let failed = with_session(options(&scratch), "demo", |tui| {
        tui.press(Key::Enter)?;
        Ok(())
    });
    let report = format!("{:?}", failed.unwrap_err());
    assert!(
        report.starts_with("no program was started: call `launch` first\nartifacts: "),
        "{report}"
    );
    assert!(
        report.ends_with("sessions/demo/failure-bundles"),
        "{report}"
    );
    let bundle = "sessions/demo/failure-bundles/failure.txt";
    assert_eq!(files(&scratch), [bundle]);
}
