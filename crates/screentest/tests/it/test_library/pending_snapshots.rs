//! Pending snapshots, and the effect of accepting or rejecting them on the files.

use std::fs;
use std::os::unix::fs::symlink;

use screentest::test::pending_snapshots::{Comparison, PendingError, PendingList, RunKind};
use screentest::test::{ArtifactError, Pending};

use screentest_fixtures::scratch::Scratch;

const META: &str = r#"{"cols":10,"rows":2}"#;

/// Writes the files of a pending snapshot: `old` and `new` are the contents of its screens.
fn write_pending(scratch: &Scratch, folder: &str, name: &str, old: Option<&str>, new: &str) {
    let captures = format!("{folder}/snapshots");
    fs::create_dir_all(scratch.path().join(&captures)).unwrap();
    let mut screens = vec![(name.to_owned(), new), (format!("{name}.actual"), new)];
    screens.extend(old.map(|old| (format!("{name}.expected"), old)));
    for (name, text) in screens {
        scratch.write(&format!("{captures}/{name}.ansi.txt"), text);
        scratch.write(&format!("{captures}/{name}.meta.json"), META);
    }
    scratch.write(&format!("{captures}/{name}.diff.txt"), "words\n");
}

/// Returns the pending snapshots; no errors are expected.
#[track_caller]
fn found(scratch: &Scratch) -> Vec<Pending> {
    let PendingList { pending, errors } = Pending::find(scratch.path());
    assert!(errors.is_empty(), "{errors:?}");
    pending
}

#[track_caller]
fn only(scratch: &Scratch) -> Pending {
    let mut found = found(scratch);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn pending_snapshots_are_found_in_order() {
    let scratch = Scratch::new();
    write_pending(&scratch, "tests/b", "2", None, "x");
    write_pending(&scratch, "tests/b", "1", Some("w"), "x");
    write_pending(&scratch, "tests/a", "ü-9", None, "x");
    write_pending(&scratch, "sessions/z", "1", None, "x");
    // Files that are not pending, and files of other programs.
    scratch.write("tests/b/snapshots/3.ansi.txt", "x");
    scratch.write("tests/b/snapshots/a.b.diff.txt", "x");
    scratch.write("tests/b/snapshots/.diff.txt", "x");
    scratch.write("tests/stray", "x");
    fs::create_dir(scratch.path().join("tests/empty")).unwrap();
    let found = found(&scratch);
    let names: Vec<_> = found
        .iter()
        .map(|pending| (pending.kind(), pending.slug(), pending.name()))
        .collect();
    assert_eq!(
        names,
        [
            (RunKind::Session, "z", "1"),
            (RunKind::Test, "a", "ü-9"),
            (RunKind::Test, "b", "1"),
            (RunKind::Test, "b", "2"),
        ]
    );
}

#[test]
fn an_empty_or_missing_folder_has_no_pending_snapshots() {
    let scratch = Scratch::new();
    assert_eq!(found(&scratch), []);
    let PendingList { pending, errors } = Pending::find(&scratch.path().join("nowhere"));
    assert!(pending.is_empty() && errors.is_empty());
}

#[test]
fn both_screens_and_the_description_are_read() {
    let scratch = Scratch::new();
    write_pending(&scratch, "tests/t", "n", Some("old"), "new");
    let Comparison {
        old, new, words, ..
    } = only(&scratch).read().unwrap();
    assert_eq!(old.unwrap().text(), "old\n");
    assert_eq!(
        (new.text(), words),
        ("new\n".to_owned(), "words\n".to_owned())
    );
}

#[test]
fn accepting_stores_the_captured_screen_not_the_masked_one() {
    let scratch = Scratch::new();
    write_pending(&scratch, "tests/t", "n", None, "raw");
    scratch.write("tests/t/snapshots/n.actual.ansi.txt", "masked");
    let pending = only(&scratch);
    let stamps = pending.read().unwrap().stamps;
    pending.accept(&stamps).unwrap();
    let baseline = |name| fs::read_to_string(scratch.path().join("snapshots/t").join(name));
    assert_eq!(baseline("n.ansi.txt").unwrap(), "raw");
    assert_eq!(baseline("n.meta.json").unwrap(), META);
    assert_eq!(found(&scratch), []);
    // A second accept fails.
    let again = pending.accept(&stamps);
    assert!(
        matches!(again, Err(PendingError::Changed { .. })),
        "{again:?}"
    );
}

#[test]
fn rejecting_removes_only_the_comparison() {
    let scratch = Scratch::new();
    write_pending(&scratch, "sessions/t", "n", Some("old"), "new");
    write_pending(&scratch, "sessions/t", "n2", Some("old"), "new");
    found(&scratch)[0].reject().unwrap();
    assert_eq!(only(&scratch).name(), "n2");
    assert!(
        scratch
            .path()
            .join("sessions/t/snapshots/n.ansi.txt")
            .exists()
    );
    assert!(!scratch.path().join("snapshots").exists());
}

#[test]
fn a_link_out_of_the_folder_is_not_followed() {
    let (scratch, other) = (Scratch::new(), Scratch::new());
    write_pending(&scratch, "tests/t", "n", None, "new");
    write_pending(&other, "tests/t", "n", None, "other");
    symlink(other.path().join("tests/t"), scratch.path().join("tests/u")).unwrap();
    let PendingList { pending, errors } = Pending::find(scratch.path());
    assert_eq!(pending.len(), 1);
    assert!(
        matches!(
            errors[..],
            [PendingError::Artifact(ArtifactError::Outside { .. })]
        ),
        "{errors:?}"
    );
    let capture = scratch.path().join("tests/t/snapshots/n.ansi.txt");
    fs::remove_file(&capture).unwrap();
    symlink(other.path().join("tests/t/snapshots/n.ansi.txt"), capture).unwrap();
    let read = pending[0].read();
    assert!(
        matches!(
            read,
            Err(PendingError::Artifact(ArtifactError::Outside { .. }))
        ),
        "{read:?}"
    );
}

#[test]
fn a_folder_or_a_huge_file_in_place_of_a_file_is_an_error() {
    let scratch = Scratch::new();
    write_pending(&scratch, "tests/t", "n", None, "new");
    let actual = scratch.path().join("tests/t/snapshots/n.actual.ansi.txt");
    let file = fs::File::options().write(true).open(&actual).unwrap();
    // A sparse file, which takes no disk space.
    file.set_len(513 << 20).unwrap();
    let pending = only(&scratch);
    let read = pending.read();
    assert!(
        matches!(
            read,
            Err(PendingError::Artifact(ArtifactError::TooLarge { .. }))
        ),
        "{read:?}"
    );
    fs::remove_file(&actual).unwrap();
    let read = pending.read();
    assert!(
        matches!(
            read,
            Err(PendingError::Artifact(ArtifactError::Read { .. }))
        ),
        "{read:?}"
    );
    fs::create_dir(&actual).unwrap();
    let read = pending.read();
    assert!(
        matches!(
            read,
            Err(PendingError::Artifact(ArtifactError::NotAFile { .. }))
        ),
        "{read:?}"
    );
}
