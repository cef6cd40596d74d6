use super::*;
use crate::SizeError;
use crate::emulator::{Backend, EmulatorOptions};
use crate::random::{Random, rounds};

const HEADER: &str = r#"{"version": 2, "width": 10, "height": 2}"#;

fn cast(events: &str) -> Cast {
    Cast::parse(format!("{HEADER}\n{events}")).unwrap()
}

/// Checks the frames' texts and times, in milliseconds; writes within 50 ms form one frame.
#[track_caller]
fn check_frames(cast: &Cast, shown: &[(u64, &str)]) {
    let mut emulator = Backend::Vt.emulator(cast.header.size, EmulatorOptions::default());
    let frames: Vec<(u64, String)> = cast
        .frames(&mut *emulator, Duration::from_millis(50))
        .map(|frame| (frame.time.as_millis() as u64, frame.screen.text()))
        .collect();
    let frames: Vec<(u64, &str)> = frames.iter().map(|(at, text)| (*at, &**text)).collect();
    assert_eq!(frames, shown);
}

#[track_caller]
fn check_error(file: &str, message: &str) {
    let error = Cast::parse(file).unwrap_err();
    assert_eq!(error.to_string(), message);
}

fn times(cast: &Cast) -> Vec<u128> {
    cast.events
        .iter()
        .map(|event| event.time.as_micros())
        .collect()
}

#[test]
fn writes_close_together_are_one_frame() {
    check_frames(
        &cast(
            r#"[0.10, "o", "a"]
[0.12, "o", "b"]
[0.149, "o", "c"]
[0.15, "o", "d"]
[0.9, "o", "e"]"#,
        ),
        &[(0, ""), (149, "abc\n"), (150, "abcd\n"), (900, "abcde\n")],
    );
}

#[test]
fn the_last_event_ends_the_last_frame() {
    check_frames(
        &cast("[0.1, \"o\", \"a\"]\n[2.5, \"x\", \"0\"]"),
        &[(0, ""), (100, "a\n"), (2500, "a\n")],
    );
    check_frames(&cast("[1.5, \"i\", \"q\"]"), &[(0, ""), (1500, "")]);
    check_frames(&cast(""), &[(0, "")]);
}

#[test]
fn an_unfinished_synchronized_update_is_shown_at_the_end() {
    check_frames(
        &cast("[0.1, \"o\", \"\\u001b[?2026ha\"]\n[1.0, \"x\", \"0\"]"),
        &[(0, ""), (100, ""), (1000, "a\n")],
    );
}

#[test]
fn a_synchronized_update_begun_by_the_last_event_is_shown() {
    let cast = cast("[0.1, \"o\", \"a\"]\n[1.0, \"o\", \"\\u001b[?2026hb\"]");
    check_frames(
        &cast,
        &[(0, ""), (100, "a\n"), (1000, "a\n"), (1000, "ab\n")],
    );
}

#[test]
fn state_at_agrees_with_the_frames() {
    let cast = cast(
        r#"[0.1, "o", "a"]
[0.5, "r", "12x3"]
[0.9, "o", "\u001b[?2026hb"]
[1.0, "o", "c"]"#,
    );
    let at = |millis: u64| {
        let mut emulator = Backend::Vt.emulator(cast.header.size, EmulatorOptions::default());
        let state = cast.state_at(&mut *emulator, Duration::from_millis(millis), 10);
        (state.screen.text(), state.screen.size.cols)
    };
    assert_eq!(at(0), (String::new(), 10));
    assert_eq!(at(100), ("a\n".to_owned(), 10));
    assert_eq!(at(950), ("a\n".to_owned(), 12));
    // At the end, an unfinished update is shown as it is.
    assert_eq!(at(1000), ("abc\n".to_owned(), 12));
    assert_eq!(at(u64::MAX), ("abc\n".to_owned(), 12));
}

#[test]
fn relative_times_add_up_without_drift() {
    let mut file = r#"{"version": 3, "term": {"cols": 10, "rows": 2}}"#.to_owned();
    for _ in 0..1000 {
        file.push_str("\n[0.001, \"o\", \"\"]");
    }
    let cast = Cast::parse(&file).unwrap();
    assert_eq!(cast.duration(), Duration::from_secs(1));
    assert_eq!(times(&cast)[..2], [1000, 2000]);
}

