//! Limits on read-only clients, and room for the owner.

use std::fs;
use std::io::{Read, Write};

use serde_json::json;

use super::client::{Server, Socket};
use crate::harness::processes::peak_memory;

/// Maximum number of WebSockets of read-only clients.
const MAX_SOCKETS: usize = 256;

/// Maximum size of a request body of a read-only client, in bytes.
const MAX_BODY: usize = 64 << 10;

/// Maximum number of streams of read-only clients.
const MAX_STREAMS: usize = 1024;

/// Returns the number of threads of a process.
fn threads(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/task")).unwrap().count()
}

fn as_reader(server: &Server) -> String {
    format!(
        "Authorization: Bearer {}\r\nContent-Type: application/json\r\n",
        server.look
    )
}

#[test]
fn subscriptions_need_no_threads() {
    let server = Server::start();
    let ids: Vec<String> = (0..10).map(|_| server.open(&["cat"])).collect();
    let before = threads(server.child.id());
    let mut sockets: Vec<Socket> = Vec::new();
    for _ in 0..8 {
        let mut socket = server.socket_as("/rpc", &server.look, &[]).unwrap();
        for id in &ids {
            let params = json!({ "session": id, "includeText": true });
            socket.send_json(
                &json!({ "jsonrpc": "2.0", "id": id, "method": "viewSubscribe", "params": params }),
            );
            while socket.next_json()["id"] != json!(id) {}
        }
        sockets.push(socket);
    }
    // There are 80 subscriptions. Only requests that run at the same time need threads.
    let more = threads(server.child.id()) - before;
    assert!(more < 40, "{more} more threads");
    let path = format!("/api/sessions/{}/input", ids[9]);
    server.post(&path, &json!({ "text": "news" }));
    for socket in &mut sockets {
        while !socket.next_json().to_string().contains("news") {}
    }
}

#[test]
fn sockets_of_read_only_clients_leave_room_for_the_owner() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let path = format!("/api/sessions/{id}/stream");
    let open = || server.socket_as(&path, &server.look, &[]);
    let mut sockets: Vec<Socket> = (0..MAX_SOCKETS).map(|_| open().unwrap()).collect();
    let refused = open().err().expect("one socket too many is refused");
    let tungstenite::Error::Http(response) = *refused else {
        panic!("{refused}");
    };
    assert_eq!(response.status(), 429);
    let body = String::from_utf8(response.body().clone().unwrap_or_default()).unwrap();
    assert!(
        body.contains("the 256 WebSockets of read-only clients are in use"),
        "{body}"
    );
    drop(server.socket(&path));
    // A closed socket is free again.
    sockets.pop();
    crate::harness::cli::wait_until("a socket is free", || open().is_ok());
}

#[test]
fn streams_of_read_only_clients_are_limited() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let mut sockets: Vec<Socket> = Vec::new();
    for _ in 0..MAX_STREAMS / 512 {
        let mut socket = server.socket_as("/api/stream", &server.look, &[]).unwrap();
        for channel in 0..512 {
            socket.send_json(&json!({ "subscribe": { "channel": channel, "session": id } }));
        }
        sockets.push(socket);
    }
    let mut last = server.socket_as("/api/stream", &server.look, &[]).unwrap();
    // Subscribes, and returns the error if the request is refused.
    let subscribe = |socket: &mut Socket, channel: u32| {
        let subscription = json!({ "channel": channel, "session": id, "rate": 5 });
        socket.send_json(&json!({ "subscribe": subscription }));
        socket.send_json(&json!({ "release": { "channel": 999 } }));
        let mut refused = None;
        loop {
            let told = socket.next_json();
            let channel = told.pointer("/refused/channel");
            match channel.and_then(serde_json::Value::as_u64) {
                Some(999) => return refused,
                Some(_) => refused = told.pointer("/refused/error").cloned(),
                None => {}
            }
        }
    };
    // Until the server has read all requests above, this one may still be accepted.
    let refused = (0..).find_map(|channel| subscribe(&mut last, channel));
    assert_eq!(
        refused.unwrap(),
        "the 1024 streams of read-only clients are in use: wait until one is free"
    );
    // A subscription can still be changed.
    assert_eq!(subscribe(&mut sockets[0], 0), None);
    let mut owner = server.socket("/api/stream");
    owner.send_json(&json!({ "subscribe": { "channel": 1, "session": id } }));
    assert_eq!(owner.next_json()["driver"]["channel"], 1);
}

