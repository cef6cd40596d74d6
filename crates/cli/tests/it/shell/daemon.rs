//! The session daemon: start, access rights and exit.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::thread;

use rustix::process::{Signal, Uid, geteuid};
use rustix::thread::set_thread_res_uid;

use super::sandbox::{SandboxHome, wait_for_exit};
use crate::harness::cli::{TOOL, command_in};
use crate::harness::processes::{STUBBORN_SCRIPT, assert_all_exit, assert_all_exited};

#[test]
fn concurrent_opens_start_one_daemon() {
    let home = SandboxHome::new();
    let opened: Vec<_> = (0..8).map(|_| home.start(&["open", "--", "cat"])).collect();
    for child in opened {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""));
    }
    // A second daemon would have some of the sessions.
    assert_eq!(home.sessions().len(), 8);
}

#[test]
fn only_the_user_can_access_the_socket() {
    let home = SandboxHome::new();
    home.run(&["open", "--", "cat"]).text();
    let mode = |name: &str| {
        fs::metadata(home.daemon_path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!((mode(""), mode("socket")), (0o700, 0o600));
}

#[test]
fn shared_runtime_folder_is_rejected() {
    let home = SandboxHome::new();
    let folder = home.daemon_path("");
    let folder = folder.parent().unwrap().join("screentest");
    let refused = |expected: &str| {
        for words in [&["open", "--", "cat"][..], &["view"], &["sessions"]] {
            let said = home.run(words).failed(2);
            assert!(said.contains(expected), "{words:?}: {said}");
            assert!(said.contains(folder.to_str().unwrap()), "{said}");
        }
    };
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o750)).unwrap();
    refused("is accessible to other users (mode 750)");
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    // Only root can change the owner.
    if geteuid().is_root() {
        chown(&folder, Some(65534), None).unwrap();
        refused("belongs to user 65534, and you are 0");
    }
    fs::remove_dir(&folder).unwrap();
    symlink(home.folder.path(), &folder).unwrap();
    refused("is not a directory");
    fs::remove_file(&folder).unwrap();
    home.run(&["open", "--", "cat"]).text();
}

/// Opens a session whose processes ignore SIGHUP and SIGTERM.
fn open_stubborn(home: &SandboxHome) {
    home.open(STUBBORN_SCRIPT, "ready");
}

#[test]
fn terminated_daemon_kills_all_programs() {
    let home = SandboxHome::new();
    open_stubborn(&home);
    home.end(Signal::TERM);
    assert_all_exited(home.folder.path());
    let left: Vec<_> = fs::read_dir(home.daemon_path("")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    home.run(&["view"]).failed(3);
}

#[test]
fn killed_daemon_leaves_no_process_and_can_be_restarted() {
    let home = SandboxHome::new();
    open_stubborn(&home);
    home.end(Signal::KILL);
    assert_all_exit(home.folder.path());
    assert!(
        home.daemon_path("socket").exists(),
        "a killed daemon cannot remove its socket"
    );
    home.run(&["view"]).failed(3);
    home.run(&["open", "--name", "next", "--", "cat"]).text();
    assert_eq!(home.session()["id"], "next");
}

#[test]
fn daemon_exits_only_without_sessions() {
    let mut home = SandboxHome::new();
    home.set("SCREENTEST_LINGER", "0.2");
    home.open("echo ready; exec cat", "ready");
    let daemon = home.daemon().unwrap();
    // Longer than SCREENTEST_LINGER, after which a daemon without sessions exits.
    home.run(&["wait", "never", "--timeout", "1"]).failed(1);
    assert_eq!(home.daemon(), Some(daemon));
    home.done(&["close"]);
    wait_for_exit(daemon);
    assert!(!home.daemon_path("socket").exists());
    home.run(&["view"]).failed(3);
    home.run(&["open", "--", "cat"]).text();
    assert_ne!(home.daemon(), Some(daemon));
}

#[test]
fn open_works_while_a_daemon_exits() {
    let mut home = SandboxHome::new();
    // Short enough that exits and starts of daemons overlap.
    home.set("SCREENTEST_LINGER", "0.005");
    for _ in 0..40 {
        let opened = home.run(&["open", "--", "cat"]).text();
        assert_eq!(opened, "cat\n");
        home.done(&["close"]);
    }
}

#[test]
fn daemon_does_not_hold_the_pipes_of_a_script() {
    let home = SandboxHome::new();
    let runtime = home.daemon_path("");
    let runtime = runtime.parent().unwrap().display();
    // The command would not finish while the daemon holds one of these descriptors.
    let script = format!("XDG_RUNTIME_DIR='{runtime}' '{TOOL}' open -- cat 3>&1 4>&2 </dev/null");
    assert_eq!(
        command_in(home.folder.path(), "sh", ["-c", &script]),
        "cat\n"
    );
    assert!(home.daemon().is_some());
}

/// Checks the error when another program answers at the socket.
#[track_caller]
fn check_foreign_answer(answer: &'static [u8], expected: &str) {
    let home = SandboxHome::new();
    let folder = home.daemon_path("");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    let listener = UnixListener::bind(home.daemon_path("socket")).unwrap();
    let answering = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.write_all(answer);
    });
    let said = home.run(&["view"]).failed(4);
    answering.join().unwrap();
    assert!(said.contains(expected), "{said}");
}

#[test]
fn unexpected_answer_is_a_transport_error() {
    check_foreign_answer(b"", "the session daemon exited");
    check_foreign_answer(
        b"220 mail.example ESMTP\r\n",
        "could not reach the session daemon: not an HTTP response",
    );
    check_foreign_answer(
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi",
        "unexpected response of the session daemon",
    );
}

