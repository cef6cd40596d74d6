//! Screens that are kept, and where.

use std::fs;
use std::path::Path;

use screentest::{Failure, SnapshotError, TuiError, Update, with_session};

use crate::harness::sandbox::Desk;

/// Runs a session that shows a text and expects the snapshot `The View`.
fn expect(desk: &Desk, text: &str, update: Update) -> Result<(), Failure> {
    let options = desk.options().update_snapshots(update);
    let wrong = matches!(update, Update::Missing | Update::None);
    // What differs is waited for: where it must differ, not for long.
    let options = match wrong && text == "other" {
        true => options.timeout(std::time::Duration::from_millis(500)),
        false => options,
    };
    with_session(options, "The Session", |tui| {
        tui.launch(desk.sh(&format!("echo {text}; read end")))?;
        tui.wait_for(text)?;
        tui.expect_snapshot("The View")?;
        Ok(())
    })
}

/// A file below the artifact folder.
fn kept(desk: &Desk, path: &str) -> Option<String> {
    fs::read_to_string(desk.path().join("artifacts").join(path)).ok()
}

const BASELINE: &str = "snapshots/the-session/the-view.ansi.txt";
const CAPTURE: &str = "sessions/the-session/snapshots/the-view.ansi.txt";

#[test]
fn expect_snapshot_makes_what_is_missing_and_compares_what_is_there() {
    let desk = Desk::new();
    expect(&desk, "first", Update::Missing).unwrap();
    assert_eq!(kept(&desk, BASELINE), kept(&desk, CAPTURE));
    assert!(kept(&desk, BASELINE).unwrap().contains("first"));
    expect(&desk, "first", Update::Missing).unwrap();

    let failure = expect(&desk, "other", Update::Missing).unwrap_err();
    let error = failure.downcast_ref::<TuiError>();
    assert!(matches!(
        error,
        Some(TuiError::Snapshot(SnapshotError::Mismatch { .. }))
    ));
    assert!(kept(&desk, BASELINE).unwrap().contains("first"));
    assert!(kept(&desk, CAPTURE).unwrap().contains("other"));
}

#[test]
fn update_snapshots_true_takes_what_is_shown() {
    let desk = Desk::new();
    expect(&desk, "first", Update::Missing).unwrap();
    expect(&desk, "other", Update::All).unwrap();
    assert!(kept(&desk, BASELINE).unwrap().contains("other"));
    expect(&desk, "other", Update::None).unwrap();
}

#[test]
fn dump_view_compares_with_nothing() {
    let desk = Desk::new();
    let path = desk.run(|tui| {
        tui.launch_and_wait(desk.sh("echo shown; read end"), "shown")?;
        Ok(tui.dump_view("The View")?)
    });
    assert!(path.ends_with("artifacts/sessions/desk/snapshots/the-view.ansi.txt"));
    assert!(fs::read_to_string(&path).unwrap().contains("shown"));
    assert!(!desk.path().join("artifacts/snapshots").exists());
}

#[test]
fn both_leave_the_text_and_its_size() {
    let desk = Desk::new();
    expect(&desk, "first", Update::Missing).unwrap();
    for folder in ["snapshots/the-session", "sessions/the-session/snapshots"] {
        let folder = desk.path().join("artifacts").join(folder);
        assert_eq!(names(&folder), ["the-view.ansi.txt", "the-view.meta.json"]);
        let meta = fs::read_to_string(folder.join("the-view.meta.json")).unwrap();
        let meta = meta.split_whitespace().collect::<String>();
        assert!(meta.contains("\"cols\":80"), "{meta}");
        assert!(meta.contains("\"rows\":24"), "{meta}");
    }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
