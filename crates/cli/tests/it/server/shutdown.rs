//! End of the server: no process is left, and requests before the end of stdin are answered.

use serde_json::{Value, json};

use super::client::Client;
use crate::harness::processes::{STUBBORN_SCRIPT, assert_all_exit, assert_all_exited};

fn kill(signal: &str, pid: u32) {
    let pid = pid.to_string();
    crate::harness::cli::command("kill", [format!("-{signal}"), pid]);
}

#[test]
fn signal_kills_all_programs_during_a_request() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut client = Client::start();
        client.launch(STUBBORN_SCRIPT);
        client.send(r#"{"jsonrpc":"2.0","id":9,"method":"waitForText","params":{"selector":{"type":"exact","text":"never"},"timeoutMs":3600000}}"#);
        kill(signal, client.pid());
        client.rest();
        let (_, status, folder) = client.end();
        assert!(status.success(), "{signal}: {status}");
        assert_all_exit(folder.path());
    }
}

#[test]
fn shutdown_is_answered_and_kills_all_programs() {
    let mut client = Client::start();
    client.launch(STUBBORN_SCRIPT);
    client.send(r#"{"jsonrpc":"2.0","id":9,"method":"server.shutdown"}"#);
    client.send(r#"{"jsonrpc":"2.0","id":10,"method":"server.ping"}"#);
    assert_eq!(
        client.line(),
        r#"{"id":9,"jsonrpc":"2.0","result":{"shuttingDown":true}}"#
    );
    assert_all_exited(client.folder.path());
    let rest = client.rest();
    assert_eq!(rest, [""; 0]);
    let (_, status, _) = client.end();
    assert!(status.success(), "{status}");
}

#[test]
fn end_of_stdin_is_handled_after_earlier_requests() {
    let mut client = Client::start();
    client.launch(STUBBORN_SCRIPT);
    for id in 0..50 {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "currentView"}).to_string());
    }
    // The last line needs no newline.
    client.write(br#"{"jsonrpc":"2.0","id":50,"method":"server.ping"}"#);
    let (rest, status, folder) = client.end();
    let ids: Vec<Value> = rest
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].take())
        .collect();
    assert_eq!(ids, (0..=50).map(Value::from).collect::<Vec<_>>());
    assert!(status.success(), "{status}");
    assert_all_exit(folder.path());
}

#[test]
fn sigkill_while_recording_leaves_whole_lines_and_no_process() {
    let mut client = Client::start();
    client.launch(STUBBORN_SCRIPT);
    client.done(
        "recording.start",
        &json!({"path": "cut.jsonl", "frameIntervalMs": 1}),
    );
    for _ in 0..20 {
        client.done("sendText", &json!({"text": "x"}));
        client.done("currentView", &json!({}));
    }
    // Kill the server during many more requests.
    for id in 1000..1200 {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "currentView"}).to_string());
    }
    kill("KILL", client.pid());
    client.rest();
    let (_, status, folder) = client.end();
    assert!(!status.success());
    assert_all_exit(folder.path());
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

/// Sends a request without reading the response.
fn send_request(client: &mut Client, id: usize, method: &str, params: &Value) {
    let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    client.send(&request.to_string());
}

#[test]
fn slow_client_gets_every_response_and_the_newest_view() {
    let mut client = Client::start();
    client.pipe("over");
    let script = "printf 'ready\\n'; read x; i=0; while test $i -lt 3000; do i=$((i+1)); printf '\\r%s' $i; done; printf ' end'; echo > over; read x";
    let ready = json!({"type": "exact", "text": "ready"});
    send_request(&mut client, 0, "initialize", &json!({}));
    let launch = json!({"command": "sh", "args": ["-c", script], "readySelector": ready});
    send_request(&mut client, 1, "launch", &launch);
    let subscribe = json!({"debounceMs": 0, "includeText": true});
    send_request(&mut client, 2, "viewSubscribe", &subscribe);
    // Far more than a pipe holds, before the view changes.
    const LAST: usize = 203;
    for id in 3..LAST {
        send_request(&mut client, id, "currentView", &Value::Null);
    }
    send_request(&mut client, LAST, "sendKey", &json!({"key": "Enter"}));
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
    // The view changes 3000 times. Views that the client does not read in time are skipped.
    assert!(views.len() < 50, "{}", views.len());
}

#[test]
fn closed_stdout_ends_the_server_during_a_request() {
    let mut client = Client::start();
    client.pipe("begun");
    let script = STUBBORN_SCRIPT.replace("read line", "read line; echo > begun; read line");
    let selector = |text: &str| json!({"type": "exact", "text": text});
    let launch =
        json!({"command": "sh", "args": ["-c", script], "readySelector": selector("ready")});
    let never = json!({"selector": selector("never"), "timeoutMs": 3_600_000});
    // Notifications get no response, so the server cannot notice the closed pipe by a failed write.
    for (method, params) in [
        ("initialize", json!({})),
        ("launch", launch),
        ("sendKey", json!({"key": "Enter"})),
        ("waitForText", never),
    ] {
        client.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }
    client.wait_for_pipe("begun");
    // Stdin stays open.
    client.close_output();
    assert!(client.ended_unread().success());
    assert_all_exited(client.folder.path());
}
