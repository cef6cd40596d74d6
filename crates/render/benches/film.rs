//! How fast a film becomes a file, and how large: beside a GIF of whole quantised frames, as most programs write it.
//!
//! The film is half a minute of 80×24 cells, 300 frames of 790×560 pixels, drawn with the bundled fonts.

#[path = "../tests/film/program.rs"]
mod program;

use rustix::time::{ClockId, clock_gettime};
use screentest_core::Theme;
use screentest_render::film::{Film, Options, Painter, Threads, Writing};
use screentest_render::{
    Bar, Camera, Fonts, Options as Look, Pixels, SystemFonts, Window, apng, gif, webp,
};

const ROUNDS: usize = 5;

/// Cells of 9×19 pixels, and what makes 790×560 of them.
fn camera() -> Camera {
    let look = Look {
        letter_spacing: -0.6,
        window: Window {
            padding: 35,
            bar: Bar::Colorful,
            bar_size: 34,
            ..Window::default()
        },
        ..Look::default()
    };
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    Camera::new(&Theme::DARK, &fonts, &look).expect("the options are in range")
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let film = Film::new(program::frames(), &Options::default()).expect("a film");
    let extent = camera().extent(film.size());
    say(&format!(
        "{} shots, {:?}, {}x{} pixels; medians of {ROUNDS}; ms of time and of processors, KB",
        film.shots().len(),
        film.duration(),
        extent.width,
        extent.height
    ));
    report("drawing alone", ROUNDS, || draw(&film));
    for threads in [1, 2] {
        let options = Writing {
            threads: Threads::new(threads),
            ..Writing::default()
        };
        report(&format!("GIF, threads: {threads}"), ROUNDS, || {
            gif::encode(&film, &camera(), &options).expect("a GIF")
        });
    }
    let options = Writing::default();
    report("APNG", ROUNDS, || {
        apng::encode(&film, &camera(), &options).expect("an APNG")
    });
    report("WebP", ROUNDS, || {
        webp::encode(&film, &camera(), &options).expect("a WebP")
    });
    if !quick {
        report("GIF of whole quantised frames", 1, || quantised(&film));
    }
}

#[expect(
    clippy::print_stdout,
    reason = "a benchmark's figures are what it is run for"
)]
fn say(line: &str) {
    println!("{line}");
}

/// Makes something several times, and says how long that took and how large it is.
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

/// Milliseconds.
fn clock(id: ClockId) -> f64 {
    let time = clock_gettime(id);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Draws every shot over the one before, in one thread.
fn draw(film: &Film) -> Vec<u8> {
    let mut painter = camera();
    let extent = painter.extent(film.size());
    let mut pixels = Pixels::filled(extent.width, extent.height, [0; 4]);
    let mut before = None;
    for shot in film.shots() {
        painter.paint(&shot.screen, before, &mut pixels);
        before = Some(&shot.screen);
    }
    Vec::new()
}

/// Every frame whole, with 256 colours of its own.
fn quantised(film: &Film) -> Vec<u8> {
    let mut painter = camera();
    let extent = painter.extent(film.size());
    let (width, height) = (extent.width as u16, extent.height as u16);
    let mut bytes = Vec::new();
    let mut encoder = ::gif::Encoder::new(&mut bytes, width, height, &[]).expect("a header");
    let mut pixels = Pixels::filled(extent.width, extent.height, [0; 4]);
    for shot in film.shots() {
        painter.paint(&shot.screen, None, &mut pixels);
        let mut data: Vec<u8> = pixels.data().concat();
        let mut frame = ::gif::Frame::from_rgba_speed(width, height, &mut data, 10);
        frame.delay = (shot.duration.as_millis() / 10) as u16;
        encoder.write_frame(&frame).expect("a frame");
    }
    drop(encoder);
    bytes
}
