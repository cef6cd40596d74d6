//! After Enter, only new text satisfies a wait, unless `anytime` is set.

use serde_json::{Value, json};

use super::client::Client;

/// Prints a line again after another line arrives. The terminal echoes both lines.
const PRINTS_LINE_LATER: &str = "echo ready; read -r line; read -r x; echo \"$line\"; read -r x";

/// Returns the message of a failed wait.
#[track_caller]
fn details(answer: &Value) -> &str {
    answer["error"]["data"]["details"].as_str().unwrap()
}

#[test]
fn each_wait_ignores_the_echo_of_a_line() {
    let exact = json!({"type": "exact", "text": "done"});
    for (method, mut params) in [
        ("waitForText", json!({"selector": exact})),
        ("expectVisible", json!({"selector": exact})),
        ("waitUntil", json!({"pattern": "done"})),
        ("waitUntil", json!({"pattern": "^do", "syntax": "full"})),
    ] {
        let mut client = Client::start();
        client.launch(PRINTS_LINE_LATER);
        client.done("sendLine", &json!({"text": "done"}));
        params["timeoutMs"] = 50.into();
        let refused = client.ask(method, &params);
        let error = details(&refused);
        assert!(
            error.ends_with("accept it with `\"anytime\": true`"),
            "{method}: {error}"
        );
        params["timeoutMs"] = 60_000.into();
        params["anytime"] = true.into();
        client.done(method, &params);
        params["anytime"] = false.into();
        client.done("sendKey", &json!({"key": "Enter"}));
        client.done(method, &params);
    }
}

#[test]
fn expect_after_ignores_the_echo_of_the_line() {
    let mut client = Client::start();
    client.launch(PRINTS_LINE_LATER);
    let line = |anytime: bool| {
        let exact = json!({"type": "exact", "text": "done"});
        json!({"text": "done", "expectAfter": exact, "timeoutMs": 50, "anytime": anytime})
    };
    let refused = client.ask("sendLine", &line(false));
    let error = details(&refused);
    assert!(error.contains("before Enter (row 2)"), "{error}");
    let mut client = Client::start();
    client.launch(PRINTS_LINE_LATER);
    client.done("sendLine", &line(true));
}
