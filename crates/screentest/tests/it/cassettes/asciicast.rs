//! Conversion of asciicasts to cassettes and back keeps bytes, times, marks, sizes and screens.

use screentest::core::emulator::EmulatorOptions;
use screentest::core::formats::asciicast::{Cast, CastEvent, CastEventKind, CastVersion};
use screentest::core::formats::cassette::manifest::RecordingStatus;
use screentest::core::formats::cassette::{InputLineKind, OutputLine, from_line};
use screentest::core::{Backend, Screen};
use screentest::recording::cassette::{
    CastError, CastInput, CastOmissions, CastOptions, ExistingCassette,
};
use screentest::recording::{Moment, Player, RecordError};
use screentest::session::WaitLimits;

use super::*;

const WITH_INPUT: CastOptions = CastOptions {
    version: CastVersion::Three,
    input: CastInput::Included,
};

/// Converts a cassette to an asciicast.
#[track_caller]
pub(super) fn export(cassette: &Cassette, options: CastOptions) -> (Cast, CastOmissions) {
    let mut file = Vec::new();
    let left_out = cassette.write_cast(options, &mut file).unwrap();
    let cast = Cast::parse(&file).unwrap();
    assert_eq!(cast.cut_short, None);
    assert_eq!(cast.version, options.version.number());
    (cast, left_out)
}

/// Plays an asciicast and returns the screen after each write and each resize.
fn screens(cast: &Cast) -> Vec<Screen> {
    let mut emulator = Backend::default().emulator(cast.header.size, EmulatorOptions::default());
    let mut screens = Vec::new();
    for event in &cast.events {
        match &event.kind {
            CastEventKind::Output(text) if text.is_empty() => continue,
            CastEventKind::Output(text) => emulator.feed(text.as_bytes()),
            CastEventKind::Resize(size) => emulator.resize(*size),
            _ => continue,
        }
        let mut screen = emulator.screen();
        screen.modes.synchronized = false;
        screens.push(screen);
    }
    screens
}

/// Returns the screens of a cassette after each write and each resize.
fn shown(cassette: &Cassette) -> Vec<Screen> {
    let output = fs::read(cassette.path().join("output.jsonl")).unwrap();
    let lines = output.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    let mut seqs: Vec<u64> = lines
        .map(|line| from_line::<OutputLine>(line, 1).unwrap().seq)
        .collect();
    let inputs = cassette.inputs().unwrap().into_iter();
    let resizes = inputs.filter(|input| matches!(input.kind, InputLineKind::Resize { .. }));
    seqs.extend(resizes.map(|input| input.seq));
    seqs.sort_unstable();
    let mut player = Player::new(cassette).unwrap();
    let mut after = |seq| {
        let screen = player.seek(&Moment::Seq(seq + 1)).unwrap().clone();
        if player.shown().unwrap().unfinished {
            // At its end, the cassette also shows an unfinished update. The emulator does not, so
            // the screen before it is compared.
            player.seek(&Moment::Seq(seq)).unwrap().clone()
        } else {
            screen
        }
    };
    seqs.into_iter().map(&mut after).collect()
}

/// Converts an asciicast to a cassette and back, and compares everything.
#[track_caller]
pub(super) fn check_round_trip(cast: &Cast, scratch: &Scratch) -> Cassette {
    let path = scratch.path().join("x.cassette");
    Cassette::from_cast(cast, &path, ExistingCassette::Keep).unwrap();
    let cassette = Cassette::open(&path).unwrap();
    let verified = cassette.verify().unwrap();
    let from = format!("asciicast v{}", cast.version);
    assert_eq!(verified.status, RecordingStatus::Converted { from });
    let expected = screens(cast);
    let found = shown(&cassette);
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "after event {index}");
    }
    let full = |event: &&CastEvent| event.kind != CastEventKind::Output(String::new());
    let events: Vec<&CastEvent> = cast.events.iter().filter(full).collect();
    for version in [CastVersion::Two, CastVersion::Three] {
        let options = CastOptions {
            version,
            input: CastInput::Included,
        };
        let (back, left_out) = export(&cassette, options);
        assert_eq!(left_out, CastOmissions::default());
        assert_eq!(back.header, cast.header);
        assert_eq!(back.duration(), cast.duration());
        assert_eq!(back.events.iter().filter(full).collect::<Vec<_>>(), events);
    }
    cassette
}

fn cast(events: &str) -> Cast {
    let header = r#"{"version": 3, "term": {"cols": 10, "rows": 3}}"#;
    Cast::parse(format!("{header}\n{events}")).unwrap()
}

