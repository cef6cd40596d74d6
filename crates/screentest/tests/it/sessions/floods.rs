//! Programs that print more, or for longer, than is read.

use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::{Size, State};
use screentest::session::{InputOptions, SessionOptions, WaitError};
use screentest::{App, ExitStatus, Session, Signal};

use super::timeline::Timeline;
use super::{TIMEOUT, sh};
use crate::harness::own_process::in_own_process;
use screentest_fixtures::flood::EXPENSIVE_SCRIPT;
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
        let session = Session::start(&app, SessionOptions::default()).unwrap();
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
    let exit_status = session.wait_for_exit(TIMEOUT).unwrap();
    assert_eq!(exit_status, ExitStatus::Signaled(Signal::INT));
}

/// Far longer than any call takes here, and far shorter than the interpretation of everything that
/// the program wrote.
const PROMPT: Duration = Duration::from_secs(6);

/// Runs `call` and checks that it returns soon.
#[track_caller]
fn prompt<T>(what: &str, call: impl FnOnce() -> T) -> T {
    let clock = Clock::system();
    let value = call();
    assert!(clock.now() < PROMPT, "{what}: {:?}", clock.now());
    value
}

/// Each few bytes change the whole screen, so the program writes in an instant what takes half a
/// minute to interpret.
#[test]
fn calls_are_prompt_while_expensive_output_floods() {
    let app = App::new("sh").args(["-c", EXPENSIVE_SCRIPT]);
    let options = SessionOptions {
        size: Size {
            cols: 200,
            rows: 60,
        },
        ..SessionOptions::default()
    };
    let session = Session::start(&app, options).unwrap();
    session.wait_for("EEEEE", TIMEOUT).unwrap();
    for _ in 0..2 {
        let error = prompt("wait", || {
            session.wait_for("never", Duration::from_millis(500))
        });
        assert!(
            matches!(error, Err(WaitError::TimedOut { .. })),
            "{error:?}"
        );
    }
    prompt("screen", || session.screen());
    prompt("state", || session.state(10));
    prompt("notes", || session.notes());
    prompt("press", || {
        session.input_with(InputOptions::AT_ONCE).send(b"x")
    })
    .unwrap();
    prompt("resize", || session.resize(Size { cols: 90, rows: 30 })).unwrap();
    assert_eq!(session.screen().rows.len(), 30);
    prompt("close", || session.close()).unwrap();
}

#[test]
fn the_exit_is_reported_after_expensive_output() {
    // Less than the kernel buffers, but a second of work at this size.
    let script = r#"yes "$(printf '\033#8\033[2J')" | head -n 600; printf 'the end'"#;
    let app = App::new("sh").args(["-c", script]);
    let options = SessionOptions {
        size: Size {
            cols: 800,
            rows: 300,
        },
        ..SessionOptions::default()
    };
    let session = Session::start(&app, options).unwrap();
    let outcome = session.wait_for_exit(FLOOD_TIMEOUT).unwrap();
    assert_eq!(outcome, ExitStatus::Exited(0));
    assert!(session.screen().contains("the end"));
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
    let session = timeline.session(SessionOptions::default());
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
