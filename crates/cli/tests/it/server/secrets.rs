//! Secrets are typed by name, and their values appear in no output.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::client::Client;
use crate::harness::cli::run;

const VALUE: &str = "hunter22 of \"the\" night";

fn read_all_files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(read_all_files(&path));
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.push((path.display().to_string(), text));
        }
    }
    found
}

#[test]
fn secret_is_in_no_response_recording_or_file() {
    let mut client = Client::start_with(&["--secret", "NIGHT"], &[("NIGHT", VALUE)]);
    client.launch("printf 'ready\\n'; exec cat");
    let mut said = String::new();
    let mut ask = |client: &mut Client, method: &str, params: serde_json::Value| {
        let answer = client.ask(method, &params);
        said.push_str(&answer.to_string());
        said.push('\n');
        answer
    };
    ask(
        &mut client,
        "recording.start",
        json!({"path": "secret.jsonl", "frameIntervalMs": 1}),
    );
    ask(
        &mut client,
        "viewSubscribe",
        json!({"debounceMs": 0, "includeText": true}),
    );
    let typed = ask(
        &mut client,
        "sendLine",
        json!({"secret": "NIGHT", "expectAfter": {"type": "nth", "index": 1, "selector": {"type": "exact", "text": "▒▒▒▒▒▒▒▒"}}}),
    );
    assert_eq!(typed["result"]["ok"], true, "{typed}");
    // Sending the value literally reveals nothing more.
    ask(&mut client, "sendLine", json!({"text": VALUE}));
    ask(
        &mut client,
        "waitForText",
        json!({"selector": {"type": "exact", "text": format!("{VALUE}!")}, "timeoutMs": 100}),
    );
    for (method, params) in [
        ("currentView", json!({})),
        (
            "currentView",
            json!({"region": {"col": 3, "row": 2, "width": 5, "height": 1}}),
        ),
        ("currentState", json!({"scrollback": 100})),
        ("currentSnapshot", json!({})),
        ("scrollback", json!({})),
        ("changesSince", json!({})),
        ("dumpView", json!({"name": "dumped"})),
        ("expectSnapshot", json!({"name": "kept"})),
        ("expectSnapshot", json!({"name": "kept"})),
        ("extract", json!({"kind": "regex", "pattern": "h.*"})),
        ("sendKey", json!({"key": VALUE})),
        ("launch", json!({"command": VALUE})),
    ] {
        ask(&mut client, method, params);
    }
    ask(&mut client, "recording.stop", json!({}));
    // Parts of the value that occur in no other text of this test.
    for secret in ["hunter22", "unter2", "night\"", "the\\\" ni"] {
        assert!(!said.contains(secret), "{secret}: {said}");
    }
    assert!(said.contains("▒▒▒▒"), "{said}");
    let files = read_all_files(client.folder.path());
    assert!(files.len() > 5, "{files:?}");
    for (path, text) in files {
        assert!(!text.contains("hunter22"), "{path}: {text}");
    }
}

#[test]
fn parts_of_a_secret_are_not_found() {
    let mut client = Client::start_with(&["--secret", "NIGHT"], &[("NIGHT", VALUE)]);
    client.launch("printf 'ready\\n'; read x; printf '%s\\n' \"$x\"; exec cat");
    let pattern = json!({"type": "regex", "pattern": "[a-z]{5}2+", "syntax": "full"});
    let after =
        json!({"type": "nth", "index": 1, "selector": {"type": "exact", "text": "▒▒▒▒▒▒▒▒▒▒"}});
    let typed = client.ask(
        "sendLine",
        &json!({"secret": "NIGHT", "expectAfter": after}),
    );
    assert_eq!(typed["result"]["ok"], true, "{typed}");
    for (method, params) in [
        ("waitForText", json!({"selector": pattern, "timeoutMs": 0})),
        (
            "waitForText",
            json!({"selector": {"type": "exact", "text": "UNTER2"}, "timeoutMs": 0}),
        ),
        ("waitUntil", json!({"pattern": "unter", "timeoutMs": 0})),
        ("saw", json!({"selector": pattern})),
        (
            "sendLine",
            json!({"text": "", "expectAfter": pattern, "timeoutMs": 0}),
        ),
    ] {
        let answer = client.ask(method, &params);
        assert!(
            answer["error"].is_object() || answer["result"]["seen"] == false,
            "{method}: {answer}"
        );
        assert!(!answer.to_string().contains("hunter"), "{method}: {answer}");
    }
    let gone = client.ask("expectNotVisible", &json!({"selector": pattern}));
    assert_eq!(gone["result"]["ok"], true, "{gone}");
}

#[test]
fn remains_of_an_overwritten_secret_are_redacted() {
    let mut client = Client::start_with(&["--secret", "NIGHT"], &[("NIGHT", VALUE)]);
    client.launch("stty -echo; printf 'ready\\n'; read x; printf '%s' \"$x\"; read x; printf '\\rdone'; exec cat");
    client.ask("sendLine", &json!({"secret": "NIGHT"}));
    let shown = json!({"selector": {"type": "regex", "pattern": "▒.*▒"}});
    assert_eq!(client.ask("waitForText", &shown)["result"]["ok"], true);
    client.ask("sendLine", &json!({"text": ""}));
    let done = json!({"selector": {"type": "exact", "text": "done"}});
    assert_eq!(client.ask("waitForText", &done)["result"]["ok"], true);
    let view = client.ask("currentView", &json!({"entireRow": 2}));
    let text = view["result"]["text"].as_str().unwrap();
    assert!(text.starts_with("done▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒"), "{text}");
}

#[test]
fn new_secret_is_rejected_while_another_session_is_open() {
    let mut client = Client::start_with(&[], &[("NIGHT", VALUE), ("DAY", "by-the-light")]);
    let open = |session: &str, secrets: &[&str]| json!({"session": session, "secrets": secrets});
    let answer = client.ask("initialize", &open("a", &["NIGHT"]));
    assert!(answer["result"].is_object(), "{answer}");
    let answer = client.ask("initialize", &open("b", &["NIGHT"]));
    assert!(answer["result"].is_object(), "{answer}");
    let answer = client.ask("initialize", &open("c", &["NIGHT", "DAY"]));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let details = answer["error"]["data"]["details"].as_str().unwrap();
    assert!(
        details.starts_with("secrets: cannot add `DAY` while session `a` is open"),
        "{details}"
    );
}

#[test]
fn invalid_secret_is_an_error_at_start() {
    let said = run([
        "server",
        "--artifact-dir",
        "x",
        "--secret",
        "SCREENTEST_NO_SUCH",
    ])
    .failed(2);
    assert!(
        said.contains("`--secret SCREENTEST_NO_SUCH`: the environment variable"),
        "{said}"
    );
    let client = Client::start_with(&["--secret", "PIN"], &[("PIN", "123")]);
    let (_, status, _) = client.end();
    assert_eq!(status.code(), Some(2));
}