#[test]
fn explicit_daemon_prints_its_address_and_is_the_only_one() {
    use std::io::{BufRead, BufReader};
    let home = SandboxHome::new();
    let mut child = home.start(&["daemon"]);
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["pid"], child.id());
    let said = home.run(&["daemon"]).failed(2);
    assert!(said.contains("already listening on"), "{said}");
    home.run(&["open", "--", "cat"]).text();
    assert_eq!(
        home.daemon().unwrap().as_raw_nonzero().get(),
        child.id() as i32
    );
    home.end(Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Sends a request to the daemon and returns everything that it answers.
fn request(socket: &Path, line: &str, body: &str) -> String {
    let mut stream = UnixStream::connect(socket).unwrap();
    let length = body.len();
    let request = format!(
        "{line} HTTP/1.1\r\nHost: socket\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    // The daemon may have closed the connection already.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

/// Returns the mode of a file or folder.
fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn recordings_are_readable_by_their_owner_only() {
    let mut home = SandboxHome::new();
    let state = home.folder.path().join("state");
    home.set("XDG_STATE_HOME", state.to_str().unwrap());
    home.run(&["open", "--name", "shown", "--", "cat"]).text();
    let answer = request(
        &home.daemon_path("socket"),
        "POST /api/sessions/shown/cassette",
        r#"{"name":"demo"}"#,
    );
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    home.done(&["type", "x"]);
    let folder = state.join("screentest/cassettes");
    let check = |cassette: &Path| {
        assert_eq!(mode(cassette), 0o700, "{}", cassette.display());
        let files: Vec<_> = fs::read_dir(cassette).unwrap().flatten().collect();
        assert!(files.len() > 3);
        for file in files {
            assert_eq!(mode(&file.path()), 0o600, "{}", file.path().display());
        }
    };
    assert_eq!((mode(&state), mode(&folder)), (0o700, 0o700));
    check(&folder.join("demo.part"));
    home.done(&["close"]);
    check(&folder.join("demo"));
}

/// Creates the daemon's folder, with a link to another file in it.
fn link_in_daemon_folder(home: &SandboxHome, name: &str, target: &Path) {
    DirBuilder::new()
        .mode(0o700)
        .create(home.daemon_path(""))
        .unwrap();
    symlink(target, home.daemon_path(name)).unwrap();
}

#[test]
fn links_in_the_runtime_folder_are_not_followed() {
    for name in ["log", "lock"] {
        let home = SandboxHome::new();
        home.folder.file("precious", "content");
        let target = home.folder.path().join("precious");
        link_in_daemon_folder(&home, name, &target);
        let said = home.run(&["open", "--", "cat"]).failed(5);
        assert!(said.contains("it is a symbolic link"), "{name}: {said}");
        assert_eq!(home.folder.read("precious"), b"content", "{name}");
    }
    let home = SandboxHome::new();
    let target = home.folder.path().join("socket");
    let listener = UnixListener::bind(&target).unwrap();
    listener.set_nonblocking(true).unwrap();
    link_in_daemon_folder(&home, "socket", &target);
    let said = home.run(&["type", "my password"]).failed(4);
    assert!(said.contains("it is not a socket"), "{said}");
    assert!(listener.accept().is_err(), "no connection was made");
}

#[test]
fn other_files_in_the_runtime_folder_are_rejected() {
    let home = SandboxHome::new();
    fs::create_dir(home.daemon_path("")).unwrap();
    fs::set_permissions(home.daemon_path(""), Permissions::from_mode(0o700)).unwrap();
    let log = home.daemon_path("log");
    command_in(home.folder.path(), "mkfifo", [log.to_str().unwrap()]);
    let said = home.run(&["open", "--", "cat"]).failed(5);
    assert!(said.contains("it is not a regular file"), "{said}");
}

#[test]
fn runtime_folder_of_another_user_is_rejected() {
    let home = SandboxHome::new();
    let runtime = home.daemon_path("").parent().unwrap().to_owned();
    let refused = |told: &str| {
        for words in [&["open", "--", "cat"][..], &["view"], &["sessions"]] {
            let said = home.run(words).failed(2);
            assert!(said.contains(told), "{words:?}: {said}");
        }
    };
    fs::set_permissions(&runtime, Permissions::from_mode(0o777)).unwrap();
    refused("is writable by other users (mode 777)");
    fs::set_permissions(&runtime, Permissions::from_mode(0o1777)).unwrap();
    home.run(&["sessions"]);
    fs::set_permissions(&runtime, Permissions::from_mode(0o700)).unwrap();
    // Only root can change the owner.
    if geteuid().is_root() {
        chown(&runtime, Some(65534), None).unwrap();
        refused("belongs to user 65534, and you are 0");
        chown(&runtime, Some(0), None).unwrap();
    }
    home.run(&["open", "--", "cat"]).text();
}

#[test]
fn daemon_does_not_serve_other_users() {
    // Only root can be another user.
    if !geteuid().is_root() {
        return;
    }
    let home = SandboxHome::new();
    home.run(&["open", "--", "cat"]).text();
    let folder = home.daemon_path("").parent().unwrap().to_owned();
    for (path, mode) in [
        (folder, 0o711),
        (home.daemon_path(""), 0o711),
        (home.daemon_path("socket"), 0o666),
    ] {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    let ask = |user: Option<u32>| {
        let socket = home.daemon_path("socket");
        let asking = thread::spawn(move || {
            if let Some(user) = user {
                // Changes this thread only.
                let user = Uid::from_raw(user);
                set_thread_res_uid(user, user, user).unwrap();
            }
            request(&socket, "GET /api/sessions", "")
        });
        asking.join().unwrap()
    };
    assert!(ask(None).starts_with("HTTP/1.1 200"));
    assert_eq!(ask(Some(65534)), "");
}
