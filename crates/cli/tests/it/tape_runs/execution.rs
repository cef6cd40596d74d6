//! Workers, retries, repetitions and snapshot updates.

use super::{BAD, FLAKY, GOOD, mask_durations, tapes};
use crate::harness::cli::{Folder, run_after_setup, run_in, run_in_with_env};

#[test]
fn tapes_run_in_parallel() {
    // Each tape waits for the other.
    let tape = |own: &str, other: &str| {
        format!(
            "Launch sh -c 'touch {own}; until test -e {other}; do sleep 0.01; done; echo both; cat'\nExpect@10s \"both\"\n"
        )
    };
    let (a, b) = (tape("a", "b"), tape("b", "a"));
    let folder = tapes(&[("a.tape", &a), ("b.tape", &b)]);
    let said = run_in(&folder, &["run", "--workers", "2", "a.tape", "b.tape"]).noted();
    assert!(said.contains("note: 2 passed in "), "{said}");
}

#[test]
fn one_worker_runs_tapes_in_order() {
    let alone = "Launch sh -c 'mkdir lock && echo alone; read x; rmdir lock; echo left; cat'\nExpect \"alone\"\nEnter\nExpect \"left\"\n";
    let names = ["a.tape", "b.tape", "c.tape"];
    let folder = tapes(&names.map(|name| (name, alone)));
    let words = [
        "run",
        "--fast",
        "--workers",
        "1",
        "c.tape",
        "a.tape",
        "b.tape",
    ];
    let said = run_in(&folder, &words).noted();
    assert_eq!(
        mask_durations(&said),
        "\
passed: c.tape: 3 steps, T s
passed: a.tape: 3 steps, T s
passed: b.tape: 3 steps, T s
note: 3 passed in T s
"
    );
}

#[test]
fn tape_that_passes_on_a_retry_is_flaky() {
    let folder = tapes(&[("flaky.tape", FLAKY)]);
    let said = run_in(&folder, &["run", "--retries", "2", "flaky.tape"]).noted();
    assert_eq!(
        mask_durations(&said),
        "\
flaky: flaky.tape: 1 step, T s in 2 attempts
note: attempt 1 failed: flaky.tape:2:1: text \"again\" did not appear within 500ms; artifacts: artifacts/tapes/flaky-tape.try-1
"
    );
    let kept = folder.read("artifacts/tapes/flaky-tape.try-1/failure.txt");
    assert!(kept.starts_with(b"error: text \"again\" did not appear"));
    // The next run removes the artifacts of earlier attempts.
    run_in(&folder, &["run", "flaky.tape"]).noted();
    assert!(
        !folder
            .path()
            .join("artifacts/tapes/flaky-tape.try-1")
            .exists()
    );
}

#[test]
fn tape_that_fails_every_attempt_fails() {
    let folder = tapes(&[("bad.tape", BAD)]);
    let said = run_in(&folder, &["run", "--retries", "1", "bad.tape"]).failed(1);
    assert!(said.contains("failed: bad.tape: 1 of 2 steps, "), "{said}");
    assert!(
        said.contains(" s in 2 attempts\nnote: attempt 1 failed: "),
        "{said}"
    );
    assert!(said.ends_with("error: 1 of 1 tape failed\n"), "{said}");
    for name in ["bad-tape.try-1", "bad-tape/failure-bundles"] {
        let report = folder.read(&format!("artifacts/tapes/{name}/failure.txt"));
        assert!(report.starts_with(b"error: "), "{name}");
    }
    // The environment sets retries too, and the command line overrides it.
    let said = run_in_with_env(
        &folder,
        &[("SCREENTEST_RETRIES", "2")],
        &["run", "bad.tape"],
    );
    assert!(said.stderr.contains(" in 3 attempts\n"), "{}", said.stderr);
    let words = ["run", "--retries", "0", "bad.tape"];
    let said = run_in_with_env(&folder, &[("SCREENTEST_RETRIES", "2")], &words);
    assert!(!said.stderr.contains("attempts"), "{}", said.stderr);
}

