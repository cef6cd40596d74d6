//! Session options, baselines across server runs, and several programs in one session.

use serde_json::{Value, json};

use super::client::Client;

#[test]
fn environment_overrides_client_and_client_overrides_command_line() {
    let options = [
        "--cols",
        "50",
        "--rows",
        "10",
        "--ambiguity-mode",
        "last-visible",
    ];
    let mut client = Client::start_with(&options, &[("TUISPEC_TERMINAL_ROWS", "7")]);
    let opened = client.done(
        "initialize",
        &json!({"terminalCols": 60, "terminalRows": 20}),
    );
    assert_eq!((&opened["cols"], &opened["rows"]), (&json!(60), &json!(7)));
    client.done("close", &json!({}));
    let opened = client.done("initialize", &json!({}));
    assert_eq!((&opened["cols"], &opened["rows"]), (&json!(50), &json!(7)));
    let twice = json!({"command": "printf", "args": ["x x"], "readySelector": {"type": "exact", "text": "x"}});
    client.done("launch", &twice);
    client.done("close", &json!({}));
    client.done(
        "initialize",
        &json!({"ambiguityMode": " FAIL ", "timeoutSeconds": 0.1}),
    );
    let answer = client.ask("launch", &twice);
    assert_eq!(answer["error"]["code"], -32004, "{answer}");
    // The program was launched nevertheless.
    client.done("currentView", &json!({}));
}

#[test]
fn baselines_survive_the_server_and_captures_do_not() {
    let shows = |client: &mut Client, text: &str, update: Value| {
        client.done(
            "initialize",
            &json!({"name": "My Board", "terminalCols": 20, "terminalRows": 3, "updateSnapshots": update}),
        );
        let ready = json!({"type": "exact", "text": text});
        client.done(
            "launch",
            &json!({"command": "printf", "args": [text], "readySelector": ready}),
        );
    };
    let mut client = Client::start();
    shows(&mut client, "first", json!(false));
    assert_eq!(
        client.done("expectSnapshot", &json!({"name": "a"}))["baselineExists"],
        false
    );
    client.done("dumpView", &json!({"name": "gone"}));
    let (_, _, folder) = client.end();

    let mut client = Client::start_in(folder, &[], &[]);
    shows(&mut client, "first", json!(false));
    let capture = "artifacts/sessions/my-board/snapshots/gone.ansi.txt";
    assert!(!client.folder.path().join(capture).exists());
    assert_eq!(
        client.done("expectSnapshot", &json!({"name": "a"}))["baselineExists"],
        true
    );
    let (_, _, folder) = client.end();

    let mut client = Client::start_in(folder, &[], &[]);
    shows(&mut client, "other", json!("none"));
    let answer = client.ask("expectSnapshot", &json!({"name": "a", "timeoutMs": 50}));
    let details = answer["error"]["data"]["details"].as_str().unwrap();
    assert!(
        details.starts_with("Snapshot mismatch for 'a'"),
        "{details}"
    );
    client.done("close", &json!({}));
    shows(&mut client, "other", json!(true));
    client.done("expectSnapshot", &json!({"name": "a"}));
    let baseline = client
        .folder
        .read("artifacts/snapshots/my-board/a.ansi.txt");
    assert_eq!(baseline, b"other\n");
}

#[test]
fn revisions_increase_across_programs() {
    let mut client = Client::start();
    client.launch("printf ready; exec cat");
    let first = client.done("changesSince", &json!({}))["revision"].clone();
    let ready = json!({"type": "exact", "text": "next"});
    client.done(
        "launch",
        &json!({"command": "printf", "args": ["next"], "readySelector": ready}),
    );
    let changes = client.done("changesSince", &json!({"revision": first}));
    assert_eq!(changes["complete"], true, "{changes}");
    assert_eq!(changes["changes"], json!([{"row": 1, "text": "next"}]));
    assert!(changes["revision"].as_u64() > first.as_u64(), "{changes}");
    let changes = client.done("changesSince", &json!({"revision": changes["revision"]}));
    assert_eq!(
        (&changes["complete"], &changes["changes"]),
        (&json!(false), &json!([]))
    );
}

