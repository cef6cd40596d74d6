//! Snapshots and their files.

use std::fs;
use std::path::Path;

use screentest::test::SnapshotError;
use screentest::{Failure, TuiError, Update, with_session};

use crate::harness::sandbox::Sandbox;

/// Runs a session that shows a text and expects the snapshot `The View`.
fn expect(sandbox: &Sandbox, text: &str, update: Update) -> Result<(), Failure> {
    let options = sandbox.options().update_snapshots(update);
    let wrong = matches!(update, Update::Missing | Update::None);
    // `expect_snapshot` waits until the screen matches; where it must not match, a short timeout is
    // enough.
    let options = if wrong && text == "other" {
        options.timeout(std::time::Duration::from_millis(500))
    } else {
        options
    };
    with_session(options, "The Session", |tui| {
        tui.launch(sandbox.sh(&format!("echo {text}; read end")))?;
        tui.wait_for(text)?;
        tui.expect_snapshot("The View")?;
        Ok(())
    })
}

/// Reads a file of the artifacts folder.
fn kept(sandbox: &Sandbox, path: &str) -> Option<String> {
    fs::read_to_string(sandbox.path().join("artifacts").join(path)).ok()
}

const BASELINE: &str = "snapshots/the-session/the-view.ansi.txt";
const CAPTURE: &str = "sessions/the-session/snapshots/the-view.ansi.txt";

#[test]
fn expect_snapshot_creates_a_missing_baseline_and_compares_an_existing_one() {
    let sandbox = Sandbox::new();
    expect(&sandbox, "first", Update::Missing).unwrap();
    assert_eq!(kept(&sandbox, BASELINE), kept(&sandbox, CAPTURE));
    assert!(kept(&sandbox, BASELINE).unwrap().contains("first"));
    expect(&sandbox, "first", Update::Missing).unwrap();

    let failure = expect(&sandbox, "other", Update::Missing).unwrap_err();
    let error = failure.downcast_ref::<TuiError>();
    assert!(matches!(
        error,
        Some(TuiError::Snapshot(SnapshotError::Mismatch { .. }))
    ));
    assert!(kept(&sandbox, BASELINE).unwrap().contains("first"));
    assert!(kept(&sandbox, CAPTURE).unwrap().contains("other"));
}

#[test]
fn update_snapshots_true_replaces_the_baseline() {
    let sandbox = Sandbox::new();
    expect(&sandbox, "first", Update::Missing).unwrap();
    expect(&sandbox, "other", Update::All).unwrap();
    assert!(kept(&sandbox, BASELINE).unwrap().contains("other"));
    expect(&sandbox, "other", Update::None).unwrap();
}

#[test]
fn dump_view_does_not_compare() {
    let sandbox = Sandbox::new();
    let path = sandbox.run(|tui| {
        tui.launch_and_wait(sandbox.sh("echo shown; read end"), "shown")?;
        Ok(tui.dump_view("The View")?)
    });
    assert!(path.ends_with("artifacts/sessions/sandbox/snapshots/the-view.ansi.txt"));
    assert!(fs::read_to_string(&path).unwrap().contains("shown"));
    assert!(!sandbox.path().join("artifacts/snapshots").exists());
}

#[test]
fn both_write_the_text_and_its_size() {
    let sandbox = Sandbox::new();
    expect(&sandbox, "first", Update::Missing).unwrap();
    for folder in ["snapshots/the-session", "sessions/the-session/snapshots"] {
        let folder = sandbox.path().join("artifacts").join(folder);
        assert_eq!(names(&folder), ["the-view.ansi.txt", "the-view.meta.json"]);
        let meta = fs::read_to_string(folder.join("the-view.meta.json")).unwrap();
        let meta = meta.split_whitespace().collect::<String>();
        assert!(meta.contains("\"cols\":80"), "{meta}");
        assert!(meta.contains("\"rows\":24"), "{meta}");
    }
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
