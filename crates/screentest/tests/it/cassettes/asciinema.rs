//! asciinema and ours agree: its recordings go through cassettes and back, it plays what we write, and it finds the same bytes in it.
//!
//! `asciinema-2.cast` and `asciinema-3.cast` in `tests/kept` were recorded by asciinema 2.2.0 of Debian 12 and by asciinema 3.2.0 of
//! crates.io, in a shell and in vim: see `work` below. `cargo xtask record-asciinema` installs the latter, compares with it, and
//! records both afresh; elsewhere only Debian's is needed.

use screentest::core::formats::asciicast::{Cast, EventKind, Version};
use screentest::core::formats::cassette::InputKind;
use screentest::recording::cassette::{CastOptions, Existing, Typed};
use screentest::{Answers, Key};

use super::casts::check_there_and_back;
use super::*;

/// Where asciinema 3 is, in the record step.
const ASCIINEMA_3: &str = "SCREENTEST_ASCIINEMA_3";
const COLUMNS: Size = Size { cols: 80, rows: 24 };

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/kept")
        .join(name)
}

fn kept_cast(name: &str) -> Cast {
    let cast = Cast::parse(fs::read(kept(name)).unwrap()).unwrap();
    assert_eq!(cast.cut_short, None);
    cast
}

/// A program in a world of its own, in a terminal of this size.
#[track_caller]
fn start(
    scratch: &Scratch,
    program: &str,
    words: &[&str],
    size: Size,
    answers: Answers,
) -> Session {
    let app = App::new(program)
        .hermetic()
        .cwd(scratch.path())
        .env("PS1", "$ ")
        .env("HOME", scratch.path())
        .env("ASCIINEMA_CONFIG_HOME", scratch.path())
        .args(words.iter().copied());
    let options = Options {
        size,
        answers,
        ..Options::default()
    };
    Session::start(&app, options)
        .unwrap_or_else(|error| panic!("{error}: `cargo xtask test` installs asciinema"))
}

/// A cassette as an asciicast in a file.
fn exported(cassette: &Cassette, version: Version, path: &Path) {
    let mut file = Vec::new();
    let typed = Typed::LeftOut;
    let options = CastOptions { version, typed };
    cassette.write_cast(options, &mut file).unwrap();
    fs::write(path, file).unwrap();
}

/// Lets asciinema show a recording in a terminal of ours, and compares what is there at the end with what was recorded.
#[track_caller]
fn check_shown(program: &str, words: &[&str], cassette: &Cassette, version: Version) {
    let scratch = Scratch::new();
    exported(cassette, version, &scratch.path().join("x.cast"));
    let last = cassette.ending().screen().unwrap();
    // What the recorded program asked is asked again, and nobody waits for an answer: it would be shown as if typed.
    let session = start(&scratch, program, words, last.size, Answers::Caller);
    let outcome = session.wait_for_exit(SOON).unwrap();
    let screen = session.screen();
    assert_eq!(outcome, ExitStatus::Exited(0), "{}", screen.text());
    assert_eq!(screen.text(), last.text());
    // Colours and styles as well.
    assert_eq!(screen.rows, last.rows);
}

#[test]
fn recordings_of_asciinema_go_there_and_back() {
    for name in ["asciinema-2.cast", "asciinema-3.cast"] {
        let cast = kept_cast(name);
        let scratch = Scratch::new();
        let cassette = check_there_and_back(&cast, &scratch);
        let mut written = String::new();
        for event in &cast.events {
            if let EventKind::Output(text) = &event.kind {
                written.push_str(text);
            }
        }
        let raw = fs::read(cassette.path().join("output.raw")).unwrap();
        assert!(raw == written.as_bytes(), "{name}");
    }
}

#[test]
fn they_have_what_they_were_made_for() {
    let two = kept_cast("asciinema-2.cast");
    let three = kept_cast("asciinema-3.cast");
    assert_eq!((two.version, three.version), (2, 3));
    let count = |cast: &Cast, wanted: fn(&EventKind) -> bool| {
        let events = cast.events.iter();
        events.filter(|event| wanted(&event.kind)).count()
    };
    for cast in [&two, &three] {
        assert_eq!(cast.header.term, "xterm-256color");
        assert!(count(cast, |kind| matches!(kind, EventKind::Output(_))) > 10);
        assert!(count(cast, |kind| matches!(kind, EventKind::Input(_))) > 4);
    }
    assert_eq!(
        count(&three, |kind| matches!(kind, EventKind::Resize(_))),
        2
    );
    assert_eq!(
        count(&three, |kind| matches!(kind, EventKind::Marker(_))),
        2
    );
    assert_eq!(count(&three, |kind| *kind == EventKind::Exit(5)), 1);
    assert!(three.header.theme.is_some());
}

