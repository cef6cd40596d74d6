//! JSON-RPC errors.
//!
//! `details` is one line: what failed, where, and what to do next. `report` is for people: the last
//! screen and the state of the program. For a failed wait and an exited program, `details` begins
//! with the words of the original tuispec server, because clients search for them. Messages about
//! keys and parameters are our own and contain more than the original ones.

use std::error::Error;

use screentest::TuiError;
use screentest::core::SelectError;
use screentest::core::query::suggest::nearest;
use screentest::session::{InputError, WaitError};
use screentest::test::SnapshotError;
use serde::Serialize;

use crate::method::METHODS;

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum ErrorCode {
    /// The line is not JSON.
    Parse = -32700,
    /// The JSON is not a valid request.
    InvalidRequest = -32600,
    /// The method is unknown.
    UnknownMethod = -32601,
    /// The parameters do not match the method.
    InvalidParams = -32602,
    /// A bug in the server.
    Internal = -32603,
    /// No session is open, or the named session, cassette or image does not exist.
    NoSession = -32001,
    /// The session is already open, or the state of a recording does not permit the request.
    AlreadyStarted = -32002,
    /// The client is not permitted to call the method.
    Forbidden = -32003,
    /// The method was executed and failed.
    Failed = -32004,
    /// Another client has control of the session.
    ControlTaken = -32005,
    /// A limit is reached: on open sessions, their cells, subscriptions, requests, or the memory
    /// for answers.
    TooMany = -32006,
    /// A batch may not contain `server.shutdown`.
    ShutdownInBatch = -32020,
    /// Another request cancelled this one.
    Cancelled = -32800,
}

impl ErrorCode {
    fn message(self) -> &'static str {
        match self {
            ErrorCode::Parse => "Parse error",
            ErrorCode::InvalidRequest => "Invalid request",
            ErrorCode::UnknownMethod => "Method not found",
            ErrorCode::InvalidParams => "Invalid params",
            ErrorCode::Internal => "Internal error",
            ErrorCode::NoSession => "No active session",
            ErrorCode::AlreadyStarted => "Session already started",
            ErrorCode::Forbidden => "Not allowed",
            ErrorCode::Failed => "Method failed",
            ErrorCode::ControlTaken => "Controlled by another client",
            ErrorCode::TooMany => "Too many sessions",
            ErrorCode::ShutdownInBatch => "batch step cannot call server.shutdown",
            ErrorCode::Cancelled => "Request cancelled",
        }
    }
}

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RpcError {
    #[serde(serialize_with = "number")]
    code: ErrorCode,
    data: ErrorData,
    message: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
struct ErrorData {
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<String>,
}

fn number<S: serde::Serializer>(code: &ErrorCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(*code as i32)
}

impl RpcError {
    /// Creates an error with details.
    pub(crate) fn new(code: ErrorCode, details: impl Into<String>) -> RpcError {
        RpcError {
            code,
            data: ErrorData {
                details: Some(details.into()),
                ..ErrorData::default()
            },
            message: code.message(),
        }
    }

    /// Creates an error for invalid parameters.
    pub(crate) fn invalid_params(details: impl Into<String>) -> RpcError {
        RpcError::new(ErrorCode::InvalidParams, details)
    }

    /// Creates an error for a method that was executed and failed.
    pub(crate) fn failed(details: impl Into<String>) -> RpcError {
        RpcError::new(ErrorCode::Failed, details)
    }

    /// Creates an error from another error with its causes.
    pub(crate) fn with_cause(what: &str, error: &dyn Error) -> RpcError {
        RpcError::failed(format!("{what}: {}", chain(error)))
    }

    /// Creates the error for an unknown method.
    pub(crate) fn unknown_method(method: &str) -> RpcError {
        RpcError {
            code: ErrorCode::UnknownMethod,
            data: ErrorData {
                details: nearest(method, METHODS.iter().copied())
                    .map(|name| format!("did you mean `{name}`?")),
                method: Some(method.to_owned()),
                ..ErrorData::default()
            },
            message: ErrorCode::UnknownMethod.message(),
        }
    }

    /// Converts an error of a terminal. `doing` is the context.
    pub(crate) fn from_tui(doing: &str, error: &TuiError) -> RpcError {
        let words = chain(error);
        if error.is_interrupted() {
            return RpcError::new(ErrorCode::Cancelled, format!("{doing}: {words}"));
        }
        let details = match error {
            TuiError::NotLaunched => format!("PTY backend unavailable during {doing}: {words}"),
            TuiError::Wait { error, .. } => return RpcError::from_wait(doing, error),
            TuiError::Input(InputError::Ended(_)) => {
                format!("launched app exited during {doing}: {words}")
            }
            TuiError::Select {
                error: SelectError::Ambiguous { .. },
                ..
            } => format!(
                "Ambiguous selector: {words}; select one with `nth` or `within`, or take the first or last with `ambiguityMode` (also in `initialize`)"
            ),
            TuiError::Snapshot(SnapshotError::Mismatch(mismatch)) => {
                format!("Snapshot mismatch for '{}'", mismatch.name)
            }
            _ => format!("{doing}: {words}"),
        };
        let mut failure = RpcError::failed(details);
        failure.data.report = match error {
            TuiError::Snapshot(SnapshotError::Mismatch(mismatch)) => {
                Some(mismatch.to_text(screentest::core::Paint::Plain))
            }
            error => error.report().map(ToString::to_string),
        };
        failure
    }

    /// Converts the error of a wait. `doing` is the context.
    pub(crate) fn from_wait(doing: &str, error: &WaitError) -> RpcError {
        let words = chain(error);
        let details = match error {
            WaitError::TimedOut { .. } => format!("{doing} timed out: {words}"),
            WaitError::Ended { .. } => format!("launched app exited during {doing}: {words}"),
            WaitError::Interrupted { .. } => {
                return RpcError::new(ErrorCode::Cancelled, format!("{doing}: {words}"));
            }
            _ => format!("{doing}: {words}"),
        };
        let mut failure = RpcError::failed(details);
        failure.data.report = error.report().map(ToString::to_string);
        failure
    }

    /// Replaces the details.
    pub(crate) fn with_details(mut self, details: String) -> RpcError {
        self.data.details = Some(details);
        self
    }

    /// Appends text to the details.
    pub(crate) fn append(self, words: &str) -> RpcError {
        let details = format!("{}{words}", self.details());
        self.with_details(details)
    }

    /// Returns the kind of the error.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// Returns the details, or the message if there are none.
    pub fn details(&self) -> &str {
        let data = &self.data;
        let text = data.details.as_deref().or(data.method.as_deref());
        text.unwrap_or(self.message)
    }

    /// Returns the report for people.
    pub(crate) fn report(&self) -> Option<&str> {
        self.data.report.as_deref()
    }

    /// Applies a function to the details and the report.
    pub(crate) fn map_text(mut self, words: impl Fn(&str) -> String) -> RpcError {
        let data = &mut self.data;
        for text in [&mut data.details, &mut data.report] {
            *text = text.as_deref().map(&words);
        }
        self
    }

    /// Returns the fixed message of the kind.
    pub(crate) fn message(&self) -> &'static str {
        self.message
    }
}

/// Formats an error and its causes as one line, with option names as in the protocols. Causes that
/// an error already contains are not repeated.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = error.source();
    }
    text.replace(WaitError::ANYTIME, "`\"anytime\": true`")
}
