//! Cutting a cassette: the part can be verified and shows the same screens as the whole.

use screentest::core::formats::cassette::manifest::RecordingStatus;
use screentest::recording::cassette::CutError;
use screentest::recording::{Moment, PlayError, Player};
use screentest_fixtures::random::Random;

use super::*;

const TICK: Duration = Duration::from_millis(100);

/// Records, one tick apart, everything that makes a later screen depend on an earlier byte.
fn recording(scratch: &Scratch) -> Cassette {
    let (clock, pty, session) = timed(&scratch.path().join("x.cassette"));
    let sizes = [
        Size { cols: 20, rows: 5 },
        Size { cols: 60, rows: 12 },
        SIZE,
    ];
    let mut printed = 0;
    for (n, bytes) in [
        "\x1b]2;title\x07\x1b[31mred ",
        "and a text that goes on and on in the next row, still red",
        "\x1b[2;6r\x1b[6;1H\n\n\nscrolled",
        "\x1b7\x1b[?1049h\x1b[1;1H\x1b[44mother\x1b[?1h\x1b[?2004h",
        "\x1b[3g\x1b[5G\x1bH\r\tx",
        "\x1b(0lqk\x1b(B \x1b[4h<in>",
        "\x1b[?25l\x1b[?7l0123456789",
        "\x1b[?1049l\x1b8back",
        // The two halves of a sequence.
        "\x1b[1;3",
        "5mpieces \u{754c}",
        "e\u{301}\r\n\r\n\r\nlast",
    ]
    .into_iter()
    .enumerate()
    {
        clock.advance(TICK);
        pty.print(bytes.as_bytes());
        printed += bytes.len();
        poll_until("output", || session.output_tail().bytes.len() >= printed);
        if n % 3 == 1 {
            session.type_text("x").unwrap();
            session.resize(sizes[n / 3 % 3]).unwrap();
        }
        session.record_mark(&format!("mark {n}"));
    }
    clock.advance(TICK);
    finish(&pty, &session, ExitStatus::Exited(3))
}

/// Cuts a part, verifies it, and compares its screens with those of the whole at every quarter of a
/// tick.
#[track_caller]
fn check(cassette: &Cassette, target: &Path, from: Duration, to: Duration) -> Cassette {
    let made = cassette.cut(&Moment::Time(from), &Moment::Time(to), target);
    let part = Cassette::open(made.unwrap()).unwrap();
    part.verify().unwrap();
    let mut whole = Player::new(cassette).unwrap();
    let mut player = Player::new(&part).unwrap();
    let step = TICK / 4;
    let mut time = from;
    while time <= to {
        let moment = Moment::Time(time);
        let Ok(wanted) = whole.seek(&moment) else {
            time += step;
            continue;
        };
        let found = player.seek(&Moment::Time(time - from)).unwrap();
        assert_eq!(found, wanted, "{from:?} to {to:?}, at {time:?}");
        time += step;
    }
    assert_eq!(part.manifest().timing.duration_ms.time(), to - from);
    assert_eq!(
        part.ending().screen().unwrap(),
        *whole.seek(&Moment::Time(to)).unwrap()
    );
    part
}

#[test]
fn any_part_verifies_and_shows_the_same_screens() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    let end = cassette.ending().t_ms.time();
    let mut random = Random::new(5);
    for n in 0..40 {
        let mut times = [0, 0].map(|_| end * random.below(25) as u32 / 24);
        times.sort();
        let [from, to] = times;
        let part = check(
            &cassette,
            &scratch.path().join(format!("{n}.cassette")),
            from,
            to,
        );
        let expected = (to == end).then_some(3);
        assert_eq!(part.ending().exit_code, expected, "{from:?} to {to:?}");
        let whole = cassette.manifest();
        assert_eq!(
            part.manifest().status,
            RecordingStatus::Cut {
                from: whole.id.clone()
            }
        );
        assert_ne!(part.manifest().id, whole.id);
        // A part of a part works, too.
        if to > from {
            let inner = scratch.path().join(format!("{n}-inner.cassette"));
            let at = |parts| Duration::from_millis((to - from).as_millis() as u64 / parts);
            check(&part, &inner, at(3), at(2));
        }
    }
}

