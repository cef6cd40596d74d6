//! A bar on the terminal while something takes long.

use std::fs;
use std::time::Duration;

use screentest::{App, Options, Session};

use super::films::CAST;
use super::video::stand_in;
use crate::tool::{Folder, TOOL, run};

/// Long enough for any machine; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn what_takes_long_shows_how_far_it_is_and_leaves_no_trace() {
    let folder = Folder::new();
    // It takes what it is given only once it is told to go on, so that the work lasts as long as this test wants.
    let path = stand_in(&folder, "read go < \"$GO\"; cat > /dev/null");
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
    session.wait_exit(PATIENCE).unwrap();
    assert_eq!(session.screen().text(), "");
}
