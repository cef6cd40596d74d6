//! Content of a recording: requests, responses, notifications and frames.

use serde_json::{Value, json};

use super::client::Client;

/// Returns direction and line of each event of a recording.
fn events(client: &Client, name: &str) -> Vec<(String, String)> {
    let mut recording = client.folder.read(name);
    // The last line may be incomplete.
    let whole = recording.iter().rposition(|byte| *byte == b'\n');
    recording.truncate(whole.map_or(0, |end| end + 1));
    let recording = String::from_utf8(recording).unwrap();
    let mut last = 0;
    let events = recording.lines().map(|line| {
        let event: Value = serde_json::from_str(line).unwrap();
        let time = event["timestampMicros"].as_u64().unwrap();
        assert!(time >= last, "{line}");
        last = time;
        let text = |field: &str| event[field].as_str().unwrap().to_owned();
        (text("direction"), text("line"))
    });
    events.collect()
}

#[test]
fn recording_contains_requests_responses_notifications_and_frames() {
    let mut client = Client::start();
    client.launch("stty -echo; printf 'ready\\n'; while read x; do printf '\\033[?2026h\\033[H%s\\033[J\\033[?2026l' \"$x\"; done");
    client.done(
        "recording.start",
        &json!({"path": "a/b/demo.jsonl", "frameIntervalMs": 1}),
    );
    client.done("viewSubscribe", &json!({"debounceMs": 0}));
    let words = ["one", "two", "three"];
    for word in words {
        client.done(
            "sendLine",
            &json!({"text": word, "expectAfter": {"type": "exact", "text": word}}),
        );
        // Waits until the recording has a frame with this word, so that each word is in a separate
        // frame.
        loop {
            let shown = events(&client, "a/b/demo.jsonl");
            if shown
                .iter()
                .any(|(direction, line)| direction.starts_with("frame") && line.contains(word))
            {
                break;
            }
            client.done("server.ping", &json!({}));
        }
    }
    client.done("recording.stop", &json!({}));
    let events = events(&client, "a/b/demo.jsonl");
    let first = &events[0];
    assert_eq!(first.0, "response");
    assert!(first.1.contains("\"frameIntervalMs\":1"), "{first:?}");
    let mut requests = events
        .iter()
        .filter(|(direction, _)| direction == "request");
    let last = requests.next_back().unwrap();
    assert!(last.1.contains("recording.stop"), "{last:?}");
    assert!(
        events
            .iter()
            .any(|(direction, line)| direction == "notification" && line.contains("view.changed"))
    );
    // Each delta applies to the screen before it.
    let mut lines: Vec<String> = Vec::new();
    let mut shown = Vec::new();
    for (direction, line) in &events {
        match direction.as_str() {
            "frame" => lines = line.split('\n').map(str::to_owned).collect(),
            "frame-delta" => screentest_server::recording::apply_frame_delta(&mut lines, line),
            _ => continue,
        }
        assert_eq!(lines.len(), 5);
        shown.push(lines.join("\n").trim_end().to_owned());
    }
    shown.dedup();
    assert_eq!(shown, ["ready", "one", "two", "three"]);
}

#[test]
fn recording_can_be_replayed_and_can_omit_frames() {
    let mut client = Client::start();
    client.launch("echo ready; exec cat");
    client.done(
        "recording.start",
        &json!({"path": "keys.jsonl", "frameIntervalMs": 0}),
    );
    client.done("sendText", &json!({"text": "ab"}));
    client.done("sendKey", &json!({"key": "Enter"}));
    client.done("recording.stop", &json!({}));
    assert!(
        events(&client, "keys.jsonl")
            .iter()
            .all(|(direction, _)| !direction.starts_with("frame"))
    );
    let replayed = client.done(
        "replay",
        &json!({"path": "keys.jsonl", "speed": "real-time"}),
    );
    assert_eq!(replayed["replayedRequests"], 3);
    let twice = json!({"selector": {"type": "nth", "index": 3, "selector": {"type": "exact", "text": "ab"}}});
    client.done("expectVisible", &twice);
    // A recording in progress cannot be replayed. A recording that replays itself fails instead of
    // running forever.
    client.done(
        "recording.start",
        &json!({"path": "loop.jsonl", "frameIntervalMs": 0}),
    );
    let looped = client.ask("replay", &json!({"path": "./loop.jsonl"}));
    let details = looped["error"]["data"]["details"].as_str().unwrap();
    assert!(details.contains("it is being recorded"), "{details}");
    client.done("recording.stop", &json!({}));
    let looped = client.ask("replay", &json!({"path": "loop.jsonl"}));
    let details = looped["error"]["data"]["details"].as_str().unwrap();
    assert!(details.contains("replay step failed (replay)"), "{details}");
}

