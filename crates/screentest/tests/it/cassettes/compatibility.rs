//! Compatibility with stored cassettes: they must stay readable forever. They are never recorded
//! again. When the format changes, another cassette is added.

use screentest::core::formats::cassette::manifest::RecordingStatus;
use screentest::core::{Color, Position, Rgb, Underline, Width};
use screentest::recording::cassette::{FrameSource, assertions_file};
use screentest::recording::{Moment, Player};

use super::*;

#[test]
fn version_1_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compatibility/first.cassette");
    let cassette = Cassette::open(&path).unwrap();
    cassette.verify_digests().unwrap();
    assert_eq!(cassette.manifest().status, RecordingStatus::Complete);
    assert_eq!(cassette.ending().exit_code, Some(7));
    assert_eq!(
        cassette.inputs().unwrap()[0].kind.bytes(),
        Some(&b"one\r"[..])
    );
    // Reads the stored frames, whatever emulator derives frames today.
    let mut player = Player::of_any_emulator(&cassette).unwrap();
    assert_eq!(player.seek(&Moment::Start).unwrap().text(), "");
    let screen = player.wait_for("exact", Duration::MAX).unwrap();
    let cell = |row, col| screen.cell(Position { row, col });
    assert_eq!(cell(0, 0).style.fg, Color::Indexed(1));
    assert_eq!(cell(0, 4).width, Width::Wide);
    assert_eq!(cell(1, 0).style.fg, Color::Rgb(Rgb::new(1, 2, 3)));
    assert_eq!(&*screen.title, "title");
    let last = player.seek(&Moment::End).unwrap();
    assert_eq!(last.text(), "\n  otherwavy\n");
    assert!(last.modes.alternate_screen);
    let wavy = last.cell(Position { row: 1, col: 7 });
    assert_eq!(wavy.style.underline, Underline::Curly);
    assert_eq!(*last, cassette.ending().screen().unwrap());
}

#[test]
fn assertions_of_version_1_are_checked() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compatibility/first.cassette");
    let cassette = Cassette::open(&path).unwrap();
    let assertions = assertions_file::read(&assertions_file::find(&path).unwrap()).unwrap();
    let checked = cassette.check(&assertions, FrameSource::Stored).unwrap();
    assert_eq!(checked.assertions, 3);
    assert!(checked.failed.is_empty(), "{:?}", checked.failed);
}
