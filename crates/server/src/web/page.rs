//! The page: plain modules, carried by the binary.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

macro_rules! files {
    ($($path:literal, $name:literal, $kind:literal;)*) => {
        /// Every file: the path under which it is asked for, what it is, and what is in it.
        const FILES: &[(&str, &str, &[u8])] = &[
            $(($path, $kind, include_bytes!(concat!("../../page/", $name))),)*
        ];
    };
}

files! {
    "/", "index.html", "text/html; charset=utf-8";
    "/stream.js", "stream.js", "text/javascript; charset=utf-8";
}

/// Answers with a file of the page.
pub(crate) async fn file(method: Method, uri: Uri) -> Result<Response, Refusal> {
    let found = FILES.iter().find(|(path, ..)| *path == uri.path());
    let Some((_, kind, bytes)) = found else {
        return Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "there is nothing here: /api/openapi.json lists what there is, / is the page",
        ));
    };
    if !matches!(method, Method::GET | Method::HEAD) {
        return Err(super::refusal::wrong_method().await);
    }
    // A newer binary has newer files.
    let headers = [(CONTENT_TYPE, *kind), (CACHE_CONTROL, "no-cache")];
    Ok((headers, *bytes).into_response())
}
