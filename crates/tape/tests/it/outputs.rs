//! Output files of tapes that pass.

use std::fs;
use std::time::Duration;

use screentest::core::Secrets;
use screentest::core::formats::state_json::StateJson;
use screentest::recording::Cassette;
use screentest::session::Interrupt;
use screentest_tape::{TapeFailureKind, TapeProgress};

use crate::{TapeProject, starts_with};

const SIZE: &str = "Set Columns 30 Set Rows 5 Set FontSize 10 Set Padding 5 Set CursorBlink false";

/// Returns the width and height in the header of a PNG or GIF.
fn sides(project: &TapeProject, name: &str) -> [u32; 2] {
    let bytes = fs::read(project.path(name)).unwrap();
    if bytes.starts_with(b"GIF") {
        [6, 8].map(|at| u16::from_le_bytes([bytes[at], bytes[at + 1]]).into())
    } else {
        [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
    }
}

#[test]
fn every_output_has_the_format_of_its_extension() {
    let project = TapeProject::new();
    let names = "a.gif a.apng a.webp a.mp4 a.webm a.svg a.json a.txt a.ascii a.test a.cassette a.cast sub/dir/b.gif frames/";
    let outputs: String = names
        .split(' ')
        .map(|name| format!("Output '@/{name}'\n"))
        .collect();
    let run = project.pass(&format!(
        "{outputs}{SIZE}\nType 'echo hi' Enter Sleep 100ms"
    ));
    assert_eq!(run.files.len(), names.split(' ').count());
    for (name, magic) in [
        ("a.gif", &b"GIF89a"[..]),
        ("a.apng", b"\x89PNG"),
        ("a.webp", b"RIFF"),
        ("a.webm", b"\x1a\x45\xdf\xa3"),
        ("a.svg", b"<svg"),
        ("a.cast", b"{\"version\":3"),
        ("sub/dir/b.gif", b"GIF89a"),
        ("frames/00000.png", b"\x89PNG"),
    ] {
        assert!(starts_with(&project.path(name), magic), "{name}");
    }
    assert!(fs::read(project.path("a.mp4")).unwrap()[4..].starts_with(b"ftyp"));
    let state = StateJson::parse(project.text("a.json")).unwrap();
    assert_eq!(state.screen.text(), "> echo hi\nhi\n>\n");
    let cassette = Cassette::open(project.path("a.cassette")).unwrap();
    cassette.verify().unwrap();
    // No temporary file is left.
    let hidden: Vec<String> = project
        .names()
        .into_iter()
        .filter(|name| name.starts_with('.'))
        .collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}

#[test]
fn the_text_output_has_the_screen_after_every_visible_step() {
    let project = TapeProject::new();
    project.pass(&format!(
        "Output '@/a.txt'\n{SIZE}\nHide Type 'clear' Enter Show Type 'echo a' Enter Sleep 50ms"
    ));
    let text = project.text("a.txt");
    let line = format!("{}\n", "─".repeat(80));
    let screens: Vec<&str> = text.split(&line).collect();
    // Show, Type, Enter, Sleep; nothing follows the last line.
    assert_eq!(screens.len(), 5, "{text}");
    assert_eq!(screens[1], "> echo a\n\n\n\n\n");
    assert_eq!(screens[3], "> echo a\na\n>\n\n\n");
}

#[test]
fn a_picture_has_the_size_of_the_tape() {
    let project = TapeProject::new();
    project.pass(
        "# dialect: betamax
Output '@/a.png'
Output '@/a.gif'
Set Width 640
Set Height 333
Set Shell bash
Type x
Screenshot '@/b.png'",
    );
    for name in ["a.png", "a.gif", "b.png"] {
        assert_eq!(sides(&project, name), [640, 333], "{name}");
    }
}

/// Returns the number of frames of a tape at ten frames per second.
fn pictures(steps: &str) -> usize {
    let project = TapeProject::new();
    project.pass(&format!(
        "Output '@/frames/'\nSet Framerate 10\n{SIZE}\n{steps}"
    ));
    fs::read_dir(project.path("frames")).unwrap().count()
}

#[test]
fn hidden_time_is_not_in_the_frames() {
    let about = |count: usize, expected: usize| {
        assert!(count.abs_diff(expected) <= 2, "{count}, not {expected}");
    };
    about(pictures("Sleep 2s Type 'a' Sleep 1s"), 31);
    about(pictures("Hide Sleep 2s Type 'a' Show Sleep 1s"), 10);
    about(pictures("Sleep 1s Hide Sleep 2s Type 'a'"), 10);
    about(
        pictures("Sleep 1s Hide Sleep 5s Show Type 'a' Sleep 1s"),
        21,
    );
}

#[test]
fn playback_speed_changes_the_frames_but_not_the_recording() {
    let project = TapeProject::new();
    let run = project.pass(&format!(
        "Output '@/frames/'\nSet PlaybackSpeed 2\nSet Framerate 10\n{SIZE}\nSleep 2s Type a"
    ));
    assert!(run.recorded >= Duration::from_secs(2));
    let count = fs::read_dir(project.path("frames")).unwrap().count();
    assert!(count.abs_diff(11) <= 2, "{count}");
}

#[test]
fn captions_and_keys_change_the_pictures() {
    let project = TapeProject::new();
    let shot = |name: &str, settings: &str, steps: &str| {
        project.pass(&format!(
            "{SIZE}\n{settings}\n{steps}\nScreenshot '@/{name}'"
        ));
    };
    shot("plain.png", "", "Type a");
    shot("caption.png", "", "Caption 'Look here' Type a");
    shot("gone.png", "", "Caption 'Look here' Type a Caption ''");
    let [width, height] = sides(&project, "plain.png");
    // Two more rows of 12 pixels, while the caption is shown and after it is removed.
    assert_eq!(sides(&project, "caption.png"), [width, height + 24]);
    assert_eq!(sides(&project, "gone.png"), [width, height + 24]);
    assert_ne!(
        fs::read(project.path("caption.png")).unwrap(),
        fs::read(project.path("gone.png")).unwrap()
    );
    // A recording that shows keys is larger.
    let gif = |overlay: &str| {
        let name = format!("{overlay}.gif");
        project.pass(&format!(
            "Output '@/{name}'\nSet KeyboardOverlay {overlay}\nSet KeyboardOverlayLocation TopRight\n{SIZE}\nType ab Ctrl+L Sleep 2s"
        ));
        fs::read(project.path(&name)).unwrap()
    };
    let (off, keys, all) = (gif("Off"), gif("Keys"), gif("All"));
    assert!(off.len() < keys.len() && keys.len() < all.len());
}

#[test]
fn an_output_option_replaces_outputs_of_the_same_kind() {
    let project = TapeProject::new();
    let output = project.path("mine.gif").to_string_lossy().parse().unwrap();
    let tape = format!("Output '@/own.gif'\nOutput '@/own.json'\n{SIZE}\nType a");
    let options = project.options().fast().output(output);
    let run = project.ready(&tape, options).run(|_| {});
    assert!(run.passed(), "{}", run.failure_text());
    assert_eq!(project.names(), ["mine.gif", "own.json"]);
}

#[test]
fn only_existing_outputs_are_replaced() {
    let project = TapeProject::new();
    project.write("a.gif", "old");
    fs::create_dir(project.path("frames")).unwrap();
    // Frames of an earlier, longer recording, and a file with a number that no recording reaches.
    for number in 0..100 {
        project.write(&format!("frames/{number:05}.png"), "old");
    }
    project.write("frames/20261.png", "mine");
    project.write("frames/notes.txt", "mine");
    let tape =
        format!("Output '@/a.gif'\nOutput '@/frames/'\nOutput '@/a.cassette'\n{SIZE}\nType a");
    project.pass(&tape);
    project.pass(&tape);
    assert!(starts_with(&project.path("a.gif"), b"GIF"));
    assert!(!project.path("frames/00099.png").exists());
    assert_eq!(project.text("frames/20261.png"), "mine");
    assert_eq!(project.text("frames/notes.txt"), "mine");
}

#[test]
fn secrets_are_in_no_output_and_no_message() {
    let project = TapeProject::new();
    let mut secrets = Secrets::default();
    secrets.add("WORD", "hunter22-of-the-night").unwrap();
    let mut options = project.options().fast();
    options.run = options.run.secrets(secrets);
    let tape = |end: &str| {
        format!(
            "Output '@/a.cassette' Output '@/a.cast' Output '@/a.json' Output '@/a.txt' Output '@/a.svg'\n{SIZE}\n\
             Set Columns 60\nType 'echo hunter22-of-the-night' Enter\nWait\nState '@/b.json'\n{end}"
        )
    };
    let run = project.ready(&tape(""), options.clone()).run(|_| {});
    assert!(run.passed(), "{}", run.failure_text());
    let run = project
        .ready(&tape("Expect@1ms 'nothing'"), options)
        .run(|_| {});
    assert!(
        !run.passed() && run.failure_text().contains("<WORD>"),
        "{}",
        run.failure_text()
    );
    let mut folders = vec![project.path("")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains("hunter22"), "{}: {text}", path.display());
            count += 1;
        }
    }
    assert!(count > 12, "{count} files were looked at");
}

