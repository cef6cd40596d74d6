//! `GET /api/sessions/ID/buffer`.

use screentest::core::formats::vt2;
use serde_json::json;

use super::client::Server;

/// Opens a session of ten rows that prints the numbers from 1 to 100, one per row.
fn open_numbers(server: &Server) -> String {
    let command = ["sh", "-c", "seq 1 100; printf 'the end'; exec cat"];
    let opened = server.post(
        "/api/sessions",
        &json!({ "command": command, "cols": 20, "rows": 10 }),
    );
    assert_eq!(opened.status, 201, "{}", opened.text());
    server.wait("sh", "the end");
    "sh".to_owned()
}

fn text(server: &Server, query: &str) -> Vec<String> {
    let answer = server.get(&format!("/api/sessions/sh/buffer?{query}&format=text"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text().lines().map(str::to_owned).collect()
}

#[test]
fn buffer_returns_any_range_of_rows() {
    let server = Server::start();
    open_numbers(&server);
    assert_eq!(text(&server, "")[..2], ["92", "93"]);
    assert_eq!(text(&server, "").last().unwrap(), "the end");
    assert_eq!(text(&server, "viewportY=0&lines=3"), ["1", "2", "3"]);
    assert_eq!(text(&server, "viewportY=90&lines=2"), ["91", "92"]);
    assert_eq!(text(&server, "lines=12")[..2], ["90", "91"]);
    assert_eq!(text(&server, "viewportY=99&lines=50"), ["100", "the end"]);
    assert_eq!(text(&server, "viewportY=5000&lines=5"), [""]);
    let answer = server.get("/api/sessions/sh/buffer?viewportY=0&lines=200");
    assert_eq!(
        answer.header("content-type"),
        Some("application/octet-stream")
    );
    let length = answer.body.len().to_string();
    assert_eq!(answer.header("content-length"), Some(length.as_str()));
    let rows = vt2::decode_rows(&answer.body, vt2::Strictness::Strict).unwrap();
    assert_eq!(rows.1.len(), 101);
    assert_eq!(rows.0.viewport_y, 0);
    assert_eq!((rows.0.cursor_x, rows.0.cursor_y), (7, 100));
}

#[test]
fn buffer_returns_each_format() {
    let server = Server::start();
    open_numbers(&server);
    let of = |format: &str| server.get(&format!("/api/sessions/sh/buffer?format={format}"));
    let state = of("json");
    assert_eq!(state.header("content-type"), Some("application/json"));
    let state = state.json();
    assert_eq!(state["size"], json!([20, 10]));
    let last = state["viewport_text"].as_str().unwrap().lines().last();
    assert_eq!(last, Some("the end"));
    let png = of("png");
    assert_eq!(png.header("content-type"), Some("image/png"));
    assert_eq!(&png.body[..4], b"\x89PNG");
    assert_eq!(of("vt2").body[..3], *b"VT\x02");
    // Formats that cannot show a range reject it.
    for query in ["json&viewportY=0", "png&viewportY=0", "png&lines=3"] {
        let refused = of(query);
        assert_eq!(refused.status, 400, "{query}");
        assert!(
            refused.error().contains("vt2 or text"),
            "{}",
            refused.error()
        );
    }
}

#[test]
fn unchanged_buffer_is_not_sent_again() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let path = format!("/api/sessions/{id}/buffer");
    let first = server.get(&path);
    let tag = first.header("etag").unwrap().to_owned();
    let again = |tag: &str| {
        let headers = format!("{}If-None-Match: {tag}\r\n", server.bearer());
        server.ask("GET", &path, &headers, b"")
    };
    let same = again(&tag);
    assert_eq!((same.status, same.body.len()), (304, 0));
    assert_eq!(same.header("etag"), Some(tag.as_str()));
    server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "text": "x" }),
    );
    server.wait(&id, "x");
    assert_eq!(again(&tag).status, 200);
    assert_eq!(again("\"another\"").status, 200);
}

#[test]
fn buffer_is_compressed_on_request() {
    let server = Server::start();
    open_numbers(&server);
    let path = "/api/sessions/sh/buffer?viewportY=0&lines=100";
    let plain = server.get(path);
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
    for coding in ["gzip", "br"] {
        let headers = format!("{}Accept-Encoding: {coding}\r\n", server.bearer());
        let small = server.ask("GET", path, &headers, b"");
        assert_eq!(small.header("content-encoding"), Some(coding));
        assert!(small.body.len() < plain.body.len(), "{coding}");
        let length = small.body.len().to_string();
        assert_eq!(small.header("content-length"), Some(length.as_str()));
        assert_ne!(small.header("etag"), plain.header("etag"));
    }
}

#[test]
fn invalid_query_is_rejected() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    for query in [
        "viewportY=-1",
        "viewportY=x",
        "lines=1.5",
        "lines=",
        "lines=99999999999",
        "format=gif",
        "viewport=1",
    ] {
        let answer = server.get(&format!("/api/sessions/{id}/buffer?{query}"));
        assert_eq!(answer.status, 400, "{query}");
        assert!(
            answer.error().contains(query.split('=').next().unwrap()),
            "{}",
            answer.error()
        );
    }
    assert_eq!(server.get("/api/sessions/none/buffer").status, 404);
}
