//! Tests of APNG files.

use std::io::Cursor;
use std::num::NonZeroU16;
use std::time::Duration;

use screentest_fixtures::random::Random;
use screentest_render::animation::{Animation, EncodeOptions, Repeat};
use screentest_render::apng::encode;

use crate::expected::{self, Picture, fine, with_threads};
use crate::sample_frames;
use crate::test_painter::StrokePainter;

/// Decodes an APNG with the library's decoder, which does not compose frames.
fn decode(bytes: &[u8]) -> Vec<Picture> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let width = reader.info().width as usize;
    let mut canvas = vec![[0; 4]; width * reader.info().height as usize];
    let frames = reader.info().animation_control().unwrap().num_frames;
    let mut pictures = Vec::new();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    for _ in 0..frames {
        let info = reader.next_frame(&mut buffer).unwrap();
        let control = *reader.info().frame_control().unwrap();
        assert_eq!((info.width, info.height), (control.width, control.height));
        let samples = info.color_type.samples();
        for (index, pixel) in buffer[..info.buffer_size()].chunks(samples).enumerate() {
            let (x, y) = (index % info.width as usize, index / info.width as usize);
            let place = (control.y_offset as usize + y) * width + control.x_offset as usize + x;
            match *pixel {
                [r, g, b] | [r, g, b, 255] => canvas[place] = [r, g, b, 255],
                [_, _, _, 0] => assert_eq!(control.blend_op, png::BlendOp::Over),
                _ => panic!("half clear"),
            }
        }
        let delay = Duration::from_secs(control.delay_num.into()) / u32::from(control.delay_den);
        let picture = Picture {
            width,
            pixels: canvas.clone(),
            duration: delay,
        };
        expected::add(&mut pictures, picture);
    }
    pictures
}

#[track_caller]
fn check(animation: &Animation, painter: &StrokePainter) -> Vec<u8> {
    let bytes = encode(animation, painter, &with_threads(2)).unwrap();
    expected::check(&decode(&bytes), &expected::pictures(animation, painter), 0);
    bytes
}

#[test]
fn random_animations_are_exact() {
    let mut random = Random::new(6);
    for round in 0..40 {
        let colors = 1 + random.below(8);
        let animation = expected::random_animation(&mut random, colors, &fine());
        check(&animation, &expected::bare(1 + round % 40));
    }
}

#[test]
fn many_colours_are_exact_too() {
    let mut random = Random::new(7);
    let animation = expected::random_animation(&mut random, 60, &fine());
    check(&animation, &expected::bare(255));
}

#[test]
fn a_still_screen_is_one_frame() {
    let screen = sample_frames::frames().remove(100).screen;
    let bytes = check(&Animation::still(screen), &expected::bare(8));
    assert_eq!(decode(&bytes).len(), 1);
}

#[test]
fn the_number_of_repetitions_is_written() {
    let animation = Animation::still(sample_frames::frames().remove(0).screen);
    let three = Repeat::Times(NonZeroU16::new(3).unwrap());
    for (repeat, plays) in [(Repeat::Forever, 0), (three, 3)] {
        let options = EncodeOptions {
            repeat,
            ..with_threads(1)
        };
        let bytes = encode(&animation, &expected::bare(1), &options).unwrap();
        let reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_plays, plays);
    }
}

#[test]
fn changed_colours_of_the_terminal_change_the_picture() {
    let (animation, pictures) = expected::recolored_animation(&fine());
    let bytes = check(&animation, &expected::bare(3));
    assert_eq!(decode(&bytes).len(), pictures);
}
