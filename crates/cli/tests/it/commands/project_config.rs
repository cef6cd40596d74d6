//! `screentest.toml`: what a project wants unless the command line says otherwise.

use crate::harness::cli::{Folder, command_in, run_in};

const GOOD: &str = "Launch cat\nType 'hello'\nExpect \"hello\"\n";

/// A folder with tapes in `tests`, and this in its file.
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
fn its_tapes_are_meant_where_none_is_named() {
    let folder = project("[run]\ntapes = [\"tests/*.tape\"]\nfast = true\n");
    let names = run_in(&folder, &["run", "--list"]).text();
    assert_eq!(names, "tests/a.tape\ntests/b.tape\n");
    let said = run_in(&folder, &["run"]).noted();
    assert!(said.contains("note: 2 passed in "), "{said}");
    let named = ["run", "--list", "tests/deep/c.tape"];
    assert_eq!(run_in(&folder, &named).text(), "tests/deep/c.tape\n");
    // For the others, too.
    let said = run_in(&folder, &["validate"]).noted();
    assert_eq!(said, "note: 2 tapes can run\n");
    assert_eq!(run_in(&folder, &["fmt", "--check"]).text(), "");
}

#[test]
fn it_is_found_upwards_and_its_paths_are_its_own() {
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
fn the_command_line_wins() {
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
    assert!(run.stderr.contains(" in 3 tries\n"), "{}", run.stderr);
    assert!(run.stdout.starts_with(b"{"), "{:?}", run.stdout);
    let run = run_in(&folder, &["run", "--retries", "0", "bad.tape"]);
    assert!(!run.stderr.contains("tries"), "{}", run.stderr);
}

#[test]
fn what_is_wrong_with_it_is_told_with_its_place() {
    let folder = project("[run]\nworkerz = 2\ntapes = 1\n");
    for command in ["run", "validate", "fmt"] {
        let said = run_in(&folder, &[command, "tests/a.tape"]).failed(2);
        assert_eq!(
            said,
            "\
error: screentest.toml:2:1: unknown key `workerz`, did you mean `workers`?
screentest.toml:3:9: `tapes` is a text, or a list of texts
hint: docs/formats/screentest-toml.md has every key
"
        );
    }
    let folder = project("[run]\ntapes = \"none/*.tape\"\n");
    let said = run_in(&folder, &["run"]).failed(2);
    assert_eq!(
        said,
        "error: `none/*.tape` of `screentest.toml` finds no tape\n"
    );
}

#[test]
fn a_report_goes_to_stdout_or_to_a_folder_that_is_made() {
    let toml = "[run]\ntapes = \"tests/*.tape\"\nfast = true\nreporter = [\"json=-\", \"junit=target/tapes.xml\"]\n";
    let folder = project(toml);
    let run = run_in(&folder, &["run"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with(b"{"), "{:?}", run.stdout);
    assert!(folder.read("target/tapes.xml").starts_with(b"<?xml"));
    assert!(!folder.names().contains(&"-".to_owned()));
}
