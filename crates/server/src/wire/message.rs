//! Parses and writes JSON-RPC 2.0 messages, one per line.
//!
//! A request without an id is a notification: it is executed without a response. The response
//! contains the id exactly as it was written.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::params::json_type;
use super::{ErrorCode, RpcError};

/// A request, or a notification if it has no id.
#[derive(Debug)]
pub(crate) struct RpcRequest {
    pub(crate) id: Option<RequestId>,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// The id of a request, exactly as it was written.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct RequestId(Box<RawValue>);

impl RequestId {
    /// Returns the id that a `cancel` request names.
    pub(crate) fn of(value: &Value) -> Option<RequestId> {
        serde_json::value::to_raw_value(value).ok().map(RequestId)
    }
}

/// Ids are equal if their JSON values are, however they are written.
impl PartialEq for RequestId {
    fn eq(&self, other: &RequestId) -> bool {
        let value = |id: &RequestId| serde_json::from_str::<Value>(id.0.get()).ok();
        self.0.get() == other.0.get() || value(self) == value(other)
    }
}

/// The id and the method of an unparsed request.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestHead {
    #[serde(default, deserialize_with = "present")]
    id: Option<Box<RawValue>>,
    #[serde(default)]
    method: Option<Value>,
}

impl RequestHead {
    /// Reads the head of a line without storing its parameters. Both fields are empty if the line
    /// is not a request.
    pub(crate) fn of(line: &[u8]) -> RequestHead {
        serde_json::from_slice(line).unwrap_or_default()
    }

    /// Returns whether the request calls this method.
    pub(crate) fn is_call_to(&self, method: &str) -> bool {
        matches!(&self.method, Some(Value::String(name)) if name == method)
    }

    /// Returns the id.
    pub(crate) fn id(self) -> Option<RequestId> {
        self.id.map(RequestId)
    }
}

/// A line that is not a valid request.
#[derive(Debug)]
pub(crate) struct InvalidRequest {
    /// `None` if the id could not be read. The response then has the id `null`.
    pub(crate) id: Option<RequestId>,
    pub(crate) error: RpcError,
}

#[derive(Deserialize)]
struct Envelope {
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Box<RawValue>>,
    method: Option<Value>,
    #[serde(default)]
    params: Value,
}

/// Distinguishes an id of `null` from a missing one.
fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

/// Parses a line.
pub(crate) fn parse_request(line: &[u8]) -> Result<RpcRequest, InvalidRequest> {
    let without_id = |code, details: String| InvalidRequest {
        id: None,
        error: RpcError::new(code, details),
    };
    let not_json = |error: &serde_json::Error| without_id(ErrorCode::Parse, error.to_string());
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err(match serde_json::from_slice::<Value>(line) {
            Err(error) => not_json(&error),
            Ok(Value::Array(_)) => without_id(
                ErrorCode::InvalidRequest,
                "expected an object, not an array: the method `batch` takes several steps"
                    .to_owned(),
            ),
            Ok(other) => without_id(
                ErrorCode::InvalidRequest,
                format!("expected an object, not {}", json_type(&other)),
            ),
        });
    }
    let envelope: Envelope = match serde_json::from_slice(line) {
        Ok(envelope) => envelope,
        // A duplicate field.
        Err(error) if error.is_data() => {
            return Err(without_id(ErrorCode::InvalidRequest, error.to_string()));
        }
        Err(error) => return Err(not_json(&error)),
    };
    let id = envelope.id.map(RequestId);
    let invalid = |id, details: &str| {
        Err(InvalidRequest {
            id,
            error: RpcError::new(ErrorCode::InvalidRequest, details),
        })
    };
    if envelope.jsonrpc != Some(Value::from("2.0")) {
        return invalid(id, "Expected jsonrpc field to equal \"2.0\"");
    }
    match envelope.method {
        Some(Value::String(method)) => Ok(RpcRequest {
            id,
            method,
            params: envelope.params,
        }),
        Some(_) => invalid(id, "Expected the method field to be a string"),
        None => invalid(id, "Expected a method field"),
    }
}