/// Checks that an interrupted output leaves nothing, and that existing files stay.
#[track_caller]
fn check_interrupted(output: &str) {
    let project = TapeProject::new();
    fs::create_dir(project.path("kept")).unwrap();
    project.write("kept/00000.png", "mine");
    let interrupt = Interrupt::new();
    let options = project.options().fast().interrupt(interrupt.clone());
    let tape = format!("Output '@/{output}'\n{SIZE}\nType 'echo hi' Enter Sleep 10s");
    let run = project.ready(&tape, options).run(|progress| {
        if let TapeProgress::Writing { .. } = progress {
            interrupt.raise();
        }
    });
    let failure = run.failure.unwrap();
    assert_eq!(
        failure.kind,
        TapeFailureKind::Interrupted,
        "{}",
        failure.message
    );
    assert_eq!(project.names(), ["kept"], "{output}");
    assert_eq!(project.text("kept/00000.png"), "mine");
    assert_eq!(fs::read_dir(project.path("kept")).unwrap().count(), 1);
}

#[test]
fn an_interrupted_output_leaves_nothing() {
    for output in [
        "a.gif",
        "a.apng",
        "a.webp",
        "new/a.mp4",
        "new/frames/",
        "kept/",
    ] {
        check_interrupted(output);
    }
}
