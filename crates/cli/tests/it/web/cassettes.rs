//! Recordings over HTTP: started, listed, watched, downloaded. They are complete when the server
//! ends and recoverable when it is killed.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use screentest::core::formats::stream::{self, StreamBody, Viewer};
use screentest::recording::Cassette;
use serde_json::{Value, json};

use super::client::{HttpResponse, Server, shows};
use crate::harness::cli::{command, run_in, wait_until};

fn cassette_path(server: &Server, name: &str) -> PathBuf {
    server.folder.path().join("artifacts/cassettes").join(name)
}

/// Opens a cassette and verifies it.
#[track_caller]
fn open_verified(path: &Path) -> Cassette {
    let cassette = Cassette::open(path).unwrap();
    cassette.verify().unwrap();
    cassette
}

fn last_screen(path: &Path) -> String {
    open_verified(path).ending().screen().unwrap().text()
}

/// Sends a request with the look token.
fn ask_with_look_token(server: &Server, method: &str, path: &str) -> HttpResponse {
    let bearer = format!("Authorization: Bearer {}\r\n", server.look);
    server.ask(method, path, &bearer, b"")
}

#[test]
fn session_can_be_recorded_midway() {
    let server = Server::start();
    let id = server.open(&["sh", "-c", "echo before; read x; echo after; read y"]);
    server.wait(&id, "before");
    let path = format!("/api/sessions/{id}/cassette");
    assert_eq!(
        server.get(&path).json(),
        json!({ "recording": false, "name": null })
    );
    let started = server.post(&path, &json!({ "name": "demo" }));
    assert_eq!(started.status, 201, "{}", started.text());
    assert_eq!(started.header("location"), Some("/api/cassettes/demo"));
    let is = json!({ "recording": true, "name": "demo" });
    assert_eq!((started.json(), server.get(&path).json()), (is.clone(), is));
    let again = server.post(&path, &json!({}));
    assert_eq!(again.status, 409, "{}", again.text());
    let running = server.get("/api/cassettes").json()["cassettes"][0].clone();
    assert_eq!(
        (&running["name"], &running["state"], &running["session"]),
        (&json!("demo"), &json!("running"), &json!(id))
    );
    assert_eq!(server.get("/api/cassettes/demo/frames").status, 409);
    let marks = format!("{path}/marks");
    assert_eq!(server.post(&marks, &json!({ "name": "" })).status, 400);
    let marked = server.post(&marks, &json!({ "name": "half way" }));
    assert_eq!(marked.status, 204, "{}", marked.text());

    server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "key": "Enter" }),
    );
    server.wait(&id, "after");
    let stopped = server.delete(&path);
    assert_eq!(stopped.status, 200, "{}", stopped.text());
    let answer = stopped.json();
    assert_eq!(
        (&answer["state"], &answer["midway"], &answer["command"][0]),
        (&json!("complete"), &json!(true), &json!("sh"))
    );
    assert_eq!(server.delete(&path).status, 409);
    assert!(last_screen(&cassette_path(&server, "demo")).starts_with("before\n\nafter\n"));
    let marks = &server.get("/api/cassettes/demo").json()["marks"];
    assert_eq!(marks[0]["name"], "half way", "{marks}");
    for verb in ["verify", "inspect"] {
        let path = cassette_path(&server, "demo");
        let said = run_in(&server.folder, &["cassette", verb, path.to_str().unwrap()]).text();
        assert!(
            said.contains("began during a session: the first "),
            "{said}"
        );
    }
    // The session continues and can be recorded again under another name.
    let again = server.ask("POST", &path, &server.bearer(), b"");
    assert_eq!(again.status, 201, "{}", again.text());
    assert_eq!(again.json()["name"], json!(id));
    assert_eq!(server.delete(&format!("/api/sessions/{id}")).status, 204);
    open_verified(&cassette_path(&server, &id));
}

#[test]
fn session_can_be_recorded_from_its_start() {
    let server = Server::start();
    for (name, record, kept_as) in [
        ("one", json!(true), "one"),
        ("two", json!("tape-2"), "tape-2"),
    ] {
        let opened = server.post(
            "/api/sessions",
            &json!({ "name": name, "command": ["sh", "-c", "echo hello; exit 3"], "record": record }),
        );
        assert_eq!(opened.status, 201, "{}", opened.text());
        server.call(
            "exitStatus",
            &json!({ "session": name, "timeoutMs": 20_000 }),
        );
        assert_eq!(server.delete(&format!("/api/sessions/{name}")).status, 204);
        let cassette = open_verified(&cassette_path(&server, kept_as));
        assert_eq!(cassette.ending().exit_code, Some(3));
        let mut raw = Vec::new();
        cassette.output().unwrap().read_to_end(&mut raw).unwrap();
        assert_eq!(raw, b"hello\r\n");
        assert_eq!(cassette.manifest().provenance.portrait_bytes, None);
    }
    let taken = server.post(
        "/api/sessions",
        &json!({ "command": ["cat"], "record": "tape-2" }),
    );
    assert_eq!(taken.status, 409, "{}", taken.text());
    assert_eq!(
        server.get("/api/sessions").json(),
        json!({ "sessions": [] })
    );
}

