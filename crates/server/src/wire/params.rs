//! Parameters: an object, whose fields are named in every error.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Failure;

/// Reads the parameters of a method. None at all are an empty object.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, Failure> {
    let params = match params {
        Value::Null => Value::Object(Map::new()),
        Value::Object(_) => params,
        other => {
            return Err(Failure::params(format!(
                "expected params to be an object, not {}",
                kind(&other)
            )));
        }
    };
    serde_path_to_error::deserialize(params).map_err(|error| {
        let path = error.path().to_string();
        let words = error.into_inner().to_string();
        Failure::params(match path.as_str() {
            "." => words,
            path => format!("`{path}`: {words}"),
        })
    })
}

/// What a value is, in a word.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
