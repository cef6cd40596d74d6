//! Measures the latency of `screentest server`: from a request to its response, and from a key to
//! its effect on the screen, with and without auto-wait.
//!
//! The client uses pipes and sends one request at a time; the program is `cat`. The cases with and
//! without auto-wait alternate row by row, on two servers. `SCREENTEST_BENCH_ROUNDS` is the number
//! of round trips of each kind (2,000).

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rustix::time::{ClockId, clock_gettime};
use screentest_fixtures::scratch::Scratch;
use serde_json::{Value, json};

/// Number of keys typed into a row after its number. They fit into 80 columns.
const KEYS: usize = 40;

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn main() {
    let rounds: usize = std::env::var("SCREENTEST_BENCH_ROUNDS")
        .map_or(2000, |rounds| rounds.parse().expect("a number of rounds"));
    let scratch = Scratch::new();
    let mut clients = [true, false].map(|auto_wait| {
        let mut client = Client::start(&scratch.path().display().to_string());
        // Both servers write below one directory, so their sessions need two names.
        let name = if auto_wait { "auto-wait" } else { "at-once" };
        client.request("initialize", &json!({"autoWait": auto_wait, "name": name}));
        client.request("launch", &json!({"command": "cat"}));
        client
    });

    let mut pings = Vec::new();
    for _ in 0..rounds {
        let start = now();
        clients[0].request("server.ping", &json!({}));
        pings.push(now() - start);
    }
    let mut keys = [Vec::new(), Vec::new()];
    for row in 0..rounds.div_ceil(KEYS) {
        for (client, times) in clients.iter_mut().zip(&mut keys) {
            client.type_row(row, times);
        }
    }
    println!("JSON-RPC over pipes, µs, of {rounds} round trips: median (99th percentile)");
    println!(
        "server.ping                                        {}",
        shown(&mut pings)
    );
    let [with, without] = &mut keys;
    println!(
        "sendKey, then waitForText, on `cat`                {}",
        shown(with)
    );
    println!(
        "sendKey, then waitForText, on `cat`, no auto-wait  {}",
        shown(without)
    );
    println!(
        "ratio of the medians: {:.2}",
        median(with) / median(without)
    );
    for client in &mut clients {
        client.request("server.shutdown", &json!({}));
        client.server.wait().expect("the server ends");
    }
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[(times.len() - 1) / 2]
}

fn shown(times: &mut [f64]) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1e6;
    format!("{:.0} ({:.0})", at(0.5), at(0.99))
}

/// A server and its pipes.
struct Client {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    #[expect(
        clippy::disallowed_methods,
        reason = "this measures a server that uses pipes"
    )]
    fn start(folder: &str) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_screentest"))
            .args(["server", "--artifact-dir", folder])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        Client {
            to: server.stdin.take().expect("the stream is piped"),
            from: BufReader::new(server.stdout.take().expect("the stream is piped")),
            server,
            id: 0,
        }
    }

    /// Types a row of letters, waits for each, and appends the durations to `times`.
    fn type_row(&mut self, row: usize, times: &mut Vec<f64>) {
        // Each row has its own number, so that earlier rows do not match.
        let mut shown = format!("{row}:");
        self.request("sendText", &json!({"text": shown}));
        for key in ('a'..='z').cycle().take(KEYS) {
            shown.push(key);
            let selector = json!({"type": "exact", "text": shown});
            let start = now();
            self.request("sendKey", &json!({"key": key.to_string()}));
            self.request("waitForText", &json!({"selector": selector}));
            times.push(now() - start);
        }
        // Erase the row before Enter; otherwise `cat` prints it again and the text matches twice.
        self.request("sendKey", &json!({"key": "Ctrl+U"}));
        self.request("sendKey", &json!({"key": "Enter"}));
    }

    /// Sends a request and waits for its response, which must be a result.
    fn request(&mut self, method: &str, params: &Value) {
        self.id += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params});
        let mut line = message.to_string();
        line.push('\n');
        self.to
            .write_all(line.as_bytes())
            .expect("the server reads");
        let mut response = String::new();
        self.from
            .read_line(&mut response)
            .expect("the server responds");
        assert!(response.contains("\"result\""), "{method}: {response}");
    }
}

fn now() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
