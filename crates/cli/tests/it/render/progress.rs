//! A bar on the terminal while something takes long.

use std::fs;
use std::time::Duration;

use screentest::{App, Options, Session};

use super::films::CAST;
use super::video::stand_in;
use crate::tool::{Folder, TOOL, run, start_under};

/// Long enough for any machine; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn what_takes_long_shows_how_far_it_is_and_leaves_no_trace() {
    let folder = Folder::new();
    // It takes what it is given only once it is told to go on, so that the work lasts as long as this test wants.
    let path = stand_in(
        &folder,
        "read go < \"$GO\"; cat > /dev/null; for out; do :; done; echo film > \"${out#file:}\"",
    );
    let go = folder.join("go");
    run(["snap", "--", "mkfifo", &go]).done();
    let cast = folder.file("x.cast", CAST);
    let out = folder.join("x.mp4");
    // More than the pipe between the two can hold.
    let app = App::new(TOOL).args(["render", &cast, "-o", &out, "--scale", "2"]);
    let app = app.env("PATH", &path).env("GO", &go);
    let session = Session::start(&app, Options::default()).unwrap();
    session.wait_for("filming", PATIENCE).unwrap();
    fs::write(&go, "\n").unwrap();
    session.wait_for_exit(PATIENCE).unwrap();
    assert_eq!(session.screen().text(), "");
}

#[test]
fn no_bar_is_written_where_stderr_is_no_terminal() {
    // Two at the same work: once the one in a terminal shows its bar, the one before it would have had to as well.
    let folder = Folder::new();
    let script = "echo begun > \"$BEGUN\"; read go < \"$GO\"; cat > /dev/null; for out; do :; done; echo film > \"${out#file:}\"";
    let path = stand_in(&folder, script);
    let pipe = |name: &str| {
        let pipe = folder.join(name);
        run(["snap", "--", "mkfifo", &pipe]).done();
        pipe
    };
    let [begun, go, other_begun, other_go] = ["begun", "go", "other-begun", "other-go"].map(pipe);
    let cast = folder.file("x.cast", CAST);
    let (out, other_out) = (folder.join("x.mp4"), folder.join("y.mp4"));

    let variables = [("PATH", &*path), ("BEGUN", &*begun), ("GO", &*go)];
    let words = ["render", &cast, "-o", &out, "--scale", "2"];
    let piped = start_under(&variables, words);
    assert_eq!(fs::read(&begun).unwrap(), b"begun\n");

    let app = App::new(TOOL).args(["render", &cast, "-o", &other_out, "--scale", "2"]);
    let app = app.env("PATH", &path).env("BEGUN", &other_begun);
    let session = Session::start(&app.env("GO", &other_go), Options::default()).unwrap();
    assert_eq!(fs::read(&other_begun).unwrap(), b"begun\n");
    session.wait_for("filming", PATIENCE).unwrap();

    fs::write(&go, "\n").unwrap();
    let output = piped.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
    fs::write(&other_go, "\n").unwrap();
    session.wait_for_exit(PATIENCE).unwrap();
}
