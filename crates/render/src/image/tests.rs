use std::sync::Arc;

use screentest_core::screen::image::{ImageFormat, ImageRect, ImageSize};
use screentest_core::{ImageContent, ImageKind};

use super::*;
use crate::{Pixel, Pixels};

fn content(file: &[u8]) -> ImageContent {
    ImageContent::file(file).expect("a known format")
}

fn pixels(width: u32, data: &[Pixel]) -> Pixels {
    let size = ImageSize::new(width, data.len() as u32 / width);
    let image = ImageContent::rgba(size, data.as_flattened()).expect("it fits");
    decode::pixels(&image).expect("pixels")
}

/// The picture that the clients of the tests were given.
const BALL: &[u8] = include_bytes!("../../../core/tests/images/ball.png");

/// Checks the size of a file and that its pixels are near those of the picture at some places.
#[track_caller]
fn check(file: &[u8], format: ImageFormat, tolerance: u8) {
    assert_eq!(
        ImageFormat::read(file).map(|(format, _)| format),
        Some(format)
    );
    let (ball, other) = (
        decode::pixels(&content(BALL)),
        decode::pixels(&content(file)),
    );
    let (ball, other) = (ball.expect("a PNG"), other.expect("pixels"));
    assert_eq!((other.width(), other.height()), (48, 32));
    for (x, y) in [(24, 16), (20, 12), (2, 2), (9, 2)] {
        let (one, two) = (ball.row(y)[x], other.row(y)[x]);
        let near = |index: usize| one[index].abs_diff(two[index]) <= tolerance;
        assert!((0..3).all(near), "{x},{y}: {one:?} {two:?}");
    }
}

#[test]
fn every_format_shows_the_same_picture() {
    check(BALL, ImageFormat::Png, 0);
    check(
        include_bytes!("../../../core/tests/images/ball.jpg"),
        ImageFormat::Jpeg,
        24,
    );
    check(
        include_bytes!("../../../core/tests/images/ball.gif"),
        ImageFormat::Gif,
        24,
    );
}

#[test]
fn uncompressed_tiff_files_are_decoded() {
    let mut file = b"II*\0\x0e\0\0\0\x01\x02\x03\x04\x05\x06\x07\0".to_vec();
    let entries: [(u16, u32); 8] = [
        (256, 1),
        (257, 2),
        (258, 8),
        (259, 1),
        (262, 2),
        (273, 8),
        (277, 3),
        (278, 2),
    ];
    file.truncate(14);
    file.extend((entries.len() as u16).to_le_bytes());
    for (tag, value) in entries {
        let count: u32 = if tag == 258 { 3 } else { 1 };
        // The three numbers of bits are after the directory.
        let value = if tag == 258 { 14 + 2 + 8 * 12 } else { value };
        file.extend(tag.to_le_bytes());
        file.extend([if tag == 258 { 3 } else { 4 }, 0]);
        file.extend(count.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([8, 0, 8, 0, 8, 0]);
    let decoded = decode::pixels(&content(&file)).expect("pixels");
    assert_eq!(decoded.data(), [[1, 2, 3, 255], [4, 5, 6, 255]]);
    // A strip outside the file.
    let at = 14 + 2 + 5 * 12 + 8;
    file[at] = 200;
    assert!(decode::pixels(&content(&file)).is_none());
}

#[test]
fn damaged_files_have_no_pixels_and_do_not_panic() {
    let files = [
        BALL,
        include_bytes!("../../../core/tests/images/ball.jpg"),
        include_bytes!("../../../core/tests/images/ball.gif"),
    ];
    let mut random = screentest_fixtures::random::Random::new(3);
    for file in files {
        assert!(decode::pixels(&content(&file[..file.len() / 3])).is_none() || file != BALL);
        for _ in 0..300 {
            let damaged = random.damage(file);
            if let Some(image) = ImageContent::file(damaged) {
                let decoded = decode::pixels(&image);
                let size = image.size();
                assert!(decoded.is_none_or(|decoded| {
                    (decoded.width(), decoded.height())
                        == (size.width as usize, size.height as usize)
                }));
            }
        }
    }
}

fn whole(image: &Pixels) -> ImageRect {
    ImageRect::of(ImageSize::new(image.width() as u32, image.height() as u32))
}

#[test]
fn scaling_keeps_areas_of_one_color_and_parts() {
    let red = [200, 10, 20, 255];
    let blue = [1, 2, 250, 255];
    let image = pixels(4, &[red, red, blue, blue, red, red, blue, blue]);
    let large = resample::scaled(&image, whole(&image), 40, 10);
    assert_eq!((large.row(5)[2], large.row(5)[37]), (red, blue));
    let small = resample::scaled(&image, whole(&image), 2, 1);
    assert_eq!((small.row(0)[0][3], small.row(0)[1][3]), (255, 255));
    assert!(small.row(0)[0][0] > 150 && small.row(0)[1][2] > 150);
    let part = ImageRect {
        x: 2,
        width: 2,
        ..whole(&image)
    };
    let half = resample::scaled(&image, part, 7, 3);
    assert!(half.data().iter().all(|pixel| *pixel == blue));
    let same = resample::scaled(&image, whole(&image), 4, 2);
    assert_eq!(same, image);
}

#[test]
fn transparent_pixels_do_not_bleed() {
    let image = pixels(2, &[[255, 255, 255, 255], [0, 0, 0, 0]]);
    let large = resample::scaled(&image, whole(&image), 20, 1);
    for pixel in large.data() {
        assert!(pixel[3] == 0 || pixel[..3] == [255, 255, 255], "{pixel:?}");
    }
    assert_eq!((large.row(0)[0][3], large.row(0)[19][3]), (255, 0));
}

#[test]
fn a_reduced_checkerboard_is_grey() {
    let (black, white) = ([0, 0, 0, 255], [255, 255, 255, 255]);
    let board: Vec<Pixel> = (0..64 * 64)
        .map(|at| {
            if (at % 64 + at / 64) % 2 == 0 {
                black
            } else {
                white
            }
        })
        .collect();
    let image = pixels(64, &board);
    let small = resample::scaled(&image, whole(&image), 8, 8);
    assert!(
        small.data().iter().all(|pixel| pixel[0].abs_diff(127) <= 2),
        "{small:?}"
    );
}

#[test]
fn a_cache_decodes_an_image_once() {
    let placed = ImagePlacement {
        image: Arc::new(content(BALL)),
        kind: ImageKind::Kitty,
        row: -1,
        col: 2,
        cols: 6,
        rows: 2,
        source: ImageRect::of(ImageSize::new(48, 32)),
        drawn: ImageRect::of(ImageSize::new(48, 32)),
        z: 0,
        visible: Arc::default(),
    };
    let cache = ImageCache::default();
    let one = cache.decoded(&placed).expect("a PNG");
    assert!(Arc::ptr_eq(&one, &cache.decoded(&placed).expect("a PNG")));
    let rect = PlacedRect {
        x: 0,
        y: 0,
        width: 60,
        height: 40,
    };
    let scaled = cache.scaled(&placed, rect).expect("a PNG");
    assert_eq!((scaled.width(), scaled.height()), (60, 40));
    // An enormous picture of an image is drawn from a smaller one.
    let rect = PlacedRect {
        width: 100_000,
        height: 50_000,
        ..rect
    };
    let scaled = cache.scaled(&placed, rect).expect("a PNG");
    assert!(scaled.data().len() <= 1 << 24);
}
