//! A client with a read-only token cannot make the server unusable for its owner.
//!
//! The address space, the descriptors and the processes of the server are limited. A client with a
//! read-only token sends requests of every kind that the token permits, several at the same time,
//! and does not read some of the answers. The owner is served meanwhile and afterwards.
//!
//! `SCREENTEST_FULL=1` sends 1000 requests of each kind, which takes several minutes. Each kind
//! prints a line when all its requests are answered.

use std::io::Write;
use std::net::TcpStream;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, mpsc};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use screentest::clock::Clock;
use screentest_server::method::METHODS;
use serde_json::{Value, json};

use super::client::{Server, Socket};

/// 8 GiB of address space: threads and the allocator reserve much more than they use. Debug builds
/// need more than release builds.
const SETUP: &str = "ulimit -v 8388608; ulimit -n 1024; ulimit -u 4000 2>/dev/null;";

/// Requests of each kind that are sent at the same time.
const AT_ONCE: usize = 4;

/// How long the owner pauses between two texts. The server limits the owner's requests per second,
/// too.
const OWNER_PAUSE: Duration = Duration::from_millis(10);

/// Connections and sockets that are left open.
type Held = Mutex<(Vec<TcpStream>, Vec<Socket>)>;

fn count() -> usize {
    if std::env::var_os("SCREENTEST_FULL").is_some() {
        1000
    } else {
        4
    }
}

/// Returns the paths of the GET requests.
fn paths(id: &str) -> Vec<String> {
    let session = format!("/api/sessions/{id}");
    vec![
        "/".to_owned(),
        "/api/sessions".to_owned(),
        format!("{session}/buffer?lines=4294967295"),
        format!("{session}/buffer?format=json&lines=4294967295"),
        format!("{session}/buffer?format=text&viewportY=0&lines=4294967295"),
        format!("{session}/buffer?format=png"),
        format!("{session}/cassette"),
        session,
        "/api/cassettes".to_owned(),
        "/api/cassettes/none/frames".to_owned(),
        "/api/openapi.json".to_owned(),
        "/api/me".to_owned(),
        "/metrics".to_owned(),
        "/healthz".to_owned(),
        "/login?code=0".to_owned(),
    ]
}

/// Parameters that make the answer of every method as large as possible.
fn params(id: &str) -> Value {
    json!({
        "session": id, "scrollback": 100_000, "rows": 100_000, "kind": "regex", "pattern": "(.)",
        "selector": { "type": "regex", "pattern": "." }, "ambiguityMode": "first",
        "timeoutMs": 20, "debounceMs": 1, "revision": 0, "steps": [],
    })
}

/// Returns the method and the parameters of each JSON-RPC request.
fn calls(id: &str) -> Vec<(String, Value)> {
    let mut calls: Vec<(String, Value)> = METHODS
        .iter()
        .map(|method| {
            let mut params = params(id);
            if *method == "currentView" {
                params = json!({ "session": id });
            }
            ((*method).to_owned(), params)
        })
        .collect();
    let state = json!({ "method": "currentState", "params": { "scrollback": 100_000 } });
    let nested = json!({ "method": "batch", "params": { "steps": vec![state.clone(); 100] } });
    let view = json!({ "method": "currentView", "params": {} });
    for steps in [vec![state; 400], vec![nested; 4], vec![view; 1000]] {
        calls.push(("batch".to_owned(), json!({ "session": id, "steps": steps })));
    }
    calls
}

/// Returns the parameters of the MCP tool calls.
fn tools(id: &str) -> Vec<Value> {
    let look = |more: Value| {
        let mut arguments = json!({ "session": id });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        json!({ "name": "tui_look", "arguments": arguments })
    };
    vec![
        look(json!({ "rows": [-100_000, 1000], "max_chars": 60_000 })),
        look(json!({ "view": "png" })),
        json!({ "name": "tui_sessions", "arguments": {} }),
        json!({ "name": "tui_extract", "arguments": { "session": id, "kind": "regex", "regex": "(.)" } }),
        json!({ "name": "tui_act", "arguments": { "session": id } }),
    ]
}

fn bearer(server: &Server) -> String {
    format!(
        "Authorization: Bearer {}\r\nContent-Type: application/json\r\n",
        server.look
    )
}

/// Requests the largest state and reads nothing.
fn leave_unread(server: &Server, id: &str, held: &Held) {
    let mut stream = server.connect();
    let head = format!(
        "GET /api/sessions/{id}/buffer?format=json&lines=100000 HTTP/1.1\r\nHost: {}\r\n{}\r\n",
        server.address,
        bearer(server)
    );
    stream.write_all(head.as_bytes()).unwrap();
    held.lock().unwrap().0.push(stream);
}

/// Opens a socket with subscriptions, and leaves it open. The server may refuse it.
fn leave_socket_open(server: &Server, id: &str, number: usize, held: &Held) {
    let path = ["/rpc", "/api/stream"][number % 2];
    let Ok(mut socket) = server.socket_as(path, &server.look, &[]) else {
        return;
    };
    for channel in 0..50 {
        socket.send_json(&match number % 2 {
            0 => json!({ "jsonrpc": "2.0", "id": channel, "method": "viewSubscribe",
                "params": { "session": id, "includeText": true, "debounceMs": 0 } }),
            _ => json!({ "subscribe": { "channel": channel, "session": id, "rate": 120 } }),
        });
    }
    held.lock().unwrap().1.push(socket);
}

