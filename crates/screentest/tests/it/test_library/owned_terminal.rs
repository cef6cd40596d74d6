//! `Tui::launch`: a terminal that ends with its test and leaves files if the test fails.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use screentest::core::Secrets;
use screentest::{App, ClickTarget, Failure, RunOptions, Tui, TuiError, WaitOptions};
use screentest_fixtures::scratch::Scratch;

fn launch(artifacts: &Path) -> screentest::Result<Tui> {
    let app = App::new("sh").args(["-c", "printf 'name? '; read name; echo hello $name; exit 3"]);
    Tui::launch_with(app, RunOptions::default().artifacts_dir(artifacts))
}

/// Returns the texts of all failure reports below a directory.
fn reports(artifacts: &Path) -> Vec<String> {
    let runs = fs::read_dir(artifacts.join("tests")).into_iter().flatten();
    let reports = runs.map(|run| run.unwrap().path().join("failure-bundles/failure.txt"));
    let texts = reports.filter_map(|path| fs::read_to_string(path).ok());
    texts.collect()
}

#[test]
fn test_passes_and_leaves_no_failure_bundle() {
    fn test(artifacts: &Path) -> screentest::Result {
        let tui = launch(artifacts)?;
        tui.expect("name?")?;
        tui.submit("Ada")?;
        tui.expect("hello Ada")?;
        tui.expect_gone("hello Bob")?;
        tui.expect_exit(3)
    }
    let scratch = Scratch::new();
    test(scratch.path()).unwrap();
    assert_eq!(reports(scratch.path()), Vec::<String>::new());
}

#[test]
fn name_is_that_of_the_test() {
    let scratch = Scratch::new();
    let tui = launch(scratch.path()).unwrap();
    let name = "it::test_library::owned_terminal::name_is_that_of_the_test";
    assert_eq!(tui.name(), name);
    let second = launch(scratch.path()).unwrap();
    assert_eq!(second.name(), format!("{name} 2"));
}

#[test]
fn returned_error_names_its_line_and_the_failure_bundle() {
    fn test(artifacts: &Path) -> screentest::Result {
        let tui = launch(artifacts)?;
        tui.expect("name?")?;
        tui.submit("Ada")?;
        tui.expect_exit(0)
    }
    let scratch = Scratch::new();
    let failure = test(scratch.path()).unwrap_err();
    let text = format!("{failure:?}");
    let start = "the program ended (exit code 3); expected exit code 0\nthe last screen (134x40):\n  │ name? Ada\n  │ hello Ada\n";
    assert!(text.contains(start), "{text}");
    assert!(text.contains("owned_terminal.rs:"), "{text}");
    assert!(text.contains("failure-bundles"), "{text}");
    let [report] = reports(scratch.path()).try_into().unwrap();
    assert!(report.contains(start), "{report}");
}

#[test]
fn returned_error_contains_no_secret() {
    fn test(artifacts: &Path) -> screentest::Result {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "sesame")?;
        let options = RunOptions::default().secrets(secrets);
        let app = App::new("sh").args(["-c", "printf 'token sesame'; read x"]);
        let tui = Tui::launch_with(app, options.artifacts_dir(artifacts))?;
        tui.expect("token")?;
        let brief = WaitOptions::timeout(Duration::from_millis(1));
        tui.with(brief).expect("never shown").map(drop)?;
        Ok(())
    }
    let scratch = Scratch::new();
    let failure = test(scratch.path()).unwrap_err();
    let text = format!("{failure:?}");
    assert!(text.contains("  │ token <TOKEN>"), "{text}");
    assert!(!text.contains("sesame"), "{text}");
}

#[test]
fn foreign_error_leaves_a_failure_bundle_with_the_screen() {
    fn test(artifacts: &Path) -> screentest::Result {
        let tui = launch(artifacts)?;
        tui.expect("name?")?;
        "x".parse::<u8>()?;
        Ok(())
    }
    let scratch = Scratch::new();
    test(scratch.path()).unwrap_err();
    let [report] = reports(scratch.path()).try_into().unwrap();
    assert!(report.contains("invalid digit found in string"), "{report}");
    assert!(report.contains("  │ name? |"), "{report}");
}

#[test]
fn panic_leaves_a_failure_bundle() {
    let scratch = Scratch::new();
    let test = || {
        let tui = launch(scratch.path()).unwrap();
        tui.expect("name?").unwrap();
        panic!("as this test intends");
    };
    catch_unwind(AssertUnwindSafe(test)).unwrap_err();
    let [report] = reports(scratch.path()).try_into().unwrap();
    assert!(report.contains("  │ name? |"), "{report}");
}

#[test]
fn failure_before_a_dropped_one_leaves_a_failure_bundle() {
    fn test(artifacts: &Path) -> screentest::Result {
        let tui = launch(artifacts)?;
        let step = |message| -> screentest::Result {
            tui.expect("name?")?;
            Err(Failure::new(message))
        };
        let first = step("the returned failure");
        let _ = step("the dropped failure");
        first
    }
    let scratch = Scratch::new();
    let failure = format!("{:?}", test(scratch.path()).unwrap_err());
    assert!(failure.contains("the returned failure"), "{failure}");
    assert!(failure.contains("artifacts: "), "{failure}");
    let [report] = reports(scratch.path()).try_into().unwrap();
    assert!(report.contains("the returned failure"), "{report}");
}

#[test]
fn handled_failure_leaves_no_failure_bundle() {
    fn attempt(tui: &Tui) -> screentest::Result {
        tui.session()?;
        Err(Failure::new("handled"))
    }
    let scratch = Scratch::new();
    let tui = launch(scratch.path()).unwrap();
    attempt(&tui).unwrap_err();
    drop(tui);
    assert_eq!(reports(scratch.path()), Vec::<String>::new());
}

#[test]
fn dropping_ends_the_program() {
    let scratch = Scratch::new();
    let tui = launch(scratch.path()).unwrap();
    tui.expect("name?").unwrap();
    let session = tui.session().unwrap();
    drop(tui);
    assert!(session.try_exit_status().is_some());
}

#[test]
fn terminal_is_over_once_its_test_dropped_it() {
    let scratch = Scratch::new();
    let tui = launch(scratch.path()).unwrap();
    let handle = tui.with(WaitOptions::default());
    drop(tui);
    assert!(matches!(handle.screen(), Err(TuiError::Over)));
    assert!(matches!(handle.launch("sh"), Err(TuiError::Over)));
}

#[test]
fn texts_and_cells_can_be_clicked() {
    let targets = [
        ClickTarget::from("OK"),
        ClickTarget::from(screentest::Position { row: 0, col: 3 }),
    ];
    assert!(matches!(
        targets,
        [ClickTarget::Match(_), ClickTarget::Cell(_)]
    ));
}
