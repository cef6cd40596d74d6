//! Serves the web page, whose files are embedded in the binary.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::web::http::error::HttpError;

macro_rules! files {
    ($($path:literal, $name:literal, $kind:literal;)*) => {
        /// Every file: its URL path, content type and content.
        const FILES: &[(&str, &str, &[u8])] = &[
            $(($path, $kind, include_bytes!(concat!("../../page/", $name))),)*
        ];
    };
}

files! {
    "/", "index.html", "text/html; charset=utf-8";
    "/icon.svg", "icon.svg", "image/svg+xml";
    // Browsers request this for pages that name no icon, such as the login page.
    "/favicon.ico", "icon.svg", "image/svg+xml";
    "/style.css", "style.css", "text/css; charset=utf-8";
    "/address.js", "address.js", "text/javascript; charset=utf-8";
    "/app.js", "app.js", "text/javascript; charset=utf-8";
    "/cassette/cassette_list.js", "cassette/cassette_list.js", "text/javascript; charset=utf-8";
    "/cassette/cassette_view.js", "cassette/cassette_view.js", "text/javascript; charset=utf-8";
    "/cassette/frame_cache.js", "cassette/frame_cache.js", "text/javascript; charset=utf-8";
    "/cassette/frames.js", "cassette/frames.js", "text/javascript; charset=utf-8";
    "/cassette/player.js", "cassette/player.js", "text/javascript; charset=utf-8";
    "/cassette/timeline.js", "cassette/timeline.js", "text/javascript; charset=utf-8";
    "/draw/cell.js", "draw/cell.js", "text/javascript; charset=utf-8";
    "/draw/colours.js", "draw/colours.js", "text/javascript; charset=utf-8";
    "/draw/images.js", "draw/images.js", "text/javascript; charset=utf-8";
    "/draw/row.js", "draw/row.js", "text/javascript; charset=utf-8";
    "/draw/screen.js", "draw/screen.js", "text/javascript; charset=utf-8";
    "/draw/text_size.js", "draw/text_size.js", "text/javascript; charset=utf-8";
    "/input/copy.js", "input/copy.js", "text/javascript; charset=utf-8";
    "/input/key_bar.js", "input/key_bar.js", "text/javascript; charset=utf-8";
    "/input/key_names.js", "input/key_names.js", "text/javascript; charset=utf-8";
    "/input/keyboard.js", "input/keyboard.js", "text/javascript; charset=utf-8";
    "/input/mouse.js", "input/mouse.js", "text/javascript; charset=utf-8";
    "/protocol/cassettes.js", "protocol/cassettes.js", "text/javascript; charset=utf-8";
    "/protocol/http.js", "protocol/http.js", "text/javascript; charset=utf-8";
    "/protocol/screen_state.js", "protocol/screen_state.js", "text/javascript; charset=utf-8";
    "/protocol/sessions.js", "protocol/sessions.js", "text/javascript; charset=utf-8";
    "/protocol/socket.js", "protocol/socket.js", "text/javascript; charset=utf-8";
    "/protocol/stream.js", "protocol/stream.js", "text/javascript; charset=utf-8";
    "/protocol/vt2.js", "protocol/vt2.js", "text/javascript; charset=utf-8";
    "/session/control.js", "session/control.js", "text/javascript; charset=utf-8";
    "/session/new_session.js", "session/new_session.js", "text/javascript; charset=utf-8";
    "/session/record_button.js", "session/record_button.js", "text/javascript; charset=utf-8";
    "/session/scrollback.js", "session/scrollback.js", "text/javascript; charset=utf-8";
    "/session/session_list.js", "session/session_list.js", "text/javascript; charset=utf-8";
    "/session/session_view.js", "session/session_view.js", "text/javascript; charset=utf-8";
    "/session/thumbnail.js", "session/thumbnail.js", "text/javascript; charset=utf-8";
}

/// Returns a file of the page.
pub(crate) async fn file(method: Method, uri: Uri) -> Result<Response, HttpError> {
    let found = FILES.iter().find(|(path, ..)| *path == uri.path());
    let Some((_, kind, bytes)) = found else {
        return Err(HttpError::new(
            StatusCode::NOT_FOUND,
            "no such path: the page is at /, the API is described in /api/openapi.json",
        ));
    };
    if !matches!(method, Method::GET | Method::HEAD) {
        return Err(crate::web::http::error::method_not_allowed().await);
    }
    // Browsers must revalidate, because another version of the binary has other files.
    let headers = [(CONTENT_TYPE, *kind), (CACHE_CONTROL, "no-cache")];
    Ok((headers, *bytes).into_response())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use screentest::core::{Rgb, Theme};

    use super::*;

    /// Calls `check` with the path of every file of the page, relative to the page's folder.
    fn each_file(folder: &Path, prefix: &str, check: &impl Fn(&str)) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            // Editors leave hidden files while a file is open.
            if name.starts_with('.') || matches!(name.as_str(), "tsconfig.json" | "tests") {
                continue;
            }
            let path = format!("{prefix}{name}");
            if entry.file_type().unwrap().is_dir() {
                each_file(&entry.path(), &format!("{path}/"), check);
            } else {
                check(&path);
            }
        }
    }

    #[test]
    fn the_page_has_the_colours_of_the_theme_screentest() {
        let script = include_str!("../../page/draw/colours.js");
        let colors: Vec<&str> = script.split('"').skip(1).step_by(2).collect();
        let colors: Vec<&str> = colors
            .into_iter()
            .filter(|text| text.starts_with('#'))
            .collect();
        let theme = Theme::SCREENTEST;
        let ground = [theme.fg, theme.bg, theme.cursor, theme.selection];
        let expected = ground.iter().chain(&theme.ansi).map(Rgb::to_string);
        assert_eq!(colors, expected.collect::<Vec<_>>());
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        each_file(&folder, "", &|file| {
            let url = match file {
                "index.html" => "/".to_owned(),
                file => format!("/{file}"),
            };
            assert!(FILES.iter().any(|(served, ..)| *served == url), "{file}");
        });
    }

    #[test]
    fn page_loads_nothing_from_other_sites() {
        for (path, _, bytes) in FILES {
            let text = std::str::from_utf8(bytes).unwrap();
            for attribute in ["src=\"", "href=\"", "from \"", "url("] {
                for (at, _) in text.match_indices(attribute) {
                    let target = text.get(at + attribute.len()..).unwrap();
                    let is_own = ["/", "./", "../", "data:"]
                        .iter()
                        .any(|own| target.starts_with(own));
                    assert!(
                        is_own && !target.starts_with("//"),
                        "{path}: {}",
                        target.lines().next().unwrap()
                    );
                }
            }
        }
    }
}
