//! Damaged files are refused, or read as something that can be written again; nothing panics.

use super::*;

#[test]
fn damaged_frames_are_screens_or_errors() {
    let mut random = Random::new(3);
    for _ in 0..rounds() / 4 {
        let size = random.size();
        let mut writer = FrameWriter::new();
        let lines: Vec<Vec<u8>> = (1..4)
            .filter_map(|seq| writer.line(shown(seq), &random.screen_of(size)))
            .collect();
        let mut reader = FrameReader::new();
        for line in &lines {
            let line = if random.one_in(2) {
                random.damage(line)
            } else {
                line.clone()
            };
            let Ok(read) = FrameLine::parse(&line, 1) else {
                continue;
            };
            if let Ok(screen) = reader.screen(&read) {
                assert_eq!(screen.rows.len(), usize::from(screen.size.rows));
                let screen = screen.clone();
                FrameWriter::new().line(shown(9), &screen).unwrap();
            }
        }
    }
}

#[test]
fn other_damaged_files_are_refused_or_read() {
    let mut random = Random::new(4);
    let screen = random.screen();
    let manifest = manifest().to_file();
    let ending = RecordingEnd::new("0123", 9, Millis::default(), 3, &screen).to_file();
    let line = InputLine {
        seq: 1,
        t_ms: Millis::default(),
        at: 0,
        kind: InputLineKind::Bytes {
            bytes: InputBytes(b"\xff".to_vec()),
        },
    };
    let line = to_line(&line);
    for _ in 0..rounds() {
        let _ = Manifest::parse(&random.damage(&manifest));
        let damaged = random.damage(&ending);
        if let Ok(ending) = RecordingEnd::parse(&damaged) {
            let _ = ending.screen();
        }
        let damaged = random.damage(&line);
        let _ = from_line::<InputLine>(&damaged, 1);
        let _ = from_line::<OutputLine>(&damaged, 1);
        let _ = from_line::<EventLine>(&damaged, 1);
        let _ = from_line::<ScrubReport>(&damaged, 1);
    }
}

/// Checks the error for an invalid line after a keyframe.
#[track_caller]
fn refused(line: &str, problem: &str) {
    let mut reader = FrameReader::new();
    let key = r#"{"key":true,"seq":1,"t_ms":0,"at":0,"size":[4,2],"rows":[[0,"ab"]],"cursor":{"x":0,"y":0}}"#;
    let key = FrameLine::parse(key.as_bytes(), 1).unwrap();
    reader.screen(&key).unwrap();
    let message = match FrameLine::parse(line.as_bytes(), 2) {
        Ok(line) => reader.screen(&line).unwrap_err(),
        Err(error) => error.to_string(),
    };
    assert_eq!(message, problem);
    // A line that failed halfway leaves no valid screen.
    let next = FrameLine::parse(br#"{"seq":3,"t_ms":0,"at":0}"#, 3).unwrap();
    if !line.contains("oops") {
        let message = reader.screen(&next).unwrap_err();
        assert_eq!(message, "a change without a keyframe before it");
    }
}

#[test]
fn invalid_frames_are_errors_that_name_the_problem() {
    let wrap = |rest: &str| format!(r#"{{"seq":2,"t_ms":0,"at":0,{rest}}}"#);
    for (rest, problem) in [
        (
            r#""rows":[[2,"x"]]"#,
            "row `2` is out of range: the screen has 2 rows",
        ),
        (
            r#""rows":[[0,"abcde"]]"#,
            "a row has more than the screen's 4 columns",
        ),
        (
            r#""rows":[[0,[["a",1]]]]"#,
            "style `1` is not defined: there are 0 styles",
        ),
        (
            r#""rows":[[0,[["a",0,3]]]]"#,
            "`3` columns: a character has 0, 1 or 2",
        ),
        (
            r#""move":[[0,1,2]]"#,
            "`move` of 2 rows from 1 to 0 is out of range: the screen has 2 rows",
        ),
        (
            r#""move":[[0,18446744073709551615,2]]"#,
            "`move` of 2 rows from 18446744073709551615 to 0 is out of range: the screen has 2 rows",
        ),
        (
            r#""looks":[{"fg":"red"}]"#,
            "`red` is not a colour (`#rrggbb`)",
        ),
        (r#""size":[4,2]"#, "`size` in a line that is not a keyframe"),
        (r#""key":true"#, "a keyframe without `size`"),
        (
            r#""key":true,"size":[1,2]"#,
            "`1` columns: a screen has 2 to 2000",
        ),
    ] {
        refused(&wrap(rest), problem);
    }
    refused("oops", "line 2: expected value at column 1");
}
