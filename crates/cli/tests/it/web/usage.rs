//! Starting a server: its options, and what they refuse.

use std::os::unix::fs::PermissionsExt;

use rustix::process::{Resource, getrlimit, setrlimit};
use screentest::core::{Condition, Key, Screen};
use screentest::{App, Options, Session};

use crate::pipes::SOON;
use crate::tool::{Folder, TOOL, run_in};

use super::client::Server;

#[test]
fn tokens_that_are_made_are_for_their_owner_alone_and_kept() {
    let server = Server::start();
    let path = server.folder.path().join("tokens");
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_ne!(server.touch, server.look);
}

#[test]
fn what_cannot_be_is_refused_before_anything_listens() {
    let folder = Folder::new();
    folder.file("short", "abc\n");
    folder.file("empty", "# nothing\n");
    for (words, told) in [
        (
            &["--token-file", "short"][..],
            "line 1: a token needs at least 16 characters",
        ),
        (&["--token-file", "empty"], "it contains no token"),
        (&["--token-file", "."], "could not be read"),
        (&["--listen", "nowhere"], "--listen"),
        (&["--listen", "203.0.113.1:80"], "could not listen there"),
        (&["--max-sessions", "0"], "--max-sessions"),
        (&["--idle-timeout", "-1"], "--idle-timeout"),
    ] {
        let mut all = vec!["web"];
        all.extend(words);
        let said = run_in(&folder, &all).failed(2);
        assert!(said.contains(told), "{words:?}: {said}");
    }
}

#[test]
fn enter_gives_another_link() {
    let folder = Folder::new();
    let app = App::new(TOOL).arg("web").cwd(folder.path());
    let session = Session::start(&app, Options::default()).unwrap();
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
fn programs_have_the_descriptors_that_they_would_have_without_a_server() {
    // What a shell gives is less than what the system allows. The limit is that of this test's own process, which runs nothing else.
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = Some(256);
    setrlimit(Resource::Nofile, limit).unwrap();
    let server = Server::start();
    let id = server.open(&["sh", "-c", "echo $(ulimit -Sn) of them; exec cat"]);
    server.wait(&id, "256 of them");
    let own = std::fs::read_to_string(format!("/proc/{}/limits", server.child.id())).unwrap();
    let own = own.lines().find(|line| line.starts_with("Max open files"));
    let soft = own.unwrap().split_whitespace().nth(3).unwrap();
    assert_ne!(soft, "256", "the server has taken no more for itself");
}
