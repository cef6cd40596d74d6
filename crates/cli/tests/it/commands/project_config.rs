//! `screentest.toml`: project defaults of command-line options.

use crate::harness::cli::{Folder, command_in, run_in};

const GOOD: &str = "Launch cat\nType 'hello'\nExpect \"hello\"\n";

/// Returns a folder with tapes in `tests` and a `screentest.toml` with this content.
fn project(toml: &str) -> Folder {
    let folder = Folder::new();
    folder.file("screentest.toml", toml);
    std::fs::create_dir_all(folder.path().join("tests/deep")).unwrap();
    folder.file("tests/b.tape", GOOD);
    folder.file("tests/a.tape", GOOD);
    folder.file("tests/deep/c.tape", GOOD);
    folder.file("tests/no.txt", "");
    folder
}

#[test]
fn configured_tapes_are_used_without_arguments() {
    let folder = project("[run]\ntapes = [\"tests/*.tape\"]\nfast = true\n");
    let names = run_in(&folder, &["run", "--list"]).text();
    assert_eq!(names, "tests/a.tape\ntests/b.tape\n");
    let said = run_in(&folder, &["run"]).noted();
    assert!(said.contains("note: 2 passed in "), "{said}");
    let named = ["run", "--list", "tests/deep/c.tape"];
    assert_eq!(run_in(&folder, &named).text(), "tests/deep/c.tape\n");
    // The other tape commands use them too.
    let said = run_in(&folder, &["validate"]).noted();
    assert_eq!(said, "note: 2 tapes can run\n");
    assert_eq!(run_in(&folder, &["fmt", "--check"]).text(), "");
}

#[test]
fn config_is_found_in_parent_folders_and_its_paths_are_relative_to_it() {
    let folder = project(
        "[run]\ntapes = \"tests/**/*.tape\"\nreporter = \"junit=report.xml\"\nartifacts = \"out\"\n",
    );
    folder.file("tests/b.tape", "Launch cat\nExpect@10ms \"x\"\n");
    let deep = folder.path().join("tests/deep");
    let script = format!(
        "{} run --retries 1; echo code $?",
        crate::harness::cli::TOOL
    );
    let said = command_in(&deep, "sh", ["-c", &script]);
    assert_eq!(said, "code 1\n");
    let xml = String::from_utf8(folder.read("report.xml")).unwrap();
    assert!(xml.contains("tests=\"3\""), "{xml}");
    let names = std::fs::read_dir(folder.path().join("out/tapes")).unwrap();
    assert!(names.count() > 0);
}

#[test]
fn command_line_overrides_config() {
    let toml = "[run]\ntapes = \"tests/*.tape\"\nstrict = true\nretries = 2\ndialect = \"betamax\"\nreporter = \"json\"\n";
    let folder = project(toml);
    let late = "Launch cat\nType 'a'\nSet FontSize 10\n";
    folder.file("late.tape", late);
    run_in(&folder, &["run", "late.tape"]).failed(2);
    let words = ["run", "--dialect", "vhs", "late.tape"];
    let said = run_in(&folder, &words).failed(2);
    assert!(said.contains("error: this is set after"), "{said}");
    let words = [
        "run",
        "--dialect=vhs",
        "--strict=false",
        "--reporter=list",
        "late.tape",
    ];
    let said = run_in(&folder, &words).noted();
    assert!(said.contains("warning: this is set after"), "{said}");
    folder.file("bad.tape", "Launch cat\nExpect@10ms \"x\"\n");
    let run = run_in(&folder, &["run", "bad.tape"]);
    assert!(run.stderr.contains(" in 3 attempts\n"), "{}", run.stderr);
    assert!(run.stdout.starts_with(b"{"), "{:?}", run.stdout);
    let run = run_in(&folder, &["run", "--retries", "0", "bad.tape"]);
    assert!(!run.stderr.contains("attempts"), "{}", run.stderr);
}

#[test]
fn config_errors_report_line_and_column() {
    let folder = project("[run]\nworkerz = 2\ntapes = 1\n");
    for command in ["run", "validate", "fmt"] {
        let said = run_in(&folder, &[command, "tests/a.tape"]).failed(2);
        assert_eq!(
            said,
            "\
error: screentest.toml:2:1: unknown key `workerz`, did you mean `workers`?
screentest.toml:3:9: `tapes` must be a string or an array of strings
hint: the keys of `[run]` are artifacts, dialect, fast, reporter, retries, strict, tapes, workers
"
        );
    }
    let folder = project("[run]\ntapes = \"none/*.tape\"\n");
    let said = run_in(&folder, &["run"]).failed(2);
    assert_eq!(
        said,
        "error: `none/*.tape` in `screentest.toml` matches no tape\n"
    );
}

#[test]
fn report_file_creates_its_folder_and_hyphen_is_stdout() {
    let toml = "[run]\ntapes = \"tests/*.tape\"\nfast = true\nreporter = [\"json=-\", \"junit=target/tapes.xml\"]\n";
    let folder = project(toml);
    let run = run_in(&folder, &["run"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with(b"{"), "{:?}", run.stdout);
    assert!(folder.read("target/tapes.xml").starts_with(b"<?xml"));
    assert!(!folder.names().contains(&"-".to_owned()));
}
