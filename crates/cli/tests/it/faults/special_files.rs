//! Named pipes and devices where the tool expects a small file: they are refused, not waited for.

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::harness::cli::{Folder, command, run_in};

/// Creates a named pipe that no program writes to.
fn named_pipe(folder: &Folder, name: &str) {
    command("mkfifo", [folder.join(name)]);
}

/// Creates a link to a device without an end.
fn device(folder: &Folder, name: &str) {
    symlink("/dev/zero", folder.join(name)).unwrap();
}

#[test]
fn settings_are_a_regular_file() {
    for special_file in [named_pipe, device] {
        let folder = Folder::new();
        folder.file("a.tape", "Launch cat\n");
        special_file(&folder, "screentest.toml");
        for command in ["run", "validate", "fmt"] {
            assert_eq!(
                run_in(&folder, &[command, "a.tape"]).failed(2),
                "error: could not read `screentest.toml`: it is not a regular file\n"
            );
        }
    }
}

#[test]
fn sourced_tape_is_a_regular_file() {
    for special_file in [named_pipe, device] {
        let folder = Folder::new();
        folder.file("a.tape", "Source b.tape\n");
        special_file(&folder, "b.tape");
        let said = run_in(&folder, &["validate", "a.tape"]).failed(2);
        let reason = "error: `b.tape` cannot be read: it is not a regular file\n";
        assert!(said.starts_with(reason), "{said}");
    }
}

#[test]
fn token_file_is_a_regular_file() {
    for special_file in [named_pipe, device] {
        let folder = Folder::new();
        special_file(&folder, "tokens");
        assert_eq!(
            run_in(&folder, &["web", "--token-file", "tokens"]).failed(2),
            "error: `--token-file tokens`: could not be read: it is not a regular file\n"
        );
    }
}

#[test]
fn size_file_is_a_regular_file() {
    for special_file in [named_pipe, device] {
        let folder = Folder::new();
        folder.file("a.ansi.txt", "text");
        special_file(&folder, "a.meta.json");
        assert_eq!(
            run_in(&folder, &["convert", "a.ansi.txt"]).failed(2),
            "error: could not read `a.meta.json`: it is not a regular file\n"
        );
    }
}

/// The files are sparse: they take no disk space, but reading 60 GB would take long.
#[test]
fn large_files_are_refused_by_their_size() {
    let folder = Folder::new();
    for name in ["a.json", "screentest.toml"] {
        let file = std::fs::File::create(Path::new(&folder.join(name))).unwrap();
        file.set_len(60_000_000_000).unwrap();
    }
    assert_eq!(
        run_in(&folder, &["convert", "a.json"]).failed(2),
        "error: `a.json` is larger than the limit of 268435456 bytes\n"
    );
    assert_eq!(
        run_in(&folder, &["run", "a.tape"]).failed(2),
        "error: could not read `screentest.toml`: it has more than 1048576 bytes\n"
    );
}
