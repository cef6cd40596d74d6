//! Modified cassettes and existing files at the output path: no symlink is followed, no file is
//! lost, and modified frames are not shown.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use screentest::core::formats::cassette::manifest::FileEntry;
use screentest::core::formats::cassette::{Digest, Manifest};

use crate::harness::cli::{Folder, run};

/// Records two lines.
fn cassette(folder: &Folder, name: &str) -> String {
    let path = folder.join(name);
    let words = ["record", "-o", &path, "--cols", "20", "--rows", "4", "--"];
    let script = r"printf 'one\r\ntwo'; exit 3";
    let run = run(words.into_iter().chain(["sh", "-c", script]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    path
}

/// Changes a file of a cassette.
fn change(cassette: &str, name: &str, change: impl Fn(&str) -> String) {
    let path = Path::new(cassette).join(name);
    let text = fs::read_to_string(&path).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed);
    fs::write(path, changed).unwrap();
}

/// Changes a file of a cassette and updates its digest in the manifest.
fn forge(cassette: &str, name: &str, to: impl Fn(&str) -> String) {
    change(cassette, name, to);
    let place = Path::new(cassette).join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&place).unwrap()).unwrap();
    let bytes = fs::read(Path::new(cassette).join(name)).unwrap();
    let facts = FileEntry {
        bytes: bytes.len() as u64,
        sha256: Digest::of(&bytes),
    };
    manifest.files.insert(name.to_owned(), facts);
    fs::write(place, manifest.to_file()).unwrap();
}

#[test]
fn force_replaces_only_a_cassette() {
    let folder = Folder::new();
    let started = folder.join("started");
    let refused = |path: &str| {
        let words = ["record", "--force", "-o", path, "--", "touch", &started];
        folder.masked(&run(words).failed(2))
    };
    let work = folder.join("work.cassette");
    fs::create_dir(&work).unwrap();
    let thesis = Path::new(&work).join("thesis.txt");
    fs::write(&thesis, "years").unwrap();
    assert_eq!(
        refused(&work),
        "error: `FOLDER/work.cassette` was not replaced, because it is not only a cassette: choose another name or remove it yourself: \
         `FOLDER/work.cassette/thesis.txt` does not belong in a cassette; check the path, or move the file\n"
    );
    assert_eq!(fs::read(&thesis).unwrap(), b"years");
    let file = folder.file("file.cassette", "a file");
    let said = refused(&file);
    assert!(
        said.contains("is not a cassette: not a directory"),
        "{said}"
    );
    assert_eq!(fs::read(&file).unwrap(), b"a file");
    let empty = folder.join("empty.cassette");
    fs::create_dir(&empty).unwrap();
    let said = refused(&empty);
    assert!(said.contains("has no manifest"), "{said}");
    // A cassette with an additional file is not replaced.
    let more = cassette(&folder, "more.cassette");
    fs::write(Path::new(&more).join("notes.txt"), "mine").unwrap();
    let said = refused(&more);
    assert!(said.contains("notes.txt"), "{said}");
    // A symlink to a cassette is refused too.
    let real = cassette(&folder, "real.cassette");
    let link = folder.join("link.cassette");
    symlink(&real, &link).unwrap();
    let said = refused(&link);
    assert!(said.contains("is a link"), "{said}");
    assert!(!Path::new(&started).exists());
    let words = ["record", "--force", "-o", &real, "--", "touch", &started];
    assert_eq!(run(words).code, Some(0));
    assert!(Path::new(&started).exists());
    run(["cassette", "verify", &real]).done();
}

#[test]
fn forged_last_screen_is_detected() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    forge(&path, "final.json", |text| text.replace("two", "TWO"));
    let said = run(["cassette", "verify", &path]).failed(1);
    assert!(
        said.contains("the last screen, in `final.json`, is not what `screentest-vt"),
        "{said}"
    );
    assert!(said.contains("- TWO\n"), "{said}");
    let path = cassette(&folder, "y.cassette");
    let end = fs::read_to_string(Path::new(&path).join("final.json")).unwrap();
    let end: serde_json::Value = serde_json::from_str(&end).unwrap();
    let seq = format!("\"seq\": {}", end["seq"]);
    forge(&path, "final.json", |text| {
        text.replacen(&seq, "\"seq\": 1", 1)
    });
    let said = run(["cassette", "verify", &path]).failed(2);
    assert!(said.contains("`final.json`, line 1: `seq` 1 at "), "{said}");
}

#[test]
fn assertions_are_not_created_from_a_damaged_cassette() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    let json = folder.join("x.assertions.json");
    let said = run(["cassette", "check", &path, "--new", "--assertions", &json]).failed(2);
    assert_eq!(
        folder.masked(&said),
        "error: `--new` writes TOML, and the extension of `FOLDER/x.assertions.json` means JSON\n\
         hint: `--assertions FOLDER/x.assertions.toml`\n"
    );
    change(&path, "frames.jsonl", |text| text.replace("two", "TWO"));
    let said = run(["cassette", "check", &path, "--new"]).failed(2);
    assert!(said.contains("frames.jsonl` was changed"), "{said}");
    assert_eq!(folder.names(), ["x.cassette"]);
}

