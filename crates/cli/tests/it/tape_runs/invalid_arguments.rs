//! Invalid arguments and invalid tapes are reported before any tape runs.

use super::{GOOD, tapes};
use crate::harness::cli::run_in;

#[test]
fn invalid_numbers_are_rejected() {
    let folder = tapes(&[("a.tape", GOOD)]);
    for (words, expected) in [
        (["--shard", "0/3"], "expected a shard from 1 to 3"),
        (["--shard", "4/3"], "expected a shard from 1 to 3"),
        (
            ["--shard", "x"],
            "expected `K/N`, shard K of N, such as `1/3`",
        ),
        (["--shard", "-1/3"], "expected `K/N`"),
        (["--workers", "0"], "expected a whole number from 1 to 1024"),
        (
            ["--workers", "-1"],
            "expected a whole number from 1 to 1024",
        ),
        (
            ["--workers", "two"],
            "expected a whole number from 1 to 1024",
        ),
        (["--repeat", "0"], "expected a whole number, 1 or more"),
        (["--repeat", "-1"], "expected a whole number, 1 or more"),
        (
            ["--max-failures", "0"],
            "expected a whole number, 1 or more",
        ),
        (["--retries", "many"], "expected a whole number, 0 or more"),
        (["--retries", "-1"], "expected a whole number, 0 or more"),
        (
            ["--reporter", "jnuit"],
            "unknown reporter, did you mean `junit`?",
        ),
        (
            ["--reporter", "junit=a.tape/x"],
            "could not write `a.tape/x`: could not create its directory: ",
        ),
    ] {
        let words = [&["run"], &words[..], &["a.tape"]].concat();
        let said = run_in(&folder, &words).failed(2);
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    let said = run_in(&folder, &["run", "--watch", "-"]).failed(2);
    assert!(said.contains("cannot watch stdin"), "{said}");
    for (command, expected) in [
        (
            "run",
            "error: no tapes to run\nhint: name a tape, as in `screentest run demo.tape`",
        ),
        (
            "validate",
            "error: no tapes to validate\nhint: name a tape, as in `screentest validate demo.tape`",
        ),
        (
            "fmt",
            "error: no tapes to format\nhint: name a tape, as in `screentest fmt demo.tape`",
        ),
    ] {
        let said = run_in(&folder, &[command]).failed(2);
        assert!(said.starts_with(expected), "{said}");
    }
}

/// Checks that `run` and `validate` report an invalid tape, and that no tape runs.
#[track_caller]
fn check(tape: &str, expected: &[&str]) {
    let mark = "Launch sh -c 'touch ran; cat'\nType 'a'\n";
    let folder = tapes(&[("good.tape", mark), ("bad.tape", tape)]);
    for command in ["run", "validate"] {
        let said = run_in(&folder, &[command, "good.tape", "bad.tape"]).failed(2);
        for expected in expected {
            assert!(said.contains(expected), "{command}: {expected}: {said}");
        }
    }
    assert_eq!(folder.names(), ["bad.tape", "good.tape"]);
}

#[test]
fn invalid_tape_is_reported_with_position_and_hint() {
    check("Sleep -1\n", &["error: ", "negative time", "bad.tape:1:7"]);
    check("Sleep inf\n", &["error: ", "`inf`", "bad.tape:1:7"]);
    check(
        "Set Themee \"x\"\n",
        &[
            "unknown setting `Themee`",
            "did you mean `Theme`?",
            "bad.tape:1:5",
        ],
    );
    check(
        "Set Theme \"No Such Theme\"\n",
        &["No Such Theme", "bad.tape:1:"],
    );
    check("Type \"a\n", &["bad.tape:1:6", "error: "]);
    check("Wait /a\n", &["bad.tape:1:6", "error: "]);
    check(
        "Type 'a'\nSource bad.tape\n",
        &[
            "`bad.tape` sources itself",
            "bad.tape:2:1",
            "bad.tape → bad.tape",
        ],
    );
    check(
        "Output a.exe\n",
        &["unknown output extension `.exe`", "bad.tape:1:8"],
    );
    check(
        "Launch no-such-program\n",
        &[
            "`no-such-program` was not found in PATH",
            "bad.tape:1:1",
            "install it",
        ],
    );
    check(
        "Require no-such-program\nType 'a'\n",
        &["a required program is missing", "bad.tape:1:1"],
    );
    // All errors are reported together.
    check(
        "Sleep -1\nSlep 1\nOutput a.exe\nSource none.tape\n",
        &[
            "1:7",
            "2:1",
            "3:8",
            "4:1",
            "`none.tape` cannot be read: No such file",
        ],
    );
}

#[test]
fn files_that_are_not_tapes_are_named() {
    let folder = tapes(&[]);
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    folder.file("bytes", b"Type a\n\xff");
    for command in ["run", "validate"] {
        let said = run_in(&folder, &[command, "folder", "none.tape", "bytes"]).failed(2);
        for expected in [
            "error: `folder` cannot be read: it is a directory\nhint: name a tape in it, such as `folder/demo.tape`\n",
            "error: `none.tape` cannot be read: No such file or directory",
            "error: `bytes` cannot be read: it is not UTF-8 (invalid byte at offset 7)\n",
        ] {
            assert!(said.contains(expected), "{command}: {expected}: {said}");
        }
    }
}

/// Checks that two reports with the same destination are rejected before any tape runs.
#[track_caller]
fn check_shared(one: &str, other: &str, place: &str) {
    let folder = tapes(&[("a.tape", "Launch sh -c 'touch ran; cat'\nType 'a'\n")]);
    std::os::unix::fs::symlink("x", folder.path().join("link")).unwrap();
    let words = ["run", "--reporter", one, "--reporter", other, "a.tape"];
    let said = folder.masked(&run_in(&folder, &words).failed(2));
    let kind = |reporter: &str| reporter.split('=').next().unwrap_or_default().to_owned();
    let (one, other) = (kind(one), kind(other));
    assert_eq!(
        said,
        format!(
            "error: `{one}` and `{other}` would both be written to {place}\nhint: write one to another file: `--reporter {other}=FILE`\n"
        )
    );
    assert!(!folder.names().contains(&"ran".to_owned()));
}

#[test]
fn reports_need_separate_destinations() {
    check_shared("json", "junit", "stdout");
    check_shared("json=-", "json", "stdout");
    check_shared("html=-", "github", "stdout");
    check_shared("json=/dev/stdout", "html=-", "stdout");
    check_shared("json=x", "junit=./x", "`x`");
    check_shared("json=x", "junit=link", "`x`");
    check_shared(
        "html",
        "json=artifacts/../artifacts/report.html",
        "`FOLDER/artifacts/report.html`",
    );
}
