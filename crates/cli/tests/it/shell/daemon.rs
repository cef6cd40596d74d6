//! The daemon: when it starts, who may reach it, and how it ends.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::net::UnixListener;
use std::thread;

use rustix::process::{Signal, geteuid};

use super::sandbox::{Home, gone};
use crate::harness::cli::{TOOL, command_in};
use crate::harness::processes::{STAYS, assert_all_go, assert_gone};

#[test]
fn two_who_come_at_once_start_one_daemon() {
    let home = Home::new();
    let opened: Vec<_> = (0..8).map(|_| home.start(&["open", "--", "cat"])).collect();
    for child in opened {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""));
    }
    // Another daemon would have some of them.
    assert_eq!(home.sessions().len(), 8);
}

#[test]
fn only_the_user_reaches_it() {
    let home = Home::new();
    home.say(&["open", "--", "cat"]).text();
    let mode = |name: &str| fs::metadata(home.place(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(""), mode("socket")), (0o700, 0o600));
}

#[test]
fn a_folder_that_is_not_the_users_alone_is_refused() {
    let home = Home::new();
    let folder = home.place("");
    let folder = folder.parent().unwrap().join("screentest");
    let refused = |told: &str| {
        for words in [&["open", "--", "cat"][..], &["view"], &["sessions"]] {
            let said = home.say(words).failed(2);
            assert!(said.contains(told), "{words:?}: {said}");
            assert!(said.contains(folder.to_str().unwrap()), "{said}");
        }
    };
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o750)).unwrap();
    refused("is open to others (its mode is 750)");
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    // Only root can give a folder away.
    if geteuid().is_root() {
        chown(&folder, Some(65534), None).unwrap();
        refused("belongs to user 65534, and you are 0");
    }
    fs::remove_dir(&folder).unwrap();
    symlink(home.folder.path(), &folder).unwrap();
    refused("is no folder");
    fs::remove_file(&folder).unwrap();
    home.say(&["open", "--", "cat"]).text();
}

/// A program that would stay, in the home's folder.
fn stays(home: &Home) {
    home.open(STAYS, "ready");
}

#[test]
fn a_daemon_that_is_asked_to_end_takes_all_with_it() {
    let home = Home::new();
    stays(&home);
    home.end(Signal::TERM);
    assert_gone(home.folder.path());
    let left: Vec<_> = fs::read_dir(home.place("")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    home.say(&["view"]).failed(3);
}

#[test]
fn a_daemon_that_is_killed_leaves_nothing_that_runs_and_the_next_starts() {
    let home = Home::new();
    stays(&home);
    home.end(Signal::KILL);
    assert_all_go(home.folder.path());
    assert!(home.place("socket").exists(), "nobody could remove it");
    home.say(&["view"]).failed(3);
    home.say(&["open", "--name", "next", "--", "cat"]).text();
    assert_eq!(home.session()["id"], "next");
}

#[test]
fn a_daemon_without_sessions_ends_and_one_with_sessions_does_not() {
    let mut home = Home::new();
    home.set("SCREENTEST_LINGER", "0.2");
    home.open("echo ready; exec cat", "ready");
    let daemon = home.daemon().unwrap();
    // Longer than it would stay without one.
    home.say(&["wait", "never", "--timeout", "1"]).failed(1);
    assert_eq!(home.daemon(), Some(daemon));
    home.done(&["close"]);
    gone(daemon);
    assert!(!home.place("socket").exists());
    home.say(&["view"]).failed(3);
    home.say(&["open", "--", "cat"]).text();
    assert_ne!(home.daemon(), Some(daemon));
}

#[test]
fn sessions_are_opened_while_daemons_end() {
    let mut home = Home::new();
    // So soon that the end of one and the next `open` meet again and again.
    home.set("SCREENTEST_LINGER", "0.005");
    for _ in 0..40 {
        let opened = home.say(&["open", "--", "cat"]).text();
        assert_eq!(opened, "cat\n");
        home.done(&["close"]);
    }
}

#[test]
fn a_script_that_waits_for_its_pipes_does_not_wait_for_the_daemon() {
    let home = Home::new();
    let runtime = home.place("");
    let runtime = runtime.parent().unwrap().display();
    // Whoever still had any of these open would keep this from ending.
    let script = format!("XDG_RUNTIME_DIR='{runtime}' '{TOOL}' open -- cat 3>&1 4>&2 </dev/null");
    assert_eq!(
        command_in(home.folder.path(), "sh", ["-c", &script]),
        "cat\n"
    );
    assert!(home.daemon().is_some());
}

/// Somebody answers at the socket, who is no daemon.
#[track_caller]
fn check_strange(answer: &'static [u8], told: &str) {
    let home = Home::new();
    let folder = home.place("");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    let listener = UnixListener::bind(home.place("socket")).unwrap();
    let answering = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.write_all(answer);
    });
    let said = home.say(&["view"]).failed(4);
    answering.join().unwrap();
    assert!(said.contains(told), "{said}");
}

#[test]
fn an_answer_that_is_none_is_a_fault_of_the_line() {
    check_strange(b"", "the daemon went away");
    check_strange(
        b"220 mail.example ESMTP\r\n",
        "could not ask the daemon: no answer of HTTP",
    );
    check_strange(
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi",
        "the daemon answered what nobody understands",
    );
}

#[test]
fn a_daemon_by_hand_says_where_it_is_and_is_the_only_one() {
    use std::io::{BufRead, BufReader};
    let home = Home::new();
    let mut child = home.start(&["daemon"]);
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(told["pid"], child.id());
    let said = home.say(&["daemon"]).failed(2);
    assert!(said.contains("listens on"), "{said}");
    home.say(&["open", "--", "cat"]).text();
    assert_eq!(
        home.daemon().unwrap().as_raw_nonzero().get(),
        child.id() as i32
    );
    home.end(Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
