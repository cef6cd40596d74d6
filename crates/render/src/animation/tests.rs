//! Tests of animations: durations of frames, frame rates, pauses, loop offsets and limits.

use super::*;
use screentest_core::screen::row::{LinkId, StyleId};
use screentest_core::{Cursor, Position, RowBuilder};

/// Returns a screen of one row.
fn screen(text: &str) -> Screen {
    let mut builder = RowBuilder::new();
    for c in text.chars() {
        builder.push(c, StyleId::PLAIN, LinkId::NONE);
    }
    let mut screen = Screen::blank(Size { cols: 8, rows: 1 });
    screen.rows[0] = Arc::new(builder.finish());
    screen
}

/// Builds frames from times in milliseconds and texts.
fn frames(frames: &[(u64, &str)]) -> Vec<RecordingFrame> {
    let frame = |(time, text): &(u64, &str)| RecordingFrame {
        time: Duration::from_millis(*time),
        screen: screen(text),
    };
    frames.iter().map(frame).collect()
}

fn shown(animation: &Animation) -> Vec<(u64, String)> {
    let frame = |frame: &AnimationFrame| {
        (
            frame.duration.as_millis() as u64,
            frame.screen.rows[0].text().to_owned(),
        )
    };
    animation.frames().iter().map(frame).collect()
}

/// Checks how long each text is shown, in milliseconds.
#[track_caller]
fn check(options: AnimationOptions, given: &[(u64, &str)], expected: &[(u64, &str)]) {
    let animation = Animation::new(frames(given), &options).unwrap();
    let expected: Vec<(u64, String)> = expected
        .iter()
        .map(|(time, text)| (*time, (*text).to_owned()))
        .collect();
    assert_eq!(shown(&animation), expected);
}

fn exact() -> AnimationOptions {
    AnimationOptions {
        frame_rate: None,
        timing: Timing::FINE,
        ..AnimationOptions::default()
    }
}

#[test]
fn each_screen_is_shown_until_the_next() {
    check(
        exact(),
        &[(500, "a"), (700, "b"), (1000, "c")],
        &[(200, "a"), (300, "b"), (1, "c")],
    );
}

#[test]
fn equal_screens_become_one_frame() {
    check(
        exact(),
        &[(0, "a"), (100, "a"), (300, "b"), (900, "b")],
        &[(300, "a"), (600, "b")],
    );
    // Changes that no pixel shows do not count.
    let mut titled = frames(&[(0, "a"), (50, "a"), (90, "b")]);
    titled[1].screen.title = Arc::from("title");
    titled[1].screen.scrollback_rows = 7;
    assert_eq!(Animation::new(titled, &exact()).unwrap().frames().len(), 2);
    let mut moved = frames(&[(0, "a"), (50, "a")]);
    moved[1].screen.cursor.position = Position { row: 0, col: 1 };
    assert_eq!(
        Animation::new(moved.clone(), &exact())
            .unwrap()
            .frames()
            .len(),
        2
    );
    for frame in &mut moved {
        frame.screen.cursor = Cursor {
            visible: false,
            ..frame.screen.cursor
        };
    }
    assert_eq!(Animation::new(moved, &exact()).unwrap().frames().len(), 1);
}

#[test]
fn pauses_are_shortened_before_the_speed_is_applied() {
    let options = AnimationOptions {
        idle_limit: Some(Duration::from_secs(1)),
        speed: 2.0,
        hold: Duration::from_secs(3),
        ..exact()
    };
    check(
        options,
        &[
            (0, "a"),
            (400, "b"),
            (9000, "c"),
            (9001, "c"),
            (60_000, "c"),
        ],
        &[(200, "a"), (500, "b"), (3500, "c")],
    );
}

#[test]
fn each_tick_shows_the_last_screen_before_it() {
    let options = AnimationOptions {
        frame_rate: Some(10),
        ..exact()
    };
    check(
        options,
        &[
            (0, "a"),
            (10, "b"),
            (100, "c"),
            (101, "d"),
            (150, "e"),
            (210, "f"),
            (220, "e"),
            (1000, "e"),
        ],
        &[(100, "a"), (100, "c"), (800, "e")],
    );
}

#[test]
fn a_time_that_was_rounded_up_is_still_on_its_tick() {
    let given = [0, 33_334, 66_667, 100_000].map(|micros| RecordingFrame {
        time: Duration::from_micros(micros),
        screen: screen(&micros.to_string()),
    });
    let options = AnimationOptions {
        frame_rate: Some(30),
        ..exact()
    };
    let animation = Animation::new(given, &options).unwrap();
    let durations: Vec<u128> = animation
        .frames()
        .iter()
        .map(|frame| frame.duration.as_millis())
        .collect();
    assert_eq!(durations, [33, 34, 33, 1]);
}

