//! Recordings that start mid-session contain the current screen and everything after it; no byte is
//! lost or repeated.

use std::io::Read;

use screentest::core::Screen;
use screentest::core::formats::cassette::Deriver;
use screentest::core::redact::scrub::Rules;
use screentest::recording::RecordError;
use screentest::recording::cassette::recover;
use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::*;

/// Starts a session over a scripted PTY, without recording.
fn unrecorded() -> (ScriptedPty, Session) {
    let options = SessionOptions {
        size: SIZE,
        ..SessionOptions::default()
    };
    let pty = ScriptedPty::new(SIZE);
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    (pty, session)
}

/// Returns the screen that the raw bytes alone produce.
fn derived(cassette: &Cassette) -> Screen {
    let mut raw = Vec::new();
    cassette.output().unwrap().read_to_end(&mut raw).unwrap();
    let mut deriver = Deriver::pinned(&cassette.manifest().terminal).unwrap();
    deriver.feed(&raw);
    deriver.screen()
}

/// Prints, starts a recording, and prints more; compares the first and the last screen of the
/// cassette with the session's.
#[track_caller]
fn check(before: &[u8], after: &[u8], why: &str) {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let (pty, session) = unrecorded();
    pty.print(before);
    session.start_recording(RecordOptions::new(&path)).unwrap();
    let began = session.screen();
    pty.print(after);
    let last = session.screen();
    session.finish_recording().unwrap().unwrap();
    assert_eq!(session.screen(), last, "{why}: recording changed it");
    let cassette = Cassette::open(&path).unwrap();
    cassette.verify().unwrap();
    assert_eq!(cassette.ending().screen().unwrap(), last, "{why}");
    assert_eq!(derived(&cassette), last, "{why}");
    let mut player = screentest::recording::Player::new(&cassette).unwrap();
    let first = player.seek(&screentest::recording::Moment::Start).unwrap();
    assert_eq!(*first, began, "{why}: what is shown first");
    let portrait = cassette.manifest().provenance.portrait_bytes.unwrap();
    let mut raw = Vec::new();
    cassette.output().unwrap().read_to_end(&mut raw).unwrap();
    assert_eq!(&raw[portrait as usize..], after, "{why}: what follows");
}

#[test]
fn a_recording_starts_with_the_current_screen() {
    check(b"one\r\n\x1b[31mtw", b"o\r\nthree", "colours");
    check(b"", b"hello", "nothing before");
    check(b"hello", b"", "nothing after");
}

#[test]
fn modes_margins_and_the_primary_screen_are_recorded() {
    check(
        b"$ vi\r\n\x1b[?1049h\x1b[?1;1002;1006;2004h\x1b=\x1b]2;vi\x07\x1b[2;6r\x1b[6;1Htext",
        b"\nmore\x1b[r\x1b[?1049l\x1b[?1l$ ",
        "an editor",
    );
}

#[test]
fn a_recording_can_start_within_a_sequence_or_character() {
    let whole = "é\x1b[1;31mred\x1b]2;title\x1b\\日本\x1b[2;2HX";
    for cut in 0..=whole.len() {
        let (before, after) = whole.as_bytes().split_at(cut);
        check(before, after, &format!("cut at {cut}"));
    }
}

#[test]
fn raw_bytes_of_random_streams_produce_the_final_screen() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let before = stream::grammar(&mut random, 400);
        let after = stream::grammar(&mut random, 400);
        check(&before, &after, &format!("seed {seed}"));
    }
}

#[test]
fn stored_sessions_recorded_from_any_point_end_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes");
    let mut checked = 0;
    for name in names(&folder) {
        let Ok(cassette) = Cassette::open(folder.join(&name)) else {
            continue;
        };
        let mut raw = Vec::new();
        cassette.output().unwrap().read_to_end(&mut raw).unwrap();
        for part in 1..4 {
            let (before, after) = raw.split_at(raw.len() * part / 4);
            check(before, after, &format!("{name}, {part} of 4"));
            checked += 1;
        }
    }
    assert!(checked >= 9, "{checked}");
}

#[test]
fn a_session_can_be_recorded_twice_but_not_at_once() {
    let scratch = Scratch::new();
    let (pty, session) = unrecorded();
    assert!(session.finish_recording().is_none());
    for name in ["a", "b"] {
        let path = scratch.path().join(name);
        assert!(!session.is_recording());
        session.start_recording(RecordOptions::new(&path)).unwrap();
        assert!(session.is_recording());
        let message = session
            .start_recording(RecordOptions::new(scratch.path().join("c")))
            .unwrap_err();
        assert!(matches!(message, RecordError::Running { .. }), "{message}");
        pty.print(name.as_bytes());
        session.wait_for(name, TIMEOUT).unwrap();
        assert_eq!(session.finish_recording().unwrap().unwrap(), path);
    }
    pty.print(b"c");
    session.close().unwrap();
    let message = session
        .start_recording(RecordOptions::new(scratch.path().join("d")))
        .unwrap_err();
    assert!(matches!(message, RecordError::Closed), "{message}");
    let shown = |name: &str| {
        let cassette = Cassette::open(scratch.path().join(name)).unwrap();
        cassette.verify().unwrap();
        cassette.ending().screen().unwrap().text()
    };
    assert_eq!([shown("a"), shown("b")], ["a\n", "ab\n"]);
    assert_eq!(names(scratch.path()), ["a", "b"]);
}

