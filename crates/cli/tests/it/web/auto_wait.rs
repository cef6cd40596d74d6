//! Auto-wait over HTTP.

use serde_json::{Value, json};

use super::client::Server;
use crate::commands::auto_wait::{BUSY_SCRIPT, last_input_was_late, total_wait_ms};

/// Returns the report of a failed wait.
#[track_caller]
fn report(server: &Server, id: &str) -> String {
    let never = json!({"session": id, "pattern": "never", "timeoutMs": 0});
    let answer = server.rpc("waitUntil", &never);
    answer["error"]["data"]["report"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Opens a session with a script that prints "ready", and with this auto-wait setting.
#[track_caller]
fn open(server: &Server, script: &str, auto_wait: &Value) -> String {
    let body = json!({"command": ["sh", "-c", script], "autoWait": auto_wait});
    let answer = server.post("/api/sessions", &body);
    assert_eq!(answer.status, 201, "{}", answer.text());
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    server.wait(&id, "ready");
    id
}

#[track_caller]
fn send_input(server: &Server, id: &str, input: &Value) {
    let answer = server.post(&format!("/api/sessions/{id}/input"), input);
    assert_eq!(answer.status, 204, "{}", answer.text());
}

#[test]
fn input_overrides_flag_overrides_environment_overrides_session() {
    let unset = Value::Null;
    for (flag, variable, session, call, late) in [
        (None, "", json!(300), &unset, true),
        (None, "", json!(false), &unset, false),
        (None, "", json!(false), &json!(300), true),
        (None, "", json!(300), &json!(false), false),
        (None, "0.3", json!(false), &unset, true),
        (Some("--no-auto-wait"), "0.3", json!(300), &unset, false),
        (Some("--no-auto-wait"), "", Value::Null, &json!(300), true),
    ] {
        let options: Vec<&str> = flag.into_iter().collect();
        let server = Server::with_env(&[("SCREENTEST_AUTO_WAIT", variable)], &options);
        let id = open(&server, BUSY_SCRIPT, &session);
        send_input(&server, &id, &json!({"key": "x", "autoWait": call}));
        let said = report(&server, &id);
        let case = format!("{flag:?} {variable:?} {session} {call}");
        assert_eq!(last_input_was_late(&said), late, "{case}: {said}");
    }
}

#[test]
fn mouse_timeout_does_not_limit_auto_wait() {
    let server = Server::start();
    let script = format!("printf '\\033[?1000h'; {BUSY_SCRIPT}");
    let id = open(&server, &script, &Value::Null);
    let click = json!({"kind": "click", "col": 1, "row": 1});
    send_input(&server, &id, &json!({"mouse": click, "autoWait": 700}));
    let said = report(&server, &id);
    assert!(total_wait_ms(&said) >= 700.0, "{said}");
    // The mouse timeout limits the time in which the program must enable mouse events.
    let id = open(&server, BUSY_SCRIPT, &Value::Null);
    let mut click = click;
    click["timeoutMs"] = 0.into();
    let answer = server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({"mouse": click}),
    );
    assert_eq!(answer.status, 422, "{}", answer.text());
}
