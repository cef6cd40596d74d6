//! `view.changed` is sent when the view changes, also during other requests.

use serde_json::{Value, json};

use super::client::Client;

/// Reads notifications until one contains this text. Fails at any other message.
#[track_caller]
fn next_view_with(client: &mut Client, text: &str) -> Value {
    loop {
        let message = client.message();
        assert_eq!(message["method"], "view.changed", "{message}");
        if message["params"]["text"].as_str().unwrap().contains(text) {
            return message;
        }
    }
}

#[test]
fn change_is_sent_during_a_request() {
    let mut client = Client::start();
    // The script prints `two` only after the test has seen `one`.
    client.launch(
        "mkfifo seen; printf 'ready\\n'; read x; printf 'one\\n'; cat seen; printf 'two\\n'; read x",
    );
    client.done(
        "viewSubscribe",
        &json!({"debounceMs": 0, "includeText": true}),
    );
    // The key is sent as a notification: reading a response could skip a `view.changed`.
    client.send(r#"{"jsonrpc":"2.0","method":"sendKey","params":{"key":"Enter"}}"#);
    client.send(r#"{"jsonrpc":"2.0","id":"w","method":"waitForText","params":{"selector":{"type":"exact","text":"two"},"timeoutMs":30000}}"#);
    next_view_with(&mut client, "one");
    client.folder.file("seen", "");
    let mut answered = false;
    let mut shown = false;
    while !(answered && shown) {
        let message = client.message();
        assert_eq!(message.get("error"), None, "{message}");
        answered |= message["id"] == "w";
        shown |= message["params"]["text"]
            .as_str()
            .is_some_and(|text| text.contains("two"));
    }
}

#[test]
fn last_change_is_sent_after_any_debounce() {
    let mut client = Client::start();
    client.launch("printf 'ready\\n'; read x; i=0; while test $i -lt 200; do i=$((i+1)); echo $i; done; echo end; read x");
    client.done(
        "viewSubscribe",
        &json!({"debounceMs": 30, "includeText": true}),
    );
    client.send(r#"{"jsonrpc":"2.0","method":"sendKey","params":{"key":"Enter"}}"#);
    next_view_with(&mut client, "end");
}

#[test]
fn subscription_survives_the_program_and_names_its_session() {
    let mut client = Client::start();
    client.done(
        "initialize",
        &json!({"session": "a", "terminalCols": 9, "terminalRows": 1}),
    );
    client.done(
        "viewSubscribe",
        &json!({"session": "a", "debounceMs": 0, "includeText": true}),
    );
    for text in ["first", "second"] {
        let launch = json!({"jsonrpc": "2.0", "method": "launch", "params": {"command": "printf", "args": [text], "session": "a"}});
        client.send(&launch.to_string());
        let notification = next_view_with(&mut client, text);
        assert_eq!(
            notification["params"],
            json!({"cols": 9, "rows": 1, "session": "a", "text": text})
        );
    }
    client.done("viewUnsubscribe", &json!({"session": "a"}));
    let ready = json!({"type": "exact", "text": "third"});
    client.done(
        "launch",
        &json!({"command": "printf", "args": ["third"], "session": "a", "readySelector": ready}),
    );
    let (rest, ..) = client.end();
    assert_eq!(rest, [""; 0]);
}

#[test]
fn invisible_change_is_not_sent() {
    let mut client = Client::start();
    // Application cursor mode is not visible.
    client
        .launch("stty -echo; printf ready; read x; printf '\\033[?1h'; read x; printf end; read x");
    client.done(
        "viewSubscribe",
        &json!({"debounceMs": 0, "includeText": true}),
    );
    for _ in 0..2 {
        client.send(r#"{"jsonrpc":"2.0","method":"sendKey","params":{"key":"Enter"}}"#);
    }
    let message = client.message();
    assert_eq!(message["params"]["text"], "readyend\n\n\n\n", "{message}");
}

#[test]
fn first_change_is_sent_after_the_debounce() {
    let mut client = Client::start();
    client.launch("stty -echo; printf ready; read x; printf one; read x");
    client.send(r#"{"jsonrpc":"2.0","id":"s","method":"viewSubscribe","params":{"debounceMs":3600000,"includeText":true}}"#);
    let mut first = [client.message(), client.message()];
    first.sort_by_key(|message| message.get("id").is_some());
    assert_eq!(first[0]["params"]["text"], "ready\n\n\n\n");
    let expected = json!({"type": "exact", "text": "one"});
    client.send(&json!({"jsonrpc": "2.0", "id": "e", "method": "sendLine", "params": {"text": "", "expectAfter": expected}}).to_string());
    assert_eq!(client.message()["id"], "e");
    let (rest, ..) = client.end();
    assert_eq!(rest, [""; 0]);
}

#[test]
fn newline_in_a_pattern_is_literal_or_escaped() {
    let mut client = Client::start();
    client.launch(r"printf '%s\n' 'C:\new' ready; read x");
    for pattern in ["^C:.*$\n^ready$", r"^C:.*$\n^ready$", r"^C:\\new$"] {
        client.done("waitUntil", &json!({"pattern": pattern, "syntax": "full"}));
    }
}
