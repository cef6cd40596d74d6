//! Options that the environment overrides.
//!
//! All tests of a process share its environment. So each test runs this executable again, in a
//! terminal, with variables set and a single test selected, and reads its output.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use screentest::core::{Backend, Size, Theme};
use screentest::session::WaitError;
use screentest::{
    App, ExitCheck, ExitStatus, Failure, RunOptions, SnapshotTheme, StepOptions, Terminal,
    TuiError, tui_test,
};

use crate::harness::sandbox::Sandbox;

/// Queries the terminal's background colour and prints the reply.
const QUERY_BACKGROUND: &str =
    "stty raw -echo; printf '\\033]11;?\\033\\\\'; head -c 25 | cat -v; printf ' done'; read end";

/// Returns the background colour that the terminal reports to a program.
fn background(tui: &Terminal, sh: App) -> Result<String, Failure> {
    tui.launch_and_wait(sh.args(["-c", QUERY_BACKGROUND]), " done")?;
    let text = tui.current_view()?.text();
    let (_, answer) = text.split_once("rgb:").unwrap_or_default();
    Ok(answer.chars().take(14).collect())
}

/// Not a test: prints the effective options, one per line, for the tests below.
#[test]
fn print_effective_options() {
    let sandbox = Sandbox::new().with("twice", "Task Task\n");
    let twice = sandbox.sh("cat twice; printf shown; read end");
    let sh = sandbox.app("sh");
    let attempts = Arc::new(AtomicU32::new(0));
    let lines = Arc::new(Mutex::new(String::new()));
    let (counted, written) = (Arc::clone(&attempts), Arc::clone(&lines));
    let body = move |tui: &Terminal| {
        counted.fetch_add(1, Ordering::Relaxed);
        if std::env::var_os("TEST_WAITS").is_some() {
            tui.launch(sh.clone().args(["-c", "read end"]))?;
            // The wait ends shortly before the test's own timeout.
            let ended = tui.wait_for_text("never");
            if let Err(TuiError::Wait {
                error: WaitError::TimedOut { waited, .. },
                ..
            }) = ended
            {
                let tenths = waited.as_millis().div_ceil(100);
                *written
                    .lock()
                    .expect("no thread panics while it holds the lock") =
                    format!("tenths {tenths}.\n");
            }
            return Err(Failure::new("on purpose"));
        }
        let background = background(tui, sh.clone())?;
        tui.launch(twice.clone())?;
        let Size { cols, rows } = tui.wait_for("shown")?.size;
        let waits = screentest::WaitOptions::timeout(super::SHORT_TIMEOUT);
        let task = tui.with(waits).wait_for_text("Task");
        let task = task.map_or("none".to_owned(), |found| found.position().col.to_string());
        let baseline = match tui.expect_snapshot("view") {
            Ok(()) => "made",
            Err(_) => "not made",
        };
        let mut tries = 0;
        let _ = tui.step(StepOptions::default(), "fails", || {
            tries += 1;
            Err::<(), _>(TuiError::NotLaunched.into())
        });
        let artifacts = tui.artifacts();
        let root = std::env::current_dir()?;
        let artifacts = artifacts
            .strip_prefix(root.canonicalize()?)
            .unwrap_or(&artifacts);
        *written
            .lock()
            .expect("no thread panics while it holds the lock") = format!(
            "size {cols}x{rows}.\nmatch {task}.\nbaseline {baseline}.\ntries {tries}.\nbackground {background}.\n\
             artifacts {}.\n",
            artifacts.display()
        );
        Err(Failure::new("on purpose"))
    };
    // Without the variable, artifacts stay out of the project's own folder.
    let options = match std::env::var_os("TEST_DEFAULT_ARTIFACTS") {
        Some(_) => RunOptions::default(),
        None => sandbox.options(),
    };
    let failed = catch_unwind(AssertUnwindSafe(|| tui_test(options, "inside", body)));
    let message = failed.unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.contains("on purpose"), "{message}");
    let lines = lines.lock().unwrap();
    say(&format!(
        "{lines}attempts {}.\n",
        attempts.load(Ordering::Relaxed)
    ));
}

#[expect(
    clippy::print_stdout,
    reason = "the test that runs this one reads it off the screen"
)]
fn say(text: &str) {
    println!("{text}");
}

