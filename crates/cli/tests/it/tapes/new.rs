//! `new`: writes a first tape.

use crate::harness::cli::{Folder, run_in};

#[test]
fn new_tape_passes() {
    let folder = Folder::new();
    let said = run_in(&folder, &["new", "demo"]).noted();
    assert_eq!(
        said,
        "note: wrote demo.tape; `screentest run demo.tape` runs it\n"
    );
    let said = run_in(&folder, &["run", "--fast", "--strict", "demo.tape"]).noted();
    assert!(said.starts_with("passed: demo.tape: "), "{said}");
    run_in(&folder, &["fmt", "--check", "demo.tape"]).done();
    assert!(said.contains("; wrote demo.png"), "{said}");
    assert_eq!(folder.names(), ["demo.png", "demo.tape"]);
}

#[test]
fn new_tape_contains_its_name() {
    for (name, word, output) in [
        ("tests/login.tape", "tests/login.tape", "tests/login.gif"),
        ("it's mine", r"'it'\''s mine.tape'", "\"it's mine.gif\""),
        ("a\"'`.b", "'a\"'\\''`.b.tape'", "demo.gif"),
    ] {
        let folder = Folder::new();
        let said = run_in(&folder, &["new", name]).noted();
        assert!(
            said.ends_with(&format!("; `screentest run {word}` runs it\n")),
            "{said}"
        );
        let path = name.strip_suffix(".tape").unwrap_or(name);
        let text = String::from_utf8(folder.read(&format!("{path}.tape"))).unwrap();
        assert!(text.contains(&format!("\n# Output {output}\n")), "{text}");
        assert!(
            text.contains(&format!("\n#   screentest run --fast {word} ")),
            "{text}"
        );
        let tape = format!("{path}.tape");
        run_in(&folder, &["run", "--fast", "--strict", &tape]).noted();
        run_in(&folder, &["fmt", "--check", &tape]).done();
    }
}

#[test]
fn trailing_slash_of_the_name_is_ignored() {
    let folder = Folder::new();
    run_in(&folder, &["new", "demo/"]).noted();
    assert_eq!(folder.names(), ["demo.tape"]);
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder = Folder::new();
    run_in(&folder, &["new", "tests/a.tape"]).noted();
    folder.file("tests/a.tape", "mine");
    let said = run_in(&folder, &["new", "tests/a"]).failed(2);
    assert_eq!(
        said,
        "error: `tests/a.tape` exists already\nhint: remove it, or choose another name\n"
    );
    assert_eq!(folder.read("tests/a.tape"), b"mine");
    let said = run_in(&folder, &["new", "tests"]).failed(2);
    assert!(
        said.starts_with("error: `tests` is not the name of a tape\n"),
        "{said}"
    );
    let said = run_in(&folder, &["new", "tests/a.tape/b"]).failed(2);
    assert!(
        said.starts_with("error: could not write `tests/a.tape/b.tape`"),
        "{said}"
    );
}
