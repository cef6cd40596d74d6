//! What can be asked over HTTP, for programs that read OpenAPI.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// The document; the tests ask the server everything that stands in it.
const DOCUMENT: &str = include_str!("openapi.json");

/// Answers with it.
pub(crate) async fn document() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], DOCUMENT)
}
