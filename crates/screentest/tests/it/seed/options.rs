//! Options, as whoever runs the tests can change them.
//!
//! The environment of this process is shared by all its tests. So a test runs this very executable again, in a terminal,
//! with variables set and a single test chosen, and reads what that says.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use screentest::core::{Backend, Size, Theme};
use screentest::{
    App, ExitCheck, ExitStatus, Failure, RunOptions, SnapshotTheme, StepOptions, Terminal,
    TuiError, WaitError, tui_test,
};

use crate::desk::Desk;

/// Asks the terminal for its background, and shows the answer.
const ASK: &str =
    "stty raw -echo; printf '\\033]11;?\\033\\\\'; head -c 25 | cat -v; printf ' told'; read end";

/// What a terminal with this theme tells a program about its background.
fn background(tui: &Terminal, sh: App) -> Result<String, Failure> {
    tui.launch_and_wait(sh.args(["-c", ASK]), " told")?;
    let text = tui.current_view()?.text();
    let (_, answer) = text.split_once("rgb:").unwrap_or_default();
    Ok(answer.chars().take(14).collect())
}

/// What the options of a test come to, each said in a line that the tests below look for. It fails on purpose.
#[test]
fn what_options_come_to() {
    let desk = Desk::new().with("twice", "Task Task\n");
    let twice = desk.sh("cat twice; printf shown; read end");
    let sh = desk.app("sh");
    let attempts = Arc::new(AtomicU32::new(0));
    let said = Arc::new(Mutex::new(String::new()));
    let (counted, saying) = (Arc::clone(&attempts), Arc::clone(&said));
    let body = move |tui: &Terminal| {
        counted.fetch_add(1, Ordering::Relaxed);
        if std::env::var_os("SEED_WAITS").is_some() {
            tui.launch(sh.clone().args(["-c", "read end"]))?;
            // It ends a little before the test's own time.
            let ended = tui.wait_for_text("never");
            if let Err(TuiError::Wait {
                error: WaitError::TimedOut { waited, .. },
                ..
            }) = ended
            {
                let tenths = waited.as_millis().div_ceil(100);
                *saying.lock().expect("nobody panics with it") = format!("tenths {tenths}.\n");
            }
            return Err(Failure::new("on purpose"));
        }
        let background = background(tui, sh.clone())?;
        tui.launch(twice.clone())?;
        let Size { cols, rows } = tui.wait_for("shown")?.size;
        let waits = screentest::WaitOptions::timeout(super::BRIEFLY);
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
        *saying.lock().expect("nobody panics with it") = format!(
            "size {cols}x{rows}.\nmatch {task}.\nbaseline {baseline}.\ntries {tries}.\nbackground {background}.\n\
             artifacts {}.\n",
            artifacts.display()
        );
        Err(Failure::new("on purpose"))
    };
    // Away from the project's own artifacts, where nothing says otherwise.
    let options = match std::env::var_os("SEED_ALONE") {
        Some(_) => RunOptions::default(),
        None => desk.options(),
    };
    let failed = catch_unwind(AssertUnwindSafe(|| tui_test(options, "inside", body)));
    let told = failed.unwrap_err();
    let told = told.downcast_ref::<String>().unwrap();
    assert!(told.contains("on purpose"), "{told}");
    let said = said.lock().unwrap();
    say(&format!(
        "{said}attempts {}.\n",
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

/// Runs the test above with variables set; its options come to these.
#[track_caller]
fn check(variables: &[(&str, &str)], lines: &[&str]) {
    // A project of its own begins here.
    let desk = Desk::new().with(".git", "");
    // For whoever names it as the project's root, which must be there.
    std::fs::create_dir(desk.path().join("root")).unwrap();
    let own = std::env::current_exe().unwrap();
    let test = "seed::options::what_options_come_to";
    let app = App::new(own)
        .hermetic()
        .cwd(desk.path())
        .env("SEED_ALONE", "1")
        // Long enough for a busy machine.
        .env("SCREENTEST_TIMEOUT_SECONDS", "20");
    let app = app.args(["--exact", test, "--nocapture"]);
    let app = variables
        .iter()
        .fold(app, |app, (name, value)| app.env(*name, *value));
    let options = desk.options().size(Size {
        cols: 150,
        rows: 100,
    });
    desk.run_with(options, |tui| {
        tui.launch(app)?;
        let outcome = tui.wait_for_exit()?;
        let screen = tui.current_view()?;
        assert_eq!(outcome, ExitStatus::Exited(0), "{screen}");
        for line in lines {
            assert!(screen.contains(line), "no {line:?} in\n{screen}");
        }
        Ok(())
    });
}

#[test]
fn defaults_are_the_seeds() {
    check(
        &[],
        &[
            "size 134x40.",
            "match none.",
            "baseline made.",
            "tries 1.",
            "background 1717/1717/1717.",
            "artifacts artifacts/tests/inside.",
            "attempts 1.",
        ],
    );
}

#[test]
fn defaults_of_what_the_seed_has_not() {
    let options = RunOptions::default();
    assert_eq!(options.exit_check, ExitCheck::On);
    assert_eq!(options.backend, Backend::Alacritty);
    assert_eq!(options.scrollback, 10_000);
    assert!(options.normalisers.is_empty());
}

#[test]
fn timeout_seconds_is_overridden() {
    check(
        &[("SCREENTEST_TIMEOUT_SECONDS", "0.5"), ("SEED_WAITS", "1")],
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
fn artifacts_dir_is_overridden_and_counts_from_the_project_root() {
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
fn the_seeds_own_names_are_heard() {
    check(&[("TUISPEC_TERMINAL_COLS", "90")], &["size 90x40."]);
}

#[test]
fn snapshot_theme_auto_follows_colorfgbg() {
    let light = "background ffff/ffff/ffff.";
    check(&[("COLORFGBG", "0;15")], &[light]);
    check(&[("SCREENTEST_SNAPSHOT_THEME", "light")], &[light]);
}

#[test]
fn snapshot_theme_is_told_to_a_program_that_asks() {
    for (theme, told) in [
        (SnapshotTheme::from(Theme::LIGHT), "ffff/ffff/ffff"),
        (SnapshotTheme::from(Theme::DARK), "1717/1717/1717"),
    ] {
        let desk = Desk::new();
        let answer = desk.run_with(desk.options().snapshot_theme(theme), |tui| {
            background(tui, desk.app("sh"))
        });
        assert_eq!(answer, told);
    }
}
