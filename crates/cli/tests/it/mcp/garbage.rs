//! Malformed input does not end the server.

use serde_json::json;

use super::agent::Agent;

#[test]
fn server_survives_malformed_messages() {
    let mut agent = Agent::start();
    let deep = format!("{}{}\n", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}\n",
        "x".repeat(20 << 20)
    );
    for bytes in [
        b"\n".as_slice(),
        b"{\n",
        b"\xff\xfe\n",
        b"null\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":3}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"name\":3}}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":\"y\",\"method\":\"tools/call\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":\"z\",\"method\":\"no/such\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":12345}}\n",
        deep.as_bytes(),
        long.as_bytes(),
    ] {
        agent.write(bytes);
        let answer = agent.done("tui_sessions", &json!({}));
        assert_eq!(answer.data["sessions"], json!([]));
    }
}

#[test]
fn call_without_a_tool_name_is_rejected() {
    let mut agent = Agent::start();
    for params in [json!({}), json!({"name": "tui_look", "arguments": []})] {
        let answer = agent.ask("tools/call", &params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.contains("`name` of a tool"), "{said}");
    }
    let answer = agent.ask("no/such", &json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
}

#[test]
fn request_before_initialization_is_rejected() {
    let run = crate::harness::cli::run_with(
        ["mcp"],
        b"hello\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n",
    );
    let said = run.text();
    assert!(
        said.starts_with("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{"),
        "{said}"
    );
}
