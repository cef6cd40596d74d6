//! Expected pictures of an animation, drawn frame by frame, and random animations.

use std::sync::Arc;
use std::time::Duration;

use screentest_core::emulator::EmulatorOptions;
use screentest_core::screen::row::LinkId;
use screentest_core::{
    Backend, Color, Position, RecordingFrame, Rgb, RowBuilder, Screen, Size, Style,
};
use screentest_fixtures::random::Random;
use screentest_render::animation::{
    Animation, AnimationOptions, EncodeOptions, Painter, PixelSize, Threads, Timing,
};
use screentest_render::{Pixel, Pixels};

use crate::test_painter::StrokePainter;

/// Returns options with this number of threads.
pub(crate) fn with_threads(threads: usize) -> EncodeOptions {
    EncodeOptions {
        threads: Threads::new(threads),
        ..EncodeOptions::default()
    }
}

/// Returns options for formats with times in thousandths of a second.
pub(crate) fn fine() -> AnimationOptions {
    AnimationOptions {
        timing: Timing::FINE,
        ..AnimationOptions::default()
    }
}

/// A picture and how long it is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) pixels: Vec<Pixel>,
    pub(crate) duration: Duration,
}

/// Adds a picture. If it looks like the last one, extends the duration of the last one instead.
pub(crate) fn add(pictures: &mut Vec<Picture>, picture: Picture) {
    match pictures.last_mut() {
        Some(last) if last.pixels == picture.pixels => last.duration += picture.duration,
        _ => pictures.push(picture),
    }
}

/// Returns the pictures of an animation, each drawn from scratch.
pub(crate) fn pictures<P: Painter>(animation: &Animation, painter: &P) -> Vec<Picture> {
    let mut painter = painter.clone();
    let extent = painter.extent(animation.size());
    let mut pictures = Vec::new();
    for frame in animation.frames() {
        let mut pixels = Pixels::filled(extent.width, extent.height, [9; 4]);
        painter.paint(&frame.screen, None, &mut pixels);
        add(
            &mut pictures,
            Picture {
                width: extent.width,
                pixels: pixels.data().to_vec(),
                duration: frame.duration,
            },
        );
    }
    pictures
}

/// Returns a painter without a margin around the cells.
pub(crate) fn bare(shades: u32) -> StrokePainter {
    let margin = PixelSize {
        width: 0,
        height: 0,
    };
    StrokePainter::new(shades, margin)
}

/// Checks that a decoded animation shows the drawn pictures at their times; colours may differ by
/// `far` in red, green and blue.
#[track_caller]
pub(crate) fn check(decoded: &[Picture], drawn: &[Picture], far: u8) {
    let mut decoded = decoded.iter();
    let mut now = decoded.next().unwrap();
    let (mut start, mut end) = (Duration::ZERO, now.duration);
    for (number, drawn) in drawn.iter().enumerate() {
        // After colours are approximated, two pictures may look the same and become one.
        if number > 0 && start == end {
            now = decoded.next().unwrap();
            end += now.duration;
        }
        start += drawn.duration;
        match far {
            0 => assert_eq!(start, end, "the end of picture {number}"),
            _ => assert!(start <= end, "the end of picture {number}"),
        }
        check_pixels(now, drawn, far, number);
    }
    assert_eq!((decoded.next(), start), (None, end));
}

#[track_caller]
fn check_pixels(decoded: &Picture, drawn: &Picture, far: u8, number: usize) {
    assert_eq!(decoded.width, drawn.width);
    assert_eq!(decoded.pixels.len(), drawn.pixels.len());
    for (index, (decoded, drawn)) in decoded.pixels.iter().zip(&drawn.pixels).enumerate() {
        let pairs = decoded.iter().zip(drawn);
        let moved = pairs.map(|(one, other)| one.abs_diff(*other)).max();
        assert!(
            moved <= Some(far),
            "picture {number}, pixel {index}: {decoded:?} instead of {drawn:?}"
        );
    }
}

/// Returns random frames: of one size or several, with few colours or many, with small or complete
/// changes.
pub(crate) fn random_frames(random: &mut Random, colors: usize) -> Vec<RecordingFrame> {
    let palette: Vec<Color> = (0..colors)
        .map(|_| Color::Rgb(Rgb::hex(random.bits() as u32 & 0xff_ffff)))
        .collect();
    let size = |random: &mut Random| Size {
        cols: 2 + random.below(9) as u16,
        rows: 1 + random.below(4) as u16,
    };
    let mut screen = Screen::blank(size(random));
    let mut time = 0;
    let mut frames = Vec::new();
    for _ in 0..1 + random.below(70) {
        if random.one_in(20) {
            let size = size(random);
            screen.size = size;
            screen.rows.resize(size.rows.into(), Arc::default());
        }
        for row in 0..screen.rows.len() {
            if random.one_in(3) {
                screen.rows[row] = random_row(random, screen.size.cols, &palette);
            }
        }
        screen.cursor.visible = random.one_in(2);
        screen.cursor.position = Position {
            row: random.below(screen.rows.len()),
            col: random.below(screen.size.cols.into()),
        };
        frames.push(RecordingFrame {
            time: Duration::from_millis(time),
            screen: screen.clone(),
        });
        let longest = if random.one_in(30) { 900_000 } else { 120 };
        time += random.below(longest) as u64;
    }
    frames
}

fn random_row(random: &mut Random, cols: u16, palette: &[Color]) -> Arc<screentest_core::Row> {
    let mut builder = RowBuilder::new();
    for _ in 0..random.below(usize::from(cols) + 1) {
        let style = builder.style(&Style {
            fg: random.pick(palette),
            bg: random.pick(&[Color::Default, palette[0]]),
            ..Style::default()
        });
        builder.push(random.pick(&['a', 'b', 'W', ' ']), style, LinkId::NONE);
    }
    Arc::new(builder.finish())
}

/// Returns an animation in which only the colours of the terminal change, and the number of its
/// pictures.
pub(crate) fn recolored_animation(options: &AnimationOptions) -> (Animation, usize) {
    let size = Size { cols: 6, rows: 2 };
    let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    emulator.feed(b"\x1b[31mab\x1b[mc");
    let changes = [
        "",
        "\x1b]4;1;#00ff00\x07",
        "\x1b]11;#102040\x07",
        "\x1b]10;#ffff00\x07",
        // Colours that the screen does not use.
        "\x1b]4;200;#102040\x07",
        "\x1b]17;#102040\x07",
        "\x1bc\x1b[31mab\x1b[mc",
    ];
    let frames = (0..).zip(changes).map(|(index, bytes)| {
        emulator.feed(bytes.as_bytes());
        RecordingFrame {
            time: Duration::from_millis(100 * index),
            screen: emulator.screen(),
        }
    });
    let animation = Animation::new(frames, options).unwrap();
    (animation, changes.len() - 2)
}

/// Returns an animation of random frames.
pub(crate) fn random_animation(
    random: &mut Random,
    colors: usize,
    options: &AnimationOptions,
) -> Animation {
    Animation::new(random_frames(random, colors), options).unwrap()
}
