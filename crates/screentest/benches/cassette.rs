//! Measures the cost of recording, the speed of deriving frames, the size of cassettes, and the
//! time to open a large one.
//!
//! Contenders alternate within one run, so that a busy machine slows both alike. The result is the
//! median of the ratios of all rounds. `SCREENTEST_BENCH_MB` sets the size of the flood (50),
//! `SCREENTEST_BENCH_ROUNDS` the number of rounds (9) and `SCREENTEST_BENCH_LARGE_MB` the size of
//! the large cassette (1000).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use screentest::clock::Clock;
use screentest::core::emulator;
use screentest::core::{Backend, Size};
use screentest::pty::scripted::ScriptedPty;
use screentest::recording::{Cassette, Moment, Player, RecordOptions};
use screentest::session::SessionOptions;
use screentest::{App, Session};
use screentest_fixtures::payload::Payload;
use screentest_fixtures::scratch::Scratch;

mod measure;

use measure::{monotonic, number, quartiles};

const TIMEOUT: Duration = Duration::from_secs(600);
const SIZE: Size = Size { cols: 80, rows: 24 };

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let scratch = Scratch::new();
    let scratch = scratch.path();
    let rounds = number("SCREENTEST_BENCH_ROUNDS", 9);
    let megabytes = number("SCREENTEST_BENCH_MB", 50);

    println!(
        "`cat` of {megabytes} MB to \"marker visible\", s, medians of {rounds} rounds, alternating"
    );
    println!(
        "{:<12}{:>9}{:>10}{:>8}{:>16}   cpu ratio",
        "", "plain", "recorded", "ratio", "quartiles"
    );
    for payload in [Payload::Ascii, Payload::Sgr] {
        let file = scratch.join("payload");
        let mut bytes = payload.bytes(megabytes * 1_000_000, 80, 24);
        bytes.extend_from_slice(b"\x1b[m\r\nthe-end-marker\r\n");
        std::fs::write(&file, &bytes).expect("the temporary folder has room");
        let (mut plain, mut kept, mut ratios, mut cpu) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        cat(&file, None);
        for round in 0..rounds {
            let target = scratch.join(format!("{round}.cassette"));
            let (p, p_cpu) = cat(&file, None);
            let (k, k_cpu) = cat(&file, Some(&target));
            std::fs::remove_dir_all(&target).expect("the cassette was published");
            ratios.push(k / p);
            cpu.push(k_cpu / p_cpu);
            plain.push(p);
            kept.push(k);
        }
        let [low, ratio, high] = quartiles(&ratios);
        println!(
            "{:<12}{:>9.3}{:>10.3}{ratio:>8.2}{:>16}{:>12.2}",
            payload.name(),
            quartiles(&plain)[1],
            quartiles(&kept)[1],
            format!("{low:.2} … {high:.2}"),
            quartiles(&cpu)[1],
        );
    }

    println!("\nderiving frames of {megabytes} MB, MB/s, medians of {rounds} rounds, alternating");
    println!(
        "{:<12}{:>9}{:>10}{:>8}{:>16}{:>20}",
        "", "emulator", "derived", "share", "quartiles", "compared, share"
    );
    for payload in [Payload::Ascii, Payload::Sgr, Payload::Redraw] {
        let file = scratch.join("payload");
        let bytes = payload.bytes(megabytes * 1_000_000, 80, 24);
        std::fs::write(&file, &bytes).expect("the temporary folder has room");
        let target = scratch.join("replay.cassette");
        let app = App::new("cat").arg(&file);
        let session = Session::start(&app, recorded(&target)).expect("cat starts");
        session.wait_for_exit(TIMEOUT).expect("cat ends");
        session
            .finish_recording()
            .expect("a recording was requested")
            .expect("the cassette is published");
        let cassette = Cassette::open(&target).expect("the cassette is complete");
        let raw = std::fs::read(target.join("output.raw")).expect("the file exists");
        let mut moments = Vec::new();
        let derived = cassette.derive_frames(|shown, _| moments.push(shown.at as usize));
        derived.expect("the frames are derived");
        let (mut bare, mut replay, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        let mut compared = Vec::new();
        for _ in 0..rounds {
            let b = emulate(&raw, &moments);
            let r = timed(|| {
                let derived = cassette.derive_frames(|_, screen| {
                    std::hint::black_box(screen);
                });
                derived.expect("the frames are derived");
            });
            let c = timed(|| {
                let found = cassette
                    .compare(Backend::Vt, 1)
                    .expect("the frames are derived");
                assert!(found.is_empty());
            });
            shares.push(b / r);
            compared.push(b / c);
            bare.push(b);
            replay.push(r);
        }
        let rate = |times: &[f64]| raw.len() as f64 / 1e6 / quartiles(times)[1];
        let [low, share, high] = quartiles(&shares);
        println!(
            "{:<12}{:>9.0}{:>10.0}{share:>8.2}{:>16}{:>20.2}",
            payload.name(),
            rate(&bare),
            rate(&replay),
            format!("{low:.2} … {high:.2}"),
            quartiles(&compared)[1],
        );
        std::fs::remove_dir_all(&target).expect("it is ours");
    }

    sizes(scratch);
    large(scratch, number("SCREENTEST_BENCH_LARGE_MB", 1000));
}

fn recorded(path: &Path) -> SessionOptions {
    SessionOptions::default().record(RecordOptions::new(path))
}

