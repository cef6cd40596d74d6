//! `review` in scripts: lists, exit codes, and options that decide for all snapshots.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Child;

use super::artifact_dir::ArtifactDir;
use crate::harness::cli::{Run, run, start};

fn review(artifacts: &ArtifactDir, words: &[&str]) -> Run {
    let folder = artifacts.as_argument();
    let mut all = vec!["review", "--artifact-dir", &folder];
    all.extend(words);
    run(all)
}

/// One changed snapshot and one without a baseline.
fn two() -> ArtifactDir {
    let artifacts = ArtifactDir::new();
    artifacts.changed("a", "old a", "new a");
    artifacts.unknown("b", "new b");
    artifacts
}

#[track_caller]
fn check(run: Run, code: i32, stdout: &str, stderr: &str) {
    assert_eq!(String::from_utf8(run.stdout).unwrap(), stdout);
    assert_eq!(run.stderr, stderr);
    assert_eq!(run.code, Some(code));
}

const HINT: &str = "hint: run `screentest review` in a terminal to review them one by one, or accept all with `--accept-all`\n";

#[test]
fn pending_snapshots_are_listed_without_a_terminal() {
    for words in [&[][..], &["--list"]] {
        check(
            review(&two(), words),
            1,
            "changed  test     login / a\nnew      test     login / b\n",
            &format!("error: 2 snapshots pending\n{HINT}"),
        );
    }
}

#[test]
fn empty_review_succeeds() {
    let artifacts = ArtifactDir::new();
    for words in [&[][..], &["--list"], &["--accept-all"], &["--reject-all"]] {
        let run = review(&artifacts, words);
        assert_eq!(
            artifacts.masked(&run.stderr),
            "note: no pending snapshots in `FOLDER/`\n"
        );
        assert_eq!((run.code, &run.stdout[..]), (Some(0), &b""[..]));
    }
    assert_eq!(review(&artifacts, &["--list", "--json"]).stdout, b"[]\n");
}

#[test]
fn list_as_json() {
    let artifacts = two();
    let run = review(&artifacts, &["--list", "--json", "login/a"]);
    let real = fs::canonicalize(artifacts.path()).unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    assert_eq!(
        text.replace(real.to_str().unwrap(), "FOLDER"),
        r#"[
  {
    "kind": "test",
    "slug": "login",
    "name": "a",
    "status": "changed",
    "baseline": "FOLDER/snapshots/login/a.ansi.txt",
    "capture": "FOLDER/tests/login/snapshots/a.ansi.txt",
    "diff": "FOLDER/tests/login/snapshots/a.diff.txt"
  }
]
"#
    );
    assert_eq!(run.code, Some(1));
}

#[test]
fn accept_all_accepts_every_snapshot() {
    let artifacts = two();
    check(
        review(&artifacts, &["--accept-all"]),
        0,
        "accepted  login / a\naccepted  login / b\n",
        "",
    );
    assert_eq!(artifacts.baseline("a").unwrap(), "new a\n");
    assert_eq!(artifacts.baseline("b").unwrap(), "new b\n");
    assert_eq!(
        artifacts.files(),
        ["a.ansi.txt", "a.meta.json", "b.ansi.txt", "b.meta.json"]
    );
}

#[test]
fn reject_all_rejects_every_snapshot() {
    let artifacts = two();
    check(
        review(&artifacts, &["--reject-all"]),
        0,
        "rejected  login / a\nrejected  login / b\n",
        "",
    );
    assert_eq!(artifacts.baseline("a").unwrap(), "old a\n");
    assert_eq!(artifacts.baseline("b"), None);
    assert_eq!(artifacts.files().len(), 4);
}

#[test]
fn filter_limits_the_decision() {
    let artifacts = two();
    check(
        review(&artifacts, &["--accept-all", "login/b", "nosuch"]),
        0,
        "accepted  login / b\n",
        "",
    );
    assert_eq!(artifacts.baseline("a").unwrap(), "old a\n");
    let run = review(&artifacts, &["--accept-all", "nosuch"]);
    assert_eq!(
        artifacts.masked(&run.stderr),
        "note: the only pending snapshot in `FOLDER/` does not match\n"
    );
}

