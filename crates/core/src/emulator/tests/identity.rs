//! Tests of the identity that backends report.

use crate::emulator::{Backend, Capabilities, EmulatorOptions};
use crate::screen::geometry::Size;

/// Returns the versions of a crate in the lock file.
fn locked(lock: &str, name: &str) -> Vec<String> {
    let value = |block: &str, key: &str| {
        let start = format!("{key} = \"");
        let line = block.lines().find_map(|line| line.strip_prefix(&*start))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    lock.split("[[package]]")
        .filter(|block| value(block, "name").as_deref() == Some(name))
        .filter_map(|block| value(block, "version"))
        .collect()
}

#[test]
fn identity_has_the_version_of_the_lock_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
    let lock = std::fs::read_to_string(path).expect("the workspace has a lock file");
    // The default one is no crate of its own.
    let identity = Backend::Avt.identity();
    assert_eq!(
        locked(&lock, identity.name),
        [identity.version],
        "{identity}"
    );
}

#[test]
fn backends_have_different_identities() {
    let names = Backend::ALL.map(|backend| {
        let emulator = backend.emulator(Size { cols: 2, rows: 1 }, EmulatorOptions::default());
        emulator.identity().to_string()
    });
    assert_ne!(names[0], names[1]);
    assert_eq!(names[0], "screentest-vt 1+3");
}

#[test]
fn every_backend_counts_bytes_and_declares_whether_it_records_notes() {
    for backend in Backend::ALL {
        let mut emulator = backend.emulator(Size { cols: 9, rows: 2 }, EmulatorOptions::default());
        emulator.feed("é\x07".as_bytes().split_at(1).0);
        emulator.feed("é\x07".as_bytes().split_at(1).1);
        let counts = emulator.notes().counts;
        assert_eq!(counts.bytes, 3, "{backend:?}");
        let notes = emulator.capabilities().contains(Capabilities::NOTES);
        assert_eq!(counts.bells, u64::from(notes), "{backend:?}");
    }
}
