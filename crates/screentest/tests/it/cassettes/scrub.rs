//! Scrubbing: a secret that was not known while recording is redacted afterwards, in every file, as
//! if it had been known.

use screentest::Key;
use screentest::core::formats::cassette::input::InputLineKind;
use screentest::core::redact::scrub::Rules;
use screentest::recording::cassette::ScrubError;
use screentest::recording::{Moment, Player};
use serde_json::json;

use super::secrets::{COVER, SECRET, assert_no_secret};
use super::*;

fn secrets() -> Rules {
    let secrets = Rules::known_tokens();
    secrets.and_value("WORD", SECRET.as_bytes()).unwrap()
}

/// Scrubs the secret; checks that it is in no file and that the cassette verifies.
#[track_caller]
fn scrubbed(path: &Path) -> Cassette {
    let target = path.with_file_name("scrubbed.cassette");
    let cassette = Cassette::open(path).unwrap();
    cassette.scrub(secrets(), &target).unwrap();
    assert_no_secret(&target);
    let scrubbed = Cassette::open(&target).unwrap();
    scrubbed.verify().unwrap();
    // The times, the status and the exit code are unchanged. The id is new.
    assert_eq!(moments(&scrubbed), moments(&cassette));
    let (before, after) = (cassette.manifest(), scrubbed.manifest());
    assert_eq!(before.status, after.status);
    assert_ne!(before.id, after.id);
    assert_eq!(cassette.ending().exit_code, scrubbed.ending().exit_code);
    scrubbed
}

/// Returns sequence numbers and times of all inputs and events, the first frame, and the ending.
fn moments(cassette: &Cassette) -> Vec<(u64, Duration)> {
    let inputs = cassette.inputs().unwrap();
    let inputs = inputs.iter().map(|line| (line.seq, line.t_ms.time()));
    let events = cassette.events().unwrap();
    let events = events.iter().map(|line| (line.seq, line.t_ms.time()));
    let mut all: Vec<_> = inputs.chain(events).collect();
    let mut player = Player::new(cassette).unwrap();
    // Frames that differ only in the secret are merged, so only the first is compared. For the
    // last, the test checks only that the player can seek to it.
    for moment in [Moment::Start, Moment::End] {
        player.seek(&moment).unwrap();
        let shown = player.shown().unwrap();
        all.extend((moment == Moment::Start).then(|| (shown.seq, shown.time.time())));
    }
    let ending = cassette.ending();
    all.push((ending.seq, ending.t_ms.time()));
    all
}

/// Starts a recorded session over a scripted PTY, without any secret.
fn start_recorded(scratch: &Scratch) -> (ScriptedPty, Session, Clock) {
    let clock = Clock::manual();
    let pty = ScriptedPty::new(SIZE);
    let options = SessionOptions {
        clock: clock.clone(),
        ..recording_options(RecordOptions::new(scratch.path().join("x.cassette")))
    };
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    (pty, session, clock)
}

#[track_caller]
fn finish(pty: &ScriptedPty, session: &Session) -> Cassette {
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(TIMEOUT).unwrap();
    scrubbed(&session.finish_recording().unwrap().unwrap())
}

/// Returns the scrubbed output of several writes, each of which is read on its own.
#[track_caller]
pub(super) fn scrubbed_output(writes: &[&str]) -> String {
    let scratch = Scratch::new();
    let (pty, session, _) = start_recorded(&scratch);
    for write in writes {
        pty.print(write.as_bytes());
        session.screen();
    }
    let cassette = finish(&pty, &session);
    let raw = fs::read(cassette.path().join("output.raw")).unwrap();
    String::from_utf8(raw).unwrap()
}

#[test]
fn secrets_in_input_events_and_output_are_covered() {
    let scratch = Scratch::new();
    let (pty, session, clock) = start_recorded(&scratch);
    pty.print(b"\x1b[?2004hPassword? ");
    session.wait_for("Password?", TIMEOUT).unwrap();
    for c in SECRET.chars() {
        session.press(Key::Char(c)).unwrap();
        pty.print(c.to_string().as_bytes());
        // The recorder does not hold output back for so long.
        clock.advance(Duration::from_secs(3));
    }
    session.record_mark(SECRET);
    session.resize(Size { cols: 60, rows: 8 }).unwrap();
    session.paste(&format!("a {SECRET} b")).unwrap();
    let data = json!({ "a": [SECRET, 7], SECRET: null });
    session.record_event(Some("said"), data);
    pty.print(format!("\x1b]2;{SECRET}\x07\r\nready").as_bytes());
    session.wait_for("ready", TIMEOUT).unwrap();
    let cassette = finish(&pty, &session);
    let inputs = cassette.inputs().unwrap();
    assert!(matches!(inputs[1].kind, InputLineKind::Key { ref name, .. } if name == "*"));
    let input = fs::read_to_string(cassette.path().join("input.jsonl")).unwrap();
    assert!(input.contains(&format!("[200~a {COVER} b")), "{input}");
    let events = cassette.events().unwrap();
    assert_eq!(events[0].mark.as_deref(), Some(COVER));
    assert_eq!(events[1].data["a"], json!([COVER, 7]));
    let mut player = Player::new(&cassette).unwrap();
    let last = player.seek(&Moment::End).unwrap();
    assert_eq!(last.text(), format!("Password? {COVER}\nready\n"));
    assert_eq!(&*last.title, COVER);
    assert_eq!(cassette.scrub_report().unwrap().rules["WORD"], 4);
}

