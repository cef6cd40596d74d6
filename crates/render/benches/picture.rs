//! Measures how fast screens are drawn, and how fast the pixels are encoded as PNG.
//!
//! Times are processor time of this thread. The first picture must draw every glyph, so its time is
//! reported separately (`cold`).

use rustix::time::{ClockId, clock_gettime};
use screentest_core::emulator::EmulatorOptions;
use screentest_core::{Backend, Screen, Size, Theme};
use screentest_fixtures::code;
use screentest_fixtures::payload::Payload;
use screentest_render::png::encode;
use screentest_render::{Fonts, Picture, RenderOptions, SystemFonts, draw};

const SIZE: Size = Size {
    cols: 134,
    rows: 40,
};
const ROUNDS: usize = 60;

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    println!("a {SIZE} screen at font size 16, ms of {ROUNDS} rounds: median (quartiles)");
    println!(
        "{:<9}{:>7}{:>22}{:>22}{:>22}{:>9}",
        "screen", "cold", "pixels", "PNG", "both", "bytes"
    );
    for (name, bytes) in screens() {
        let screen = screen(&bytes);
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        let draw_screen =
            || draw(&screen, &Theme::DARK, &fonts, &RenderOptions::default()).expect("it fits");
        let start = cpu_time_ms();
        let pixels = draw_screen();
        let cold = cpu_time_ms() - start;
        let mut size = 0;
        let mut write = || size = encode(&pixels).expect("it has pixels").len();
        let (mut drawing, mut writing, mut both) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let start = cpu_time_ms();
            std::hint::black_box(draw_screen());
            let middle = cpu_time_ms();
            write();
            let end = cpu_time_ms();
            drawing.push(middle - start);
            writing.push(end - middle);
            both.push(end - start);
        }
        println!(
            "{name:<9}{cold:>7.2}{:>22}{:>22}{:>22}{size:>9}",
            quartiles(&mut drawing),
            quartiles(&mut writing),
            quartiles(&mut both)
        );
    }
    println!("\none changed row of an existing picture, ms");
    println!("{}", quartiles(&mut one_row()));
}

/// Returns a page of source code in several colours, and a screen of arbitrary colours.
fn screens() -> [(&'static str, Vec<u8>); 2] {
    let sgr = Payload::Sgr.bytes(64 << 10, SIZE.cols.into(), SIZE.rows.into());
    [("code", code::page(SIZE.rows)), ("colours", sgr)]
}

fn screen(bytes: &[u8]) -> Screen {
    let mut emulator = Backend::Vt.emulator(SIZE, EmulatorOptions::default());
    emulator.feed(bytes);
    emulator.screen()
}

fn one_row() -> Vec<f64> {
    let fonts = Fonts::bundled(SystemFonts::Forbidden);
    let mut emulator = Backend::Vt.emulator(SIZE, EmulatorOptions::default());
    emulator.feed(&code::page(SIZE.rows));
    let mut picture =
        Picture::new(SIZE, &Theme::DARK, &fonts, &RenderOptions::default()).expect("it fits");
    picture.show(&emulator.screen());
    (0..400)
        .map(|number| {
            emulator.feed(format!("\x1b[{};20Hnumber {number}", number % 40 + 1).as_bytes());
            let screen = emulator.screen();
            let start = cpu_time_ms();
            std::hint::black_box(picture.show(&screen));
            cpu_time_ms() - start
        })
        .collect()
}

/// Returns the processor time of this thread in milliseconds.
fn cpu_time_ms() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

fn quartiles(times: &mut [f64]) -> String {
    times.sort_by(f64::total_cmp);
    let [low, middle, high] = [1, 2, 3].map(|quarter| times[(times.len() - 1) * quarter / 4]);
    format!("{middle:.2} ({low:.2} … {high:.2})")
}
