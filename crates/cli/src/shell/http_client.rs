//! Minimal HTTP/1.1 client for the daemon's socket.
//!
//! Written by hand: a command sends one or two requests to our own server on the same machine, and
//! a client library would take longer to start than the response takes. Heads and bodies are
//! bounded before memory is allocated. A response that our server would not send is an error.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

/// Maximum size of a response head.
const MAX_HEAD: u64 = 64 << 10;

/// Maximum size of a body. The daemon limits the result of a method to 16 MiB.
const MAX_BODY: usize = 1 << 30;

/// A connection to the daemon.
#[derive(Debug)]
pub(super) struct HttpClient(BufReader<UnixStream>);

/// A response of the daemon.
#[derive(Debug)]
pub(super) struct HttpResponse {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

/// Connects to a socket. Returns `None` if no process listens there, as after a daemon was killed.
pub(super) fn connect(socket: &Path) -> io::Result<Option<UnixStream>> {
    // A link could lead to the socket of another program.
    if fs::symlink_metadata(socket).is_ok_and(|metadata| !metadata.file_type().is_socket()) {
        return Err(io::Error::other("it is not a socket: remove it"));
    }
    match UnixStream::connect(socket) {
        Ok(stream) => {
            if is_same_user(&stream) {
                Ok(Some(stream))
            } else {
                Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the socket belongs to another user",
                ))
            }
        }
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Ok(None),
            _ => Err(error),
        },
    }
}

/// Returns whether the process at the other end runs as our user. Input must not be sent to another
/// user who can write to a parent directory of the socket.
#[cfg(target_os = "linux")]
fn is_same_user(stream: &UnixStream) -> bool {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    peer.is_ok_and(|peer| peer.uid == rustix::process::geteuid())
}

#[cfg(not(target_os = "linux"))]
fn is_same_user(_stream: &UnixStream) -> bool {
    true
}

impl HttpClient {
    pub(super) fn new(stream: UnixStream) -> HttpClient {
        HttpClient(BufReader::new(stream))
    }

    /// Sends a request. The timeout applies to each read and write.
    pub(super) fn send(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        timeout: Duration,
    ) -> io::Result<HttpResponse> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let stream = self.0.get_mut();
        stream.set_read_timeout(Some(timeout))?;
        stream.set_write_timeout(Some(timeout))?;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: socket\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        self.read_response()
    }

    fn read_response(&mut self) -> io::Result<HttpResponse> {
        let mut head = (&mut self.0).take(MAX_HEAD);
        let status = status(&line(&mut head)?)?;
        let mut length = None;
        loop {
            let line = line(&mut head)?;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse::<usize>().ok();
            }
        }
        let length = match (status, length) {
            (204 | 304, _) => 0,
            (_, Some(length @ ..=MAX_BODY)) => length,
            _ => return Err(invalid("the response has no length or is too long")),
        };
        let mut body = Vec::new();
        let count = (&mut self.0).take(length as u64).read_to_end(&mut body)?;
        if count == length {
            Ok(HttpResponse { status, body })
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
}

/// Reads a line of the head, without its line end.
fn line(head: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    head.read_line(&mut line)?;
    match line.strip_suffix("\r\n") {
        Some(line) => Ok(line.to_owned()),
        None if line.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
        None => Err(invalid("the head of the response is incomplete")),
    }
}

fn status(line: &str) -> io::Result<u16> {
    let code = line
        .strip_prefix("HTTP/1.1 ")
        .and_then(|rest| rest.split(' ').next());
    code.and_then(|word| word.parse().ok())
        .ok_or_else(|| invalid("not an HTTP response"))
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a response from bytes.
    fn parse(bytes: &[u8]) -> io::Result<(u16, Vec<u8>)> {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        theirs.write_all(bytes).unwrap();
        drop(theirs);
        let response = HttpClient::new(ours).read_response()?;
        Ok((response.status, response.body))
    }

    #[test]
    fn a_body_has_the_announced_length() {
        let bytes = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi and more";
        assert_eq!(parse(bytes).unwrap(), (200, b"hi".to_vec()));
        let bytes = b"HTTP/1.1 204 No Content\r\n\r\n";
        assert_eq!(parse(bytes).unwrap(), (204, Vec::new()));
    }

    #[test]
    fn invalid_responses_are_errors() {
        let long = vec![b'a'; 100_000];
        for bytes in [
            &b""[..],
            b"\r\n",
            b"HTTP/1.1\r\n\r\n",
            b"HTTP/1.1 abc OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nhi",
            b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\n",
            b"HTTP/1.1 200 OK\r\ncontent-length: 9999999999\r\n\r\n",
            b"HTTP/1.1 200 OK\r\ncontent-le",
            b"HTTP/1.1 200 \xff\r\n\r\n",
            &long,
        ] {
            assert!(
                parse(bytes).is_err(),
                "{:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    }
}
