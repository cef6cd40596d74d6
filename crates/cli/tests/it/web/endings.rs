//! However the server ends, viewers know and nothing that it started stays.

use serde_json::json;

use screentest::core::formats::stream::Viewer;

use super::client::{Server, shows};
use crate::gone::{STAYS, assert_all_go, assert_gone};
use crate::tool::command;

/// A server with programs that do not want to end, and somebody who watches them.
fn stage() -> (Server, super::client::Socket, Viewer) {
    let server = Server::start();
    let folder = server.folder.path().to_owned();
    let opening = json!({ "command": ["sh", "-c", STAYS], "cwd": folder, "name": "stays" });
    assert_eq!(server.post("/api/sessions", &opening).status, 201);
    server.wait("stays", "ready");
    let mut socket = server.socket("/api/sessions/stays/stream");
    let mut view = Viewer::new(0);
    socket.watch(&mut view, |view| shows(view, "ready"));
    (server, socket, view)
}

#[test]
fn a_signal_ends_all_and_viewers_are_told() {
    for signal in ["TERM", "HUP", "INT"] {
        let (mut server, mut socket, mut view) = stage();
        command(
            "kill",
            [format!("-{signal}"), server.child.id().to_string()],
        );
        socket.watch(&mut view, Viewer::closed);
        let status = server.child.wait().unwrap();
        assert!(status.success(), "{signal}: {status}");
        assert_gone(server.folder.path());
    }
}

#[test]
fn a_server_that_is_killed_takes_its_programs_with_it() {
    let (mut server, ..) = stage();
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    assert_all_go(server.folder.path());
}
