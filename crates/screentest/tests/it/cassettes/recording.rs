//! Recording: a cassette contains what happened, and recording never affects the session.

use std::io::Read;

use screentest::Signal;
use screentest::core::formats::cassette::InputLineKind;
use screentest::core::formats::cassette::manifest::RecordingStatus;
use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::*;

#[test]
fn a_cassette_contains_output_input_marks_and_exit() {
    let scratch = Scratch::new();
    let path = scratch.path().join("sh.cassette");
    let app = App::new("sh").args(["-c", "read a; echo got $a; read b; exit 3"]);
    let session = Session::start(&app, recording_options(RecordOptions::new(&path))).unwrap();
    session.type_text("one\r").unwrap();
    session.wait_for("got one", TIMEOUT).unwrap();
    session.record_mark("answered");
    session.resize(Size { cols: 50, rows: 6 }).unwrap();
    session.signal(Signal::WINCH).unwrap();
    session.press("Enter").unwrap();
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(3)
    );
    let last = session.screen();
    let output = session.output_tail().bytes;
    let published = session.finish_recording().unwrap().unwrap();
    assert_eq!(published, path);
    assert_eq!(names(scratch.path()), ["sh.cassette"]);

    let cassette = Cassette::open(&path).unwrap();
    let verified = cassette.verify().unwrap();
    assert_eq!(verified.status, RecordingStatus::Complete);
    assert!(verified.ended && verified.frames > 2);
    assert_eq!(cassette.ending().exit_code, Some(3));
    assert_eq!(cassette.ending().screen().unwrap(), last);
    let mut raw = Vec::new();
    cassette.output().unwrap().read_to_end(&mut raw).unwrap();
    assert_eq!(raw, output);
    let kinds: Vec<InputLineKind> = cassette
        .inputs()
        .unwrap()
        .into_iter()
        .map(|line| line.kind)
        .collect();
    assert!(
        matches!(&kinds[..], [
            InputLineKind::Text { bytes },
            InputLineKind::Key { name: enter, .. },
            InputLineKind::Resize { cols: 50, rows: 6 },
            InputLineKind::Signal { name },
            InputLineKind::Key { name: key, .. },
        ] if bytes.0 == b"one" && enter == "Enter" && name == "SIGWINCH" && key == "Enter"),
        "{kinds:?}"
    );
    let events = cassette.events().unwrap();
    assert_eq!(events[0].mark.as_deref(), Some("answered"));
    assert_eq!(cassette.manifest().command.program, "sh");
    assert_eq!(cassette.manifest().terminal.term, "xterm-256color");
    // The input precedes the mark: sequence numbers are shared by all streams.
    let seqs = cassette.inputs().unwrap();
    assert!(seqs[1].seq < events[0].seq && events[0].seq < seqs[2].seq);
}

#[test]
fn the_duration_includes_the_time_until_the_recording_is_finished() {
    let scratch = Scratch::new();
    for name in ["finished", "closed"] {
        let path = scratch.path().join(name);
        let clock = Clock::manual();
        let options = SessionOptions {
            clock: clock.clone(),
            ..recording_options(RecordOptions::new(&path))
        };
        let session = Session::start(&App::new("sh").args(["-c", "echo hi"]), options).unwrap();
        session.wait_for_exit(TIMEOUT).unwrap();
        clock.advance(Duration::from_secs(2));
        match name {
            "finished" => drop(session.finish_recording().unwrap().unwrap()),
            _ => session.close().unwrap(),
        }
        let cassette = Cassette::open(&path).unwrap();
        let duration = cassette.manifest().timing.duration_ms.time();
        assert_eq!(duration, Duration::from_secs(2), "{name}");
    }
}

#[test]
fn closing_or_dropping_a_session_publishes_its_cassette() {
    let scratch = Scratch::new();
    for name in ["closed", "dropped"] {
        let path = scratch.path().join(name);
        let app = App::new("cat");
        let session = Session::start(&app, recording_options(RecordOptions::new(&path))).unwrap();
        session.type_text("hello").unwrap();
        session.wait_for("hello", TIMEOUT).unwrap();
        match name {
            "closed" => session.close().unwrap(),
            _ => drop(session),
        }
        let cassette = Cassette::open(&path).unwrap();
        cassette.verify().unwrap();
        assert_eq!(cassette.ending().signal.as_deref(), Some("SIGHUP"));
    }
}

#[test]
fn an_existing_cassette_is_not_overwritten_by_default() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&path, "echo first");
    let again = |record: RecordOptions| {
        let app = App::new("echo").arg("second");
        let session = Session::start(&app, recording_options(record)).unwrap();
        session.wait_for("second", TIMEOUT).unwrap();
        session.finish_recording().unwrap()
    };
    let message = again(RecordOptions::new(&path)).unwrap_err().to_string();
    assert_eq!(
        message,
        format!(
            "`{}` exists already: choose another name or replace it explicitly",
            path.display()
        )
    );
    let first = Cassette::open(&path).unwrap();
    assert_eq!(first.ending().screen().unwrap().text(), "first\n");
    again(RecordOptions::new(&path).replace()).unwrap();
    let second = Cassette::open(&path).unwrap();
    assert_eq!(second.ending().screen().unwrap().text(), "second\n");
    assert_ne!(first.manifest().id, second.manifest().id);
    assert_eq!(names(scratch.path()), ["x.cassette"]);
}

