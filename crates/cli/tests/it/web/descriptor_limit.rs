//! A limit on open files.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::client::Server;
use crate::harness::cli::wait_until;

/// So low that 60 clients exceed it. The clients above it wait in the listen backlog.
const LIMIT: &str = "ulimit -n 40;";

/// Without a free descriptor, the server retries accepting every 50 ms and uses no CPU in between.
/// Connected clients are still answered; opening a session fails with the limit and a hint. When
/// other clients disconnect, the waiting ones are served and sessions can be opened again.
#[test]
fn waiting_connections_are_served_when_descriptors_are_free() {
    let server = Server::start_after_setup(LIMIT);
    let connection = OpenConnection::new(&server);
    assert_eq!(connection.not_accepted(), 0);
    let crowd: Vec<TcpStream> = (0..60).map(|_| server.connect()).collect();
    wait_until("a connection is not accepted", || {
        // Only the existing connection can ask.
        connection.not_accepted() > 0
    });
    let refused = connection.open();
    for words in [
        "HTTP/1.1 4",
        "may have at most 40 files open",
        "raise the limit (`ulimit -n`)",
    ] {
        assert!(refused.contains(words), "{refused}");
    }
    let (clock, before) = (
        screentest::clock::Clock::system(),
        connection.not_accepted(),
    );
    wait_until("accepting is retried", || {
        connection.not_accepted() >= before + 5
    });
    // Five attempts have four whole pauses between them.
    assert!(clock.now().as_millis() >= 200, "{:?}", clock.now());
    drop(crowd);
    assert_eq!(server.get("/api/sessions").status, 200);
    let id = server.open(&["sh", "-c", "echo opened; exec cat"]);
    server.wait(&id, "opened");
}

/// A connection that stays open.
struct OpenConnection<'a> {
    server: &'a Server,
    stream: TcpStream,
}

impl<'a> OpenConnection<'a> {
    fn new(server: &'a Server) -> OpenConnection<'a> {
        let stream = server.connect();
        OpenConnection { server, stream }
    }

    /// Returns the number of connections that the server could not accept.
    fn not_accepted(&self) -> u64 {
        let answer = self.ask("GET", "/metrics", "");
        let counted = answer.lines().find_map(|line| {
            let count = line.strip_prefix("screentest_connections_not_accepted_total ")?;
            count.parse().ok()
        });
        counted.expect(&answer)
    }

    /// Opens a session and returns the response.
    fn open(&self) -> String {
        let body = json!({ "command": ["cat"] }).to_string();
        self.ask("POST", "/api/sessions", &body)
    }

    /// Sends a request and reads the response according to its Content-Length.
    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.server.address,
            self.server.bearer(),
            body.len()
        );
        let mut stream = &self.stream;
        stream.write_all(head.as_bytes()).unwrap();
        let (mut answer, mut byte) = (Vec::new(), [0]);
        while !answer.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            answer.extend(byte);
        }
        let mut answer = String::from_utf8(answer).unwrap();
        let length = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            let is_length = name.eq_ignore_ascii_case("content-length");
            is_length.then(|| value.parse::<usize>().unwrap())
        });
        let mut body = vec![0; length.expect(&answer)];
        stream.read_exact(&mut body).unwrap();
        answer.push_str(&String::from_utf8(body).unwrap());
        answer
    }
}
