//! The result of a method, as JSON text.
//!
//! Results are kept as text, because parsed JSON takes about ten times the memory. A result that
//! becomes too large fails while it is written. Secrets are redacted in the text.

use std::borrow::Cow;
use std::io::{self, Write};

use screentest::core::Secrets;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::RpcError;
use crate::limits::{MAX_ANSWER_BYTES, UNRESERVED_BYTES};
use crate::service::Reservation;

/// The result of a method.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Answer {
    json: Box<RawValue>,
    /// The memory of the text, until the answer is sent.
    #[serde(skip)]
    memory: Reservation,
}

/// Memory is reserved in steps of this size.
const STEP: usize = 256 << 10;

impl Answer {
    /// Writes a response as JSON without secrets. Its fields must be in alphabetical order.
    pub(crate) fn new(
        response: &impl Serialize,
        secrets: &Secrets,
        memory: Reservation,
    ) -> Result<Answer, RpcError> {
        let mut writer = LimitedWriter {
            json: Vec::new(),
            most: MAX_ANSWER_BYTES,
            reserved: UNRESERVED_BYTES,
            memory,
            failure: None,
        };
        let written = serde_json::to_writer(&mut writer, response);
        if let Some(failure) = writer.failure {
            return Err(failure);
        }
        written.expect("our own types serialize to JSON without errors");
        let json = String::from_utf8(writer.json).expect("JSON is UTF-8");
        debug_assert!(is_sorted(&json), "fields are not in order: {json}");
        let json = if secrets.is_empty() {
            json
        } else {
            if json.len() > UNRESERVED_BYTES {
                writer.memory.grow(json.len())?;
            }
            redact(&json, secrets)
        };
        writer.memory.shrink_to(json.len());
        let json = RawValue::from_string(json).expect("redacted JSON is JSON");
        Ok(Answer {
            json,
            memory: writer.memory,
        })
    }

    /// Returns the JSON text.
    pub fn text(&self) -> &str {
        self.json.get()
    }

    /// Drops the text, and returns its memory for a copy that is not sent yet.
    pub(crate) fn into_memory(self) -> Reservation {
        self.memory
    }

    /// Parses the result. Takes much more memory than the text.
    pub fn value(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }
}

/// Whether the fields of all objects are in alphabetical order. Large results are not checked.
fn is_sorted(json: &str) -> bool {
    if json.len() > UNRESERVED_BYTES {
        return true;
    }
    let sorted = serde_json::from_str::<Value>(json).map(|value| value.to_string());
    sorted.is_ok_and(|sorted| sorted == json)
}

/// Writer that fails if the result exceeds its limit, or if too little memory is left.
struct LimitedWriter {
    json: Vec<u8>,
    most: usize,
    reserved: usize,
    memory: Reservation,
    failure: Option<RpcError>,
}

impl Write for LimitedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.json.len() + bytes.len();
        let room = if length > self.most {
            Err(too_large())
        } else if length > self.reserved {
            let more = (length - self.reserved).max(STEP);
            self.reserved += more;
            // The vector doubles its capacity.
            self.memory.grow(2 * more)
        } else {
            Ok(())
        };
        match room {
            Ok(()) => {
                self.json.extend_from_slice(bytes);
                Ok(bytes.len())
            }
            Err(failure) => {
                self.failure = Some(failure);
                Err(io::ErrorKind::FileTooLarge.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The error for an answer above [`MAX_ANSWER_BYTES`].
pub(crate) fn too_large() -> RpcError {
    RpcError::failed(format!(
        "the answer has more than {} MiB: ask for less, such as fewer rows or steps",
        MAX_ANSWER_BYTES >> 20
    ))
}

/// Redacts all strings of a JSON text, including the names of fields.
fn redact(json: &str, secrets: &Secrets) -> String {
    let mut redacted = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, from)) = rest.split_once('"') {
        redacted.push_str(before);
        let (literal, after) = from.split_at(end_of_string(from));
        match serde_json::from_str::<String>(&format!("\"{literal}")) {
            Ok(text) => match secrets.text(&text) {
                Cow::Borrowed(_) => {
                    redacted.push('"');
                    redacted.push_str(literal);
                }
                Cow::Owned(covered) => redacted.push_str(&Value::from(covered).to_string()),
            },
            // Unreachable, because the text was written as JSON. An empty string leaks nothing.
            Err(_) => redacted.push_str("\"\""),
        }
        rest = after;
    }
    redacted.push_str(rest);
    redacted
}

/// Returns the length of a string literal without its opening quote.
fn end_of_string(literal: &str) -> usize {
    let mut escaped = false;
    let closing = literal.bytes().position(|byte| match byte {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' => {
            escaped = true;
            false
        }
        byte => byte == b'"',
    });
    closing.map_or(literal.len(), |closing| closing + 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::AnswerMemory;
    use crate::service::client::Role;

    fn answer(response: &Value, secrets: &Secrets) -> Result<Answer, RpcError> {
        let memory = AnswerMemory::default().reservation(Role::ReadOnly);
        Answer::new(response, secrets, memory)
    }

    #[test]
    fn secrets_are_redacted_in_every_string() {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "say \"hi\" →").unwrap();
        let response = json!({
            "a": ["x say \"hi\" → y", "plain \\ \" é", 7],
            "say \"hi\" →": {"b": "", "c": null},
        });
        let text = answer(&response, &secrets).unwrap().text().to_owned();
        let covered = secrets.text("say \"hi\" →").into_owned();
        let expected = json!({
            "a": [format!("x {covered} y"), "plain \\ \" é", 7],
            covered: {"b": "", "c": null},
        });
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    }

    #[test]
    fn answer_has_at_most_sixteen_mebibytes() {
        let of_length = |length: usize| json!("x".repeat(length - 2));
        let secrets = Secrets::default();
        let most = answer(&of_length(MAX_ANSWER_BYTES), &secrets).unwrap();
        assert_eq!(most.text().len(), MAX_ANSWER_BYTES);
        let error = answer(&of_length(MAX_ANSWER_BYTES + 1), &secrets).unwrap_err();
        assert!(
            error.details().contains("more than 16 MiB"),
            "{}",
            error.details()
        );
    }
}
