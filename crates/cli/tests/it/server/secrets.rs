//! A secret is typed by its name, and its value is nowhere that anybody could read it.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::client::Client;
use crate::tool::run;

const VALUE: &str = "hunter22 of \"the\" night";

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.push((path.display().to_string(), text));
        }
    }
    found
}

#[test]
fn a_secret_is_in_no_answer_no_recording_and_no_file() {
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
        json!({"secret": "NIGHT", "expectAfter": {"type": "nth", "index": 1, "selector": {"type": "exact", "text": "the"}}}),
    );
    assert_eq!(typed["result"]["ok"], true, "{typed}");
    // Who writes it out learns no more than before.
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
    // The end of the value is not in the beginning of any other word here.
    for secret in ["hunter22", "unter2", "night\"", "the\\\" ni"] {
        assert!(!said.contains(secret), "{secret}: {said}");
    }
    assert!(said.contains("▒▒▒▒"), "{said}");
    let files = files(client.folder.path());
    assert!(files.len() > 5, "{files:?}");
    for (path, text) in files {
        assert!(!text.contains("hunter22"), "{path}: {text}");
    }
}

#[test]
fn a_secret_that_cannot_be_kept_is_an_error_at_the_start() {
    let said = run([
        "server",
        "--artifact-dir",
        "x",
        "--secret",
        "SCREENTEST_NO_SUCH",
    ])
    .failed(2);
    assert!(
        said.contains("`--secret SCREENTEST_NO_SUCH`: the environment has no text in"),
        "{said}"
    );
    let client = Client::start_with(&["--secret", "PIN"], &[("PIN", "123")]);
    let (_, status, _) = client.end();
    assert_eq!(status.code(), Some(2));
}
