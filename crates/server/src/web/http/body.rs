//! The bodies of requests: read whole, before anything is done with them, within bounds of size and of time.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use tokio::time::timeout;

use crate::web::http::error::Refusal;

/// The largest: a long paste, and no more.
pub(crate) const LARGEST: usize = 1 << 20;

/// How long one may take: who sends it letter by letter holds a place only for a while.
const PATIENCE: Duration = Duration::from_secs(20);

/// The same request, with its body in memory.
pub(crate) async fn read(request: Request) -> Result<Request, Refusal> {
    // What becomes a socket is asked for by GET.
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(request);
    }
    let (head, body) = request.into_parts();
    match timeout(PATIENCE, to_bytes(body, LARGEST)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        // What broke the connection needs no answer; what is too large does.
        Ok(Err(_)) => Err(Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("a body has at most {LARGEST} bytes: send it in parts"),
        )),
        Err(_) => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            format!("the body did not come within {PATIENCE:?}: send it at once"),
        )),
    }
}
