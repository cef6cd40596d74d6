//! Why a request was not done, as JSON-RPC says it: a number, a word, and what explains it.
//!
//! `details` is one line that names what was asked, what was there, and what to do next. `report` is for people: the last screen
//! and what else is known of the program. Where the server that this one follows had words of its own for a wait that failed or a
//! program that had ended, `details` begins with them, as clients look for them; of keys and parameters it says more than that one
//! did, in words of its own.

use std::error::Error;

use screentest::core::SelectError;
use screentest::core::query::suggest::nearest;
use screentest::{InputError, SnapshotError, TuiError, WaitError};
use serde::Serialize;

use crate::method::METHODS;

/// What kind of failure it is, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    /// The line is not JSON.
    Parse = -32700,
    /// The JSON is not a request.
    InvalidRequest = -32600,
    /// There is no such method.
    UnknownMethod = -32601,
    /// The parameters are not those of the method.
    InvalidParams = -32602,
    /// A fault of the server itself.
    Internal = -32603,
    /// The method needs a session, and there is none.
    NoSession = -32001,
    /// There is a session already.
    AlreadyStarted = -32002,
    /// Who asks may not.
    Forbidden = -32003,
    /// The method was done and did not succeed.
    Failed = -32004,
    /// Somebody else drives the session.
    Driven = -32005,
    /// As many sessions are open as may be.
    TooMany = -32006,
    /// A batch may not end the server.
    ShutdownInBatch = -32020,
    /// Another request cancelled it.
    Cancelled = -32800,
}

impl Code {
    fn message(self) -> &'static str {
        match self {
            Code::Parse => "Parse error",
            Code::InvalidRequest => "Invalid request",
            Code::UnknownMethod => "Method not found",
            Code::InvalidParams => "Invalid params",
            Code::Internal => "Internal error",
            Code::NoSession => "No active session",
            Code::AlreadyStarted => "Session already started",
            Code::Forbidden => "Not allowed",
            Code::Failed => "Method failed",
            Code::Driven => "Somebody else drives",
            Code::TooMany => "Too many sessions",
            Code::ShutdownInBatch => "batch step cannot call server.shutdown",
            Code::Cancelled => "Request cancelled",
        }
    }
}

/// Why a request was not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    #[serde(serialize_with = "number")]
    code: Code,
    data: Data,
    message: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
struct Data {
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<String>,
}

fn number<S: serde::Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(*code as i32)
}

impl Failure {
    /// A failure of a kind, with what explains it.
    pub(crate) fn new(code: Code, details: impl Into<String>) -> Failure {
        Failure {
            code,
            data: Data {
                details: Some(details.into()),
                ..Data::default()
            },
            message: code.message(),
        }
    }

    /// Parameters that are not those of the method.
    pub(crate) fn params(details: impl Into<String>) -> Failure {
        Failure::new(Code::InvalidParams, details)
    }

    /// Something that was tried and did not succeed.
    pub(crate) fn failed(details: impl Into<String>) -> Failure {
        Failure::new(Code::Failed, details)
    }

    /// An error with its causes.
    pub(crate) fn caused(what: &str, error: &dyn Error) -> Failure {
        Failure::failed(format!("{what}: {}", chain(error)))
    }

    /// A method that nobody knows.
    pub(crate) fn unknown_method(method: &str) -> Failure {
        Failure {
            code: Code::UnknownMethod,
            data: Data {
                details: nearest(method, METHODS.iter().copied())
                    .map(|name| format!("did you mean `{name}`?")),
                method: Some(method.to_owned()),
                ..Data::default()
            },
            message: Code::UnknownMethod.message(),
        }
    }

    /// What did not come about while doing something.
    pub(crate) fn of(doing: &str, error: &TuiError) -> Failure {
        let words = chain(error);
        if error.is_interrupted() {
            return Failure::new(Code::Cancelled, format!("{doing}: {words}"));
        }
        let details = match error {
            TuiError::NotLaunched => format!("PTY backend unavailable during {doing}: {words}"),
            TuiError::Wait { error, .. } => return Failure::of_wait(doing, error),
            TuiError::Input(InputError::Ended(_)) => {
                format!("launched app exited during {doing}: {words}")
            }
            TuiError::Select {
                error: SelectError::Ambiguous { .. },
                ..
            } => format!(
                "Ambiguous selector: {words}; `nth` or `within` says which one, `ambiguityMode` (also of `initialize`) takes the first or the last"
            ),
            TuiError::Snapshot(SnapshotError::Mismatch(mismatch)) => {
                format!("Snapshot mismatch for '{}'", mismatch.name)
            }
            _ => format!("{doing}: {words}"),
        };
        let mut failure = Failure::failed(details);
        failure.data.report = match error {
            TuiError::Snapshot(SnapshotError::Mismatch(mismatch)) => {
                Some(mismatch.told(screentest::core::Paint::Plain))
            }
            error => error.report().map(ToString::to_string),
        };
        failure
    }

    /// A wait that ended without a yes.
    pub(crate) fn of_wait(doing: &str, error: &WaitError) -> Failure {
        let words = chain(error);
        let details = match error {
            WaitError::TimedOut { .. } => format!("{doing} timed out: {words}"),
            WaitError::Ended { .. } => format!("launched app exited during {doing}: {words}"),
            WaitError::Interrupted { .. } => {
                return Failure::new(Code::Cancelled, format!("{doing}: {words}"));
            }
            _ => format!("{doing}: {words}"),
        };
        let mut failure = Failure::failed(details);
        failure.data.report = error.report().map(ToString::to_string);
        failure
    }

    /// The same with other details.
    pub(crate) fn with_details(mut self, details: String) -> Failure {
        self.data.details = Some(details);
        self
    }

    /// The same with more words behind its details.
    pub(crate) fn and(self, words: &str) -> Failure {
        let details = format!("{}{words}", self.details());
        self.with_details(details)
    }

    /// What kind of failure it is.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What explains it, in one line.
    pub fn details(&self) -> &str {
        let data = &self.data;
        let told = data.details.as_deref().or(data.method.as_deref());
        told.unwrap_or(self.message)
    }

    /// What else is known, for people.
    pub(crate) fn report(&self) -> Option<&str> {
        self.data.report.as_deref()
    }

    /// The same with other words.
    pub(crate) fn map_words(mut self, words: impl Fn(&str) -> String) -> Failure {
        let data = &mut self.data;
        for told in [&mut data.details, &mut data.report] {
            *told = told.as_deref().map(&words);
        }
        self
    }

    /// The word of its kind.
    pub(crate) fn message(&self) -> &'static str {
        self.message
    }
}

/// An error and its causes, in one line and in the words of the protocols. Some errors say their cause already.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !told.contains(&words) {
            told.push_str(": ");
            told.push_str(&words);
        }
        cause = error.source();
    }
    told.replace(WaitError::ANYTIME, "`\"anytime\": true`")
}
