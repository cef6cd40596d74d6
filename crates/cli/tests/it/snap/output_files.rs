//! The option `-o`: extensions, pipes, devices, symlinks.

use std::fs::{self, Permissions};
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::harness::cli::{Folder, run, start};

fn snap_to(file: &str, options: &[&str]) {
    let mut words = vec!["snap", "--cols", "10", "--rows", "2", "-o", file];
    words.extend(options);
    words.extend(["--", "printf", r"\033[7mhi\033[m there"]);
    assert_eq!(run(words).done(), b"");
}

#[test]
fn extension_selects_the_format() {
    let folder = Folder::new();
    for name in ["x.txt", "x.json", "x.vt2", "x"] {
        snap_to(&folder.join(name), &[]);
    }
    assert_eq!(folder.names(), ["x", "x.json", "x.txt", "x.vt2"]);
    assert_eq!(folder.read("x.txt"), b"hi there\n");
    assert_eq!(folder.read("x"), b"hi there\n");
    assert!(folder.read("x.json").starts_with(b"{\n  \"size\""));
    assert!(folder.read("x.vt2").starts_with(b"VT\x02"));
}

#[test]
fn ansi_is_written_with_a_metadata_file() {
    let folder = Folder::new();
    snap_to(&folder.join("x.ansi.txt"), &[]);
    assert_eq!(folder.names(), ["x.ansi.txt", "x.meta.json"]);
    assert_eq!(folder.read("x.ansi.txt"), b"\x1b[0;7mhi\x1b[0m there\n");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        String::from_utf8(folder.read("x.meta.json")).unwrap(),
        format!(
            r#"{{"cols":10,"rows":2,"version":"{version}","cursor":{{"x":8,"y":0,"visible":true}}}}"#
        )
    );
}

#[test]
fn format_option_overrides_the_extension() {
    let folder = Folder::new();
    for (name, format, promised) in [("x.json", "text", "json"), ("y.png", "sketch", "png")] {
        let file = folder.join(name);
        let words = ["snap", "-o", &file, "--format", format];
        let said = run(words.iter().chain(&["--", "echo", "hi"])).noted();
        assert_eq!(
            folder.masked(&said),
            format!(
                "note: `--format {format}` overrides the extension of `FOLDER/{name}`, which means {promised}\n"
            )
        );
    }
    assert_eq!(folder.read("x.json"), b"hi\n");
    assert_eq!(folder.read("y.png"), b"hi\n|\n");
}

#[test]
fn format_that_matches_the_extension_is_not_noted() {
    let folder = Folder::new();
    for (name, format) in [
        ("a.txt", "ansi"),
        ("b.txt", "sketch"),
        ("c.png", "apng"),
        ("d.json", "json"),
        ("plain", "vt2"),
    ] {
        snap_to(&folder.join(name), &["--format", format]);
    }
    assert_eq!(
        folder.names(),
        ["a.txt", "b.txt", "c.png", "d.json", "plain"]
    );
}

#[test]
fn foreign_metadata_file_is_not_overwritten() {
    let folder = Folder::new();
    folder.file("x.meta.json", "{\"mine\": true}");
    fs::create_dir(folder.join("y.meta.json")).unwrap();
    for (name, said) in [
        (
            "x",
            "`FOLDER/x.meta.json` is not the size file of a snapshot, and is not overwritten",
        ),
        (
            "y",
            "could not write `FOLDER/y.meta.json`: it is a directory",
        ),
    ] {
        let file = folder.join(&format!("{name}.ansi.txt"));
        let started = folder.join("started");
        let words = ["snap", "-o", &file, "--", "touch", &started];
        assert_eq!(
            folder.masked(&run(words).failed(2)),
            format!(
                "error: {said}\nhint: the size of `FOLDER/{name}.ansi.txt` is stored there; choose another name with `-o`\n"
            )
        );
    }
    assert_eq!(folder.names(), ["x.meta.json", "y.meta.json"]);
    assert_eq!(folder.read("x.meta.json"), b"{\"mine\": true}");
    snap_to(&folder.join("z.ansi.txt"), &[]);
    snap_to(&folder.join("z.ansi.txt"), &[]);
}