/// Decodes a varint of the stream. Returns the number and the remaining bytes.
fn read_varint(bytes: &[u8]) -> (u64, &[u8]) {
    let end = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap();
    let number = bytes[..=end]
        .iter()
        .rev()
        .fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f));
    (number, &bytes[end + 1..])
}

/// Applies the frames of a response to a view and returns their times.
pub(super) fn apply_frames(answer: &HttpResponse, view: &mut Viewer) -> Vec<u64> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut rest = answer.body.as_slice();
    let mut times = Vec::new();
    while !rest.is_empty() {
        let (time, after) = read_varint(rest);
        let (length, after) = read_varint(after);
        let (message, after) = after.split_at(length as usize);
        let message = stream::decode(message).unwrap();
        if times.is_empty() {
            assert!(matches!(message.body, StreamBody::Keyframe { .. }));
        }
        stream::apply(view, message).unwrap();
        times.push(time);
        rest = after;
    }
    times
}

/// Starts a server with a cassette `demo` of a program that received two lines and was resized.
fn server_with_cassette() -> Server {
    let server = Server::start();
    let opened = server.post(
        "/api/sessions",
        &json!({ "name": "s", "command": ["cat"], "record": "demo", "cols": 40, "rows": 6 }),
    );
    assert_eq!(opened.status, 201, "{}", opened.text());
    for word in ["first", "second"] {
        let input = json!({ "text": format!("{word}\r") });
        server.post("/api/sessions/s/input", &input);
        server.wait("s", word);
        server.post("/api/sessions/s/resize", &json!({ "cols": 50, "rows": 8 }));
    }
    assert_eq!(server.delete("/api/sessions/s").status, 204);
    server
}

#[test]
fn cassettes_can_be_listed_and_watched() {
    let server = server_with_cassette();
    let all = server.get("/api/cassettes").json();
    assert_eq!(all["leftOut"], json!(0));
    let listed = &all["cassettes"][0];
    assert_eq!(listed["name"], "demo");
    assert_eq!((&listed["cols"], &listed["rows"]), (&json!(40), &json!(6)));
    assert!(listed["durationMs"].as_f64().unwrap() > 0.0, "{listed}");
    assert!(listed["bytes"].as_u64().unwrap() > 10, "{listed}");
    let one = ask_with_look_token(&server, "GET", "/api/cassettes/demo").json();
    assert_eq!(one["marks"], json!([]));
    let frames = one["frames"].as_u64().unwrap();

    let mut view = Viewer::new(0);
    let all = server.get("/api/cassettes/demo/frames");
    let times = apply_frames(&all, &mut view);
    assert_eq!(times.len() as u64, frames);
    assert!(times.is_sorted());
    assert!(all.header("x-next-from").is_none());
    assert!(shows(&view, "first") && shows(&view, "second"));
    assert_eq!(view.seen().unwrap().screen().size.cols, 50);
    // A range starts with the screen at that time.
    let middle = times[times.len() / 2];
    let mut part = Viewer::new(0);
    let path = format!("/api/cassettes/demo/frames?from={middle}");
    let some = apply_frames(&server.get(&path), &mut part);
    // On a fast machine, several frames can have the same time, in milliseconds.
    let later = times.iter().filter(|time| **time >= middle).count();
    assert!(some[0] == middle && some.is_sorted(), "{some:?}");
    assert!(
        (later..=later + 1).contains(&some.len()),
        "{some:?} of {times:?}"
    );
    assert_eq!(part.seen().unwrap().screen(), view.seen().unwrap().screen());
    // A range ends at the requested time.
    let path = "/api/cassettes/demo/frames?from=0&to=0";
    let mut start = Viewer::new(0);
    assert!(
        apply_frames(&server.get(path), &mut start)
            .iter()
            .all(|time| *time == 0)
    );
    // A matching ETag gets 304.
    let tag = all.header("etag").unwrap();
    let headers = format!("{}If-None-Match: {tag}\r\n", server.bearer());
    let same = server.ask("GET", "/api/cassettes/demo/frames", &headers, b"");
    assert_eq!((same.status, same.body.len()), (304, 0));
}

#[test]
fn cassette_can_be_downloaded() {
    let server = server_with_cassette();
    let answer = ask_with_look_token(&server, "GET", "/api/cassettes/demo/download");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/gzip"));
    assert_eq!(
        answer.header("content-disposition"),
        Some("attachment; filename*=UTF-8''demo.tar.gz")
    );
    let body = dechunk(&answer);
    let mut tar = tar::Archive::new(GzDecoder::new(body.as_slice()));
    let target = server.folder.path().join("unpacked");
    tar.unpack(&target).unwrap();
    assert_eq!(
        last_screen(&target.join("demo")),
        last_screen(&cassette_path(&server, "demo"))
    );
    let cast = server.get("/api/cassettes/demo/download?format=cast");
    let cast = String::from_utf8(dechunk(&cast)).unwrap();
    let header: Value = serde_json::from_str(cast.lines().next().unwrap()).unwrap();
    assert_eq!(header["version"], json!(3));
    assert!(cast.contains("second"), "{cast}");
    for query in ["format=zip", "x=1"] {
        let path = format!("/api/cassettes/demo/download?{query}");
        assert_eq!(server.get(&path).status, 400);
    }
}

