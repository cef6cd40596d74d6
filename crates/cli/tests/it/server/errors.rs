//! Error messages name the wrong parameter and the next step.

use serde_json::json;

use super::client::Client;
use crate::harness::cli::{Folder, run};

#[test]
fn invalid_parameters_are_named_as_in_the_request() {
    let mut client = Client::start();
    for (method, params, details) in [
        (
            "initialize",
            json!({"terminalCols": -5}),
            "`-5` columns: a screen has 2 to 2000",
        ),
        (
            "initialize",
            json!({"timeoutSeconds": 1e300}),
            "timeoutSeconds must be above 0 and below 4294967295, not 1e300",
        ),
        (
            "initialize",
            json!({"timeoutSeconds": "1"}),
            "`timeoutSeconds`: invalid type: string \"1\", expected a number",
        ),
        (
            "initialize",
            json!({"updateSnapshots": 5}),
            "`updateSnapshots`: expected true, false or a string",
        ),
        (
            "server.ping",
            json!({"x": 1}),
            "expected params to be null or empty object, or to name a `session`; not `x`",
        ),
        (
            "batch",
            json!({"steps": [5]}),
            "`steps[0]`: invalid type: integer `5`, expected an object",
        ),
    ] {
        let answer = client.ask(method, &params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer["error"]["data"]["details"], details);
    }
    client.launch("printf ready; exec cat");
    for (method, params, details) in [
        (
            "signal",
            json!({"signal": []}),
            "`signal`: expected the name of a signal, a string, or its number",
        ),
        (
            "waitForText",
            json!({"selector": 5}),
            "`selector`: invalid type: integer `5`, expected an object",
        ),
        (
            "waitForText",
            json!({"selector": {"type": "exact", "text": "x"}, "timeoutMs": 18_446_744_073_709_551_615_u64}),
            "`timeoutMs`: `18446744073709551615` is out of range",
        ),
        (
            "diffView",
            json!({"leftPath": "nowhere", "rightPath": "nowhere", "mode": "odd"}),
            "mode must be one of: text, styled; not odd",
        ),
    ] {
        let answer = client.ask(method, &params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer["error"]["data"]["details"], details);
    }
    // `pollIntervalMs` is ignored, so any value is accepted.
    client.done(
        "waitUntil",
        &json!({"pattern": "ready", "pollIntervalMs": -1}),
    );
}

#[test]
fn null_counts_as_absent() {
    let mut client = Client::start();
    client.done("initialize", &json!({"name": null, "secrets": null}));
    let script = "printf '\\033[?1003hready'; exec cat >/dev/null";
    let ready = json!({"type": "exact", "text": "ready"});
    let params =
        json!({"command": "sh", "args": ["-c", script], "env": null, "readySelector": ready});
    client.done("launch", &params);
    for params in [
        json!({"kind": "click", "col": 1, "row": 1, "modifiers": null}),
        json!({"kind": "move", "col": 1, "row": 1, "button": null}),
    ] {
        client.done("mouse", &params);
    }
}

#[test]
fn failed_operations_name_the_next_step() {
    let mut client = Client::start();
    client.launch("printf 'ready 12'; exec cat");
    let light = "this is a light pattern, in which only `|` and `.*` are special: set `\"syntax\":\"full\"` for a regular expression";
    let digits = json!({"type": "regex", "pattern": "\\d+"});
    for (method, params, words) in [
        (
            "waitForText",
            json!({"selector": digits, "timeoutMs": 0}),
            light,
        ),
        (
            "waitForText",
            json!({"selector": {"type": "nth", "index": 0, "selector": digits}, "timeoutMs": 0}),
            light,
        ),
        (
            "waitUntil",
            json!({"pattern": "^ready$", "timeoutMs": 0}),
            light,
        ),
        (
            "saw",
            json!({"selector": {"type": "exact", "text": "nothing"}}),
            "saw: text \"nothing\" was not shown since the program's start",
        ),
        (
            "launch",
            json!({"command": "sh -c ls"}),
            "; `command` is the program only, its arguments belong in `args`",
        ),
        (
            "launch",
            json!({"command": "cat", "readySelector": {"type": "exact", "text": "x"}, "readyTimeoutMs": 1}),
            "give `readySelector` more time with `readyTimeoutMs`",
        ),
        ("waitforTxt", json!({}), "did you mean `waitForText`?"),
    ] {
        let answer = client.ask(method, &params);
        let details = answer["error"]["data"]["details"].as_str().unwrap();
        assert!(details.contains(words), "{method}: {details}");
    }
    let plain = json!({"selector": {"type": "regex", "pattern": "no.*such"}, "timeoutMs": 0});
    let answer = client.ask("waitForText", &plain);
    let details = answer["error"]["data"]["details"].as_str().unwrap();
    assert!(!details.contains("light"), "{details}");
}

#[test]
fn artifact_folder_that_cannot_be_created_is_an_error_at_start() {
    let folder = Folder::new();
    let file = folder.file("file", "");
    let said = run(["server", "--artifact-dir", &file]).failed(2);
    assert!(
        said.contains("`--artifact-dir`: could not create"),
        "{said}"
    );
}
