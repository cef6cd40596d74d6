//! Tests for cassettes: nothing is lost, and no input panics.

use std::collections::BTreeMap;
use std::time::Duration;

use super::frames::FrameTime;
use super::input::InputBytes;
use super::manifest::{
    FileEntry, PinnedEmulator, Provenance, RecordedCommand, RecordedEnvironment, RecordedTerminal,
    RecordingStatus, RecordingTiming,
};
use super::*;
use crate::random::{ControlChars, Random, rounds};
use crate::{Backend, Palette, PaletteEntry, Rgb, Screen, Size};

mod derived;
mod garbage;
mod sizes;

fn shown(seq: u64) -> FrameTime {
    FrameTime {
        seq,
        time: Millis::new(Duration::from_micros(seq * 1500)),
        at: seq * 10,
        unfinished: false,
    }
}

fn terminal(size: Size) -> RecordedTerminal {
    let emulator = Backend::Vt.emulator(size, crate::emulator::EmulatorOptions::default());
    RecordedTerminal {
        cols: size.cols,
        rows: size.rows,
        term: "xterm-256color".to_owned(),
        locale: "C.UTF-8".to_owned(),
        scrollback: 1000,
        hostname: None,
        emulator: PinnedEmulator::of(emulator.identity()),
    }
}

fn manifest() -> Manifest {
    let facts = |name: &&str| {
        let facts = FileEntry {
            bytes: name.len() as u64,
            sha256: Digest::of(name.as_bytes()),
        };
        (name.to_string(), facts)
    };
    Manifest::new(
        "0123".to_owned(),
        RecordingStatus::Complete,
        RecordedCommand {
            program: "sh".to_owned(),
            args: vec!["-c".to_owned(), "true".to_owned()],
            cwd: None,
        },
        RecordedEnvironment::default(),
        terminal(Size { cols: 80, rows: 24 }),
        RecordingTiming::monotonic(Millis::new(Duration::from_millis(12))),
        Provenance::default(),
        NAMES.iter().map(facts).collect::<BTreeMap<_, _>>(),
    )
}

/// Writes screens and reads them again.
#[track_caller]
fn round_trip(screens: &[Screen]) {
    let mut writer = FrameWriter::new();
    let mut reader = FrameReader::new();
    let mut last: Option<&Screen> = None;
    for (seq, screen) in (1..).zip(screens) {
        let line = writer.line(shown(seq), screen);
        assert_eq!(line.is_none(), last == Some(screen));
        last = Some(screen);
        let Some(line) = line else { continue };
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        let read = FrameLine::parse(&line, 1).unwrap();
        assert_eq!(read.is_key(), line.starts_with(frames::KEY));
        assert_eq!((read.seq, read.at), (seq, seq * 10));
        assert_eq!(reader.screen(&read).unwrap(), screen);
    }
}

#[test]
fn attached_numbers_round_trip_exactly() {
    for number in ["5.892447780600201e+155", "7.79917250819187e-157", "0.1"] {
        let line = format!("{{\"seq\":1,\"t_ms\":0,\"at\":0,\"data\":{number}}}\n");
        let read: EventLine = from_line(line.as_bytes(), 1).unwrap();
        assert_eq!(String::from_utf8(to_line(&read)).unwrap(), line);
    }
}

#[test]
fn every_screen_round_trips() {
    let mut random = Random::with(1, ControlChars::None);
    for _ in 0..rounds() / 4 {
        let size = random.size();
        let screens: Vec<Screen> = (0..4).map(|_| random.screen_of(size)).collect();
        round_trip(&screens);
    }
}

#[test]
fn images_round_trip_without_their_content() {
    let mut random = Random::with(4, ControlChars::None);
    for _ in 0..rounds() / 4 {
        let size = random.size();
        let screens = (0..4).map(|_| Screen::blank(size));
        let screens: Vec<Screen> = screens.map(|screen| random.with_images(screen)).collect();
        round_trip(&screens);
    }
}

