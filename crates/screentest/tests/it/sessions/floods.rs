//! Programs that print more, or for longer, than anybody reads.

use std::time::Duration;

use screentest::core::{Size, State};
use screentest::{App, Clock, ExitStatus, Options, Session, Signal};

use super::timeline::Timeline;
use super::{SOON, sh};
use crate::alone::alone;
use crate::rounds::rounds;
use screentest_fixtures::scratch::Scratch;

/// A flood takes longer where everything is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// The rows of a state from the oldest that is kept to the last.
fn lines(state: &State) -> Vec<&str> {
    let rows = state.scrollback.iter().chain(&state.screen.rows);
    rows.map(|row| row.text()).collect()
}

#[test]
fn a_flood_is_understood_to_its_end() {
    let session = sh("seq 1 300000; printf 'the end'; read end");
    session.wait_for("300000\nthe end", PATIENCE).unwrap();
    let state = session.state(10_000);
    assert_eq!(state.scrollback.len(), 10_000);
    assert_eq!(state.screen.scrollback_rows, 10_000);
    let lines = lines(&state);
    // 10,000 rows above, 23 on the screen, and the last row.
    let numbers = 300_000 - 10_022..=300_000;
    let expected: Vec<String> = numbers.map(|n| n.to_string()).collect();
    let (last, lines) = lines.split_last().unwrap();
    assert_eq!(*last, "the end");
    assert!(lines.iter().eq(expected.iter()), "{:?} …", &lines[..3]);
}

#[test]
fn a_flood_that_nobody_waits_for_is_understood_too() {
    for round in rounds(10, 100) {
        let scratch = Scratch::new();
        let pipe = scratch.path().join("written");
        // The shell says through a pipe that all is written, so that the screen is asked at once, and once.
        let app = App::new("sh").cwd(scratch.path()).args([
            "-c",
            "mkfifo written; echo ready; read go; seq 1 60000; echo >written; read end",
        ]);
        let session = Session::start(&app, Options::default()).unwrap();
        session.wait_for("ready", SOON).unwrap();
        session.type_text("\n").unwrap();
        std::fs::read(&pipe).unwrap();
        let screen = session.screen();
        assert!(screen.contains("60000"), "round {round}:\n{screen}");
    }
}

#[test]
fn waits_and_time_go_on_while_a_program_prints_without_end() {
    let session = sh("yes 'the same line again and again'");
    session.wait_for("again and again", SOON).unwrap();
    for _ in 0..3 {
        let clock = Clock::system();
        let error = session
            .wait_for("another line", Duration::from_millis(100))
            .unwrap_err();
        assert!(error.report().unwrap().last.contains("again and again"));
        assert!(clock.now() < SOON / 4, "{:?}", clock.now());
    }
    session.resize(Size { cols: 20, rows: 5 }).unwrap();
    assert_eq!(session.screen().rows.len(), 5);
    session.signal(Signal::INT).unwrap();
    let outcome = session.wait_for_exit(SOON).unwrap();
    assert_eq!(outcome, ExitStatus::Signaled(Signal::INT));
}

#[test]
fn a_program_that_prints_without_end_does_not_fill_memory() {
    alone(|| {
        // One fills the scrollback, the other the history, as every screen is erased for the next.
        let scrolling = "while :; do seq 1 100000; done";
        let erasing = "n=0; while :; do n=$((n+1)); printf '\\033[H\\033[2J%01000d' $n; done";
        for script in [scrolling, erasing] {
            let session = sh(script);
            let run = |time| drop(session.wait_for("no such text", time).unwrap_err());
            // What may be kept is kept by then.
            run(Duration::from_secs(1));
            let before = memory();
            for _ in rounds(1, 20) {
                run(Duration::from_secs(1));
            }
            let grown = memory().saturating_sub(before);
            assert!(grown < 32 << 20, "{script}: {grown} bytes more");
            assert!(memory() < 256 << 20, "{script}: {} bytes", memory());
        }
    });
}

/// How much this process holds for itself.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let held = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = held.unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse::<usize>().unwrap() << 10
}

#[test]
fn what_drips_after_a_flood_is_shown_and_time_goes_on() {
    // A flood, then a byte every millisecond: never a pause, and a minute until 64 KiB more have come.
    let flood = "x".repeat(200 << 10);
    let mut script = vec![(1, flood.as_str())];
    script.extend((2..30_000).map(|millis| (millis, ".")));
    let timeline = Timeline::new(&script);
    let session = timeline.session(Options::default());
    timeline.drive();
    session.wait_for("....", SOON).unwrap();
    let shown = timeline.clock.now();
    assert!(shown <= Duration::from_millis(15), "{shown:?}");
    let error = session
        .wait_for("never", Duration::from_millis(100))
        .unwrap_err();
    let waited = timeline.clock.now() - shown;
    assert!(waited <= Duration::from_millis(105), "{waited:?}");
    assert!(error.report().unwrap().last.contains("...."));
}