#[test]
fn asciinema_plays_what_we_write() {
    let scratch = Scratch::new();
    let path = scratch.path().join("two.cassette");
    let cast = kept_cast("asciinema-2.cast");
    Cassette::from_cast(&cast, &path, Existing::Kept).unwrap();
    let recorded = record(
        &scratch.path().join("x.cassette"),
        "printf '\\033[H\\033[2J\\033[1;44mtitle\\033[0m\\r\\n\\033[38;2;1;2;3mcaf\\303\\251 \\347\\225\\214\\033[0m\\r\\n'; exit 1",
    );
    for path in [path, recorded] {
        let cassette = Cassette::open(path).unwrap();
        let play = ["play", "-s", "1000", "-i", "0.1", "x.cast"];
        check_shown("asciinema", &play, &cassette, Version::Two);
        check_shown("asciinema", &["cat", "x.cast"], &cassette, Version::Two);
    }
}

/// What a person does in a shell and in vim. asciinema 3 also keeps marks and sizes.
fn work(scratch: &Scratch, program: &str, words: &[&str], marks: bool) {
    let session = start(scratch, program, words, COLUMNS, Answers::Emulator);
    let say = |text: &str| session.type_text(text).unwrap();
    let see = |text: &str| drop(session.wait_for(text, SOON).unwrap());
    let mark = || {
        if marks {
            session.send(b"\x1d").unwrap();
            // asciinema knows its key only where it comes alone, and shows nothing for it.
            session.unchanged_for(Duration::from_millis(500)).unwrap();
        }
    };
    let resize = |cols, rows| {
        if marks {
            session.resize(Size { cols, rows }).unwrap();
        }
    };
    see("$ ");
    say("printf '\\033[1;31mred\\033[0m \\033[38;2;9;99;199mexact\\033[0m 界 é 😀 █▒\\n'\r");
    see("red exact 界 é 😀 █▒\n$ ");
    mark();
    say("vim -u NONE -N -i NONE\r");
    see("~");
    say("iHello, wörld");
    see("Hello, wörld");
    resize(100, 30);
    session.press(Key::Esc).unwrap();
    say(":set number\r");
    see("1 Hello, wörld");
    say(":q!\r");
    see("i NONE\n$ ");
    mark();
    resize(60, 20);
    say("seq 30; exit 5\r");
    session.wait_for_exit(SOON).unwrap();
}

/// Only `cargo xtask record-asciinema` says where asciinema 3 is: CI has no need to build it.
#[test]
fn in_the_record_step_asciinema_3_agrees_and_records_afresh() {
    let Ok(three) = std::env::var(ASCIINEMA_3) else {
        return;
    };
    let rec = |program: &str, options: &[&str], name: &str| {
        let scratch = Scratch::new();
        scratch.write("config.toml", "[session]\nadd_marker_key = \"^]\"\n");
        let words = ["rec", "-q", "-c", "bash --norc --noprofile"];
        let words: Vec<&str> = words
            .iter()
            .chain(options)
            .chain(&["x.cast"])
            .copied()
            .collect();
        work(&scratch, program, &words, program == three);
        let made = fs::read(scratch.path().join("x.cast")).unwrap();
        fs::write(kept(name), made).unwrap();
    };
    rec(
        "asciinema",
        &["--stdin", "-t", "In a shell"],
        "asciinema-2.cast",
    );
    rec(
        &three,
        &["--capture-input", "-t", "In a shell"],
        "asciinema-3.cast",
    );
    let scratch = Scratch::new();
    let recorded = record(
        &scratch.path().join("x.cassette"),
        "seq 200; printf '\\033[1;44mtitle\\033[0m caf\\303\\251 \\347\\225\\214\\r\\n'; kill -TERM $$",
    );
    let mut paths = vec![recorded];
    for name in ["asciinema-2.cast", "asciinema-3.cast"] {
        let path = scratch.path().join(name).with_extension("cassette");
        paths.push(Cassette::from_cast(&kept_cast(name), path, Existing::Kept).unwrap());
    }
    for path in paths {
        let cassette = Cassette::open(&path).unwrap();
        let raw = fs::read(path.join("output.raw")).unwrap();
        let Size { cols, rows } = cassette.manifest().terminal.size().unwrap();
        // asciinema puts the size before what was written.
        let expected = [format!("\x1b[8;{rows};{cols}t").into_bytes(), raw].concat();
        for version in [Version::Two, Version::Three] {
            let scratch = Scratch::new();
            exported(&cassette, version, &scratch.path().join("x.cast"));
            let words = ["convert", "-f", "raw", "x.cast", "x.raw"];
            let session = start(&scratch, &three, &words, COLUMNS, Answers::Emulator);
            let outcome = session.wait_for_exit(SOON).unwrap();
            let said = session.screen().text();
            assert_eq!(outcome, ExitStatus::Exited(0), "{said}");
            let found = fs::read(scratch.path().join("x.raw")).unwrap();
            assert!(found == expected, "{}, {version:?}", path.display());
        }
        let sized = cassette
            .inputs()
            .unwrap()
            .iter()
            .any(|input| matches!(input.kind, InputKind::Resize { .. }));
        // A player does not change the size of the terminal that it plays in.
        if !sized {
            let play = ["play", "-q", "-s", "1000", "-i", "0.1", "x.cast"];
            check_shown(&three, &play, &cassette, Version::Three);
        }
    }
}