#[test]
fn unwritable_folder_is_reported_before_the_program_starts() {
    let folder = Folder::new();
    let started = folder.join("started");
    let words = ["snap", "-o", "/proc/x.txt", "--", "touch", &started];
    assert_eq!(
        run(words).failed(2),
        "error: could not write `/proc/x.txt`: No such file or directory (os error 2)\n"
    );
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn replaced_file_keeps_permissions_and_symlinks() {
    let folder = Folder::new();
    let file = folder.file("real.txt", "before");
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    symlink("real.txt", folder.join("link.txt")).unwrap();
    snap_to(&folder.join("link.txt"), &[]);
    assert_eq!(folder.read("real.txt"), b"hi there\n");
    assert_eq!(folder.names(), ["link.txt", "real.txt"]);
    assert!(
        fs::symlink_metadata(folder.join("link.txt"))
            .unwrap()
            .is_symlink()
    );
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn dangling_symlink_is_written_through() {
    let folder = Folder::new();
    fs::create_dir(folder.join("deep")).unwrap();
    symlink("deep/next", folder.join("link.txt")).unwrap();
    symlink("real.txt", folder.join("deep/next")).unwrap();
    snap_to(&folder.join("link.txt"), &[]);
    assert_eq!(folder.read("deep/real.txt"), b"hi there\n");
    assert!(fs::read_link(folder.join("link.txt")).is_ok());
    assert!(fs::read_link(folder.join("deep/next")).is_ok());
    assert_eq!(folder.names(), ["deep", "link.txt"]);
}

#[test]
fn broken_symlink_is_reported_before_the_program_starts() {
    let folder = Folder::new();
    symlink("lost/real.txt", folder.join("link.txt")).unwrap();
    symlink("round.txt", folder.join("round.txt")).unwrap();
    let started = folder.join("started");
    for (name, why) in [
        ("link.txt", "No such file or directory (os error 2)"),
        (
            "round.txt",
            "Too many levels of symbolic links (os error 40)",
        ),
    ] {
        let file = folder.join(name);
        let said = run(["snap", "-o", &file, "--", "touch", &started]).failed(2);
        assert_eq!(
            folder.masked(&said),
            format!("error: could not write `FOLDER/{name}`: {why}\n")
        );
    }
    assert_eq!(folder.names(), ["link.txt", "round.txt"]);
}

#[test]
fn new_file_has_default_permissions() {
    let folder = Folder::new();
    let any = folder.file("any", "");
    snap_to(&folder.join("x.txt"), &[]);
    assert_eq!(
        fs::metadata(folder.join("x.txt")).unwrap().permissions(),
        fs::metadata(any).unwrap().permissions()
    );
}

#[test]
fn hyphen_and_dev_stdout_write_to_stdout() {
    for name in ["-", "/dev/stdout"] {
        let words = ["snap", "-o", name, "--", "echo", "here"];
        assert_eq!(run(words).text(), "here\n");
    }
}

#[test]
fn device_is_not_replaced() {
    snap_to("/dev/null", &["--format", "ansi"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    assert!(!fs::exists("/dev/null.meta.json").unwrap());
}

#[test]
fn closed_pipe_is_not_an_error() {
    let folder = Folder::new();
    // Far more than a pipe holds.
    let rows: String = (0..2000).map(|row| format!("row {row}\n")).collect();
    let file = folder.file("rows.txt", rows);
    let mut tool = start(["convert", &file, "--rows", "2000", "--format", "json"]);
    let mut first = [0; 1];
    let mut stdout = tool.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = tool.wait_with_output().unwrap();
    assert_eq!(&first, b"{");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn full_disk_is_reported() {
    let said = run(["snap", "-o", "/dev/full", "--", "echo", "x"]).failed(2);
    assert_eq!(
        said,
        "error: could not write `/dev/full`: No space left on device (os error 28)\n"
    );
}
