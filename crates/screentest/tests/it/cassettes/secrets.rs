//! No secret is in any file that is published, wherever and however it came up; everything around it is as it was.

use screentest::core::Secrets;
use screentest::core::formats::cassette::input::InputKind;
use screentest::core::input::key::Key;

use serde_json::json;

use super::*;

pub(super) const SECRET: &str = "kT9/wörd \"x\" 7f+3Q";

/// Forms of the secret that no file may hold.
fn forms() -> Vec<(&'static str, Vec<u8>)> {
    let plain = SECRET.as_bytes();
    let hex = |upper: bool| {
        let digits = plain.iter().map(|byte| match upper {
            true => format!("{byte:02X}"),
            false => format!("{byte:02x}"),
        });
        digits.collect::<String>().into_bytes()
    };
    vec![
        ("plain", plain.to_vec()),
        (
            "json",
            json!(SECRET)
                .to_string()
                .trim_matches('"')
                .as_bytes()
                .to_vec(),
        ),
        ("hex", hex(false)),
        ("HEX", hex(true)),
        ("base64", b"a1Q5L3fDtnJkICJ4IiA3Zisz".to_vec()),
        ("base64 after one", b"tUOS93w7ZyZCAieCIgN2YrM1".to_vec()),
        ("base64 after two", b"rVDkvd8O2cmQgIngiIDdmKzNR".to_vec()),
        ("address", b"kT9%2Fw%C3%B6rd%20%22x%22%207f%2B3Q".to_vec()),
    ]
}

