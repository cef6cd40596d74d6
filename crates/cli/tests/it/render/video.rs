//! Videos, encoded by `ffmpeg`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use screentest::session::SessionOptions;
use screentest::{App, ExitStatus, Session};

use super::output_paths::save_screen;
use super::recordings::CAST;
use crate::harness::cli::{Folder, TOOL, run, run_with_env};
use crate::harness::image_header::image_format;

/// Creates an executable named `ffmpeg` with this script, and returns a `PATH` in which it comes
/// first.
pub(crate) fn fake_ffmpeg(folder: &Folder, script: &str) -> String {
    let bin = folder.join("bin");
    fs::create_dir(&bin).unwrap();
    let program = folder.file("bin/ffmpeg", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(program, Permissions::from_mode(0o755)).unwrap();
    format!("{bin}:/usr/bin:/bin")
}

/// Returns the report of `ffprobe` on the only stream: width, height, frames per second, number of
/// frames.
#[expect(clippy::disallowed_methods, reason = "`ffprobe` checks the video")]
fn ffprobe(file: &str) -> String {
    let words = "-v error -count_frames -show_entries stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0";
    let output = std::process::Command::new("ffprobe")
        .args(words.split(' '))
        .arg(file)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn recording_becomes_a_playable_video() {
    let folder = Folder::new();
    let cast = folder.file("x.cast", CAST);
    for extension in ["mp4", "webm"] {
        let out = folder.join(&format!("a video: {extension}.{extension}"));
        let words = ["render", &cast, "-o", &out, "--fps", "10", "--speed", "2"];
        assert_eq!(run(words).noted(), "");
        // 2.5 seconds, plus 1 second for the last frame, at 10 frames per second.
        assert_eq!(ffprobe(&out), "216,92,10/1,35");
        let piped = run([
            "render", &cast, "-o", "-", "--format", extension, "--fps", "2",
        ])
        .done();
        assert_eq!(image_format(&piped), extension);
    }
}

#[test]
fn video_has_even_dimensions_and_a_still_lasts_one_second() {
    let folder = Folder::new();
    let out = folder.join("x.mp4");
    let words = [
        "snap",
        "--cols",
        "21",
        "--rows",
        "3",
        "--padding",
        "0",
        "-o",
        &out,
    ];
    assert_eq!(run(words.iter().chain(&["--", "echo", "hi"])).done(), b"");
    assert_eq!(ffprobe(&out), "210,58,30/1,30");
    let file = save_screen(&folder, "x.json");
    for (hold, probe) in [("2.5", "216,92,30/1,75"), ("0", "216,92,30/1,1")] {
        let words = ["render", &file, "-o", &out, "--hold", hold];
        assert_eq!(run(words).noted(), "");
        assert_eq!(ffprobe(&out), probe);
    }
}

#[test]
fn ffmpeg_errors_are_reported_and_leave_no_file() {
    for (script, message) in [
        (
            "echo 'Unknown encoder libx264' >&2; exit 3",
            "`ffmpeg` failed (exit status: 3): Unknown encoder libx264",
        ),
        (
            "cat > /dev/null; exit 1",
            "`ffmpeg` failed (exit status: 1): no error message",
        ),
        (
            "kill -9 $$",
            "`ffmpeg` failed (signal: 9 (SIGKILL)): no error message",
        ),
        (
            "cat > /dev/null",
            "`ffmpeg` wrote nothing and reported no error",
        ),
        (
            "cat > /dev/null; for out; do :; done; rm \"${out#file:}\"; echo lost it >&2",
            "`ffmpeg` wrote nothing: lost it",
        ),
    ] {
        let folder = Folder::new();
        let path = fake_ffmpeg(&folder, script);
        let cast = folder.file("x.cast", CAST);
        let out = folder.join("x.mp4");
        let words = ["render", &cast, "-o", &out];
        assert_eq!(
            run_with_env(&[("PATH", &path)], words).failed(5),
            format!("error: {message}\nhint: gif, apng and webp do not need ffmpeg\n")
        );
        assert_eq!(folder.names(), ["bin", "x.cast"]);
    }
}

#[test]
fn interrupted_video_leaves_no_file() {
    let folder = Folder::new();
    // Reports that it has started, then reads nothing.
    let path = fake_ffmpeg(
        &folder,
        "trap '' INT; echo begun > \"$BEGUN\"; read never < \"$BEGUN\"",
    );
    let begun = folder.join("begun");
    run(["snap", "--", "mkfifo", &begun]).done();
    let cast = folder.file("x.cast", CAST);
    let out = folder.join("x.mp4");
    let app = App::new(TOOL).args(["render", &cast, "-o", &out, "--scale", "2"]);
    let app = app.env("PATH", &path).env("BEGUN", &begun);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    assert_eq!(fs::read(&begun).unwrap(), b"begun\n");
    assert_eq!(folder.names().len(), 4, "{:?}", folder.names());
    session.press("Ctrl+C").unwrap();
    let exit_status = session.wait_for_exit(Duration::from_secs(20)).unwrap();
    assert!(
        matches!(exit_status, ExitStatus::Signaled(_)),
        "{exit_status}"
    );
    assert_eq!(folder.names(), ["begun", "bin", "x.cast"]);
}

#[test]
fn failed_video_keeps_the_old_file() {
    let folder = Folder::new();
    let path = fake_ffmpeg(&folder, "exit 1");
    let cast = folder.file("x.cast", CAST);
    let out = folder.file("x.mp4", "before");
    run_with_env(&[("PATH", &path)], ["render", &cast, "-o", &out]).failed(5);
    assert_eq!(folder.read("x.mp4"), b"before");
    assert_eq!(folder.names(), ["bin", "x.cast", "x.mp4"]);
}
