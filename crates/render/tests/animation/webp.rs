//! Tests of WebP files.

use std::io::Cursor;
use std::num::NonZeroU16;
use std::time::Duration;

use screentest_core::{Screen, Size};
use screentest_fixtures::random::Random;
use screentest_render::animation::{Animation, EncodeOptions, PixelSize, Repeat};
use screentest_render::webp::encode;

use crate::expected::{self, Picture, fine, with_threads};
use crate::sample_frames;
use crate::test_painter::StrokePainter;

/// Decodes a WebP with the library's decoder.
fn decode(bytes: &[u8]) -> Vec<Picture> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).unwrap();
    let width = decoder.dimensions().0 as usize;
    let mut buffer = vec![0; decoder.output_buffer_size().unwrap()];
    let samples = if decoder.has_alpha() { 4 } else { 3 };
    let mut pictures = Vec::new();
    for _ in 0..decoder.num_frames().max(1) {
        let millis = if decoder.is_animated() {
            decoder.read_frame(&mut buffer).unwrap()
        } else {
            decoder.read_image(&mut buffer).unwrap();
            0
        };
        let pixels = buffer
            .chunks(samples)
            .map(|pixel| [pixel[0], pixel[1], pixel[2], 255]);
        let picture = Picture {
            width,
            pixels: pixels.collect(),
            duration: Duration::from_millis(millis.into()),
        };
        expected::add(&mut pictures, picture);
    }
    pictures
}

#[track_caller]
fn check(animation: &Animation, painter: &StrokePainter) {
    let bytes = encode(animation, painter, &with_threads(2)).unwrap();
    let mut drawn = expected::pictures(animation, painter);
    // An animation without changes is a still picture, which has no duration.
    if let [still] = &mut drawn[..] {
        still.duration = Duration::ZERO;
    }
    expected::check(&decode(&bytes), &drawn, 0);
}

#[test]
fn random_animations_are_exact() {
    let mut random = Random::new(8);
    for round in 0..30 {
        let colors = 1 + random.below(20);
        let animation = expected::random_animation(&mut random, colors, &fine());
        check(&animation, &expected::bare(1 + round * 8));
    }
}

#[test]
fn a_still_picture_has_no_container() {
    let animation = Animation::still(sample_frames::frames().remove(100).screen);
    check(&animation, &expected::bare(8));
    let bytes = encode(&animation, &expected::bare(8), &with_threads(1)).unwrap();
    assert_eq!(&bytes[12..16], b"VP8L");
}

#[test]
fn the_number_of_repetitions_is_written() {
    let frames = sample_frames::frames().into_iter().take(2);
    let animation = Animation::new(frames, &fine()).unwrap();
    let three = NonZeroU16::new(3).unwrap();
    for (repeat, read) in [
        (Repeat::Forever, image_webp::LoopCount::Forever),
        (Repeat::Times(three), image_webp::LoopCount::Times(three)),
    ] {
        let options = EncodeOptions {
            repeat,
            ..with_threads(1)
        };
        let bytes = encode(&animation, &expected::bare(1), &options).unwrap();
        let decoder = image_webp::WebPDecoder::new(Cursor::new(&bytes)).unwrap();
        assert_eq!(decoder.loop_count(), read);
    }
}

#[test]
fn a_picture_that_is_too_wide_is_refused() {
    let margin = PixelSize {
        width: 9000,
        height: 0,
    };
    let animation = Animation::still(Screen::blank(Size { cols: 2, rows: 1 }));
    let error = encode(&animation, &StrokePainter::new(1, margin), &with_threads(1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a picture of 18018x19 pixels is too large: WebP supports at most 16384 per side"
    );
}

#[test]
fn changed_colours_of_the_terminal_change_the_picture() {
    let (animation, _) = expected::recolored_animation(&fine());
    check(&animation, &expected::bare(3));
}
