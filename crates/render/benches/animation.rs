//! Measures how fast an animation is encoded and how large the file is. The baseline is a GIF of
//! whole quantised frames, as most programs write it.
//!
//! The animation is half a minute of 80×24 cells, 300 frames of 790×560 pixels, drawn with the
//! bundled fonts.

#[path = "../tests/animation/sample_frames.rs"]
mod sample_frames;

use rustix::time::{ClockId, clock_gettime};
use screentest_core::Theme;
use screentest_render::animation::{Animation, AnimationOptions, EncodeOptions, Painter, Threads};
use screentest_render::{
    Bar, Fonts, Pixels, RenderOptions, ScreenPainter, SystemFonts, Window, apng, gif, webp,
};

const ROUNDS: usize = 5;

/// Cells of 9×19 pixels, with padding and a bar that make 790×560 pixels.
fn painter() -> ScreenPainter {
    let options = RenderOptions {
        letter_spacing: -0.6,
        window: Window {
            padding: 35,
            bar: Bar::Colorful,
            bar_size: 34,
            ..Window::default()
        },
        ..RenderOptions::default()
    };
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    ScreenPainter::new(&Theme::SCREENTEST, &fonts, &options).expect("the options are in range")
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let animation = Animation::new(sample_frames::frames(), &AnimationOptions::default())
        .expect("an animation");
    let extent = painter().extent(animation.size());
    say(&format!(
        "{} frames, {:?}, {}x{} pixels; medians of {ROUNDS}; ms of time and of processors, KB",
        animation.frames().len(),
        animation.duration(),
        extent.width,
        extent.height
    ));
    report("drawing alone", ROUNDS, || draw(&animation));
    for threads in [1, 2] {
        let options = EncodeOptions {
            threads: Threads::new(threads),
            ..EncodeOptions::default()
        };
        report(&format!("GIF, threads: {threads}"), ROUNDS, || {
            gif::encode(&animation, &painter(), &options).expect("a GIF")
        });
    }
    let options = EncodeOptions::default();
    report("APNG", ROUNDS, || {
        apng::encode(&animation, &painter(), &options).expect("an APNG")
    });
    report("WebP", ROUNDS, || {
        webp::encode(&animation, &painter(), &options).expect("a WebP")
    });
    if !quick {
        report("GIF of whole quantised frames", 1, || quantised(&animation));
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn say(line: &str) {
    println!("{line}");
}

/// Runs `make` several times; prints the time and the size of the result.
fn report(name: &str, rounds: usize, make: impl Fn() -> Vec<u8>) {
    let mut times = Vec::new();
    let mut processors = Vec::new();
    let mut bytes = 0;
    for _ in 0..rounds {
        let (time, processor) = (clock(ClockId::Monotonic), clock(ClockId::ProcessCPUTime));
        bytes = make().len();
        times.push(clock(ClockId::Monotonic) - time);
        processors.push(clock(ClockId::ProcessCPUTime) - processor);
    }
    let median = |values: &mut [f64]| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    say(&format!(
        "{name:<30}{:>7.0}{:>7.0}{:>8}",
        median(&mut times),
        median(&mut processors),
        bytes / 1000
    ));
}

/// Returns a clock in milliseconds.
fn clock(id: ClockId) -> f64 {
    let time = clock_gettime(id);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Draws every frame over the one before, in one thread.
fn draw(animation: &Animation) -> Vec<u8> {
    let mut painter = painter();
    let extent = painter.extent(animation.size());
    let mut pixels = Pixels::filled(extent.width, extent.height, [0; 4]);
    let mut before = None;
    for frame in animation.frames() {
        painter.paint(&frame.screen, before, &mut pixels);
        before = Some(&frame.screen);
    }
    Vec::new()
}

/// Encodes every frame whole, with its own 256 colours.
fn quantised(animation: &Animation) -> Vec<u8> {
    let mut painter = painter();
    let extent = painter.extent(animation.size());
    let (width, height) = (extent.width as u16, extent.height as u16);
    let mut bytes = Vec::new();
    let mut encoder = ::gif::Encoder::new(&mut bytes, width, height, &[]).expect("a header");
    let mut pixels = Pixels::filled(extent.width, extent.height, [0; 4]);
    for frame in animation.frames() {
        painter.paint(&frame.screen, None, &mut pixels);
        let mut data: Vec<u8> = pixels.data().concat();
        let mut gif_frame = ::gif::Frame::from_rgba_speed(width, height, &mut data, 10);
        gif_frame.delay = (frame.duration.as_millis() / 10) as u16;
        encoder.write_frame(&gif_frame).expect("a frame");
    }
    drop(encoder);
    bytes
}
