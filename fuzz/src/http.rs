//! Target: requests to the web server as bytes, with lines, headers, parameters and bodies.
//!
//! - The server answers any input in HTTP or closes the connection, within a short time.
//! - The first response is not a server error, and has the security headers for browsers.
//!
//! No session can be opened, so nothing is started. Requests to paths through which files could be
//! written go to a read-only server.

use std::sync::LazyLock;
use std::time::Duration;

use screentest::core::{Ambiguity, Secrets, Size};
use screentest_server::ServiceSettings;
use screentest_server::fuzz_entry::InMemoryServer;
use screentest_server::web::{Tokens, WebOptions};

static READ_WRITE: LazyLock<InMemoryServer> = LazyLock::new(|| server(false));
static READ_ONLY: LazyLock<InMemoryServer> = LazyLock::new(|| server(true));

/// The paths that provide all methods.
const METHOD_PATHS: [&[u8]; 2] = [b"/rpc", b"/mcp"];

/// Folder of the cassettes that can be requested.
const CASSETTES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/screentest/tests/cassettes"
);

fn server(read_only: bool) -> InMemoryServer {
    let settings = ServiceSettings {
        artifact_dir: "/nonexistent".into(),
        cassette_dir: Some(CASSETTES.into()),
        size: Size { cols: 20, rows: 4 },
        timeout: Duration::from_millis(1),
        ambiguity: Ambiguity::Fail,
        secrets: Secrets::default(),
        input: screentest::test::InputOverrides::default(),
        max_sessions: 0,
    };
    let options = WebOptions {
        tokens: Tokens::read("0123456789abcdef").expect("a token"),
        read_only,
        idle: None,
        linger: None,
        hosts: Vec::new(),
    };
    InMemoryServer::new(settings, options).expect("a server can be made")
}

/// Sends the bytes and checks the response.
pub fn check(bytes: &[u8]) {
    let names = |path: &[u8]| bytes.windows(path.len()).any(|window| window == path);
    let server = if METHOD_PATHS.into_iter().any(names) {
        &READ_ONLY
    } else {
        &READ_WRITE
    };
    let answer = server.respond(bytes).expect("an answer comes soon");
    if answer.is_empty() {
        return;
    }
    let (line, rest) = answer.split_at(answer.len().min(13));
    let shown = String::from_utf8_lossy(&answer[..answer.len().min(400)]);
    assert!(line.starts_with(b"HTTP/1."), "{shown}");
    assert!(!line.ends_with(b"500 "), "{shown}");
    let head = rest.windows(4).position(|window| window == b"\r\n\r\n");
    let rest = &rest[..head.unwrap_or(rest.len())];
    // Requests that violate HTTP are rejected with a bare status before routing; all other
    // responses have the headers.
    let nosniff = b"x-content-type-options: nosniff";
    let has_headers = rest.windows(nosniff.len()).any(|window| window == nosniff);
    assert!(
        has_headers
            || line.ends_with(b"400 ")
            || line.ends_with(b"431 ")
            || line.ends_with(b"414 "),
        "{shown}"
    );
}
