//! Secrets that a program draws in 90 ways are covered on live screens, in recordings, and in all
//! output of `run` and `snap`.

use std::collections::BTreeSet;

use serde_json::json;

use super::leaks::{assert_none_in_files, leaks, texts};
use super::print_counts;
use super::ways::{SECRETS, drawn};
use crate::harness::cli::{Folder, run_in_with_env};
use crate::server::client::Client;

/// The options that declare the secrets.
const DECLARED: [&str; 6] = [
    "--secret", "LONG", "--secret", "QUOTED", "--secret", "SHORT",
];

/// A program that prints the next file `way-N` after each line of input.
const PROGRAM: &str =
    "stty -echo; printf ready; i=0; while read x; do i=$((i+1)); cat way-$i; done";

/// Writes every way to a file `way-N`, with a mark in the last row.
fn write_ways(folder: &Folder) -> Vec<String> {
    let ways = drawn();
    for (index, way) in ways.iter().enumerate() {
        let number = index + 1;
        let bytes = format!("\x1b[H\x1b[2J\x1b[3J{}\x1b[24;1H-- {number} --", way.bytes);
        std::fs::write(folder.path().join(format!("way-{number}")), bytes).unwrap();
    }
    ways.into_iter().map(|way| way.name).collect()
}

fn is_way(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .unwrap_or_default()
        .starts_with("way-")
}

#[test]
fn drawn_values_are_covered_on_live_screens() {
    let folder = Folder::new();
    let names = write_ways(&folder);
    let mut client = Client::start_in(folder, &DECLARED, &SECRETS);
    client.done(
        "initialize",
        &json!({"terminalCols": 80, "terminalRows": 24, "timeoutSeconds": 60}),
    );
    let ready = json!({"type": "exact", "text": "ready"});
    let params = json!({"command": "sh", "args": ["-c", PROGRAM], "readySelector": ready});
    client.done("launch", &params);
    client.done(
        "recording.start",
        &json!({"path": "live.jsonl", "frameIntervalMs": 1}),
    );
    let mut shown = Vec::new();
    let mut leaking = BTreeSet::new();
    for (index, name) in names.iter().enumerate() {
        let mark = json!({"type": "exact", "text": format!("-- {} --", index + 1)});
        client.done("sendLine", &json!({"text": "", "expectAfter": mark}));
        for (method, params) in [
            ("currentState", json!({"scrollback": 100})),
            ("currentView", json!({})),
            ("scrollback", json!({})),
            ("dumpView", json!({"name": "way"})),
            (
                "waitForText",
                json!({"selector": {"type": "exact", "text": "nowhere"}, "timeoutMs": 0}),
            ),
        ] {
            let answer = texts(&client.ask(method, &params));
            for (_, value) in SECRETS {
                let found = leaks(value, &answer);
                if !found.is_empty() {
                    leaking.insert(name);
                    shown.push(format!("{name}: {method} shows {found:?}:\n{answer}"));
                }
            }
        }
    }
    client.done("recording.stop", &json!({}));
    print_counts("drawn", leaking.len(), names.len());
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    assert!(assert_none_in_files(client.folder.path(), is_way) > 2);
}

#[test]
fn drawn_values_are_covered_in_recordings() {
    let folder = Folder::new();
    let names = write_ways(&folder);
    let script = format!(
        "for i in $(seq {}); do cat way-$i; sleep 0.01; done",
        names.len()
    );
    let words = [
        &["record", "-o", "x.cassette"][..],
        &DECLARED,
        &["--", "sh", "-c", &script],
    ];
    let run = run_in_with_env(&folder, &SECRETS, &words.concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run_in_with_env(
        &folder,
        &SECRETS,
        &["convert", "x.cassette", "-o", "x.cast"],
    )
    .text();
    run_in_with_env(&folder, &SECRETS, &["cassette", "verify", "x.cassette"]).text();
    assert!(assert_none_in_files(folder.path(), is_way) > 7);
}

#[test]
fn drawn_values_are_covered_by_run() {
    let folder = Folder::new();
    let names = write_ways(&folder);
    let mut tape = String::from(
        "Output out.txt\nOutput out.json\nOutput out.svg\nOutput out.cassette\nOutput out.cast\nSet Shell bash\nSet Width 1200\nSet Height 800\n",
    );
    tape.push_str(&format!(
        "Type `{}`\nEnter\nWait+Screen /ready/\n",
        PROGRAM.replace("printf ready", "printf %s rea dy")
    ));
    for number in 1..=names.len() {
        tape.push_str(&format!(
            "Enter\nWait+Screen@60s /-- {number} --/\nState state-{number}.json\n"
        ));
    }
    folder.file("ways.tape", &tape);
    folder.file(
        "fails.tape",
        "Set Shell bash\nType `cat way-4; printf %s s3cr tX`\nEnter\nSleep 200ms\nWait+Screen@300ms /s3cr3tX and more/\n",
    );
    let words = [
        &[
            "run",
            "--fast",
            "ways.tape",
            "fails.tape",
            "--reporter",
            "list",
            "--reporter",
            "json=report.json",
            "--reporter",
            "junit=report.xml",
            "--reporter",
            "html=report.html",
            "--reporter",
            "github",
        ][..],
        &DECLARED,
    ];
    let run = run_in_with_env(&folder, &SECRETS, &words.concat());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("1 passed, 1 failed"), "{}", run.stderr);
    let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), run.stderr);
    for (_, value) in SECRETS {
        assert_eq!(leaks(value, &said), [""; 0], "{said}");
    }
    let is_source = |path: &str| is_way(path) || path.ends_with(".tape");
    assert!(assert_none_in_files(folder.path(), is_source) > names.len());
}

