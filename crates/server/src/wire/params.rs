//! Parses the parameters of methods. Errors name the field.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::RpcError;

/// Parses the parameters of a method. Missing parameters are an empty object.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, RpcError> {
    let params = match params {
        Value::Null => Value::Object(Map::new()),
        Value::Object(_) => params,
        other => {
            return Err(RpcError::invalid_params(format!(
                "expected params to be an object, not {}",
                json_type(&other)
            )));
        }
    };
    serde_path_to_error::deserialize(params).map_err(|error| {
        let path = error.path().to_string();
        let words = plain_words(&error.into_inner().to_string());
        RpcError::invalid_params(match path.as_str() {
            "." => words,
            path => format!("`{path}`: {words}"),
        })
    })
}

/// Rewrites serde's error messages in JSON terms, because clients do not know Rust types.
fn plain_words(words: &str) -> String {
    let Some((what, expected)) = words.rsplit_once(", expected ") else {
        return words.to_owned();
    };
    let expected = match expected.split(' ').next().unwrap_or_default() {
        "struct" => "an object",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" | "u64" | "usize" => "a whole number, 0 or above",
        "f32" | "f64" => "a number",
        _ => match expected {
            "a sequence" => "an array",
            "a map" => "an object",
            "a boolean" => "true or false",
            other => other,
        },
    };
    let what = match what {
        "invalid type: map" => "invalid type: object",
        "invalid type: sequence" => "invalid type: array",
        "invalid type: unit value" => "invalid type: null",
        other => other,
    };
    let what = what.replace("floating point `", "number `");
    format!("{what}, expected {expected}")
}

/// Returns the JSON type of a value, for messages.
pub(crate) fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Inner {
        _number: Option<u16>,
    }

    #[derive(Debug, Deserialize)]
    struct Outer {
        _inner: Option<Inner>,
        _seconds: Option<f64>,
        _words: Option<Vec<String>>,
        _flag: Option<bool>,
    }

    #[test]
    fn errors_use_json_types() {
        for (params, details) in [
            (
                json!({"_inner": 5}),
                "`_inner`: invalid type: integer `5`, expected an object",
            ),
            (
                json!({"_inner": {"_number": 70000}}),
                "`_inner._number`: invalid value: integer `70000`, expected a whole number from 0 to 65535",
            ),
            (
                json!({"_inner": {"_number": 1.5}}),
                "`_inner._number`: invalid type: number `1.5`, expected a whole number from 0 to 65535",
            ),
            (
                json!({"_seconds": []}),
                "`_seconds`: invalid type: array, expected a number",
            ),
            (
                json!({"_words": {}}),
                "`_words`: invalid type: object, expected an array",
            ),
            (
                json!({"_flag": "yes"}),
                "`_flag`: invalid type: string \"yes\", expected true or false",
            ),
        ] {
            let failure = read::<Outer>(params).unwrap_err();
            assert_eq!(failure.details(), details);
        }
    }
}
