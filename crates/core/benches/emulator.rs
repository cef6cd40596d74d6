//! Measures how fast bytes become screens: our adapter compared with the processor of the wrapped
//! crate, and the cost of taking a screen.
//!
//! Both sides alternate within one run and are compared by processor time, so that a busy machine
//! slows both alike. The result is the median of the ratios, with the quartiles.

use std::time::Duration;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::{Processor, Timeout};
use rustix::time::{ClockId, clock_gettime};
use screentest_core::emulator::{EmulatorOptions, TransientScreens};
use screentest_core::{Backend, Size};
use screentest_fixtures::payload::Payload;

const SIZE: Size = Size {
    cols: 200,
    rows: 50,
};
const ROUNDS: usize = 15;
const BYTES: usize = 16 << 20;
/// The number of bytes that a session reads at once.
const CHUNK: usize = 64 << 10;

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    println!("feeding, {SIZE}, {ROUNDS} rounds of {} MiB", BYTES >> 20);
    println!(
        "{:<9}{:>9}{:>9}{:>8}{:>16}",
        "payload", "library", "ours", "ratio", "quartiles"
    );
    let mut product = 1.0;
    for payload in Payload::ALL {
        let bytes = payload.bytes(BYTES, SIZE.cols.into(), SIZE.rows.into());
        let (mut library, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            library.push(feed_library(&bytes));
            ours.push(feed_ours(&bytes, TransientScreens::Drop));
        }
        let ratios: Vec<f64> = library.iter().zip(&ours).map(|(l, o)| l / o).collect();
        let [low, ratio, high] = quartiles(&ratios);
        product *= ratio;
        let rate = |times: &[f64]| bytes.len() as f64 / 1e6 / quartiles(times)[1];
        println!(
            "{:<9}{:>9.0}{:>9.0}{ratio:>8.2}{:>16}",
            payload.name(),
            rate(&library),
            rate(&ours),
            format!("{low:.2} … {high:.2}")
        );
    }
    println!(
        "geometric mean {:.2}",
        product.powf(1.0 / Payload::ALL.len() as f64)
    );

    println!("\nfeeding with transient screens kept, MB/s");
    for payload in Payload::ALL {
        let bytes = payload.bytes(BYTES, SIZE.cols.into(), SIZE.rows.into());
        let times: Vec<f64> = (0..3)
            .map(|_| feed_ours(&bytes, TransientScreens::Keep))
            .collect();
        let rate = bytes.len() as f64 / 1e6 / quartiles(&times)[1];
        println!("{:<9}{rate:>9.0}", payload.name());
    }

    println!("\ntaking a styled {SIZE} screen, µs");
    let [low, whole, high] = quartiles(&whole_screens());
    println!("whole           {whole:>7.1} ({low:.1} … {high:.1})");
    let [low, row, high] = quartiles(&one_row());
    println!("one changed row {row:>7.1} ({low:.1} … {high:.1})");
}

/// Returns the processor time of this thread, in seconds.
fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn feed_library(bytes: &[u8]) -> f64 {
    let mut term = Term::new(Config::default(), &Grid, VoidListener);
    let mut processor = Processor::<AtOnce>::new();
    let start = cpu();
    for chunk in bytes.chunks(CHUNK) {
        processor.advance(&mut term, chunk);
    }
    cpu() - start
}

fn feed_ours(bytes: &[u8], transient_screens: TransientScreens) -> f64 {
    let options = EmulatorOptions {
        transient_screens,
        ..EmulatorOptions::default()
    };
    let mut emulator = Backend::Vt.emulator(SIZE, options);
    let start = cpu();
    for chunk in bytes.chunks(CHUNK) {
        emulator.feed(chunk);
        std::hint::black_box(emulator.take_transient_screens());
    }
    cpu() - start
}

/// Measures taking a screen that has changed everywhere.
fn whole_screens() -> Vec<f64> {
    let bytes = Payload::Sgr.bytes(1 << 20, SIZE.cols.into(), SIZE.rows.into());
    let mut emulator = Backend::Vt.emulator(SIZE, EmulatorOptions::default());
    let mut times = Vec::new();
    for chunk in bytes.chunks(4 << 10) {
        emulator.feed(chunk);
        let start = cpu();
        std::hint::black_box(emulator.screen());
        times.push((cpu() - start) * 1e6);
    }
    times
}

/// Measures taking a screen of which one row has changed.
fn one_row() -> Vec<f64> {
    let bytes = Payload::Sgr.bytes(64 << 10, SIZE.cols.into(), SIZE.rows.into());
    let mut emulator = Backend::Vt.emulator(SIZE, EmulatorOptions::default());
    emulator.feed(&bytes);
    std::hint::black_box(emulator.screen());
    (0..400)
        .map(|number| {
            emulator.feed(
                format!(
                    "\x1b[{};{}H\x1b[31m{number}",
                    number % 50 + 1,
                    number % 180 + 1
                )
                .as_bytes(),
            );
            let start = cpu();
            std::hint::black_box(emulator.screen());
            (cpu() - start) * 1e6
        })
        .collect()
}

fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| sorted[(sorted.len() - 1) * quarter / 4])
}

struct Grid;

impl Dimensions for Grid {
    fn total_lines(&self) -> usize {
        SIZE.rows.into()
    }
    fn screen_lines(&self) -> usize {
        SIZE.rows.into()
    }
    fn columns(&self) -> usize {
        SIZE.cols.into()
    }
}

/// Applies synchronized updates at once, as our adapter does.
#[derive(Default)]
struct AtOnce;

impl Timeout for AtOnce {
    fn set_timeout(&mut self, _: Duration) {}
    fn clear_timeout(&mut self) {}
    fn pending_timeout(&self) -> bool {
        false
    }
}
