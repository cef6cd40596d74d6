//! Watching and driving sessions over a WebSocket.

use screentest::core::formats::stream::{self, ProgramExit, Viewer};
use screentest::core::formats::vt2;
use screentest::core::{Color, Palette, PaletteEntry, Rgb};
use serde_json::json;
use tungstenite::Message;

use super::client::{Server, shows};
use crate::harness::processes::{STUBBORN_SCRIPT, assert_all_exited};

#[test]
fn viewer_sees_output_and_exit() {
    let server = Server::start();
    let id = server.open(&[
        "sh",
        "-c",
        "printf 'name? '; read name; echo hello $name; exit 3",
    ]);
    let mut socket = server.socket(&format!("/api/sessions/{id}/stream"));
    let mut view = Viewer::new(0);
    socket.watch(&mut view, |view| shows(view, "name?"));
    server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "text": "you\r" }),
    );
    socket.watch(&mut view, |view| view.ended().is_some());
    assert!(shows(&view, "hello you"));
    assert_eq!(view.ended(), Some(&ProgramExit::Exited(3)));
    server.delete(&format!("/api/sessions/{id}"));
    socket.watch(&mut view, Viewer::closed);
}

#[test]
fn sessions_share_a_socket() {
    let server = Server::start();
    let (one, other) = (server.open(&["cat"]), server.open(&["cat"]));
    let mut socket = server.socket("/api/stream");
    socket.send_json(&json!({ "subscribe": { "channel": 1, "session": one } }));
    socket.send_json(&json!({ "subscribe": { "channel": 2, "session": other } }));
    let mut views = [Viewer::new(1), Viewer::new(2)];
    for (id, text) in [(&one, "first"), (&other, "second")] {
        server.post(
            &format!("/api/sessions/{id}/input"),
            &json!({ "text": text }),
        );
    }
    while !(shows(&views[0], "first") && shows(&views[1], "second")) {
        if let Some(Message::Binary(bytes)) = socket.next_message() {
            let message = stream::decode(&bytes).unwrap();
            let view = &mut views[message.channel as usize - 1];
            stream::apply(view, message).unwrap();
        }
    }
    assert!(!shows(&views[0], "second") && !shows(&views[1], "first"));
    socket.send_json(&json!({ "subscribe": { "channel": 3, "session": "none" } }));
    loop {
        if let Some(refused) = socket.next_json().get("refused") {
            assert!(
                refused["error"].as_str().unwrap().contains("none"),
                "{refused}"
            );
            break;
        }
    }
}

#[test]
fn one_client_drives_and_others_see_its_name() {
    let server = Server::start();
    let id = server.open(&["cat"]);
    let path = format!("/api/sessions/{id}/stream");
    let (mut driver, mut watcher) = (server.socket(&path), server.socket(&path));
    let until = |socket: &mut super::client::Socket,
                 matches: &dyn Fn(&serde_json::Value) -> bool| loop {
        let message = socket.next_json();
        if matches(&message) {
            return message;
        }
    };
    // Typing needs control of the session.
    driver.send_json(&json!({ "input": { "channel": 0, "do": { "text": "x" } } }));
    let refused = until(&mut driver, &|message| message.get("refused").is_some());
    assert!(refused.to_string().contains("take control"), "{refused}");
    driver.send_json(&json!({ "take": { "channel": 0, "name": "Ada\u{7}" } }));
    let message = until(&mut watcher, &|message| {
        message["driver"]["name"].is_string()
    });
    assert_eq!(
        message["driver"],
        json!({ "channel": 0, "name": "Ada", "you": false })
    );
    until(&mut driver, &|message| message["driver"]["you"] == true);
    // Input from other clients is refused, over any interface.
    let typed = server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "text": "no" }),
    );
    assert_eq!(typed.status, 409);
    assert!(
        typed.error().contains("Ada has control"),
        "{}",
        typed.error()
    );
    watcher.send_json(&json!({ "resize": { "channel": 0, "cols": 40, "rows": 10 } }));
    until(&mut watcher, &|message| message.get("refused").is_some());
    driver.send_json(&json!({ "resize": { "channel": 0, "cols": 40, "rows": 10 } }));
    // Changing the rate, or subscribing twice and unsubscribing once, keeps control.
    driver.send_json(&json!({ "subscribe": { "channel": 0, "session": id, "rate": 60 } }));
    driver.send_json(&json!({ "subscribe": { "channel": 1, "session": id } }));
    driver.send_json(&json!({ "unsubscribe": { "channel": 1 } }));
    driver.send_json(&json!({ "input": { "channel": 0, "do": { "text": "yes" } } }));
    let mut view = Viewer::new(0);
    driver.watch(&mut view, |view| shows(view, "yes"));
    assert_eq!(view.seen().unwrap().screen().size.cols, 40);
    // A disconnected client loses control.
    drop(driver);
    until(&mut watcher, &|message| message["driver"]["name"].is_null());
    assert_eq!(
        server
            .post(
                &format!("/api/sessions/{id}/input"),
                &json!({ "text": "ok" })
            )
            .status,
        204
    );
    server.wait(&id, "yesok");
}

