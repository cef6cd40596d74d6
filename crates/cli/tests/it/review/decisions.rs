//! What a person decides is what becomes of the files, once the review is left and not before.

use std::fs;

use screentest::{App, ExitStatus, Signal};

use super::shelf::{Review, Shelf};
use crate::tool::TOOL;

const OLD: &str = "Hello world";
const NEW: &str = "Hello there";

const DONE: ExitStatus = ExitStatus::Exited(0);
const PENDING: ExitStatus = ExitStatus::Exited(1);
const BAD: ExitStatus = ExitStatus::Exited(2);

/// The files beside a capture that nothing waits for.
const QUIET: [&str; 2] = ["a.ansi.txt", "a.meta.json"];

fn one() -> Shelf {
    let shelf = Shelf::new();
    shelf.changed("a", OLD, NEW);
    shelf
}

fn two() -> Shelf {
    let shelf = one();
    shelf.changed("b", "old b", "new b");
    shelf
}

#[test]
fn what_is_accepted_becomes_the_baseline() {
    let shelf = one();
    let review = shelf.review(80, 24);
    review.shows("1 of 1  login / a");
    review.press("a");
    review.shows("all 1 decided");
    assert_eq!(shelf.baseline("a").unwrap(), "Hello world\n");
    review.press("Enter");
    assert_eq!(review.end(), (DONE, "accepted  login / a\n".to_owned()));
    assert_eq!(shelf.baseline("a").unwrap(), "Hello there\n");
    assert_eq!(shelf.files(), QUIET);
    let names: Vec<_> = fs::read_dir(shelf.baselines()).unwrap().collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn what_is_rejected_leaves_the_baseline() {
    let shelf = one();
    let review = shelf.review(80, 24);
    review.shows("login / a");
    review.press("r");
    review.shows("all 1 decided");
    review.press("Enter");
    assert_eq!(review.end(), (DONE, "rejected  login / a\n".to_owned()));
    assert_eq!(shelf.baseline("a").unwrap(), "Hello world\n");
    assert_eq!(shelf.files(), QUIET);
}

#[test]
fn what_is_skipped_stays_as_it_was() {
    let shelf = one();
    let before = shelf.files();
    let review = shelf.review(80, 24);
    review.shows("login / a");
    review.press("s");
    review.shows("all 1 decided");
    review.press("q");
    let (outcome, said) = review.end();
    assert_eq!(outcome, PENDING);
    assert!(said.starts_with("error: 1 snapshot pending\n"), "{said}");
    assert_eq!(shelf.files(), before);
    assert_eq!(shelf.baseline("a").unwrap(), "Hello world\n");
}

#[test]
fn the_first_of_its_kind_becomes_the_baseline_too() {
    let shelf = Shelf::new();
    shelf.unknown("a", NEW);
    let review = shelf.review(80, 24);
    let screen = review.shows("there is no baseline yet");
    assert!(screen.contains("new 20x3") && !screen.contains("old 20x3"));
    review.press("a Enter");
    assert_eq!(review.end().0, DONE);
    assert_eq!(shelf.baseline("a").unwrap(), "Hello there\n");
    assert_eq!(shelf.files(), QUIET);
}

#[test]
fn a_decision_can_be_taken_back() {
    let shelf = two();
    let review = shelf.review(80, 24);
    review.shows("1 of 2  login / a");
    review.press("u");
    review.shows("there is nothing to undo");
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
    assert_eq!(shelf.baseline("a").unwrap(), "Hello world\n");
    assert_eq!(shelf.baseline("b").unwrap(), "new b\n");
}

#[test]
fn leaving_early_does_what_was_decided_until_then() {
    let shelf = two();
    let review = shelf.review(80, 24);
    review.shows("1 of 2");
    review.press("a");
    review.shows("2 of 2");
    review.press("q");
    let (outcome, said) = review.end();
    assert_eq!(outcome, PENDING);
    assert!(
        said.starts_with("accepted  login / a\nerror: 1 snapshot pending\n"),
        "{said}"
    );
    assert_eq!(shelf.baseline("a").unwrap(), "Hello there\n");
    assert_eq!(shelf.baseline("b").unwrap(), "old b\n");
}

#[test]
fn who_gives_up_has_changed_nothing() {
    let shelf = two();
    let before = shelf.files();
    let review = shelf.review(80, 24);
    review.shows("1 of 2");
    review.press("a");
    review.shows("2 of 2");
    review.press("Ctrl+C");
    assert_eq!(review.end().0, PENDING);
    assert_eq!(shelf.baseline("a").unwrap(), "Hello world\n");
    assert_eq!(shelf.files(), before);
}

#[test]
fn a_signal_changes_nothing_and_gives_the_terminal_back() {
    let shelf = two();
    let before = shelf.files();
    let review = shelf.review(80, 24);
    review.shows("1 of 2");
    review.press("a");
    review.shows("2 of 2");
    review.0.signal(Signal::TERM).unwrap();
    let (outcome, said) = review.end();
    assert_eq!(outcome, ExitStatus::Signaled(Signal::TERM));
    assert_eq!(said, "");
    assert_eq!(shelf.baseline("a").unwrap(), "Hello world\n");
    assert_eq!(shelf.files(), before);
}

#[test]
fn only_what_was_seen_is_accepted() {
    let shelf = one();
    let review = shelf.review(80, 24);
    review.shows("1 of 1");
    review.press("a");
    review.shows("all 1 decided");
    // The test ran again meanwhile.
    shelf.changed("a", OLD, "Hello you");
    review.press("Enter");
    let (outcome, said) = review.end();
    assert_eq!(outcome, BAD);
    let error = "error: the files of `login/a` have changed since they were read\n";
    assert!(said.starts_with(error), "{said}");
    assert_eq!(shelf.baseline("a").unwrap(), "Hello world\n");
}

#[test]
fn a_broken_file_can_only_be_rejected_and_hides_no_other() {
    let shelf = two();
    fs::write(shelf.captures().join("a.actual.meta.json"), "{").unwrap();
    let review = shelf.review(200, 24);
    let screen = review.shows("broken: it can be rejected or skipped");
    assert!(
        screen.contains("a.actual.meta.json` gives no size"),
        "{screen}"
    );
    review.press("a");
    review.shows("what cannot be read cannot be accepted");
    review.press("r");
    review.shows("2 of 2  login / b");
    review.press("a");
    review.shows("all 2 decided");
    review.press("Enter");
    let said = "rejected  login / a\naccepted  login / b\n";
    assert_eq!(review.end(), (DONE, said.to_owned()));
}

#[test]
fn nothing_pending_is_said_at_once() {
    let shelf = Shelf::new();
    let (outcome, said) = shelf.review(200, 24).end();
    assert_eq!(outcome, DONE);
    assert_eq!(
        shelf.masked(&said),
        "note: nothing is pending in `FOLDER/`\n"
    );
}

#[test]
fn the_environment_says_where_to_look() {
    let shelf = one();
    let app = App::new(TOOL)
        .arg("review")
        .cwd("/")
        .env("SCREENTEST_ARTIFACTS_DIR", shelf.word());
    Review::start(&app, 80, 24).shows("1 of 1  login / a");
    let project = Shelf::new();
    fs::rename(shelf.path(), project.path().join("artifacts")).unwrap();
    fs::create_dir(shelf.path()).unwrap();
    fs::create_dir_all(project.path().join(".git")).unwrap();
    fs::create_dir_all(project.path().join("src")).unwrap();
    let app = App::new(TOOL).arg("review").cwd(project.path().join("src"));
    Review::start(&app, 80, 24).shows("1 of 1  login / a");
}
