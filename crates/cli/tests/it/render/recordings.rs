//! Rendering recordings: animations, timing, and single frames.

use std::time::Duration;

use crate::harness::cli::{Folder, run, run_with};
use crate::harness::image_header::{gif_delays, image_format, png_size};

/// Three lines at intervals of one second, then a pause.
pub(crate) const CAST: &str = r#"{"version": 2, "width": 20, "height": 4}
[0.0, "o", "one\r\n"]
[1.0, "o", "two\r\n"]
[2.0, "o", "three\r\n"]
[5.0, "m", "end"]
"#;

/// [`CAST`] in the other versions.
const VERSION_1: &str = r#"{"version": 1, "width": 20, "height": 4, "stdout": [[0.0, "one\r\n"], [1.0, "two\r\n"], [1.0, "three\r\n"]]}"#;
const VERSION_3: &str = r#"{"version": 3, "term": {"cols": 20, "rows": 4}}
[0.0, "o", "one\r\n"]
[1.0, "o", "two\r\n"]
[1.0, "o", "three\r\n"]
[3.0, "m", "end"]
"#;

/// Checks the delays of the GIF frames, in seconds, with these options.
#[track_caller]
fn check(options: &[&str], seconds: &[f64]) {
    let words = ["render", "-", "--format", "gif"].iter().chain(options);
    let gif = run_with(words, CAST.as_bytes()).done();
    let delays: Vec<f64> = gif_delays(&gif).iter().map(Duration::as_secs_f64).collect();
    assert_eq!(delays, seconds);
}

#[test]
fn recording_becomes_a_gif_beside_it() {
    for (name, cast) in [
        ("x.cast", CAST),
        ("old.json", VERSION_1),
        ("new.cast", VERSION_3),
        ("plain", CAST),
    ] {
        let folder = Folder::new();
        let file = folder.file(name, cast);
        let said = folder.masked(&run(["render", &file]).noted());
        let stem = name.split('.').next().unwrap();
        assert_eq!(
            said,
            format!("note: the picture is in `FOLDER/{stem}.gif`\n")
        );
        let gif = folder.read(&format!("{stem}.gif"));
        assert_eq!(gif_delays(&gif).len(), 3, "{name}");
    }
}

#[test]
fn frame_delays_match_the_recording() {
    // The last frame is held for one more second, so that the end is visible before the loop.
    check(&[], &[1.0, 1.0, 4.0]);
    check(&["--hold", "0"], &[1.0, 1.0, 3.0]);
}

#[test]
fn timing_options_change_frame_delays() {
    check(&["--speed", "2", "--hold", "0"], &[0.5, 0.5, 1.5]);
    check(&["--idle-limit", "0.5", "--hold", "0"], &[0.5, 0.5, 0.5]);
    check(&["--fps", "1", "--hold", "2"], &[1.0, 1.0, 5.0]);
    check(&["--loop-offset", "1.5", "--hold", "0"], &[1.0, 3.0, 1.0]);
    check(&["--loop-offset", "50%", "--hold", "0"], &[3.0, 1.0, 1.0]);
}

#[test]
fn idle_time_limit_of_the_recording_is_used() {
    let limited = CAST.replace(r#""height": 4"#, r#""height": 4, "idle_time_limit": 0.5"#);
    let gif = |options: &[&str]| {
        let words = ["render", "-", "--hold", "0"].iter().chain(options);
        gif_delays(&run_with(words, limited.as_bytes()).done())
    };
    assert_eq!(gif(&[]), [Duration::from_millis(500); 3]);
    assert_eq!(
        gif(&["--idle-limit", "0.2"]),
        [Duration::from_millis(200); 3]
    );
}

#[test]
fn each_animated_format_contains_the_recording() {
    let folder = Folder::new();
    let file = folder.file("x.cast", CAST);
    for format in ["gif", "apng", "webp"] {
        let moving = run(["render", &file, "--format", format, "-o", "-"]).done();
        assert_eq!(image_format(&moving), format);
        let still = run(["render", &file, "--at", "5", "--format", format, "-o", "-"]).done();
        assert!(still.len() < moving.len(), "{format}");
    }
}

#[test]
fn gif_has_at_most_50_frames_per_second() {
    let gif = |rate: &str| run_with(["render", "-", "--fps", rate], CAST.as_bytes());
    let fast = gif("60");
    assert_eq!(
        (fast.code, fast.stderr.as_str()),
        (
            Some(0),
            "note: gif shows at most 50 frames per second, so `--fps 60` becomes 50; apng, webp and videos have no such limit\n"
        )
    );
    assert!(fast.stdout == gif("50").done());
}

#[test]
fn animation_repeats_forever_by_default() {
    let repeated = |options: &[&str]| {
        let words = ["render", "-"].iter().chain(options);
        let gif = run_with(words, CAST.as_bytes()).done();
        // The number of repetitions follows the name of the application extension.
        let name = b"NETSCAPE2.0\x03\x01";
        let at = gif.windows(name.len()).position(|part| part == name);
        at.map(|at| u16::from_le_bytes([gif[at + name.len()], gif[at + name.len() + 1]]))
    };
    assert_eq!(repeated(&[]), Some(0));
    assert_eq!(repeated(&["--repeat", "forever"]), Some(0));
    assert_ne!(repeated(&["--repeat", "1"]), Some(0));
}

#[test]
fn still_is_the_last_screen_or_the_screen_at_a_time() {
    let still = |options: &[&str]| {
        let words = ["render", "-", "--format", "svg"].iter().chain(options);
        run_with(words, CAST.as_bytes()).text()
    };
    assert!(still(&[]).contains("three"));
    let then = still(&["--at", "1.5"]);
    assert!(then.contains("two") && !then.contains("three"), "{then}");
    // With `--at`, the default format is PNG.
    let png = run_with(["render", "-", "--at", "0"], CAST.as_bytes()).done();
    assert_eq!(png_size(&png), (216, 92));
}

#[test]
fn recording_keeps_its_theme_without_an_option() {
    let palette = ["#010101"; 8].join(":");
    let theme =
        format!(r##""theme": {{"fg": "#102030", "bg": "#405060", "palette": "{palette}"}}"##);
    let cast = CAST.replace(r#""height": 4"#, &format!(r#""height": 4, {theme}"#));
    let svg = |options: &[&str]| {
        let words = ["render", "-", "--format", "svg"].iter().chain(options);
        run_with(words, cast.as_bytes()).text()
    };
    assert!(svg(&[]).contains("#405060"));
    let nord = svg(&["--theme", "nord"]);
    assert!(
        nord.contains("#2e3440") && !nord.contains("#405060"),
        "{nord}"
    );
}

#[test]
fn convert_reads_the_last_screen_of_a_recording() {
    assert_eq!(
        run_with(["convert", "-"], CAST.as_bytes()).text(),
        "one\ntwo\nthree\n"
    );
    let words = ["convert", "-", "--at", "0.5", "--format", "sketch"];
    assert_eq!(run_with(words, CAST.as_bytes()).text(), "one\n|\n");
}

#[test]
fn truncated_recording_is_rendered_up_to_its_last_line() {
    let cut = format!("{CAST}[6.0, \"o\", \"fo");
    let run = run_with(["render-text", "-"], cut.as_bytes());
    assert_eq!(run.code, Some(0));
    assert_eq!(String::from_utf8(run.stdout).unwrap(), "one\ntwo\nthree\n");
    assert_eq!(
        run.stderr,
        "note: line 6, the last of stdin, is incomplete and was left out\n"
    );
}
