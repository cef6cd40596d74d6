//! Who comes in, and from where.

use serde_json::json;

use super::client::Server;

#[test]
fn nobody_comes_in_without_a_token() {
    let server = Server::start();
    for path in [
        "/",
        "/api/sessions",
        "/metrics",
        "/rpc",
        "/api/stream",
        "/nothing",
    ] {
        let answer = server.ask("GET", path, "", b"");
        assert_eq!(answer.status, 401, "{path}");
    }
    let backwards: String = server.touch.chars().rev().collect();
    let wrong = format!("Authorization: Bearer {backwards}\r\n");
    let answer = server.ask("GET", "/api/sessions", &wrong, b"");
    assert_eq!(answer.status, 401);
    assert!(answer.error().contains("Authorization: Bearer TOKEN"));
    assert_eq!(server.ask("GET", "/healthz", "", b"").status, 200);
}

#[test]
fn guessing_is_slowed_down_and_others_are_not() {
    let server = Server::start();
    let guess = |n: u32| {
        let header = format!("Authorization: Bearer guess{n:020}\r\n");
        server.ask("GET", "/api/sessions", &header, b"").status
    };
    let refused = (0..100).filter(|n| guess(*n) == 429).count();
    assert!(refused > 50, "{refused} of 100 were slowed down");
    assert_eq!(server.get("/api/sessions").status, 200);
}

#[test]
fn a_link_becomes_a_cookie_once() {
    let server = Server::start();
    let path = server
        .link
        .split_once(&server.address)
        .unwrap()
        .1
        .to_owned();
    let entered = server.ask("GET", &path, "", b"");
    assert_eq!(entered.status, 200);
    let cookie = entered.header("set-cookie").unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    assert!(
        !cookie.contains(&server.touch),
        "the token itself stays here"
    );
    let cookie = format!("Cookie: other=1; {}\r\n", cookie.split(';').next().unwrap());
    assert_eq!(server.ask("GET", "/", &cookie, b"").status, 200);
    assert_eq!(server.ask("GET", "/api/sessions", &cookie, b"").status, 200);
    // Who has the cookie acts from our own page alone.
    let body = json!({ "command": ["cat"] }).to_string();
    let post = |origin: &str| {
        let headers = format!("{cookie}{origin}Content-Type: application/json\r\n");
        server
            .ask("POST", "/api/sessions", &headers, body.as_bytes())
            .status
    };
    assert_eq!(post(""), 403);
    assert_eq!(post("Origin: http://evil.example\r\n"), 403);
    assert_eq!(post(&format!("Origin: http://{}\r\n", server.address)), 201);
    // The link was used.
    let again = server.ask("GET", &path, "", b"");
    assert_eq!(again.status, 401);
    assert!(again.error().contains("used already"), "{}", again.error());
}

#[test]
fn a_foreign_host_or_page_is_turned_away_with_the_right_token_too() {
    let server = Server::start();
    let ask = |header: &str| {
        let headers = format!("{}{header}", server.bearer());
        server.ask("GET", "/api/sessions", &headers, b"").status
    };
    assert_eq!(ask("Host: evil.example\r\n"), 421);
    assert_eq!(ask("Origin: http://evil.example\r\n"), 403);
    assert_eq!(ask("Origin: null\r\n"), 403);
    assert_eq!(ask(&format!("Origin: http://{}\r\n", server.address)), 200);
    let token = server.touch.clone();
    let foreign = server.socket_as("/api/stream", &token, &[("Origin", "http://evil.example")]);
    assert!(foreign.is_err(), "no page of another place opens a socket");
}

#[test]
fn who_may_look_does_not_touch() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let look = format!(
        "Authorization: Bearer {}\r\nContent-Type: application/json\r\n",
        server.look
    );
    let ask =
        |method: &str, path: &str, body: &str| server.ask(method, path, &look, body.as_bytes());
    assert_eq!(ask("GET", "/api/sessions", "").status, 200);
    assert_eq!(
        ask("GET", &format!("/api/sessions/{id}/buffer"), "").status,
        200
    );
    let text = json!({ "text": "x" }).to_string();
    assert_eq!(
        ask("POST", &format!("/api/sessions/{id}/input"), &text).status,
        403
    );
    assert_eq!(
        ask("DELETE", &format!("/api/sessions/{id}"), "").status,
        403
    );
    let opening = json!({ "command": ["cat"] }).to_string();
    assert_eq!(ask("POST", "/api/sessions", &opening).status, 403);
    let rpc = |method: &str, params| {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        ask("POST", "/rpc", &body.to_string()).json()
    };
    assert!(rpc("cursor", json!({})).get("result").is_some());
    assert_eq!(
        rpc("sendText", json!({ "text": "x" }))["error"]["code"],
        -32003
    );
    // What reads files is more than looking at sessions.
    let files = json!({ "leftPath": "tokens", "rightPath": "tokens", "includeDiff": true });
    assert_eq!(rpc("diffView", files)["error"]["code"], -32003);
    assert_eq!(ask("POST", "/api/login-link", "").status, 403);
    let batch = json!({ "steps": [{ "method": "sendText", "params": { "text": "x" } }] });
    assert_eq!(rpc("batch", batch)["result"]["error"]["code"], -32003);
    let mut socket = server.socket_as("/api/stream", &server.look, &[]).unwrap();
    socket.say(&json!({ "subscribe": { "channel": 1, "session": id } }));
    socket.say(&json!({ "take": { "channel": 1, "name": "me" } }));
    loop {
        let told = socket.told();
        if let Some(refused) = told.get("refused") {
            assert!(
                refused["error"].as_str().unwrap().contains("read-only access"),
                "{told}"
            );
            break;
        }
    }
    // What nobody may is not done by the owner's token either.
    let server = Server::with(&["--read-only"]);
    assert_eq!(
        server
            .post("/api/sessions", &json!({ "command": ["cat"] }))
            .status,
        403
    );
}

#[test]
fn every_answer_tells_a_browser_what_it_may() {
    let server = Server::start();
    for answer in [
        server.get("/"),
        server.get("/api/sessions"),
        server.get("/nothing"),
    ] {
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert!(answer.header("access-control-allow-origin").is_none());
    }
    assert_eq!(server.get("/nothing").status, 404);
}

#[test]
fn who_has_the_right_link_comes_in_however_many_guess() {
    let server = Server::start();
    let guess = || server.ask("GET", "/login?code=0", "", b"").status;
    while guess() != 429 {}
    let (_, path) = server.link.split_once(&server.address).unwrap();
    assert_eq!(server.ask("GET", path, "", b"").status, 200);
    assert_ne!(server.ask("GET", path, "", b"").status, 200, "it was used");
}
