//! Secrets while recording: no published file contains a secret, however it was printed or typed,
//! and everything else is unchanged.

use screentest::core::Secrets;
use screentest::core::formats::cassette::input::InputLineKind;
use screentest::core::input::key::Key;

use serde_json::json;

use super::*;

pub(super) const SECRET: &str = "kT9/wörd \"x\" 7f+3Q";

/// Returns the encodings of the secret that no file may contain.
fn forms() -> Vec<(&'static str, Vec<u8>)> {
    let plain = SECRET.as_bytes();
    let hex = |upper: bool| {
        let digits = plain.iter().map(|byte| {
            if upper {
                format!("{byte:02X}")
            } else {
                format!("{byte:02x}")
            }
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

/// Checks that no file of a cassette contains the secret in any encoding.
#[track_caller]
pub(super) fn assert_no_secret(path: &Path) {
    for (name, bytes) in files(path) {
        for (form, value) in forms() {
            let found = bytes.windows(value.len()).any(|window| window == value);
            assert!(
                !found,
                "{form} in {name}:\n{}",
                String::from_utf8_lossy(&bytes)
            );
        }
        // The first half alone must not appear, either.
        let half = &SECRET.as_bytes()[..11];
        let found = bytes.windows(half.len()).any(|window| window == half);
        assert!(
            !found,
            "half of it in {name}:\n{}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

/// A recorded session over a scripted PTY, with a known secret and a manual clock.
struct RecordedSession {
    scratch: Scratch,
    pty: ScriptedPty,
    session: Session,
    clock: Clock,
}

impl RecordedSession {
    fn new() -> RecordedSession {
        let scratch = Scratch::new();
        let clock = Clock::manual();
        let pty = ScriptedPty::new(SIZE);
        // Without an app, the program's environment is that of this process, which has no such
        // variable; the value is passed directly.
        let record = RecordOptions::new(scratch.path().join("x.cassette"))
            .secret_value("WORD", SECRET.as_bytes());
        let options = SessionOptions {
            clock: clock.clone(),
            ..recording_options(record)
        };
        let session = Session::over(Arc::new(pty.clone()), options).unwrap();
        RecordedSession {
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

    /// Ends the session; returns the recorded output.
    #[track_caller]
    fn end(self) -> (String, Scratch) {
        self.pty.end(ExitStatus::Exited(0));
        self.session.wait_for_exit(TIMEOUT).unwrap();
        let path = self.session.finish_recording().unwrap().unwrap();
        assert_no_secret(&path);
        Cassette::open(&path).unwrap().verify().unwrap();
        let raw = fs::read(path.join("output.raw")).unwrap();
        (String::from_utf8(raw).unwrap(), self.scratch)
    }
}

/// Compares the recorded output of several writes, each of which is read on its own.
#[track_caller]
fn check(writes: &[&str], expected: &str) {
    let recorded = RecordedSession::new();
    for write in writes {
        recorded.print(write.as_bytes());
    }
    let (raw, _scratch) = recorded.end();
    assert_eq!(raw, expected);
    // Scrubbing afterwards gives the same result.
    assert_eq!(scrub::scrubbed_output(writes), expected);
}

pub(super) const COVER: &str = "*****×************";

#[test]
fn output_is_covered() {
    assert_eq!(COVER.len(), SECRET.len());
    // Alone, within a line, adjacent, and in two lines.
    check(&[SECRET], COVER);
    check(&[&format!("a {SECRET} b")], &format!("a {COVER} b"));
    check(&[&format!("{SECRET}{SECRET}")], &format!("{COVER}{COVER}"));
    check(
        &[&format!("{SECRET}\r\n"), &format!("{SECRET}\r\n")],
        &format!("{COVER}\r\n{COVER}\r\n"),
    );
    // Across two and many reads.
    let (one, two) = SECRET.split_at(9);
    check(&[one, two], COVER);
    let each: Vec<&str> = SECRET.split_inclusive(|_| true).collect();
    check(&each, COVER);
}

#[test]
fn a_secret_split_within_a_character_is_covered() {
    let recorded = RecordedSession::new();
    let (one, two) = SECRET.as_bytes().split_at(6);
    recorded.print(one);
    recorded.print(two);
    let (raw, _scratch) = recorded.end();
    assert_eq!(raw, COVER);
}

#[test]
fn a_secret_with_escape_sequences_inside_is_covered() {
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
        check(
            &[&format!("<{one}{escape}{two}>")],
            &format!("<{c1}{escape}{c2}>"),
        );
    }
    // Each character in a different colour.
    let rainbow = |text: &str| {
        let each = text.chars().enumerate();
        each.map(|(n, c)| format!("\x1b[38;5;{n}m{c}"))
            .collect::<String>()
    };
    check(&[&rainbow(SECRET)], &rainbow(COVER));
}

#[test]
fn titles_links_and_clipboard_are_covered() {
    check(
        &[&format!("\x1b]2;{SECRET}\x07")],
        &format!("\x1b]2;{COVER}\x07"),
    );
    check(
        &[&format!("\x1b]0;a {SECRET} b\x1b\\")],
        &format!("\x1b]0;a {COVER} b\x1b\\"),
    );
    let address = "http://u:kT9%2Fw%C3%B6rd%20%22x%22%207f%2B3Q@h/";
    let covered = format!("http://u:{}@h/", "*".repeat(address.len() - 12));
    check(
        &[&format!("\x1b]8;;{address}\x07link\x1b]8;;\x07")],
        &format!("\x1b]8;;{covered}\x07link\x1b]8;;\x07"),
    );
    check(
        &["\x1b]52;c;a1Q5L3fDtnJkICJ4IiA3ZiszUQ==\x07"],
        &format!("\x1b]52;c;{}Q==\x07", "A".repeat(25)),
    );
}

#[test]
fn repeated_redraws_are_covered() {
    let recorded = RecordedSession::new();
    for n in 0..20 {
        recorded.print(format!("\x1b[H\x1b[2Jround {n}\r\n\x1b[1m{SECRET}\x1b[0m\r\n").as_bytes());
    }
    let (raw, scratch) = recorded.end();
    assert_eq!(raw.matches(COVER).count(), 20);
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    let report = cassette.scrub_report().unwrap();
    assert_eq!(report.rules["WORD"], 20);
    assert_eq!(report.covered.len(), 20);
    let last = cassette.ending().screen().unwrap();
    assert_eq!(last.text(), format!("round 19\n{COVER}\n"));
}

#[test]
fn typed_and_echoed_secrets_are_covered() {
    let recorded = RecordedSession::new();
    for c in SECRET.chars() {
        recorded.session.press(Key::Char(c)).unwrap();
        recorded.print(c.to_string().as_bytes());
        // The recorder does not hold output back for so long.
        recorded.clock.advance(Duration::from_millis(300));
    }
    recorded.session.press(Key::Enter).unwrap();
    let (raw, scratch) = recorded.end();
    assert_eq!(raw, COVER);
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    for line in cassette.inputs().unwrap() {
        let InputLineKind::Key { name, bytes } = line.kind else {
            panic!("{line:?}");
        };
        assert!(name == "*" || name == "Enter", "{name}");
        assert!(!SECRET.contains(&name) && bytes.0.len() <= 2);
    }
}

#[test]
fn secrets_typed_with_corrections_are_covered() {
    let recorded = RecordedSession::new();
    let mistaken = |c: char| ['q', c];
    let mut keys = 0;
    for c in SECRET.chars() {
        for typed in mistaken(c) {
            recorded.session.press(Key::Char(typed)).unwrap();
            recorded.print(typed.to_string().as_bytes());
            keys += 1;
            if typed == 'q' {
                recorded.session.press(Key::Backspace).unwrap();
                recorded.print(b"\x08 \x08");
            }
        }
    }
    recorded.session.press(Key::Enter).unwrap();
    let (_, scratch) = recorded.end();
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    let names = cassette.inputs().unwrap().into_iter().map(|line| {
        let InputLineKind::Key { name, .. } = line.kind else {
            panic!("{line:?}");
        };
        name
    });
    let names: Vec<String> = names.collect();
    // The first mistake was corrected before the secret began.
    assert_eq!(names[..2], ["q", "Backspace"]);
    let covered = names.iter().filter(|name| *name == "*").count();
    assert_eq!(covered, keys - 1, "{names:?}");
}

#[test]
fn a_pause_after_the_first_letter_is_covered() {
    let recorded = RecordedSession::new();
    let (first, rest) = SECRET.split_at(1);
    recorded.session.type_text(first).unwrap();
    recorded.print(first.as_bytes());
    recorded.clock.advance(Duration::from_secs(3));
    let part = recorded.scratch.path().join("x.cassette.part");
    poll_until("the letter is written", || {
        fs::read(part.join("output.raw")).unwrap() == b"k"
    });
    recorded.session.type_text(rest).unwrap();
    recorded.print(rest.as_bytes());
    let (raw, scratch) = recorded.end();
    assert_eq!(raw, COVER);
    let input = fs::read_to_string(scratch.path().join("x.cassette/input.jsonl")).unwrap();
    assert!(input.contains("\"bytes\":\"*\""), "{input}");
}

#[test]
fn pastes_texts_and_bytes_are_covered() {
    let recorded = RecordedSession::new();
    recorded.print(b"\x1b[?2004h");
    recorded.session.paste(&format!("a {SECRET} b")).unwrap();
    recorded.session.type_text(SECRET).unwrap();
    recorded.session.send(SECRET.as_bytes()).unwrap();
    let (one, two) = SECRET.as_bytes().split_at(6);
    recorded.session.send(one).unwrap();
    recorded.session.send(two).unwrap();
    let (_, scratch) = recorded.end();
    let input = fs::read_to_string(scratch.path().join("x.cassette/input.jsonl")).unwrap();
    assert_eq!(input.matches(COVER).count(), 3, "{input}");
    assert!(input.contains("\\u001b[200~a *"), "{input}");
}

#[test]
fn marks_and_events_are_covered() {
    let recorded = RecordedSession::new();
    recorded.session.record_mark(SECRET);
    recorded.session.record_event(
        Some("x"),
        json!({ "a": [SECRET, format!("b {SECRET}")], SECRET: 1, "n": null }),
    );
    let (_, scratch) = recorded.end();
    let events = Cassette::open(scratch.path().join("x.cassette"))
        .unwrap()
        .events()
        .unwrap();
    assert_eq!(events[0].mark.as_deref(), Some(COVER));
    assert_eq!(events[1].data["a"][1], format!("b {COVER}"));
}

#[test]
fn secrets_assembled_by_cursor_movement_are_covered() {
    let (one, two) = SECRET.split_at(9);
    let (c1, c2) = COVER.split_at(9);
    // The end is written first; then the same with a corrected mistake.
    check(
        &[&format!("\x1b[2;12H{two}\x1b[2;4H{one}\x1b[5;1H"), "done"],
        &format!("\x1b[2;12H{c2}\x1b[2;4H{c1}\x1b[5;1Hdone"),
    );
    check(
        &[one, "e", "\x08 \x08", two, "\r\nnext"],
        &format!("{c1}e\x08 \x08{c2}\r\nnext"),
    );
    // Written long before the rest, then scrolled.
    check(
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
fn a_secret_that_an_emulator_cannot_trace_prevents_publishing() {
    use screentest::core::Backend;
    let scratch = Scratch::new();
    let pty = ScriptedPty::new(SIZE);
    let record = RecordOptions::new(scratch.path().join("x.cassette"))
        .secret_value("WORD", SECRET.as_bytes());
    let options = SessionOptions {
        backend: Backend::Avt,
        ..recording_options(record)
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    let (one, two) = SECRET.split_at(9);
    pty.print(format!("\x1b[2;12H{two}\x1b[2;4H{one}\x1b[5;1Hthere").as_bytes());
    session.wait_for("there", TIMEOUT).unwrap();
    // The secret is gone from the last screen, but still in a frame.
    pty.print(b"\x1b[2J\x1b[Hdone");
    session.wait_for("done", TIMEOUT).unwrap();
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(TIMEOUT).unwrap();
    let message = session.finish_recording().unwrap().unwrap_err().to_string();
    assert!(
        message.contains("the screen shows a secret written with cursor movements"),
        "{message}"
    );
    assert!(!scratch.path().join("x.cassette").exists());
}

#[test]
fn arguments_and_variables_are_covered() {
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
    let options = SessionOptions {
        size: Size { cols: 80, rows: 8 },
        ..recording_options(record)
    };
    let session = Session::start(&app, options).unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    session.finish_recording().unwrap().unwrap();
    assert_no_secret(&path);
    let manifest = fs::read_to_string(path.join("manifest.json")).unwrap();
    assert!(!manifest.contains("unknown to"), "{manifest}");
    assert!(manifest.contains(COVER), "{manifest}");
    Cassette::open(&path).unwrap().verify().unwrap();
}

#[test]
fn a_secret_that_is_not_set_is_an_error() {
    let scratch = Scratch::new();
    let app = App::new("true").unset_env("WORD");
    let record = RecordOptions::new(scratch.path().join("x.cassette")).secret("WORD");
    let session = Session::start(&app, recording_options(record)).unwrap();
    let message = session.finish_recording().unwrap().unwrap_err().to_string();
    assert_eq!(
        message,
        "the secret `WORD` is not set in the program's environment: set it, or leave it out"
    );
}

#[test]
fn known_token_formats_are_covered() {
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let stars = "*".repeat(36);
    check(
        &[&format!("token {token} ok")],
        &format!("token ghp_{stars} ok"),
    );
    let (one, two) = token.split_at(20);
    let (c1, c2) = stars.split_at(16);
    check(
        &[&format!("{one}\x1b[1m{two}")],
        &format!("ghp_{c1}\x1b[1m{c2}"),
    );
}

const KEY: &str =
    "-----BEGIN PRIVATE KEY-----\r\nMIIEvQIBADANBg\r\nkqhkiG9w0=\r\n-----END PRIVATE KEY-----\r\n";
const KEY_COVER: &str =
    "-----BEGIN PRIVATE KEY-----\r\n**************\r\n**********\r\n-----END PRIVATE KEY-----\r\n";

#[test]
fn a_private_key_is_covered_and_counted_once() {
    check(&[KEY, "done"], &format!("{KEY_COVER}done"));
    let recorded = RecordedSession::new();
    recorded.print(format!("{KEY}done").as_bytes());
    let (_, scratch) = recorded.end();
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    let report = cassette.scrub_report().unwrap();
    assert_eq!(report.rules["private-key"], 1);
    let ranges = report.covered.iter();
    let ranges: Vec<(u64, u64)> = ranges.map(|line| (line.offset, line.length)).collect();
    assert_eq!(ranges, [(29, 14), (45, 10)]);
    // Scrubbing again changes nothing and counts nothing more.
    let again = scratch.path().join("again.cassette");
    cassette
        .scrub(
            screentest::core::redact::scrub::Rules::known_tokens(),
            &again,
        )
        .unwrap();
    let again = Cassette::open(&again).unwrap().scrub_report().unwrap();
    assert_eq!(again.rules["private-key"], 1);
    assert_eq!(again.covered, report.covered);
}

#[test]
fn redraws_by_a_line_editor_with_every_key_are_covered() {
    let drawn = |text: &str| {
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        let lines = ends.map(|end| format!("\r\x1b[2K> {}", text.split_at(end).0));
        lines.collect::<Vec<_>>()
    };
    let (writes, mut covered) = (drawn(SECRET), drawn(COVER));
    // Up to three letters are too ambiguous to be covered.
    covered[..3].clone_from_slice(&writes[..3]);
    let writes: Vec<&str> = writes.iter().map(String::as_str).collect();
    check(&writes, &covered.concat());
}

#[test]
fn secrets_assembled_by_cursor_movement_are_reported() {
    let recorded = RecordedSession::new();
    let (one, two) = SECRET.split_at(9);
    recorded.print(format!("\x1b[2;12H{two}\x1b[2;4H{one}\x1b[5;1H").as_bytes());
    recorded.print(b"done");
    let (_, scratch) = recorded.end();
    let cassette = Cassette::open(scratch.path().join("x.cassette")).unwrap();
    let report = cassette.scrub_report().unwrap();
    assert_eq!(report.rules["WORD"], 1);
    let bytes: u64 = report.covered.iter().map(|line| line.length).sum();
    assert_eq!(bytes, SECRET.len() as u64);
}

#[test]
fn session_secrets_are_covered_in_its_cassettes() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let mut masked_secrets = Secrets::default();
    masked_secrets.add("WORD", SECRET).unwrap();
    let options = SessionOptions {
        masked_secrets,
        ..recording_options(RecordOptions::new(&path))
    };
    let app = App::new("printf").args(["%s\n", SECRET]);
    let session = Session::start(&app, options).unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    session.finish_recording().unwrap().unwrap();
    assert_no_secret(&path);
    let raw = fs::read_to_string(path.join("output.raw")).unwrap();
    assert_eq!(raw, format!("{COVER}\r\n"));
}

#[test]
fn secrets_equal_to_numbers_or_field_names_leave_metadata_intact() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let secrets = [("SIZE", "5000"), ("WORD", "text"), ("FIELD", "offset")];
    let record = secrets
        .iter()
        .fold(RecordOptions::new(&path), |record, (name, value)| {
            record.secret_value(*name, value.as_bytes())
        });
    let pty = ScriptedPty::new(SIZE);
    let session = Session::over(Arc::new(pty.clone()), recording_options(record)).unwrap();
    pty.print(&[b'x'; 5000]);
    session.screen();
    pty.print(b"\r\n5000 text");
    session.type_text("more").unwrap();
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(TIMEOUT).unwrap();
    session.finish_recording().unwrap().unwrap();
    let index = fs::read_to_string(path.join("output.jsonl")).unwrap();
    assert!(index.contains("5000"), "{index}");
    let raw = fs::read_to_string(path.join("output.raw")).unwrap();
    assert!(raw.ends_with("\r\n**** ****"), "{raw}");
}

#[test]
fn variables_inherited_for_another_user_are_not_recorded() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let theirs = [("PATH", "/usr/bin:/bin"), ("DATABASE", "user-and-password")];
    let theirs = theirs.map(|(name, value)| (name.into(), value.into()));
    let app = App::new("sh")
        .args(["-c", "echo ${#DATABASE} letters"])
        .inherit_from(theirs)
        .env("ASKED", "for");
    let options = SessionOptions::default().record(RecordOptions::new(&path));
    let session = Session::start(&app, options).unwrap();
    session.wait_for("17 letters", TIMEOUT).unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    session.finish_recording().unwrap().unwrap();
    let manifest = String::from_utf8(fs::read(path.join("manifest.json")).unwrap()).unwrap();
    assert!(manifest.contains("ASKED"), "{manifest}");
    for (name, bytes) in files(&path) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("user-and-password"), "{name:?}");
    }
}
