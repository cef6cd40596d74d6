//! Measures `screentest web` with many sessions and viewers, and the cost of one session.
//!
//! 200 programs redraw their screens 20 times a second, each with the current time, and each of 200
//! WebSockets watches one of them. The result is the age of a frame when it arrives. Everything
//! runs on one machine over loopback, so the programs and the viewers use its processors too.
//!
//! `SCREENTEST_BENCH_ROUNDS` is the duration in seconds (10).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use screentest::core::formats::stream::{self, Viewer};
use screentest_fixtures::scratch::Scratch;
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use attack::{FRAMES, Target};

#[path = "../tests/it/web/hostile/attack.rs"]
mod attack;

const SESSIONS: usize = 200;
const RATE: u32 = 20;

fn main() {
    // Each program that redraws is this executable with another argument.
    if std::env::args().any(|word| word == REDRAW) {
        return redraw();
    }
    let seconds = std::env::var("SCREENTEST_BENCH_ROUNDS")
        .map_or(10, |rounds| rounds.parse().expect("a number of seconds"));
    sizes();
    memory();
    hostile();
    load(seconds);
}

const REDRAW: &str = "--redraw";

/// Redraws 80×24 with the time in the first row, until stdout is closed.
fn redraw() {
    let pause = Duration::from_secs(1) / RATE;
    let mut stdout = std::io::stdout().lock();
    for count in 0u64.. {
        let mut screen = format!("\x1b[H\x1b[7m={:.6}=\x1b[0m", now());
        for row in 2..=24u64 {
            let bar = "|".repeat(((count * row) % 40) as usize);
            screen.push_str(&format!(
                "\x1b[{row}H{row:>3} \x1b[32m{bar:<40}\x1b[0m {:>6} {:>12} ok",
                count % 1000,
                count * row
            ));
        }
        if stdout
            .write_all(screen.as_bytes())
            .and_then(|()| stdout.flush())
            .is_err()
        {
            return;
        }
        pause_for(pause);
    }
}

/// Sleeps for the whole time, even if a thread that ends wakes this one earlier.
fn pause_for(pause: Duration) {
    let end = now() + pause.as_secs_f64();
    while now() < end {
        let left = Duration::from_secs_f64((end - now()).max(0.0));
        std::thread::park_timeout(left);
    }
}

/// Measures the size of a screen and of the update after a key, on the wire.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn sizes() {
    println!("bytes on the wire, 80×24: the whole screen, and the update after one key");
    let server = Server::start();
    for (command, shown, key) in [
        (vec!["vim", "-u", "NONE", "-N", "/etc/services"], "tcp", "j"),
        (vec!["less", "/etc/services"], "tcp", "j"),
        (vec!["htop", "-d", "100"], "PID", "Down"),
        (vec!["nano", "/etc/services"], "tcp", "x"),
        (vec!["sh"], "", "x"),
    ] {
        let name = server.open(&json!({ "command": command }));
        server.wait(&name, shown);
        let mut viewer = server.watch(&name);
        let mut view = Viewer::new(0);
        let whole = viewer.next(&mut view).expect("a screen");
        let input = json!({ "key": key });
        server.post(&format!("/api/sessions/{name}/input"), &input);
        let after = viewer.next(&mut view).expect("a screen");
        println!("{:<6} {whole:>6} {after:>6}", command[0]);
        server.close(&name);
    }
}

/// Measures the memory of an idle session.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn memory() {
    let server = Server::start();
    let open = || {
        let name = server.open(&json!({ "command": ["sh", "-c", "printf ready; exec cat"] }));
        server.wait(&name, "ready");
    };
    // The first session also allocates what all sessions share.
    open();
    let before = server.memory();
    (0..SESSIONS).for_each(|_| open());
    let each = (server.memory() - before) / SESSIONS as f64;
    println!(
        "\nmemory of one of {SESSIONS} idle 80×24 sessions, with its share of the server and its guardian: {each:.0} KiB"
    );
}

