//! A recording that begins in the middle shows what was there, and all that follows: no byte is lost, and none comes twice.

use std::io::Read;

use screentest::RecordError;
use screentest::core::Screen;
use screentest::core::formats::cassette::Deriver;
use screentest::core::redact::scrub::Rules;
use screentest::recording::cassette::recover;
use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::*;

/// A program that the test itself plays, not recorded yet.
fn unrecorded() -> (ScriptedPty, Session) {
    let options = Options {
        size: SIZE,
        ..Options::default()
    };
    let pty = ScriptedPty::new(SIZE);
    let session = Session::over(Arc::new(pty.clone()), options).unwrap();
    (pty, session)
}

/// What the raw bytes alone lead to.
fn derived(cassette: &Cassette) -> Screen {
    let mut raw = Vec::new();
    cassette.output().unwrap().read_to_end(&mut raw).unwrap();
    let mut deriver = Deriver::pinned(&cassette.manifest().terminal).unwrap();
    deriver.feed(&raw);
    deriver.screen()
}

/// Something is written, then recorded from there on, then more is written; the cassette ends with what is shown.
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
    let mut player = screentest::Player::new(&cassette).unwrap();
    let first = player.seek(&screentest::Moment::Start).unwrap();
    assert_eq!(*first, began, "{why}: what is shown first");
    let portrait = cassette.manifest().provenance.portrait_bytes.unwrap();
    let mut raw = Vec::new();
    cassette.output().unwrap().read_to_end(&mut raw).unwrap();
    assert_eq!(&raw[portrait as usize..], after, "{why}: what follows");
}

#[test]
fn what_was_shown_comes_first_and_then_all_that_follows() {
    check(b"one\r\n\x1b[31mtw", b"o\r\nthree", "colours");
    check(b"", b"hello", "nothing before");
    check(b"hello", b"", "nothing after");
}

#[test]
fn modes_margins_and_what_is_below_an_editor_are_there() {
    check(
        b"$ vi\r\n\x1b[?1049h\x1b[?1;1002;1006;2004h\x1b=\x1b]2;vi\x07\x1b[2;6r\x1b[6;1Htext",
        b"\nmore\x1b[r\x1b[?1049l\x1b[?1l$ ",
        "an editor",
    );
}

#[test]
fn it_may_begin_inside_a_sequence_or_a_character() {
    let whole = "é\x1b[1;31mred\x1b]2;title\x1b\\日本\x1b[2;2HX";
    for cut in 0..=whole.len() {
        let (before, after) = whole.as_bytes().split_at(cut);
        check(before, after, &format!("cut at {cut}"));
    }
}

#[test]
fn whatever_programs_write_the_raw_bytes_lead_to_what_is_shown() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let before = stream::grammar(&mut random, 400);
        let after = stream::grammar(&mut random, 400);
        check(&before, &after, &format!("seed {seed}"));
    }
}