#[test]
fn drawn_values_are_covered_by_snap() {
    let folder = Folder::new();
    write_ways(&folder);
    for (number, output) in [
        (4, "snap.json"),
        (20, "snap.svg"),
        (41, "snap.txt"),
        (62, "snap.ansi"),
        (83, "snap.html"),
    ] {
        let way = format!("way-{number}");
        let words = [&["snap", "-o", output][..], &DECLARED, &["--", "cat", &way]];
        let run = run_in_with_env(&folder, &SECRETS, &words.concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        // The report of a failed wait shows the screen with covered secrets.
        let words = [
            &["snap", "--timeout", "0.2", "--wait", "s3cr3tX in vain"][..],
            &DECLARED,
            &["--", "sh", "-c", "cat $0; sleep 9", &way],
        ];
        let run = run_in_with_env(&folder, &SECRETS, &words.concat());
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        for (_, value) in SECRETS {
            assert_eq!(leaks(value, &run.stderr), [""; 0], "{}", run.stderr);
        }
    }
    assert!(assert_none_in_files(folder.path(), is_way) >= 5);
}

const TOKENS: [&str; 4] = [
    "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
    "AKIA0123456789ABCDEF",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl",
    "xoxb-1234567890-abcdefghij",
];

#[test]
fn known_tokens_are_covered_without_an_option() {
    let folder = Folder::new();
    folder.file("way-1", TOKENS.join("\r\n"));
    let parts = TOKENS.map(|token| token.get(6..18).unwrap());
    let is_in = |text: &str| parts.iter().any(|part| text.contains(part));
    for output in ["snap.json", "snap.svg", "snap.txt", "snap.html"] {
        run_in_with_env(&folder, &[], &["snap", "-o", output, "--", "cat", "way-1"]).text();
    }
    let run = run_in_with_env(
        &folder,
        &[],
        &[
            "snap",
            "--timeout",
            "0.2",
            "--wait",
            "nothing",
            "--",
            "sh",
            "-c",
            "cat way-1; sleep 9",
        ],
    );
    assert!(run.stderr.contains("ghp_<github-token>"), "{}", run.stderr);
    assert!(!is_in(&run.stderr), "{}", run.stderr);
    folder.file(
        "tokens.tape",
        "Output out.txt\nOutput out.json\nOutput out.cassette\nSet Shell bash\nType `cat way-1`\nEnter\nWait+Screen /xoxb/\nSnapshot tokens\nState state.json\nScreenshot shot.png\nWait+Screen@200ms /never/\n",
    );
    let words = [
        "run",
        "--fast",
        "tokens.tape",
        "--reporter",
        "list",
        "--reporter",
        "json=report.json",
        "--reporter",
        "junit=report.xml",
        "--reporter",
        "html=report.html",
    ];
    let run = run_in_with_env(&folder, &[], &words);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(!is_in(&run.stderr), "{}", run.stderr);
    let mut checked = 0;
    for (path, text) in super::leaks::files(folder.path()) {
        if !is_way(&path) {
            checked += 1;
            assert!(!is_in(&text), "{path}:\n{text}");
        }
    }
    assert!(checked > 12, "{checked}");
}
