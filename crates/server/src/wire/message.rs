//! One line of JSON-RPC 2.0, read and written.
//!
//! A request without an id is a notification: it is done and not answered. An id is given back as it was written, whatever it
//! is.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::params::kind;
use super::{Code, Failure};

/// A request, or a notification where it has no id.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) id: Option<Id>,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// The id of a request, letter for letter.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct Id(Box<RawValue>);

impl Id {
    /// The id that a `cancel` names.
    pub(crate) fn of(value: &Value) -> Option<Id> {
        serde_json::value::to_raw_value(value).ok().map(Id)
    }
}

/// Whether they are the same value, however each is written.
impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        let value = |id: &Id| serde_json::from_str::<Value>(id.0.get()).ok();
        self.0.get() == other.0.get() || value(self) == value(other)
    }
}

/// What can be said of a line before it is read: which request it is.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Head {
    #[serde(default, deserialize_with = "present")]
    id: Option<Box<RawValue>>,
    #[serde(default)]
    method: Option<Value>,
}

impl Head {
    /// Looks at a line without keeping any of its parameters. Nothing is known of one that is no request.
    pub(crate) fn of(line: &[u8]) -> Head {
        serde_json::from_slice(line).unwrap_or_default()
    }

    /// Whether it asks for this.
    pub(crate) fn asks_for(&self, method: &str) -> bool {
        matches!(&self.method, Some(Value::String(asked)) if asked == method)
    }

    /// Its id.
    pub(crate) fn id(self) -> Option<Id> {
        self.id.map(Id)
    }
}

/// A line that is no request.
#[derive(Debug)]
pub(crate) struct Refused {
    /// `None` where it could not be read: the answer has `null`.
    pub(crate) id: Option<Id>,
    pub(crate) failure: Failure,
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

/// An id of `null` is an id.
fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

/// Reads a line.
pub(crate) fn read(line: &[u8]) -> Result<Call, Refused> {
    let nameless = |code, details: String| Refused {
        id: None,
        failure: Failure::new(code, details),
    };
    let not_json = |error: &serde_json::Error| nameless(Code::Parse, error.to_string());
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err(match serde_json::from_slice::<Value>(line) {
            Err(error) => not_json(&error),
            Ok(Value::Array(_)) => nameless(
                Code::InvalidRequest,
                "expected an object, not an array: the method `batch` takes several steps"
                    .to_owned(),
            ),
            Ok(other) => nameless(
                Code::InvalidRequest,
                format!("expected an object, not {}", kind(&other)),
            ),
        });
    }
    let envelope: Envelope = match serde_json::from_slice(line) {
        Ok(envelope) => envelope,
        // A field that is there twice.
        Err(error) if error.is_data() => {
            return Err(nameless(Code::InvalidRequest, error.to_string()));
        }
        Err(error) => return Err(not_json(&error)),
    };
    let id = envelope.id.map(Id);
    let invalid = |id, details: &str| {
        Err(Refused {
            id,
            failure: Failure::new(Code::InvalidRequest, details),
        })
    };
    if envelope.jsonrpc != Some(Value::from("2.0")) {
        return invalid(id, "Expected jsonrpc field to equal \"2.0\"");
    }
    match envelope.method {
        Some(Value::String(method)) => Ok(Call {
            id,
            method,
            params: envelope.params,
        }),
        Some(_) => invalid(id, "Expected the method field to be a string"),
        None => invalid(id, "Expected a method field"),
    }
}

/// An answer; its fields stand in the order of the alphabet, as all objects here do.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Value>,
    id: Option<&'a Id>,
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a Value>,
}

/// Writes an answer as a line, without its end.
pub(crate) fn answer(id: Option<&Id>, outcome: &Result<Value, Value>) -> String {
    line(&Answer {
        error: outcome.as_ref().err(),
        id,
        jsonrpc: "2.0",
        result: outcome.as_ref().ok(),
    })
}

#[derive(Serialize)]
struct Notification<'a> {
    jsonrpc: &'static str,
    method: &'a str,
    params: &'a Value,
}

/// Writes a notification as a line, without its end.
pub(crate) fn notification(method: &str, params: &Value) -> String {
    line(&Notification {
        jsonrpc: "2.0",
        method,
        params,
    })
}

/// What our own types look like as JSON.
pub(crate) fn value(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("our own types have names for keys and no other surprises")
}

fn line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("our own types can always be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(line: &str, code: Code, answered: &str) {
        let refused = read(line.as_bytes()).unwrap_err();
        assert_eq!(refused.failure.code(), code, "{line}");
        let shown = answer(refused.id.as_ref(), &Err(value(&refused.failure)));
        assert!(shown.contains(answered), "{shown}");
    }

    #[test]
    fn what_is_no_json_is_a_parse_error_without_id() {
        for line in [
            "{",
            "nonsense",
            "{\"id\":1,",
            "\u{0}",
            "{\"method\":\"\\ud800\"}",
        ] {
            refused(line, Code::Parse, "\"id\":null");
        }
        let deep = format!("{{\"params\":{}{}}}", "[".repeat(500), "]".repeat(500));
        refused(&deep, Code::Parse, "recursion limit");
        assert_eq!(
            read(b"{\"a\":\"\xff\",\"method\":\"x\xff\"}")
                .unwrap_err()
                .failure
                .code(),
            Code::Parse
        );
    }

    #[test]
    fn json_that_is_no_request_is_invalid_and_has_its_id_where_it_can_be_read() {
        let invalid = Code::InvalidRequest;
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
    fn an_id_comes_back_as_it_was_written() {
        for id in [
            "1",
            "null",
            "1.50",
            "\"a\\u0062\"",
            "12345678901234567890123",
            "{\"a\": [1]}",
        ] {
            let call =
                read(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"x\"}}").as_bytes());
            let shown = answer(call.unwrap().id.as_ref(), &Ok(Value::Null));
            assert_eq!(
                shown,
                format!("{{\"id\":{id},\"jsonrpc\":\"2.0\",\"result\":null}}")
            );
        }
        let call = read(br#"{"jsonrpc":"2.0","method":"x"}"#).unwrap();
        assert!(call.id.is_none());
        assert_eq!(
            Id::of(&Value::from("ab")).unwrap(),
            read(br#"{"jsonrpc":"2.0","id":"a\u0062","method":"x"}"#)
                .unwrap()
                .id
                .unwrap()
        );
    }
}