/// Measures the latency of a request while another client sends a thousand hostile requests.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn hostile() {
    const ROUNDS: usize = 5;
    let server = Server::start();
    let name = server.open(&json!({ "command": ["cat"] }));
    let path = format!("/api/sessions/{name}/buffer");
    let (mut quiet, mut attacked) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for _ in 0..200 {
            quiet.push(server.time(&path));
        }
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let attacker = scope.spawn(|| {
                let target = Target {
                    address: &server.address,
                    token: &server.token,
                };
                for number in 0..1000 / ROUNDS {
                    let (_, bytes) = attack::request(target, number % attack::KINDS, number);
                    attack::send(target, &bytes);
                    if number % attack::KINDS == 0 {
                        attack::broken_socket(
                            target,
                            FRAMES[number / attack::KINDS % FRAMES.len()],
                        );
                    }
                }
                is_over.store(true, Ordering::SeqCst);
            });
            while !is_over.load(Ordering::SeqCst) {
                attacked.push(server.time(&path));
            }
            attacker.join().expect("the server is up");
        });
    }
    println!("\na snapshot over HTTP, ms: median (99th percentile)");
    let (alone, under_attack) = (at(&mut quiet, 0.5), at(&mut attacked, 0.5));
    println!(
        "alone                        {:.2} ({:.2})",
        alone * 1e3,
        at(&mut quiet, 0.99) * 1e3
    );
    println!(
        "with 1,000 hostile requests  {:.2} ({:.2}), {:.2}×",
        under_attack * 1e3,
        at(&mut attacked, 0.99) * 1e3,
        under_attack / alone
    );
}

/// Measures the age of a frame when a viewer receives it.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn load(seconds: u64) {
    let server = Server::start();
    let program = std::env::current_exe().expect("this file");
    let program = program.display().to_string();
    let names: Vec<String> = (0..SESSIONS)
        .map(|_| server.open(&json!({ "command": [program, REDRAW] })))
        .collect();
    let is_over = AtomicBool::new(false);
    let before = server.processor_time();
    let start = now();
    let mut ages: Vec<f64> = std::thread::scope(|scope| {
        let viewers: Vec<_> = names
            .iter()
            .map(|name| {
                let (server, is_over) = (&server, &is_over);
                scope.spawn(move || {
                    let mut viewer = server.watch(name);
                    let mut view = Viewer::new(0);
                    let mut ages = Vec::new();
                    while !is_over.load(Ordering::Relaxed) && viewer.next(&mut view).is_some() {
                        ages.extend(age(&view));
                    }
                    // Leave out the first second: its first frame is older than the connection.
                    ages.split_off(ages.len().min(RATE as usize))
                })
            })
            .collect();
        pause_for(Duration::from_secs(seconds));
        is_over.store(true, Ordering::Relaxed);
        let viewers = viewers.into_iter();
        viewers
            .flat_map(|viewer| viewer.join().expect("the viewer does not panic"))
            .collect()
    });
    let lasted = now() - start;
    let share = (server.processor_time() - before) / lasted;
    println!(
        "\n{SESSIONS} programs that redraw {RATE} times a second, {SESSIONS} viewers, {lasted:.0} s: the age of a frame, ms"
    );
    let frames = ages.len();
    let of = |ages: &mut Vec<f64>, share| at(ages, share) * 1e3;
    println!(
        "median {:.1}, 90th {:.1}, 99th {:.1}, oldest {:.1}; {frames} frames, {:.1} a second each; the server used {share:.2} processors",
        of(&mut ages, 0.5),
        of(&mut ages, 0.9),
        of(&mut ages, 0.99),
        of(&mut ages, 1.0),
        frames as f64 / SESSIONS as f64 / (lasted - 1.0),
    );
}

/// Returns how long ago the program wrote the screen.
fn age(view: &Viewer) -> Option<f64> {
    let row = view.seen()?.screen().rows.first()?.text().to_owned();
    let written: f64 = row.split('=').nth(1)?.parse().ok()?;
    Some(now() - written)
}

fn at(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * share) as usize]
}

/// A server; dropping it kills the process.
struct Server {
    child: Child,
    _scratch: Scratch,
    address: String,
    token: String,
}

