//! JSON-RPC over HTTP and over a socket.

use serde_json::json;

use super::client::Server;

#[test]
fn a_body_is_a_request() {
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
fn a_socket_answers_in_order_and_cancel_overtakes() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let mut socket = server.socket("/rpc");
    let request = |id: u32, method: &str, params| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let wait = json!({ "session": id, "selector": { "type": "exact", "text": "never" }, "timeoutMs": 60_000 });
    socket.say(&request(1, "waitForText", wait));
    socket.say(&request(2, "server.ping", json!({})));
    socket.say(&request(3, "cancel", json!({ "id": 1 })));
    let mut answers = [socket.told(), socket.told(), socket.told()];
    // The cancelled wait is answered before what was asked after it. The answer to `cancel` overtakes
    // both, or not.
    let place = |id: u32| answers.iter().position(|answer| answer["id"] == id);
    assert!(place(1) < place(2), "{answers:?}");
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers[0]["error"]["code"], -32800);
    assert_eq!(answers[1]["result"]["pong"], true);
    assert_eq!(answers[2]["result"]["cancelled"], true);
}

#[test]
fn input_that_waits_for_a_program_can_be_cancelled() {
    let server = Server::start();
    // Takes one key, and then works for longer than anybody waits.
    let busy =
        "stty -icanon -echo; printf ready; dd bs=1 count=1 >/dev/null 2>&1; printf got; sleep 1000";
    let id = server.open(&["sh", "-c", busy]);
    server.wait(&id, "ready");
    let mut socket = server.socket("/rpc");
    let request = |id: &str, method: &str, params| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let text = json!({ "session": id, "text": "ab", "autoWait": 60_000 });
    socket.say(&request("text", "sendText", text));
    server.wait(&id, "got");
    socket.say(&request("cancel", "cancel", json!({ "id": "text" })));
    let answers = [socket.told(), socket.told()];
    let answer = answers.iter().find(|answer| answer["id"] == "text");
    assert_eq!(answer.unwrap()["error"]["code"], -32800, "{answers:?}");
}

#[test]
fn each_client_is_told_of_its_own_subscriptions() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let subscribe = json!({ "jsonrpc": "2.0", "id": 1, "method": "viewSubscribe",
        "params": { "session": id, "includeText": true, "debounceMs": 1 } });
    let mut sockets = [server.socket("/rpc"), server.socket("/rpc")];
    for socket in &mut sockets {
        socket.say(&subscribe);
    }
    server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "text": "news" }),
    );
    for socket in &mut sockets {
        loop {
            let told = socket.told();
            if told["params"]["text"]
                .as_str()
                .is_some_and(|text| text.contains("news"))
            {
                break;
            }
        }
    }
}

#[test]
fn a_client_may_end_the_server() {
    let mut server = Server::start();
    server.open(&["cat"]);
    assert_eq!(
        server.call("server.shutdown", &json!({}))["shuttingDown"],
        true
    );
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn who_asks_by_one_request_is_not_told_of_changes() {
    let server = Server::start();
    server.open(&["cat"]);
    let answer = server.rpc("viewSubscribe", &json!({}));
    let details = answer["error"]["data"]["details"].as_str().unwrap();
    assert!(details.contains("WebSocket /rpc"), "{details}");
}