/// A response. The fields are in alphabetical order, like those of all objects on the wire.
#[derive(Serialize)]
struct Response<'a, R> {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Value>,
    id: Option<&'a RequestId>,
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a R>,
}

/// Writes a response as a line without line end.
pub(crate) fn response_line<R: Serialize>(
    id: Option<&RequestId>,
    outcome: &Result<R, Value>,
) -> String {
    line(&Response {
        error: outcome.as_ref().err(),
        id,
        jsonrpc: "2.0",
        result: outcome.as_ref().ok(),
    })
}

#[derive(Serialize)]
struct NotificationMessage<'a> {
    jsonrpc: &'static str,
    method: &'a str,
    params: &'a Value,
}

/// Writes a notification as a line without line end.
pub(crate) fn notification_line(method: &str, params: &Value) -> String {
    line(&NotificationMessage {
        jsonrpc: "2.0",
        method,
        params,
    })
}

/// Converts one of our own types to JSON.
pub(crate) fn to_value(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("our own types serialize to JSON without errors")
}

fn line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("our own types can always be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(line: &str, code: ErrorCode, answered: &str) {
        let refused = parse_request(line.as_bytes()).unwrap_err();
        assert_eq!(refused.error.code(), code, "{line}");
        let outcome: Result<Value, Value> = Err(to_value(&refused.error));
        let shown = response_line(refused.id.as_ref(), &outcome);
        assert!(shown.contains(answered), "{shown}");
    }

    #[test]
    fn invalid_json_is_a_parse_error_without_id() {
        for line in [
            "{",
            "nonsense",
            "{\"id\":1,",
            "\u{0}",
            "{\"method\":\"\\ud800\"}",
        ] {
            refused(line, ErrorCode::Parse, "\"id\":null");
        }
        let deep = format!("{{\"params\":{}{}}}", "[".repeat(500), "]".repeat(500));
        refused(&deep, ErrorCode::Parse, "recursion limit");
        assert_eq!(
            parse_request(b"{\"a\":\"\xff\",\"method\":\"x\xff\"}")
                .unwrap_err()
                .error
                .code(),
            ErrorCode::Parse
        );
    }

    #[test]
    fn invalid_request_keeps_a_readable_id() {
        let invalid = ErrorCode::InvalidRequest;
        refused("[]", invalid, "`batch`");
        refused("1", invalid, "\"id\":null");
        refused("{}", invalid, "\"id\":null");
        refused(
            r#"{"jsonrpc":"1.0","id":7,"method":"x"}"#,
            invalid,
            "\"id\":7",
        );
        refused(r#"{"jsonrpc":"2.0","id":7}"#, invalid, "\"id\":7");
        refused(
            r#"{"jsonrpc":"2.0","id":"a","method":5}"#,
            invalid,
            "\"id\":\"a\"",
        );
        refused(
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#,
            invalid,
            "\"id\":null",
        );
    }

    #[test]
    fn id_is_returned_as_it_was_written() {
        for id in [
            "1",
            "null",
            "1.50",
            "\"a\\u0062\"",
            "12345678901234567890123",
            "{\"a\": [1]}",
        ] {
            let call = parse_request(
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"x\"}}").as_bytes(),
            );
            let shown = response_line(call.unwrap().id.as_ref(), &Ok(Value::Null));
            assert_eq!(
                shown,
                format!("{{\"id\":{id},\"jsonrpc\":\"2.0\",\"result\":null}}")
            );
        }
        let call = parse_request(br#"{"jsonrpc":"2.0","method":"x"}"#).unwrap();
        assert!(call.id.is_none());
        assert_eq!(
            RequestId::of(&Value::from("ab")).unwrap(),
            parse_request(br#"{"jsonrpc":"2.0","id":"a\u0062","method":"x"}"#)
                .unwrap()
                .id
                .unwrap()
        );
    }
}
