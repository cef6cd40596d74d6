//! Compares sessions with bare system calls on a PTY (`floor.c`): waits, starts, and reading a
//! flood.
//!
//! Contenders alternate within one run, so that a busy machine slows both alike. The result is the
//! median of the ratios of all rounds. `SCREENTEST_BENCH_MB` sets the size of the flood (200) and
//! `SCREENTEST_BENCH_ROUNDS` the number of rounds (15).

use std::path::Path;
use std::time::Duration;

use screentest::core::emulator::{self, TransientScreens};
use screentest::core::{Backend, Size};
use screentest::session::SessionOptions;
use screentest::{App, Session};
use screentest_fixtures::payload::Payload;
use screentest_fixtures::scratch::Scratch;

mod floor;
mod measure;

use floor::Floor;
use measure::{monotonic, number, quartiles};

const TIMEOUT: Duration = Duration::from_secs(120);
/// Waits and starts per round.
const TIMES: usize = 20;

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let scratch = Scratch::new();
    let scratch = scratch.path();
    let floor = Floor::build(scratch);
    let rounds = number("SCREENTEST_BENCH_ROUNDS", 15);

    println!("µs, medians of {rounds} rounds of {TIMES}, alternating");
    println!(
        "{:<12}{:>9}{:>9}{:>8}{:>16}{:>10}{:>10}",
        "", "floor", "ours", "ratio", "quartiles", "p99", "floor p99"
    );
    let report = |name: &str, mut floor: Vec<f64>, mut ours: Vec<f64>, rounds: &[f64]| {
        let [low, ratio, high] = quartiles(rounds);
        let (f, o) = (quartiles(&floor)[1], quartiles(&ours)[1]);
        println!(
            "{name:<12}{f:>9.0}{o:>9.0}{:>8.2}{:>16}{:>10.0}{:>10.0}",
            ratio,
            format!("{low:.2} … {high:.2}"),
            p99(&mut ours),
            p99(&mut floor)
        );
    };
    let (mut floors, mut ours, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let waiting = Waiting::start(&floor);
    for round in 0..rounds {
        let f = floor.run(&["latency", &TIMES.to_string()]);
        let o = waiting.round(round);
        ratios.push(quartiles(&o)[1] / quartiles(&f)[1]);
        floors.extend(f);
        ours.extend(o);
    }
    report("wait", floors, ours, &ratios);
    drop(waiting);

    // The guardian is started once per process and is not counted.
    start_up();
    let (mut floors, mut ours, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let f = floor.run(&["startup", &TIMES.to_string()]);
        let o: Vec<f64> = (0..TIMES).map(|_| start_up()).collect();
        ratios.push(quartiles(&o)[1] / quartiles(&f)[1]);
        floors.extend(f);
        ours.extend(o);
    }
    report("start", floors, ours, &ratios);

    let megabytes = number("SCREENTEST_BENCH_MB", 200);
    println!(
        "\n`cat` of {megabytes} MB to \"marker visible\", MB/s, medians of {rounds} rounds, alternating"
    );
    println!(
        "{:<12}{:>9}{:>9}{:>9}{:>8}{:>16}",
        "", "pty", "emulator", "ours", "share", "quartiles"
    );
    for (name, payload) in [("plain", Payload::Ascii), ("ansi-dense", Payload::Sgr)] {
        let file = scratch.join(name);
        let mut bytes = payload.bytes(megabytes * 1_000_000, 80, 24);
        bytes.extend_from_slice(b"\x1b[m\r\nthe-end-marker\r\n");
        std::fs::write(&file, &bytes).expect("the temporary folder has room");
        let (mut pty, mut emulator, mut ours, mut shares) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let p = floor.run(&["cat", &file.to_string_lossy()])[0] / 1e6;
            let e = emulate(&bytes);
            let o = cat(&file);
            shares.push(p.max(e) / o);
            pty.push(p);
            emulator.push(e);
            ours.push(o);
        }
        let rate = |times: &[f64]| bytes.len() as f64 / 1e6 / quartiles(times)[1];
        let [low, share, high] = quartiles(&shares);
        println!(
            "{name:<12}{:>9.0}{:>9.0}{:>9.0}{share:>8.2}{:>16}",
            rate(&pty),
            rate(&emulator),
            rate(&ours),
            format!("{low:.2} … {high:.2}")
        );
        std::fs::remove_file(&file).expect("the file is ours");
    }
}

/// A session with the child of `floor.c`, which writes the time and a marker for every byte it
/// receives.
struct Waiting {
    session: Session,
}

impl Waiting {
    fn start(floor: &Floor) -> Waiting {
        let app = App::new(&floor.program).arg("child");
        let session = Session::start(&app, SessionOptions::default()).expect("the child starts");
        session.wait_for("up", TIMEOUT).expect("the child is ready");
        Waiting { session }
    }

    fn round(&self, round: usize) -> Vec<f64> {
        (0..TIMES)
            .map(|time| {
                let marker = format!("marker-{};", round * TIMES + time);
                self.session.send(b"g").expect("the child reads");
                let screen = self
                    .session
                    .wait_for(marker, TIMEOUT)
                    .expect("the child answers");
                let end = monotonic();
                let text = screen.text();
                let (written, _) = text.split_once(' ').expect("the time comes first");
                end - written.parse::<f64>().expect("the time is a number") / 1e3
            })
            .collect()
    }
}

fn start_up() -> f64 {
    let app = App::new("sh").args(["-c", "printf ready"]);
    let start = monotonic();
    let session = Session::start(&app, SessionOptions::default()).expect("sh starts");
    session.wait_for("ready", TIMEOUT).expect("sh prints");
    monotonic() - start
}

fn emulate(bytes: &[u8]) -> f64 {
    let options = emulator::EmulatorOptions {
        transient_screens: TransientScreens::Keep,
        ..emulator::EmulatorOptions::default()
    };
    let mut emulator = Backend::Vt.emulator(Size { cols: 80, rows: 24 }, options);
    let start = monotonic();
    for chunk in bytes.chunks(64 << 10) {
        emulator.feed(chunk);
        std::hint::black_box((emulator.take_transient_screens(), emulator.screen()));
    }
    (monotonic() - start) / 1e6
}

fn cat(file: &Path) -> f64 {
    let app = App::new("cat").arg(file);
    let start = monotonic();
    let session = Session::start(&app, SessionOptions::default()).expect("cat starts");
    session
        .wait_for("the-end-marker", TIMEOUT)
        .expect("cat prints");
    (monotonic() - start) / 1e6
}

fn p99(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) * 99 / 100]
}
