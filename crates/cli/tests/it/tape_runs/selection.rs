//! Selection of tapes: order, shards, patterns, last failures.

use super::{BAD, GOOD, tapes};
use crate::harness::cli::run_in;

fn seven_tapes() -> crate::harness::cli::Folder {
    tapes(&["a", "b", "c", "d", "e", "f", "g"].map(|name| (name, GOOD)))
}

const SEVEN: [&str; 7] = ["g", "b", "a", "c", "f", "e", "d"];

/// Returns the names of the selected tapes.
#[track_caller]
fn listed(words: &[&str]) -> Vec<String> {
    let words = [&["run", "--list"], words, &SEVEN].concat();
    let names = run_in(&seven_tapes(), &words).text();
    names.lines().map(str::to_owned).collect()
}

#[test]
fn tapes_are_listed_once_in_argument_order() {
    assert_eq!(listed(&[]), SEVEN);
    assert_eq!(listed(&["./a", "g"]), ["a", "g", "b", "c", "f", "e", "d"]);
}

#[test]
fn shards_are_disjoint_and_complete() {
    let mut all = Vec::new();
    for (shard, count) in [("1/3", 3), ("2/3", 2), ("3/3", 2)] {
        let part = listed(&["--shard", shard]);
        assert_eq!(part.len(), count, "{part:?}");
        all.extend(part);
    }
    all.sort();
    assert_eq!(all, ["a", "b", "c", "d", "e", "f", "g"]);
    // Shards are assigned by name, independent of the argument order.
    assert_eq!(listed(&["--shard", "1/3"]), ["g", "a", "d"]);
}

#[test]
fn empty_shard_succeeds() {
    let folder = tapes(&[("a.tape", GOOD)]);
    let said = run_in(&folder, &["run", "--shard", "2/2", "a.tape"]).noted();
    assert_eq!(
        said,
        "note: this shard is empty: there are fewer tapes than shards\n"
    );
    let words = ["run", "--list", "--shard", "2/2", "a.tape"];
    assert_eq!(run_in(&folder, &words).noted(), said);
}

#[test]
fn grep_selects_by_name() {
    assert_eq!(listed(&["-g", "[ab]"]), ["b", "a"]);
    assert_eq!(listed(&["--grep", "^(a|c|e)$", "--shard", "2/2"]), ["c"]);
    let folder = seven_tapes();
    let said = run_in(&folder, &["run", "-g", "x", "a", "b"]).failed(2);
    assert_eq!(
        said,
        "error: no tape name matches `x`\nhint: the tapes are a, b\n"
    );
    let said = run_in(&folder, &["run", "-g", "(", "a"]).failed(2);
    assert!(said.contains("unclosed group"), "{said}");
}

#[test]
fn last_failed_reruns_tapes_until_they_pass() {
    let folder = tapes(&[("bad.tape", BAD), ("good.tape", GOOD), ("x.tape", BAD)]);
    let last = ["run", "--last-failed"];
    assert_eq!(
        run_in(&folder, &last).noted(),
        "note: no tape failed in the last run\n"
    );
    run_in(&folder, &["run", "bad.tape", "good.tape", "x.tape"]).failed(1);
    let names = run_in(&folder, &["run", "--last-failed", "--list"]).text();
    assert_eq!(names, "bad.tape\nx.tape\n");
    let words = ["run", "--last-failed", "--list", "good.tape", "x.tape"];
    assert_eq!(run_in(&folder, &words).text(), "x.tape\n");
    folder.file("x.tape", GOOD);
    // A tape that was not run stays in the list.
    run_in(&folder, &["run", "x.tape"]).noted();
    let names = run_in(&folder, &["run", "--last-failed", "--list"]).text();
    assert_eq!(names, "bad.tape\n");
    folder.file("bad.tape", GOOD);
    let said = run_in(&folder, &last).noted();
    assert!(said.starts_with("passed: bad.tape: "), "{said}");
    assert_eq!(
        run_in(&folder, &last).noted(),
        "note: no tape failed in the last run\n"
    );
}

#[test]
fn empty_selection_of_last_failed_is_explained() {
    let folder = tapes(&[("bad.tape", BAD), ("good.tape", GOOD)]);
    run_in(&folder, &["run", "bad.tape", "good.tape"]).failed(1);
    let said =
        |words: &[&str]| run_in(&folder, &[&["run", "--last-failed"], words].concat()).noted();
    assert_eq!(
        said(&["--shard", "2/2"]),
        "note: this shard is empty: fewer tapes failed than there are shards\n"
    );
    assert_eq!(
        said(&["good.tape"]),
        "note: none of these tapes failed in the last run\n"
    );
    assert_eq!(
        said(&["good.tape", "--shard", "1/2"]),
        "note: none of these tapes failed in the last run\n"
    );
    folder.file("bad.tape", GOOD);
    run_in(&folder, &["run", "bad.tape"]).noted();
    assert_eq!(
        said(&["--shard", "2/2"]),
        "note: no tape failed in the last run\n"
    );
}

#[test]
fn removed_failed_tape_is_skipped() {
    let folder = tapes(&[("bad.tape", BAD), ("x.tape", BAD)]);
    run_in(&folder, &["run", "bad.tape", "x.tape"]).failed(1);
    std::fs::remove_file(folder.path().join("bad.tape")).unwrap();
    let names = run_in(&folder, &["run", "--last-failed", "--list"]).text();
    assert_eq!(names, "x.tape\n");
}

#[test]
fn invalid_list_of_failures_is_reported() {
    let folder = tapes(&[("a.tape", GOOD)]);
    let tapes = folder.path().join("artifacts/tapes");
    std::fs::create_dir_all(&tapes).unwrap();
    for garbage in ["", "{}", "[1]", "\u{0}"] {
        folder.file("artifacts/tapes/last-failed.json", garbage);
        let said = run_in(&folder, &["run", "--last-failed", "a.tape"]).failed(2);
        assert!(said.contains("is not a list of failed tapes"), "{said}");
        assert!(said.contains("hint: remove it"), "{said}");
    }
}