#[test]
fn hundredths_of_a_second_do_not_drift() {
    let given: Vec<RecordingFrame> = (0..3000u64)
        .map(|n| RecordingFrame {
            time: Duration::from_micros(n * 33_333),
            screen: screen(&n.to_string()),
        })
        .collect();
    let animation = Animation::new(given, &AnimationOptions::default()).unwrap();
    let mut start = Duration::ZERO;
    for (n, frame) in animation.frames().iter().enumerate() {
        let tick = Duration::from_micros(n as u64 * 33_333);
        assert!(start.abs_diff(tick) <= Duration::from_millis(38), "{n}");
        assert!(frame.duration >= Timing::GIF.least);
        assert_eq!(frame.duration.as_nanos() % Timing::GIF.unit.as_nanos(), 0);
        start += frame.duration;
    }
    assert!(animation.frames().len() > 2990);
}

#[test]
fn a_frame_is_never_shorter_than_browsers_support() {
    let options = AnimationOptions {
        frame_rate: None,
        ..AnimationOptions::default()
    };
    check(
        options,
        &[(0, "a"), (10, "b"), (20, "c"), (30, "d"), (500, "e")],
        &[(20, "a"), (20, "c"), (460, "d"), (20, "e")],
    );
}

#[test]
fn a_loop_begins_with_the_frame_at_the_offset() {
    let given = [(0, "a"), (100, "b"), (300, "c"), (400, "c")];
    let with = |loop_offset| AnimationOptions {
        loop_offset,
        ..exact()
    };
    let time = |millis| with(LoopOffset::Time(Duration::from_millis(millis)));
    check(time(0), &given, &[(100, "a"), (200, "b"), (100, "c")]);
    check(time(150), &given, &[(200, "b"), (100, "c"), (100, "a")]);
    check(time(710), &given, &[(100, "c"), (100, "a"), (200, "b")]);
    check(
        with(LoopOffset::Share(0.25)),
        &given,
        &[(200, "b"), (100, "c"), (100, "a")],
    );
    check(
        with(LoopOffset::Share(1.0)),
        &given,
        &[(100, "a"), (200, "b"), (100, "c")],
    );
}

#[test]
fn smaller_screens_are_placed_in_the_corner_of_the_largest() {
    let mut given = frames(&[(0, "a"), (100, "b"), (200, "c")]);
    given[1].screen.size = Size { cols: 4, rows: 3 };
    given[1].screen.rows.resize(3, Arc::default());
    let animation = Animation::new(given, &exact()).unwrap();
    let size = Size { cols: 8, rows: 3 };
    assert_eq!(animation.size(), size);
    for frame in animation.frames() {
        assert_eq!((frame.screen.size, frame.screen.rows.len()), (size, 3));
    }
}

#[test]
fn a_frame_with_an_earlier_time_is_simultaneous() {
    check(
        exact(),
        &[(100, "a"), (50, "b"), (200, "c")],
        &[(100, "b"), (1, "c")],
    );
}

#[test]
fn invalid_options_are_errors() {
    #[track_caller]
    fn check(options: AnimationOptions, given: &[(u64, &str)], message: &str) {
        let error = Animation::new(frames(given), &options).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    check(exact(), &[], "an animation needs at least one frame");
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = AnimationOptions { speed, ..exact() };
        check(
            options,
            &[(0, "a")],
            &format!("speed `{speed}` is out of range: 0.01 to 1000"),
        );
    }
    let options = AnimationOptions {
        frame_rate: Some(0),
        ..exact()
    };
    check(
        options,
        &[(0, "a")],
        "frame rate `0` is out of range: 1 to 1000 frames per second",
    );
    let options = AnimationOptions {
        loop_offset: LoopOffset::Share(f64::NAN),
        ..exact()
    };
    check(
        options,
        &[(0, "a")],
        "loop offset `NaN` is out of range: 0 to 1",
    );
    check(
        exact(),
        &[(0, "a"), (90_000_000, "b")],
        "longer than 24 hours: an idle limit or a higher speed shortens it",
    );
    let options = AnimationOptions {
        hold: Duration::MAX,
        ..exact()
    };
    check(
        options,
        &[(0, "a")],
        "longer than 24 hours: an idle limit or a higher speed shortens it",
    );
}

#[test]
fn frames_beyond_the_limit_are_not_collected() {
    let mut taken = 0;
    let endless = (0..).inspect(|n| taken = *n).map(|n: u64| RecordingFrame {
        time: Duration::from_millis(n),
        screen: screen(if n.is_multiple_of(2) { "a" } else { "b" }),
    });
    assert_eq!(
        Animation::new(endless, &exact()),
        Err(AnimationError::TooManyFrames)
    );
    assert_eq!(taken as usize, MAX_FRAMES);
}
