//! JSON-RPC over HTTP and over a WebSocket.

use serde_json::json;

use super::client::Server;

#[test]
fn http_body_is_one_request() {
    let server = Server::start();
    let answer = server.rpc("server.ping", &json!({}));
    assert_eq!(answer["result"]["pong"], true);
    let answer = server.rpc("sevrer.ping", &json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    let headers = server.bearer();
    let answer = server.ask("POST", "/rpc", &headers, b"{nonsense");
    assert_eq!(answer.json()["error"]["code"], -32700);
    let notification = json!({ "jsonrpc": "2.0", "method": "server.ping" });
    assert_eq!(server.post("/rpc", &notification).status, 204);
    assert_eq!(server.get("/rpc").status, 400);
}

#[test]
fn socket_answers_in_order_except_cancel() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let mut socket = server.socket("/rpc");
    let request = |id: u32, method: &str, params| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let wait = json!({ "session": id, "selector": { "type": "exact", "text": "never" }, "timeoutMs": 60_000 });
    socket.send_json(&request(1, "waitForText", wait));
    socket.send_json(&request(2, "server.ping", json!({})));
    socket.send_json(&request(3, "cancel", json!({ "id": 1 })));
    let mut answers = [socket.next_json(), socket.next_json(), socket.next_json()];
    // The cancelled wait is answered before the request after it. The response to `cancel` may come
    // before or after both.
    let place = |id: u32| answers.iter().position(|answer| answer["id"] == id);
    assert!(place(1) < place(2), "{answers:?}");
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers[0]["error"]["code"], -32800);
    assert_eq!(answers[1]["result"]["pong"], true);
    assert_eq!(answers[2]["result"]["cancelled"], true);
}

#[test]
fn request_can_be_cancelled_after_another_with_its_id_is_done() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let mut socket = server.socket("/rpc");
    let request = |id: &str, method: &str, params| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    for text in ["first", "never"] {
        let selector = json!({ "type": "exact", "text": text });
        let wait = json!({ "session": id, "selector": selector, "timeoutMs": 10_000 });
        socket.send_json(&request("same", "waitForText", wait));
    }
    // The response to this one shows that the server has read both.
    socket.send_json(&request("other", "cancel", json!({ "id": "none" })));
    assert_eq!(socket.next_json()["result"]["cancelled"], false);
    let path = format!("/api/sessions/{id}/input");
    server.post(&path, &json!({ "text": "first" }));
    assert_eq!(socket.next_json()["result"]["ok"], true);
    socket.send_json(&request("cancel", "cancel", json!({ "id": "same" })));
    let mut answers = [socket.next_json(), socket.next_json()];
    answers.sort_by_key(|answer| answer["id"].to_string());
    assert_eq!(answers[0]["result"]["cancelled"], true, "{answers:?}");
    assert_eq!(answers[1]["error"]["code"], -32800, "{answers:?}");
}

#[test]
fn cancel_without_an_id_is_an_error() {
    let server = Server::start();
    let mut socket = server.socket("/rpc");
    for params in [json!({}), json!(null)] {
        socket
            .send_json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "cancel", "params": params }));
        let answer = socket.next_json();
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
    }
}

#[test]
fn request_reported_as_cancelled_gets_the_cancelled_error() {
    let server = Server::start();
    let mut socket = server.socket("/rpc");
    for _ in 0..500 {
        // Whether the request is queued, running or done varies, but both responses must agree.
        socket.send_json(&json!({ "jsonrpc": "2.0", "id": "r", "method": "server.ping" }));
        socket.send_json(
            &json!({ "jsonrpc": "2.0", "id": "c", "method": "cancel", "params": { "id": "r" } }),
        );
        let mut answers = [socket.next_json(), socket.next_json()];
        answers.sort_by_key(|answer| answer["id"].to_string());
        let [cancel, answer] = answers;
        let was = cancel["result"]["cancelled"] == true;
        assert_eq!(answer["error"]["code"] == -32800, was, "{answer} {cancel}");
    }
}

#[test]
fn input_that_waits_for_the_program_can_be_cancelled() {
    let server = Server::start();
    // Reads one key, then sleeps for longer than the test runs.
    let busy =
        "stty -icanon -echo; printf ready; dd bs=1 count=1 >/dev/null 2>&1; printf got; sleep 1000";
    let id = server.open(&["sh", "-c", busy]);
    server.wait(&id, "ready");
    let mut socket = server.socket("/rpc");
    let request = |id: &str, method: &str, params| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let text = json!({ "session": id, "text": "ab", "autoWait": 60_000 });
    socket.send_json(&request("text", "sendText", text));
    server.wait(&id, "got");
    socket.send_json(&request("cancel", "cancel", json!({ "id": "text" })));
    let answers = [socket.next_json(), socket.next_json()];
    let answer = answers.iter().find(|answer| answer["id"] == "text");
    assert_eq!(answer.unwrap()["error"]["code"], -32800, "{answers:?}");
}

#[test]
fn each_client_gets_its_own_subscriptions() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let subscribe = json!({ "jsonrpc": "2.0", "id": 1, "method": "viewSubscribe",
        "params": { "session": id, "includeText": true, "debounceMs": 1 } });
    let mut sockets = [server.socket("/rpc"), server.socket("/rpc")];
    for socket in &mut sockets {
        socket.send_json(&subscribe);
    }
    server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "text": "news" }),
    );
    for socket in &mut sockets {
        loop {
            let notification = socket.next_json();
            if notification["params"]["text"]
                .as_str()
                .is_some_and(|text| text.contains("news"))
            {
                break;
            }
        }
    }
}

#[test]
fn client_can_shut_down_the_server() {
    let mut server = Server::start();
    server.open(&["cat"]);
    assert_eq!(
        server.call("server.shutdown", &json!({}))["shuttingDown"],
        true
    );
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn single_http_requests_cannot_subscribe() {
    let server = Server::start();
    server.open(&["cat"]);
    let answer = server.rpc("viewSubscribe", &json!({}));
    let details = answer["error"]["data"]["details"].as_str().unwrap();
    assert!(details.contains("WebSocket /rpc"), "{details}");
}
