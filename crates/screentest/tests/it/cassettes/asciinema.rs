//! Compatibility with asciinema: its recordings survive the conversion to cassettes and back, it
//! plays the asciicasts that we write, and it converts them to the same bytes.
//!
//! `asciinema-2.cast` and `asciinema-3.cast` in `tests/compatibility` were recorded by asciinema
//! 2.2.0 (Debian 12) and asciinema 3.2.0 (crates.io). They show what the function `work` below
//! types. `cargo xtask record-asciinema` installs asciinema 3, compares with it, and records both
//! files again. All other tests need only Debian's version.

use screentest::Key;
use screentest::core::formats::asciicast::{Cast, CastEventKind, CastVersion};
use screentest::core::formats::cassette::InputLineKind;
use screentest::recording::cassette::{CastInput, CastOptions, ExistingCassette};
use screentest::session::Answers;

use super::asciicast::check_round_trip;
use super::*;

/// Path of asciinema 3, set by `cargo xtask record-asciinema`.
const ASCIINEMA_3: &str = "SCREENTEST_ASCIINEMA_3";
const STANDARD_SIZE: Size = Size { cols: 80, rows: 24 };

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/compatibility")
        .join(name)
}

fn stored_cast(name: &str) -> Cast {
    let cast = Cast::parse(fs::read(stored(name)).unwrap()).unwrap();
    assert_eq!(cast.cut_short, None);
    cast
}

/// Starts a hermetic program in a terminal of this size.
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
    let options = SessionOptions {
        size,
        answers,
        ..SessionOptions::default()
    };
    Session::start(&app, options)
        .unwrap_or_else(|error| panic!("{error}: `cargo xtask test` installs asciinema"))
}

/// Writes a cassette to a file as an asciicast.
fn export(cassette: &Cassette, version: CastVersion, path: &Path) {
    let mut file = Vec::new();
    let options = CastOptions {
        version,
        input: CastInput::Omitted,
    };
    cassette.write_cast(options, &mut file).unwrap();
    fs::write(path, file).unwrap();
}

/// Plays a recording with asciinema in a session, and compares the last screen with the recorded
/// one.
#[track_caller]
fn check_played(program: &str, words: &[&str], cassette: &Cassette, version: CastVersion) {
    let scratch = Scratch::new();
    export(cassette, version, &scratch.path().join("x.cast"));
    let last = cassette.ending().screen().unwrap();
    // asciinema writes the recorded terminal queries to the terminal, but does not read the
    // replies, which the terminal would echo. The session therefore sends none.
    let session = start(&scratch, program, words, last.size, Answers::Caller);
    let exit_status = session.wait_for_exit(TIMEOUT).unwrap();
    let screen = session.screen();
    assert_eq!(exit_status, ExitStatus::Exited(0), "{}", screen.text());
    assert_eq!(screen.text(), last.text());
    // Compares colours and styles, too.
    assert_eq!(screen.rows, last.rows);
}

#[test]
fn asciinema_recordings_survive_a_round_trip() {
    for name in ["asciinema-2.cast", "asciinema-3.cast"] {
        let cast = stored_cast(name);
        let scratch = Scratch::new();
        let cassette = check_round_trip(&cast, &scratch);
        let mut written = String::new();
        for event in &cast.events {
            if let CastEventKind::Output(text) = &event.kind {
                written.push_str(text);
            }
        }
        let raw = fs::read(cassette.path().join("output.raw")).unwrap();
        assert!(raw == written.as_bytes(), "{name}");
    }
}

#[test]
fn stored_asciinema_recordings_cover_all_event_kinds() {
    let two = stored_cast("asciinema-2.cast");
    let three = stored_cast("asciinema-3.cast");
    assert_eq!((two.version, three.version), (2, 3));
    let count = |cast: &Cast, wanted: fn(&CastEventKind) -> bool| {
        let events = cast.events.iter();
        events.filter(|event| wanted(&event.kind)).count()
    };
    for cast in [&two, &three] {
        assert_eq!(cast.header.term, "xterm-256color");
        assert!(count(cast, |kind| matches!(kind, CastEventKind::Output(_))) > 10);
        assert!(count(cast, |kind| matches!(kind, CastEventKind::Input(_))) > 4);
    }
    assert_eq!(
        count(&three, |kind| matches!(kind, CastEventKind::Resize(_))),
        2
    );
    assert_eq!(
        count(&three, |kind| matches!(kind, CastEventKind::Marker(_))),
        2
    );
    assert_eq!(count(&three, |kind| *kind == CastEventKind::Exit(5)), 1);
    assert!(three.header.theme.is_some());
}

