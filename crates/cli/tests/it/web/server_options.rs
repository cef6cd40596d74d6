//! Options of `web`, and invalid values.

use std::os::unix::fs::PermissionsExt;

use screentest::core::{Condition, Key, Screen};
use screentest::session::SessionOptions;
use screentest::{App, Session};

use crate::harness::cli::{Folder, TOOL, run_in};
use crate::harness::server_pipes::SOON;

use super::client::Server;

#[test]
fn token_file_is_private() {
    let server = Server::start();
    let path = server.folder.path().join("tokens");
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_ne!(server.touch, server.look);
}

#[test]
fn invalid_options_are_rejected_before_listening() {
    let folder = Folder::new();
    folder.file("short", "abc\n");
    folder.file("empty", "# nothing\n");
    for (words, expected) in [
        (
            &["--token-file", "short"][..],
            "line 1: a token needs at least 16 characters",
        ),
        (&["--token-file", "empty"], "it contains no token"),
        (&["--token-file", "."], "could not be read"),
        (&["--listen", "nowhere"], "--listen"),
        (&["--listen", "203.0.113.1:80"], "could not listen"),
        (&["--max-sessions", "0"], "--max-sessions"),
        (&["--idle-timeout", "-1"], "--idle-timeout"),
    ] {
        let mut all = vec!["web"];
        all.extend(words);
        let said = run_in(&folder, &all).failed(2);
        assert!(said.contains(expected), "{words:?}: {said}");
    }
}

#[test]
fn enter_prints_another_link() {
    let folder = Folder::new();
    let app = App::new(TOOL).arg("web").cwd(folder.path());
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    let links = |count: usize| {
        Condition::new("links", move |screen: &Screen| {
            let rows = screen.rows.iter();
            rows.filter(|row| row.text().contains("/login?code="))
                .count()
                == count
        })
    };
    session.wait_for(links(1), SOON).unwrap();
    session.press(Key::Enter).unwrap();
    session.wait_for(links(2), SOON).unwrap();
}

#[test]
fn programs_keep_the_descriptor_limit_of_the_caller() {
    let server = Server::start_after_setup("ulimit -S -n 256;");
    let id = server.open(&["sh", "-c", "echo $(ulimit -Sn) of them; exec cat"]);
    server.wait(&id, "256 of them");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.child.id())).unwrap();
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let soft = files.unwrap().split_whitespace().nth(3).unwrap();
    assert_ne!(soft, "256", "the server did not raise its own limit");
}
