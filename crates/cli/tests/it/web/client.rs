//! A server, and an HTTP and WebSocket client with full control over its requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout};
use std::time::Duration;

use screentest::core::formats::stream::{self, Viewer};
use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

use crate::harness::cli::{Folder, start_in, start_in_after_setup};

/// Timeout of one read. Long enough for the largest answers on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The command line that starts a server.
const START: [&str; 4] = ["web", "--json", "--token-file", "tokens"];

/// A server, until dropped.
pub(super) struct Server {
    pub(super) child: Child,
    /// Kept open, so that the server can write to it.
    _stdout: BufReader<ChildStdout>,
    pub(super) folder: Folder,
    pub(super) address: String,
    pub(super) link: String,
    /// Token of the role `touch`, which may type.
    pub(super) touch: String,
    /// Token of the role `look`, which may only watch.
    pub(super) look: String,
}

impl Server {
    pub(super) fn start() -> Server {
        Server::with_options(&[])
    }

    pub(super) fn with_options(options: &[&str]) -> Server {
        Server::with_env(&[], options)
    }

    /// Starts a server with these variables and options.
    pub(super) fn with_env(variables: &[(&str, &str)], options: &[&str]) -> Server {
        let folder = Folder::new();
        let words = [&START[..], options].concat();
        let child = start_in(&folder, variables, &words);
        Server::from_child(folder, child)
    }

    /// Starts a server from a shell, after this setup command, which ends with `;`.
    pub(super) fn start_after_setup(setup: &str) -> Server {
        let folder = Folder::new();
        let child = start_in_after_setup(&folder, setup, &START);
        Server::from_child(folder, child)
    }

    /// Reads address, link and tokens of a started server.
    fn from_child(folder: Folder, mut child: Child) -> Server {
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let started: Value = serde_json::from_str(&line).expect("the server prints its address");
        let tokens = String::from_utf8(folder.read("tokens")).unwrap();
        let mut tokens = tokens.lines();
        Server {
            child,
            _stdout: stdout,
            address: started["address"].as_str().unwrap().to_owned(),
            link: started["link"].as_str().unwrap().to_owned(),
            touch: tokens.next().unwrap().to_owned(),
            look: tokens
                .next()
                .unwrap()
                .strip_prefix("look ")
                .unwrap()
                .to_owned(),
            folder,
        }
    }

    /// Sends a request with the touch token.
    pub(super) fn get(&self, path: &str) -> HttpResponse {
        self.ask("GET", path, &self.bearer(), b"")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> HttpResponse {
        let mut headers = self.bearer();
        headers.push_str("Content-Type: application/json\r\n");
        self.ask("POST", path, &headers, body.to_string().as_bytes())
    }

    pub(super) fn delete(&self, path: &str) -> HttpResponse {
        self.ask("DELETE", path, &self.bearer(), b"")
    }

    pub(super) fn bearer(&self) -> String {
        format!("Authorization: Bearer {}\r\n", self.touch)
    }

    /// Sends a request with these headers. Adds `Host` if it is missing, but no token.
    pub(super) fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> HttpResponse {
        let host = if headers.contains("Host:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.address)
        };
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).unwrap();
        // The server may reject the request before it has read the body.
        let _ = stream.write_all(body);
        HttpResponse::read(stream)
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Opens a session and returns its name.
    pub(super) fn open(&self, command: &[&str]) -> String {
        let answer = self.post("/api/sessions", &serde_json::json!({ "command": command }));
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Calls a JSON-RPC method that must succeed.
    pub(super) fn call(&self, method: &str, params: &Value) -> Value {
        let answer = self.rpc(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    pub(super) fn rpc(&self, method: &str, params: &Value) -> Value {
        let request =
            serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.post("/rpc", &request).json()
    }

    /// Sends an MCP request and returns the response.
    pub(super) fn mcp(&self, method: &str, params: &Value) -> Value {
        self.mcp_as(&self.touch, method, params).json()
    }

    pub(super) fn mcp_as(&self, token: &str, method: &str, params: &Value) -> HttpResponse {
        let request =
            serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let headers = format!(
            "Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n"
        );
        self.ask("POST", "/mcp", &headers, request.to_string().as_bytes())
    }

    /// Waits until a session shows a text.
    pub(super) fn wait(&self, session: &str, text: &str) {
        self.call(
            "waitForText",
            &serde_json::json!({ "session": session, "selector": { "type": "exact", "text": text }, "ambiguityMode": "first", "timeoutMs": 20_000 }),
        );
    }

    /// Opens a WebSocket with the touch token.
    pub(super) fn socket(&self, path: &str) -> Socket {
        self.socket_as(path, &self.touch.clone(), &[]).unwrap()
    }

    pub(super) fn socket_as(
        &self,
        path: &str,
        token: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, Box<tungstenite::Error>> {
        let mut request = format!("ws://{}{path}", self.address)
            .into_client_request()
            .unwrap();
        let bearer = HeaderValue::from_str(&format!("Bearer {token}")).unwrap();
        request.headers_mut().insert("Authorization", bearer);
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).unwrap();
            request.headers_mut().insert(*name, value);
        }
        let connected = tungstenite::client(request, self.connect());
        match connected {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(tungstenite::HandshakeError::Failure(error)) => Err(Box::new(error)),
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An HTTP response.
pub(super) struct HttpResponse {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl HttpResponse {
    fn read(mut stream: TcpStream) -> HttpResponse {
        let mut bytes = Vec::new();
        // A reset connection counts as closed.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(&bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        HttpResponse {
            status,
            head,
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1);
        let mut pairs = lines.filter_map(|line| line.split_once(": "));
        let found = pairs.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Returns the error message.
    pub(super) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

/// A WebSocket.
pub(super) struct Socket(WebSocket<TcpStream>);

impl Socket {
    pub(super) fn send_json(&mut self, message: &Value) {
        self.0
            .send(Message::Text(message.to_string().into()))
            .unwrap();
    }

    pub(super) fn send_text(&mut self, text: &str) {
        self.0.send(Message::Text(text.into())).unwrap();
    }

    /// Reads until the server closes the connection.
    pub(super) fn is_closed_by_server(&mut self) -> bool {
        loop {
            match self.0.read() {
                Ok(Message::Close(_)) => return true,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) => {
                    return error.kind() == std::io::ErrorKind::ConnectionReset;
                }
                Err(_) => return true,
            }
        }
    }

    pub(super) fn acknowledge(&mut self, bytes: &[u8]) {
        self.0.send(Message::Binary(bytes.to_vec().into())).unwrap();
    }

    /// Returns the next message, or `None` if the server has closed the connection.
    pub(super) fn next_message(&mut self) -> Option<Message> {
        loop {
            match self.0.read() {
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => return None,
                Ok(message) => return Some(message),
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Returns the next text message as JSON.
    pub(super) fn next_json(&mut self) -> Value {
        loop {
            match self.next_message().expect("the connection is open") {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                _ => continue,
            }
        }
    }

    /// Applies binary messages to the view until it satisfies a condition.
    pub(super) fn watch(&mut self, view: &mut Viewer, mut is_done: impl FnMut(&Viewer) -> bool) {
        while !is_done(view) {
            if let Message::Binary(bytes) = self.next_message().expect("the connection is open") {
                let message = stream::decode(&bytes).unwrap();
                stream::apply(view, message).unwrap();
            }
        }
    }
}

/// Returns whether a view shows a text.
pub(super) fn shows(view: &Viewer, text: &str) -> bool {
    view.seen().is_some_and(|seen| seen.screen().contains(text))
}
