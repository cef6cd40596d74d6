//! Asking a daemon: HTTP/1.1 over its socket.
//!
//! Written by hand: a command asks one or two questions of a server that is ours and on this machine, and a client library would take longer to
//! start than the answer takes to come. Heads and bodies are bounded before memory is taken, and what is not as our server writes it is an error.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

/// The longest head of an answer.
const LONGEST_HEAD: u64 = 64 << 10;

/// The largest body: the state of the largest screen with all its scrollback stays below.
const LARGEST_BODY: usize = 1 << 30;

/// A connection to a daemon.
#[derive(Debug)]
pub(super) struct Client(BufReader<UnixStream>);

/// What a daemon answered.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

/// Connects to a socket; `None` where nobody listens there, as after a daemon that was killed.
pub(super) fn connect(socket: &Path) -> io::Result<Option<UnixStream>> {
    match UnixStream::connect(socket) {
        Ok(stream) => match is_ours(&stream) {
            true => Ok(Some(stream)),
            false => Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "another user listens there",
            )),
        },
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Ok(None),
            _ => Err(error),
        },
    }
}

/// Whether our own user listens at the other end: what is typed is for no other, whoever can write to a folder above the socket's.
#[cfg(target_os = "linux")]
fn is_ours(stream: &UnixStream) -> bool {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    peer.is_ok_and(|peer| peer.uid == rustix::process::geteuid())
}

#[cfg(not(target_os = "linux"))]
fn is_ours(_stream: &UnixStream) -> bool {
    true
}

impl Client {
    pub(super) fn new(stream: UnixStream) -> Client {
        Client(BufReader::new(stream))
    }

    /// Asks, and waits at most so long for each part of the answer.
    pub(super) fn ask(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        patience: Duration,
    ) -> io::Result<Answer> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let stream = self.0.get_mut();
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: socket\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        self.answer()
    }

    fn answer(&mut self) -> io::Result<Answer> {
        let mut head = (&mut self.0).take(LONGEST_HEAD);
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
            (_, Some(length @ ..=LARGEST_BODY)) => length,
            _ => return Err(strange("an answer without an end, or too long a one")),
        };
        let mut body = Vec::new();
        let taken = (&mut self.0).take(length as u64).read_to_end(&mut body)?;
        match taken == length {
            true => Ok(Answer { status, body }),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// A line of a head, without its end.
fn line(head: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    head.read_line(&mut line)?;
    match line.strip_suffix("\r\n") {
        Some(line) => Ok(line.to_owned()),
        None if line.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
        None => Err(strange("the head of an answer ends early")),
    }
}

fn status(line: &str) -> io::Result<u16> {
    let words = line
        .strip_prefix("HTTP/1.1 ")
        .and_then(|rest| rest.split(' ').next());
    words
        .and_then(|word| word.parse().ok())
        .ok_or_else(|| strange("no answer of HTTP"))
}

fn strange(words: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a client makes of these bytes.
    fn heard(bytes: &[u8]) -> io::Result<(u16, Vec<u8>)> {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        theirs.write_all(bytes).unwrap();
        drop(theirs);
        let answer = Client::new(ours).answer()?;
        Ok((answer.status, answer.body))
    }

    #[test]
    fn an_answer_ends_where_it_says() {
        let bytes = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi and more";
        assert_eq!(heard(bytes).unwrap(), (200, b"hi".to_vec()));
        let bytes = b"HTTP/1.1 204 No Content\r\n\r\n";
        assert_eq!(heard(bytes).unwrap(), (204, Vec::new()));
    }

    #[test]
    fn what_is_no_answer_is_an_error() {
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
                heard(bytes).is_err(),
                "{:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    }
}
