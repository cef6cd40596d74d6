//! Cancellation of requests in every state.

use serde_json::{Value, json};

use super::client::Client;
use crate::harness::cli::wait_until;

/// Sends a request.
fn begin(client: &mut Client, method: &str, params: &Value) {
    let request = json!({"jsonrpc": "2.0", "id": "r", "method": method, "params": params});
    client.send(&request.to_string());
}

/// Cancels the request and returns both responses: that of the request and that of `cancel`.
#[track_caller]
fn cancelled(client: &mut Client) -> (Value, Value) {
    client.send(r#"{"jsonrpc":"2.0","id":"c","method":"cancel","params":{"id":"r"}}"#);
    let (first, second) = (client.message(), client.message());
    if first["id"] == "c" {
        (second, first)
    } else {
        (first, second)
    }
}

#[test]
fn batch_without_waits_can_be_cancelled() {
    let mut client = Client::start();
    client.launch("printf ready; read x");
    let view = |method: &str, name: &str| json!({"method": method, "params": {"name": name}});
    // Pictures take much longer than the cancellation. After it, no further step is executed.
    let mut steps = vec![view("renderView", "picture"); 999];
    steps.push(view("dumpView", "last"));
    begin(&mut client, "batch", &json!({"steps": steps}));
    let files = client.folder.path();
    let files = files.join("artifacts/sessions/session/snapshots");
    wait_until("there is a picture", || files.join("picture.png").exists());
    let (answer, cancel) = cancelled(&mut client);
    assert_eq!(cancel["result"], json!({"cancelled": true, "ok": true}));
    assert_eq!(answer["error"]["code"], -32800, "{answer}");
    assert!(!files.join("last.ansi.txt").exists());
}

#[test]
fn replay_without_waits_can_be_cancelled() {
    let mut client = Client::start();
    client.pipe("begun");
    client.launch("printf ready; read x; echo > begun; read x");
    let event = |method: &str, params: Value| {
        let line = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let event = json!({"direction": "request", "line": line.to_string(), "timestampMicros": 1});
        format!("{event}\n")
    };
    let mut recording = event("sendKey", json!({"key": "Enter"}));
    recording.push_str(&event("server.ping", Value::Null).repeat(500_000));
    client.folder.file("long.jsonl", recording);
    begin(&mut client, "replay", &json!({"path": "long.jsonl"}));
    client.wait_for_pipe("begun");
    let (answer, cancel) = cancelled(&mut client);
    assert_eq!(cancel["result"], json!({"cancelled": true, "ok": true}));
    assert_eq!(answer["error"]["code"], -32800, "{answer}");
}

#[test]
fn request_reported_as_cancelled_gets_the_cancelled_error() {
    let mut client = Client::start();
    for _ in 0..500 {
        // Whether the request is queued, running or done varies, but both responses must agree.
        begin(&mut client, "server.ping", &Value::Null);
        let (answer, cancel) = cancelled(&mut client);
        let was = cancel["result"]["cancelled"] == true;
        assert_eq!(answer["error"]["code"] == -32800, was, "{answer} {cancel}");
    }
}
