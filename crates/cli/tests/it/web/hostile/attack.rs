//! Hostile requests.
//!
//! The tests check that each is rejected. The benchmark measures how long other clients wait
//! meanwhile.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::json;

/// Number of kinds of requests.
pub(crate) const KINDS: usize = 11;

/// The attacked server and its token. The token must not help the requests that carry it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) address: &'a str,
    pub(crate) token: &'a str,
}

impl Target<'_> {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server is up");
        let timeout = Some(Duration::from_secs(20));
        stream
            .set_read_timeout(timeout)
            .expect("the timeout is not zero");
        stream
    }
}

/// Result of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Status(u16),
    /// The connection was closed without a response.
    Closed,
}

/// Sends raw bytes and reads the response until the server closes the connection.
pub(crate) fn send(target: Target<'_>, bytes: &[u8]) -> Reply {
    let mut stream = target.connect();
    // The server may reject the request before it has read everything.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    read(&mut stream)
}

/// Reads the response until the server closes the connection.
pub(crate) fn read(stream: &mut TcpStream) -> Reply {
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer) {
        // A reset occurs if the server closes the connection while the request is sent. A timeout
        // means that the server has not closed it.
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
    }
    let text = String::from_utf8_lossy(&answer);
    let status = text.split(' ').nth(1).and_then(|word| word.parse().ok());
    status.map_or(Reply::Closed, Reply::Status)
}

/// Returns name and bytes of a request of this kind.
pub(crate) fn request(target: Target<'_>, kind: usize, number: usize) -> (&'static str, Vec<u8>) {
    let (host, token) = (target.address, target.token);
    let get = |path: &str, headers: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n")
            .into_bytes()
    };
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let input = json!({ "text": "hostile\r" }).to_string();
    let post = |path: &str, headers: &str| {
        let length = input.len();
        format!(
            "POST {path} HTTP/1.1\r\n{headers}Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{input}"
        )
        .into_bytes()
    };
    let upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    match kind {
        0 => {
            // The right length, with one bit changed.
            let mut wrong = token.as_bytes().to_vec();
            wrong[number % token.len()] ^= 1;
            let wrong = String::from_utf8_lossy(&wrong);
            let headers = format!("Authorization: Bearer {wrong}\r\n");
            ("a wrong token", get("/api/sessions", &headers))
        }
        1 => {
            let headers = [
                "",
                "Bearer ",
                "Basic YTpi",
                "Bearer\t",
                "bearer x y",
                "\u{7f}",
            ];
            let header = headers[number % headers.len()];
            let header = format!("Authorization: {header}\r\nCookie: screentest=; a=b;;=\r\n");
            ("no token at all", get("/api/sessions", &header))
        }
        2 => {
            let hosts = [
                "evil.example",
                "127.0.0.1.evil.example",
                "localhost:1",
                "",
                "[::1",
                "a b",
            ];
            let host = hosts[number % hosts.len()];
            let headers = format!("Host: {host}\r\n{bearer}");
            ("another Host", post("/api/sessions/target/input", &headers))
        }
        3 => {
            let origins = [
                "http://evil.example",
                "null",
                "https://127.0.0.1",
                "file://",
                "http://localhost:1",
            ];
            let origin = origins[number % origins.len()];
            let headers = format!("Host: {host}\r\n{bearer}Origin: {origin}\r\n");
            (
                "another Origin",
                post("/api/sessions/target/input", &headers),
            )
        }
        4 => {
            let headers = format!("{bearer}{upgrade}Origin: http://evil.example\r\n");
            let socket = format!(
                "GET /api/stream HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\n{headers}\r\n"
            );
            ("a socket for another page", socket.into_bytes())
        }
        5 => {
            let paths = [
                "/../../etc/passwd",
                "/%2e%2e/%2e%2e/etc/passwd",
                "/api/sessions/..%2f..%2fetc%2fpasswd/buffer",
                "/page/..\\..\\etc\\passwd",
                "//etc/passwd",
                "/api/sessions/%00/buffer",
                "/api/sessions/target/buffer/../../../Cargo.toml",
            ];
            (
                "a path that leads out",
                get(paths[number % paths.len()], &bearer),
            )
        }
        6 => {
            let length = [2_000_000, 1 << 40, usize::MAX][number % 3];
            let head = format!(
                "POST /api/sessions/target/input HTTP/1.1\r\nHost: {host}\r\n{bearer}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{\"text\":\""
            );
            let mut bytes = head.into_bytes();
            bytes.resize(bytes.len() + 1_200_000, b'x');
            ("a body without end", bytes)
        }
        7 => {
            // Upgrade requests have the same limits.
            let head = format!(
                "POST /rpc HTTP/1.1\r\nHost: {host}\r\n{bearer}Upgrade: x\r\nConnection: Upgrade\r\nContent-Length: 1200000\r\n\r\n"
            );
            let mut bytes = head.into_bytes();
            bytes.resize(bytes.len() + 1_200_000, b' ');
            ("a body of an upgrade request", bytes)
        }
        8 => {
            let mut bytes = format!("GET /api/sessions HTTP/1.1\r\nHost: {host}\r\n").into_bytes();
            for header in 0..200 + number {
                bytes.extend(format!("X-{header}: {}\r\n", "y".repeat(1000)).bytes());
            }
            bytes.extend(b"\r\n");
            ("headers without end", bytes)
        }
        9 => {
            let lines: [&[u8]; 6] = [
                b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                b"GET\r\n\r\n",
                b"GET / HTTP/9.9\r\n\r\n",
                b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                b"\0\0\0\0\0\0\0\0\r\n\r\n",
                b"POST /rpc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nffffffffffffffffff\r\n",
            ];
            ("not HTTP", lines[number % lines.len()].to_vec())
        }
        _ => {
            let head = format!("GET /login?code={number:064x} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            ("a login code that was never issued", head.into_bytes())
        }
    }
}

/// WebSocket frames that the server must reject even from a client with a token. Most violate the
/// WebSocket protocol, the others a limit or the format of our messages.
pub(crate) const FRAMES: [&[u8]; 10] = [
    // No mask, reserved bits, an unknown opcode.
    b"\x81\x02{}",
    b"\xf1\x80\0\0\0\0",
    b"\x8b\x80\0\0\0\0",
    // A close frame of one byte, a fragmented ping, a continuation without a start.
    b"\x88\x81\0\0\0\0x",
    b"\x09\x80\0\0\0\0",
    b"\x80\x80\0\0\0\0",
    // Invalid UTF-8, a length beyond any memory, a length above our limit.
    b"\x81\x82\0\0\0\0\xff\xfe",
    b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",
    b"\x82\xff\x00\x00\x00\x00\x10\x00\x00\x00\0\0\0\0",
    // An acknowledgement that does not contain two numbers.
    b"\x82\x83\0\0\0\0\xff\xff\xff",
];

/// Sends a valid upgrade request and then a frame, and waits until the server closes the
/// connection. Returns the status of the upgrade.
pub(crate) fn broken_socket(target: Target<'_>, frame: &[u8]) -> Reply {
    let mut stream = target.connect();
    let head = format!(
        "GET /api/stream HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        target.address, target.token
    );
    let sent = stream.write_all(head.as_bytes());
    let sent = sent.and_then(|()| stream.write_all(frame));
    sent.expect("the server is up");
    read(&mut stream)
}
