//! Requests to the web server: their lines, headers, parameters and bodies, as bytes.
//!
//! - Whatever comes, the server answers in HTTP or hangs up, and soon.
//! - The first answer is no fault of the server, and tells a browser what it must not do with it.
//!
//! No session can be opened, so that nothing is started. What names a door through which files could be written is given to a server whose
//! clients may only look.

use std::sync::LazyLock;
use std::time::Duration;

use screentest::core::{Ambiguity, Secrets, Size};
use screentest_server::Settings;
use screentest_server::probe::Exchange;
use screentest_server::web::{Options, Tokens};

static READ_WRITE: LazyLock<Exchange> = LazyLock::new(|| server(false));
static READ_ONLY: LazyLock<Exchange> = LazyLock::new(|| server(true));

/// The doors behind which all methods are.
const METHOD_PATHS: [&[u8]; 2] = [b"/rpc", b"/mcp"];

/// Where a cassette is, to be asked for.
const CASSETTES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/screentest/tests/cassettes"
);

fn server(read_only: bool) -> Exchange {
    let settings = Settings {
        artifact_dir: "/nonexistent".into(),
        cassette_dir: Some(CASSETTES.into()),
        size: Size { cols: 20, rows: 4 },
        timeout: Duration::from_millis(1),
        ambiguity: Ambiguity::Fail,
        secrets: Secrets::default(),
        input: screentest::InputOverrides::default(),
        most_sessions: 0,
    };
    let options = Options {
        tokens: Tokens::read("0123456789abcdef").expect("a token"),
        read_only,
        idle: None,
        linger: None,
        hosts: Vec::new(),
    };
    Exchange::new(settings, options).expect("a server can be made")
}

/// Sends the bytes, and looks at what is answered.
pub fn check(bytes: &[u8]) {
    let names = |path: &[u8]| bytes.windows(path.len()).any(|window| window == path);
    let server = if METHOD_PATHS.into_iter().any(names) {
        &READ_ONLY
    } else {
        &READ_WRITE
    };
    let answer = server.answer(bytes).expect("an answer comes soon");
    if answer.is_empty() {
        return;
    }
    let (line, rest) = answer.split_at(answer.len().min(13));
    let shown = String::from_utf8_lossy(&answer[..answer.len().min(400)]);
    assert!(line.starts_with(b"HTTP/1."), "{shown}");
    assert!(!line.ends_with(b"500 "), "{shown}");
    let head = rest.windows(4).position(|window| window == b"\r\n\r\n");
    let rest = &rest[..head.unwrap_or(rest.len())];
    // What HTTP itself forbids is refused before the routes are asked, by a status alone; all else has the routes' headers.
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
