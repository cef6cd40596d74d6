//! Auto-wait over JSON-RPC: a call overrides a flag, a flag overrides the environment, and the
//! environment overrides `initialize`.

use serde_json::{Value, json};

use super::client::Client;
use crate::commands::auto_wait::{BUSY_SCRIPT, READ_LOGGER, last_input_was_late};

/// Returns the report of a failed wait.
#[track_caller]
fn report(answer: &Value) -> &str {
    answer["error"]["data"]["report"].as_str().unwrap()
}

#[test]
fn call_overrides_flag_overrides_environment_overrides_initialize() {
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
        let launch = json!({"command": "sh", "args": ["-c", BUSY_SCRIPT], "readySelector": ready});
        client.done("launch", &launch);
        let sent = client.done("sendKey", &json!({"key": "x", "autoWait": call}));
        assert_eq!(sent["autoWait"]["program"].is_string(), late, "{sent}");
        let never = json!({"pattern": "never", "timeoutMs": 0});
        let answer = client.ask("waitUntil", &never);
        let said = report(&answer);
        let case = format!("{flag:?} {variable:?} {session} {call}");
        assert_eq!(last_input_was_late(said), late, "{case}: {said}");
    }
}

#[test]
fn delay_of_call_or_session_types_text_character_by_character() {
    for (session, call, shown) in [
        (0, Value::Null, "ready<abc>"),
        (1, Value::Null, "ready<a><b><c>"),
        (1, json!(0), "ready<abc>"),
        (0, json!(1), "ready<a><b><c>"),
    ] {
        let mut client = Client::start();
        client.done("initialize", &json!({"delayMs": session}));
        let ready = json!({"type": "exact", "text": "ready"});
        let launch =
            json!({"command": "python3", "args": ["-c", READ_LOGGER], "readySelector": ready});
        client.done("launch", &launch);
        client.done("sendText", &json!({"text": "abc", "delayMs": call}));
        client.done("waitUntil", &json!({"pattern": shown}));
    }
}
