//! Files that ask for much memory: refused with exit code 2 where there is little, instead of a fall.

use super::recordings::CAST;
use crate::harness::cli::{Folder, run_within};

/// More than drawing takes, and far less than these files ask for: 10,000 by 10,000 cells alone are 800 MB of pixels.
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
        let said = run_within(MEBIBYTES, words).failed(2);
        assert!(said.contains(why), "{words:?}: {said}");
    }
    assert_eq!(folder.names(), [name]);
}

#[test]
fn the_tool_works_with_that_much() {
    let folder = Folder::new();
    let file = folder.file("x.cast", CAST);
    let out = folder.join("x.gif");
    assert_eq!(
        run_within(MEBIBYTES, ["render", &file, "-o", &out]).noted(),
        ""
    );
}

#[test]
fn a_screen_of_ten_thousand_by_ten_thousand() {
    let json = r#"{"size": [10000, 10000], "cursor": {"x": 0, "y": 0, "visible": true}}"#;
    check("x.json", json, "`10000` columns: a screen has 2 to 2000");
    let mut vt2 = b"VT\x02\0".to_vec();
    vt2.extend(10_000_u32.to_le_bytes().repeat(2));
    vt2.extend([0; 20]);
    check("x.vt2", vt2, "`10000` columns at 4");
    let cast = r#"{"version": 2, "width": 10000, "height": 10000}"#;
    check("x.cast", cast, "`10000` columns: a screen has 2 to 2000");
    let cast = CAST.replace("[5.0, \"m\", \"end\"]", "[5.0, \"r\", \"10000x10000\"]");
    check("y.cast", cast, "a screen has 2 to 2000");
}

#[test]
fn a_recording_of_too_many_events() {
    let header = r#"{"version": 3, "term": {"cols": 20, "rows": 4}}"#;
    let events = "[0,\"o\",\"x\"]\n".repeat((4 << 20) + 1);
    check("x.cast", format!("{header}\n{events}"), "events");
}

#[test]
fn a_recording_that_is_larger_than_what_is_read() {
    let folder = Folder::new();
    let file = folder.file("x.cast", CAST);
    // A hole takes no room on the disk.
    let hole = std::fs::File::options().write(true).open(&file).unwrap();
    hole.set_len(1 << 30).unwrap();
    let said = run_within(MEBIBYTES, ["render", &file]).failed(2);
    assert!(said.starts_with("error: "), "{said}");
    assert_eq!(folder.names(), ["x.cast"]);
}

#[test]
fn a_film_whose_screens_take_too_much() {
    // Small letters, so that it is not the pixels that are too many. Each frame fills every row with another letter, which
    // the terminal repeats (REP), and so shares no row with the frame before.
    let mut cast = r#"{"version": 2, "width": 1000, "height": 1000}"#.to_owned() + "\n";
    for (second, letter) in ('a'..='z').cycle().take(120).enumerate() {
        let row = format!(r"{letter}\u001b[999b");
        cast += &format!("[{second}, \"o\", \"\\u001b[H{}\"]\n", row.repeat(1000));
    }
    let folder = Folder::new();
    let file = folder.file("x.cast", cast);
    // The screens of a film may take 1 GiB.
    let said = run_within(2048, ["render", &file, "--font-size", "4"]).failed(2);
    assert_eq!(said, "error: the screens take more than 1024 MiB\n");
    assert_eq!(folder.names(), ["x.cast"]);
}
