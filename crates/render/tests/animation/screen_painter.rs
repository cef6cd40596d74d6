//! Tests of animations drawn by `ScreenPainter`, with the bundled fonts.

use screentest_core::{Rgb, Screen, Size, Theme};
use screentest_render::animation::{self, Animation, EncodeError, EncodeOptions, Painter};
use screentest_render::video::VideoFrames;
use screentest_render::{
    Bar, Fill, Fonts, Pixels, RenderOptions, ScreenPainter, SystemFonts, Window, apng, draw, gif,
    webp,
};

use crate::expected;
use crate::sample_frames;

fn options() -> RenderOptions {
    RenderOptions {
        window: Window {
            margin: 5,
            margin_fill: Fill::Color(Rgb::hex(0x6b50ff)),
            radius: 12,
            bar: Bar::Colorful,
            title: "cargo".to_owned(),
            ..Window::default()
        },
        ..RenderOptions::default()
    }
}

/// Uses new fonts, so that no glyphs are cached from an earlier animation.
fn painter() -> ScreenPainter {
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    ScreenPainter::new(&Theme::DARK, &fonts, &options()).expect("the options are in range")
}

fn animation() -> Animation {
    // The frames show typing, scrolling lines, a progress bar and a spinner.
    let frames = sample_frames::frames().into_iter().step_by(4);
    Animation::new(frames, &animation::AnimationOptions::default())
        .expect("there is at least one frame")
}

#[test]
fn frame_equals_its_screen_drawn_alone() {
    let animation = animation();
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    let expected = expected::pictures(&animation, &painter());
    for (frame, picture) in animation.frames().iter().zip(expected) {
        let alone = draw(&frame.screen, &Theme::DARK, &fonts, &options())
            .expect("the screen is small enough");
        assert!(alone.data() == picture.pixels);
    }
}

/// Checks that a second encoding and one with eight threads give the same bytes as the first.
#[track_caller]
fn check(
    encode: impl Fn(&Animation, &ScreenPainter, &EncodeOptions) -> Result<Vec<u8>, EncodeError>,
) {
    let animation = animation();
    let bytes = |threads| {
        encode(&animation, &painter(), &expected::with_threads(threads))
            .expect("there is at least one frame")
    };
    let first = bytes(1);
    assert!(
        first == bytes(1),
        "the second encoding with one thread differs"
    );
    assert!(first == bytes(8), "the encoding with eight threads differs");
}

#[test]
fn gif_encoding_is_deterministic() {
    check(gif::encode);
}

#[test]
fn apng_encoding_is_deterministic() {
    check(apng::encode);
}

#[test]
fn webp_encoding_is_deterministic() {
    check(webp::encode);
}

#[test]
fn video_frames_are_deterministic() {
    let animation = animation();
    let pictures = || {
        let mut video = VideoFrames::new(&animation, &painter(), 4).expect("video frames");
        let mut pictures = Vec::new();
        while let Some(picture) = video.next_frame() {
            pictures.extend_from_slice(picture);
        }
        pictures
    };
    assert!(pictures() == pictures());
}

#[test]
fn too_large_animation_is_rejected_before_drawing() {
    let animation = Animation::still(Screen::blank(Size {
        cols: 10_000,
        rows: 10_000,
    }));
    let painter = painter();
    let errors = [gif::encode, apng::encode, webp::encode].map(|encode| {
        encode(&animation, &painter, &EncodeOptions::default())
            .expect_err("the picture is too large")
    });
    let messages = errors.map(|error| error.to_string());
    assert_eq!(
        messages,
        [
            "a picture of 100026x190056 pixels is too large: GIF supports at most 65535 per side",
            "a picture of 100026x190056 pixels cannot be drawn: it may have 1 to 33554432 in total",
            "a picture of 100026x190056 pixels is too large: WebP supports at most 16384 per side",
        ]
    );
    VideoFrames::new(&animation, &painter, 30).expect_err("the picture is too large");
}

#[test]
fn frames_with_changed_colours_equal_their_screens_drawn_alone() {
    let (animation, _) = expected::recolored_animation(&animation::AnimationOptions::default());
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    let mut painter = painter();
    let extent = painter.extent(animation.size());
    let mut pixels = Pixels::filled(extent.width, extent.height, [0, 0, 0, 255]);
    let mut before = None;
    for frame in animation.frames() {
        painter.paint(&frame.screen, before, &mut pixels);
        before = Some(&frame.screen);
        let alone = draw(&frame.screen, &Theme::DARK, &fonts, &options())
            .expect("the screen is small enough");
        assert!(alone.data() == pixels.data());
    }
}
