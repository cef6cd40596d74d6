use super::*;
use crate::screen::image::{ImageData, ImageSize};

/// Sends an image and returns its size, and its pixels or the first bytes of its file.
fn received(commands: &[&str]) -> Option<(ImageSize, Vec<u8>)> {
    let mut session = Session::default();
    let mut received = None;
    for command in commands {
        received = session
            .outcome(command)
            .and_then(|outcome| outcome.received);
    }
    let image = received?.content;
    let data = match image.data() {
        ImageData::Rgba(pixels) => pixels.to_vec(),
        ImageData::File(_, file) => file[..8].to_vec(),
        ImageData::Missing => panic!("no data"),
    };
    Some((image.size(), data))
}

#[track_caller]
fn check(commands: &[&str], width: u32, height: u32, data: &[u8]) {
    let expected = Some((ImageSize::new(width, height), data.to_vec()));
    assert_eq!(received(commands), expected, "{commands:?}");
}

#[test]
fn pixels_have_three_or_four_bytes() {
    check(
        &["a=t,f=24,s=1,v=2;AQIDBAUG"],
        1,
        2,
        &[1, 2, 3, 255, 4, 5, 6, 255],
    );
    check(&["a=t,f=32,s=1,v=1;AQIDBA=="], 1, 1, &[1, 2, 3, 4]);
    check(&["s=1,v=1;AQIDBA"], 1, 1, &[1, 2, 3, 4]);
}

#[test]
fn data_may_be_compressed() {
    // `zlib.compress(bytes([1, 2, 3, 4]))` in Python.
    check(&["s=1,v=1,o=z;eJxjZGJmAQAAGAAL"], 1, 1, &[1, 2, 3, 4]);
}

#[test]
fn data_may_come_in_chunks() {
    let (first, last) = ("a=T,f=24,s=1,v=2,m=1;AQID", "m=0;BAUG");
    let pixels = [1, 2, 3, 255, 4, 5, 6, 255];
    check(&[first, last], 1, 2, &pixels);
    // Chunks of any size, with or without data and padding.
    check(
        &[
            "s=1,v=2,f=24,m=1",
            "m=1;AQ==",
            "m=1;Ag",
            "m=1;AwQF",
            "m=1;Bg==",
            "m=0",
        ],
        1,
        2,
        &pixels,
    );
    // kitty's own clients repeat some keys in every chunk.
    check(&[first, "a=T,q=2,m=0;BAUG"], 1, 2, &pixels);
    // A delete command ends the transfer, and the last chunk alone is nothing.
    assert_eq!(received(&[first, "a=d", last]), None);
    assert_eq!(received(&[first]), None);
}

#[test]
fn the_answer_follows_the_last_chunk() {
    let mut session = Session::default();
    assert_eq!(session.answer("a=T,i=3,f=24,s=1,v=2,m=1;AQID"), "");
    assert_eq!(session.answer("m=1;BAU"), "");
    assert_eq!(session.shown(), "");
    session.cursor = Position { row: 4, col: 5 };
    assert_eq!(session.answer("m=0;Bg"), "i=3;OK");
    // It is placed where the cursor is now.
    assert_eq!(session.shown(), "1x1@4,5");
    session.answer("a=T,i=3,f=24,s=1,v=2,m=1;AQID");
    assert_eq!(session.answer("q=1,m=0;BAUG"), "");
    // An error ends the transfer; the remaining chunks are ignored.
    assert_eq!(
        session.answer("a=T,i=3,f=24,s=1,v=1,m=1;AQIDBAUG"),
        "i=3;EFBIG:Too much data"
    );
    assert_eq!(session.answer("m=0;AQID"), "");
}

#[test]
fn real_clients_are_understood() {
    for (sent, width, height, cells) in [
        (
            &include_bytes!("../../../../../tests/images/ball.chafa.kitty")[..],
            64,
            16,
            "8x2@0,0",
        ),
        (
            &include_bytes!("../../../../../tests/images/ball.timg.kitty")[..],
            48,
            32,
            "6x2@0,0",
        ),
    ] {
        let mut session = Session::default();
        let text = String::from_utf8_lossy(sent);
        let mut received = Vec::new();
        for command in text.split("\x1b_G").skip(1) {
            let (command, _) = command.split_once("\x1b\\").expect("an end");
            let outcome = session.outcome(command).expect("a command");
            received.extend(outcome.received.map(|image| image.content.size()));
        }
        assert_eq!(received, [ImageSize::new(width, height)]);
        assert_eq!(session.shown(), cells);
    }
}

#[test]
fn memory_is_bounded() {
    let mut session = Session::default();
    // Four megabytes each, of different colours.
    for index in 0..40_u32 {
        let pixels = index.to_be_bytes().repeat(1 << 20);
        let base64 = {
            use ::base64::Engine;
            ::base64::engine::general_purpose::STANDARD.encode(pixels)
        };
        let command = format!("a=T,i={},s=1024,v=1024,c=1,r=1;{base64}", index + 1);
        assert_eq!(session.answer(&command), format!("i={};OK", index + 1));
    }
    assert_eq!(session.images().len(), 15);
    assert!(session.answer("a=p,i=1").contains("ENOENT"));
    assert_eq!(session.answer("a=p,i=40"), "i=40;OK");
}