/// Returns the body of a response, decoded if it is chunked.
fn dechunk(answer: &HttpResponse) -> Vec<u8> {
    if answer.header("transfer-encoding") != Some("chunked") {
        return answer.body.clone();
    }
    let mut rest = answer.body.as_slice();
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n").unwrap();
        let length = std::str::from_utf8(&rest[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            return body;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 2 + length + 2..];
    }
}

#[test]
fn cassette_names_cannot_leave_the_folder() {
    let server = server_with_cassette();
    let folder = cassette_path(&server, "");
    fs::create_dir(server.folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(cassette_path(&server, "demo"), folder.join("link")).unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    for (name, status) in [
        ("..", 400),
        ("%2E%2E", 400),
        ("..%2F..%2Fetc", 400),
        ("demo%2F..%2Fdemo", 400),
        (".hidden", 400),
        ("a%00b", 400),
        ("demo.part", 400),
        ("nothing", 404),
        ("link", 404),
    ] {
        for end in ["", "/frames", "/download"] {
            let answer = server.get(&format!("/api/cassettes/{name}{end}"));
            assert_eq!(answer.status, status, "{name}{end}: {}", answer.text());
        }
    }
    // A folder that is not a cassette is listed as broken.
    let broken = server.get("/api/cassettes/empty").json();
    assert_eq!(broken["state"], "broken");
    assert_eq!(server.get("/api/cassettes/empty/frames").status, 422);
    let id = server.open(&["cat"]);
    for name in ["../up", "a/b", ".x", "", "x.part"] {
        let path = format!("/api/sessions/{id}/cassette");
        let answer = server.post(&path, &json!({ "name": name }));
        assert_eq!(answer.status, 400, "{name}: {}", answer.text());
    }
    for body in [json!([]), json!({ "nam": "x" }), json!({ "name": 1 })] {
        let answer = server.post(&format!("/api/sessions/{id}/cassette"), &body);
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
    }
    for query in ["from=x", "from=-1", "from=2&to=1", "until=3"] {
        let answer = server.get(&format!("/api/cassettes/demo/frames?{query}"));
        assert_eq!(answer.status, 400, "{query}: {}", answer.text());
    }
}

#[test]
fn look_token_cannot_start_or_stop_recordings() {
    let server = server_with_cassette();
    let id = server.open(&["cat"]);
    let path = format!("/api/sessions/{id}/cassette");
    for method in ["POST", "DELETE"] {
        assert_eq!(ask_with_look_token(&server, method, &path).status, 403);
    }
    for path in [
        path.as_str(),
        "/api/cassettes",
        "/api/cassettes/demo",
        "/api/cassettes/demo/frames",
        "/api/cassettes/demo/download",
    ] {
        assert_eq!(
            ask_with_look_token(&server, "GET", path).status,
            200,
            "{path}"
        );
    }
    let roles = [
        server.get("/api/me").json(),
        ask_with_look_token(&server, "GET", "/api/me").json(),
    ];
    assert_eq!(
        roles,
        [json!({ "role": "touch" }), json!({ "role": "look" })]
    );
    assert_eq!(server.ask("GET", "/api/me", "", b"").status, 401);
}

#[test]
fn sigterm_completes_the_recording() {
    let mut server = Server::start();
    let id = server.open(&["sh", "-c", "echo hello; read x"]);
    server.wait(&id, "hello");
    let path = format!("/api/sessions/{id}/cassette");
    assert_eq!(server.post(&path, &json!({ "name": "kept" })).status, 201);
    command("kill", ["-TERM".to_owned(), server.child.id().to_string()]);
    server.child.wait().unwrap();
    assert_eq!(last_screen(&cassette_path(&server, "kept")), "hello\n");
}

#[test]
fn recording_of_a_killed_server_is_recoverable() {
    let mut server = Server::start();
    let id = server.open(&["sh", "-c", "echo hello; read x; echo then; read y"]);
    server.wait(&id, "hello");
    let path = format!("/api/sessions/{id}/cassette");
    assert_eq!(server.post(&path, &json!({ "name": "kept" })).status, 201);
    server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "key": "Enter" }),
    );
    server.wait(&id, "then");
    // The recorder writes in the background: first bytes, then times, then frames.
    let part = cassette_path(&server, "kept.part");
    wait_until("everything is written", || {
        let frames = fs::read_to_string(part.join("frames.jsonl")).unwrap();
        frames.contains("then")
    });
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let recovered = run_in(
        &server.folder,
        &["cassette", "recover", part.to_str().unwrap()],
    );
    assert_eq!(recovered.code, Some(0), "{}", recovered.stderr);
    assert!(last_screen(&cassette_path(&server, "kept")).ends_with("then\n"));
}
