//! Sessions over HTTP.

use std::time::Duration;

use screentest::clock::Clock;
use screentest_fixtures::flood::EXPENSIVE_SCRIPT;
use serde_json::json;

use super::client::Server;

#[test]
fn session_can_be_opened_driven_and_closed() {
    let server = Server::start();
    let opened = server.post(
        "/api/sessions",
        &json!({ "name": "edit", "command": ["vim", "-u", "NONE"], "cols": 60, "rows": 10 }),
    );
    assert_eq!(opened.status, 201, "{}", opened.text());
    assert_eq!(opened.header("location"), Some("/api/sessions/edit"));
    server.wait("edit", "~");
    for input in [
        json!({ "text": "ihello" }),
        json!({ "key": "Escape" }),
        json!({ "text": "yyp" }),
    ] {
        assert_eq!(server.post("/api/sessions/edit/input", &input).status, 204);
    }
    server.wait("edit", "hello");
    let resized = server.post(
        "/api/sessions/edit/resize",
        &json!({ "cols": 70, "rows": 12 }),
    );
    assert_eq!(resized.status, 204);
    let one = server.get("/api/sessions/edit").json();
    assert_eq!(
        (&one["cols"], &one["rows"], &one["running"]),
        (&json!(70), &json!(12), &json!(true))
    );
    assert_eq!(one["command"], json!(["vim", "-u", "NONE"]));
    let killed = server.post("/api/sessions/edit/signal", &json!({ "signal": "KILL" }));
    assert_eq!(killed.status, 204);
    server.call(
        "exitStatus",
        &json!({ "session": "edit", "timeoutMs": 20_000 }),
    );
    let ended = server.get("/api/sessions/edit").json();
    assert_eq!(ended["exit"], json!({ "code": null, "signal": "SIGKILL" }));
    assert_eq!(server.delete("/api/sessions/edit").status, 204);
    assert_eq!(server.get("/api/sessions/edit").status, 404);
    assert_eq!(
        server.get("/api/sessions").json(),
        json!({ "sessions": [] })
    );
}

/// The list of all sessions must not wait until the output of each is interpreted.
#[test]
fn listing_is_prompt_while_expensive_output_floods() {
    let server = Server::start();
    let names = ["one", "two", "three"];
    for name in names {
        let session = json!({
            "name": name,
            "command": ["sh", "-c", EXPENSIVE_SCRIPT],
            "cols": 200,
            "rows": 60,
        });
        assert_eq!(server.post("/api/sessions", &session).status, 201);
        server.wait(name, "EEEEE");
    }
    // A list that waits for the output of each session takes up to half a minute.
    let clock = Clock::system();
    for _ in 0..3 {
        let list = server.get("/api/sessions").json();
        assert_eq!(list["sessions"].as_array().unwrap().len(), 3);
    }
    for name in names {
        let path = format!("/api/sessions/{name}");
        assert_eq!(server.delete(&path).status, 204);
    }
    assert!(clock.now() < Duration::from_secs(15), "{:?}", clock.now());
}

#[test]
fn unnamed_session_is_named_after_its_program() {
    let server = Server::start();
    assert_eq!(server.open(&["cat"]), "cat");
    assert_eq!(server.open(&["/bin/cat"]), "cat-2");
    assert_eq!(server.open(&["sh", "-c", "cat"]), "sh");
}

#[test]
fn names_have_at_most_64_letters_of_any_script() {
    let server = Server::start();
    for (letter, count, status) in [
        ("x", 64, 201),
        ("é", 64, 201),
        ("日", 64, 201),
        ("é", 65, 400),
    ] {
        let name = letter.repeat(count);
        let answer = server.post(
            "/api/sessions",
            &json!({ "command": ["cat"], "name": name }),
        );
        assert_eq!(answer.status, status, "{name}: {}", answer.text());
    }
}

#[test]
fn invalid_sessions_are_rejected_and_leave_nothing() {
    let server = Server::with_options(&["--max-sessions", "1"]);
    for (body, words) in [
        (json!({}), "command"),
        (json!({ "command": [] }), "at least the name of a program"),
        (json!({ "command": "vim" }), "sequence"),
        (json!({ "command": ["no-such-program"] }), "no-such-program"),
        (json!({ "command": ["cat"], "cwd": "/nowhere" }), "/nowhere"),
        (json!({ "command": ["cat"], "cols": 0 }), "`0` columns"),
        (json!({ "command": ["cat"], "name": "../up" }), "../up"),
        (json!({ "command": ["cat"], "nam": "x" }), "nam"),
    ] {
        let answer = server.post("/api/sessions", &body);
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
        assert!(answer.error().contains(words), "{body}: {}", answer.error());
    }
    assert_eq!(
        server.get("/api/sessions").json(),
        json!({ "sessions": [] })
    );
    server.open(&["cat"]);
    let more = server.post("/api/sessions", &json!({ "command": ["cat"] }));
    assert_eq!(more.status, 429);
    assert!(more.error().contains("--max-sessions"), "{}", more.error());
}

#[test]
fn invalid_input_is_reported() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let path = format!("/api/sessions/{id}/input");
    for (body, words) in [
        (json!({ "key": "Entr" }), "Enter"),
        (json!({ "text": "a", "key": "b" }), "expected"),
        (
            json!({ "mouse": { "kind": "poke", "col": 1, "row": 1 } }),
            "poke",
        ),
        (json!([]), "expected"),
    ] {
        let answer = server.post(&path, &body);
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
        assert!(answer.error().contains(words), "{body}: {}", answer.error());
    }
    let long = json!({ "text": "x".repeat(2 << 20) });
    assert_eq!(server.post(&path, &long).status, 413);
    assert_eq!(server.ask("PUT", &path, &server.bearer(), b"").status, 405);
    assert_eq!(
        server
            .post("/api/sessions/none/input", &json!({ "text": "x" }))
            .status,
        404
    );
}

#[test]
fn waiting_request_does_not_block_others() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let waiting = server.connect();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "waitForText",
        "params": { "session": id, "selector": { "type": "exact", "text": "never" }, "timeoutMs": 60_000 } })
    .to_string();
    let head = format!(
        "POST /rpc HTTP/1.1\r\nHost: {}\r\n{}Content-Length: {}\r\n\r\n{body}",
        server.address,
        server.bearer(),
        body.len()
    );
    std::io::Write::write_all(&mut &waiting, head.as_bytes()).unwrap();
    assert_eq!(
        server
            .post(
                &format!("/api/sessions/{id}/input"),
                &json!({ "text": "hi" })
            )
            .status,
        204
    );
    server.wait(&id, "hi");
    drop(waiting);
    assert_eq!(server.delete(&format!("/api/sessions/{id}")).status, 204);
}

#[test]
fn idle_session_is_closed() {
    let server = Server::with_options(&["--idle-timeout", "0.2"]);
    let id = server.open(&["cat"]);
    // A viewer keeps the session open.
    let mut socket = server.socket(&format!("/api/sessions/{id}/stream"));
    assert!(socket.next_message().is_some());
    crate::harness::cli::wait_until("a viewer is listed", || {
        // Listing the sessions does not keep the session open.
        server.get("/api/sessions").json()["sessions"][0]["viewers"] == 1
    });
    drop(socket);
    crate::harness::cli::wait_until("it is closed", || {
        server.get("/api/sessions").json() == json!({ "sessions": [] })
    });
}
