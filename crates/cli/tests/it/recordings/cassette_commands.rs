//! `screentest cassette`: verify, inspect, check, cut, scrub.

use serde_json::Value;

use crate::harness::cli::{Folder, run};

/// Records two lines, the second of which is bold.
fn cassette(folder: &Folder) -> String {
    let path = folder.join("x.cassette");
    let words = ["record", "-o", &path, "--cols", "20", "--rows", "4", "--"];
    let script = r"printf 'one\r\n\033[1mtwo\033[m'; exit 3";
    let run = run(words.into_iter().chain(["sh", "-c", script]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    path
}

#[test]
fn cassette_messages_name_the_path_once_and_use_the_singular() {
    let folder = Folder::new();
    let nope = folder.join("nope");
    let said = run(["cassette", "verify", &nope]).failed(2);
    assert_eq!(
        folder.masked(&said),
        "error: `FOLDER/nope` is not a cassette: there is no such directory\n"
    );
    let path = cassette(&folder);
    // Stdin is typed into the program, and it is empty here.
    let said = run(["cassette", "verify", &path]).text();
    assert!(said.contains(" frames, 0 inputs, 0 events"), "{said}");
    let typed = ["record", "-o", &folder.join("y.cassette"), "--", "sh", "-c"];
    let script = "stty -echo; printf ready; read a";
    let mut child = crate::harness::cli::start(typed.into_iter().chain([script]));
    use std::io::{Read, Write};
    let mut stdout = child.stdout.take().unwrap();
    let mut ready = [0; 5];
    stdout.read_exact(&mut ready).unwrap();
    child.stdin.take().unwrap().write_all(b"x\r").unwrap();
    assert!(child.wait().unwrap().success());
    let said = run(["cassette", "inspect", &folder.join("y.cassette")]).text();
    assert!(said.contains("0 redacted, 1 input withheld\n"), "{said}");
}

#[test]
fn assertions_are_created_checked_and_fail() {
    let folder = Folder::new();
    let path = cassette(&folder);
    let said = run(["cassette", "check", &path]).failed(2);
    assert_eq!(
        folder.masked(&said),
        "error: there is neither `FOLDER/x.assertions.toml` nor `FOLDER/x.assertions.json`\nhint: `--new` writes one\n"
    );
    let said = run(["cassette", "check", &path, "--new"]).noted();
    assert_eq!(
        folder.masked(&said),
        "note: wrote FOLDER/x.assertions.toml\n"
    );
    let said = run(["cassette", "check", &path]).text();
    assert!(said.contains("x.cassette: 1 assertion holds, "), "{said}");
    // A second `--new` would overwrite the user's edits.
    let said = run(["cassette", "check", &path, "--new"]).failed(2);
    assert_eq!(
        folder.masked(&said),
        "error: `FOLDER/x.assertions.toml` exists already\nhint: remove it, or choose another name with `--assertions`\n"
    );

    let begun = String::from_utf8(folder.read("x.assertions.toml")).unwrap();
    let bold = "visible = { type = \"styled\", bold = true, selector = \"two\" }\n";
    let wrong = "\n[[assert]]\nname = \"loud\"\nvisible = \"TWO\"\n";
    folder.file("x.assertions.toml", format!("{begun}{bold}{wrong}"));
    let failed = run(["cassette", "check", &path]);
    assert_eq!(failed.code, Some(1));
    assert_eq!(failed.stderr, "error: 1 of 2 assertions failed\n");
    let said = folder.masked(&String::from_utf8(failed.stdout).unwrap());
    let time = said.split_once("the screen from ").unwrap().1;
    let time = time.split_once(" on").unwrap().0;
    assert_eq!(
        said.replace(time, "…"),
        "FOLDER/x.assertions.toml, line 14 (loud), at the end: not shown: text \"TWO\"\n\
         closest match: \"two\" at row 2, column 1\n\
         the screen from … on (20x4):\n  │ one\n  │ two|\n\n"
    );
    let failed = run(["cassette", "check", &path, "--json"]);
    assert_eq!(failed.code, Some(1));
    let report: Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!(report["assertions"], 2);
    assert_eq!(report["failed"][0]["line"], 14);
    assert_eq!(report["failed"][0]["name"], "loud");
    assert_eq!(report["failed"][0]["screen"], "one\ntwo\n");
}

#[test]
fn assertions_of_another_recording_need_rebinding() {
    let folder = Folder::new();
    let path = cassette(&folder);
    run(["cassette", "check", &path, "--new"]).noted();
    std::fs::remove_dir_all(&path).unwrap();
    let path = cassette(&folder);
    let said = run(["cassette", "check", &path]).failed(2);
    assert!(
        said.contains("x.assertions.toml: the assertions are bound to another cassette, `"),
        "{said}"
    );
    assert!(said.contains("`--bind` binds them"), "{said}");
    let said = run(["cassette", "check", &path, "--bind"]).text();
    assert!(said.contains("1 assertion holds"), "{said}");
    run(["cassette", "check", &path]).text();

    let file = folder.file("y.toml", "format = 1\n");
    let said = run(["cassette", "check", &path, "--assertions", &file]).failed(2);
    assert_eq!(
        folder.masked(&said),
        "error: `FOLDER/y.toml` is not a valid assertions file: line 1: invalid type: integer `1`, expected a string\n"
    );
}

#[test]
fn frames_of_another_emulator_are_rejected_without_an_option() {
    use screentest::core::formats::cassette::Manifest;
    let folder = Folder::new();
    let path = cassette(&folder);
    let place = std::path::Path::new(&path).join("manifest.json");
    let mut manifest = Manifest::parse(&std::fs::read(&place).unwrap()).unwrap();
    manifest.terminal.emulator.version = "0.0.1".to_owned();
    std::fs::write(&place, manifest.to_file()).unwrap();
    let said = run(["cassette", "check", &path, "--new"]).failed(2);
    assert!(said.contains("the frames were derived by `"), "{said}");
    run(["cassette", "check", &path, "--new", "--any-emulator"]).noted();
    for (command, hint) in [
        ("check", "hint: `--any-emulator` checks the stored frames\n"),
        ("verify", "hint: `--any-emulator` prints the differences\n"),
    ] {
        let said = run(["cassette", command, &path]).failed(2);
        assert!(said.contains("the frames were derived by `"), "{said}");
        assert!(said.ends_with(hint), "{said}");
        run(["cassette", command, &path, "--any-emulator"]).done();
    }
    // A rejected cassette does not change the binding.
    let assertions = folder.join("x.assertions.toml");
    let text = std::fs::read_to_string(&assertions).unwrap();
    let other = text.replace(&manifest.id, "ffffffffffffffffffffffffffffffff");
    assert_ne!(other, text);
    std::fs::write(&assertions, &other).unwrap();
    run(["cassette", "check", &path, "--bind"]).failed(2);
    assert_eq!(std::fs::read_to_string(&assertions).unwrap(), other);
}

#[test]
fn cut_part_is_a_valid_cassette() {
    let folder = Folder::new();
    let path = cassette(&folder);
    let part = folder.join("y.cassette");
    let cut = |from: &str, to: &str| {
        let words = ["cassette", "cut", &path, "--from", from, "--to", to];
        run(words.into_iter().chain(["-o", &part]))
    };
    let said = cut("nope", "0").failed(2);
    assert_eq!(
        said,
        "error: the cassette has no mark `nope`; it has none\n"
    );
    let said = cut("0", "3600").failed(2);
    assert!(
        said.contains("3600s is after the end of the cassette"),
        "{said}"
    );
    assert!(cut("-1", "0").failed(2).contains("number of seconds"));
    let said = run(["cassette", "cut", &path, "-o", &part]).noted();
    assert!(said.contains("y.cassette: 0."), "{said}");
    let said = run(["cassette", "verify", &part]).text();
    assert!(said.contains("y.cassette: cut from "), "{said}");
    let said = run(["render-text", &part]).text();
    assert_eq!(said, "one\ntwo\n");
}

#[test]
fn scrub_redacts_secrets_of_an_existing_cassette() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let words = [
        "record",
        "-o",
        &path,
        "--",
        "echo",
        "hunter2-long",
        "acme_12345678",
    ];
    assert_eq!(run(words).code, Some(0));
    let clean = folder.join("y.cassette");
    let scrub = ["cassette", "scrub", &path, "-o", &clean];
    let named = scrub.into_iter().chain(["--secret", "SOME_WORD"]);
    let said = run(named.clone()).failed(2);
    assert!(said.contains("the secret `SOME_WORD` is not set"), "{said}");
    let named = named.chain(["--shape", "acme_"]);
    let run = crate::harness::cli::run_with_env(&[("SOME_WORD", "hunter2-long")], named);
    assert_eq!(
        folder.masked(&run.noted()),
        "note: wrote FOLDER/y.cassette: 2 secrets redacted\n"
    );
    crate::harness::cli::run(["cassette", "verify", &clean]).text();
    let shown = crate::harness::cli::run(["render-text", &clean]).text();
    assert_eq!(shown, "************ acme_********\n");
    let output = crate::harness::cli::run(["cassette", "inspect", &clean]).text();
    assert!(!output.contains("hunter2"), "{output}");
    let said = crate::harness::cli::run(scrub).failed(2);
    assert!(said.contains("exists already"), "{said}");
}
