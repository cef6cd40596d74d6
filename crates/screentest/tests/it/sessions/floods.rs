//! Programs that print more, or for longer, than is read.

use std::time::Duration;

use screentest::core::{Size, State};
use screentest::{App, Clock, ExitStatus, Options, Session, Signal};

use super::timeline::Timeline;
use super::{TIMEOUT, sh};
use crate::harness::own_process::in_own_process;
use screentest_fixtures::random::quick_or_full;
use screentest_fixtures::scratch::Scratch;

/// A flood takes longer on a slow machine.
const FLOOD_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the rows of a state, from the oldest of the scrollback to the last of the screen.
fn lines(state: &State) -> Vec<&str> {
    let rows = state.scrollback.iter().chain(&state.screen.rows);
    rows.map(|row| row.text()).collect()
}

#[test]
fn a_flood_is_interpreted_completely() {
    let session = sh("seq 1 300000; printf 'the end'; read end");
    session.wait_for("300000\nthe end", FLOOD_TIMEOUT).unwrap();
    let state = session.state(10_000);
    assert_eq!(state.scrollback.len(), 10_000);
    assert_eq!(state.screen.scrollback_rows, 10_000);
    let lines = lines(&state);
    // 10,000 rows of scrollback, 23 on the screen, and the last row.
    let numbers = 300_000 - 10_022..=300_000;
    let expected: Vec<String> = numbers.map(|n| n.to_string()).collect();
    let (last, lines) = lines.split_last().unwrap();
    assert_eq!(*last, "the end");
    assert!(lines.iter().eq(expected.iter()), "{:?} …", &lines[..3]);
}

#[test]
fn a_flood_without_a_wait_is_interpreted_completely() {
    for round in quick_or_full(10, 100) {
        let scratch = Scratch::new();
        let pipe = scratch.path().join("written");
        // The shell signals through a pipe that everything is written, so that the screen is read
        // once, immediately afterwards.
        let app = App::new("sh").cwd(scratch.path()).args([
            "-c",
            "mkfifo written; echo ready; read go; seq 1 60000; echo >written; read end",
        ]);
        let session = Session::start(&app, Options::default()).unwrap();
        session.wait_for("ready", TIMEOUT).unwrap();
        session.type_text("\n").unwrap();
        std::fs::read(&pipe).unwrap();
        let screen = session.screen();
        assert!(screen.contains("60000"), "round {round}:\n{screen}");
    }
}

#[test]
fn waits_time_out_while_a_program_prints_without_end() {
    let session = sh("yes 'the same line again and again'");
    session.wait_for("again and again", TIMEOUT).unwrap();
    for _ in 0..3 {
        let clock = Clock::system();
        let error = session
            .wait_for("another line", Duration::from_millis(100))
            .unwrap_err();
        assert!(error.report().unwrap().last.contains("again and again"));
        assert!(clock.now() < TIMEOUT / 4, "{:?}", clock.now());
    }
    session.resize(Size { cols: 20, rows: 5 }).unwrap();
    assert_eq!(session.screen().rows.len(), 5);
    session.signal(Signal::INT).unwrap();
    let outcome = session.wait_for_exit(TIMEOUT).unwrap();
    assert_eq!(outcome, ExitStatus::Signaled(Signal::INT));
}

#[test]
fn endless_output_does_not_fill_memory() {
    in_own_process(|| {
        // One fills the scrollback. The other fills the history, since it erases every screen.
        let scrolling = "while :; do seq 1 100000; done";
        let erasing = "n=0; while :; do n=$((n+1)); printf '\\033[H\\033[2J%01000d' $n; done";
        for script in [scrolling, erasing] {
            let session = sh(script);
            let run = |time| drop(session.wait_for("no such text", time).unwrap_err());
            // By then all buffers have reached their limits.
            run(Duration::from_secs(1));
            let before = memory();
            for _ in quick_or_full(1, 20) {
                run(Duration::from_secs(1));
            }
            let grown = memory().saturating_sub(before);
            assert!(grown < 32 << 20, "{script}: {grown} bytes more");
            assert!(memory() < 256 << 20, "{script}: {} bytes", memory());
        }
    });
}

/// Returns the anonymous memory of this process in bytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let held = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = held.unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse::<usize>().unwrap() << 10
}

#[test]
fn slow_output_after_a_flood_is_shown_in_time() {
    // A flood, then a byte every millisecond: there is never a pause, and the next 64 KiB take a
    // minute.
    let flood = "x".repeat(200 << 10);
    let mut script = vec![(1, flood.as_str())];
    script.extend((2..30_000).map(|millis| (millis, ".")));
    let timeline = Timeline::new(&script);
    let session = timeline.session(Options::default());
    timeline.drive();
    session.wait_for("....", TIMEOUT).unwrap();
    let shown = timeline.clock.now();
    assert!(shown <= Duration::from_millis(15), "{shown:?}");
    let error = session
        .wait_for("never", Duration::from_millis(100))
        .unwrap_err();
    let waited = timeline.clock.now() - shown;
    assert!(waited <= Duration::from_millis(105), "{waited:?}");
    assert!(error.report().unwrap().last.contains("...."));
}
