//! Errors as HTTP responses.

use axum::Json;
use axum::body::to_bytes;
use axum::extract::rejection::JsonRejection;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::wire::{ErrorCode, RpcError};

/// A status and a one-line message that says what to do.
#[derive(Debug)]
pub(crate) struct HttpError {
    status: StatusCode,
    message: String,
    report: Option<String>,
    /// Whether to respond with an HTML page instead of JSON.
    html: bool,
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a str>,
}

impl HttpError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> HttpError {
        HttpError {
            status,
            message: message.into(),
            report: None,
            html: false,
        }
    }

    /// Responds with an HTML page if `html` is true.
    pub(crate) fn with_html(self, html: bool) -> HttpError {
        HttpError { html, ..self }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::BAD_REQUEST, message)
    }

    /// The Host header names another server.
    pub(crate) fn unknown_host() -> HttpError {
        let message = "unknown Host: use the address that the server printed, or start it with --allow-host NAME";
        HttpError::new(StatusCode::MISDIRECTED_REQUEST, message)
    }

    /// The request comes from a page of another site.
    pub(crate) fn foreign_origin() -> HttpError {
        let message = "foreign Origin: only the server's own page may send requests from a browser";
        HttpError::new(StatusCode::FORBIDDEN, message)
    }

    /// The credentials are missing or invalid.
    pub(crate) fn unauthorized(html: bool) -> HttpError {
        let message = "missing or invalid token: open the link that the server printed, or send `Authorization: Bearer TOKEN`";
        HttpError::new(StatusCode::UNAUTHORIZED, message).with_html(html)
    }

    pub(crate) fn rate_limited() -> HttpError {
        let message = "too many requests: try again in a second";
        HttpError::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// The server is about to stop.
    pub(crate) fn shutting_down() -> HttpError {
        let message = "the server is shutting down: start it again";
        HttpError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    pub(crate) fn read_only() -> HttpError {
        let message = "read-only access: this token or this server only allows watching";
        HttpError::new(StatusCode::FORBIDDEN, message)
    }

    /// An internal error of the server.
    pub(crate) fn internal(message: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl From<RpcError> for HttpError {
    fn from(failure: RpcError) -> HttpError {
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
        HttpError {
            report: failure.report().map(str::to_owned),
            ..HttpError::new(status, failure.details())
        }
    }
}

/// The body of a request is invalid.
impl From<JsonRejection> for HttpError {
    fn from(rejection: JsonRejection) -> HttpError {
        match rejection.status() {
            StatusCode::UNSUPPORTED_MEDIA_TYPE => HttpError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected a JSON body: send `Content-Type: application/json`",
            ),
            _ => HttpError::bad_request(rejection.body_text()),
        }
    }
}

impl std::fmt::Display for HttpError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let mut response = if self.html {
            let html = format!(
                "<!doctype html><meta charset=utf-8><title>screentest</title><p>{}</p>",
                self.message.replace('`', "")
            );
            let kind = HeaderValue::from_static("text/html; charset=utf-8");
            ([(CONTENT_TYPE, kind)], html).into_response()
        } else {
            Json(Body {
                error: &self.message,
                report: self.report.as_deref(),
            })
            .into_response()
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

/// Converts plain-text client errors of axum into the JSON form of [`HttpError`].
pub(crate) async fn text_errors_as_json(response: Response) -> Response {
    let is_plain = |kind: &HeaderValue| kind.as_bytes().starts_with(b"text/plain");
    let kind = response.headers().get(CONTENT_TYPE);
    if !response.status().is_client_error() || !kind.is_some_and(is_plain) {
        return response;
    }
    let (head, body) = response.into_parts();
    let message = to_bytes(body, MAX_MESSAGE).await.unwrap_or_default();
    HttpError::new(head.status, String::from_utf8_lossy(&message)).into_response()
}

/// Longer than any plain-text error of axum.
const MAX_MESSAGE: usize = 4096;

/// The path exists but does not support the method.
pub(crate) async fn method_not_allowed() -> HttpError {
    HttpError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this path does not support that method: see /api/openapi.json",
    )
}