#[test]
fn each_repetition_is_reported() {
    let once = "Launch sh -c 'test -e twice || echo fresh; test -e once && touch twice; touch once; cat'\nExpect@200ms \"fresh\"\n";
    let folder = tapes(&[("once.tape", once)]);
    let said = run_in(&folder, &["run", "--repeat", "3", "once.tape"]).failed(1);
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("passed") || line.starts_with("failed"))
        .map(|line| line.split_once(", ").unwrap().0)
        .collect();
    assert_eq!(
        lines,
        [
            "passed: once.tape (1 of 3): 1 step",
            "passed: once.tape (2 of 3): 1 step",
            "failed: once.tape (3 of 3): 0 of 1 step",
        ]
    );
    assert!(said.ends_with("error: 1 of 3 runs failed\n"), "{said}");
}

#[test]
fn max_failures_stops_starting_tapes() {
    let mark = "Launch sh -c 'touch ran; cat'\nType 'a'\n";
    let folder = tapes(&[("a.tape", BAD), ("b.tape", BAD), ("c.tape", mark)]);
    let words = ["--workers", "1", "a.tape", "b.tape", "c.tape"];
    let words = [&["run", "--max-failures", "2"], &words[..]].concat();
    let said = run_in(&folder, &words).failed(1);
    assert!(said.contains("note: 2 failed, 1 not run in "), "{said}");
    assert!(said.ends_with("error: 2 of 3 tapes failed\n"), "{said}");
    assert!(!folder.names().contains(&"ran".to_owned()));
}

#[test]
fn update_option_overrides_ci() {
    let tape = |text: &str| format!("Launch cat\nType '{text}'\nExpect '{text}'\nSnapshot a\n");
    let folder = tapes(&[("a.tape", &tape("one"))]);
    let ci = |words: &[&str]| run_in_with_env(&folder, &[("CI", "1")], words);
    let kept = |folder: &Folder| {
        let path = "artifacts/snapshots/a-tape/a.ansi.txt";
        String::from_utf8(folder.read(path)).unwrap()
    };
    let said = ci(&["run", "--fast", "a.tape"]).failed(1);
    assert!(said.contains("has no baseline"), "{said}");
    assert!(
        said.contains("hint: `screentest run -u a.tape` writes it"),
        "{said}"
    );
    let said = ci(&["run", "--fast", "--update-snapshots=missing", "a.tape"]).noted();
    assert!(said.ends_with("; snapshot a: new\n"), "{said}");
    assert!(kept(&folder).contains("one"));
    folder.file("a.tape", tape("two"));
    let said = run_in(&folder, &["run", "--fast", "a.tape"]).failed(1);
    assert!(
        said.contains("hint: `screentest run -u a.tape` accepts every"),
        "{said}"
    );
    // The program waits for input, so the failure comes before the timeout of 5 seconds.
    let waited = said
        .lines()
        .find_map(|line| line.strip_prefix("waited for "));
    assert!(waited.is_some_and(|time| time.ends_with("ms")), "{said}");
    let words = [
        "run",
        "--fast",
        "-u",
        "--reporter",
        "json=run.json",
        "a.tape",
    ];
    let said = ci(&words).noted();
    assert!(said.ends_with("; snapshot a: updated\n"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&folder.read("run.json")).unwrap();
    assert_eq!(
        json["tapes"][0]["attempts"][0]["baselines"],
        serde_json::json!([{ "snapshot": "a", "status": "updated" }])
    );
    let said = ci(&["run", "--fast", "-u", "a.tape"]).noted();
    assert!(!said.contains("snapshot"), "{said}");
    assert!(kept(&folder).contains("two"));
    let said = run_in(&folder, &["run", "-u", "all", "a.tape"]).failed(2);
    assert_eq!(
        said,
        "error: tape `all` not found\nhint: to select which snapshots are written, use `-u=all`\n"
    );
    let said = run_in(&folder, &["a.tape", "--fast"]).failed(2);
    assert!(
        said.ends_with("hint: screentest run a.tape --fast\n"),
        "{said}"
    );
    let said = run_in(&folder, &["run", "-u=some", "a.tape"]).failed(2);
    assert!(
        said.contains("[possible values: all, changed, missing, none]"),
        "{said}"
    );
}

#[test]
fn quiet_run_reports_only_failures() {
    let folder = tapes(&[("bad.tape", BAD), ("good.tape", GOOD)]);
    for brief in [&["--quiet"][..], &["--reporter", "line"]] {
        let words = [&["run"], brief, &["bad.tape", "good.tape"]].concat();
        let said = run_in(&folder, &words).failed(1);
        assert!(said.starts_with("failed: bad.tape: "), "{said}");
        assert!(!said.contains("passed: "), "{said}");
        assert!(said.contains("note: 1 passed, 1 failed in "), "{said}");
    }
}

#[test]
fn tapes_have_separate_baselines() {
    let tape = |text: &str| format!("Launch cat\nType '{text}'\nExpect '{text}'\nSnapshot s\n");
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("a")).unwrap();
    let names = ["a/b.tape", "a-b.tape", "a_b.tape", "A-b.tape"];
    for name in names {
        folder.file(name, tape(&format!("of {name}")));
    }
    for which in ["missing", "none"] {
        let update = format!("-u={which}");
        let words = [&["run", "--fast", &update], &names[..]].concat();
        let said = run_in(&folder, &words).noted();
        assert!(said.contains("note: 4 passed in "), "{said}");
    }
    let kept = folder.read("artifacts/snapshots/a--b-tape/s.ansi.txt");
    assert!(String::from_utf8(kept).unwrap().contains("of a/b.tape"));
}

