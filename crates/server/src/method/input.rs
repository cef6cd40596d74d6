//! `sendKey`, `sendText`, `sendLine`, `paste`, `resize` and `signal`.

use screentest::core::{KeyError, Secrets};
use screentest::{Action, Key, Signal};
use serde::Deserialize;

use super::{OkResponse, Perform, perform};
use crate::service::MethodContext;
use crate::session::NamedSession;
use crate::wire::number::{WholeNumber, millis};
use crate::wire::selector::{WireSelector, ambiguity};
use crate::wire::{RpcError, coordinates};

/// Presses a key.
#[derive(Debug, Deserialize)]
pub(crate) struct SendKey {
    key: String,
}

impl Perform for SendKey {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let chord = self.key.parse();
        let chord = chord.map_err(|error| unknown_key(&self.key, &error, session.secrets()))?;
        let tui = session.tui().with(context.wait_options(None));
        perform(&tui, "press", &Action::Press(chord))?;
        Ok(OkResponse::sent(&tui))
    }
}

/// Returns the error for a text that is not a key. The text may be a secret that was sent as a key
/// by mistake, so it is quoted only if it is short and contains none.
fn unknown_key(text: &str, error: &KeyError, secrets: &Secrets) -> RpcError {
    const HINT: &str = "`sendText` types text, `secret` of `sendText` types a secret";
    if secrets.text(text) != text {
        return RpcError::invalid_params(format!(
            "`key` is the value of a secret, not a key: {HINT}"
        ));
    }
    let length = text.chars().count();
    if length > MAX_KEY_CHARS {
        return RpcError::invalid_params(format!(
            "`key` has {length} characters, more than any key: {HINT}"
        ));
    }
    RpcError::invalid_params(error.to_string())
}

/// More characters than the name of any key has, with all modifiers.
const MAX_KEY_CHARS: usize = 40;

/// Text, or the value of a secret.
#[derive(Debug)]
enum TextSource<'a> {
    Text(&'a str),
    Secret(&'a str),
}

/// Returns the text to type: either the text, or the value of the named secret.
fn text_source<'a>(
    text: Option<&'a str>,
    secret: Option<&str>,
    session: &'a NamedSession,
) -> Result<TextSource<'a>, RpcError> {
    match (text, secret) {
        (Some(text), None) => Ok(TextSource::Text(text)),
        (None, Some(name)) => match session.secrets().value(name) {
            Some(value) => Ok(TextSource::Secret(value)),
            None => Err(RpcError::invalid_params(format!(
                "secret: `{name}` is unknown: declare it with `--secret {name}` or in the `secrets` of `initialize`"
            ))),
        },
        (None, None) => Err(RpcError::invalid_params("missing field `text`")),
        (Some(_), Some(_)) => Err(RpcError::invalid_params(
            "give either `text` or `secret`, not both",
        )),
    }
}

impl TextSource<'_> {
    /// Returns the action that types it. Text with control characters is sent as raw bytes:
    /// clients send keys without a name this way. Other text is typed key by key, in the encoding
    /// that the program requested.
    fn action(&self) -> Action {
        match self {
            TextSource::Text(text) if !text.contains(char::is_control) => {
                Action::Type((*text).to_owned())
            }
            // Reports then show only the byte count.
            TextSource::Text(text) | TextSource::Secret(text) => {
                Action::Send(text.as_bytes().to_vec())
            }
        }
    }
}

/// Types a text.
#[derive(Debug, Deserialize)]
pub(crate) struct SendText {
    text: Option<String>,
    secret: Option<String>,
}

impl Perform for SendText {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let source = text_source(self.text.as_deref(), self.secret.as_deref(), session)?;
        let tui = session.tui().with(context.wait_options(None));
        perform(&tui, "typeText", &source.action())?;
        Ok(OkResponse::sent(session.tui()))
    }
}

/// Types a text and presses Enter.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SendLine {
    text: Option<String>,
    secret: Option<String>,
    expect_after: Option<WireSelector>,
    timeout_ms: Option<WholeNumber>,
    /// Accepted for tuispec clients, and ignored.
    #[serde(rename = "pollIntervalMs")]
    _poll_interval_ms: Option<WholeNumber>,
    ambiguity_mode: Option<String>,
    anytime: Option<bool>,
}

impl Perform for SendLine {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let source = text_source(self.text.as_deref(), self.secret.as_deref(), session)?;
        let expected = self.expect_after.as_ref();
        let expected = expected.map(|wire| wire.read().map(|selector| (wire, selector)));
        let expected = expected.transpose()?;
        let mut waits =
            context.wait_options_for(millis("timeoutMs", self.timeout_ms)?, self.anytime);
        waits.ambiguity = ambiguity(self.ambiguity_mode.as_deref())?;
        let tui = session.tui().with(waits);
        perform(&tui, "typeText", &source.action())?;
        perform(&tui, "press", &Action::Press(Key::Enter.into()))?;
        if let Some((wire, expected)) = expected {
            tui.expect(expected)
                .map_err(|error| wire.failure("waitFor", &error))?;
        }
        Ok(OkResponse::sent(&tui))
    }
}

/// Pastes a text.
#[derive(Debug, Deserialize)]
pub(crate) struct Paste {
    text: Option<String>,
    secret: Option<String>,
}

impl Perform for Paste {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let text = match text_source(self.text.as_deref(), self.secret.as_deref(), session)? {
            TextSource::Text(text) | TextSource::Secret(text) => text,
        };
        let tui = session.tui().with(context.wait_options(None));
        perform(&tui, "paste", &Action::Paste(text.to_owned()))?;
        Ok(OkResponse::sent(session.tui()))
    }
}

/// Resizes the terminal.
#[derive(Debug, Deserialize)]
pub(crate) struct Resize {
    cols: WholeNumber,
    rows: WholeNumber,
}

impl Perform for Resize {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let current_size = session.tui().options().size;
        let size = coordinates::size(Some(self.cols), Some(self.rows), current_size)?;
        let resize = || perform(session.tui(), "resize", &Action::Resize(size));
        context.service.resize(session, size, resize)?;
        Ok(OkResponse::OK)
    }
}

/// Sends a signal to the program's process group.
#[derive(Debug, Deserialize)]
pub(crate) struct SendSignal {
    signal: WireSignal,
}

/// A signal, by name or number.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a signal, a string, or its number"
)]
enum WireSignal {
    Name(String),
    Number(i32),
}

impl Perform for SendSignal {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let word = match self.signal {
            WireSignal::Name(name) => name,
            WireSignal::Number(number) => number.to_string(),
        };
        let signal: Signal = word
            .trim()
            .parse()
            .map_err(|error| RpcError::invalid_params(format!("signal: {error}")))?;
        perform(session.tui(), "signal", &Action::Signal(signal.to_string()))?;
        Ok(OkResponse::OK)
    }
}