#[test]
fn kept_sessions_recorded_from_any_place_on_end_as_they_did() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes");
    let mut checked = 0;
    for name in names(&kept) {
        let Ok(cassette) = Cassette::open(kept.join(&name)) else {
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
fn one_recording_follows_another_and_two_at_once_do_not() {
    let scratch = Scratch::new();
    let (pty, session) = unrecorded();
    assert!(session.finish_recording().is_none());
    for name in ["a", "b"] {
        let path = scratch.path().join(name);
        assert!(!session.is_recording());
        session.start_recording(RecordOptions::new(&path)).unwrap();
        assert!(session.is_recording());
        let told = session
            .start_recording(RecordOptions::new(scratch.path().join("c")))
            .unwrap_err();
        assert!(matches!(told, RecordError::Running { .. }), "{told}");
        pty.print(name.as_bytes());
        session.wait_for(name, SOON).unwrap();
        assert_eq!(session.finish_recording().unwrap().unwrap(), path);
    }
    pty.print(b"c");
    session.close().unwrap();
    let told = session
        .start_recording(RecordOptions::new(scratch.path().join("d")))
        .unwrap_err();
    assert!(matches!(told, RecordError::Closed), "{told}");
    let shown = |name: &str| {
        let cassette = Cassette::open(scratch.path().join(name)).unwrap();
        cassette.verify().unwrap();
        cassette.ending().screen().unwrap().text()
    };
    assert_eq!([shown("a"), shown("b")], ["a\n", "ab\n"]);
    assert_eq!(names(scratch.path()), ["a", "b"]);
}

#[test]
fn a_flood_is_recorded_from_the_middle_on_without_a_byte_less() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let app = App::new("sh").args(["-c", "seq 1 300000; read x"]);
    let options = Options {
        size: SIZE,
        ..Options::default()
    };
    let session = Session::start(&app, options).unwrap();
    session.wait_for("1", SOON).unwrap();
    session.start_recording(RecordOptions::new(&path)).unwrap();
    session.resize(Size { cols: 30, rows: 6 }).unwrap();
    session.wait_for("300000", SOON).unwrap();
    let last = session.screen();
    session.finish_recording().unwrap().unwrap();
    let cassette = Cassette::open(&path).unwrap();
    assert_eq!(cassette.ending().screen().unwrap(), last);
    cassette.verify().unwrap();
    // What follows the portrait is what the program wrote, without a gap.
    let portrait = cassette.manifest().provenance.portrait_bytes.unwrap();
    let mut raw = Vec::new();
    cassette.output().unwrap().read_to_end(&mut raw).unwrap();
    let wrote: String = (1..=300_000).map(|n| format!("{n}\r\n")).collect();
    assert!(wrote.as_bytes().ends_with(&raw[portrait as usize..]));
}

#[test]
fn a_program_that_ends_or_has_ended_is_recorded_with_its_end() {
    let scratch = Scratch::new();
    for ends_first in [true, false] {
        let path = scratch.path().join(format!("{ends_first}"));
        let (pty, session) = unrecorded();
        if ends_first {
            pty.end(ExitStatus::Exited(3));
            session.wait_for_exit(SOON).unwrap();
        }
        session.start_recording(RecordOptions::new(&path)).unwrap();
        pty.end(ExitStatus::Exited(3));
        session.wait_for_exit(SOON).unwrap();
        session.finish_recording().unwrap().unwrap();
        let cassette = Cassette::open(&path).unwrap();
        assert_eq!(cassette.ending().exit_code, Some(3));
    }
}

#[test]
fn secrets_that_are_shown_when_it_begins_are_covered() {
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
fn what_was_cut_off_is_recovered_with_how_it_began() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let (pty, session) = unrecorded();
    pty.print(b"before");
    session.start_recording(RecordOptions::new(&path)).unwrap();
    pty.print(b" after");
    session.wait_for("before after", SOON).unwrap();
    let part = scratch.path().join("x.cassette.part");
    // The bytes are written first, then their times, then what they show.
    until("everything is written", || {
        let frames = fs::read_to_string(part.join("frames.jsonl")).unwrap();
        frames.contains("after") && frames.ends_with('\n')
    });
    // As a killed process leaves it: a copy of which nobody holds the lock.
    let left = scratch.path().join("y.cassette.part");
    fs::create_dir(&left).unwrap();
    for (name, bytes) in files(&part) {
        fs::write(left.join(name), bytes).unwrap();
    }
    let recovered = recover(&left, &Rules::shapes()).unwrap();
    let cassette = Cassette::open(&recovered.path).unwrap();
    cassette.verify().unwrap();
    assert_eq!(cassette.ending().screen().unwrap().text(), "before after\n");
    let portrait = cassette.manifest().provenance.portrait_bytes.unwrap();
    assert_eq!(cassette.output_len(), portrait + " after".len() as u64);
    // What is cut off it, and what is scrubbed, began in the same way.
    let cut = cassette
        .cut(
            &screentest::Moment::Start,
            &screentest::Moment::End,
            &scratch.path().join("z.cassette"),
        )
        .unwrap();
    let cut = Cassette::open(&cut).unwrap();
    assert_eq!(cut.manifest().provenance.portrait_bytes, Some(portrait));
}
