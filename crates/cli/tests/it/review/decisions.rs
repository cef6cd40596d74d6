//! Decisions are written to the files when the review is left, and not before.

use std::fs;

use screentest::{App, ExitStatus, Signal};

use super::artifact_dir::{ArtifactDir, Review};
use crate::harness::cli::TOOL;

const OLD: &str = "Hello world";
const NEW: &str = "Hello there";

const DONE: ExitStatus = ExitStatus::Exited(0);
const PENDING: ExitStatus = ExitStatus::Exited(1);
const BAD: ExitStatus = ExitStatus::Exited(2);

/// The files of a capture that is not pending.
const DECIDED_FILES: [&str; 2] = ["a.ansi.txt", "a.meta.json"];

fn one() -> ArtifactDir {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", OLD, NEW);
    artifacts
}

fn two() -> ArtifactDir {
    let artifacts = one();
    artifacts.changed("b", "old b", "new b");
    artifacts
}

#[test]
fn accepted_snapshot_becomes_the_baseline() {
    let artifacts = one();
    let review = artifacts.review(80, 24);
    review.shows("1 of 1  login / a");
    review.press("a");
    review.shows("all 1 decided");
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello world\n");
    review.press("Enter");
    assert_eq!(review.end(), (DONE, "accepted  login / a\n".to_owned()));
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello there\n");
    assert_eq!(artifacts.files(), DECIDED_FILES);
    let names: Vec<_> = fs::read_dir(artifacts.baselines()).unwrap().collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn rejected_snapshot_keeps_the_baseline() {
    let artifacts = one();
    let review = artifacts.review(80, 24);
    review.shows("login / a");
    review.press("r");
    review.shows("all 1 decided");
    review.press("Enter");
    assert_eq!(review.end(), (DONE, "rejected  login / a\n".to_owned()));
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello world\n");
    assert_eq!(artifacts.files(), DECIDED_FILES);
}

#[test]
fn skipped_snapshot_stays_pending() {
    let artifacts = one();
    let before = artifacts.files();
    let review = artifacts.review(80, 24);
    review.shows("login / a");
    review.press("s");
    review.shows("all 1 decided");
    review.press("q");
    let (exit_status, said) = review.end();
    assert_eq!(exit_status, PENDING);
    assert!(said.starts_with("error: 1 snapshot pending\n"), "{said}");
    assert_eq!(artifacts.files(), before);
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello world\n");
}

#[test]
fn new_snapshot_becomes_the_baseline() {
    let artifacts = ArtifactDir::new();
    artifacts.unknown("a", NEW);
    let review = artifacts.review(80, 24);
    let screen = review.shows("no baseline yet");
    assert!(screen.contains("new 20x3") && !screen.contains("old 20x3"));
    review.press("a Enter");
    assert_eq!(review.end().0, DONE);
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello there\n");
    assert_eq!(artifacts.files(), DECIDED_FILES);
}

#[test]
fn decisions_can_be_undone() {
    let artifacts = two();
    let review = artifacts.review(80, 24);
    review.shows("1 of 2  login / a");
    review.press("u");
    review.shows("nothing to undo");
    review.press("a");
    review.shows("2 of 2  login / b");
    review.press("a");
    review.shows("all 2 decided");
    review.press("u u");
    review.shows("accept 0  reject 0  skip 0");
    review.press("r");
    review.shows("2 of 2");
    review.press("a");
    review.shows("all 2 decided");
    review.press("Enter");
    let said = "rejected  login / a\naccepted  login / b\n";
    assert_eq!(review.end(), (DONE, said.to_owned()));
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello world\n");
    assert_eq!(artifacts.baseline("b").unwrap(), "new b\n");
}

#[test]
fn quitting_early_applies_the_decisions_so_far() {
    let artifacts = two();
    let review = artifacts.review(80, 24);
    review.shows("1 of 2");
    review.press("a");
    review.shows("2 of 2");
    review.press("q");
    let (exit_status, said) = review.end();
    assert_eq!(exit_status, PENDING);
    assert!(
        said.starts_with("accepted  login / a\nerror: 1 snapshot pending\n"),
        "{said}"
    );
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello there\n");
    assert_eq!(artifacts.baseline("b").unwrap(), "old b\n");
}

#[test]
fn interrupt_changes_no_file() {
    let artifacts = two();
    let before = artifacts.files();
    let review = artifacts.review(80, 24);
    review.shows("1 of 2");
    review.press("a");
    review.shows("2 of 2");
    review.press("Ctrl+C");
    assert_eq!(review.end().0, PENDING);
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello world\n");
    assert_eq!(artifacts.files(), before);
}

#[test]
fn signal_changes_no_file_and_restores_the_terminal() {
    let artifacts = two();
    let before = artifacts.files();
    let review = artifacts.review(80, 24);
    review.shows("1 of 2");
    review.press("a");
    review.shows("2 of 2");
    review.0.signal(Signal::TERM).unwrap();
    let (exit_status, said) = review.end();
    assert_eq!(exit_status, ExitStatus::Signaled(Signal::TERM));
    assert_eq!(said, "");
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello world\n");
    assert_eq!(artifacts.files(), before);
}

#[test]
fn snapshot_that_changed_during_the_review_is_not_accepted() {
    let artifacts = one();
    let review = artifacts.review(80, 24);
    review.shows("1 of 1");
    review.press("a");
    review.shows("all 1 decided");
    // The test ran again in the meantime.
    artifacts.changed("a", OLD, "Hello you");
    review.press("Enter");
    let (exit_status, said) = review.end();
    assert_eq!(exit_status, BAD);
    let error = "error: the files of `login/a` have changed since they were read\n";
    assert!(said.starts_with(error), "{said}");
    assert_eq!(artifacts.baseline("a").unwrap(), "Hello world\n");
}

#[test]
fn broken_snapshot_can_only_be_rejected_and_does_not_hide_others() {
    let artifacts = two();
    fs::write(artifacts.captures().join("a.actual.meta.json"), "{").unwrap();
    let review = artifacts.review(200, 24);
    let screen = review.shows("broken: reject or skip it");
    assert!(
        screen.contains("a.actual.meta.json` gives no size"),
        "{screen}"
    );
    review.press("a");
    review.shows("a broken snapshot cannot be accepted");
    review.press("r");
    review.shows("2 of 2  login / b");
    review.press("a");
    review.shows("all 2 decided");
    review.press("Enter");
    let said = "rejected  login / a\naccepted  login / b\n";
    assert_eq!(review.end(), (DONE, said.to_owned()));
}

#[test]
fn empty_review_exits_immediately() {
    let artifacts = ArtifactDir::new();
    let (exit_status, said) = artifacts.review(200, 24).end();
    assert_eq!(exit_status, DONE);
    assert_eq!(
        artifacts.masked(&said),
        "note: no pending snapshots in `FOLDER/`\n"
    );
}

#[test]
fn artifact_folder_comes_from_environment_or_project() {
    let artifacts = one();
    let app = App::new(TOOL)
        .arg("review")
        .cwd("/")
        .env("SCREENTEST_ARTIFACTS_DIR", artifacts.as_argument());
    Review::start(&app, 80, 24).shows("1 of 1  login / a");
    let project = ArtifactDir::new();
    fs::rename(artifacts.path(), project.path().join("artifacts")).unwrap();
    fs::create_dir(artifacts.path()).unwrap();
    fs::create_dir_all(project.path().join(".git")).unwrap();
    fs::create_dir_all(project.path().join("src")).unwrap();
    let app = App::new(TOOL).arg("review").cwd(project.path().join("src"));
    Review::start(&app, 80, 24).shows("1 of 1  login / a");
}
