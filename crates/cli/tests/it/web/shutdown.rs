//! A signal ends the server and notifies viewers. However the server ends, no process is left.

use serde_json::json;

use screentest::core::formats::stream::Viewer;

use super::client::{Server, shows};
use crate::harness::cli::command;
use crate::harness::processes::{STUBBORN_SCRIPT, assert_all_exit, assert_all_exited};

/// Starts a server with a session whose processes ignore SIGHUP and SIGTERM, and a viewer.
fn server_with_viewer() -> (Server, super::client::Socket, Viewer) {
    let server = Server::start();
    let folder = server.folder.path().to_owned();
    let opening =
        json!({ "command": ["sh", "-c", STUBBORN_SCRIPT], "cwd": folder, "name": "stays" });
    assert_eq!(server.post("/api/sessions", &opening).status, 201);
    server.wait("stays", "ready");
    let mut socket = server.socket("/api/sessions/stays/stream");
    let mut view = Viewer::new(0);
    socket.watch(&mut view, |view| shows(view, "ready"));
    (server, socket, view)
}

#[test]
fn signal_ends_the_server_and_notifies_viewers() {
    for signal in ["TERM", "HUP", "INT"] {
        let (mut server, mut socket, mut view) = server_with_viewer();
        command(
            "kill",
            [format!("-{signal}"), server.child.id().to_string()],
        );
        socket.watch(&mut view, Viewer::closed);
        let status = server.child.wait().unwrap();
        assert!(status.success(), "{signal}: {status}");
        assert_all_exited(server.folder.path());
    }
}

#[test]
fn killed_server_leaves_no_process() {
    let (mut server, ..) = server_with_viewer();
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    assert_all_exit(server.folder.path());
}
