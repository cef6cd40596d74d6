//! What a tape leaves when all went well.

use std::fs;
use std::time::Duration;

use screentest::core::Secrets;
use screentest::core::formats::state_json::StateJson;
use screentest::{Cassette, Interrupt};
use screentest_tape::{TapeFailureKind, TapeProgress};

use crate::{Studio, starts_with};

const SIZE: &str = "Set Columns 30 Set Rows 5 Set FontSize 10 Set Padding 5 Set CursorBlink false";

/// How wide and how high a PNG or GIF says it is.
fn sides(studio: &Studio, name: &str) -> [u32; 2] {
    let bytes = fs::read(studio.path(name)).unwrap();
    match bytes.starts_with(b"GIF") {
        true => [6, 8].map(|at| u16::from_le_bytes([bytes[at], bytes[at + 1]]).into()),
        false => [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())),
    }
}

#[test]
fn every_kind_of_output_is_what_its_ending_says() {
    let studio = Studio::new();
    let names = "a.gif a.apng a.webp a.mp4 a.webm a.svg a.json a.txt a.ascii a.test a.cassette a.cast sub/dir/b.gif frames/";
    let outputs: String = names
        .split(' ')
        .map(|name| format!("Output '@/{name}'\n"))
        .collect();
    let run = studio.pass(&format!(
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
        assert!(starts_with(&studio.path(name), magic), "{name}");
    }
    assert!(fs::read(studio.path("a.mp4")).unwrap()[4..].starts_with(b"ftyp"));
    let state = StateJson::parse(studio.text("a.json")).unwrap();
    assert_eq!(state.screen.text(), "> echo hi\nhi\n>\n");
    let cassette = Cassette::open(studio.path("a.cassette")).unwrap();
    cassette.verify().unwrap();
    // Nothing is left of how they were made.
    let hidden: Vec<String> = studio
        .names()
        .into_iter()
        .filter(|name| name.starts_with('.'))
        .collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}

#[test]
fn the_text_has_the_screen_after_every_visible_step() {
    let studio = Studio::new();
    studio.pass(&format!(
        "Output '@/a.txt'\n{SIZE}\nHide Type 'clear' Enter Show Type 'echo a' Enter Sleep 50ms"
    ));
    let text = studio.text("a.txt");
    let line = format!("{}\n", "─".repeat(80));
    let screens: Vec<&str> = text.split(&line).collect();
    // Show, Type, Enter, Sleep; and nothing behind the last line.
    assert_eq!(screens.len(), 5, "{text}");
    assert_eq!(screens[1], "> echo a\n\n\n\n\n");
    assert_eq!(screens[3], "> echo a\na\n>\n\n\n");
}

#[test]
fn a_picture_has_the_size_that_the_tape_says() {
    let studio = Studio::new();
    studio.pass(
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
        assert_eq!(sides(&studio, name), [640, 333], "{name}");
    }
}

/// How many pictures a second of a tape makes, at ten a second.
fn pictures(steps: &str) -> usize {
    let studio = Studio::new();
    studio.pass(&format!(
        "Output '@/frames/'\nSet Framerate 10\n{SIZE}\n{steps}"
    ));
    fs::read_dir(studio.path("frames")).unwrap().count()
}

#[test]
fn time_that_is_hidden_takes_no_time() {
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
fn playback_speed_changes_the_film_and_not_the_recording() {
    let studio = Studio::new();
    let run = studio.pass(&format!(
        "Output '@/frames/'\nSet PlaybackSpeed 2\nSet Framerate 10\n{SIZE}\nSleep 2s Type a"
    ));
    assert!(run.recorded >= Duration::from_secs(2));
    let count = fs::read_dir(studio.path("frames")).unwrap().count();
    assert!(count.abs_diff(11) <= 2, "{count}");
}

#[test]
fn captions_and_keys_are_under_the_picture_or_on_it() {
    let studio = Studio::new();
    let shot = |name: &str, settings: &str, steps: &str| {
        studio.pass(&format!(
            "{SIZE}\n{settings}\n{steps}\nScreenshot '@/{name}'"
        ));
    };
    shot("plain.png", "", "Type a");
    shot("caption.png", "", "Caption 'Look here' Type a");
    shot("gone.png", "", "Caption 'Look here' Type a Caption ''");
    let [width, height] = sides(&studio, "plain.png");
    // Two rows of 12 pixels more, with a caption and behind it.
    assert_eq!(sides(&studio, "caption.png"), [width, height + 24]);
    assert_eq!(sides(&studio, "gone.png"), [width, height + 24]);
    assert_ne!(
        fs::read(studio.path("caption.png")).unwrap(),
        fs::read(studio.path("gone.png")).unwrap()
    );
    // A film in which keys are shown has more to show.
    let film = |overlay: &str| {
        let name = format!("{overlay}.gif");
        studio.pass(&format!(
            "Output '@/{name}'\nSet KeyboardOverlay {overlay}\nSet KeyboardOverlayLocation TopRight\n{SIZE}\nType ab Ctrl+L Sleep 2s"
        ));
        fs::read(studio.path(&name)).unwrap()
    };
    let (off, keys, all) = (film("Off"), film("Keys"), film("All"));
    assert!(off.len() < keys.len() && keys.len() < all.len());
}

#[test]
fn an_output_of_the_caller_takes_the_place_of_one_of_its_kind() {
    let studio = Studio::new();
    let output = studio.path("mine.gif").to_string_lossy().parse().unwrap();
    let tape = format!("Output '@/own.gif'\nOutput '@/own.json'\n{SIZE}\nType a");
    let options = studio.options().fast().output(output);
    let run = studio.ready(&tape, options).run(|_| {});
    assert!(run.passed(), "{}", run.failure_text());
    assert_eq!(studio.names(), ["mine.gif", "own.json"]);
}

#[test]
fn what_was_there_is_replaced_and_nothing_else() {
    let studio = Studio::new();
    studio.write("a.gif", "old");
    fs::create_dir(studio.path("frames")).unwrap();
    // As a longer film left them, and as no film of ours does.
    for number in 0..100 {
        studio.write(&format!("frames/{number:05}.png"), "old");
    }
    studio.write("frames/20261.png", "mine");
    studio.write("frames/notes.txt", "mine");
    let tape =
        format!("Output '@/a.gif'\nOutput '@/frames/'\nOutput '@/a.cassette'\n{SIZE}\nType a");
    studio.pass(&tape);
    studio.pass(&tape);
    assert!(starts_with(&studio.path("a.gif"), b"GIF"));
    assert!(!studio.path("frames/00099.png").exists());
    assert_eq!(studio.text("frames/20261.png"), "mine");
    assert_eq!(studio.text("frames/notes.txt"), "mine");
}

#[test]
fn secrets_are_in_nothing_that_is_written_or_told() {
    let studio = Studio::new();
    let mut secrets = Secrets::default();
    secrets.add("WORD", "hunter22-of-the-night").unwrap();
    let mut options = studio.options().fast();
    options.run = options.run.secrets(secrets);
    let tape = |end: &str| {
        format!(
            "Output '@/a.cassette' Output '@/a.cast' Output '@/a.json' Output '@/a.txt' Output '@/a.svg'\n{SIZE}\n\
             Set Columns 60\nType 'echo hunter22-of-the-night' Enter\nWait\nState '@/b.json'\n{end}"
        )
    };
    let run = studio.ready(&tape(""), options.clone()).run(|_| {});
    assert!(run.passed(), "{}", run.failure_text());
    let run = studio
        .ready(&tape("Expect@1ms 'nothing'"), options)
        .run(|_| {});
    assert!(
        !run.passed() && run.failure_text().contains("<WORD>"),
        "{}",
        run.failure_text()
    );
    let mut folders = vec![studio.path("")];
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

/// An output that is ended while it is made leaves nothing, and what was there stays.
#[track_caller]
fn check_stopped(output: &str) {
    let studio = Studio::new();
    fs::create_dir(studio.path("kept")).unwrap();
    studio.write("kept/00000.png", "mine");
    let interrupt = Interrupt::new();
    let options = studio.options().fast().interrupt(interrupt.clone());
    let tape = format!("Output '@/{output}'\n{SIZE}\nType 'echo hi' Enter Sleep 10s");
    let run = studio.ready(&tape, options).run(|progress| {
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
    assert_eq!(studio.names(), ["kept"], "{output}");
    assert_eq!(studio.text("kept/00000.png"), "mine");
    assert_eq!(fs::read_dir(studio.path("kept")).unwrap().count(), 1);
}

#[test]
fn what_is_ended_while_it_is_made_leaves_nothing() {
    for output in [
        "a.gif",
        "a.apng",
        "a.webp",
        "new/a.mp4",
        "new/frames/",
        "kept/",
    ] {
        check_stopped(output);
    }
}
