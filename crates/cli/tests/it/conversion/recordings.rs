//! Conversion between cassettes and asciicasts, and the other commands that read or write
//! asciicasts.

use std::fs;
use std::path::Path;
use std::time::Duration;

use screentest::core::formats::asciicast::{Cast, CastEventKind};
use screentest::core::formats::cassette::Manifest;
use screentest::core::formats::state_json::StateJson;
use screentest::recording::{Cassette, Moment, Player};

use crate::harness::cli::{Folder, run, run_with, start, wait_until};
use crate::harness::image_header::{gif_delays, png_size};

/// Two seconds with colours, a mark, input, a resize, and exit code 3.
const CAST: &str = "{\"version\":3,\"term\":{\"cols\":20,\"rows\":3,\"type\":\"xterm\",\"theme\":{\"fg\":\"#010203\",\"bg\":\"#040506\",\
\"palette\":\"#000000:#000000:#000000:#000000:#000000:#000000:#000000:#000000\"}},\"timestamp\":1700000000,\"command\":\"ls\",\"title\":\"Demo\"}
[0.500, \"o\", \"\\u001b[31mone\\u001b[0m \"]
[0.250001, \"m\", \"here\"]
[0.000, \"i\", \"q\"]
[0.249999, \"r\", \"30x4\"]
[0.000, \"o\", \"two é\\r\\n\"]
[1.000, \"x\", \"3\"]
";

/// Returns the paths of the asciicast and of a cassette made from it.
fn recordings(folder: &Folder) -> (String, String) {
    let cast = folder.file("x.cast", CAST);
    let cassette = folder.join("x.cassette");
    assert_eq!(run(["convert", &cast, "-o", &cassette]).noted(), "");
    (cast, cassette)
}

#[test]
fn cassette_of_an_asciicast_converts_back_to_the_same_asciicast() {
    let folder = Folder::new();
    let (_, cassette) = recordings(&folder);
    let verified = run(["cassette", "verify", &cassette]).text();
    assert!(
        verified.contains("x.cassette: converted from asciicast v3, "),
        "{verified}"
    );
    let again = folder.join("y.cast");
    let words = ["convert", "--capture-input", &cassette, "-o", &again];
    assert_eq!(run(words).noted(), "");
    assert_eq!(String::from_utf8(folder.read("y.cast")).unwrap(), CAST);
    let two = ["convert", "-I", "--format", "asciicast-v2", &cassette];
    let two = run(two).text();
    let cast = Cast::parse(&two).unwrap();
    assert_eq!(cast.version, 2);
    assert_eq!(cast.events, Cast::parse(CAST).unwrap().events);
    // Converting version 2 back gives the original version 3.
    let file = folder.file("two.cast", &two);
    let three = run(["convert", "-I", "--format", "asciicast-v3", &file]).text();
    assert_eq!(three, CAST);
    assert_eq!(
        folder.names(),
        ["two.cast", "x.cassette", "x.cast", "y.cast"]
    );
}

#[test]
fn input_is_written_to_asciicast_only_on_request() {
    let folder = Folder::new();
    let (cast, cassette) = recordings(&folder);
    for from in [&cast, &cassette] {
        let run = run(["convert", from, "--format", "asciicast-v3"]);
        assert_eq!(
            run.stderr,
            "note: 1 input left out, since typed input may be private; `--capture-input` includes it\n"
        );
        let cast = Cast::parse(&run.stdout).unwrap();
        let typed = |kind: &CastEventKind| matches!(kind, CastEventKind::Input(_));
        assert!(!cast.events.iter().any(|event| typed(&event.kind)));
        assert_eq!(cast.events.len(), 5);
    }
}

#[test]
fn full_disk_error_names_the_output_file() {
    let folder = Folder::new();
    let cassette = folder.join("x.cassette");
    run(["record", "-o", &cassette, "--", "seq", "50000"]);
    let words = [
        "convert",
        "--format",
        "asciicast-v3",
        &cassette,
        "-o",
        "/dev/full",
    ];
    assert_eq!(
        run(words).failed(2),
        "error: could not write `/dev/full`: No space left on device (os error 28)\n"
    );
}

#[test]
fn cassette_and_its_asciicast_render_the_same() {
    let folder = Folder::new();
    let (cast, cassette) = recordings(&folder);
    for words in [
        &["convert"][..],
        &["convert", "--format", "json"],
        &["convert", "--format", "json", "--at", "0.6"],
        &["render-text"],
        &["render-text", "--at", "0"],
        &["render-text", "--at", "0.5"],
        &["render", "--no-system-fonts", "--format", "png", "-o", "-"],
        &["render", "--no-system-fonts", "--format", "gif", "-o", "-"],
        &["render", "--format", "svg", "-o", "-"],
        &[
            "render",
            "--no-system-fonts",
            "--speed",
            "2",
            "--format",
            "apng",
            "-o",
            "-",
        ],
    ] {
        let [from_cast, from_cassette] =
            [&cast, &cassette].map(|file| run(words.iter().copied().chain([&**file])).done());
        assert!(from_cast == from_cassette, "{words:?}");
    }
    assert_eq!(run(["render-text", &cassette]).text(), "one two é\n");
    let output = run(["render", "--no-system-fonts", &cassette]).noted();
    assert_eq!(
        folder.masked(&output),
        "note: the picture is in `FOLDER/x.gif`\n"
    );
    let length: Duration = gif_delays(&folder.read("x.gif")).iter().sum();
    // The pause before the end counts, and the last screen is held for one second.
    assert_eq!(length, Duration::from_secs(3));
    let picture = folder.join("x.png");
    run([
        "render",
        "--no-system-fonts",
        &cassette,
        "--at",
        "0.5",
        "-o",
        &picture,
    ])
    .noted();
    let small = png_size(&folder.read("x.png"));
    run(["render", "--no-system-fonts", &cassette, "-o", &picture]).noted();
    assert!(png_size(&folder.read("x.png")) > small);
}

#[test]
fn converted_cassette_keeps_scrollback() {
    let folder = Folder::new();
    let cassette = folder.join("x.cassette");
    let words = ["record", "--rows", "3", "-o", &cassette, "--", "seq", "9"];
    assert_eq!(run(words).code, Some(0));
    let json = run(["convert", &cassette, "--format", "json"]).text();
    let state = StateJson::parse(json).unwrap();
    let above = state.scrollback.iter().map(|row| row.text().to_owned());
    assert_eq!(above.collect::<Vec<_>>().concat(), "1234567");
    assert_eq!(state.screen.text(), "8\n9\n");
}

/// Replaces the emulator version in the manifest.
fn change_emulator_version(cassette: &str) {
    let path = Path::new(cassette).join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&path).unwrap()).unwrap();
    manifest.terminal.emulator.version = "0.0.1".to_owned();
    manifest.terminal.emulator.revision = 7;
    fs::write(path, manifest.to_file()).unwrap();
}

#[test]
fn frames_of_another_emulator_need_an_option() {
    let folder = Folder::new();
    let (_, cassette) = recordings(&folder);
    let shown = run(["render-text", &cassette]).text();
    change_emulator_version(&cassette);
    for words in [
        &["render-text"][..],
        &["convert"],
        &["render", "-o", "-"],
        &["render", "--format", "png", "-o", "-"],
        &["render-text", "--at", "1"],
    ] {
        let output = run(words.iter().copied().chain([&*cassette])).failed(2);
        assert!(
            output.starts_with(
                "error: the frames were derived by `screentest-vt 0.0.1+7`, and this build has `"
            ),
            "{words:?}: {output}"
        );
        assert!(
            output.ends_with("hint: `--any-emulator` uses the stored frames\n"),
            "{output}"
        );
        let words =
            words
                .iter()
                .copied()
                .chain([&*cassette, "--any-emulator", "--from", "cassette"]);
        assert!(!run(words).done().is_empty());
    }
    assert_eq!(
        run(["render-text", "--any-emulator", &cassette]).text(),
        shown
    );
    // Raw output does not depend on the emulator.
    let cast = run(["convert", "-I", "--format", "asciicast-v3", &cassette]).text();
    assert_eq!(cast, CAST);
    let output = run(["render-text", "--any-emulator", &folder.join("x.cast")]).failed(2);
    assert_eq!(
        folder.masked(&output),
        "error: `--any-emulator` applies to cassettes only, and `FOLDER/x.cast` is not one\n"
    );
}

#[test]
fn note_names_the_overridden_extension_of_a_recording_or_tape() {
    let folder = Folder::new();
    let (cast, cassette) = recordings(&folder);
    for (format, input, name, meaning) in [
        ("text", &cast, "y.cast", "asciicast"),
        ("text", &cast, "y.tape", "tape"),
        ("asciicast", &cassette, "z.tape", "tape"),
    ] {
        let output = folder.join(name);
        let notes = run(["convert", "--format", format, input, "-o", &output]).noted();
        let format = format.replace("asciicast", "asciicast-v3");
        let note = format!(
            "note: `--format {format}` overrides the extension of `FOLDER/{name}`, which means {meaning}"
        );
        assert!(
            folder.masked(&notes).contains(&note),
            "{notes}\nnot: {note}"
        );
    }
}

#[test]
fn existing_recording_is_not_overwritten_without_force() {
    let folder = Folder::new();
    let (cast, cassette) = recordings(&folder);
    let other = folder.file("y.cast", CAST.replace("two", "TWO"));
    let output = run(["convert", &cassette, "-o", &other]).failed(2);
    assert_eq!(
        folder.masked(&output),
        "error: `FOLDER/y.cast` exists already\nhint: `--force` replaces it\n"
    );
    let output = run(["convert", &other, "-o", &cassette]).failed(2);
    assert_eq!(
        folder.masked(&output),
        "error: `FOLDER/x.cassette` exists already: choose another name or replace it explicitly\nhint: `--force` replaces it\n"
    );
    assert_eq!(run(["convert", &cassette]).text(), "one two é\n");
    run(["convert", "--force", &other, "-o", &cassette]).noted();
    assert_eq!(run(["convert", &cassette]).text(), "one TWO é\n");
    run(["convert", "--overwrite", "-I", &cast, "-o", &other]).noted();
    assert_eq!(folder.read("y.cast"), CAST.as_bytes());
    assert_eq!(folder.names(), ["x.cassette", "x.cast", "y.cast"]);
}

/// Checks the error of an invalid command line, and that the command leaves no file.
#[track_caller]
fn refused(folder: &Folder, words: &[&str], expected: &str) {
    let before = folder.names();
    let said = folder.masked(&run(words).failed(2));
    assert_eq!(said, expected, "{words:?}");
    assert_eq!(folder.names(), before, "{words:?}");
}

#[test]
fn conversion_rejects_input_that_is_not_a_recording() {
    let folder = Folder::new();
    let (cast, cassette) = recordings(&folder);
    let out = folder.join("out.cassette");
    let to_cast = folder.join("out.cast");
    let text = folder.file("text.cassette", "not a cassette");
    refused(
        &folder,
        &["convert", &text, "-o", &to_cast],
        "error: a cassette is a directory, and `FOLDER/text.cassette` is not one\n",
    );
    refused(
        &folder,
        &[
            "convert",
            "--from",
            "cassette",
            &folder.join("lost"),
            "-o",
            &to_cast,
        ],
        "error: could not read `FOLDER/lost`: No such file or directory (os error 2)\n",
    );
    refused(
        &folder,
        &["convert", "--from", "cassette", "-"],
        "error: a cassette is a directory, and stdin is not one\n",
    );
    let empty = folder.join("empty.cassette");
    fs::create_dir(&empty).unwrap();
    let said = folder.masked(&run(["render", &empty]).failed(2));
    assert!(
        said.starts_with("error: `FOLDER/empty.cassette` has no manifest: it is not a cassette, or an unfinished one (see `screentest cassette recover`)"),
        "{said}"
    );
    let screen = folder.file("x.txt", "a screen");
    refused(
        &folder,
        &["convert", &screen, "-o", &to_cast],
        "error: `FOLDER/x.txt` is one screen, and asciicast-v3 needs a recording\n\
         hint: `screentest record` makes one\n",
    );
    refused(
        &folder,
        &["convert", &cassette, "-o", &out],
        "error: `FOLDER/x.cassette` is already a cassette\nhint: copy its directory instead\n",
    );
    let absurd = folder.file(
        "absurd.cast",
        "{\"version\": 2, \"width\": 99999, \"height\": 4000000000}\n",
    );
    let said = folder.masked(&run(["convert", &absurd, "-o", &out]).failed(2));
    assert!(
        said.starts_with("error: could not read `FOLDER/absurd.cast` as an asciicast: line 1: invalid screen size: `99999` columns: a screen has 2 to 2000\n"),
        "{said}"
    );
    let grows = folder.file("grows.cast", CAST.replace("30x4", "70000x4"));
    let said = folder.masked(&run(["convert", &grows, "-o", &out]).failed(2));
    assert!(
        said.contains(
            "damaged at line 5: not an event, `[time, code, data]`: `70000x4` is not a size"
        ),
        "{said}"
    );
    assert!(!Path::new(&out).exists());
    refused(
        &folder,
        &["convert", &cast, "-o", &folder.join("x.film")],
        "error: unknown extension `.film` in `FOLDER/x.film`\n\
         hint: `--format` selects a format; known extensions are `.ansi.txt`, `.ansi`, `.txt`, `.json`, `.vt2`, `.png`, `.svg`, \
         `.html`, `.gif`, `.apng`, `.webp`, `.mp4`, `.webm`, `.cassette`, `.cast`, `.tape`\n",
    );
}

#[test]
fn damaged_cassette_is_neither_converted_nor_rendered() {
    let folder = Folder::new();
    let (_, cassette) = recordings(&folder);
    let raw = Path::new(&cassette).join("output.raw");
    let bytes = fs::read(&raw).unwrap();
    fs::write(&raw, bytes.to_ascii_uppercase()).unwrap();
    for words in [
        &["convert", "--format", "asciicast-v3"][..],
        &["convert"],
        &["render", "-o", "-"],
        &["render-text"],
    ] {
        let output = run(words.iter().copied().chain([&*cassette])).failed(2);
        let output = folder.masked(&output);
        assert!(
            output
                .starts_with("error: `FOLDER/x.cassette/output.raw` was changed: its digest is `"),
            "{words:?}: {output}"
        );
    }
    fs::write(&raw, &bytes[1..]).unwrap();
    let output = folder.masked(&run(["render-text", &cassette]).failed(2));
    assert!(
        output.starts_with("error: `FOLDER/x.cassette/output.raw` is truncated: it has "),
        "{output}"
    );
}

#[test]
fn failed_write_is_reported_and_leaves_no_file() {
    let folder = Folder::new();
    let (cast, cassette) = recordings(&folder);
    refused(
        &folder,
        &["convert", &cassette, "-o", &folder.join("lost/x.cast")],
        "error: could not write `FOLDER/lost/x.cast`: its directory does not exist\n",
    );
    refused(
        &folder,
        &["convert", &cast, "-o", &folder.join("lost/x.cassette")],
        "error: could not write `FOLDER/lost/x.cassette.part`: No such file or directory (os error 2)\n",
    );
    // Even root cannot create files in /proc.
    let output = run(["convert", &cast, "-o", "/proc/x.cassette"]).failed(2);
    assert!(
        output.starts_with("error: could not write `/proc/x.cassette.part`: "),
        "{output}"
    );
    let output = run(["convert", &cassette, "-o", "/proc/x.cast"]).failed(2);
    assert!(
        output.starts_with("error: could not write `/proc/x.cast`: "),
        "{output}"
    );
    refused(
        &folder,
        &["convert", &cast, "--format", "cassette"],
        "error: a cassette is a directory, and cannot be written to stdout\nhint: name it with `-o X.cassette`\n",
    );
}

#[test]
fn picture_options_are_rejected_for_recording_output() {
    let folder = Folder::new();
    let (cast, cassette) = recordings(&folder);
    let out = folder.join("out.cast");
    for option in [
        &["--at", "1"][..],
        &["--speed", "2"],
        &["--font-size", "20"],
        &["--theme", "nord"],
    ] {
        let words = ["convert", &cassette, "-o", &out];
        let words: Vec<&str> = words.into_iter().chain(option.iter().copied()).collect();
        refused(
            &folder,
            &words,
            &format!(
                "error: `{}` applies to screens and pictures, and asciicast-v3 is a whole recording\n\
                 hint: `-o FILE.gif` or `--format gif` writes a picture\n",
                option[0]
            ),
        );
    }
    for option in ["--force", "--capture-input"] {
        refused(
            &folder,
            &["convert", &cassette, option],
            &format!(
                "error: `{option}` applies only if a recording is written\nhint: `-o X.cast` or `-o X.cassette` writes one\n"
            ),
        );
    }
    refused(
        &folder,
        &["convert", &cast, "-I", "-o", &folder.join("y.cassette")],
        "error: `--capture-input` applies to asciicasts only; a cassette always contains the input\n",
    );
}

#[test]
fn recorded_asciicast_has_no_secrets_and_no_input() {
    let folder = Folder::new();
    let path = folder.join("x.cast");
    let words = [
        "record",
        "-o",
        &path,
        "--cols",
        "40",
        "--rows",
        "5",
        "--secret",
        "WORD",
        "--env",
        "WORD=open sesame",
        "--",
        "sh",
        "-c",
        "read a; echo \"$WORD: $a\"; exit 3",
    ];
    let recorded = run_with(words, b"typed\r");
    assert_eq!(recorded.code, Some(0), "{}", recorded.stderr);
    assert!(
        folder
            .masked(&recorded.stderr)
            .starts_with("note: recorded FOLDER/x.cast: "),
        "{}",
        recorded.stderr
    );
    assert!(
        recorded.stderr.contains("1 secret redacted"),
        "{}",
        recorded.stderr
    );
    assert_eq!(folder.names(), ["x.cast"]);
    let text = String::from_utf8(folder.read("x.cast")).unwrap();
    assert!(!text.contains("sesame"), "{text}");
    let cast = Cast::parse(&text).unwrap();
    assert_eq!(cast.version, 3);
    assert_eq!(cast.header.command, "read a; echo \"$WORD: $a\"; exit 3");
    assert_eq!(
        cast.events.last().map(|event| &event.kind),
        Some(&CastEventKind::Exit(3))
    );
    let typed = |cast: &Cast| {
        let events = cast.events.iter();
        events
            .filter(|event| matches!(event.kind, CastEventKind::Input(_)))
            .count()
    };
    assert_eq!(typed(&cast), 0);
    assert!(run(["render-text", &path]).text().ends_with(": typed\n"));
    let words = [
        "record",
        "--force",
        "-I",
        "--format",
        "asciicast-v2",
        "-o",
        &path,
        "--",
        "sh",
        "-c",
        "read a",
    ];
    assert_eq!(run_with(words, b"typed\r").code, Some(0));
    let cast = Cast::parse(folder.read("x.cast")).unwrap();
    assert_eq!((cast.version, typed(&cast)), (2, 1));
    assert_eq!(folder.names(), ["x.cast"]);
}

#[test]
fn record_rejects_invalid_asciicast_output_before_the_program_starts() {
    let folder = Folder::new();
    let there = folder.file("x.cast", CAST);
    let started = folder.join("started");
    let check = |options: &[&str], expected: &str| {
        let words: Vec<&str> = ["record"]
            .iter()
            .chain(options)
            .chain(&["--", "touch", &started])
            .copied()
            .collect();
        refused(&folder, &words, expected);
    };
    check(
        &["-o", &there],
        "error: `FOLDER/x.cast` exists already\nhint: `--force` replaces it\n",
    );
    check(
        &["-o", &folder.join("lost/x.cast")],
        "error: could not write `FOLDER/lost/x.cast`: its directory does not exist\n",
    );
    check(
        &["-o", &folder.join("y.cast"), "--keep-keys"],
        "error: `--keep-keys` is about typed input, and the asciicast does not include it\nhint: `--capture-input` includes typed input\n",
    );
    check(
        &["-o", &folder.join("y.cast"), "--format", "cassette"],
        "error: `--format cassette` contradicts the extension of `FOLDER/y.cast`\n",
    );
    check(
        &["-o", &folder.join("y.cassette"), "-I"],
        "error: `--capture-input` applies to asciicasts only; a cassette always contains the input\n",
    );
    fs::create_dir(folder.join("y.cast.cassette")).unwrap();
    check(
        &["--force", "-o", &folder.join("y.cast")],
        "error: `FOLDER/y.cast.cassette` exists already: choose another name or replace it explicitly\n\
         hint: it is left over from an earlier recording: convert it with `screentest convert FOLDER/y.cast.cassette -o FOLDER/y.cast`, \
         or remove it\n",
    );
}

#[test]
fn killed_asciicast_recorder_leaves_a_recoverable_cassette() {
    let folder = Folder::new();
    let path = folder.join("x.cast");
    let part = folder.join("x.cast.cassette.part");
    let words = ["record", "-o", &path, "--", "sh", "-c", "echo first; cat"];
    let mut recorder = start(words);
    // The recorder writes a frame after the bytes that produced it.
    let frames = Path::new(&part).join("frames.jsonl");
    wait_until("the frame is recorded", || {
        fs::read_to_string(&frames).is_ok_and(|lines| lines.contains("first"))
    });
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    assert_eq!(folder.names(), ["x.cast.cassette.part"]);
    run(["cassette", "recover", &part]).text();
    let cassette = folder.join("x.cast.cassette");
    run(["convert", &cassette, "-o", &path]).noted();
    assert_eq!(run(["render-text", &path]).text(), "first\n");
    let cassette = Cassette::open(&cassette).unwrap();
    let mut player = Player::new(&cassette).unwrap();
    assert_eq!(player.seek(&Moment::End).unwrap().text(), "first\n");
}
