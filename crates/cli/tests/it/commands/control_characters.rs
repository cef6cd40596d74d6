//! Control characters in files, names and arguments do not reach the terminal.
//!
//! The tests run the tool in a terminal and check the recorded bytes, because a screen does not
//! show which escape sequences it received.

use std::fs;
use std::path::Path;

use regex::Regex;
use screentest::core::formats::cassette::manifest::FileEntry;
use screentest::core::formats::cassette::{Digest, Manifest};

use crate::harness::cli::{Folder, TOOL, command_in, run};
use crate::shell::sandbox::SandboxHome;

/// A title, a colour, erasing, C1 controls, DEL and reversed text.
const ATTACK: &str = "a\x1b]0;OWNED\x07\x1b[31m\x1b[2J\u{9b}5n\x7f\u{202e}b";

/// Runs the tool in a terminal, in a folder. Returns all that it wrote there.
fn terminal_output(folder: &Folder, words: &[&str]) -> String {
    let place = Folder::new();
    let (cassette, cwd) = (place.join("x.cassette"), folder.join(""));
    let mut record = vec!["record", "--cols", "400", "-o", &cassette, "--cwd", &cwd];
    record.extend(["--env", "CI", "--", TOOL]);
    let recorded = run(record.iter().chain(words));
    assert_eq!(recorded.code, Some(0), "{}", recorded.stderr);
    String::from_utf8(place.read("x.cassette/output.raw")).unwrap()
}

/// Checks that the output contains this text, and no control characters except line ends, styles
/// and the sequences of progress bars.
#[track_caller]
fn check(output: &str, shown: &str) {
    let own = Regex::new(r"\x1b\[[0-9;]*[ADKm]|\r").unwrap();
    let plain = own.replace_all(output, "");
    let foreign = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!plain.contains(foreign), "{plain:?}");
    assert!(plain.contains(shown), "{plain:?}");
    // The removed styles are the tool's own. The attack's style has lost its ESC and is text.
    if plain.contains("OWNED") {
        assert!(plain.contains("[31m"), "{plain:?}");
    }
}

/// Records two lines.
fn cassette(folder: &Folder, name: &str) -> String {
    let path = folder.join(name);
    let words = ["record", "-o", &path, "--cols", "20", "--rows", "4", "--"];
    let run = run(words.into_iter().chain(["printf", r"one\r\ntwo"]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    path
}

/// Changes a file of a cassette and updates its digest in the manifest.
fn forge(cassette: &str, name: &str, change: impl Fn(&str) -> String) {
    let folder = Path::new(cassette);
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed);
    fs::write(folder.join(name), &changed).unwrap();
    let mut manifest = Manifest::parse(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let entry = FileEntry {
        bytes: changed.len() as u64,
        sha256: Digest::of(changed.as_bytes()),
    };
    manifest.files.insert(name.to_owned(), entry);
    fs::write(folder.join("manifest.json"), manifest.to_file()).unwrap();
}

/// The commands that read a cassette, with options that make them read everything.
fn cassette_commands(path: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["cassette", "verify", path],
        vec!["cassette", "verify", "--any-emulator", path],
        vec!["cassette", "inspect", "--any-emulator", path],
        vec![
            "cassette",
            "check",
            "--new",
            "--assertions",
            "new.toml",
            path,
        ],
        vec!["cassette", "cut", "-o", "cut.cassette", path],
        vec!["cassette", "scrub", "-o", "scrubbed.cassette", path],
        vec!["cassette", "compare-backends", path],
        vec!["render-text", path],
        vec!["convert", "--any-emulator", path],
        vec!["convert", "--any-emulator", "--format", "sketch", path],
    ]
}

#[test]
fn emulator_name_with_control_characters_is_refused() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    let place = Path::new(&path).join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&place).unwrap()).unwrap();
    manifest.terminal.emulator.name = ATTACK.to_owned();
    fs::write(place, manifest.to_file()).unwrap();
    for words in cassette_commands("x.cassette") {
        let shown = "`terminal.emulator.name` contains the control character `\\u{1b}`";
        check(&terminal_output(&folder, &words), shown);
    }
}

#[test]
fn rows_with_control_characters_are_refused() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    let attack = serde_json::to_string(ATTACK).unwrap();
    forge(&path, "frames.jsonl", |text| {
        text.replace("\"two\"", &attack)
    });
    for words in cassette_commands("x.cassette") {
        let output = terminal_output(&folder, &words);
        // Some of these commands do not read the rows, but derive the screens from the output.
        check(&output, "");
        if matches!(words[..], ["cassette", "verify" | "cut", ..]) {
            check(&output, "a row contains the control character `\\u{1b}`");
        }
    }
}

