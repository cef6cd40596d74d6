//! However the server ends, nothing that it started stays, and nothing that was asked before is lost.

use std::path::Path;
use std::thread;

use serde_json::{Value, json};

use super::client::{Client, SOON};

/// Notes its own process and one in the background that ignores being asked to leave.
const STAYS: &str = "\
    echo $$ > pids
    sh -c 'trap \"\" HUP TERM; echo $$ >> pids; mv pids both; while :; do sleep 100; done' &
    while ! test -e both; do :; done
    printf ready
    read line";

/// Whether a process is gone, once it has had the time to go.
#[track_caller]
fn assert_gone(folder: &Path) {
    let pids = std::fs::read_to_string(folder.join("both")).unwrap();
    assert_eq!(pids.lines().count(), 2);
    for pid in pids.lines() {
        let process = Path::new("/proc").join(pid);
        let clock = screentest::Clock::system();
        // Who was killed with -9 could not wait for the others: its guardian ends them a moment later.
        while process.exists() {
            assert!(clock.now() < SOON, "{pid} is still there");
            thread::yield_now();
        }
    }
}

fn kill(signal: &str, pid: u32) {
    let pid = pid.to_string();
    crate::tool::command("kill", [format!("-{signal}"), pid]);
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
        assert_gone(folder.path());
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
    let rest = client.rest();
    assert_eq!(rest, [""; 0]);
    let (_, status, folder) = client.end();
    assert!(status.success(), "{status}");
    assert_gone(folder.path());
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
    assert_gone(folder.path());
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
    assert_gone(folder.path());
    let recording = String::from_utf8(folder.read("cut.jsonl")).unwrap();
    let (lines, cut) = recording.rsplit_once('\n').unwrap();
    assert!(cut.is_empty() || recording.len() > 4096, "{cut}");
    let mut requests = 0;
    for line in lines.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        requests += usize::from(event["direction"] == "request");
    }
    assert!(requests >= 40, "{requests}");
}

#[test]
fn a_client_that_reads_late_gets_every_answer_and_the_newest_view() {
    let mut client = Client::start();
    client.launch("printf 'ready\\n'; i=0; while test $i -lt 3000; do i=$((i+1)); printf '\\r%s' $i; done; printf ' end'; read x");
    client.done(
        "viewSubscribe",
        &json!({"debounceMs": 0, "includeText": true}),
    );
    client.done(
        "waitForText",
        &json!({"selector": {"type": "exact", "text": "end"}}),
    );
    for id in 5000..5100 {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "currentView"}).to_string());
    }
    client.hang_up();
    let messages: Vec<Value> = client
        .rest()
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let answers = messages
        .iter()
        .filter(|message| message.get("id").is_some());
    assert_eq!(answers.count(), 100);
}

#[test]
fn output_that_nobody_takes_ends_the_server() {
    let mut client = Client::start();
    client.launch(STAYS);
    let pid = client.pid();
    drop(client);
    let process = Path::new("/proc").join(pid.to_string());
    let clock = screentest::Clock::system();
    // Nobody waits for it, so that a zombie is all that is left.
    let gone = || {
        let status = std::fs::read_to_string(process.join("stat"));
        status.is_err() || status.is_ok_and(|stat| stat.contains(") Z "))
    };
    while !gone() {
        assert!(clock.now() < SOON, "{pid} is still there");
        thread::yield_now();
    }
}