#[test]
fn broken_file_is_named_and_does_not_hide_others() {
    let artifacts = two();
    let meta = artifacts.captures().join("a.meta.json");
    fs::write(&meta, r#"{"cols": 20, "rows": 1000000}"#).unwrap();
    let real = fs::canonicalize(&meta).unwrap();
    let why = format!(
        "`{}` gives no size: invalid `cols` or `rows`: `1000000` rows: a screen has 1 to 2000",
        real.display()
    );
    check(
        review(&artifacts, &["--list"]),
        2,
        &format!("broken   test     login / a: {why}\nnew      test     login / b\n"),
        "error: 1 of 2 snapshots could not be read\n\
         hint: run the test again to write its files, or remove them with `--reject-all`\n",
    );
    check(
        review(&artifacts, &["--accept-all"]),
        2,
        "accepted  login / b\n",
        &format!("error: {why}\n"),
    );
    assert_eq!(artifacts.baseline("a").unwrap(), "old a\n");
}

#[test]
fn symlink_out_of_the_artifact_folder_is_rejected() {
    let (artifacts, other) = (two(), two());
    fs::remove_dir_all(artifacts.baselines()).unwrap();
    symlink(other.baselines(), artifacts.baselines()).unwrap();
    let run = review(&artifacts, &["--accept-all", "login/a"]);
    assert!(
        run.stderr
            .contains("snapshots/login` leads out of the artifact folder")
    );
    assert_eq!(run.code, Some(2));
    assert_eq!(other.baseline("a").unwrap(), "old a\n");
}

#[test]
fn unreadable_folder_does_not_hide_others() {
    let (artifacts, other) = (two(), two());
    let link = artifacts.path().join("tests/linked");
    symlink(other.path().join("tests/login"), link).unwrap();
    let run = review(&artifacts, &["--accept-all"]);
    assert_eq!(run.stdout, b"accepted  login / a\naccepted  login / b\n");
    assert!(
        run.stderr
            .contains("tests/linked/snapshots` leads out of the artifact folder"),
        "{}",
        run.stderr
    );
    assert_eq!(run.code, Some(2));
}

#[test]
fn invalid_arguments_are_reported() {
    let artifacts = ArtifactDir::new();
    let nowhere = artifacts.path().join("nowhere");
    let words = ["review", "--artifact-dir", nowhere.to_str().unwrap()];
    assert_eq!(
        artifacts.masked(&run(words).failed(2)),
        "error: directory `FOLDER/nowhere` not found\n"
    );
    for words in [["--accept-all", "--list"], ["--accept-all", "--json"]] {
        review(&artifacts, &words).failed(2);
    }
}

/// Each snapshot is decided once, by one of the reviews; the others report that it has changed.
#[test]
fn parallel_reviews_decide_each_snapshot_once() {
    let artifacts = ArtifactDir::new();
    let names: Vec<String> = (0..100).map(|number| format!("s{number}")).collect();
    for name in &names {
        artifacts.changed(name, "old", "new");
    }
    let folder = artifacts.as_argument();
    let start = |decision| start(["review", "--artifact-dir", &folder, decision]);
    let reviews = ["--accept-all", "--reject-all"]
        .repeat(4)
        .into_iter()
        .map(start);
    let reviews: Vec<Child> = reviews.collect();
    let mut decisions = String::new();
    for review in reviews {
        let output = review.wait_with_output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
        decisions.push_str(&String::from_utf8(output.stdout).unwrap());
    }
    for name in &names {
        let decision: Vec<&str> = decisions
            .lines()
            .filter(|line| line.ends_with(&format!(" / {name}")))
            .collect();
        assert_eq!(decision.len(), 1, "{name}: {decision:?}");
        let baseline = match decision[0].split(' ').next() {
            Some("accepted") => "new\n",
            _ => "old\n",
        };
        assert_eq!(artifacts.baseline(name).unwrap(), baseline, "{decision:?}");
    }
}