/// The frames of a cassette are read while they are shown, so the error occurs during the replay.
#[test]
fn unreadable_frame_is_not_an_internal_error() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    let attack = serde_json::to_string(ATTACK).unwrap();
    forge(&path, "frames.jsonl", |text| {
        text.replace("\"two\"", &attack)
    });
    let script = "\"$0\" replay --speed as-fast-as-possible x.cassette; echo \"code $?\"";
    let place = Folder::new();
    let (cassette, cwd) = (place.join("x.cassette"), folder.join(""));
    let record = ["record", "-o", &cassette, "--cwd", &cwd, "--"];
    let shell = ["sh", "-c", script, TOOL];
    assert_eq!(run(record.into_iter().chain(shell)).code, Some(0));
    let output = String::from_utf8(place.read("x.cassette/output.raw")).unwrap();
    assert!(output.ends_with("code 2\r\n"), "{output:?}");
}

#[test]
fn titles_are_shown_without_control_characters() {
    let folder = Folder::new();
    let path = cassette(&folder, "x.cassette");
    let attack = serde_json::to_string(ATTACK).unwrap();
    forge(&path, "frames.jsonl", |text| {
        text.replacen(
            "{\"key\":true,",
            &format!("{{\"key\":true,\"title\":{attack},"),
            1,
        )
    });
    for words in cassette_commands("x.cassette") {
        check(&terminal_output(&folder, &words), "");
    }
    let verified = terminal_output(&folder, &["cassette", "verify", "x.cassette"]);
    check(&verified, "OWNED");
}

#[test]
fn errors_quote_arguments_without_control_characters() {
    let folder = Folder::new();
    let json = r#"{"size": "\u009b31m"}"#;
    folder.file("x.json", json);
    let attack = ATTACK.to_owned() + ".json";
    let option = format!("--{ATTACK}");
    for words in [
        &["convert", &attack][..],
        &["convert", "--format", ATTACK, "x.json"],
        &["convert", "--cols", ATTACK, "x.json"],
        &["convert", &option, "x.json"],
        &["convert", "x.json", &attack],
        &[ATTACK],
        &["render", "--theme", ATTACK, "x.json"],
        &["snap", "--key", ATTACK, "--", "true"],
        &["snap", "--", ATTACK],
        &["snap", ATTACK],
        &["cassette", "verify", ATTACK],
        &["run", "--reporter", ATTACK],
        &["run", ATTACK],
        &["validate", ATTACK],
        &["themes", ATTACK],
    ] {
        check(&terminal_output(&folder, words), "OWNED");
    }
    check(
        &terminal_output(&folder, &["convert", "x.json"]),
        "`size` is `",
    );
}

#[test]
fn names_of_tapes_are_listed_without_control_characters() {
    let folder = Folder::new();
    let name = ATTACK.to_owned() + ".tape";
    folder.file(&name, "Launch  cat\nType a\nWait@0.1s /nothing/\n");
    for words in [
        &["run", "--list", &name][..],
        &["fmt", "--check", &name],
        &["validate", &name],
        &["run", "--fast", &name],
        &["run", "--fast", "--reporter", "github", &name],
        &["run", "--fast", "--reporter", "json", &name],
        &["fmt", &name],
    ] {
        check(&terminal_output(&folder, words), "");
    }
    check(
        &terminal_output(&folder, &["run", "--list", &name]),
        "OWNED",
    );
    // A pipe receives the exact name.
    let listed = command_in(folder.path(), TOOL, ["run", "--list", &name]);
    assert_eq!(listed, format!("{name}\n"));
}

#[test]
fn data_in_a_pipe_is_exact() {
    let folder = Folder::new();
    let output = folder.file("x.raw", "\x1b]2;a\u{9b}b\x07text");
    let words = ["convert", "--from", "ansi", "--format", "json", &output];
    let json = run(words).text();
    assert!(json.contains("\"title\": \"a\u{9b}b\""), "{json}");
    let shown = terminal_output(&folder, &words);
    check(&shown, "\"title\": \"a\u{fffd}b\"");
}

#[test]
fn commands_of_sessions_are_listed_without_control_characters() {
    let home = SandboxHome::new();
    let script = format!("sleep 100 # {ATTACK}\n");
    let open = ["open", "--name", "x", "--", "sh", "-c", &script];
    assert_eq!(home.run(&open).text(), "x\n");
    let listed = home.run(&["sessions"]).text();
    check(&listed, "OWNED");
    assert_eq!(listed.lines().count(), 1, "{listed}");
    home.done(&["close"]);
}
