//! Starting a server: its options, and what they refuse.

use std::os::unix::fs::PermissionsExt;

use crate::tool::{Folder, run_in};

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
            "line 1: a token has at least 16 characters",
        ),
        (&["--token-file", "empty"], "it has no token"),
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