#[test]
fn stored_asciicasts_survive_a_round_trip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/compatibility");
    for name in ["demo-1.cast", "demo-2.cast", "demo-3.cast"] {
        let cast = Cast::parse(fs::read(folder.join(name)).unwrap()).unwrap();
        check_round_trip(&cast, &Scratch::new());
    }
}

#[test]
fn marks_sizes_input_pauses_and_exit_code_survive_a_round_trip() {
    let cast = cast(
        "[0.000001, \"o\", \"abcdefghijkl\"]\n[3600, \"m\", \"one\"]\n[0, \"i\", \"q\"]\n[0.5, \"r\", \"5x3\"]\n\
         [0, \"o\", \"\\u001b[31mx\"]\n[0, \"m\", \"\"]\n[2, \"x\", \"7\"]",
    );
    let scratch = Scratch::new();
    let cassette = check_round_trip(&cast, &scratch);
    assert_eq!(cassette.ending().exit_code, Some(7));
    let mut player = Player::new(&cassette).unwrap();
    let marks: Vec<_> = player
        .marks()
        .map(|(name, at)| (name.to_owned(), at))
        .collect();
    let micros = Duration::from_micros;
    assert_eq!(
        marks,
        [
            ("one".to_owned(), micros(3_600_000_001)),
            (String::new(), micros(3_600_500_001))
        ]
    );
    assert_eq!(
        player.seek(&Moment::Mark("one".to_owned())).unwrap().text(),
        "abcdefghij\nkl\n"
    );
    assert_eq!(player.seek(&Moment::End).unwrap().text(), "fghij\nklx\n");
}

#[test]
fn a_pause_before_an_unknown_exit_is_kept() {
    let cast = cast("[1, \"o\", \"a\"]\n[3600, \"o\", \"\"]");
    let scratch = Scratch::new();
    let cassette = check_round_trip(&cast, &scratch);
    assert_eq!(cassette.ending().t_ms.time(), Duration::from_secs(3601));
    assert!(!cassette.ending().ended());
}

#[test]
fn an_unfinished_update_is_shown_at_the_end() {
    let cast = cast("[1, \"o\", \"a\\u001b[?2026hb\"]\n[1, \"o\", \"c\"]\n[5, \"x\", \"0\"]");
    let scratch = Scratch::new();
    let cassette = check_round_trip(&cast, &scratch);
    let last = cassette.ending().screen().unwrap();
    assert_eq!(last.text(), "abc\n");
    let state = cassette.state_at(Duration::MAX, 0).unwrap();
    assert_eq!(state.screen, last);
    let before = cassette.state_at(Duration::from_secs(6), 0).unwrap();
    assert_eq!(before.screen.text(), "a\n");
}

#[test]
fn an_asciicast_shows_the_screens_of_its_session() {
    let scratch = Scratch::new();
    let (clock, pty, session) = timed(&scratch.path().join("x.cassette"));
    let mut moments = Vec::new();
    let tick = || {
        clock.advance(Duration::from_micros(1_234_567));
        clock.now()
    };
    // Characters cut into pieces, invalid bytes, and a resize between two halves of a character.
    let pieces: [(&[u8], &str); 5] = [
        (b"a\x1b[32m\xe7\x95", "a"),
        (b"\x8cb \xff c", "c"),
        (b" \xf0\x9f", "a"),
        (b"\x98\x80 d\x1b[", "d"),
        (b"1;31me\xc3", "e"),
    ];
    for (index, (piece, seen)) in pieces.into_iter().enumerate() {
        moments.push(tick());
        pty.print(piece);
        // After Enter, a wait accepts only new text, but half of a character shows none.
        let limits = WaitLimits::from(TIMEOUT).anytime();
        session.wait_for(seen, limits).unwrap();
        moments.push(tick());
        match index {
            1 => session.type_text("typed\r").unwrap(),
            2 => session.resize(Size { cols: 12, rows: 4 }).unwrap(),
            _ => session.record_mark(&format!("mark {index}")),
        }
    }
    session.record_event(None, serde_json::json!({"step": 1}));
    moments.push(tick());
    let cassette = finish(&pty, &session, ExitStatus::Exited(3));
    let mut player = Player::new(&cassette).unwrap();
    let (without, left_out) = export(&cassette, CastOptions::default());
    assert_eq!((left_out.inputs, left_out.events), (2, 1));
    assert!(
        !without
            .events
            .iter()
            .any(|event| matches!(event.kind, CastEventKind::Input(_)))
    );
    let (with, left_out) = export(&cassette, WITH_INPUT);
    assert_eq!((left_out.inputs, left_out.events), (0, 1));
    let typed = CastEventKind::Input("typed".to_owned());
    assert!(with.events.iter().any(|event| event.kind == typed));
    for cast in [&without, &with] {
        for moment in &moments {
            let expected = player.seek(&Moment::Time(*moment)).unwrap();
            let mut emulator = Backend::default().emulator(SIZE, EmulatorOptions::default());
            let state = cast.state_at(&mut *emulator, *moment, 0);
            assert_eq!(state.screen, *expected, "at {moment:?}");
        }
        let marks = cast.events.iter().filter_map(|event| match &event.kind {
            CastEventKind::Marker(name) => Some(name.as_str()),
            _ => None,
        });
        assert_eq!(
            marks.collect::<Vec<_>>(),
            ["mark 0", "mark 3", "mark 4"],
            "{cast:?}"
        );
        let last = cast.events.last().unwrap();
        assert_eq!(
            (last.time, &last.kind),
            (clock.now(), &CastEventKind::Exit(3))
        );
    }
}