impl Server {
    #[expect(
        clippy::disallowed_methods,
        reason = "this measures a server over loopback"
    )]
    fn start() -> Server {
        let scratch = Scratch::new();
        let mut child = Command::new(env!("CARGO_BIN_EXE_screentest"))
            .args([
                "web",
                "--json",
                "--token-file",
                "tokens",
                "--max-sessions",
                "1000",
            ])
            .current_dir(scratch.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let mut line = String::new();
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("the server prints its address");
        let printed: Value = serde_json::from_str(&line).expect("the address is JSON");
        let tokens = std::fs::read_to_string(scratch.path().join("tokens"))
            .expect("the server creates the tokens");
        Server {
            child,
            address: printed["address"].as_str().expect("an address").to_owned(),
            token: tokens.lines().next().expect("a token").to_owned(),
            _scratch: scratch,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server is up");
        let timeout = Some(Duration::from_secs(20));
        stream
            .set_read_timeout(timeout)
            .expect("the timeout is not zero");
        stream
    }

    /// Sends a request, which must succeed, and returns the body of the response.
    fn request(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = self.connect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        );
        stream
            .write_all(request.as_bytes())
            .expect("the server reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("the server answers");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(
            answer.starts_with("HTTP/1.1 2"),
            "{method} {path}: {answer}"
        );
        answer.split_once("\r\n\r\n").expect("a body").1.to_owned()
    }

    fn post(&self, path: &str, body: &Value) -> String {
        self.request("POST", path, &body.to_string())
    }

    /// Returns the duration of a request in seconds.
    fn time(&self, path: &str) -> f64 {
        let start = now();
        self.request("GET", path, "");
        now() - start
    }

    fn open(&self, opening: &Value) -> String {
        let opened = self.post("/api/sessions", opening);
        let opened: Value = serde_json::from_str(&opened).expect("a session");
        opened["id"].as_str().expect("its name").to_owned()
    }

    fn close(&self, name: &str) {
        self.request("DELETE", &format!("/api/sessions/{name}"), "");
    }

    fn wait(&self, name: &str, text: &str) {
        let selector = json!({ "type": "exact", "text": text });
        let selected = json!({ "session": name, "selector": selector, "ambiguityMode": "first", "timeoutMs": 20_000 });
        let stable = json!({ "session": name, "debounceMs": 100, "timeoutMs": 20_000 });
        for (method, params) in [("waitForText", selected), ("waitForStable", stable)] {
            if method == "waitForText" && text.is_empty() {
                continue;
            }
            let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            let answer = self.post("/rpc", &call);
            assert!(answer.contains("\"result\""), "{method}: {answer}");
        }
    }

    fn watch(&self, name: &str) -> Watcher {
        let url = format!("ws://{}/api/sessions/{name}/stream", self.address);
        let mut request = url.into_client_request().expect("an address");
        let bearer = format!("Bearer {}", self.token);
        let bearer = bearer.parse().expect("a token is ASCII");
        request.headers_mut().insert("Authorization", bearer);
        let (socket, _) = tungstenite::client(request, self.connect()).expect("the token is valid");
        Watcher(socket)
    }

    /// Returns the proportional memory (PSS) of the server and its guardians, in KiB.
    fn memory(&self) -> f64 {
        let tool = std::fs::read_link(format!("/proc/{}/exe", self.child.id()))
            .expect("the server is running");
        let folders = std::fs::read_dir("/proc").expect("Linux").flatten();
        let ours = folders.filter(|folder| {
            std::fs::read_link(folder.path().join("exe")).is_ok_and(|exe| exe == tool)
        });
        let rollups = ours.map(|folder| {
            std::fs::read_to_string(folder.path().join("smaps_rollup")).unwrap_or_default()
        });
        let shares = rollups.filter_map(|text| {
            let line = text
                .lines()
                .find(|line| line.starts_with("Pss:"))?
                .to_owned();
            line.split_whitespace().nth(1)?.parse::<f64>().ok()
        });
        shares.sum()
    }

    /// Returns the processor time of the server, in seconds.
    fn processor_time(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))
            .expect("the server is running");
        let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
        let fields: Vec<f64> = fields
            .split_whitespace()
            .map(|field| field.parse().unwrap_or(0.0))
            .collect();
        // User time and system time, in hundredths of a second.
        (fields[11] + fields[12]) / 100.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Watcher(WebSocket<TcpStream>);

impl Watcher {
    /// Receives and applies the next frame, and returns its size in bytes.
    fn next(&mut self, view: &mut Viewer) -> Option<usize> {
        loop {
            if let Message::Binary(bytes) = self.0.read().ok()? {
                let message = stream::decode(&bytes).expect("a message of the stream");
                stream::apply(view, message).expect("it follows the previous message");
                return Some(bytes.len());
            }
        }
    }
}

fn now() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