/// Finds nothing in any file of a cassette.
#[track_caller]
pub(super) fn clean(path: &Path) {
    for (name, bytes) in files(path) {
        for (form, value) in forms() {
            let found = bytes.windows(value.len()).any(|window| window == value);
            assert!(
                !found,
                "{form} in {name}:\n{}",
                String::from_utf8_lossy(&bytes)
            );
        }
        // The better half of it is no less a secret.
        let half = &SECRET.as_bytes()[..11];
        let found = bytes.windows(half.len()).any(|window| window == half);
        assert!(
            !found,
            "half of it in {name}:\n{}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

/// A scripted program with the secret in its environment, on a clock of ours.
struct Scene {
    scratch: Scratch,
    pty: ScriptedPty,
    session: Session,
    clock: Clock,
}

impl Scene {
    fn new() -> Scene {
        let scratch = Scratch::new();
        let clock = Clock::manual();
        let pty = ScriptedPty::new(SIZE);
        // Without an app, the program's environment is ours, which has no such variable: the value comes by itself.
        let record = RecordOptions::new(scratch.path().join("x.cassette"))
            .secret_value("WORD", SECRET.as_bytes());
        let options = Options {
            clock: clock.clone(),
            ..recorded(record)
        };
        let session = Session::over(Arc::new(pty.clone()), options).unwrap();
        Scene {
            scratch,
            pty,
            session,
            clock,
        }
    }

    fn print(&self, bytes: &[u8]) {
        self.pty.print(bytes);
        self.session.screen();
    }

    /// Ends it, and gives what was written to the terminal, as it is kept.
    #[track_caller]
    fn end(self) -> (String, Scratch) {
        self.pty.end(ExitStatus::Exited(0));
        self.session.wait_for_exit(SOON).unwrap();
        let path = self.session.finish_recording().unwrap().unwrap();
        clean(&path);
        Cassette::open(&path).unwrap().verify().unwrap();
        let raw = fs::read(path.join("output.raw")).unwrap();
        (String::from_utf8(raw).unwrap(), self.scratch)
    }
}

/// What is kept of writes, each of which is read on its own.
#[track_caller]
fn kept(writes: &[&str], expected: &str) {
    let scene = Scene::new();
    for write in writes {
        scene.print(write.as_bytes());
    }
    let (raw, _scratch) = scene.end();
    assert_eq!(raw, expected);
    // Who thinks of it only afterwards gets the same.
    assert_eq!(scrubbing::kept(writes), expected);
}

pub(super) const COVER: &str = "*****×************";

#[test]
fn in_what_is_written() {
    assert_eq!(COVER.len(), SECRET.len());
    // Whole, at the beginning, in the middle, at the end, twice, touching.
    kept(&[SECRET], COVER);
    kept(&[&format!("a {SECRET} b")], &format!("a {COVER} b"));
    kept(&[&format!("{SECRET}{SECRET}")], &format!("{COVER}{COVER}"));
    kept(
        &[&format!("{SECRET}\r\n"), &format!("{SECRET}\r\n")],
        &format!("{COVER}\r\n{COVER}\r\n"),
    );
    // Over two and over many reads, and over a character's bytes.
    let (one, two) = SECRET.split_at(9);
    kept(&[one, two], COVER);
    let each: Vec<&str> = SECRET.split_inclusive(|_| true).collect();
    kept(&each, COVER);
}

#[test]
fn in_halves_of_a_character() {
    let scene = Scene::new();
    let (one, two) = SECRET.as_bytes().split_at(6);
    scene.print(one);
    scene.print(two);
    let (raw, _scratch) = scene.end();
    assert_eq!(raw, COVER);
}

#[test]
fn with_escapes_in_the_middle() {
    let (one, two) = SECRET.split_at(9);
    let (c1, c2) = COVER.split_at(9);
    for escape in [
        "\x1b[1;31m",
        "\x1b[0m",
        "\x1b[K",
        "\x1b]2;title\x07",
        "\x1b7",
        "\r\n",
        "\x1b[3;1H",
    ] {
        kept(
            &[&format!("<{one}{escape}{two}>")],
            &format!("<{c1}{escape}{c2}>"),
        );
    }
    // Each character in a colour of its own.
    let rainbow = |text: &str| {
        let each = text.chars().enumerate();
        each.map(|(n, c)| format!("\x1b[38;5;{n}m{c}"))
            .collect::<String>()
    };
    kept(&[&rainbow(SECRET)], &rainbow(COVER));
}

#[test]
fn in_strings_that_are_not_shown() {
    kept(
        &[&format!("\x1b]2;{SECRET}\x07")],
        &format!("\x1b]2;{COVER}\x07"),
    );
    kept(
        &[&format!("\x1b]0;a {SECRET} b\x1b\\")],
        &format!("\x1b]0;a {COVER} b\x1b\\"),
    );
    let address = "http://u:kT9%2Fw%C3%B6rd%20%22x%22%207f%2B3Q@h/";
    let covered = format!("http://u:{}@h/", "*".repeat(address.len() - 12));
    kept(
        &[&format!("\x1b]8;;{address}\x07link\x1b]8;;\x07")],
        &format!("\x1b]8;;{covered}\x07link\x1b]8;;\x07"),
    );
    kept(
        &["\x1b]52;c;a1Q5L3fDtnJkICJ4IiA3ZiszUQ==\x07"],
        &format!("\x1b]52;c;{}Q==\x07", "A".repeat(25)),
    );
}

#[test]
fn when_the_screen_is_drawn_again_and_again() {
    let scene = Scene::new();
    for n in 0..20 {
        scene.print(format!("\x1b[H\x1b[2Jround {n}\r\n\x1b[1m{SECRET}\x1b[0m\r\n").as_bytes());
    }
    let (raw, scratch) = scene.end();
    assert_eq!(raw.matches(COVER).count(), 20);
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    let report = cassette.scrub_report().unwrap();
    assert_eq!(report.rules["WORD"], 20);
    assert_eq!(report.covered.len(), 20);
    let last = cassette.ending().screen().unwrap();
    assert_eq!(last.text(), format!("round 19\n{COVER}\n"));
}

#[test]
fn when_it_is_typed_and_echoed() {
    let scene = Scene::new();
    for c in SECRET.chars() {
        scene.session.press(Key::Char(c)).unwrap();
        scene.print(c.to_string().as_bytes());
        // Slower than anything is held back for.
        scene.clock.advance(Duration::from_millis(300));
    }
    scene.session.press(Key::Enter).unwrap();
    let (raw, scratch) = scene.end();
    assert_eq!(raw, COVER);
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    for line in cassette.inputs().unwrap() {
        let InputKind::Key { name, bytes } = line.kind else {
            panic!("{line:?}");
        };
        assert!(name == "*" || name == "Enter", "{name}");
        assert!(!SECRET.contains(&name) && bytes.0.len() <= 2);
    }
}

#[test]
fn when_mistakes_are_made_and_taken_back_while_it_is_typed() {
    let scene = Scene::new();
    let mistaken = |c: char| ['q', c];
    let mut keys = 0;
    for c in SECRET.chars() {
        for typed in mistaken(c) {
            scene.session.press(Key::Char(typed)).unwrap();
            scene.print(typed.to_string().as_bytes());
            keys += 1;
            if typed == 'q' {
                scene.session.press(Key::Backspace).unwrap();
                scene.print(b"\x08 \x08");
            }
        }
    }
    scene.session.press(Key::Enter).unwrap();
    let (_, scratch) = scene.end();
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    let names = cassette.inputs().unwrap().into_iter().map(|line| {
        let InputKind::Key { name, .. } = line.kind else {
            panic!("{line:?}");
        };
        name
    });
    let names: Vec<String> = names.collect();
    // The first mistake was taken back before the secret began.
    assert_eq!(names[..2], ["q", "Backspace"]);
    let covered = names.iter().filter(|name| *name == "*").count();
    assert_eq!(covered, keys - 1, "{names:?}");
}

#[test]
fn when_typing_stops_after_the_first_letter() {
    let scene = Scene::new();
    let (first, rest) = SECRET.split_at(1);
    scene.session.type_text(first).unwrap();
    scene.print(first.as_bytes());
    scene.clock.advance(Duration::from_secs(3));
    let part = scene.scratch.path().join("x.cassette.part");
    until("the letter is let go", || {
        fs::read(part.join("output.raw")).unwrap() == b"k"
    });
    scene.session.type_text(rest).unwrap();
    scene.print(rest.as_bytes());
    let (raw, scratch) = scene.end();
    assert_eq!(raw, COVER);
    let input = fs::read_to_string(scratch.path().join("x.cassette/input.jsonl")).unwrap();
    assert!(input.contains("\"bytes\":\"*\""), "{input}");
}

#[test]
fn in_pastes_texts_and_bytes() {
    let scene = Scene::new();
    scene.print(b"\x1b[?2004h");
    scene.session.paste(&format!("a {SECRET} b")).unwrap();
    scene.session.type_text(SECRET).unwrap();
    scene.session.send(SECRET.as_bytes()).unwrap();
    let (one, two) = SECRET.as_bytes().split_at(6);
    scene.session.send(one).unwrap();
    scene.session.send(two).unwrap();
    let (_, scratch) = scene.end();
    let input = fs::read_to_string(scratch.path().join("x.cassette/input.jsonl")).unwrap();
    assert_eq!(input.matches(COVER).count(), 3, "{input}");
    assert!(input.contains("\\u001b[200~a *"), "{input}");
}

#[test]
fn in_events() {
    let scene = Scene::new();
    scene.session.record_mark(SECRET);
    scene.session.record_event(
        Some("x"),
        json!({ "a": [SECRET, format!("b {SECRET}")], SECRET: 1, "n": null }),
    );
    let (_, scratch) = scene.end();
    let events = Cassette::open(scratch.path().join("x.cassette"))
        .unwrap()
        .events()
        .unwrap();
    assert_eq!(events[0].mark.as_deref(), Some(COVER));
    assert_eq!(events[1].data["a"][1], format!("b {COVER}"));
}

#[test]
fn when_a_jumping_cursor_puts_it_together() {
    let (one, two) = SECRET.split_at(9);
    let (c1, c2) = COVER.split_at(9);
    // The end first; one character too many, which is written over; with a mistake that is taken back.
    kept(
        &[&format!("\x1b[2;12H{two}\x1b[2;4H{one}\x1b[5;1H"), "done"],
        &format!("\x1b[2;12H{c2}\x1b[2;4H{c1}\x1b[5;1Hdone"),
    );
    kept(
        &[one, "e", "\x08 \x08", two, "\r\nnext"],
        &format!("{c1}e\x08 \x08{c2}\r\nnext"),
    );
    // Written long before the rest, and then scrolled.
    kept(
        &[
            &format!("\x1b[4;1H{one}"),
            "\x1b[H",
            "status",
            "\x1b[8;1H\n",
            &format!("\x1b[3;9H{two}\r\n"),
        ],
        &format!("\x1b[4;1H{c1}\x1b[Hstatus\x1b[8;1H\n\x1b[3;9H{c2}\r\n"),
    );
}

#[test]
fn what_an_emulator_cannot_trace_is_not_published() {
    use screentest::core::Backend;
    let scratch = Scratch::new();
    let pty = ScriptedPty::new(SIZE);
    let record = RecordOptions::new(scratch.path().join("x.cassette"))
        .secret_value("WORD", SECRET.as_bytes());
    let options = Options {
        backend: Backend::Avt,
        ..recorded(record)
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    let (one, two) = SECRET.split_at(9);
    pty.print(format!("\x1b[2;12H{two}\x1b[2;4H{one}\x1b[5;1Hthere").as_bytes());
    session.wait_for("there", SOON).unwrap();
    // It is gone from the last screen, and stays in a frame.
    pty.print(b"\x1b[2J\x1b[Hdone");
    session.wait_for("done", SOON).unwrap();
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(SOON).unwrap();
    let told = session.finish_recording().unwrap().unwrap_err().to_string();
    assert!(
        told.contains("the screen shows a secret written with cursor movements"),
        "{told}"
    );
    assert!(!scratch.path().join("x.cassette").exists());
}

#[test]
fn in_arguments_and_variables() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let app = App::new("sh")
        .args([
            "-c",
            "printf '%s\\n' \"$1\" \"$WORD\"; printf %s \"$WORD\" | od -An -tx1 | tr -d ' \\n'",
            "-",
            SECRET,
        ])
        .env("WORD", SECRET)
        .env("URL", format!("http://u:{SECRET}@h/"))
        .env("MY_TOKEN", "unknown to everybody");
    let record = RecordOptions::new(&path).secret("WORD");
    let options = Options {
        size: Size { cols: 80, rows: 8 },
        ..recorded(record)
    };
    let session = Session::start(&app, options).unwrap();
    session.wait_for_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap();
    clean(&path);
    let manifest = fs::read_to_string(path.join("manifest.json")).unwrap();
    assert!(!manifest.contains("unknown to"), "{manifest}");
    assert!(manifest.contains(COVER), "{manifest}");
    Cassette::open(&path).unwrap().verify().unwrap();
}

#[test]
fn a_secret_that_is_not_set_is_told() {
    let scratch = Scratch::new();
    let app = App::new("true").unset_env("WORD");
    let record = RecordOptions::new(scratch.path().join("x.cassette")).secret("WORD");
    let session = Session::start(&app, recorded(record)).unwrap();
    let told = session.finish_recording().unwrap().unwrap_err().to_string();
    assert_eq!(
        told,
        "the secret `WORD` is not set in the program's environment: set it, or leave it out"
    );
}

#[test]
fn shapes_are_covered_without_being_named() {
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let stars = "*".repeat(36);
    kept(
        &[&format!("token {token} ok")],
        &format!("token ghp_{stars} ok"),
    );
    let (one, two) = token.split_at(20);
    let (c1, c2) = stars.split_at(16);
    kept(
        &[&format!("{one}\x1b[1m{two}")],
        &format!("ghp_{c1}\x1b[1m{c2}"),
    );
}

const KEY: &str =
    "-----BEGIN PRIVATE KEY-----\r\nMIIEvQIBADANBg\r\nkqhkiG9w0=\r\n-----END PRIVATE KEY-----\r\n";
const KEY_COVER: &str =
    "-----BEGIN PRIVATE KEY-----\r\n**************\r\n**********\r\n-----END PRIVATE KEY-----\r\n";

#[test]
fn a_key_on_the_last_screen_is_covered_and_is_one_hit() {
    kept(&[KEY, "done"], &format!("{KEY_COVER}done"));
    let scene = Scene::new();
    scene.print(format!("{KEY}done").as_bytes());
    let (_, scratch) = scene.end();
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    let report = cassette.scrub_report().unwrap();
    assert_eq!(report.rules["private-key"], 1);
    let stretches = report.covered.iter();
    let stretches: Vec<(u64, u64)> = stretches.map(|line| (line.offset, line.length)).collect();
    assert_eq!(stretches, [(29, 14), (45, 10)]);
    // Once more changes nothing, and counts nothing.
    let again = scratch.path().join("again.cassette");
    cassette
        .scrub(screentest::core::redact::scrub::Rules::shapes(), &again)
        .unwrap();
    let again = Cassette::open(&again).unwrap().scrub_report().unwrap();
    assert_eq!(again.rules["private-key"], 1);
    assert_eq!(again.covered, report.covered);
}

#[test]
fn when_a_line_editor_draws_it_anew_with_every_key() {
    let drawn = |text: &str| {
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        let lines = ends.map(|end| format!("\r\x1b[2K> {}", text.split_at(end).0));
        lines.collect::<Vec<_>>()
    };
    let (writes, mut covered) = (drawn(SECRET), drawn(COVER));
    // Three letters and fewer could be anything.
    covered[..3].clone_from_slice(&writes[..3]);
    let writes: Vec<&str> = writes.iter().map(String::as_str).collect();
    kept(&writes, &covered.concat());
}

#[test]
fn what_a_jumping_cursor_put_together_is_in_the_report() {
    let scene = Scene::new();
    let (one, two) = SECRET.split_at(9);
    scene.print(format!("\x1b[2;12H{two}\x1b[2;4H{one}\x1b[5;1H").as_bytes());
    scene.print(b"done");
    let (_, scratch) = scene.end();
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    let report = cassette.scrub_report().unwrap();
    assert_eq!(report.rules["WORD"], 1);
    let bytes: u64 = report.covered.iter().map(|line| line.length).sum();
    assert_eq!(bytes, SECRET.len() as u64);
}

#[test]
fn what_nobody_may_see_in_a_session_is_in_no_cassette_of_it() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let mut unseen = Secrets::default();
    unseen.add("WORD", SECRET).unwrap();
    let options = Options {
        unseen,
        ..recorded(RecordOptions::new(&path))
    };
    let app = App::new("printf").args(["%s\n", SECRET]);
    let session = Session::start(&app, options).unwrap();
    session.wait_for_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap();
    clean(&path);
    let raw = fs::read_to_string(path.join("output.raw")).unwrap();
    assert_eq!(raw, format!("{COVER}\r\n"));
}

#[test]
fn what_is_a_number_or_a_word_of_ours_tells_nothing() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let secrets = [("SIZE", "5000"), ("WORD", "text"), ("FIELD", "offset")];
    let record = secrets
        .iter()
        .fold(RecordOptions::new(&path), |record, (name, value)| {
            record.secret_value(*name, value.as_bytes())
        });
    let pty = ScriptedPty::new(SIZE);
    let session = Session::over(Arc::new(pty.clone()), recorded(record)).unwrap();
    pty.print(&[b'x'; 5000]);
    session.screen();
    pty.print(b"\r\n5000 text");
    session.type_text("more").unwrap();
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap();
    let index = fs::read_to_string(path.join("output.jsonl")).unwrap();
    assert!(index.contains("5000"), "{index}");
    let raw = fs::read_to_string(path.join("output.raw")).unwrap();
    assert!(raw.ends_with("\r\n**** ****"), "{raw}");
}

#[test]
fn what_a_program_inherits_on_behalf_of_somebody_is_in_no_file() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let theirs = [("PATH", "/usr/bin:/bin"), ("DATABASE", "user-and-password")];
    let theirs = theirs.map(|(name, value)| (name.into(), value.into()));
    let app = App::new("sh")
        .args(["-c", "echo ${#DATABASE} letters"])
        .inherit_from(theirs)
        .env("ASKED", "for");
    let options = Options {
        record: Some(RecordOptions::new(&path)),
        ..Options::default()
    };
    let session = Session::start(&app, options).unwrap();
    session.wait_for("17 letters", SOON).unwrap();
    session.wait_for_exit(SOON).unwrap();
    session.finish_recording().unwrap().unwrap();
    let manifest = String::from_utf8(fs::read(path.join("manifest.json")).unwrap()).unwrap();
    assert!(manifest.contains("ASKED"), "{manifest}");
    for (name, bytes) in files(&path) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("user-and-password"), "{name:?}");
    }
}
