//! Why a request was not done, as HTTP says it.

use axum::Json;
use axum::body::to_bytes;
use axum::extract::rejection::JsonRejection;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::wire::{ErrorCode, RpcError};

/// A refusal: a status, and one line that says what to do.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    words: String,
    report: Option<String>,
    /// A person looks at it in a browser.
    page: bool,
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a str>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, words: impl Into<String>) -> Refusal {
        Refusal {
            status,
            words: words.into(),
            report: None,
            page: false,
        }
    }

    /// The same as a page, where a person looks at it.
    pub(crate) fn on_page(self, page: bool) -> Refusal {
        Refusal { page, ..self }
    }

    pub(crate) fn bad(words: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, words)
    }

    /// Somebody calls us by a name that is not ours.
    pub(crate) fn misdirected() -> Refusal {
        let words = "this server is not called by that Host: use the address that it printed, or start it with --allow-host NAME";
        Refusal::new(StatusCode::MISDIRECTED_REQUEST, words)
    }

    /// Another page asks.
    pub(crate) fn foreign() -> Refusal {
        let words = "the Origin of this request is not this server: only its own page may ask from a browser";
        Refusal::new(StatusCode::FORBIDDEN, words)
    }

    /// Nobody knows who asks.
    pub(crate) fn unknown(page: bool) -> Refusal {
        let words = "no token, or not the right one: open the link that the server printed, or send `Authorization: Bearer TOKEN`";
        Refusal::new(StatusCode::UNAUTHORIZED, words).on_page(page)
    }

    pub(crate) fn too_often() -> Refusal {
        let words = "too many requests: wait a second";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, words)
    }

    /// Another server will answer.
    pub(crate) fn ending() -> Refusal {
        let words = "the server is about to end: start another, and ask that one";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words)
    }

    pub(crate) fn only_look() -> Refusal {
        let words = "who asks may only look: this token or this server is read-only";
        Refusal::new(StatusCode::FORBIDDEN, words)
    }

    /// Something in us went wrong.
    pub(crate) fn fault(words: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, words)
    }
}

impl From<RpcError> for Refusal {
    fn from(failure: RpcError) -> Refusal {
        let status = match failure.code() {
            ErrorCode::Parse
            | ErrorCode::InvalidRequest
            | ErrorCode::InvalidParams
            | ErrorCode::UnknownMethod => StatusCode::BAD_REQUEST,
            ErrorCode::NoSession => StatusCode::NOT_FOUND,
            ErrorCode::AlreadyStarted | ErrorCode::ControlTaken | ErrorCode::Cancelled => {
                StatusCode::CONFLICT
            }
            ErrorCode::Forbidden => StatusCode::FORBIDDEN,
            ErrorCode::TooMany => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::Failed | ErrorCode::ShutdownInBatch => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal {
            report: failure.report().map(str::to_owned),
            ..Refusal::new(status, failure.details())
        }
    }
}

/// A body that is not what it should be.
impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Refusal {
        match rejection.status() {
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body is JSON: send `Content-Type: application/json` with it",
            ),
            _ => Refusal::bad(rejection.body_text()),
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = match self.page {
            true => {
                let html = format!(
                    "<!doctype html><meta charset=utf-8><title>screentest</title><p>{}</p>",
                    self.words.replace('`', "")
                );
                let kind = HeaderValue::from_static("text/html; charset=utf-8");
                ([(CONTENT_TYPE, kind)], html).into_response()
            }
            false => Json(Body {
                error: &self.words,
                report: self.report.as_deref(),
            })
            .into_response(),
        };
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        match self.status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }
}

/// What others refused in words of their own, as we say it.
pub(crate) async fn in_our_words(response: Response) -> Response {
    let is_plain = |kind: &HeaderValue| kind.as_bytes().starts_with(b"text/plain");
    let kind = response.headers().get(CONTENT_TYPE);
    if !response.status().is_client_error() || !kind.is_some_and(is_plain) {
        return response;
    }
    let (head, body) = response.into_parts();
    let words = to_bytes(body, LONGEST).await.unwrap_or_default();
    Refusal::new(head.status, String::from_utf8_lossy(&words)).into_response()
}

/// More than anybody says in a refusal.
const LONGEST: usize = 4096;

/// A path that is there, asked in a way that is not.
pub(crate) async fn wrong_method() -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this path does not take that method: /api/openapi.json lists what each takes",
    )
}