fn timed(work: impl FnOnce()) -> f64 {
    let start = monotonic();
    work();
    (monotonic() - start) / 1e6
}

/// Returns the seconds until the end marker is shown, and the processor time of this process
/// meanwhile, which is more meaningful on a busy machine.
fn cat(file: &Path, target: Option<&Path>) -> (f64, f64) {
    let app = App::new("cat").arg(file);
    let options = target.map_or_else(SessionOptions::default, recorded);
    let (start, worked) = (monotonic(), process_time());
    let session = Session::start(&app, options).expect("cat starts");
    session
        .wait_for("the-end-marker", TIMEOUT)
        .expect("cat prints");
    ((monotonic() - start) / 1e6, (process_time() - worked) / 1e6)
}

/// Returns the processor time of all threads of this process, in microseconds.
fn process_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// Feeds the bare emulator from memory and takes its screen at the same moments.
fn emulate(bytes: &[u8], moments: &[usize]) -> f64 {
    let mut emulator = Backend::Vt.emulator(SIZE, emulator::EmulatorOptions::default());
    timed(|| {
        let mut from = 0;
        for moment in moments {
            for chunk in bytes[from..*moment].chunks(256 << 10) {
                emulator.feed(chunk);
            }
            from = *moment;
            std::hint::black_box(emulator.screen());
        }
    })
}

/// Records a fixed session: 300 commands typed at 8 keys per second, 20 MB of output.
#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn sizes(scratch: &Path) {
    let target = scratch.join("sizes.cassette");
    let clock = Clock::manual();
    let pty = ScriptedPty::new(SIZE);
    let options = SessionOptions {
        clock: clock.clone(),
        ..recorded(&target)
    };
    let session = Session::over(Arc::new(pty.clone()), options).expect("a script starts");
    let output = Payload::Ascii.bytes(10_000_000, 80, 24);
    let colours = Payload::Sgr.bytes(10_000_000, 80, 24);
    let halves: Vec<&[u8]> = output
        .chunks(66_667)
        .zip(colours.chunks(66_667))
        .flat_map(|(a, b)| [a, b])
        .collect();
    let mut cast = String::from("{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\n");
    let mut last = clock.now();
    let mut event = |code: &str, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let interval = (clock.now() - last).as_secs_f64();
        last = clock.now();
        cast.push_str(&format!(
            "[{interval:.6}, \"{code}\", {}]\n",
            serde_json::json!(text)
        ));
    };
    for (number, piece) in halves.iter().take(300).enumerate() {
        for key in format!("./command --number {number}\r").chars() {
            clock.advance(Duration::from_millis(125));
            let text = key.to_string();
            session.type_text(&text).expect("the text is typed");
            event("i", text.as_bytes());
            pty.print(text.as_bytes());
            session.screen();
            event("o", text.as_bytes());
        }
        for read in piece.chunks(4095) {
            clock.advance(Duration::from_micros(300));
            pty.print(read);
            session.screen();
            event("o", read);
        }
    }
    session.close().expect("it ends");
    let cassette = Cassette::open(&target).expect("the cassette is complete");
    let bytes = |name: &str| {
        cassette
            .manifest()
            .files
            .get(name)
            .map_or(0, |file| file.bytes)
    };
    let all: u64 = cassette
        .manifest()
        .files
        .values()
        .map(|file| file.bytes)
        .sum();
    let of = |bytes: u64| bytes as f64 / cast.len() as f64;
    println!(
        "\n300 commands typed, {:.1} MB of output; asciicast v3 {:.1} MB",
        bytes("output.raw") as f64 / 1e6,
        cast.len() as f64 / 1e6
    );
    println!(
        "raw + index {:.2}×, whole cassette {:.2}× of the asciicast",
        of(bytes("output.raw") + bytes("output.jsonl")),
        of(all)
    );
    for name in cassette.manifest().files.keys() {
        println!("  {name:<20}{:>12}", bytes(name));
    }
}

/// Opens a large cassette and shows its middle.
#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn large(scratch: &Path, megabytes: usize) {
    let file = scratch.join("large");
    let target = scratch.join("large.cassette");
    let piece = Payload::Redraw.bytes(100_000_000.min(megabytes * 1_000_000), 80, 24);
    std::fs::write(&file, &piece).expect("the temporary folder has room");
    let times = (megabytes * 1_000_000).div_ceil(piece.len());
    let files = std::iter::repeat_n(&file, times).map(|file| file.as_os_str().to_owned());
    let app = App::new("cat").args(files);
    let session = Session::start(&app, recorded(&target)).expect("cat starts");
    session.wait_for_exit(TIMEOUT).expect("cat ends");
    session
        .finish_recording()
        .expect("a recording was requested")
        .expect("the cassette is published");
    let mut shown = 0;
    let opened = timed(|| {
        let cassette = Cassette::open(&target).expect("the cassette is complete");
        let middle = cassette.manifest().timing.duration_ms.time() / 2;
        let mut player = Player::new(&cassette).expect("it is ours");
        shown = player
            .seek(&Moment::Time(middle))
            .expect("something was shown")
            .rows
            .len();
    });
    let cassette = Cassette::open(&target).expect("the cassette is complete");
    println!(
        "\n{:.0} MB of output: opened and shown in its middle in {:.1} ms ({shown} rows)",
        cassette.output_len() as f64 / 1e6,
        opened * 1e3
    );
}