#[test]
fn secrets_in_arguments_and_variables_are_covered() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let app = App::new("sh")
        .args(["-c", "printf '%s\\n' \"$1\"; exit 4", "-", SECRET])
        .env("WORD", SECRET)
        .env("URL", format!("http://u:{SECRET}@h/"));
    let session = Session::start(&app, recording_options(RecordOptions::new(&path))).unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    session.finish_recording().unwrap().unwrap();
    let cassette = scrubbed(&path);
    let manifest = cassette.manifest();
    assert_eq!(manifest.command.args[3], COVER);
    assert_eq!(manifest.environment.set["WORD"], "********");
    assert_eq!(
        manifest.environment.set["URL"],
        format!("http://u:{COVER}@h/")
    );
    assert_eq!(cassette.ending().exit_code, Some(4));
}

#[test]
fn earlier_redactions_stay_covered_and_counted() {
    let scratch = Scratch::new();
    let token = format!("ghp_{}", "Ab3".repeat(12));
    let line = format!("echo {token}; echo '{SECRET}'; stty -echo; read a");
    let path = scratch.path().join("x.cassette");
    let app = App::new("sh").args(["-c", &line]);
    let session = Session::start(&app, recording_options(RecordOptions::new(&path))).unwrap();
    session.wait_for(SECRET, TIMEOUT).unwrap();
    session.type_text("x\r").unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    session.finish_recording().unwrap().unwrap();
    let before = Cassette::open(&path).unwrap().scrub_report().unwrap();
    let report = scrubbed(&path).scrub_report().unwrap();
    assert_eq!(before.rules["github-token"], report.rules["github-token"]);
    assert_eq!(before.withheld_inputs, report.withheld_inputs);
    assert_eq!(report.rules["WORD"], 1);
    assert!(report.covered.is_sorted_by_key(|covered| covered.offset));
    assert!(report.covered.len() > before.covered.len());
}

#[test]
fn a_cassette_without_secrets_is_unchanged() {
    let scratch = Scratch::new();
    let path = record(
        &scratch.path().join("x.cassette"),
        "printf 'a\\033[31mb\\n'; for i in 1 2 3 4 5 6 7 8 9; do echo $i; done",
    );
    let target = scratch.path().join("y.cassette");
    Cassette::open(&path)
        .unwrap()
        .scrub(secrets(), &target)
        .unwrap();
    for name in [
        "output.raw",
        "output.jsonl",
        "input.jsonl",
        "events.jsonl",
        "frames.jsonl",
    ] {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read(&target), read(&path), "{name}");
    }
}

#[test]
fn a_cut_part_is_scrubbed() {
    let scratch = Scratch::new();
    let (pty, session, clock) = start_recorded(&scratch);
    for n in 0..4 {
        clock.advance(Duration::from_millis(100));
        pty.print(format!("\x1b[H{n} {SECRET}\r\n\n{n}").as_bytes());
        session.wait_for(&*format!("\n{n}"), TIMEOUT).unwrap();
        session
            .resize(Size {
                cols: 30 + n,
                rows: 8,
            })
            .unwrap();
    }
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(TIMEOUT).unwrap();
    let path = session.finish_recording().unwrap().unwrap();
    let part = scratch.path().join("part.cassette");
    let moment = |millis| Moment::Time(Duration::from_millis(millis));
    let whole = Cassette::open(&path).unwrap();
    whole.cut(&moment(150), &moment(350), &part).unwrap();
    let cassette = scrubbed(&part);
    let mut player = Player::new(&cassette).unwrap();
    let shown = player.seek(&Moment::Time(Duration::ZERO)).unwrap();
    assert_eq!(shown.text(), format!("0 {COVER}\n\n0\n"));
}

#[test]
fn custom_token_prefixes_are_covered() {
    let scratch = Scratch::new();
    let path = record(
        &scratch.path().join("x.cassette"),
        "echo key corp-aB3dE6gH9 corp-a1",
    );
    let target = scratch.path().join("y.cassette");
    let secrets = Rules::known_tokens().and_token_prefix("corp-").unwrap();
    let cassette = Cassette::open(&path).unwrap();
    cassette.scrub(secrets, &target).unwrap();
    let raw = fs::read_to_string(target.join("output.raw")).unwrap();
    // The second one is too short to match.
    assert_eq!(raw, "key corp-********* corp-a1\r\n");
    let message = Rules::known_tokens().and_token_prefix("co").unwrap_err();
    assert!(
        message.to_string().contains("`co` is too short"),
        "{message}"
    );
}

#[test]
fn a_modified_cassette_is_not_scrubbed() {
    let scratch = Scratch::new();
    let path = record(&scratch.path().join("x.cassette"), "echo one");
    let frames = path.join("frames.jsonl");
    let text = fs::read_to_string(&frames).unwrap();
    fs::write(&frames, text.replace("one", "two")).unwrap();
    let target = scratch.path().join("y.cassette");
    let message = Cassette::open(&path).unwrap().scrub(secrets(), &target);
    assert!(
        matches!(message, Err(ScrubError::Cassette(_))),
        "{message:?}"
    );
    assert_eq!(names(scratch.path()), ["x.cassette"]);
}
