//! Measures how long calls take while programs flood their terminals with output that is expensive
//! to interpret, and every processor is busy with other work.
//!
//! Four surfaces: the library, JSON-RPC over pipes, HTTP (the list of sessions), and the commands
//! for sessions, whose times include the start of a process. HTTP has three such programs, the
//! other surfaces have one. All are measured with two terminal sizes. `SCREENTEST_BENCH_ROUNDS` is
//! the number of calls of each kind (default: 10), except for closing a session, which is measured
//! at most three times.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use screentest::core::Size;
use screentest::session::SessionOptions;
use screentest::{App, Session};
use screentest_fixtures::cpu_load::CpuLoad;
use screentest_fixtures::flood::EXPENSIVE_SCRIPT;
use screentest_fixtures::scratch::Scratch;
use serde_json::{Value, json};

/// Timeout of the waits. A wait should not take much longer.
const WAIT: Duration = Duration::from_millis(500);

const SIZES: [Size; 2] = [
    Size { cols: 80, rows: 24 },
    Size {
        cols: 200,
        rows: 60,
    },
];

fn main() {
    let rounds = std::env::var("SCREENTEST_BENCH_ROUNDS")
        .map_or(10, |rounds| rounds.parse().expect("a number of rounds"));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let _load = CpuLoad::start();
    measure(rounds, processors);
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn measure(rounds: usize, processors: usize) {
    println!(
        "under expensive output, {processors} of {processors} processors busy, ms, {rounds} calls: median (maximum)"
    );
    for size in SIZES {
        println!("{size}");
        for (surface, calls) in [
            ("library", library(size, rounds)),
            ("JSON-RPC", json_rpc(size, rounds)),
            ("HTTP", http(size, rounds)),
            ("shell", shell(size, rounds)),
        ] {
            for (name, mut times) in calls {
                times.sort_by(f64::total_cmp);
                let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
                println!(
                    "  {surface:<9}{name:<10}{:>7.0} ({:.0})",
                    median * 1e3,
                    most * 1e3
                );
            }
        }
    }
}

type Calls = Vec<(&'static str, Vec<f64>)>;

/// Runs a call several times and returns the durations in seconds.
fn times(rounds: usize, mut call: impl FnMut()) -> Vec<f64> {
    (0..rounds)
        .map(|_| {
            let start = now();
            call();
            now() - start
        })
        .collect()
}

fn library(size: Size, rounds: usize) -> Calls {
    let app = App::new("sh").args(["-c", EXPENSIVE_SCRIPT]);
    let start = || {
        let options = SessionOptions {
            size,
            ..SessionOptions::default()
        };
        let session = Session::start(&app, options).expect("sh starts");
        let flood = session.wait_for("EEEE", Duration::from_secs(60));
        flood.expect("the flood begins");
        session
    };
    let session = start();
    let wait = times(rounds, || {
        assert!(session.wait_for("never", WAIT).is_err());
    });
    let screen = times(rounds, || drop(session.screen()));
    let close = (0..rounds.min(3)).map(|_| {
        let session = start();
        times(1, || session.close().expect("the session is closed"))[0]
    });
    vec![
        ("wait 500", wait),
        ("screen", screen),
        ("close", close.collect()),
    ]
}

fn json_rpc(size: Size, rounds: usize) -> Calls {
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch.path().display().to_string());
    let size = json!({"terminalCols": size.cols, "terminalRows": size.rows});
    client.request("initialize", &size);
    let launch = json!({"command": "sh", "args": ["-c", EXPENSIVE_SCRIPT]});
    client.request("launch", &launch);
    let text = |text| json!({"type": "exact", "text": text});
    let flood = json!({"selector": text("EEEE"), "timeoutMs": 60_000, "ambiguityMode": "first"});
    let begun = client.request("waitForText", &flood);
    assert!(begun.get("error").is_none(), "{begun}");
    let never = json!({"selector": text("never"), "timeoutMs": WAIT.as_millis() as u64});
    let wait = times(rounds, || {
        let ended = client.request("waitForText", &never);
        assert_eq!(ended["error"]["code"], -32004, "{ended}");
    });
    let status = times(rounds, || drop(client.request("exitStatus", &json!({}))));
    let close = times(1, || drop(client.request("close", &json!({}))));
    vec![("wait 500", wait), ("status", status), ("close", close)]
}

fn http(size: Size, rounds: usize) -> Calls {
    let server = WebServer::start();
    for name in ["one", "two", "three"] {
        let session = json!({
            "name": name,
            "command": ["sh", "-c", EXPENSIVE_SCRIPT],
            "cols": size.cols,
            "rows": size.rows,
        });
        server.request("POST", "/api/sessions", &session.to_string());
        let flood = json!({"session": name, "selector": {"type": "exact", "text": "EEEE"}, "timeoutMs": 60_000, "ambiguityMode": "first"});
        let wait = json!({"jsonrpc": "2.0", "id": 1, "method": "waitForText", "params": flood});
        let begun = server.request("POST", "/rpc", &wait.to_string());
        assert!(!begun.contains("\"error\""), "{begun}");
    }
    let list = times(rounds, || drop(server.request("GET", "/api/sessions", "")));
    let close = ["one", "two", "three"].map(|name| {
        let path = format!("/api/sessions/{name}");
        times(1, || drop(server.request("DELETE", &path, "")))[0]
    });
    vec![("list of 3", list), ("close", close.to_vec())]
}

fn shell(size: Size, rounds: usize) -> Calls {
    let daemon = DaemonDir(Scratch::new());
    let [cols, rows] = [size.cols, size.rows].map(|side| side.to_string());
    let open = ["open", "--cols", &cols, "--rows", &rows, "--", "sh", "-c"];
    daemon.run(&[&open[..], &[EXPENSIVE_SCRIPT]].concat());
    daemon.run(&["wait", "EEEE", "--timeout", "60"]);
    let wait = times(rounds, || {
        daemon.run(&["wait", "never", "--timeout", "0.5"]);
    });
    let list = times(rounds, || daemon.run(&["sessions"]));
    let close = times(1, || daemon.run(&["close"]));
    vec![("wait 500", wait), ("sessions", list), ("close", close)]
}

/// A `screentest server` on pipes.
struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Client {
    #[expect(clippy::disallowed_methods, reason = "measures the binary itself")]
    fn start(directory: &str) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_screentest"))
            .args(["server", "--artifact-dir", directory])
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        Client {
            stdin: child.stdin.take().expect("a pipe"),
            stdout: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
        }
    }

    /// Sends a request and returns its response, which may be an error.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        writeln!(self.stdin, "{request}").expect("the server reads");
        loop {
            let mut line = String::new();
            self.stdout.read_line(&mut line).expect("the server writes");
            let message: Value = serde_json::from_str(&line).expect("a message is JSON");
            if message.get("id").is_some() {
                return message;
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A `screentest web` on loopback.
struct WebServer {
    child: Child,
    address: String,
    token: String,
    _stdout: BufReader<ChildStdout>,
    _scratch: Scratch,
}

impl WebServer {
    #[expect(clippy::disallowed_methods, reason = "measures the binary itself")]
    fn start() -> WebServer {
        let scratch = Scratch::new();
        let mut child = Command::new(env!("CARGO_BIN_EXE_screentest"))
            .args(["web", "--json", "--token-file", "tokens"])
            .current_dir(scratch.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the server writes");
        let told: Value = serde_json::from_str(&line).expect("the server prints its address");
        let tokens = std::fs::read_to_string(scratch.path().join("tokens")).expect("the tokens");
        WebServer {
            child,
            address: told["address"].as_str().expect("an address").to_owned(),
            token: tokens.lines().next().expect("a token").to_owned(),
            _stdout: stdout,
            _scratch: scratch,
        }
    }

    /// Sends a request that must succeed, and returns the response.
    fn request(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Authorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        )
        .expect("the server reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        assert!(response.starts_with("HTTP/1.1 2"), "{response}");
        response
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A directory for the socket of a separate daemon. The sessions are closed on drop.
struct DaemonDir(Scratch);

impl DaemonDir {
    #[expect(
        clippy::disallowed_methods,
        reason = "measures the binary as a shell starts it"
    )]
    fn run(&self, words: &[&str]) {
        Command::new(env!("CARGO_BIN_EXE_screentest"))
            .args(words)
            .current_dir(self.0.path())
            .env("XDG_RUNTIME_DIR", self.0.path())
            .env("SCREENTEST_LINGER", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("the tool starts");
    }
}

impl Drop for DaemonDir {
    fn drop(&mut self) {
        self.run(&["close", "--all"]);
    }
}

fn now() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
