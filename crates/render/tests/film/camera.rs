//! Films drawn with real fonts.

use screentest_core::{Rgb, Screen, Size, Theme};
use screentest_render::film::{self, Film, WriteError, Writing};
use screentest_render::video::Reel;
use screentest_render::{
    Bar, Camera, Fill, Fonts, Options, SystemFonts, Window, apng, draw, gif, webp,
};

use crate::program;
use crate::shown;

fn options() -> Options {
    Options {
        window: Window {
            margin: 5,
            margin_fill: Fill::Color(Rgb::hex(0x6b50ff)),
            radius: 12,
            bar: Bar::Colorful,
            title: "cargo".to_owned(),
            ..Window::default()
        },
        ..Options::default()
    }
}

/// New fonts, so that nothing is left of an earlier film.
fn camera() -> Camera {
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    Camera::new(&Theme::DARK, &fonts, &options()).expect("the options are in range")
}

fn film() -> Film {
    // Typing, lines that scroll, a bar and a wheel: three parts.
    let frames = program::frames().into_iter().step_by(4);
    Film::new(frames, &film::Options::default()).expect("a film")
}

#[test]
fn a_shot_is_the_picture_of_its_screen() {
    let film = film();
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    let shown = shown::pictures(&film, &camera());
    for (shot, picture) in film.shots().iter().zip(shown) {
        let alone = draw(&shot.screen, &Theme::DARK, &fonts, &options()).expect("it is small");
        assert!(alone.data() == picture.pixels);
    }
}

/// Checks that a format gives the same bytes twice and with any number of threads.
#[track_caller]
fn check(encode: impl Fn(&Film, &Camera, &Writing) -> Result<Vec<u8>, WriteError>) {
    let film = film();
    let bytes = |threads| encode(&film, &camera(), &shown::with(threads)).expect("a film");
    let first = bytes(1);
    assert!(first == bytes(1), "twice with one thread");
    assert!(first == bytes(8), "with eight threads");
}

#[test]
fn a_gif_is_always_the_same() {
    check(gif::encode);
}

#[test]
fn an_apng_is_always_the_same() {
    check(apng::encode);
}

#[test]
fn a_webp_is_always_the_same() {
    check(webp::encode);
}

#[test]
fn the_pictures_of_a_video_are_always_the_same() {
    let film = film();
    let pictures = || {
        let mut reel = Reel::new(&film, &camera(), 4).expect("a reel");
        let mut pictures = Vec::new();
        while let Some(picture) = reel.next_picture() {
            pictures.extend_from_slice(picture);
        }
        pictures
    };
    assert!(pictures() == pictures());
}

#[test]
fn a_film_that_is_too_large_is_refused_before_it_is_drawn() {
    let film = Film::still(Screen::blank(Size {
        cols: 10_000,
        rows: 10_000,
    }));
    let camera = camera();
    let errors = [gif::encode, apng::encode, webp::encode]
        .map(|encode| encode(&film, &camera, &Writing::default()).expect_err("a gigapixel"));
    let messages = errors.map(|error| error.to_string());
    assert_eq!(
        messages,
        [
            "a picture of 100026x190056 pixels: a GIF has at most 65535 on a side",
            "a picture of 100026x190056 pixels cannot be drawn: it has 1 to 33554432 in all",
            "a picture of 100026x190056 pixels: a WebP has at most 16384 on a side",
        ]
    );
    Reel::new(&film, &camera, 30).expect_err("a gigapixel");
}
