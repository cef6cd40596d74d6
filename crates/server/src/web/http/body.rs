//! Reads request bodies completely before their handler runs, with limits on size and time.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use tokio::time::timeout;

use crate::service::client::Role;
use crate::web::http::error::HttpError;

/// How long a body may take to arrive. Slow clients occupy a connection only this long.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Reads the body into memory and returns the request with it.
pub(crate) async fn read(request: Request, role: Role) -> Result<Request, HttpError> {
    // GET and HEAD have no body; WebSocket upgrades are GET requests.
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(request);
    }
    let (head, body) = request.into_parts();
    let most = role.limits().request_bytes;
    match timeout(TIMEOUT, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        // A broken connection needs no response, so this is a body that is too large.
        Ok(Err(_)) => Err(HttpError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!(
                "the body is larger than {most} bytes, the limit for {}: send it in parts",
                role.clients()
            ),
        )),
        Err(_) => Err(HttpError::new(
            StatusCode::REQUEST_TIMEOUT,
            format!("the body did not arrive within {TIMEOUT:?}"),
        )),
    }
}
