//! `fmt`: formats tapes.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use crate::harness::cli::{Folder, run_in, run_with};

const UGLY: &str = "Type   'a  b'\n\n\n\nSleep .5\n";
const GOOD: &str = "Type 'a  b'\n\nSleep .5s\n";

#[test]
fn tape_is_formatted_in_place() {
    let folder = Folder::new();
    let path = folder.file("a.tape", UGLY);
    folder.file("good.tape", GOOD);
    symlink("a.tape", folder.join("link.tape")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let before = fs::metadata(folder.join("good.tape")).unwrap().ino();
    let said = run_in(&folder, &["fmt", "link.tape", "good.tape"]).noted();
    assert_eq!(said, "note: formatted a.tape\n");
    assert_eq!(folder.read("a.tape"), GOOD.as_bytes());
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
    assert!(
        fs::symlink_metadata(folder.join("link.tape"))
            .unwrap()
            .is_symlink()
    );
    // A formatted tape is not rewritten.
    assert_eq!(
        fs::metadata(folder.join("good.tape")).unwrap().ino(),
        before
    );
    assert_eq!(folder.names(), ["a.tape", "good.tape", "link.tape"]);
}

#[test]
fn check_option_lists_unformatted_tapes_and_writes_nothing() {
    let folder = Folder::new();
    folder.file("a.tape", UGLY);
    folder.file("good.tape", GOOD);
    let run = run_in(&folder, &["fmt", "--check", "a.tape", "good.tape"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout, b"a.tape\n");
    assert!(
        run.stderr.starts_with("error: 1 tape would change\n"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.read("a.tape"), UGLY.as_bytes());
    run_in(&folder, &["fmt", "--check", "good.tape"]).done();
}

#[test]
fn stdin_is_formatted_to_stdout() {
    assert_eq!(run_with(["fmt", "-"], UGLY.as_bytes()).text(), GOOD);
    let said = run_with(["fmt", "-"], b"Slep 1\n").failed(2);
    assert!(said.contains(" --> stdin:1:1\n"), "{said}");
}

#[test]
fn tape_with_errors_is_unchanged_and_others_are_formatted() {
    let folder = Folder::new();
    folder.file("a.tape", UGLY);
    folder.file("bad.tape", "Slep   1\n");
    let words = ["fmt", "bad.tape", "none.tape", ".", "a.tape"];
    let said = run_in(&folder, &words).failed(2);
    for part in [
        "error: unknown command `Slep`\n --> bad.tape:1:1\n",
        "error: `none.tape` cannot be read: No such file",
        "error: `.` cannot be read: it is a directory\nhint: name a tape in it",
        "note: formatted a.tape\n",
        "error: 3 errors; tapes with errors were not changed\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(folder.read("bad.tape"), b"Slep   1\n");
    assert_eq!(folder.read("a.tape"), GOOD.as_bytes());
}
