//! Session names and the list of sessions.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::sandbox::SandboxHome;

#[test]
fn session_name_is_optional_with_one_session() {
    let mut home = SandboxHome::new();
    assert_eq!(home.run(&["open", "--", "cat"]).text(), "cat\n");
    assert_eq!(home.run(&["view"]).text(), "");
    assert_eq!(home.run(&["open", "--", "cat"]).text(), "cat-2\n");
    let opened = home.run(&[
        "open", "--json", "--name", "mine", "--cols", "40", "--", "cat",
    ]);
    let opened: serde_json::Value = serde_json::from_str(&opened.text()).unwrap();
    assert_eq!(
        (&opened["id"], &opened["cols"]),
        (&"mine".into(), &40.into())
    );
    assert_eq!(
        home.run(&["view"]).failed(3),
        "error: several sessions are open: `cat`, `cat-2`, `mine`\n\
         hint: select one with `-s NAME` or SCREENTEST_SESSION\n"
    );
    assert_eq!(
        home.run(&["type", "-s", "dog", "x"]).failed(3),
        "error: session `dog` not found; open sessions: `cat`, `cat-2`, `mine`\n\
         hint: select one with `-s NAME` or SCREENTEST_SESSION\n"
    );
    home.done(&["type", "-s", "cat-2", "second"]);
    home.done(&["wait", "-s", "cat-2", "second"]);
    home.set("SCREENTEST_SESSION", "mine");
    home.done(&["type", "third"]);
    home.done(&["wait", "third"]);
    assert_eq!(home.run(&["view", "-s", "cat"]).text(), "");
    assert_eq!(
        home.run(&["sessions"]).text(),
        "cat    80x24  runs  cat\n\
         cat-2  80x24  runs  cat\n\
         mine   40x24  runs  cat\n"
    );
    home.done(&["close"]);
    home.done(&["close", "--all"]);
    assert_eq!(home.sessions().len(), 0);
}

#[test]
fn session_link_works_once_and_is_required() {
    let home = SandboxHome::new();
    home.open("echo hi; exec cat", "hi");
    let link = home.run(&["sessions", "--link"]).text();
    let rest = link.trim_end().strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask("api/sessions").starts_with("HTTP/1.1 401 "));
    let entered = ask(path);
    assert!(entered.starts_with("HTTP/1.1 200 "), "{entered}");
    assert!(
        entered.to_lowercase().contains("\r\nset-cookie: "),
        "{entered}"
    );
    // The link works once.
    assert!(ask(path).starts_with("HTTP/1.1 401 "));
    let other = home.run(&["sessions", "--link", "--read-only"]).text();
    assert_ne!(other, link);
}
