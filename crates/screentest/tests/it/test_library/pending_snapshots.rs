//! What waits for a decision, and what the decision does to the files.

use std::fs;
use std::os::unix::fs::symlink;

use screentest::test::pending_snapshots::{Comparison, Found, Kind, PendingError};
use screentest::{ArtifactError, Pending};

use screentest_fixtures::scratch::Scratch;

const META: &str = r#"{"cols":10,"rows":2}"#;

/// The files of a snapshot that waits: `old` and `new` are what its screens show.
fn leave(scratch: &Scratch, folder: &str, name: &str, old: Option<&str>, new: &str) {
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

/// What was found, without anything to complain about.
#[track_caller]
fn found(scratch: &Scratch) -> Vec<Pending> {
    let Found { pending, errors } = Pending::find(scratch.path());
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
fn what_waits_is_found_in_order() {
    let scratch = Scratch::new();
    leave(&scratch, "tests/b", "2", None, "x");
    leave(&scratch, "tests/b", "1", Some("w"), "x");
    leave(&scratch, "tests/a", "ü-9", None, "x");
    leave(&scratch, "sessions/z", "1", None, "x");
    // What is not pending, and what is not ours.
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
            (Kind::Session, "z", "1"),
            (Kind::Test, "a", "ü-9"),
            (Kind::Test, "b", "1"),
            (Kind::Test, "b", "2"),
        ]
    );
}

#[test]
fn where_nothing_was_kept_nothing_waits() {
    let scratch = Scratch::new();
    assert_eq!(found(&scratch), []);
    let Found { pending, errors } = Pending::find(&scratch.path().join("nowhere"));
    assert!(pending.is_empty() && errors.is_empty());
}

#[test]
fn both_screens_and_the_words_are_read() {
    let scratch = Scratch::new();
    leave(&scratch, "tests/t", "n", Some("old"), "new");
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
fn what_was_captured_becomes_the_baseline_and_not_what_was_compared() {
    let scratch = Scratch::new();
    leave(&scratch, "tests/t", "n", None, "raw");
    scratch.write("tests/t/snapshots/n.actual.ansi.txt", "masked");
    let pending = only(&scratch);
    let seen = pending.read().unwrap().seen;
    pending.accept(&seen).unwrap();
    let baseline = |name| fs::read_to_string(scratch.path().join("snapshots/t").join(name));
    assert_eq!(baseline("n.ansi.txt").unwrap(), "raw");
    assert_eq!(baseline("n.meta.json").unwrap(), META);
    assert_eq!(found(&scratch), []);
    // Nothing of it can be accepted twice.
    let again = pending.accept(&seen);
    assert!(
        matches!(again, Err(PendingError::Changed { .. })),
        "{again:?}"
    );
}

#[test]
fn rejecting_forgets_the_comparison_alone() {
    let scratch = Scratch::new();
    leave(&scratch, "sessions/t", "n", Some("old"), "new");
    leave(&scratch, "sessions/t", "n2", Some("old"), "new");
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
fn a_link_that_leads_out_is_not_followed() {
    let (scratch, other) = (Scratch::new(), Scratch::new());
    leave(&scratch, "tests/t", "n", None, "new");
    leave(&other, "tests/t", "n", None, "other");
    symlink(other.path().join("tests/t"), scratch.path().join("tests/u")).unwrap();
    let Found { pending, errors } = Pending::find(scratch.path());
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
fn a_folder_or_a_giant_in_the_place_of_a_file_is_told() {
    let scratch = Scratch::new();
    leave(&scratch, "tests/t", "n", None, "new");
    let actual = scratch.path().join("tests/t/snapshots/n.actual.ansi.txt");
    let file = fs::File::options().write(true).open(&actual).unwrap();
    // One that takes no room on the disk.
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