#[test]
fn time_never_goes_back() {
    let cast = cast("[0.5, \"o\", \"a\"]\n[0.2, \"o\", \"b\"]");
    assert_eq!(times(&cast), [500_000, 500_000]);
}

#[test]
fn an_incomplete_last_line_is_omitted_and_reported() {
    let whole = cast("[0.5, \"o\", \"a\"]");
    assert_eq!(whole.cut_short, None);
    let line = "[0.7, \"o\", \"b\u{e9}\"]".as_bytes();
    for length in 1..line.len() {
        let mut file = format!("{HEADER}\n[0.5, \"o\", \"a\"]\n").into_bytes();
        file.extend(&line[..length]);
        let cut = Cast::parse(&file).unwrap();
        assert_eq!(cut.cut_short, Some(3), "{length} bytes");
        assert_eq!(cut.events, whole.events);
    }
}

#[test]
fn unknown_codes_are_ignored_but_their_time_counts() {
    let file = r#"{"version": 3, "term": {"cols": 10, "rows": 2}}
[1, "q", {"a": [1]}]
[1, "o", "a", "more"]
[1, 7, null]
[1, "m", "b"]"#;
    assert_eq!(times(&Cast::parse(file).unwrap()), [2_000_000, 4_000_000]);
}

#[test]
fn eight_colours_are_also_the_bright_ones() {
    let theme = CastTheme {
        fg: Rgb::hex(1),
        bg: Rgb::hex(2),
        palette: (10..18).map(Rgb::hex).collect(),
    };
    let shown = theme.theme(&Theme::DARK);
    assert_eq!(shown.fg, Rgb::hex(1));
    assert_eq!(
        (shown.indexed(7), shown.indexed(15)),
        (Rgb::hex(17), Rgb::hex(17))
    );
    assert_eq!(shown.selection, Theme::DARK.selection);
}

#[test]
fn an_invalid_theme_is_ignored() {
    for theme in [
        r##"{"fg": "red", "bg": "#000000", "palette": "#000000"}"##,
        r##"{"fg": "#000000", "bg": "#000000", "palette": "#000000:#000000"}"##,
        r##"{"fg": "#000000", "bg": "#000000"}"##,
        r##"{"fg": "#000000", "bg": "#000000", "palette": ["#000000"]}"##,
        r#""dracula""#,
        "1",
        "null",
    ] {
        for header in [
            r#""version": 2, "width": 10, "height": 2, "theme": THEME"#,
            r#""version": 3, "term": {"cols": 10, "rows": 2, "theme": THEME}"#,
        ] {
            let file = format!("{{{}}}", header.replace("THEME", theme));
            assert_eq!(Cast::parse(file).unwrap().header.theme, None, "{theme}");
        }
    }
}

#[test]
fn errors_name_the_line() {
    check_error("", "the file is empty");
    check_error(" \n\n", "the file is empty");
    check_error(
        "\x1b[1mhello",
        "line 1: not an asciicast's header: expected value",
    );
    check_error(
        "{}",
        "line 1: not an asciicast's header: missing field `version`",
    );
    check_error(
        r#"{"version": 4}"#,
        "unsupported version `4` (expected 1, 2 or 3)",
    );
    check_error(
        r#"{"version": 2, "width": 10}"#,
        "line 1: not an asciicast's header: no terminal size",
    );
    let after = |line: &str, message: &str| {
        check_error(&format!("{HEADER}\n# a comment\n{line}\n"), message);
    };
    after(
        "{}",
        "damaged at line 3: not an event, `[time, code, data]`: invalid type: map, expected a list of three values",
    );
    after(
        "[1, \"o\"]",
        "damaged at line 3: not an event, `[time, code, data]`: invalid length 2, expected a list of three values",
    );
    after(
        "[1, \"o\", \"a",
        "damaged at line 3: not an event, `[time, code, data]`: EOF while parsing a string",
    );
    after(
        "[1, \"r\", \"80\"]",
        "damaged at line 3: not an event, `[time, code, data]`: `80` is not a size, such as `80x24`",
    );
    after(
        "[1, \"x\", \"\\n\"]",
        "damaged at line 3: not an event, `[time, code, data]`: `\\n` is not an exit code",
    );
    after(
        "[-1, \"o\", \"\"]",
        "damaged at line 3: `-1` seconds is out of range (0 to 31536000)",
    );
    after(
        "[1e9, \"o\", \"\"]",
        "damaged at line 3: `1000000000` seconds is out of range (0 to 31536000)",
    );
    after(
        "[1, \"r\", \"80x0\"]",
        "damaged at line 3: not an event, `[time, code, data]`: `80x0` is not a size: `0` rows: a screen has 1 to 2000",
    );
}