#[test]
fn damaged_cassette_is_not_a_backend_difference() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    let words = ["cassette", "compare-backends", &path, "--with"];
    let with = |name| run(words.into_iter().chain([name]));
    let said = with("vt").text();
    assert!(said.ends_with(" shows the same screens\n"), "{said}");
    change(&path, "frames.jsonl", |text| text.replace("two", "TWO"));
    let said = with("vt").failed(2);
    assert!(said.contains("frames.jsonl` was changed"), "{said}");
    // Differences outside the cells are named.
    let path = cassette(&folder, "y.cassette");
    forge(&path, "frames.jsonl", |text| {
        text.replacen("{\"key\":true,", "{\"key\":true,\"scrollback_rows\":7,", 1)
    });
    let words = ["cassette", "compare-backends", &path, "--with", "vt"];
    let checked = run(words);
    assert_eq!(checked.code, Some(1), "{}", checked.stderr);
    let said = String::from_utf8(checked.stdout).unwrap();
    assert!(said.contains("rows scrolled out: 7, now 0\n"), "{said}");
}

#[test]
fn changed_frames_are_not_shown() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    change(&path, "frames.jsonl", |text| text.replace("two", "TWO"));
    for words in [
        vec!["cassette", "inspect", &path, "--at", "0"],
        vec!["replay", "--speed", "as-fast-as-possible", &path],
    ] {
        let said = run(words).failed(2);
        assert!(said.contains("frames.jsonl` was changed"), "{said}");
    }
}

#[test]
fn control_characters_of_a_manifest_are_replaced() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let words = ["record", "-o", &path, "--", "true", "\x1b]0;owned\x07"];
    assert_eq!(run(words).code, Some(0));
    let said = run(["cassette", "inspect", &path]).text();
    assert!(said.contains("true \u{fffd}]0;owned\u{fffd}\n"), "{said:?}");
}

#[test]
fn unknown_file_in_a_cassette_is_rejected() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    fs::write(Path::new(&path).join("extra.txt"), "").unwrap();
    let said = run(["cassette", "verify", &path]).failed(2);
    assert!(
        said.contains("x.cassette/extra.txt` does not belong in a cassette"),
        "{said}"
    );
}

#[test]
fn verify_checks_all_paths() {
    let folder = Folder::new();
    let (nope, also) = (folder.join("nope"), folder.join("also"));
    let path = cassette(&folder, "x.cassette");
    let run = run(["cassette", "verify", &nope, &path, &also]);
    assert_eq!(run.code, Some(2));
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(said.contains("x.cassette: complete"), "{said}");
    assert_eq!(
        folder.masked(&run.stderr),
        "error: `FOLDER/nope` is not a cassette: there is no such directory\n\
         error: `FOLDER/also` is not a cassette: there is no such directory\n"
    );
}

#[test]
fn time_after_the_end_is_rejected() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    // The printed duration is a valid time.
    let facts = run(["cassette", "inspect", &path]).text();
    let length = facts
        .lines()
        .find_map(|line| line.trim().strip_prefix("duration"));
    let length = length.unwrap().trim().trim_end_matches(" s");
    run(["cassette", "inspect", &path, "--at", length]).text();
    let part = folder.join("part.cassette");
    run(["cassette", "cut", &path, "--to", length, "-o", &part]).noted();
    let said = run(["cassette", "inspect", &path, "--at", "99"]).failed(2);
    assert!(said.contains("`--at 99s` is after the end of "), "{said}");
}

#[test]
fn inputs_with_decreasing_offsets_do_not_panic() {
    let folder = Folder::new();
    let cast = [
        r#"{"version":2,"width":20,"height":4}"#,
        r#"[0.1,"o","one"]"#,
        r#"[0.2,"i","x"]"#,
        r#"[0.3,"o","two"]"#,
        r#"[0.4,"o","three"]"#,
    ];
    let cast = folder.file("x.cast", cast.join("\n"));
    let path = folder.join("x.cassette");
    run(["convert", &cast, "-o", &path]).done();
    forge(&path, "input.jsonl", |typed| {
        let (_, bytes) = typed.split_once("\"kind\"").unwrap();
        let line =
            |at: u64, rest: &str| format!("{{\"seq\":1,\"t_ms\":0,\"at\":{at},\"kind\"{rest}");
        let reply = ":\"reply\",\"bytes\":\"y\"}\n";
        line(9, bytes) + &line(0, reply) + &line(0, reply) + &line(0, reply)
    });
    let words = ["replay", "--show-input", "--speed", "as-fast-as-possible"];
    let shown = run(words.into_iter().chain([path.as_str()]));
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
}