#[test]
fn frames_stop_without_acknowledgement_and_resume_with_the_newest() {
    let server = Server::start();
    let id = server.open(&["sh", "-c", "read x; i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo line $i; sleep 0.005; done; echo done; exec cat"]);
    let mut socket = server.socket(&format!("/api/sessions/{id}/stream?rate=100&window=1"));
    let mut view = Viewer::new(0);
    socket.watch(&mut view, |view| view.revision().is_some());
    // No frame of the output is sent before the acknowledgement.
    server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "text": "go\r" }),
    );
    server.wait(&id, "done");
    let mut ack = vec![0];
    let mut revision = view.revision().unwrap();
    while revision >= 0x80 {
        ack.push(revision as u8 | 0x80);
        revision >>= 7;
    }
    ack.push(revision as u8);
    socket.acknowledge(&ack);
    let Some(Message::Binary(bytes)) = socket.next_message() else {
        panic!("no frame follows");
    };
    stream::apply(&mut view, stream::decode(&bytes).unwrap()).unwrap();
    assert!(shows(&view, "done"), "the next screen is the newest");
    // A client that has lost its screen requests a keyframe.
    socket.send_json(&json!({ "keyframe": { "channel": 0 } }));
    let mut fresh = Viewer::new(0);
    socket.watch(&mut fresh, |view| shows(view, "done"));
}

#[test]
fn invalid_message_closes_the_connection() {
    let server = Server::start();
    for said in ["{\"wish\":1}", "nonsense", "{}"] {
        let mut socket = server.socket("/api/stream");
        socket.send_json(&json!(said));
        assert!(socket.next_message().is_none(), "{said}");
    }
    let mut socket = server.socket("/api/stream");
    socket.acknowledge(&[0xff; 20]);
    assert!(socket.next_message().is_none());
    assert_eq!(server.get("/healthz").status, 200);
    let token = server.touch.clone();
    assert!(
        server
            .socket_as("/api/sessions/none/stream", &token, &[])
            .is_err()
    );
}

#[test]
fn server_shutdown_closes_viewers() {
    let mut server = Server::start();
    let id = server.open(&["sh", "-c", STUBBORN_SCRIPT]);
    server.wait(&id, "ready");
    let mut socket = server.socket(&format!("/api/sessions/{id}/stream"));
    let mut view = Viewer::new(0);
    socket.watch(&mut view, |view| shows(view, "ready"));
    let pid = rustix::process::Pid::from_child(&server.child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    socket.watch(&mut view, Viewer::closed);
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    assert_all_exited(server.folder.path());
}

#[test]
fn name_of_a_closed_session_is_free_while_viewers_remain() {
    let server = Server::start();
    let opening = json!({ "name": "again", "command": ["cat"] });
    assert_eq!(server.post("/api/sessions", &opening).status, 201);
    let mut socket = server.socket("/api/sessions/again/stream");
    let mut view = Viewer::new(0);
    assert_eq!(server.delete("/api/sessions/again").status, 204);
    socket.watch(&mut view, Viewer::closed);
    let again = server.post("/api/sessions", &opening);
    assert_eq!(again.status, 201, "{}", again.text());
}

#[test]
fn client_without_acknowledgement_is_notified_of_the_close() {
    let server = Server::start();
    let command = ["sh", "-c", "while read line; do echo $line; done"];
    let opening = json!({ "name": "busy", "command": command });
    assert_eq!(server.post("/api/sessions", &opening).status, 201);
    let mut socket = server.socket("/api/sessions/busy/stream?window=1&rate=1");
    let mut view = Viewer::new(0);
    socket.watch(&mut view, |view| view.seen().is_some());
    server.post("/api/sessions/busy/input", &json!({ "text": "more\r" }));
    server.wait("busy", "more");
    assert_eq!(server.delete("/api/sessions/busy").status, 204);
    socket.watch(&mut view, Viewer::closed);
}

#[test]
fn viewer_receives_the_colours_that_the_program_changes() {
    let server = Server::start();
    let id = server.open(&[
        "sh",
        "-c",
        r"printf '\033]11;#102040\033\\\033]4;1;#aabbcc\033\\ready'; read x; printf '\033]111\033\\'; read x",
    ]);
    let mut socket = server.socket(&format!("/api/sessions/{id}/stream"));
    let mut view = Viewer::new(0);
    let palette = |view: &Viewer| view.seen().map(|seen| seen.screen().palette.clone());
    socket.watch(&mut view, |view| shows(view, "ready"));
    let red = (PaletteEntry::Indexed(1), Rgb::hex(0x00aa_bbcc));
    let blue = (PaletteEntry::Background, Rgb::hex(0x0010_2040));
    assert_eq!(palette(&view), Some(Palette::from_iter([red, blue])));
    let vt2 = server.get(&format!("/api/sessions/{id}/buffer"));
    let (_, rows) = vt2::decode_rows(&vt2.body, vt2::Strictness::Strict).unwrap();
    assert_eq!(rows[1].cell(0).style.bg, Color::Rgb(Rgb::hex(0x0010_2040)));
    server.post(
        &format!("/api/sessions/{id}/input"),
        &json!({ "key": "Enter" }),
    );
    let restored = Some(Palette::from_iter([red]));
    socket.watch(&mut view, |view| palette(view) == restored);
}
