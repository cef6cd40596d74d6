//! `view.changed` comes when the view changes, whatever else goes on.

use serde_json::{Value, json};

use super::client::Client;

/// Reads until a notification has this text, and fails at an answer.
#[track_caller]
fn told(client: &mut Client, text: &str) -> Value {
    loop {
        let message = client.message();
        assert_eq!(message["method"], "view.changed", "{message}");
        if message["params"]["text"].as_str().unwrap().contains(text) {
            return message;
        }
    }
}

#[test]
fn a_change_is_told_while_a_request_waits() {
    let mut client = Client::start();
    // The shell goes on when the test has seen what it showed.
    client.launch(
        "mkfifo seen; printf 'ready\\n'; read x; printf 'one\\n'; cat seen; printf 'two\\n'; read x",
    );
    client.done(
        "viewSubscribe",
        &json!({"debounceMs": 0, "includeText": true}),
    );
    // Without an answer, behind which what is told could be overlooked.
    client.send(r#"{"jsonrpc":"2.0","method":"sendKey","params":{"key":"Enter"}}"#);
    client.send(r#"{"jsonrpc":"2.0","id":"w","method":"waitForText","params":{"selector":{"type":"exact","text":"two"},"timeoutMs":30000}}"#);
    told(&mut client, "one");
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
fn the_last_change_is_told_however_long_the_debounce() {
    let mut client = Client::start();
    client.launch("printf 'ready\\n'; read x; i=0; while test $i -lt 200; do i=$((i+1)); echo $i; done; echo end; read x");
    client.done(
        "viewSubscribe",
        &json!({"debounceMs": 30, "includeText": true}),
    );
    client.send(r#"{"jsonrpc":"2.0","method":"sendKey","params":{"key":"Enter"}}"#);
    told(&mut client, "end");
}

#[test]
fn a_subscription_outlasts_the_program_and_names_what_was_named() {
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
        let told = told(&mut client, text);
        assert_eq!(
            told["params"],
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
fn what_looks_the_same_is_not_told() {
    let mut client = Client::start();
    // Which keys the cursor sends, nobody sees.
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
fn the_first_change_too_is_told_after_the_debounce() {
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
fn a_line_end_in_an_expression_is_written_as_itself_or_as_an_escape() {
    let mut client = Client::start();
    client.launch(r"printf '%s\n' 'C:\new' ready; read x");
    for pattern in ["^C:.*$\n^ready$", r"^C:.*$\n^ready$", r"^C:\\new$"] {
        client.done("waitUntil", &json!({"pattern": pattern, "syntax": "full"}));
    }
}
