//! A server that may have no more files open.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::client::Server;
use crate::harness::cli::until;

/// Few enough for a crowd that fits into what waits to be taken in.
const FEW: &str = "ulimit -n 40;";

/// A server that has no descriptor left for whoever comes next tries again every 50 ms, and takes no processor for itself meanwhile. Who is in is answered: no
/// session can be opened, with the limit and what to do about it. When others leave, whoever waited is served and sessions open again.
#[test]
fn a_crowd_is_waited_for_and_served_when_there_is_room() {
    let server = Server::limited(FEW);
    let inside = Inside::enter(&server);
    assert_eq!(inside.not_accepted(), 0);
    let crowd: Vec<TcpStream> = (0..60).map(|_| server.connect()).collect();
    until("somebody is not let in", || {
        // Asked by who is in, as nobody else is.
        inside.not_accepted() > 0
    });
    let refused = inside.open();
    for words in [
        "HTTP/1.1 4",
        "may have at most 40 files open",
        "raise the limit (`ulimit -n`)",
    ] {
        assert!(refused.contains(words), "{refused}");
    }
    let (clock, before) = (screentest::Clock::system(), inside.not_accepted());
    until("it is tried again", || inside.not_accepted() >= before + 5);
    // Four whole pauses lie between five of them.
    assert!(clock.now().as_millis() >= 200, "{:?}", clock.now());
    drop(crowd);
    assert_eq!(server.get("/api/sessions").status, 200);
    let id = server.open(&["sh", "-c", "echo opened; exec cat"]);
    server.wait(&id, "opened");
}

/// A connection that is kept.
struct Inside<'a> {
    server: &'a Server,
    line: TcpStream,
}

impl<'a> Inside<'a> {
    fn enter(server: &'a Server) -> Inside<'a> {
        let line = server.connect();
        Inside { server, line }
    }

    /// How many connections the system did not give.
    fn not_accepted(&self) -> u64 {
        let answer = self.ask("GET", "/metrics", "");
        let counted = answer.lines().find_map(|line| {
            let count = line.strip_prefix("screentest_connections_not_accepted_total ")?;
            count.parse().ok()
        });
        counted.expect(&answer)
    }

    /// Asks for a session.
    fn open(&self) -> String {
        let body = json!({ "command": ["cat"] }).to_string();
        self.ask("POST", "/api/sessions", &body)
    }

    /// Asks, and reads what is answered, as long as it says that it is.
    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.server.address,
            self.server.bearer(),
            body.len()
        );
        let mut line = &self.line;
        line.write_all(head.as_bytes()).unwrap();
        let (mut answer, mut byte) = (Vec::new(), [0]);
        while !answer.ends_with(b"\r\n\r\n") {
            line.read_exact(&mut byte).unwrap();
            answer.extend(byte);
        }
        let mut answer = String::from_utf8(answer).unwrap();
        let length = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            let is_length = name.eq_ignore_ascii_case("content-length");
            is_length.then(|| value.parse::<usize>().unwrap())
        });
        let mut body = vec![0; length.expect(&answer)];
        line.read_exact(&mut body).unwrap();
        answer.push_str(&String::from_utf8(body).unwrap());
        answer
    }
}
