//! Recovery after a recorder was killed: it follows no symlink and publishes no secret.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::harness::cli::{Folder, assert_absent, run, run_with_env, start_with_env, wait_until};

/// Kills a recorder after the script has printed `ready`, and returns the partial recording.
fn killed_recording(
    folder: &Folder,
    script: &str,
    options: &[&str],
    variables: &[(&str, &str)],
) -> String {
    let (path, part) = (folder.join("x.cassette"), folder.join("x.cassette.part"));
    let script = format!("{script}; printf ready; cat");
    let words = ["record", "-o", &path].into_iter().chain(options.to_vec());
    let words = words.chain(["--", "sh", "-c", &script]);
    let mut recorder = start_with_env(variables, words);
    wait_until("all output is recorded", || {
        let frames = fs::read_to_string(Path::new(&part).join("frames.jsonl"));
        frames.is_ok_and(|frames| frames.contains("ready") && frames.ends_with('\n'))
    });
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    part
}

#[test]
fn recovery_follows_no_symlink() {
    let folder = Folder::new();
    let part = killed_recording(&folder, "echo hello", &[], &[]);
    let victim = folder.file("victim", "precious");
    for name in [
        "output.raw",
        "output.jsonl",
        "input.jsonl",
        "events.jsonl",
        "frames.jsonl",
        "start.json",
        "final.json",
        "scrub-report.json",
        "manifest.json.new",
        "frames.jsonl.new",
    ] {
        let file = Path::new(&part).join(name);
        let aside = folder.join("aside");
        let there = fs::rename(&file, &aside).is_ok();
        symlink(&victim, &file).unwrap();
        let said = run(["cassette", "recover", &part]).failed(2);
        assert!(
            said.contains(&format!("x.cassette.part/{name}` is a link")),
            "{said}"
        );
        assert_eq!(fs::read(&victim).unwrap(), b"precious", "{name}");
        fs::remove_file(&file).unwrap();
        if there {
            fs::rename(&aside, &file).unwrap();
        }
    }
    // The directory itself must not be a symlink either.
    let link = folder.join("y.cassette.part");
    symlink(&part, &link).unwrap();
    let said = run(["cassette", "recover", &link]).failed(2);
    assert!(said.contains("y.cassette.part` is a link"), "{said}");
    // A missing file is named.
    let aside = folder.join("aside");
    let frames = Path::new(&part).join("frames.jsonl");
    fs::rename(&frames, &aside).unwrap();
    let said = run(["cassette", "recover", &part]).failed(2);
    assert!(said.contains("frames.jsonl` is missing"), "{said}");
    fs::rename(&aside, &frames).unwrap();
    // The rejected attempts have changed nothing.
    run(["cassette", "recover", &part]).done();
    let path = folder.join("x.cassette");
    run(["cassette", "verify", &path]).done();
    assert_eq!(folder.names(), ["victim", "x.cassette", "y.cassette.part"]);
}

#[test]
fn recovery_redacts_a_secret_written_with_cursor_movement() {
    let folder = Folder::new();
    let rest = "p_0123456789abcdefghijklmnopqrstuvwxyz";
    let script = format!("printf '\\033[1;3H{rest}\\033[1;1Hgh\\033[5;1H'");
    let part = killed_recording(&folder, &script, &[], &[]);
    run(["cassette", "recover", &part]).done();
    let path = folder.join("x.cassette");
    run(["cassette", "verify", &path]).done();
    let screen = run(["render-text", &path]).text();
    assert!(screen.contains("ready"), "{screen}");
    let covered = Path::new(&path).join("frames.jsonl");
    assert!(!fs::read_to_string(covered).unwrap().contains("abcdefgh"));
    let last = fs::read_to_string(Path::new(&path).join("final.json")).unwrap();
    assert!(!last.contains("abcdefgh"), "{last}");
    let raw = fs::read_to_string(Path::new(&path).join("output.raw")).unwrap();
    assert!(!raw.contains("abcdefgh"), "{raw}");
    let said = run(["cassette", "inspect", &path]).text();
    assert!(said.contains("1 redacted while recovering"), "{said}");
}

#[test]
fn recovery_needs_the_secrets_of_the_recording() {
    let folder = Folder::new();
    let word = [("WORD", "open sesame")];
    // The second word first, so that the raw output does not contain the secret.
    let script = "printf '\\033[1;6Hsesame\\033[1;1Hopen \\033[5;1H'";
    let part = killed_recording(&folder, script, &["--secret", "WORD"], &word);
    let said = run(["cassette", "recover", &part]).failed(2);
    assert_eq!(
        folder.masked(&said),
        "error: `FOLDER/x.cassette.part` may hold the values of `WORD`, which the recorder redacted: set these variables and name \
         each with `--secret`\n"
    );
    assert_eq!(folder.names(), ["x.cassette.part"]);
    run_with_env(&word, ["cassette", "recover", &part, "--secret", "WORD"]).done();
    let path = folder.join("x.cassette");
    assert_absent(&path, "open sesame");
    run(["cassette", "verify", &path]).done();
    assert_eq!(folder.names(), ["x.cassette"]);
}
