//! The OpenAPI description of the HTTP API.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// The document. A test sends every request that it describes.
const DOCUMENT: &str = include_str!("openapi.json");

/// Returns the document.
pub(crate) async fn document() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], DOCUMENT)
}
