//! Endpoints that send input to a program: keys, text, mouse events, a new size, signals.

use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::http::error::HttpError;

/// One input, tagged by its kind.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum InputRequest {
    /// Types text.
    Text(String),
    /// Presses a key, by name.
    Key(String),
    /// Pastes text.
    Paste(String),
    /// A mouse event, with the parameters of the method `mouse`.
    Mouse(Value),
}

/// How many milliseconds a program may take to enable mouse events by default, and the most that a
/// script may request, so that requests get a prompt response. Auto-wait has its own limit.
const MOUSE_TIMEOUT_MS: u64 = 250;
const MAX_MOUSE_TIMEOUT_MS: u64 = 5000;

/// The origin of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputSource {
    /// A script. Each input waits until the program is ready, unless the request disables that.
    Script,
    /// A person who sees the screen. Input is sent immediately.
    Person,
}

impl InputRequest {
    /// Returns the method and its parameters.
    pub(crate) fn call(
        self,
        session: &str,
        source: InputSource,
    ) -> Result<(&'static str, Value), HttpError> {
        let (method, mut params) = self.method(session)?;
        if source == InputSource::Person {
            params["autoWait"] = false.into();
            params["delayMs"] = 0.into();
        }
        if method == "mouse" {
            let given = params["timeoutMs"].take();
            params["timeoutMs"] = match source {
                // Rejects a mouse event that the program has not enabled, instead of waiting.
                InputSource::Person => 0.into(),
                InputSource::Script if given.is_null() => MOUSE_TIMEOUT_MS.into(),
                InputSource::Script
                    if given
                        .as_f64()
                        .is_some_and(|millis| millis > MAX_MOUSE_TIMEOUT_MS as f64) =>
                {
                    return Err(HttpError::bad_request(format!(
                        "mouse: `timeoutMs`: expected at most {MAX_MOUSE_TIMEOUT_MS}"
                    )));
                }
                InputSource::Script => given,
            };
        }
        Ok((method, params))
    }

    fn method(self, session: &str) -> Result<(&'static str, Value), HttpError> {
        Ok(match self {
            InputRequest::Text(text) => ("sendText", json!({ "session": session, "text": text })),
            InputRequest::Key(key) => ("sendKey", json!({ "session": session, "key": key })),
            InputRequest::Paste(text) => ("paste", json!({ "session": session, "text": text })),
            InputRequest::Mouse(Value::Object(mut fields)) => {
                fields.insert("session".to_owned(), session.into());
                ("mouse", Value::Object(fields))
            }
            InputRequest::Mouse(_) => {
                return Err(HttpError::bad_request("mouse: expected an object"));
            }
        })
    }
}

type JsonBody<T> = Result<Json<T>, JsonRejection>;

/// Sends input to the program.
pub(crate) async fn input(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(id): Path<String>,
    input: JsonBody<Value>,
) -> Result<StatusCode, HttpError> {
    let Json(mut input) = input?;
    let options = take_options(&mut input);
    if input.as_object().is_none_or(|fields| fields.len() != 1) {
        return Err(HttpError::bad_request(
            "expected exactly one of `text`, `key`, `paste` and `mouse`, as in {\"key\": \"Enter\"}, and optionally `autoWait` and `delayMs`",
        ));
    }
    let input: InputRequest =
        serde_json::from_value(input).map_err(|error| HttpError::bad_request(error.to_string()))?;
    let (method, mut params) = input.call(&id, InputSource::Script)?;
    for (name, value) in options {
        params[name] = value;
    }
    call_method(&web, access, method, params).await
}

/// Removes the options from the body and returns them.
fn take_options(input: &mut Value) -> Vec<(&'static str, Value)> {
    let Some(fields) = input.as_object_mut() else {
        return Vec::new();
    };
    let names = ["autoWait", "delayMs"].into_iter();
    names
        .filter_map(|name| Some((name, fields.remove(name)?)))
        .collect()
}

/// The new size of a terminal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResizeBody {
    cols: u64,
    rows: u64,
}

/// Resizes the terminal.
pub(crate) async fn resize(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(id): Path<String>,
    size: JsonBody<ResizeBody>,
) -> Result<StatusCode, HttpError> {
    let Json(ResizeBody { cols, rows }) = size?;
    let params = json!({ "session": id, "cols": cols, "rows": rows });
    call_method(&web, access, "resize", params).await
}

/// A signal, by name or number.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignalBody {
    signal: Value,
}

/// Sends a signal to the program.
pub(crate) async fn signal(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(id): Path<String>,
    signal: JsonBody<SignalBody>,
) -> Result<StatusCode, HttpError> {
    let Json(SignalBody { signal }) = signal?;
    let params = json!({ "session": id, "signal": signal });
    call_method(&web, access, "signal", params).await
}

async fn call_method(
    web: &Arc<Web>,
    access: Access,
    method: &str,
    params: Value,
) -> Result<StatusCode, HttpError> {
    let caller = web.caller(access.role);
    web.call(&caller, method, params).await?;
    Ok(StatusCode::NO_CONTENT)
}