#[test]
fn an_image_is_stored_with_its_place_and_hash() {
    let mut screen = Random::new(7).with_images(Screen::blank(Size { cols: 9, rows: 4 }));
    screen.images = screen.images.iter().take(1).cloned().collect();
    let hash = screen.images[0].image.hash().to_hex();
    let line = FrameWriter::new()
        .line(shown(1), &screen)
        .expect("a keyframe");
    let line = String::from_utf8(line).expect("UTF-8");
    assert_eq!(
        line,
        format!(
            "{{\"key\":true,\"seq\":1,\"t_ms\":1.5,\"at\":10,\"size\":[9,4],\"cursor\":{{\"x\":0,\"y\":0}},\
             \"images\":[{{\"kind\":\"kitty\",\"hash\":\"{hash}\",\"pixels\":[1,1],\"row\":-2,\"col\":-2,\
             \"cells\":[10,4],\"drawn\":[0,2,300,91]}}]}}\n"
        )
    );
    // Values that no writer produces.
    for (from, to) in [
        ("\"hash\":\"", "\"hash\":\"x"),
        ("\"kind\":\"", "\"kind\":\"x"),
        ("\"pixels\":[", "\"pixels\":[99999"),
        ("\"cells\":[", "\"cells\":[9999999"),
    ] {
        let wrong = line.replacen(from, to, 1);
        let read = FrameLine::parse(wrong.as_bytes(), 1).expect("it is JSON");
        let error = FrameReader::new().screen(&read).unwrap_err();
        assert!(error.starts_with("`images` has a wrong"), "{error}");
    }
}

#[test]
fn screens_round_trip_across_a_resize() {
    let mut random = Random::with(2, ControlChars::None);
    let screens: Vec<Screen> = [(10, 3), (12, 3), (12, 2), (80, 24)]
        .map(|(cols, rows)| random.screen_of(Size { cols, rows }))
        .to_vec();
    round_trip(&screens);
}

#[test]
fn inputs_round_trip() {
    let text = |bytes: &[u8]| InputBytes(bytes.to_vec());
    for kind in [
        InputLineKind::Key {
            name: "Ctrl+C".to_owned(),
            bytes: text(b"\x03"),
        },
        InputLineKind::Text {
            bytes: text("é".as_bytes()),
        },
        InputLineKind::Bytes {
            bytes: text(b"\xff\x00"),
        },
        InputLineKind::Reply {
            bytes: text(b"\x1b[?62c"),
        },
        InputLineKind::Resize {
            cols: 100,
            rows: 30,
        },
        InputLineKind::Signal {
            name: "SIGINT".to_owned(),
        },
        InputLineKind::Withheld,
    ] {
        let line = InputLine {
            seq: 7,
            t_ms: Millis::new(Duration::from_micros(1500)),
            at: 3,
            kind,
        };
        let written = to_line(&line);
        assert_eq!(from_line::<InputLine>(&written, 1).unwrap(), line);
    }
    let withheld = br#"{"seq":7,"t_ms":1.5,"at":3,"kind":"withheld"}"#;
    let read: InputLine = from_line(withheld, 1).unwrap();
    assert_eq!(read.kind, InputLineKind::Withheld);
}

#[test]
fn a_manifest_round_trips() {
    let mut manifest = manifest();
    let file = manifest.to_file();
    assert_eq!(Manifest::parse(&file).unwrap(), manifest);
    assert_ne!(manifest.digest(), Digest::ZERO);
}

#[test]
fn every_changed_byte_of_a_manifest_is_detected() {
    let file = manifest().to_file();
    for at in 0..file.len() {
        for bit in [0, 5] {
            let mut changed = file.clone();
            changed[at] ^= 1 << bit;
            Manifest::parse(&changed).unwrap_err();
        }
    }
}

