//! Tests of GIF files.

use std::num::NonZeroU16;
use std::time::Duration;

use screentest_core::{RecordingFrame, Screen, Size};
use screentest_fixtures::random::Random;
use screentest_render::animation::{
    self, Animation, EncodeError, EncodeOptions, PixelSize, Repeat,
};
use screentest_render::gif::encode;

use crate::expected::{self, Picture, with_threads};
use crate::sample_frames;
use crate::test_painter::StrokePainter;

/// Decodes a GIF with the library's decoder.
fn decode(bytes: &[u8]) -> Vec<Picture> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let width = usize::from(decoder.width());
    let mut canvas = vec![[0; 4]; width * usize::from(decoder.height())];
    let mut pictures = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (index, pixel) in frame.buffer.chunks(4).enumerate() {
            let (x, y) = (
                index % usize::from(frame.width),
                index / usize::from(frame.width),
            );
            if pixel[3] != 0 {
                canvas[(top + y) * width + left + x] = pixel.try_into().unwrap();
            }
        }
        let picture = Picture {
            width,
            pixels: canvas.clone(),
            duration: Duration::from_millis(u64::from(frame.delay) * 10),
        };
        expected::add(&mut pictures, picture);
    }
    pictures
}

#[track_caller]
fn check(animation: &Animation, painter: &StrokePainter, far: u8) -> Vec<u8> {
    let bytes = encode(animation, painter, &with_threads(2)).unwrap();
    expected::check(
        &decode(&bytes),
        &expected::pictures(animation, painter),
        far,
    );
    bytes
}

#[test]
fn an_animation_of_few_colours_is_exact_and_has_one_palette() {
    let animation = Animation::new(
        sample_frames::frames().into_iter().take(85),
        &animation::AnimationOptions::default(),
    )
    .unwrap();
    let bytes = check(&animation, &expected::bare(6), 0);
    let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
    assert!(decoder.global_palette().is_some());
    while let Some(frame) = decoder.next_frame_info().unwrap() {
        assert!(frame.palette.is_none());
    }
}

#[test]
fn an_animation_of_many_colours_is_exact_while_each_frame_has_few() {
    let mut random = Random::new(1);
    for _ in 0..30 {
        // Each part has 3 colours on two backgrounds with 20 shades. That is below 256, but the
        // parts have different colours, so one palette is too small for all.
        let frames = (0..4).flat_map(|part| {
            let mut frames = expected::random_frames(&mut random, 3);
            for frame in &mut frames {
                frame.time += Duration::from_secs(part * 100_000);
            }
            frames
        });
        let options = animation::AnimationOptions {
            idle_limit: Some(Duration::from_secs(1)),
            ..animation::AnimationOptions::default()
        };
        let animation = Animation::new(frames, &options).unwrap();
        check(&animation, &expected::bare(20), 0);
    }
}

#[test]
fn frames_of_too_many_colours_are_close() {
    let mut random = Random::new(2);
    for _ in 0..10 {
        let animation =
            expected::random_animation(&mut random, 40, &animation::AnimationOptions::default());
        check(&animation, &expected::bare(255), 42);
    }
}

#[test]
fn random_animations_are_exact() {
    let mut random = Random::new(3);
    for round in 0..60 {
        let colors = 1 + random.below(6);
        let animation = expected::random_animation(
            &mut random,
            colors,
            &animation::AnimationOptions::default(),
        );
        let extent = PixelSize {
            width: random.below(3),
            height: random.below(3),
        };
        check(&animation, &StrokePainter::new(1 + round % 9, extent), 0);
    }
}

#[test]
fn a_still_screen_is_one_frame() {
    let screen = sample_frames::frames().remove(100).screen;
    let bytes = check(&Animation::still(screen), &expected::bare(8), 0);
    assert_eq!(decode(&bytes).len(), 1);
}

#[test]
fn a_pause_longer_than_a_frame_is_split() {
    let mut frames = sample_frames::frames();
    frames.truncate(2);
    frames[1].time = Duration::from_secs(3000);
    let animation = Animation::new(frames, &animation::AnimationOptions::default()).unwrap();
    check(&animation, &expected::bare(8), 0);
}

#[test]
fn the_number_of_repetitions_is_written() {
    let animation = Animation::still(Screen::blank(Size { cols: 2, rows: 1 }));
    for (repeat, read) in [
        (Repeat::Forever, gif::Repeat::Infinite),
        (Repeat::Times(NonZeroU16::MIN), gif::Repeat::Finite(0)),
        (
            Repeat::Times(NonZeroU16::new(3).unwrap()),
            gif::Repeat::Finite(2),
        ),
    ] {
        let options = EncodeOptions {
            repeat,
            ..with_threads(1)
        };
        let bytes = encode(&animation, &expected::bare(1), &options).unwrap();
        let decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        assert_eq!(decoder.repeat(), read);
    }
}

#[test]
fn too_large_picture_is_rejected_before_drawing() {
    let large = |cols, rows| {
        let frame = RecordingFrame {
            time: Duration::ZERO,
            screen: Screen::blank(Size { cols, rows }),
        };
        let animation = Animation::new([frame], &animation::AnimationOptions::default()).unwrap();
        encode(&animation, &expected::bare(1), &with_threads(1)).unwrap_err()
    };
    assert!(matches!(large(2000, 2000), EncodeError::Draw(_)));
    let wide = StrokePainter::new(
        1,
        PixelSize {
            width: 40_000,
            height: 0,
        },
    );
    let animation = Animation::still(Screen::blank(Size { cols: 2, rows: 1 }));
    assert_eq!(
        encode(&animation, &wide, &with_threads(1))
            .unwrap_err()
            .to_string(),
        "a picture of 80018x19 pixels is too large: GIF supports at most 65535 per side"
    );
}

#[test]
fn changed_colours_of_the_terminal_change_the_picture() {
    let (animation, pictures) = expected::recolored_animation(&Default::default());
    let bytes = check(&animation, &expected::bare(3), 0);
    assert_eq!(decode(&bytes).len(), pictures);
}