#[test]
fn an_asciicast_of_a_real_program_shows_the_same_screens() {
    let scratch = Scratch::new();
    let path = record(
        &scratch.path().join("x.cassette"),
        "i=0; while [ $i -lt 300 ]; do i=$((i+1)); printf '\\033[3%dm%d \\342\\226\\210 caf\\303\\251 \\377|\\033[0m\\r\\n' $((i%8)) $i; done; kill -TERM $$",
    );
    let cassette = Cassette::open(&path).unwrap();
    let (cast, _) = export(&cassette, CastOptions::default());
    let mut count = 0;
    let play = |time| {
        let mut emulator = Backend::default().emulator(SIZE, EmulatorOptions::default());
        cast.state_at(&mut *emulator, time, 0).screen
    };
    cassette
        .derive_frames(|shown, screen| {
            count += 1;
            assert_eq!(play(shown.time.time()), *screen, "{shown:?}");
        })
        .unwrap();
    assert!(count > 1);
    // The exit code that shells report for SIGTERM.
    assert_eq!(
        cast.events.last().map(|event| &event.kind),
        Some(&CastEventKind::Exit(143))
    );
    assert_eq!(cast.header.term, "xterm-256color");
    assert!(
        cast.header.command.starts_with("i=0; while"),
        "{:?}",
        cast.header
    );
}

#[test]
fn an_existing_cassette_is_not_overwritten_by_default() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let cast = cast("[1, \"o\", \"new\"]");
    record(&path, "echo old");
    let message = Cassette::from_cast(&cast, &path, ExistingCassette::Keep).unwrap_err();
    assert!(matches!(message, RecordError::Exists { .. }), "{message}");
    assert_eq!(names(scratch.path()), ["x.cassette"]);
    let last = || {
        let cassette = Cassette::open(&path).unwrap();
        cassette.ending().screen().unwrap().text()
    };
    assert_eq!(last(), "old\n");
    Cassette::from_cast(&cast, &path, ExistingCassette::Replace).unwrap();
    assert_eq!(last(), "new\n");
    let lost = scratch.path().join("lost/x.cassette");
    let message = Cassette::from_cast(&cast, lost, ExistingCassette::Keep).unwrap_err();
    assert!(matches!(message, RecordError::Write { .. }), "{message}");
    assert_eq!(names(scratch.path()), ["x.cassette"]);
}

#[test]
fn a_modified_cassette_is_not_converted() {
    let scratch = Scratch::new();
    let path = record(&scratch.path().join("x.cassette"), "echo true");
    fs::write(path.join("output.raw"), "Bogus\n").unwrap();
    let mut file = Vec::new();
    let written = Cassette::open(&path)
        .unwrap()
        .write_cast(CastOptions::default(), &mut file);
    assert!(
        matches!(written, Err(CastError::Cassette(_))),
        "{written:?}"
    );
    assert!(file.is_empty());
}

#[test]
fn input_in_pieces_of_a_character_is_one_event() {
    let scratch = Scratch::new();
    let (_, pty, session) = timed(&scratch.path().join("x.cassette"));
    for byte in "é".as_bytes() {
        session.send(&[*byte]).unwrap();
    }
    let cassette = finish(&pty, &session, ExitStatus::Exited(0));
    let (cast, _) = export(&cassette, WITH_INPUT);
    let inputs = cast.events.iter().filter_map(|event| match &event.kind {
        CastEventKind::Input(text) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(inputs.collect::<Vec<_>>(), ["é"]);
}