#[test]
fn damaged_line_is_none_for_other_files() {
    let line = |file: &str| Cast::parse(file).unwrap_err().damaged_line();
    assert_eq!(line(""), None);
    assert_eq!(line("hello"), None);
    assert_eq!(line(r#"{"version": 9}"#), None);
    assert_eq!(line(r#"{"version": 2, "width": 0, "height": 2}"#), None);
    let size = Cast::parse(r#"{"version": 2, "width": 9, "height": 0}"#).unwrap_err();
    let source = SizeError::Rows(0);
    assert_eq!(size, CastParseError::Size { line: 1, source });
    for bad in ["{}", "[1, \"r\", \"0x0\"]", "[-1, \"o\", \"\"]"] {
        let file = format!("{HEADER}\n[0.5, \"o\", \"a\"]\n{bad}\n[0.6, \"o\", \"b\"]");
        assert_eq!(line(&file), Some(3), "{bad}");
    }
}

#[test]
fn damaged_files_never_panic() {
    let mut random = Random::new(11);
    let mut read = 0;
    for _ in 0..rounds() {
        let bytes = if random.one_in(4) {
            let len = random.below(200);
            random.bytes(len)
        } else {
            let file = *random.pick(&KEPT);
            random.damage(file)
        };
        let Ok(cast) = Cast::parse(&bytes) else {
            continue;
        };
        read += 1;
        assert_eq!(again(&cast, CastVersion::Three).events, cast.events);
        assert_eq!(again(&cast, CastVersion::Two).events, cast.events);
        if cast.header.size.cols < 200 && cast.header.size.rows < 200 {
            let mut emulator = Backend::Vt.emulator(cast.header.size, EmulatorOptions::default());
            let last = cast.frames(&mut *emulator, Duration::ZERO).last();
            assert!(last.is_some_and(|frame| frame.time == cast.duration()));
        }
    }
    assert!(read > 0);
}

/// Writes the file and reads it again.
#[track_caller]
fn again(cast: &Cast, version: CastVersion) -> Cast {
    let read = Cast::parse(cast.to_bytes(version)).unwrap();
    assert_eq!(read.version, version.number());
    read
}

const KEPT: [&[u8]; 3] = [
    include_bytes!("../../../tests/compatibility/demo-1.cast"),
    include_bytes!("../../../tests/compatibility/demo-2.cast"),
    include_bytes!("../../../tests/compatibility/demo-3.cast"),
];

#[test]
fn written_files_read_back_equal() {
    for file in KEPT {
        let cast = Cast::parse(file).unwrap();
        for version in [CastVersion::Two, CastVersion::Three] {
            let read = again(&cast, version);
            assert_eq!(read.header, cast.header);
            assert_eq!(read.events, cast.events);
        }
    }
}

#[test]
fn written_times_do_not_drift() {
    let mut cast = cast("");
    for n in 1..=10_000_u64 {
        let time = Duration::from_nanos(n * 333_333_333);
        let kind = CastEventKind::Output(String::new());
        cast.events.push(CastEvent { time, kind });
    }
    for version in [CastVersion::Two, CastVersion::Three] {
        let read = again(&cast, version);
        for (read, event) in read.events.iter().zip(&cast.events) {
            assert_eq!(read.time.as_micros(), event.time.as_micros());
        }
    }
}

#[test]
fn each_version_matches_asciinemas_output() {
    let mut cast = cast(
        r#"[0.5, "o", "\u001b[1mé\u2028\""]
[0.5, "i", "\u007f"]
[1.25, "m", ""]
[1.250001, "r", "12x3"]
[3, "x", "-1"]"#,
    );
    cast.header.term = "xterm".to_owned();
    cast.header.title = "a title".to_owned();
    cast.header.command = "vim \"x\"".to_owned();
    cast.header.recorded_at = Some(1_700_000_000);
    cast.header.idle_limit = Some(Duration::from_millis(2500));
    let text = |version| String::from_utf8(cast.to_bytes(version)).unwrap();
    assert_eq!(
        text(CastVersion::Two),
        "{\"version\":2,\"width\":10,\"height\":2,\"timestamp\":1700000000,\"idle_time_limit\":2.5,\
         \"command\":\"vim \\\"x\\\"\",\"title\":\"a title\",\"env\":{\"TERM\":\"xterm\"}}\n\
         [0.500, \"o\", \"\\u001b[1mé\u{2028}\\\"\"]\n\
         [0.500, \"i\", \"\u{7f}\"]\n\
         [1.250, \"m\", \"\"]\n\
         [1.250001, \"r\", \"12x3\"]\n\
         [3.000, \"x\", \"-1\"]\n"
    );
    let three = text(CastVersion::Three);
    assert!(
        three.starts_with(
            "{\"version\":3,\"term\":{\"cols\":10,\"rows\":2,\"type\":\"xterm\"},\"timestamp\""
        ),
        "{three}"
    );
    assert!(
        three.ends_with("[0.000001, \"r\", \"12x3\"]\n[1.749999, \"x\", \"-1\"]\n"),
        "{three}"
    );
}

#[test]
fn a_header_with_unknown_or_invalid_fields_is_read() {
    let header = |fields: &str| {
        let file = format!("{{\"version\": 2, \"width\": 9, \"height\": 2, {fields}}}");
        Cast::parse(file).unwrap().header
    };
    let known = header(
        r#""env": {"SHELL": null, "TERM": "screen", "LANG": "C", "n": [1]}, "timestamp": 12.5, "command": "ls""#,
    );
    assert_eq!(known.term, "screen");
    assert_eq!(
        known.env,
        BTreeMap::from([("LANG".to_owned(), "C".to_owned())])
    );
    assert_eq!(
        (known.recorded_at, known.command.as_str()),
        (Some(12), "ls")
    );
    for odd in [
        r#""env": ["TERM"], "timestamp": "today", "command": ["ls"]"#,
        r#""env": 7, "timestamp": -1, "command": {"a": {"b": []}}"#,
        r#""env": null, "timestamp": null, "command": null, "title": null"#,
        r#""env": {"TERM": {"TERM": true}}, "timestamp": 1e300"#,
    ] {
        assert_eq!(
            header(odd),
            CastHeader::new(Size { cols: 9, rows: 2 }),
            "{odd}"
        );
    }
}

#[test]
fn a_cast_with_many_resizes_gets_less_scrollback() {
    let cast = |resizes: usize, rows: u16| {
        let mut text = "{\"version\": 2, \"width\": 80, \"height\": 24}\n".to_owned();
        for n in 0..resizes {
            text.push_str(&format!("[{n}, \"r\", \"{}x{rows}\"]\n", 80 - n % 2));
        }
        Cast::parse(text).unwrap().emulator_options().scrollback
    };
    let usual = EmulatorOptions::default().scrollback;
    assert_eq!(cast(0, 24), usual);
    assert_eq!(cast(40, 24), usual);
    assert_eq!(cast(500, 24), 1000);
    assert_eq!(cast(50_000, 24), 4 * 24);
    assert_eq!(cast(600, 2000), 4 * 2000);
}

#[test]
fn a_cast_may_not_resize_a_large_screen_thousands_of_times() {
    let cast = |resizes: usize, size: &str| {
        let mut text = "{\"version\": 2, \"width\": 80, \"height\": 24}\n".to_owned();
        for n in 0..resizes {
            text.push_str(&format!("[{n}, \"r\", \"{size}\"]\n"));
        }
        Cast::parse(text).map(|cast| cast.events.len())
    };
    assert_eq!(cast(25, "2000x2000"), Ok(25));
    assert_eq!(
        cast(26, "2000x2000"),
        Err(CastParseError::TooManyResizes { line: 27 })
    );
    assert_eq!(cast(50_000, "80x24"), Ok(50_000));
}
