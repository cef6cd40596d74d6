//! The progress bar on stderr.

use std::fs;
use std::time::Duration;

use screentest::session::SessionOptions;
use screentest::{App, Session};

use super::recordings::CAST;
use super::video::fake_ffmpeg;
use crate::harness::cli::{Folder, TOOL, run, start_with_env};

/// Timeout of one wait. Long enough for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

#[test]
fn progress_bar_is_shown_in_a_terminal_and_removed() {
    let folder = Folder::new();
    // Reads its input only after a line arrives in the pipe, so the test controls how long the work
    // takes.
    let path = fake_ffmpeg(
        &folder,
        "read go < \"$GO\"; cat > /dev/null; for out; do :; done; echo film > \"${out#file:}\"",
    );
    let go = folder.join("go");
    run(["snap", "--", "mkfifo", &go]).done();
    let cast = folder.file("x.cast", CAST);
    let out = folder.join("x.mp4");
    // More output than the pipe to `ffmpeg` can hold.
    let app = App::new(TOOL).args(["render", &cast, "-o", &out, "--scale", "2"]);
    let app = app.env("PATH", &path).env("GO", &go);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    session.wait_for("drawing", TIMEOUT).unwrap();
    fs::write(&go, "\n").unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    assert_eq!(session.screen().text(), "");
}

#[test]
fn progress_bar_is_not_written_to_a_pipe() {
    // Two runs do the same work. The piped run starts first, so it would have written its bar
    // before the run in the terminal shows one.
    let folder = Folder::new();
    let script = "echo begun > \"$BEGUN\"; read go < \"$GO\"; cat > /dev/null; for out; do :; done; echo film > \"${out#file:}\"";
    let path = fake_ffmpeg(&folder, script);
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
    let piped = start_with_env(&variables, words);
    assert_eq!(fs::read(&begun).unwrap(), b"begun\n");

    let app = App::new(TOOL).args(["render", &cast, "-o", &other_out, "--scale", "2"]);
    let app = app.env("PATH", &path).env("BEGUN", &other_begun);
    let session = Session::start(&app.env("GO", &other_go), SessionOptions::default()).unwrap();
    assert_eq!(fs::read(&other_begun).unwrap(), b"begun\n");
    session.wait_for("drawing", TIMEOUT).unwrap();

    fs::write(&go, "\n").unwrap();
    let output = piped.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
    fs::write(&other_go, "\n").unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
}
