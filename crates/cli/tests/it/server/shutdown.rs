//! However the server ends, nothing that it started stays, and nothing that was asked before is lost.

use serde_json::{Value, json};

use super::client::Client;
use crate::harness::processes::{STAYS, assert_all_go, assert_gone};

fn kill(signal: &str, pid: u32) {
    let pid = pid.to_string();
    crate::harness::cli::command("kill", [format!("-{signal}"), pid]);
}

#[test]
fn a_signal_ends_all_at_once_also_while_a_request_waits() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut client = Client::start();
        client.launch(STAYS);
        client.send(r#"{"jsonrpc":"2.0","id":9,"method":"waitForText","params":{"selector":{"type":"exact","text":"never"},"timeoutMs":3600000}}"#);
        kill(signal, client.pid());
        client.rest();
        let (_, status, folder) = client.end();
        assert!(status.success(), "{signal}: {status}");
        assert_all_go(folder.path());
    }
}

#[test]
fn shutdown_answers_and_ends_all() {
    let mut client = Client::start();
    client.launch(STAYS);
    client.send(r#"{"jsonrpc":"2.0","id":9,"method":"server.shutdown"}"#);
    client.send(r#"{"jsonrpc":"2.0","id":10,"method":"server.ping"}"#);
    assert_eq!(
        client.line(),
        r#"{"id":9,"jsonrpc":"2.0","result":{"shuttingDown":true}}"#
    );
    assert_gone(client.folder.path());
    let rest = client.rest();
    assert_eq!(rest, [""; 0]);
    let (_, status, _) = client.end();
    assert!(status.success(), "{status}");
}

#[test]
fn the_end_of_input_comes_after_what_was_asked() {
    let mut client = Client::start();
    client.launch(STAYS);
    for id in 0..50 {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "currentView"}).to_string());
    }
    // The last line needs no end.
    client.write(br#"{"jsonrpc":"2.0","id":50,"method":"server.ping"}"#);
    let (rest, status, folder) = client.end();
    let ids: Vec<Value> = rest
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].take())
        .collect();
    assert_eq!(ids, (0..=50).map(Value::from).collect::<Vec<_>>());
    assert!(status.success(), "{status}");
    assert_all_go(folder.path());
}

#[test]
fn kill_9_in_a_recording_leaves_whole_lines_and_no_child() {
    let mut client = Client::start();
    client.launch(STAYS);
    client.done(
        "recording.start",
        &json!({"path": "cut.jsonl", "frameIntervalMs": 1}),
    );
    for _ in 0..20 {
        client.done("sendText", &json!({"text": "x"}));
        client.done("currentView", &json!({}));
    }
    // In the midst of many more.
    for id in 1000..1200 {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "currentView"}).to_string());
    }
    kill("KILL", client.pid());
    client.rest();
    let (_, status, folder) = client.end();
    assert!(!status.success());
    assert_all_go(folder.path());
    let recording = String::from_utf8(folder.read("cut.jsonl")).unwrap();
    let (lines, cut) = recording.rsplit_once('\n').unwrap();
    assert!(cut.is_empty(), "{cut}");
    let mut requests = 0;
    for line in lines.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        requests += usize::from(event["direction"] == "request");
    }
    assert!(requests >= 40, "{requests}");
}

/// Asks without reading what is answered.
fn tell(client: &mut Client, id: usize, method: &str, params: &Value) {
    let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    client.send(&request.to_string());
}

#[test]
fn a_client_that_reads_late_gets_every_answer_and_the_newest_view() {
    let mut client = Client::start();
    client.pipe("over");
    let script = "printf 'ready\\n'; read x; i=0; while test $i -lt 3000; do i=$((i+1)); printf '\\r%s' $i; done; printf ' end'; echo > over; read x";
    let ready = json!({"type": "exact", "text": "ready"});
    tell(&mut client, 0, "initialize", &json!({}));
    let launch = json!({"command": "sh", "args": ["-c", script], "readySelector": ready});
    tell(&mut client, 1, "launch", &launch);
    let subscribe = json!({"debounceMs": 0, "includeText": true});
    tell(&mut client, 2, "viewSubscribe", &subscribe);
    // Far more than a pipe holds, before the view changes.
    const LAST: usize = 203;
    for id in 3..LAST {
        tell(&mut client, id, "currentView", &Value::Null);
    }
    tell(&mut client, LAST, "sendKey", &json!({"key": "Enter"}));
    client.wait_for_pipe("over");
    let (mut ids, mut views) = (Vec::new(), Vec::new());
    let is_newest = |view: &String| view.contains("3000 end");
    while ids.len() <= LAST || !views.last().is_some_and(is_newest) {
        let message = client.message();
        match message["params"]["text"].as_str() {
            Some(text) => views.push(text.to_owned()),
            None => ids.push(message["id"].clone()),
        }
    }
    assert_eq!(ids, (0..=LAST).map(Value::from).collect::<Vec<_>>());
    // Of 3000 views, those that nobody read in time are not there.
    assert!(views.len() < 50, "{}", views.len());
}

#[test]
fn output_that_nobody_takes_ends_the_server_while_a_request_waits() {
    let mut client = Client::start();
    client.pipe("begun");
    let script = STAYS.replace("read line", "read line; echo > begun; read line");
    let selector = |text: &str| json!({"type": "exact", "text": text});
    let launch =
        json!({"command": "sh", "args": ["-c", script], "readySelector": selector("ready")});
    let never = json!({"selector": selector("never"), "timeoutMs": 3_600_000});
    // None of them is answered, so that it is not by an answer that the server notices.
    for (method, params) in [
        ("initialize", json!({})),
        ("launch", launch),
        ("sendKey", json!({"key": "Enter"})),
        ("waitForText", never),
    ] {
        client.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }
    client.wait_for_pipe("begun");
    // Its input stays open.
    client.close_output();
    assert!(client.ended_unread().success());
    assert_gone(client.folder.path());
}