/// Types a text as the owner and waits until it is shown. Returns how long that took.
fn type_as_owner(server: &Server, id: &str, clock: &Clock, text: &str) -> Duration {
    let before = clock.now();
    let input = json!({ "text": text, "autoWait": false });
    let typed = server.post(&format!("/api/sessions/{id}/input"), &input);
    assert_eq!(typed.status, 204, "{}", typed.text());
    server.wait(id, text);
    assert_eq!(server.get("/api/sessions").status, 200);
    clock.now() - before
}

/// Returns the median time of several rounds.
fn median(server: &Server, id: &str, clock: &Clock, name: &str) -> Duration {
    let rounds = (0..9).map(|round| type_as_owner(server, id, clock, &format!("{name}{round};")));
    let mut times: Vec<Duration> = rounds.collect();
    times.sort();
    times[times.len() / 2]
}

type Attack<'scope> = Box<dyn FnOnce() + Send + 'scope>;

/// Starts a thread that holds `running` until it ends.
fn spawn_attack<'scope>(
    scope: &'scope Scope<'scope, '_>,
    running: &mpsc::Sender<()>,
    attack: Attack<'scope>,
) -> ScopedJoinHandle<'scope, ()> {
    let running = running.clone();
    scope.spawn(move || {
        let _running = running;
        attack();
    })
}

/// Prints that all requests of a kind are answered.
#[expect(clippy::print_stderr, reason = "a person reads the progress")]
fn print_progress(clock: &Clock, kind: &str) {
    eprintln!("{:>6.1} s  {kind}", clock.now().as_secs_f64());
}

#[test]
#[expect(clippy::print_stderr, reason = "a person reads the ratio")]
fn owner_is_served_during_and_after_requests_of_a_read_only_client() {
    let server = Server::start_after_setup(SETUP);
    let script = "i=0; while [ $i -lt 3000 ]; do printf '%079d\\n' $i; i=$((i+1)); done; printf ready; exec cat";
    let shown = server.open(&["sh", "-c", script]);
    server.wait(&shown, "ready");
    let own = server.open(&["cat"]);
    let clock = Clock::system();
    let before = median(&server, &own, &clock, "before");
    let (held, id) = (Held::default(), shown.as_str());
    let repeat = |send: &(dyn Fn(usize) + Sync)| {
        std::thread::scope(|scope| {
            for part in 0..AT_ONCE {
                scope.spawn(move || (part..count()).step_by(AT_ONCE).for_each(send));
            }
        });
    };
    let during = std::thread::scope(|scope| {
        let (server, held, repeat, clock) = (&server, &held, &repeat, &clock);
        // Disconnected when all attacks have ended, also by a panic.
        let (running, ended) = mpsc::channel::<()>();
        let attack = |attack| spawn_attack(scope, &running, attack);
        let attacks = [
            attack(Box::new(move || {
                repeat(&|number| leave_socket_open(server, id, number, held));
            })),
            attack(Box::new(move || {
                repeat(&|_| leave_unread(server, id, held));
            })),
            attack(Box::new(move || {
                for path in paths(id) {
                    repeat(&|_| {
                        let status = server.ask("GET", &path, &bearer(server), b"").status;
                        assert!(status < 500, "{path}: {status}");
                    });
                    print_progress(clock, &path);
                }
            })),
            attack(Box::new(move || {
                for (method, params) in calls(id) {
                    let body =
                        json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
                    let body = body.to_string();
                    repeat(&|_| {
                        let answer = server.ask("POST", "/rpc", &bearer(server), body.as_bytes());
                        assert!(answer.status < 500, "{method}: {}", answer.status);
                    });
                    print_progress(clock, &method);
                }
            })),
            attack(Box::new(move || {
                for call in tools(id) {
                    repeat(&|_| {
                        let answer = server.mcp_as(&server.look, "tools/call", &call);
                        assert!(answer.status < 500, "{call}: {}", answer.status);
                    });
                    print_progress(clock, &call.to_string());
                }
            })),
        ];
        let mut during = Vec::new();
        drop(running);
        while ended.recv_timeout(OWNER_PAUSE) == Err(RecvTimeoutError::Timeout) {
            let text = format!("during{};", during.len());
            during.push(type_as_owner(server, &own, clock, &text));
        }
        for attack in attacks {
            attack.join().unwrap();
        }
        during.sort();
        during
    });
    let after = median(&server, &own, &clock, "after");
    let ratio = |time: Duration| time.as_secs_f64() / before.as_secs_f64();
    eprintln!(
        "the owner's time: {before:?} before; during: median {:.1}×, 90 % below {:.1}×, \
         most {:.1}×; after: {:.1}×",
        ratio(during[during.len() / 2]),
        ratio(during[during.len() * 9 / 10]),
        ratio(during[during.len() - 1]),
        ratio(after)
    );
    // The sessions are as they were, and the owner can open others.
    let sessions = server.get("/api/sessions").json();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 2);
    server.open(&["cat"]);
}