#[test]
fn replayed_requests_do_not_change_the_recording() {
    let mut client = Client::start();
    client.launch("echo ready; exec cat");
    client.done("recording.start", &json!({"path": "first.jsonl"}));
    client.done("recording.start", &json!({"path": "second.jsonl"}));
    let stop = json!({"steps": [{"method": "recording.stop"}]});
    client.done("batch", &stop);
    client.done("recording.start", &json!({"path": "third.jsonl"}));
    for recorded in ["first.jsonl", "second.jsonl"] {
        let replayed = client.done("replay", &json!({"path": recorded}));
        assert_eq!(replayed["replayedRequests"], 1);
    }
    let status = client.done("recording.status", &json!({}));
    assert_eq!(status["active"], true);
    assert!(
        status["path"].as_str().unwrap().ends_with("third.jsonl"),
        "{status}"
    );
}

#[test]
fn recording_has_responses_and_notifications_in_the_order_sent() {
    let mut client = Client::start();
    client.launch("stty -echo; printf 'ready\n'; exec cat");
    client.done(
        "viewSubscribe",
        &json!({"debounceMs": 0, "includeText": true}),
    );
    client.send(r#"{"jsonrpc":"2.0","id":"on","method":"recording.start","params":{"path":"order.jsonl","frameIntervalMs":0}}"#);
    for number in 0..300 {
        let line = json!({"jsonrpc": "2.0", "id": number, "method": "sendLine", "params": {"text": number.to_string()}});
        client.send(&line.to_string());
    }
    client.send(r#"{"jsonrpc":"2.0","id":"off","method":"recording.stop"}"#);
    let (mut read, mut on) = (Vec::new(), false);
    loop {
        let line = client.line();
        let message: Value = serde_json::from_str(&line).unwrap();
        on |= message["id"] == "on";
        if message["id"] == "off" {
            break;
        }
        if on {
            read.push(line);
        }
    }
    let recorded: Vec<String> = events(&client, "order.jsonl")
        .into_iter()
        .filter(|(direction, _)| direction != "request")
        .map(|(_, line)| line)
        .collect();
    // Notifications between the end of the recording and the response are not recorded.
    assert!(recorded.len() > 300 && recorded.len() <= read.len());
    assert_eq!(recorded, read[..recorded.len()]);
    let answers = |lines: &[String]| lines.iter().filter(|line| line.contains("\"id\"")).count();
    assert_eq!(answers(&recorded), 301);
}

#[test]
fn unwritable_recording_is_reported_and_changes_nothing_else() {
    let mut client = Client::start();
    client.launch("echo ready; exec cat");
    // Opening a pipe without a reader must not block the server.
    client.pipe("pipe");
    for path in ["artifacts", "pipe", "/dev/null"] {
        let answer = client.ask("recording.start", &json!({"path": path}));
        assert_eq!(answer["error"]["code"], -32004, "{answer}");
        let details = answer["error"]["data"]["details"].as_str().unwrap();
        assert!(details.contains("is not a file"), "{details}");
    }
    // A kernel file that accepts only numbers.
    let path = "/proc/self/oom_score_adj";
    client.done(
        "recording.start",
        &json!({"path": path, "frameIntervalMs": 1}),
    );
    client.done("sendText", &json!({"text": "ab"}));
    let status = client.done("recording.status", &json!({}));
    assert_eq!(status["active"], false);
    assert!(
        status["error"].as_str().unwrap().contains("oom_score_adj"),
        "{status}"
    );
    let stopped = client.ask("recording.stop", &json!({}));
    assert_eq!(stopped["error"]["code"], -32004, "{stopped}");
    client.done("recording.stop", &json!({}));
}