#[test]
fn tape_name_does_not_depend_on_the_working_directory() {
    let tape = "Launch cat\nType 'one'\nExpect 'one'\nSnapshot s\n";
    let folder = tapes(&[(".git", ""), ("away.tape", tape)]);
    std::fs::create_dir_all(folder.path().join("tests/deep")).unwrap();
    folder.file("tests/t.tape", tape);
    let from = |place: &str, words: &[&str]| {
        let place = format!("unset CI; cd '{}'", folder.join(place));
        run_after_setup(&place, words)
    };
    from("", &["run", "--fast", "tests/t.tape"]).noted();
    for (place, path) in [("tests", "t.tape"), ("tests/deep", "../t.tape")] {
        let listed = from(place, &["run", "--list", path, &folder.join("away.tape")]);
        assert_eq!(listed.text(), "tests/t.tape\naway.tape\n");
        let said = from(place, &["run", "--fast", "-u=none", path]).noted();
        assert!(said.starts_with("passed: tests/t.tape: "), "{said}");
    }
    folder.file("tests/t.tape", BAD);
    // Source positions are relative to the working directory, so that editors find them.
    let said = from("tests", &["run", "t.tape"]).failed(1);
    assert!(said.starts_with("failed: tests/t.tape: "), "{said}");
    assert!(said.contains("--> t.tape:3:1"), "{said}");
    let left = "artifacts/tapes/tests--t-tape/failure-bundles/failure.txt";
    folder.read(left);
    let last = from("tests/deep", &["run", "--last-failed", "--list"]);
    assert_eq!(last.text(), "tests/t.tape\n");
    assert_eq!(folder.names(), [".git", "artifacts", "away.tape", "tests"]);
}

#[test]
fn control_characters_in_names_are_replaced() {
    let name = "a\u{1b}[31m.tape";
    let folder = tapes(&[(name, FLAKY)]);
    let said = run_in(&folder, &["run", "--retries", "1", name]).noted();
    assert!(said.starts_with("flaky: a\u{fffd}[31m.tape: "), "{said:?}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn tapes_with_the_same_output_are_noted() {
    let tape = "Output same.json\nLaunch cat\nType 'a'\n";
    let folder = tapes(&[("a.tape", tape), ("b.tape", tape)]);
    let said = run_in(&folder, &["run", "--fast", "a.tape", "b.tape"]).noted();
    assert!(
        said.starts_with("note: `a.tape` and `b.tape` both write `same.json`\n"),
        "{said}"
    );
}