#[test]
fn a_flood_is_recorded_from_the_middle_without_loss() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let app = App::new("sh").args(["-c", "seq 1 300000; read x"]);
    let options = SessionOptions {
        size: SIZE,
        ..SessionOptions::default()
    };
    let session = Session::start(&app, options).unwrap();
    session.wait_for("1", TIMEOUT).unwrap();
    session.start_recording(RecordOptions::new(&path)).unwrap();
    session.resize(Size { cols: 30, rows: 6 }).unwrap();
    session.wait_for("300000", TIMEOUT).unwrap();
    let last = session.screen();
    session.finish_recording().unwrap().unwrap();
    let cassette = Cassette::open(&path).unwrap();
    assert_eq!(cassette.ending().screen().unwrap(), last);
    cassette.verify().unwrap();
    // The initial dump is followed by the program's output, without a gap.
    let portrait = cassette.manifest().provenance.portrait_bytes.unwrap();
    let mut raw = Vec::new();
    cassette.output().unwrap().read_to_end(&mut raw).unwrap();
    let wrote: String = (1..=300_000).map(|n| format!("{n}\r\n")).collect();
    assert!(wrote.as_bytes().ends_with(&raw[portrait as usize..]));
}

#[test]
fn the_exit_is_recorded_whether_it_comes_before_or_after_the_start() {
    let scratch = Scratch::new();
    for ends_first in [true, false] {
        let path = scratch.path().join(format!("{ends_first}"));
        let (pty, session) = unrecorded();
        if ends_first {
            pty.end(ExitStatus::Exited(3));
            session.wait_for_exit(TIMEOUT).unwrap();
        }
        session.start_recording(RecordOptions::new(&path)).unwrap();
        pty.end(ExitStatus::Exited(3));
        session.wait_for_exit(TIMEOUT).unwrap();
        session.finish_recording().unwrap().unwrap();
        let cassette = Cassette::open(&path).unwrap();
        assert_eq!(cassette.ending().exit_code, Some(3));
    }
}

#[test]
fn secrets_on_the_first_screen_are_covered() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let (pty, session) = unrecorded();
    pty.print(b"the word is open-sesame");
    let record = RecordOptions::new(&path).secret_value("WORD", b"open-sesame");
    session.start_recording(record).unwrap();
    pty.print(b", is it?");
    session.finish_recording().unwrap().unwrap();
    let cassette = Cassette::open(&path).unwrap();
    cassette.verify().unwrap();
    for (name, bytes) in files(&path) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("sesame"), "{name}: {text}");
    }
    assert!(cassette.ending().screen().unwrap().contains(", is it?"));
}

#[test]
fn an_interrupted_recording_is_recovered_with_its_first_screen() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let (pty, session) = unrecorded();
    pty.print(b"before");
    session.start_recording(RecordOptions::new(&path)).unwrap();
    pty.print(b" after");
    session.wait_for("before after", TIMEOUT).unwrap();
    let part = scratch.path().join("x.cassette.part");
    // The recorder writes the bytes first, then their times, then the frames.
    poll_until("everything is written", || {
        let frames = fs::read_to_string(part.join("frames.jsonl")).unwrap();
        frames.contains("after") && frames.ends_with('\n')
    });
    // A copy that no process has locked, as a killed process leaves it.
    let left = scratch.path().join("y.cassette.part");
    fs::create_dir(&left).unwrap();
    for (name, bytes) in files(&part) {
        fs::write(left.join(name), bytes).unwrap();
    }
    let recovered = recover(&left, &Rules::known_tokens()).unwrap();
    let cassette = Cassette::open(&recovered.path).unwrap();
    cassette.verify().unwrap();
    assert_eq!(cassette.ending().screen().unwrap().text(), "before after\n");
    let portrait = cassette.manifest().provenance.portrait_bytes.unwrap();
    assert_eq!(cassette.output_len(), portrait + " after".len() as u64);
    // Cutting keeps the initial dump, too.
    let cut = cassette
        .cut(
            &screentest::recording::Moment::Start,
            &screentest::recording::Moment::End,
            &scratch.path().join("z.cassette"),
        )
        .unwrap();
    let cut = Cassette::open(&cut).unwrap();
    assert_eq!(cut.manifest().provenance.portrait_bytes, Some(portrait));
}

#[test]
fn a_cut_before_the_first_chunk_contains_no_initial_dump() {
    let scratch = Scratch::new();
    let (pty, session) = unrecorded();
    pty.print(b"before");
    let path = scratch.path().join("x.cassette");
    session.start_recording(RecordOptions::new(&path)).unwrap();
    session.finish_recording().unwrap().unwrap();
    let cassette = Cassette::open(&path).unwrap();
    let start = screentest::recording::Moment::Start;
    let target = scratch.path().join("y.cassette");
    let cut = Cassette::open(cassette.cut(&start, &start, &target).unwrap()).unwrap();
    assert_eq!(cut.output_len(), 0);
    assert_eq!(cut.manifest().provenance.portrait_bytes, Some(0));
    cut.verify().unwrap();
}
