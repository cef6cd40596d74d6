//! Files that would need much memory are rejected with exit code 2 instead of a crash.

use super::recordings::CAST;
use crate::harness::cli::{Folder, run_with_memory_limit};

/// More than rendering needs, and less than these files need: 10,000 by 10,000 cells of eight bytes
/// alone are 800 MB.
const MEBIBYTES: usize = 600;

#[track_caller]
fn check(name: &str, bytes: impl AsRef<[u8]>, why: &str) {
    let folder = Folder::new();
    let file = folder.file(name, bytes);
    for words in [
        &["render", &file][..],
        &["convert", &file],
        &["render-text", &file],
    ] {
        let said = run_with_memory_limit(MEBIBYTES, words).failed(2);
        assert!(said.contains(why), "{words:?}: {said}");
    }
    assert_eq!(folder.names(), [name]);
}

#[test]
fn memory_limit_is_sufficient_for_rendering() {
    let folder = Folder::new();
    let file = folder.file("x.cast", CAST);
    let out = folder.join("x.gif");
    assert_eq!(
        run_with_memory_limit(MEBIBYTES, ["render", &file, "-o", &out]).noted(),
        ""
    );
}

#[test]
fn screen_of_10000_by_10000_is_rejected() {
    let json = r#"{"size": [10000, 10000], "cursor": {"x": 0, "y": 0, "visible": true}}"#;
    check("x.json", json, "`10000` columns: a screen has 2 to 2000");
    let mut vt2 = b"VT\x02\0".to_vec();
    vt2.extend(10_000_u32.to_le_bytes().repeat(2));
    vt2.extend([0; 20]);
    check(
        "x.vt2",
        vt2,
        "`10000` columns and `10000` rows exceed the limit",
    );
    let cast = r#"{"version": 2, "width": 10000, "height": 10000}"#;
    check("x.cast", cast, "`10000` columns: a screen has 2 to 2000");
    let cast = CAST.replace("[5.0, \"m\", \"end\"]", "[5.0, \"r\", \"10000x10000\"]");
    check("y.cast", cast, "a screen has 2 to 2000");
}

#[test]
fn recording_with_too_many_events_is_rejected() {
    let header = r#"{"version": 3, "term": {"cols": 20, "rows": 4}}"#;
    let events = "[0,\"o\",\"x\"]\n".repeat((4 << 20) + 1);
    check("x.cast", format!("{header}\n{events}"), "events");
}

#[test]
fn too_large_recording_is_rejected() {
    let folder = Folder::new();
    let file = folder.file("x.cast", CAST);
    // A sparse file takes no disk space.
    let hole = std::fs::File::options().write(true).open(&file).unwrap();
    hole.set_len(1 << 30).unwrap();
    let said = run_with_memory_limit(MEBIBYTES, ["render", &file]).failed(2);
    assert!(said.starts_with("error: "), "{said}");
    assert_eq!(folder.names(), ["x.cast"]);
}

#[test]
fn recording_with_too_large_screens_is_rejected() {
    // A small font keeps the number of pixels below its limit. Each frame fills all rows with
    // another letter (REP), so it shares no row with the previous frame.
    let mut cast = r#"{"version": 2, "width": 1000, "height": 1000}"#.to_owned() + "\n";
    for (second, letter) in ('a'..='z').cycle().take(120).enumerate() {
        let row = format!(r"{letter}\u001b[999b");
        cast += &format!("[{second}, \"o\", \"\\u001b[H{}\"]\n", row.repeat(1000));
    }
    let folder = Folder::new();
    let file = folder.file("x.cast", cast);
    // The screens of a recording are limited to 1 GiB.
    let said = run_with_memory_limit(2048, ["render", &file, "--font-size", "4"]).failed(2);
    assert_eq!(said, "error: the screens take more than 1024 MiB\n");
    assert_eq!(folder.names(), ["x.cast"]);
}