#[test]
fn requests_are_answered_in_order() {
    let mut client = Client::start();
    client.launch("printf ready; exec cat");
    client.send(r#"{"jsonrpc":"2.0","id":"waits","method":"waitForText","params":{"selector":{"type":"exact","text":"never"},"timeoutMs":3600000}}"#);
    client.send(r#"{"jsonrpc":"2.0","id":"behind","method":"server.ping"}"#);
    client.send(r#"{"jsonrpc":"2.0","id":"dropped","method":"server.ping"}"#);
    client.send(r#"{"jsonrpc":"2.0","id":"c1","method":"cancel","params":{"id":"dropped"}}"#);
    // Cancelling a queued request answers it immediately. The running wait continues.
    let mut early = [
        client.message()["id"].clone(),
        client.message()["id"].clone(),
    ];
    early.sort_by_key(Value::to_string);
    assert_eq!(early, ["c1", "dropped"]);
    client.send(r#"{"jsonrpc":"2.0","method":"cancel","params":{"id":"waits"}}"#);
    let cancelled = client.message();
    assert_eq!(
        (&cancelled["id"], &cancelled["error"]["code"]),
        (&json!("waits"), &json!(-32800))
    );
    assert_eq!(client.message()["id"], "behind");
}

#[test]
fn session_key_cannot_be_reused_while_open() {
    let mut client = Client::start();
    client.done("initialize", &json!({"session": "x", "name": "foo"}));
    client.done(
        "launch",
        &json!({"session": "x", "command": "sh", "args": ["-c", "printf ready; read x"]}),
    );
    client.done("initialize", &json!({"session": "y"}));
    // Without `session`, the name becomes the key of the new session, and `x` is in use.
    let answer = client.ask("initialize", &json!({"name": "x"}));
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
    let status = client.done("exitStatus", &json!({"session": "x"}));
    assert_eq!(status["running"], true);
    let answer = client.ask("initialize", &json!({"session": " "}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[test]
fn batch_and_replay_steps_use_the_session_of_the_call() {
    let mut client = Client::start();
    for key in ["left", "right"] {
        let ready = json!({"type": "exact", "text": key});
        let launch = json!({"command": "printf", "args": [key], "readySelector": ready});
        // The batch itself opens the session.
        let steps = json!([{"method": "initialize", "params": {"terminalCols": 9, "terminalRows": 1}}, {"method": "launch", "params": launch}]);
        let done = client.done("batch", &json!({"session": key, "steps": steps}));
        assert_eq!(done["ok"], true, "{done}");
    }
    let view = json!({"method": "currentView"});
    let other = json!({"method": "currentView", "params": {"session": "left"}});
    let inner = json!({"method": "batch", "params": {"steps": [view]}});
    let done = client.done(
        "batch",
        &json!({"session": "right", "steps": [view, other, inner]}),
    );
    let results = &done["results"];
    assert_eq!(results[0]["text"], "right    ");
    assert_eq!(results[1]["text"], "left     ");
    assert_eq!(results[2]["results"][0]["text"], "right    ");
    let done = client.done("batch", &json!({"session": "nobody", "steps": [view]}));
    assert_eq!(done["error"]["code"], -32001, "{done}");

    let line = r#"{"jsonrpc":"2.0","id":1,"method":"currentView"}"#;
    let event = json!({"direction": "request", "line": line, "timestampMicros": 1});
    client.folder.file("look.jsonl", format!("{event}\n"));
    client.done("replay", &json!({"session": "left", "path": "look.jsonl"}));
    let answer = client.ask("replay", &json!({"path": "look.jsonl"}));
    assert_eq!(answer["error"]["code"], -32004, "{answer}");
}