#[test]
fn two_recorders_cannot_write_one_cassette() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let (_, one) = scripted(RecordOptions::new(&path));
    let (pty, two) = scripted(RecordOptions::new(&path));
    pty.print(b"works");
    two.wait_for("works", TIMEOUT).unwrap();
    let message = two.finish_recording().unwrap().unwrap_err().to_string();
    assert!(
        message.contains("is in use by another recorder"),
        "{message}"
    );
    one.close().unwrap();
    Cassette::open(&path).unwrap();
}

#[test]
fn a_failed_recording_does_not_affect_the_program() {
    let scratch = Scratch::new();
    let path = scratch.path().join("no/such/folder/x.cassette");
    let app = App::new("sh").args(["-c", "echo works; exit 4"]);
    let session = Session::start(&app, recording_options(RecordOptions::new(&path))).unwrap();
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(4)
    );
    assert!(session.screen().contains("works"));
    let message = session.finish_recording().unwrap().unwrap_err().to_string();
    assert!(message.starts_with("could not write `"), "{message}");
    let plain = Session::start(&app, SessionOptions::default()).unwrap();
    assert!(plain.finish_recording().is_none());
}

#[test]
fn a_removed_folder_is_reported_at_the_end() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let (pty, session) = scripted(RecordOptions::new(&path));
    fs::remove_dir_all(scratch.path().join("x.cassette.part")).unwrap();
    pty.print(b"works");
    session.wait_for("works", TIMEOUT).unwrap();
    let message = session.finish_recording().unwrap().unwrap_err().to_string();
    assert!(message.starts_with("could not write `"), "{message}");
}

#[test]
fn an_update_shown_unfinished_is_derived_the_same() {
    let scratch = Scratch::new();
    let (clock, pty, session) = timed(&scratch.path().join("x.cassette"));
    pty.print(b"before\x1b[?2026h\x1b[2J\x1b[Hhalf");
    session.wait_for("before", TIMEOUT).unwrap();
    clock.advance(Duration::from_millis(150));
    session.wait_for("half", TIMEOUT).unwrap();
    pty.print(b" and half\x1b[?2026l done");
    session.wait_for("half and half done", TIMEOUT).unwrap();
    let cassette = finish(&pty, &session, ExitStatus::Exited(0));
    assert!(cassette.verify().unwrap().frames >= 3);
    assert_eq!(
        cassette.manifest().timing.duration_ms.time(),
        Duration::from_millis(150)
    );
}

#[test]
fn any_stream_with_resizes_is_derived_as_it_was_shown() {
    for seed in 0..6 {
        let scratch = Scratch::new();
        let path = scratch.path().join("x.cassette");
        let mut random = Random::new(seed);
        let (pty, session) = scripted(RecordOptions::new(&path));
        for round in 0..40 {
            let length = random.below(300);
            pty.print(&stream::grammar(&mut random, length));
            session.screen();
            if round % 7 == 0 {
                let size = Size {
                    cols: 2 + random.below(60) as u16,
                    rows: 1 + random.below(12) as u16,
                };
                session.resize(size).unwrap();
            }
        }
        pty.end(ExitStatus::Exited(0));
        session.wait_for_exit(TIMEOUT).unwrap();
        let last = session.screen();
        session.finish_recording().unwrap().unwrap();
        let cassette = Cassette::open(&path).unwrap();
        cassette
            .verify()
            .unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(cassette.ending().screen().unwrap(), last);
    }
}

#[test]
fn a_flood_is_recorded_completely() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    record(&path, "seq 1 300000");
    let cassette = Cassette::open(&path).unwrap();
    let verified = cassette.verify().unwrap();
    let expected: u64 = (1..=300_000_u64)
        .map(|n| n.to_string().len() as u64 + 2)
        .sum();
    assert_eq!(verified.output, expected);
    let all: u64 = cassette
        .manifest()
        .files
        .values()
        .map(|facts| facts.bytes)
        .sum();
    assert!(all < expected * 3, "{all} for {expected}");
}

#[test]
fn unechoed_input_is_not_stored() {
    let scratch = Scratch::new();
    for keep in [false, true] {
        let path = scratch.path().join(format!("{keep}.cassette"));
        let app = App::new("sh").args([
            "-c",
            "stty -echo; printf 'password: '; read p; stty echo; echo; echo ok; read q; \
             stty raw -echo; printf keys; dd bs=1 count=3 2>/dev/null; stty sane; echo; echo end",
        ]);
        let options = if keep {
            RecordOptions::new(&path).keep_keys()
        } else {
            RecordOptions::new(&path)
        };
        let session = Session::start(&app, recording_options(options)).unwrap();
        session.wait_for("password:", TIMEOUT).unwrap();
        session.type_text("open sesame\r").unwrap();
        session.wait_for("ok", TIMEOUT).unwrap();
        session.type_text("seen\r").unwrap();
        session.wait_for("keys", TIMEOUT).unwrap();
        session.type_text("xyz").unwrap();
        session.wait_for_exit(TIMEOUT).unwrap();
        session.finish_recording().unwrap().unwrap();
        let input = fs::read_to_string(path.join("input.jsonl")).unwrap();
        assert!(
            !input.contains("sesame") && input.contains("seen"),
            "{input}"
        );
        assert_eq!(input.contains(r#""bytes":"y""#), keep, "{input}");
        let report = Cassette::open(&path).unwrap().scrub_report().unwrap();
        // The password and its Enter; also each of the three keys, unless keys are kept.
        assert_eq!(report.withheld_inputs, if keep { 2 } else { 5 });
    }
}