#[test]
fn each_kind_of_invalid_manifest_has_its_own_error() {
    let file = String::from_utf8(manifest().to_file()).unwrap();
    let message = |from: &str, to: &str| {
        let changed = file.replacen(from, to, 1);
        assert_ne!(changed, file);
        Manifest::parse(changed.as_bytes()).unwrap_err().to_string()
    };
    assert_eq!(
        message("\"version\": 1", "\"version\": 2"),
        "unsupported version `2` (expected at most 1); a newer screentest may read it"
    );
    assert_eq!(
        message("screentest-cassette", "vcr"),
        "`format` is `vcr`, not `screentest-cassette`"
    );
    assert_eq!(
        message("\"id\"", "\"requires\": [\"sixel\"], \"id\""),
        "the cassette requires the unknown feature `sixel`; a newer screentest may read it"
    );
    let changed = message("\"sh\"", "\"su\"");
    assert!(
        changed.starts_with("the manifest was changed: "),
        "{changed}"
    );
    let missing = message("\"terminal\"", "\"terminus\"");
    assert!(
        missing.starts_with("not a manifest: missing field `terminal`"),
        "{missing}"
    );
}

#[test]
fn names_with_control_characters_are_refused() {
    let refused = |change: fn(&mut Manifest)| {
        let mut manifest = manifest();
        change(&mut manifest);
        Manifest::parse(&manifest.to_file())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(|manifest| manifest.terminal.emulator.name = "a\x1b]0;t\x07".to_owned()),
        "`terminal.emulator.name` contains the control character `\\u{1b}`"
    );
    assert_eq!(
        refused(|manifest| manifest.provenance.recorder = "a\u{9b}31m".to_owned()),
        "`provenance.recorder` contains the control character `\\u{9b}`"
    );
    // Arguments may contain any character.
    let mut manifest = manifest();
    manifest.command.args = vec!["printf '\x1b[1m'\n".to_owned()];
    Manifest::parse(&manifest.to_file()).unwrap();
}

#[test]
fn rows_with_control_characters_are_refused() {
    for row in [
        r#""a\u001b[2J""#,
        r#"[["\u009b",0]]"#,
        r#"[["\u001b",0,2]]"#,
        r#"[[["e\u007f"],0,1]]"#,
    ] {
        let key = r#"{"key":true,"seq":1,"t_ms":0,"at":0,"size":[20,4],"rows":[[0,ROW]]}"#;
        let line = FrameLine::parse(key.replace("ROW", row).as_bytes(), 1).unwrap();
        let error = FrameReader::new().screen(&line).unwrap_err();
        assert!(
            error.starts_with("a row contains the control character `\\u{"),
            "{error}"
        );
    }
}

#[test]
fn changed_colours_are_stored_when_they_change() {
    let mut screen = Screen::blank(Size { cols: 9, rows: 2 });
    let mut writer = FrameWriter::new();
    let mut reader = FrameReader::new();
    let mut check = |seq, screen: &Screen, json: Option<&str>| {
        let line = writer.line(shown(seq), screen).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        let palette = value.get("palette").map(ToString::to_string);
        assert_eq!(palette.as_deref(), json);
        let line = FrameLine::parse(&line, 1).unwrap();
        assert_eq!(reader.screen(&line).unwrap(), screen);
    };
    check(1, &screen, None);
    screen
        .palette
        .set(PaletteEntry::Background, Rgb::hex(0x102040));
    screen
        .palette
        .set(PaletteEntry::Indexed(200), Rgb::hex(0xaabbcc));
    check(
        2,
        &screen,
        Some(r##"{"200":"#aabbcc","background":"#102040"}"##),
    );
    screen.title = "t".into();
    check(3, &screen, None);
    screen.palette = Palette::default();
    check(4, &screen, Some("{}"));
    screen.palette.set(PaletteEntry::Cursor, Rgb::hex(1));
    check(5, &screen, Some(r##"{"cursor":"#000001"}"##));
}

#[test]
fn invalid_palettes_are_refused() {
    for (palette, error) in [
        (
            r##"{"256":"#102040"}"##,
            "`256` is not a colour of the terminal",
        ),
        (
            r##"{"border":"#102040"}"##,
            "`border` is not a colour of the terminal",
        ),
        (r##"{"1":"red"}"##, "`red` is not a colour (`#rrggbb`)"),
    ] {
        let line =
            format!(r#"{{"key":true,"seq":1,"t_ms":0,"at":0,"size":[20,4],"palette":{palette}}}"#);
        let found = FrameLine::parse(line.as_bytes(), 1)
            .unwrap_err()
            .to_string();
        assert!(found.contains(error), "{found}");
    }
}