/// Runs `print_effective_options` with variables set, and checks that its output contains these
/// lines.
#[track_caller]
fn check(variables: &[(&str, &str)], expected: &[&str]) {
    // The root of a separate project.
    let sandbox = Sandbox::new().with(".git", "");
    // For tests that use it as the project's root, which must exist.
    std::fs::create_dir(sandbox.path().join("root")).unwrap();
    let own = std::env::current_exe().unwrap();
    let test = "test_library::tuispec_compat::options::print_effective_options";
    let app = App::new(own)
        .hermetic()
        .cwd(sandbox.path())
        .env("TEST_DEFAULT_ARTIFACTS", "1")
        // Long enough for a busy machine.
        .env("SCREENTEST_TIMEOUT_SECONDS", "20");
    let app = app.args(["--exact", test, "--nocapture"]);
    let app = variables
        .iter()
        .fold(app, |app, (name, value)| app.env(*name, *value));
    let options = sandbox.options().size(150, 100);
    sandbox.run_with(options, |tui| {
        tui.launch(app)?;
        let exit_status = tui.wait_for_exit()?;
        let screen = tui.current_view()?;
        assert_eq!(exit_status, ExitStatus::Exited(0), "{screen}");
        for line in expected {
            assert!(screen.contains(line), "no {line:?} in\n{screen}");
        }
        Ok(())
    });
}

#[test]
fn defaults_are_those_of_tuispec() {
    check(
        &[],
        &[
            "size 134x40.",
            "match none.",
            "baseline made.",
            "tries 1.",
            "background 0000/0000/0000.",
            "artifacts artifacts/tests/inside.",
            "attempts 1.",
        ],
    );
}

#[test]
fn defaults_of_options_that_tuispec_lacks() {
    let options = RunOptions::default();
    assert_eq!(options.exit_check, ExitCheck::On);
    assert_eq!(options.backend, Backend::Vt);
    assert_eq!(options.scrollback, 10_000);
    assert!(options.normalisers.is_empty());
}

#[test]
fn timeout_seconds_is_overridden() {
    check(
        &[("SCREENTEST_TIMEOUT_SECONDS", "0.5"), ("TEST_WAITS", "1")],
        &["tenths 5."],
    );
}

#[test]
fn terminal_cols_and_rows_are_overridden() {
    check(
        &[
            ("SCREENTEST_TERMINAL_COLS", "100"),
            ("SCREENTEST_TERMINAL_ROWS", "30"),
        ],
        &["size 100x30."],
    );
}

#[test]
fn retries_and_step_retries_are_overridden() {
    check(
        &[
            ("SCREENTEST_RETRIES", "1"),
            ("SCREENTEST_STEP_RETRIES", "2"),
        ],
        &["attempts 2.", "tries 3."],
    );
}

#[test]
fn artifacts_dir_is_overridden_and_relative_to_the_project_root() {
    check(
        &[
            ("SCREENTEST_PROJECT_ROOT", "root"),
            ("SCREENTEST_ARTIFACTS_DIR", "out"),
        ],
        &["artifacts root/out/tests/inside."],
    );
}

#[test]
fn ambiguity_mode_is_overridden() {
    check(&[("SCREENTEST_AMBIGUITY_MODE", "first")], &["match 0."]);
    check(
        &[("SCREENTEST_AMBIGUITY_MODE", "last-visible")],
        &["match 5."],
    );
}

#[test]
fn update_snapshots_is_overridden_and_ci_means_none() {
    check(&[("CI", "true")], &["baseline not made."]);
    check(
        &[("CI", "true"), ("SCREENTEST_UPDATE_SNAPSHOTS", "missing")],
        &["baseline made."],
    );
}

#[test]
fn tuispecs_own_variables_are_obeyed() {
    check(&[("TUISPEC_TERMINAL_COLS", "90")], &["size 90x40."]);
}

#[test]
fn snapshot_theme_auto_follows_colorfgbg() {
    let light = "background ffff/ffff/ffff.";
    check(&[("COLORFGBG", "0;15")], &[light]);
    check(&[("SCREENTEST_SNAPSHOT_THEME", "light")], &[light]);
}

#[test]
fn snapshot_theme_is_reported_to_a_program_that_queries_it() {
    for (theme, message) in [
        (SnapshotTheme::from(Theme::LIGHT), "ffff/ffff/ffff"),
        (SnapshotTheme::from(Theme::DARK), "0000/0000/0000"),
        (SnapshotTheme::from(Theme::SCREENTEST), "1717/1717/1717"),
    ] {
        let sandbox = Sandbox::new();
        let answer = sandbox.run_with(sandbox.options().snapshot_theme(theme), |tui| {
            background(tui, sandbox.app("sh"))
        });
        assert_eq!(answer, message);
    }
}
