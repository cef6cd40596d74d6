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
    "/icon.svg", "icon.svg", "image/svg+xml";
    // Browsers ask for this of pages that name none, such as the one behind a link.
    "/favicon.ico", "icon.svg", "image/svg+xml";
    "/style.css", "style.css", "text/css; charset=utf-8";
    "/address.js", "address.js", "text/javascript; charset=utf-8";
    "/app.js", "app.js", "text/javascript; charset=utf-8";
    "/ask.js", "ask.js", "text/javascript; charset=utf-8";
    "/cassette.js", "cassette.js", "text/javascript; charset=utf-8";
    "/cassettes.js", "cassettes.js", "text/javascript; charset=utf-8";
    "/cell.js", "cell.js", "text/javascript; charset=utf-8";
    "/colours.js", "colours.js", "text/javascript; charset=utf-8";
    "/control.js", "control.js", "text/javascript; charset=utf-8";
    "/copying.js", "copying.js", "text/javascript; charset=utf-8";
    "/frames.js", "frames.js", "text/javascript; charset=utf-8";
    "/keybar.js", "keybar.js", "text/javascript; charset=utf-8";
    "/keys.js", "keys.js", "text/javascript; charset=utf-8";
    "/list.js", "list.js", "text/javascript; charset=utf-8";
    "/mouse.js", "mouse.js", "text/javascript; charset=utf-8";
    "/opening.js", "opening.js", "text/javascript; charset=utf-8";
    "/pane.js", "pane.js", "text/javascript; charset=utf-8";
    "/player.js", "player.js", "text/javascript; charset=utf-8";
    "/recording.js", "recording.js", "text/javascript; charset=utf-8";
    "/reel.js", "reel.js", "text/javascript; charset=utf-8";
    "/row.js", "row.js", "text/javascript; charset=utf-8";
    "/screen.js", "screen.js", "text/javascript; charset=utf-8";
    "/scrollback.js", "scrollback.js", "text/javascript; charset=utf-8";
    "/sessions.js", "sessions.js", "text/javascript; charset=utf-8";
    "/shelf.js", "shelf.js", "text/javascript; charset=utf-8";
    "/socket.js", "socket.js", "text/javascript; charset=utf-8";
    "/stream.js", "stream.js", "text/javascript; charset=utf-8";
    "/text.js", "text.js", "text/javascript; charset=utf-8";
    "/thumbnail.js", "thumbnail.js", "text/javascript; charset=utf-8";
    "/timeline.js", "timeline.js", "text/javascript; charset=utf-8";
    "/typing.js", "typing.js", "text/javascript; charset=utf-8";
    "/vt2.js", "vt2.js", "text/javascript; charset=utf-8";
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        for entry in fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = match name.as_str() {
                "index.html" => "/".to_owned(),
                "tsconfig.json" | "tests" => continue,
                // What an editor leaves while it is open.
                name if name.starts_with('.') => continue,
                name => format!("/{name}"),
            };
            assert!(FILES.iter().any(|(served, ..)| *served == path), "{name}");
        }
    }

    #[test]
    fn the_page_names_no_other_place_to_load_from() {
        for (path, _, bytes) in FILES {
            let text = std::str::from_utf8(bytes).unwrap();
            for attribute in ["src=\"", "href=\"", "from \"", "url("] {
                for (at, _) in text.match_indices(attribute) {
                    let target = text.get(at + attribute.len()..).unwrap();
                    let is_ours = ["/", "./", "data:"]
                        .iter()
                        .any(|own| target.starts_with(own));
                    assert!(
                        is_ours && !target.starts_with("//"),
                        "{path}: {}",
                        target.lines().next().unwrap()
                    );
                }
            }
        }
    }
}
