//! MCP over HTTP: the official SDK, together with other clients of the same sessions.

use serde_json::json;

use super::client::Server;
use crate::harness::cli::{command_in, installed, project_path};

#[track_caller]
fn check(mode: &str) {
    let server = Server::start();
    let opening = json!({ "name": "theirs", "command": ["sh", "-c", "printf theirs; exec cat"] });
    assert_eq!(server.post("/api/sessions", &opening).status, 201);
    server.wait("theirs", "theirs");
    let opening = json!({ "name": "driven", "command": ["cat"] });
    assert_eq!(server.post("/api/sessions", &opening).status, 201);
    let mut driver = server.socket("/api/sessions/driven/stream");
    driver.send_json(&json!({ "take": { "channel": 0, "name": "Ada" } }));
    while driver.next_json()["driver"]["name"] != "Ada" {}

    let python = installed("target/mcp-sdk/bin/python", "`mcp` from PyPI");
    let script = project_path("crates/cli/tests/it/web/mcp/sdk_client.py");
    let words = [&script, &server.address, &server.touch, &server.look, mode];
    let said = command_in(server.folder.path(), &python, words);
    assert_eq!(
        said,
        "\
tools: 7
typed: True
theirs: True
looks: True
trouble: tui_act needs full access, but your token is read-only
next: use tui_look, tui_expect, tui_extract or tui_sessions, or ask for another token
trouble: Ada has control of the session: try again after they release it
next: tui_look shows what they do
closed main; its program was: running
"
    );
}

#[test]
fn official_sdk_drives_sessions_over_http() {
    check("auto");
}

#[test]
fn official_sdk_works_with_the_legacy_protocol() {
    check("legacy");
}

#[test]
fn owner_does_not_wait_for_calls_of_read_only_clients() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let expect = json!({ "name": "tui_expect",
        "arguments": { "session": id, "text": "done", "timeout_ms": 60_000 } });
    let look = json!({ "name": "tui_look", "arguments": { "session": id } });
    std::thread::scope(|scope| {
        let expected = scope.spawn(|| server.mcp_as(&server.look, "tools/call", &expect));
        // The call above begins during one of these.
        for _ in 0..100 {
            server.mcp("tools/call", &look);
        }
        let path = format!("/api/sessions/{id}/input");
        let typed = server.post(&path, &json!({ "text": "done", "autoWait": false }));
        assert_eq!(typed.status, 204);
        let answer = expected.join().unwrap().json();
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    });
}

#[test]
fn mcp_requests_need_a_token() {
    let server = Server::start();
    let json = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    let hello = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(server.ask("POST", "/mcp", json, hello).status, 401);
    let foreign = format!("{json}{}Origin: http://evil.example\r\n", server.bearer());
    assert_eq!(server.ask("POST", "/mcp", &foreign, hello).status, 403);
}