#[test]
fn bodies_and_messages_of_read_only_clients_are_short() {
    let server = Server::start();
    let padded = |length: usize| {
        let request = r#"{"jsonrpc":"2.0","id":1,"method":"server.ping"}"#;
        format!("{request}{}", " ".repeat(length - request.len()))
    };
    let post = |length: usize| {
        let body = padded(length);
        server.ask("POST", "/rpc", &as_reader(&server), body.as_bytes())
    };
    assert_eq!(post(MAX_BODY).status, 200);
    let refused = post(MAX_BODY + 1);
    assert_eq!(refused.status, 413);
    assert!(
        refused
            .error()
            .contains("65536 bytes, the limit for read-only clients"),
        "{}",
        refused.error()
    );
    let bearer = server.bearer();
    let long = padded(MAX_BODY + 1);
    assert_eq!(
        server.ask("POST", "/rpc", &bearer, long.as_bytes()).status,
        200
    );
    let mut socket = server.socket_as("/rpc", &server.look, &[]).unwrap();
    socket.send_text(&padded(MAX_BODY));
    assert_eq!(socket.next_json()["result"]["pong"], true);
    socket.send_text(&padded(MAX_BODY + 1));
    assert!(socket.is_closed_by_server());
}

#[test]
fn one_batch_of_a_read_only_client_takes_little_memory() {
    let server = Server::start();
    let script = "i=0; while [ $i -lt 12000 ]; do printf '%079d\\n' $i; i=$((i+1)); done; printf ready; exec cat";
    let id = server.open(&["sh", "-c", script]);
    server.wait(&id, "ready");
    let step = json!({ "method": "currentState", "params": { "scrollback": 10_000 } });
    let params = json!({ "session": id, "steps": vec![step; 400] });
    let batch = json!({ "jsonrpc": "2.0", "id": 1, "method": "batch", "params": params });
    let body = batch.to_string();
    assert!(body.len() < MAX_BODY);
    let answer = server.ask("POST", "/rpc", &as_reader(&server), body.as_bytes());
    let result = &answer.json()["result"];
    assert_eq!(result["ok"], false);
    assert!(result["errorStep"].as_u64().unwrap() > 2);
    assert!(answer.body.len() < (16 << 20) + 4096);
    let peak = peak_memory(server.child.id());
    assert!(peak < 512 << 20, "{} MiB", peak >> 20);
    assert_eq!(server.get("/api/sessions").status, 200);
}

#[test]
fn small_answers_in_batches_of_read_only_clients_share_their_memory() {
    let server = Server::start();
    let script = "i=0; while [ $i -lt 239 ]; do printf '%0239d\\n' $i; i=$((i+1)); done; printf ready; exec cat";
    let command = ["sh", "-c", script];
    let opening = json!({ "name": "big", "cols": 240, "rows": 240, "command": command });
    assert_eq!(server.post("/api/sessions", &opening).status, 201);
    server.wait("big", "ready");
    // Twelve batches of 14 MB, which are kept until the last step is done.
    let view = json!({ "method": "currentView" });
    let mut steps = vec![view; 250];
    let wait = json!({ "selector": { "type": "exact", "text": "never" }, "timeoutMs": 300_000 });
    steps.push(json!({ "method": "waitForText", "params": wait }));
    let params = json!({ "session": "big", "steps": steps });
    let batch = json!({ "jsonrpc": "2.0", "id": 1, "method": "batch", "params": params });
    let body = batch.to_string();
    let head = format!(
        "POST /rpc HTTP/1.1\r\nHost: {}\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n",
        server.address,
        as_reader(&server),
        body.len()
    );
    let (sender, answers) = std::sync::mpsc::channel();
    for _ in 0..12 {
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let sender = sender.clone();
        std::thread::spawn(move || {
            let mut answer = Vec::new();
            // The connection breaks when the test ends.
            let _ = stream.read_to_end(&mut answer);
            let _ = sender.send(answer);
        });
    }
    let first = answers.recv().unwrap();
    let last = String::from_utf8_lossy(&first[first.len().saturating_sub(500)..]);
    assert!(
        last.contains("other answers use all of the 128 MiB"),
        "{last}"
    );
}

#[test]
fn list_shortens_long_commands() {
    let server = Server::start();
    let long = format!(": {}; exec cat", "é".repeat(50_000));
    let id = server.open(&["sh", "-c", &long]);
    let shown = server.get(&format!("/api/sessions/{id}")).json();
    let script = shown["command"][2].as_str().unwrap();
    assert!(
        script.starts_with(": éé") && script.ends_with('…'),
        "{script}"
    );
    assert!(script.chars().count() < 4100);
}

#[test]
fn session_names_with_control_characters_are_refused() {
    let server = Server::start();
    for key in ["\u{1b}]0;x\u{7}", "a\nb", "..", &"k".repeat(129)] {
        let answer = server.rpc("initialize", &json!({ "session": key }));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let arguments = json!({ "session": key, "command": "cat" });
        let call = json!({ "name": "tui_launch", "arguments": arguments });
        let answer = server.mcp("tools/call", &call);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let said = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(said.contains("1 to 128 printable characters"), "{said}");
    }
    assert_eq!(
        server.get("/api/sessions").json(),
        json!({ "sessions": [] })
    );
}