#[test]
fn asciinema_plays_exported_casts() {
    let scratch = Scratch::new();
    let path = scratch.path().join("two.cassette");
    let cast = stored_cast("asciinema-2.cast");
    Cassette::from_cast(&cast, &path, ExistingCassette::Keep).unwrap();
    let recorded = record(
        &scratch.path().join("x.cassette"),
        "printf '\\033[H\\033[2J\\033[1;44mtitle\\033[0m\\r\\n\\033[38;2;1;2;3mcaf\\303\\251 \\347\\225\\214\\033[0m\\r\\n'; exit 1",
    );
    for path in [path, recorded] {
        let cassette = Cassette::open(path).unwrap();
        let play = ["play", "-s", "1000", "-i", "0.1", "x.cast"];
        check_played("asciinema", &play, &cassette, CastVersion::Two);
        check_played("asciinema", &["cat", "x.cast"], &cassette, CastVersion::Two);
    }
}

/// Runs asciinema and types into the shell that it records, and into vim there. With `marks`, also
/// sets markers and resizes the terminal, which only asciinema 3 records.
fn work(scratch: &Scratch, program: &str, words: &[&str], marks: bool) {
    let session = start(scratch, program, words, STANDARD_SIZE, Answers::Emulator);
    let say = |text: &str| session.type_text(text).unwrap();
    let see = |text: &str| drop(session.wait_for(text, TIMEOUT).unwrap());
    let mark = || {
        if marks {
            session.send(b"\x1d").unwrap();
            // asciinema recognises its marker key only if it arrives alone, and draws nothing when
            // it does, so there is no text to wait for.
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
    session.wait_for_exit(TIMEOUT).unwrap();
}

/// Runs only if `cargo xtask record-asciinema` sets the path of asciinema 3, so that CI does not
/// have to build it.
#[test]
fn asciinema_3_agrees_with_our_casts_and_records_the_stored_ones() {
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
        let recorded = fs::read(scratch.path().join("x.cast")).unwrap();
        fs::write(stored(name), recorded).unwrap();
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
        paths.push(Cassette::from_cast(&stored_cast(name), path, ExistingCassette::Keep).unwrap());
    }
    for path in paths {
        let cassette = Cassette::open(&path).unwrap();
        let raw = fs::read(path.join("output.raw")).unwrap();
        let Size { cols, rows } = cassette.manifest().terminal.size().unwrap();
        // asciinema writes a sequence with the size before the output.
        let expected = [format!("\x1b[8;{rows};{cols}t").into_bytes(), raw].concat();
        for version in [CastVersion::Two, CastVersion::Three] {
            let scratch = Scratch::new();
            export(&cassette, version, &scratch.path().join("x.cast"));
            let words = ["convert", "-f", "raw", "x.cast", "x.raw"];
            let session = start(&scratch, &three, &words, STANDARD_SIZE, Answers::Emulator);
            let exit_status = session.wait_for_exit(TIMEOUT).unwrap();
            let text = session.screen().text();
            assert_eq!(exit_status, ExitStatus::Exited(0), "{text}");
            let found = fs::read(scratch.path().join("x.raw")).unwrap();
            assert!(found == expected, "{}, {version:?}", path.display());
        }
        let is_resized = cassette
            .inputs()
            .unwrap()
            .iter()
            .any(|input| matches!(input.kind, InputLineKind::Resize { .. }));
        // `asciinema play` does not resize its terminal, so the last screens would differ.
        if !is_resized {
            let play = ["play", "-q", "-s", "1000", "-i", "0.1", "x.cast"];
            check_played(&three, &play, &cassette, CastVersion::Three);
        }
    }
}
