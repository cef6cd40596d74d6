//! Auto-wait over JSON-RPC: a call wins over a flag, a flag over the environment, and that over `initialize`.

use serde_json::{Value, json};

use super::client::Client;
use crate::commands::auto_wait::{BUSY, READS, is_late};

/// Where the answer to a wait that fails has the report.
#[track_caller]
fn report(answer: &Value) -> &str {
    answer["error"]["data"]["report"].as_str().unwrap()
}

#[test]
fn a_call_wins_over_a_flag_over_the_environment_over_initialize() {
    let unset = Value::Null;
    for (flag, variable, session, call, late) in [
        (None, "", json!(300), &unset, true),
        (None, "", json!(false), &unset, false),
        (None, "", json!(300), &json!(false), false),
        (None, "", json!(false), &json!(300), true),
        (None, "0.3", json!(false), &unset, true),
        (None, "off", json!(300), &unset, false),
        (None, "off", Value::Null, &json!(300), true),
        (Some("--no-auto-wait"), "0.3", json!(300), &unset, false),
        (Some("--no-auto-wait"), "", Value::Null, &json!(300), true),
    ] {
        let options: Vec<&str> = flag.into_iter().collect();
        let mut client = Client::start_with(&options, &[("SCREENTEST_AUTO_WAIT", variable)]);
        client.done("initialize", &json!({"autoWait": session}));
        let ready = json!({"type": "exact", "text": "ready"});
        let launch = json!({"command": "sh", "args": ["-c", BUSY], "readySelector": ready});
        client.done("launch", &launch);
        let sent = client.done("sendKey", &json!({"key": "x", "autoWait": call}));
        assert_eq!(sent["autoWait"]["program"].is_string(), late, "{sent}");
        let never = json!({"pattern": "never", "timeoutMs": 0});
        let answer = client.ask("waitUntil", &never);
        let said = report(&answer);
        let case = format!("{flag:?} {variable:?} {session} {call}");
        assert_eq!(is_late(said), late, "{case}: {said}");
    }
}

#[test]
fn a_delay_of_a_call_or_a_session_types_character_by_character() {
    for (session, call, shown) in [
        (0, Value::Null, "ready<abc>"),
        (1, Value::Null, "ready<a><b><c>"),
        (1, json!(0), "ready<abc>"),
        (0, json!(1), "ready<a><b><c>"),
    ] {
        let mut client = Client::start();
        client.done("initialize", &json!({"delayMs": session}));
        let ready = json!({"type": "exact", "text": "ready"});
        let launch = json!({"command": "python3", "args": ["-c", READS], "readySelector": ready});
        client.done("launch", &launch);
        client.done("sendText", &json!({"text": "abc", "delayMs": call}));
        client.done("waitUntil", &json!({"pattern": shown}));
    }
}
