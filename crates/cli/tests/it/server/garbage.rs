//! Malformed input gets the right error, and the server continues.

use serde_json::{Value, json};

use super::client::Client;

/// Sends a ping to check that the server still answers, and returns the messages before its
/// response.
#[track_caller]
fn messages_before_pong(client: &mut Client) -> Vec<Value> {
    client.send(r#"{"jsonrpc":"2.0","id":"pong?","method":"server.ping"}"#);
    let mut before = Vec::new();
    loop {
        let message = client.message();
        if message["id"] == "pong?" {
            assert_eq!(message["result"]["pong"], true);
            return before;
        }
        before.push(message);
    }
}

#[track_caller]
fn check(client: &mut Client, line: &[u8], code: i32) {
    client.write(line);
    client.write(b"\n");
    let said = messages_before_pong(client);
    let shown = String::from_utf8_lossy(&line[..line.len().min(200)]);
    assert_eq!(said.len(), 1, "{shown}: {said:?}");
    assert_eq!(said[0]["error"]["code"], code, "{shown}: {said:?}");
    assert_eq!(said[0]["jsonrpc"], "2.0");
}

#[test]
fn malformed_lines_get_an_error() {
    let mut client = Client::start();
    for line in [
        &b"nonsense"[..],
        b"{",
        b"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server.ping\"",
        b"\xff\xfe\x00",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud800\"}",
        b"'single'",
        b"\x00",
        b"1 2",
        b"NaN",
    ] {
        check(&mut client, line, -32700);
    }
    for open in ["[", "{\"params\":", "[{\"a\":"] {
        check(&mut client, open.repeat(100_000).as_bytes(), -32700);
    }
    let deep = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"batch\",\"params\":{{\"steps\":{}{}}}}}",
        "[".repeat(200),
        "]".repeat(200)
    );
    check(&mut client, deep.as_bytes(), -32700);
    for line in [
        "1",
        "null",
        "\"text\"",
        "[]",
        "{}",
        r#"{"jsonrpc":2.0,"id":1,"method":"server.ping"}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":["server.ping"]}"#,
        r#"{"id":1,"method":"server.ping"}"#,
    ] {
        check(&mut client, line.as_bytes(), -32600);
    }
    // Notifications, valid or not, and empty lines get no response.
    for line in [
        "",
        "   ",
        "\r",
        r#"{"jsonrpc":"2.0","method":"no.such"}"#,
        r#"{"jsonrpc":"2.0","method":"launch"}"#,
    ] {
        client.send(line);
    }
    assert_eq!(messages_before_pong(&mut client), [Value::Null; 0]);
}

#[test]
fn line_of_64_megabytes_gets_one_error() {
    let mut client = Client::start();
    let line = vec![b'x'; 64 << 20];
    check(&mut client, &line, -32700);
    let mut line = br#"{"jsonrpc":"2.0","id":1,"method":"server.ping","params":{"x":""#.to_vec();
    line.extend(vec![b'y'; 64 << 20]);
    line.extend(br#""}}"#);
    check(&mut client, &line, -32700);
}

#[test]
fn parameters_of_wrong_types_get_an_error() {
    let mut client = Client::start();
    client.launch("echo ready; exec cat");
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!("text"),
        json!([]),
        json!({}),
        json!([[1]]),
        json!({"type": 5}),
        json!({"type": "within", "rect": {"col": 1}}),
    ];
    let fields = [
        "command",
        "args",
        "env",
        "cwd",
        "readySelector",
        "key",
        "text",
        "selector",
        "timeoutMs",
        "pattern",
        "debounceMs",
        "rows",
        "cols",
        "region",
        "entireRow",
        "name",
        "format",
        "leftPath",
        "rightPath",
        "steps",
        "path",
        "frameIntervalMs",
        "kind",
        "col",
        "row",
        "button",
        "signal",
        "revision",
        "since",
        "session",
        "id",
        "names",
        "scrollback",
    ];
    let codes = [-32600, -32601, -32602, -32001, -32002, -32004];
    for method in screentest_server::method::METHODS {
        // These end the server, or the session that the other requests use.
        if ["server.shutdown", "close"].contains(method) {
            continue;
        }
        for field in fields {
            for value in &values {
                let mut params = json!({"timeoutMs": 0});
                params[field] = value.clone();
                let answer = client.ask(method, &params);
                let code = answer["error"]["code"].as_i64();
                let right = answer.get("result").is_some()
                    || code.is_some_and(|code| codes.contains(&(code as i32)));
                assert!(right, "{method} {params}: {answer}");
                if code.is_some_and(|code| code != -32601) {
                    let details = answer["error"]["data"]["details"].as_str();
                    assert!(
                        details.is_some_and(|details| !details.is_empty()),
                        "{method} {params}: {answer}"
                    );
                }
            }
        }
        for params in [json!([]), json!(5), json!("x")] {
            let answer = client.ask(method, &params);
            assert!(answer.get("error").is_some(), "{method} {params}: {answer}");
        }
    }
    messages_before_pong(&mut client);
}

/// Returns whether a line gets no response, as an empty line or a notification.
fn gets_no_response(line: &[u8]) -> bool {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(_) => return line.trim_ascii().is_empty(),
    };
    value["jsonrpc"] == "2.0" && value["method"].is_string() && value.get("id").is_none()
}

#[test]
fn random_lines_are_all_answered() {
    let mut client = Client::start();
    // A fixed generator, so that failures are reproducible.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let rounds = if std::env::var_os("SCREENTEST_FULL").is_some() {
        10_000
    } else {
        1000
    };
    let whole =
        br#"{"jsonrpc":"2.0","id":7,"method":"currentView","params":{"rows":{"start":1,"end":2}}}"#;
    let mut unanswered = 0;
    for round in 0..rounds {
        let mut line = whole.to_vec();
        for _ in 0..=random(4) {
            match random(4) {
                0 => line.truncate(random(line.len() + 1)),
                1 => {
                    let at = random(line.len() + 1);
                    line.insert(at, random(256) as u8);
                }
                2 if !line.is_empty() => {
                    let at = random(line.len());
                    line[at] = random(256) as u8;
                }
                _ => line.extend_from_slice(&whole[..random(whole.len())]),
            }
        }
        line.retain(|byte| *byte != b'\n');
        client.write(&line);
        client.write(b"\n");
        unanswered += usize::from(gets_no_response(&line));
        if round % 100 == 99 {
            let said = messages_before_pong(&mut client);
            assert_eq!(said.len() + std::mem::take(&mut unanswered), 100);
            for message in said {
                let code = message["error"]["code"].as_i64();
                assert!(
                    code.is_some_and(
                        |code| [-32700, -32600, -32601, -32602, -32001].contains(&code)
                    ),
                    "{message}"
                );
            }
        }
    }
}