#[test]
fn input_and_events_outside_the_part_are_left_out() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    let mark = |n: usize| Moment::Mark(format!("mark {n}"));
    let target = scratch.path().join("y.cassette");
    cassette.cut(&mark(2), &mark(7), &target).unwrap();
    let part = Cassette::open(&target).unwrap();
    part.verify().unwrap();
    let player = Player::new(&part).unwrap();
    let marks: Vec<_> = player.marks().collect();
    let expected: Vec<(String, Duration)> = (0..6)
        .map(|n| (format!("mark {}", n + 2), TICK * n))
        .collect();
    let expected: Vec<_> = expected.iter().map(|(name, t)| (&**name, *t)).collect();
    assert_eq!(marks, expected);
    // Two of the four typed inputs are inside. Each came with a resize, and the part also needs the
    // earlier resize.
    let kinds = part.inputs().unwrap();
    let count = |what: &str| {
        let shown = kinds.iter().map(|input| format!("{:?}", input.kind));
        shown.filter(|kind| kind.starts_with(what)).count()
    };
    assert_eq!((count("Text") + count("Withheld"), count("Resize")), (2, 3));
}

#[test]
fn an_update_shown_half_done_is_in_every_part() {
    let scratch = Scratch::new();
    let (clock, pty, session) = timed(&scratch.path().join("x.cassette"));
    clock.advance(TICK);
    pty.print(b"before\x1b[?2026h\r\nhalf");
    session.wait_for("before", TIMEOUT).unwrap();
    // The time limit of the update has passed.
    clock.advance(TICK * 3);
    session.wait_for("half", TIMEOUT).unwrap();
    for n in 0..3 {
        clock.advance(TICK);
        pty.print(format!("\r\nmore {n}").as_bytes());
        session.wait_for(&*format!("more {n}"), TIMEOUT).unwrap();
    }
    let cassette = Cassette::open(session.finish_recording().unwrap().unwrap()).unwrap();
    let end = cassette.ending().t_ms.time();
    for (n, from) in [0, 1, 2, 4, 5, 6, 7].into_iter().enumerate() {
        let target = scratch.path().join(format!("{n}.cassette"));
        check(&cassette, &target, TICK * from, end);
    }
}

#[test]
fn an_invalid_part_is_refused_and_leaves_nothing() {
    let scratch = Scratch::new();
    let cassette = recording(&scratch);
    let target = scratch.path().join("y.cassette");
    let time = |millis| Moment::Time(Duration::from_millis(millis));
    let cut = |from: &Moment, to: &Moment| cassette.cut(from, to, &target).unwrap_err();
    let message = cut(&time(0), &time(9000)).to_string();
    assert_eq!(message, "9s is after the end of the cassette, at 1.2s");
    let message = cut(&time(500), &time(100)).to_string();
    assert_eq!(
        message,
        "the part would end at 100ms, before it begins at 500ms"
    );
    let message = cut(&Moment::Mark("nope".to_owned()), &Moment::End);
    assert!(
        matches!(message, CutError::Play(PlayError::NoMark { .. })),
        "{message}"
    );
    assert_eq!(names(scratch.path()), ["x.cassette"]);
    cassette.cut(&Moment::Start, &Moment::End, &target).unwrap();
    let message = cut(&Moment::Start, &Moment::End).to_string();
    assert!(message.contains("exists already"), "{message}");
    assert_eq!(names(scratch.path()), ["x.cassette", "y.cassette"]);

    // A frame that differs from what the bytes show is not copied.
    damage::reseal(cassette.path(), |frames| {
        frames.replacen("other", "OTHER", 1)
    });
    let forged = Cassette::open(cassette.path()).unwrap();
    let message = forged
        .cut(&Moment::Start, &Moment::End, &scratch.path().join("z"))
        .unwrap_err();
    assert!(
        message.to_string().starts_with("the frame at 400 ms"),
        "{message}"
    );
    assert_eq!(names(scratch.path()), ["x.cassette", "y.cassette"]);
}
