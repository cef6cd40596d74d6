//! `render-text`: the text of a screen.

use super::output_paths::save_screen;
use super::recordings::CAST;
use crate::harness::cli::{Folder, run, run_with};

#[test]
fn screen_is_printed_as_rows() {
    let folder = Folder::new();
    for name in ["x.ansi.txt", "x.json", "x.vt2"] {
        let file = save_screen(&folder, name);
        assert_eq!(
            run(["render-text", &file]).text(),
            "red blue\nend\n",
            "{name}"
        );
    }
}

#[test]
fn size_of_ansi_can_be_given() {
    let folder = Folder::new();
    let file = folder.file("x.ansi.txt", "abcdefgh\nlast");
    folder.file("x.meta.json", r#"{"cols":6,"rows":4}"#);
    assert_eq!(run(["render-text", &file]).text(), "abcdef\ngh\nlast\n");
    let words = ["render-text", &file, "--cols", "4", "--rows", "2"];
    assert_eq!(run(words).text(), "efgh\nlast\n");
}

#[test]
fn recording_is_its_last_screen_or_the_screen_at_a_time() {
    let cast = CAST.as_bytes();
    assert_eq!(
        run_with(["render-text", "-"], cast).text(),
        "one\ntwo\nthree\n"
    );
    let words = ["render-text", "-", "--at", "1.2"];
    assert_eq!(run_with(words, cast).text(), "one\ntwo\n");
}

#[test]
fn empty_file_needs_a_format_or_metadata() {
    let folder = Folder::new();
    let file = folder.file("x.ansi.txt", "");
    assert_eq!(
        folder.masked(&run(["render-text", &file]).failed(2)),
        "error: `FOLDER/x.ansi.txt` is empty\nhint: `--from ansi` reads it as a blank screen\n"
    );
    folder.file("x.meta.json", r#"{"cols":6,"rows":4}"#);
    assert_eq!(run(["render-text", &file]).text(), "");
}
