//! Authentication and origin checks.

use serde_json::json;

use super::client::Server;

#[test]
fn requests_without_a_token_are_rejected() {
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
fn token_guessing_is_slowed_down_for_the_guesser_only() {
    let server = Server::start();
    let guess = |n: u32| {
        let header = format!("Authorization: Bearer guess{n:020}\r\n");
        server.ask("GET", "/api/sessions", &header, b"").status
    };
    let refused = (0..100).filter(|n| guess(*n) == 429).count();
    assert!(refused > 50, "{refused} of 100 guesses got 429");
    assert_eq!(server.get("/api/sessions").status, 200);
}

#[test]
fn login_link_sets_a_cookie_once() {
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
        "the cookie must not contain the token"
    );
    let cookie = format!("Cookie: other=1; {}\r\n", cookie.split(';').next().unwrap());
    assert_eq!(server.ask("GET", "/", &cookie, b"").status, 200);
    assert_eq!(server.ask("GET", "/api/sessions", &cookie, b"").status, 200);
    // With a cookie, a POST request is accepted only from our own page.
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
    // The link is used up.
    let again = server.ask("GET", &path, "", b"");
    assert_eq!(again.status, 401);
    assert!(again.error().contains("used already"), "{}", again.error());
}

#[test]
fn foreign_host_or_origin_is_rejected_even_with_a_token() {
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
    assert!(foreign.is_err(), "a foreign origin must not open a socket");
}

#[test]
fn look_token_cannot_type_or_open() {
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
    // Methods that read files need more than the look role.
    let files = json!({ "leftPath": "tokens", "rightPath": "tokens", "includeDiff": true });
    assert_eq!(rpc("diffView", files)["error"]["code"], -32003);
    assert_eq!(ask("POST", "/api/login-link", "").status, 403);
    let batch = json!({ "steps": [{ "method": "sendText", "params": { "text": "x" } }] });
    assert_eq!(rpc("batch", batch)["result"]["error"]["code"], -32003);
    let mut socket = server.socket_as("/api/stream", &server.look, &[]).unwrap();
    socket.send_json(&json!({ "subscribe": { "channel": 1, "session": id } }));
    socket.send_json(&json!({ "take": { "channel": 1, "name": "me" } }));
    loop {
        let message = socket.next_json();
        if let Some(refused) = message.get("refused") {
            assert!(
                refused["error"]
                    .as_str()
                    .unwrap()
                    .contains("read-only access"),
                "{message}"
            );
            break;
        }
    }
    // With `--read-only`, the owner's token is limited as well.
    let server = Server::with_options(&["--read-only"]);
    assert_eq!(
        server
            .post("/api/sessions", &json!({ "command": ["cat"] }))
            .status,
        403
    );
}

#[test]
fn each_response_has_security_headers() {
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
fn login_link_works_while_others_guess() {
    let server = Server::start();
    let guess = || server.ask("GET", "/login?code=0", "", b"").status;
    while guess() != 429 {}
    let (_, path) = server.link.split_once(&server.address).unwrap();
    assert_eq!(server.ask("GET", path, "", b"").status, 200);
    assert_ne!(
        server.ask("GET", path, "", b"").status,
        200,
        "the link works once"
    );
}

#[test]
fn head_request_does_not_use_up_a_login_link() {
    let server = Server::start();
    let (_, path) = server.link.split_once(&server.address).unwrap();
    let head = server.ask("HEAD", path, "", b"");
    assert_eq!(head.status, 200);
    assert!(head.header("set-cookie").is_none());
    let entered = server.ask("GET", path, "", b"");
    assert_eq!(entered.status, 200, "{}", entered.text());
    assert!(entered.header("set-cookie").is_some());
}

#[test]
fn every_cookie_of_our_name_is_checked() {
    let server = Server::start();
    let (_, path) = server.link.split_once(&server.address).unwrap();
    let entered = server.ask("GET", path, "", b"");
    let cookie = entered.header("set-cookie").unwrap().split(';').next();
    let cookie = cookie.unwrap();
    let (name, _) = cookie.split_once('=').unwrap();
    let status = |cookies: &str| {
        server
            .ask("GET", "/api/sessions", &format!("{cookies}\r\n"), b"")
            .status
    };
    // Another server on this host set a cookie of the same name.
    assert_eq!(status(&format!("Cookie: {name}=theirs; {cookie}")), 200);
    assert_eq!(status(&format!("Cookie: {cookie}; {name}=theirs")), 200);
    assert_eq!(
        status(&format!("Cookie: {name}=theirs\r\nCookie: {cookie}")),
        200
    );
    assert_eq!(status(&format!("Cookie: {name}=theirs; {name}=")), 401);
}

#[test]
fn origin_must_be_the_requested_host() {
    let server = Server::with_options(&["--allow-host", "box.example"]);
    let (_, port) = server.address.rsplit_once(':').unwrap();
    let status = |host: &str, origin: &str| {
        let headers = format!("{}Host: {host}\r\nOrigin: {origin}\r\n", server.bearer());
        server.ask("GET", "/api/sessions", &headers, b"").status
    };
    let (number, local) = (&server.address, &format!("localhost:{port}"));
    assert_eq!(status(number, &format!("http://{number}")), 200);
    assert_eq!(status(local, &format!("http://{local}")), 200);
    assert_eq!(status("box.example", "https://box.example"), 200);
    // These are names of this server, but other origins.
    assert_eq!(status(number, &format!("http://{local}")), 403);
    assert_eq!(status(number, "https://box.example"), 403);
    assert_eq!(status("box.example", &format!("http://{number}")), 403);
}

#[test]
fn requests_addressed_to_another_server_are_refused() {
    let server = Server::start();
    let status = |target: &str| server.ask("GET", target, &server.bearer(), b"").status;
    let own = format!("http://{}/api/sessions", server.address);
    assert_eq!(status(&own), 200);
    for target in [
        "http://evil.example/api/sessions",
        "https://evil.example:443/api/sessions",
        &format!("http://user@{}/api/sessions", server.address),
        &format!("http://{}.evil.example/api/sessions", server.address),
    ] {
        assert_eq!(status(target), 421, "{target}");
    }
}
