//! `render-text`: what a kept screen says.

use super::output_paths::keep;
use super::recordings::CAST;
use crate::harness::cli::{Folder, run, run_with};

#[test]
fn a_screen_is_its_rows() {
    let folder = Folder::new();
    for name in ["x.ansi.txt", "x.json", "x.vt2"] {
        let file = keep(&folder, name);
        assert_eq!(
            run(["render-text", &file]).text(),
            "red blue\nend\n",
            "{name}"
        );
    }
}

#[test]
fn the_size_of_ansi_can_be_given() {
    let folder = Folder::new();
    let file = folder.file("x.ansi.txt", "abcdefgh\nlast");
    folder.file("x.meta.json", r#"{"cols":6,"rows":4}"#);
    assert_eq!(run(["render-text", &file]).text(), "abcdef\ngh\nlast\n");
    let words = ["render-text", &file, "--cols", "4", "--rows", "2"];
    assert_eq!(run(words).text(), "efgh\nlast\n");
}

#[test]
fn a_recording_is_its_last_screen_or_that_of_a_moment() {
    let cast = CAST.as_bytes();
    assert_eq!(
        run_with(["render-text", "-"], cast).text(),
        "one\ntwo\nthree\n"
    );
    let words = ["render-text", "-", "--at", "1.2"];
    assert_eq!(run_with(words, cast).text(), "one\ntwo\n");
}

#[test]
fn an_empty_file_says_nothing() {
    let folder = Folder::new();
    let file = folder.file("x.ansi.txt", "");
    assert_eq!(
        folder.masked(&run(["render-text", &file]).failed(2)),
        "error: `FOLDER/x.ansi.txt` is empty\nhint: `--from ansi` reads it as a blank screen\n"
    );
    folder.file("x.meta.json", r#"{"cols":6,"rows":4}"#);
    assert_eq!(run(["render-text", &file]).text(), "");
}
