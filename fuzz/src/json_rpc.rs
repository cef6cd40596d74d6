//! Target: lines of JSON-RPC.
//!
//! - Every line that is not a notification is answered with one line of JSON, with its id and
//!   either a result or an error.
//! - No response is an internal error, and every error has a message.
//! - The parameters of every method are read, or rejected with a message.
//!
//! While lines are answered, a session without a program is open. Methods that start a program, or
//! read or write files of the client's choice, are not performed: for lines that name one of them,
//! only the parameters are read.

use std::sync::Arc;
use std::time::Duration;

use screentest::core::{Ambiguity, Secrets, Size};
use screentest::session::Interrupt;
use screentest_server::method::METHODS;
use screentest_server::{Notification, NotificationSink, Service, ServiceSettings, fuzz_entry};
use serde_json::{Value, json};

use crate::scratch;

/// Methods of which only the parameters are read.
const NOT_PERFORMED: [&str; 7] = [
    "launch",
    "replay",
    "recording.start",
    "dumpView",
    "renderView",
    "diffView",
    "expectSnapshot",
];

/// Error code of an internal error.
const FAULT: i64 = -32603;

/// Error codes for invalid JSON and for invalid requests.
const NOT_A_REQUEST: [i64; 2] = [-32700, -32600];

#[derive(Debug)]
struct DiscardNotifications;

impl NotificationSink for DiscardNotifications {
    fn notify(&self, _notification: Notification) {}
}

/// Reads the bytes as lines.
pub fn check(bytes: &[u8]) {
    let folder = scratch::folder();
    let settings = ServiceSettings {
        artifact_dir: folder.path().to_owned(),
        cassette_dir: Some(folder.path().join("cassettes")),
        size: Size { cols: 20, rows: 4 },
        timeout: Duration::from_millis(1),
        ambiguity: Ambiguity::Fail,
        secrets: Secrets::default(),
        input: screentest::test::InputOverrides::default(),
        max_sessions: 2,
    };
    let service = Service::new(settings, Arc::new(DiscardNotifications));
    let opened = service.call("initialize", json!({}), &Interrupt::new());
    assert!(opened.is_ok(), "{opened:?}");
    for line in bytes.split(|byte| *byte == b'\n') {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let value: Option<Value> = serde_json::from_slice(line).ok();
        if let Some(value) = &value {
            read(value);
        }
        if !value.as_ref().is_some_and(names_what_is_not_performed) {
            check_answer(&service, line, value.as_ref());
        }
    }
    service.end();
}

/// Checks that every method reads these parameters or rejects them with a message.
fn read(call: &Value) {
    let params = call.get("params").unwrap_or(call);
    for method in METHODS {
        if let Err(failure) = fuzz_entry::params(method, params.clone()) {
            assert!(!failure.details().is_empty());
        }
    }
}

/// Returns whether any string in a call names a method that is not performed. All strings count,
/// because a batch call contains the names of other methods.
fn names_what_is_not_performed(value: &Value) -> bool {
    match value {
        Value::String(text) => NOT_PERFORMED.contains(&text.as_str()),
        Value::Array(values) => values.iter().any(names_what_is_not_performed),
        Value::Object(fields) => fields.values().any(names_what_is_not_performed),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn check_answer(service: &Service, line: &[u8], call: Option<&Value>) {
    let Some(answer) = fuzz_entry::line(service, line) else {
        let id = call.and_then(|call| call.get("id"));
        assert_eq!(id, None, "an answer is missing");
        return;
    };
    assert!(!answer.contains('\n'));
    let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
    assert_eq!(answer["jsonrpc"], "2.0");
    match answer.get("error") {
        Some(error) => {
            assert!(answer.get("result").is_none());
            assert_ne!(error["code"], FAULT, "{answer}");
            assert!(
                error["message"]
                    .as_str()
                    .is_some_and(|words| !words.is_empty())
            );
        }
        None => assert!(answer.get("result").is_some()),
    }
    // An id that was read is returned. An invalid request, such as one with a duplicate field, has
    // no readable id.
    let id = &answer["id"];
    let refused = NOT_A_REQUEST.contains(&answer["error"]["code"].as_i64().unwrap_or_default());
    if let Some(sent) = call.and_then(|call| call.get("id"))
        && !(refused && id.is_null())
    {
        assert_eq!(sent, id, "{answer}");
    }
}
