//! Files that are not screens: one clear error, exit code 2, nothing written.

use crate::harness::cli::{Folder, run, run_with};

const UNDERSTOOD: &str = "hint: known formats are State JSON, VT2 (begins with `VT`), asciicasts, cassettes and ANSI text; `--from ansi` reads any bytes as a program's output\n";

/// Converts a file with these bytes, and checks the error, in which `NAME` is the file.
#[track_caller]
fn check(name: &str, bytes: &[u8], said: &str) {
    let folder = Folder::new();
    let file = folder.file(name, bytes);
    let out = folder.join("out.txt");
    let found = folder.masked(&run(["convert", &file, "-o", &out]).failed(2));
    assert_eq!(
        found,
        format!(
            "error: {}\n{UNDERSTOOD}",
            said.replace("NAME", &format!("`FOLDER/{name}`"))
        )
    );
    assert_eq!(folder.names(), [name]);
}

#[track_caller]
fn check_stdin(bytes: &[u8], said: &str) {
    let found = run_with(["convert", "-"], bytes).failed(2);
    assert_eq!(
        found,
        format!("error: {}\n{UNDERSTOOD}", said.replace("NAME", "stdin"))
    );
}

#[test]
fn empty_file_is_rejected() {
    let hint = "hint: `--from ansi` reads it as a blank screen\n";
    assert_eq!(
        run(["convert", "-"]).failed(2),
        format!("error: stdin is empty\n{hint}")
    );
    assert_eq!(
        run(["convert", "/dev/null"]).failed(2),
        format!("error: `/dev/null` is empty\n{hint}")
    );
    check(
        "empty.json",
        b"",
        "NAME is not State JSON: the text is not JSON: EOF while parsing a value at line 1 column 0",
    );
    check(
        "empty.vt2",
        b"",
        "NAME is not a VT2 snapshot: unexpected end at offset 0: at least `2` more bytes are needed",
    );
}

#[test]
fn random_bytes_are_rejected() {
    // A fixed linear congruential generator, so that failures are reproducible.
    let mut seed = 1_u32;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    })
    .take(500)
    .collect();
    let said = "the format of NAME is not known: the byte `0x00` at NUL is not text";
    let nul = bytes.iter().position(|byte| *byte == 0).unwrap();
    let said = said.replace("NUL", &nul.to_string());
    check("noise", &bytes, &said);
    check("noise.ansi.txt", &bytes, &said);
    check_stdin(&bytes, &said);
    check_stdin(
        b"caf\xe9 au lait",
        "the format of NAME is not known: the byte `0xe9` at 3 is not UTF-8",
    );
}

#[test]
fn truncated_vt2_is_rejected_at_each_length() {
    let whole = run(["snap", "--format", "vt2", "--", "echo", "hi"]).done();
    assert_eq!(run_with(["convert", "-"], &whole).text(), "hi\n");
    for length in 2..whole.len() {
        let said = run_with(["convert", "-"], &whole[..length]).failed(2);
        let start = "error: stdin is not a VT2 snapshot: unexpected end at offset ";
        assert!(said.starts_with(start), "{length}: {said}");
        assert!(said.ends_with(UNDERSTOOD), "{length}: {said}");
    }
}

#[test]
fn vt2_of_another_version_or_size_is_rejected() {
    check_stdin(
        b"VT\x01\0",
        "NAME is not a VT2 snapshot: unsupported version `1` (expected `2`)",
    );
    let mut huge = b"VT\x02\0".to_vec();
    huge.extend([0xff; 24]);
    check_stdin(
        &huge,
        "NAME is not a VT2 snapshot: `4294967295` columns and `4294967295` rows exceed the limit of 2000 columns, \
         131072 rows or 16777216 cells",
    );
}

#[test]
fn malformed_json_is_rejected() {
    check(
        "x.json",
        b"{\"size\": [80,",
        "NAME is not State JSON: the text is not JSON: EOF while parsing a value at line 1 column 13",
    );
    check_stdin(
        b"{\"size\": [80, 24], \"cursor\": {",
        "NAME is not State JSON: the text is not JSON: EOF while parsing an object at line 1 column 30",
    );
}

#[test]
fn json_that_is_not_a_state_is_rejected() {
    check("x.json", b"{}", "NAME is not State JSON: `size` is missing");
    check(
        "x.json",
        b"[1, 2]",
        "NAME is not State JSON: `the document` is `[…]`, not an object",
    );
    check_stdin(
        b"{\"size\": [0, 0], \"cursor\": 1}",
        "NAME is not State JSON: invalid `size`: `0` columns: a screen has 2 to 2000",
    );
}

#[test]
fn metadata_without_a_size_is_rejected() {
    let folder = Folder::new();
    let file = folder.file("x.ansi.txt", "text");
    folder.file("x.meta.json", "{\"cols\": 5}");
    assert_eq!(
        folder.masked(&run(["convert", &file]).failed(2)),
        format!(
            "error: `FOLDER/x.meta.json` contains no valid size: not an object with `cols` and `rows`: missing field \
             `rows` at line 1 column 11\n"
        )
    );
}

#[test]
fn directory_is_rejected() {
    let folder = Folder::new();
    assert_eq!(
        folder.masked(&run(["convert", folder.path().to_str().unwrap()]).failed(2)),
        "error: `FOLDER` is a directory\n"
    );
}

#[test]
fn missing_file_is_rejected() {
    let folder = Folder::new();
    assert_eq!(
        folder.masked(&run(["convert", &folder.join("lost.json")]).failed(2)),
        "error: could not read `FOLDER/lost.json`: No such file or directory (os error 2)\n"
    );
}

#[test]
fn endless_file_is_rejected() {
    assert_eq!(
        run(["convert", "/dev/zero"]).failed(2),
        "error: `/dev/zero` is larger than the limit of 1048576 bytes\n"
    );
}

#[test]
fn invalid_screen_size_is_rejected() {
    assert_eq!(
        run_with(["convert", "-", "--cols", "1"], b"x").failed(2),
        "error: invalid value '1' for '--cols <N>': a screen has 2 to 2000 columns\n\nFor more information, try '--help'.\n"
    );
}
