//! What is done to a program: keys, text, the mouse, its size, signals.

use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::web::Web;
use crate::web::auth::middleware::Pass;
use crate::web::http::error::Refusal;

/// One thing to do; exactly one of these.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Input {
    /// Types a text.
    Text(String),
    /// Presses a key by its name.
    Key(String),
    /// Pastes a text.
    Paste(String),
    /// Does something with the mouse, as the method `mouse` takes it.
    Mouse(Value),
}

/// How many milliseconds a program may take to ask for mouse events, unless a script says otherwise, and the most that
/// a script may give it: a request should be answered soon. How long it may take to be ready is auto-wait's own bound.
const MOUSE_MS: u64 = 250;
const MOST_MOUSE_MS: u64 = 5000;

/// Who gives input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Giver {
    /// A script: each input waits until the program is ready, unless told otherwise.
    Script,
    /// A person at a keyboard, who looks at the screen: what they do is sent at once.
    Person,
}

impl Input {
    /// The method that does it, and its parameters.
    pub(crate) fn call(
        self,
        session: &str,
        giver: Giver,
    ) -> Result<(&'static str, Value), Refusal> {
        let (method, mut params) = self.method(session)?;
        if giver == Giver::Person {
            params["autoWait"] = false.into();
            params["delayMs"] = 0.into();
        }
        if method == "mouse" {
            let given = params["timeoutMs"].take();
            params["timeoutMs"] = match giver {
                // A hand moves on: a program that does not want to know of it now is not waited for.
                Giver::Person => 0.into(),
                Giver::Script if given.is_null() => MOUSE_MS.into(),
                Giver::Script
                    if given
                        .as_f64()
                        .is_some_and(|millis| millis > MOST_MOUSE_MS as f64) =>
                {
                    return Err(Refusal::bad(format!(
                        "mouse: `timeoutMs`: expected at most {MOST_MOUSE_MS}"
                    )));
                }
                Giver::Script => given,
            };
        }
        Ok((method, params))
    }

    fn method(self, session: &str) -> Result<(&'static str, Value), Refusal> {
        Ok(match self {
            Input::Text(text) => ("sendText", json!({ "session": session, "text": text })),
            Input::Key(key) => ("sendKey", json!({ "session": session, "key": key })),
            Input::Paste(text) => ("paste", json!({ "session": session, "text": text })),
            Input::Mouse(Value::Object(mut fields)) => {
                fields.insert("session".to_owned(), session.into());
                ("mouse", Value::Object(fields))
            }
            Input::Mouse(_) => return Err(Refusal::bad("mouse: expected an object")),
        })
    }
}

type Body<T> = Result<Json<T>, JsonRejection>;

/// Gives input.
pub(crate) async fn input(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    Path(id): Path<String>,
    input: Body<Value>,
) -> Result<StatusCode, Refusal> {
    let Json(mut input) = input?;
    let options = take_options(&mut input);
    if input.as_object().is_none_or(|fields| fields.len() != 1) {
        return Err(Refusal::bad(
            "expected exactly one of `text`, `key`, `paste` and `mouse`, as in {\"key\": \"Enter\"}, and perhaps `autoWait` and `delayMs`",
        ));
    }
    let input: Input =
        serde_json::from_value(input).map_err(|error| Refusal::bad(error.to_string()))?;
    let (method, mut params) = input.call(&id, Giver::Script)?;
    for (name, value) in options {
        params[name] = value;
    }
    done(&web, pass, method, params).await
}

/// Takes what is said of how to send it out of an input.
fn take_options(input: &mut Value) -> Vec<(&'static str, Value)> {
    let Some(fields) = input.as_object_mut() else {
        return Vec::new();
    };
    let names = ["autoWait", "delayMs"].into_iter();
    names
        .filter_map(|name| Some((name, fields.remove(name)?)))
        .collect()
}

/// The size of a terminal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resizing {
    cols: u64,
    rows: u64,
}

/// Gives the terminal another size.
pub(crate) async fn resize(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    Path(id): Path<String>,
    size: Body<Resizing>,
) -> Result<StatusCode, Refusal> {
    let Json(Resizing { cols, rows }) = size?;
    let params = json!({ "session": id, "cols": cols, "rows": rows });
    done(&web, pass, "resize", params).await
}

/// A signal by its name or number.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Signalling {
    signal: Value,
}

/// Sends a signal.
pub(crate) async fn signal(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    Path(id): Path<String>,
    signal: Body<Signalling>,
) -> Result<StatusCode, Refusal> {
    let Json(Signalling { signal }) = signal?;
    let params = json!({ "session": id, "signal": signal });
    done(&web, pass, "signal", params).await
}

async fn done(
    web: &Arc<Web>,
    pass: Pass,
    method: &str,
    params: Value,
) -> Result<StatusCode, Refusal> {
    let caller = web.caller(pass.role);
    web.ask(&caller, method, params).await?;
    Ok(StatusCode::NO_CONTENT)
}
