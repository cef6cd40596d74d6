//! How long a client of `screentest server` waits: for an answer, and for a key and what comes of it.
//!
//! The client speaks over pipes, one request after the other; the program is `cat`. `SCREENTEST_BENCH_ROUNDS` is the number of
//! round trips of each kind (2,000).

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rustix::time::{ClockId, clock_gettime};
use screentest_fixtures::scratch::Scratch;
use serde_json::{Value, json};

/// As many keys fit into a row, behind its number.
const KEYS: usize = 40;

#[expect(
    clippy::print_stdout,
    reason = "a benchmark's figures are what it is run for"
)]
fn main() {
    let rounds: usize = std::env::var("SCREENTEST_BENCH_ROUNDS")
        .map_or(2000, |rounds| rounds.parse().expect("a number of rounds"));
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch.path().display().to_string());
    client.ask("initialize", &json!({}));
    client.ask("launch", &json!({"command": "cat"}));

    let mut pings = Vec::new();
    for _ in 0..rounds {
        let start = now();
        client.ask("server.ping", &json!({}));
        pings.push(now() - start);
    }
    let mut keys = Vec::new();
    for row in 0..rounds.div_ceil(KEYS) {
        // A new row has a number of its own, so that what stands above is not taken for what is waited for.
        let mut shown = format!("{row}:");
        client.ask("sendText", &json!({"text": shown}));
        for key in ('a'..='z').cycle().take(KEYS) {
            shown.push(key);
            let selector = json!({"type": "exact", "text": shown});
            let start = now();
            client.ask("sendKey", &json!({"key": key.to_string()}));
            client.ask("waitForText", &json!({"selector": selector}));
            keys.push(now() - start);
        }
        // Before the row is left, or `cat` would repeat it and its text would stand there twice.
        client.ask("sendKey", &json!({"key": "Ctrl+U"}));
        client.ask("sendKey", &json!({"key": "Enter"}));
    }
    println!("JSON-RPC over pipes, µs, of {rounds} round trips: median (99th percentile)");
    println!(
        "server.ping                            {}",
        shown(&mut pings)
    );
    println!(
        "sendKey, then waitForText, on `cat`    {}",
        shown(&mut keys)
    );
    client.ask("server.shutdown", &json!({}));
    client.server.wait().expect("the server ends");
}

fn shown(times: &mut [f64]) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1e6;
    format!("{:.0} ({:.0})", at(0.5), at(0.99))
}

/// Somebody who speaks with the server.
struct Client {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    #[expect(
        clippy::disallowed_methods,
        reason = "what is measured is spoken with through pipes"
    )]
    fn start(folder: &str) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_screentest"))
            .args(["server", "--artifact-dir", folder])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        Client {
            to: server.stdin.take().expect("it is piped"),
            from: BufReader::new(server.stdout.take().expect("it is piped")),
            server,
            id: 0,
        }
    }

    /// Sends a request and waits for its answer, which must be a result.
    fn ask(&mut self, method: &str, params: &Value) {
        self.id += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params});
        let mut line = request.to_string();
        line.push('\n');
        self.to
            .write_all(line.as_bytes())
            .expect("the server reads");
        let mut answer = String::new();
        self.from
            .read_line(&mut answer)
            .expect("the server answers");
        assert!(answer.contains("\"result\""), "{method}: {answer}");
    }
}

fn now() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
